/* The plan of a bench, step by step, and its progress. */
#include "plan.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char firstLine[] = "course-bench 1";

/* Adds a run to the piece of that name, which is made if the one before is another. */
static void addRun(struct plan *plan, const char *name, const struct exercise_entry *e,
                   double seconds, const char *options)
{
    struct piece *p = plan->count > 0 ? &plan->pieces[plan->count - 1] : NULL;

    if (p == NULL || !isSame(p->name, name)) {
        plan->pieces = mustAllocate(plan->pieces, (plan->count + 1) * sizeof *plan->pieces);
        p = &plan->pieces[plan->count++];
        *p = (struct piece){.name = formatString("%s", name), .e = e, .code = -1};
    }
    if (p->runs > 0 && isSame(p->options[p->runs - 1], options))
        return; /* on the emulated device two may become the same */
    p->seconds += seconds;
    p->options = mustAllocate(p->options, (p->runs + 1) * sizeof *p->options);
    p->options[p->runs++] = formatString("%s", options);
}

/* A line of solutions/recordings.txt. */
struct recording {
    char name[64];
    double seconds; /* on an H200 */
    const char *options;
};

/* Reads the next one; advances *text, which becomes NULL at the end. Returns 0 at the end. */
static int nextRecording(char **text, struct recording *r)
{
    char *line;

    while (*text != NULL) {
        int length = 0;

        line = strsep(text, "\n");
        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (sscanf(line, "%63s %lf %n", r->name, &r->seconds, &length) < 2 || length == 0)
            fail(EXIT_ERROR,
                 "solutions/recordings.txt: expected a name, seconds and options, not '%s'", line);
        r->options = line + length;
        return 1;
    }
    return 0;
}

static char *recordingsText(void)
{
    return readFileIfThere(formatString("%s/solutions/recordings.txt", sourceFolder()));
}

/* A recording's options on the emulated device, none for the exercise itself; for a sweep the sizes
 * of the emulated device, where the recorded ones would take hours. NULL: nothing is left to
 * run. */
static char *optionsEmulated(const char *name, const char *options)
{
    const char *size = strstr(options, "--size ");
    const char *end = size != NULL ? size + 7 + strcspn(size + 7, " ") : NULL;

    if (strchr(name, '_') == NULL)
        return formatString("%s", "");
    if (strstr(options, "--sweep") == NULL)
        return NULL;
    if (size == NULL)
        return formatString("%s", options);
    return formatString("%.*s%s", (int)(size - options), options, end + (*end == ' '));
}

struct plan planRecorded(const struct exercise_entry *const *chosen, size_t count, int device,
                         int emulated, const char *folder)
{
    struct plan plan = {.folder = folder};
    char *text = recordingsText();
    struct recording r;

    while (nextRecording(&text, &r)) {
        const char *options = emulated ? optionsEmulated(r.name, r.options) : r.options;

        if (options != NULL && device && startsWith(r.name, "device"))
            addRun(&plan, r.name, NULL, r.seconds, options);
        for (size_t i = 0; options != NULL && i < count; i++)
            if (startsWith(r.name, chosen[i]->brief))
                addRun(&plan, r.name, chosen[i], r.seconds, options);
    }
    return plan;
}

struct plan planOf(const struct exercise_entry *const *chosen, size_t count, const char *folder)
{
    struct plan plan = {.folder = folder};
    char *text = recordingsText();
    struct recording r;

    for (size_t i = 0; i < count; i++)
        addRun(&plan, chosen[i]->brief, chosen[i], 0.0, "");
    while (nextRecording(&text, &r))
        for (size_t i = 0; i < plan.count; i++)
            if (isSame(plan.pieces[i].name, r.name))
                plan.pieces[i].seconds += r.seconds;
    return plan;
}

char *pieceFile(const struct plan *plan, const struct piece *piece)
{
    return formatString("%s/%s.csv", plan->folder, piece->name);
}

/* Seconds of a piece on an H200. */
static double secondsOf(const struct piece *p)
{
    const double usual = 10.0; /* of one that nobody has timed */

    return p->seconds > 0.0 ? p->seconds : usual;
}

/* The factor by which the pieces of this session took longer than on an H200; 0: none is done. */
static double slowness(const struct plan *plan)
{
    double past = 0.0;
    size_t ended = 0;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->pieces[i].code >= 0 && ended++ >= plan->resumed)
            past += secondsOf(&plan->pieces[i]);
    return past > 0.0 ? (clockSeconds() - plan->started) / past : 0.0;
}

double planLeft(const struct plan *plan)
{
    double left = 0.0;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->pieces[i].code < 0)
            left += secondsOf(&plan->pieces[i]);
    return left * slowness(plan);
}

double planExpects(const struct plan *plan, const struct piece *piece)
{
    const double slower = slowness(plan);

    return secondsOf(piece) * (slower > 0.0 ? slower : 1.0);
}

int pieceIsSweep(const struct piece *piece) { return strchr(piece->name, '_') != NULL; }

static char *statePath(void) { return formatString("%s/bench.unfinished", buildFolder()); }

void planSave(const struct plan *plan, int argc, char **argv)
{
    struct text all = {0};

    appendFormat(&all, "%s\n", firstLine);
    for (int i = 1; i < argc; i++) {
        if (strchr(argv[i], '\n') != NULL)
            fail(EXIT_USAGE, "an option holds the end of a line");
        appendFormat(&all, "word %s\n", argv[i]);
    }
    for (size_t i = 0; i < plan->count; i++)
        if (plan->pieces[i].code >= 0 && plan->pieces[i].code != EXIT_ERROR)
            appendFormat(&all, "done %d %s\n", plan->pieces[i].code, plan->pieces[i].name);
    appendText(&all, "end\n");
    replaceFile(statePath(), all.data);
}

/* The text of the state; ends the program if there is none, or not a whole one. */
static char *readState(void)
{
    char *path = statePath(), *text = readFileIfThere(path);

    if (text == NULL)
        fail(EXIT_USAGE, "--resume: no bench was interrupted in %s", buildFolder());
    if (!startsWith(text, firstLine) || !endsWith(text, "\nend\n"))
        fail(EXIT_ERROR, "%s is damaged: remove it, and start the bench anew", path);
    return text;
}

char **planInterrupted(int *argc)
{
    char *rest = readState(), *line, **argv = mustAllocate(NULL, 2 * sizeof *argv);

    argv[0] = "bench";
    *argc = 1;
    while ((line = strsep(&rest, "\n")) != NULL)
        if (startsWith(line, "word ")) {
            argv = mustAllocate(argv, ((size_t)*argc + 2) * sizeof *argv);
            argv[(*argc)++] = line + 5;
        }
    argv[*argc] = NULL;
    return argv;
}

void planResume(struct plan *plan)
{
    char *rest = readState(), *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        char name[64];
        int code;

        if (sscanf(line, "done %d %63s", &code, name) != 2)
            continue;
        for (size_t i = 0; i < plan->count; i++) {
            struct piece *p = &plan->pieces[i];

            if (isSame(p->name, name) && p->code < 0 &&
                (code == EXIT_SKIPPED || access(pieceFile(plan, p), R_OK) == 0)) {
                p->code = code;
                plan->resumed++;
            }
        }
    }
}

void planDone(void)
{
    if (remove(statePath()) != 0 && errno != ENOENT)
        fail(EXIT_ERROR, "cannot remove %s: %s", statePath(), strerror(errno));
}
