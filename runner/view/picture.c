/* picture: draws what a student's kernels did on the emulated device, as text for the terminal or
 * as SVG for a page. */
#include "commands.h"
#include "files.h"
#include "picture.h"
#include "request.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PLACES = 64 };

/* The picture to draw, and its file. */
struct wish {
    const char *trace, *svg, *kernel, *event; /* NULL: not given */
    int line;                                 /* 0: all */
};

/* Removes the command's own options from argv; returns the number of words left. */
static int readWish(struct wish *w, int argc, char **argv)
{
    const char *line = NULL;
    const struct known_option known[] = {
        {"--trace", .value = &w->trace},   {"-o", .value = &w->svg},
        {"--kernel", .value = &w->kernel}, {"--event", .value = &w->event},
        {"--line", .value = &line},        {0}};
    const int left = takeOptions(known, argc, argv);

    if (line != NULL && (w->line = atoi(line)) < 1)
        fail(EXIT_USAGE, "--line %s: expected the number of a line", line);
    if (w->event != NULL && eventNamed(w->event) < 0)
        fail(EXIT_USAGE, "--event %s: expected load, store, atomic, branch or barrier", w->event);
    if (w->svg != NULL && !endsWith(w->svg, ".svg"))
        fail(EXIT_USAGE, "-o %s: expected the name of a file, FILE.svg", w->svg);
    return left;
}

/* Runs the exercise's program with a trace; returns the trace's name, a temporary file, and the
 * exercise's folder. */
static const char *traceOf(int argc, char **argv, const char **folder)
{
    struct run_options r = parseOptions(argc, argv, 1);
    const char *kind = r.solution ? "solution" : "template";
    const char *name = formatString("%s/picture-%ld.csv", buildFolder(), (long)getpid());
    char *settings[] = {formatString("CUDA_EMULATED_TRACE=%s", name), NULL};
    struct run run;
    int code;

    if (r.chosenCount != 1)
        fail(EXIT_USAGE, "picture takes one exercise: ./course picture ex04 --line 50");
    *folder = formatString("%s/%s", r.solution ? sourceFolder() : workFolder(), r.chosen[0]->name);
    if (buildKind(&r, "emulated", kind) != 0)
        exit(EXIT_ERROR);
    run = runOf(&r, r.chosen[0], "emulated", kind, 0);
    runWord(&run, "--only");
    runWord(&run, "device");
    run.job.settings = settings;
    run.job.captured = 1;
    code = runWhole(&run);
    if (access(name, R_OK) != 0) {
        fputs(run.job.output, stderr);
        runExplain(&run);
        fail(code == EXIT_PASS ? EXIT_ERROR : (enum exit_code)code,
             "no kernel has run, so there is nothing to draw");
    }
    if (code == EXIT_UNFILLED)
        printf("A TODO is unfilled: this shows only what ran before it.\n\n");
    else if (code == EXIT_ERROR)
        fputs(run.job.output, stderr);
    else if (code != EXIT_PASS)
        printf("The program says %s; ./course check %s explains it.\n\n", verdictWord(code),
               r.chosen[0]->brief);
    return name;
}

/* The places that are wanted, in the order of the program. */
static int choose(const struct trace *t, const struct wish *w, const struct place_traced **places)
{
    int count = 0;

    for (size_t i = 0; i < t->count && count < MOST_PLACES; i++) {
        const struct place_traced *p = &t->place[i];

        if ((w->line == 0 || p->line == w->line) &&
            (w->event == NULL || (int)p->event == eventNamed(w->event)) &&
            (w->kernel == NULL || startsWith(p->kernel, w->kernel)) &&
            (p->event != TRACE_BRANCH || p->paths > 1))
            places[count++] = p;
    }
    return count;
}

int commandPicture(int argc, char **argv)
{
    struct wish w = {0};
    const struct place_traced *places[MOST_PLACES];
    const int left = readWish(&w, argc, argv);
    const char *folder = ".";
    struct trace t;
    int count;

    if (w.trace == NULL) {
        const char *name = traceOf(left, argv, &folder);

        t = traceRead(name);
        remove(name);
    } else {
        if (left > 1)
            fail(EXIT_USAGE, "--trace FILE takes no exercise");
        t = traceRead(w.trace);
    }
    count = choose(&t, &w, places);
    if (count == 0)
        fail(EXIT_USAGE, "nothing to draw: there is no request or branch like that");
    if (w.svg != NULL)
        drawSvg(places, count, folder, w.svg);
    else
        drawText(places, count, folder);
    return EXIT_PASS;
}
