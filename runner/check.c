/* check: is the template right? On the emulated device, which names mistakes with their lines, and where there is
 * a GPU on that too: one verdict of both. */
#include "bound.h"
#include "commands.h"
#include "files.h"
#include "further.h"
#include "markdown.h"
#include "programs.h"
#include "progress.h"
#include "request.h"
#include "sanitizer.h"
#include "terminal.h"
#include "text.h"
#include "todo.h"
#include "warnings.h"
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With so many cores the warnings for a WRONG can be looked for before it is known. */
enum { CORES_TO_SPARE = 4 };

/* A check under way. The GPU's programs are built while the emulated device is at work. */
struct check {
    struct request r;
    const char *kind;
    struct programs programs;
};

/* The run that shows its table; the caller frees it. Where both devices have a turn, the emulated one has its own
 * size, and each only the rows of the device. */
static struct run shownRun(const struct check *c, const struct exercise_entry *e,
                           const char *device)
{
    const int onGpu = strcmp(device, "gpu") == 0, both = c->r.deviceCount == 2;
    struct run run = runOf(&c->r, e, device, c->kind, both && !onGpu);

    run.job.settings = settingsOf(e);
    if (both) { /* the CPU's times come from bench */
        runWord(&run, "--only");
        runWord(&run, "device");
    }
    if (both && onGpu) {
        char *cache = textOf("%s/cache", buildFolder());

        runWord(&run, "--cache");
        runWord(&run, cache);
    }
    if (c->r.csv != NULL && (onGpu || !both)) {
        runWord(&run, "--csv");
        runWord(&run, c->r.csv);
    }
    runWhole(&run);
    runExplain(&run);
    return run;
}

/* 1 if a code leaves something to try elsewhere: nothing was wrong so far. */
static int isClean(int code)
{
    return code == EXIT_PASS || code == EXIT_UNFILLED;
}

/* Says what it means that the two devices disagree. */
static void explainDifference(const struct check *c, const struct exercise_entry *e, int emulated,
                              const struct run *onGpu)
{
    char *program = programPath("gpu", e->brief, c->kind);

    if (!isClean(emulated) && isClean(onGpu->code))
        printf(
            "The GPU's results happen to be right. The mistake that the emulated device names is "
            "there all the\nsame: another size, another GPU or another day will show it.\n");
    else if (isClean(emulated) && onGpu->job.outOfTime)
        printf(
            "The kernel ends on the emulated device, where a thread that waits lets the others go "
            "on; on the GPU\nit does not. Does a thread wait for another one of its own warp, or "
            "for a block that has not begun?\nIs a flag read without volatile or an atomic?\n");
    else if (isClean(emulated) && !isClean(onGpu->code) && onGpu->code != EXIT_SKIPPED) {
        printf(
            "Right on the emulated device, not on the GPU. The kernel relies on something that the "
            "GPU does otherwise:\nthe order in which threads, warps and blocks run; when one "
            "thread sees what another has written (a\nbarrier, a fence or an atomic is missing); "
            "or a size that only the larger problem reaches.\n");
        fflush(stdout);
        sanitizerAsk(program);
    }
    free(program);
}

/* The GPU's turn, after the emulated device's. Returns the code of both. */
static int checkOnGpu(struct check *c, size_t i, int emulated)
{
    const struct exercise_entry *e = c->r.chosen[i];
    struct run run;
    int code;

    if (!isClean(emulated) && !c->r.both) {
        printf("The GPU has no turn before this is mended; --device=both tries it all the same.\n");
        return emulated;
    }
    if (programsReady(&c->programs, i, "gpu") != 0)
        return graver(emulated, EXIT_ERROR);
    putchar('\n');
    run = shownRun(c, e, "gpu");
    explainDifference(c, e, emulated, &run);
    code = run.code;
    runFree(&run);
    return graver(emulated, code);
}

/* A template whose basic TODOs are all done and right has passed, though advanced ones may be left. */
static int codeOfParts(const struct todos *todos, const struct run *run, int code)
{
    if (code != EXIT_UNFILLED || todoFilled(todos, 0) < todoCount(todos, 0))
        return code;
    for (int i = 0; i < run->todoCount; i++) {
        const struct todo *met = todoNumber(todos, run->todos[i]);

        if (met == NULL || !met->advanced)
            return code;
    }
    return EXIT_PASS;
}

/* What there is to say about the parts of a template that has passed, unless all is done. */
static void printParts(const struct exercise_entry *e, const struct todos *todos)
{
    const int advanced = todoCount(todos, 1), filled = todoFilled(todos, 1);
    const struct todo *next = todoNext(todos);
    char *place;

    if (filled == advanced || next == NULL)
        return;
    place = todoPlace(e, next);
    printf("%sPASS%s: the basic part; advanced %d of %d (next: TODO %d at %s)\n",
           colour("\033[32m"), colour("\033[0m"), filled, advanced, next->number, place);
    free(place);
}

/* Lines have been written into a region, and the one that stands for them is still there. */
static void printStarted(const struct exercise_entry *e, const struct todos *todos)
{
    for (int i = 0; i < todos->count; i++)
        if (todos->of[i].started) {
            char *place = todoPlace(e, &todos->of[i]);

            printf("TODO %d at %s has lines of yours, and still NOT_IMPLEMENTED or UNFILLED: "
                   "delete that line\nwhen yours are complete.\n",
                   todos->of[i].number, place);
            free(place);
            return;
        }
}

/* A row that works without a basic TODO has not met it, so that the table does not name it. */
static void printUnused(const struct exercise_entry *e, const struct todos *todos,
                        const struct run *run)
{
    const struct todo *next = todoNext(todos);
    char *place;

    if (next == NULL || next->advanced)
        return;
    for (int i = 0; i < run->todoCount; i++) {
        const struct todo *met = todoNumber(todos, run->todos[i]);

        if (met == NULL || !met->advanced)
            return;
    }
    place = todoPlace(e, next);
    printf("TODO %d at %s is still to be filled in; what should use it works without it.\n",
           next->number, place);
    free(place);
}

/* What else a check has tried, in the terminal's width. */
static void printFine(const char *trials)
{
    char *line = textOf("PASS also with %s", trials), *lines = wrapped(line, terminalWidth(), "  ");

    fputs(lines, stdout);
    free(lines);
    free(line);
}

/* Checks exercise i. Returns its code. */
static int checkExercise(struct check *c, size_t i)
{
    const struct exercise_entry *e = c->r.chosen[i];
    const struct request *r = &c->r;
    const int isTemplate = strcmp(c->kind, "template") == 0;
    char *path = sourcePath(e, c->kind), *text = readFile(path);
    struct todos todos = todosOf(text);
    struct warnings warnings;
    struct text fine = {0};
    struct run run;
    int code, early = isTemplate && usableCores() >= CORES_TO_SPARE;

    if (early)
        warningsStart(&warnings, e);
    run = shownRun(c, e, r->devices[0]);
    code = isTemplate ? codeOfParts(&todos, &run, run.code) : run.code;

    if (isClean(code) && usualSizes(r) && !r->quick && r->csv == NULL) {
        const int further = checkFurther(r, e, r->devices[0], c->kind, &fine);

        if (!isClean(further))
            code = graver(further, code);
        else if (code == EXIT_PASS && fine.length > 0)
            printFine(fine.data);
    }
    if (r->deviceCount == 2)
        code = checkOnGpu(c, i, code);
    else if (strcmp(r->devices[0], "emulated") == 0 && usualSizes(r) && !r->quick && !r->reduced &&
             r->csv == NULL && code == EXIT_PASS)
        boundsShow(r, e, c->kind);
    if (isTemplate)
        code = codeOfParts(&todos, &run, code);
    if (isTemplate && code == EXIT_PASS)
        printParts(e, &todos);
    if (isTemplate && code == EXIT_UNFILLED) {
        printStarted(e, &todos);
        printUnused(e, &todos, &run);
    }
    if (isTemplate && code == EXIT_WRONG) {
        if (!early)
            warningsStart(&warnings, e);
        early = 1;
        warningsShow(&warnings);
    }
    if (early)
        warningsEnd(&warnings);
    if (isTemplate && r->passedCount == 0 && !r->quick && !r->reduced)
        progressRecord(e, &todos, text, code);
    free(fine.data);
    runFree(&run);
    free(text);
    free(path);
    return code;
}

int commandCheck(int argc, char **argv)
{
    struct check c = {.r = parseRequest(argc, argv, 1)};
    int code = EXIT_SKIPPED, codes[CHOSEN];

    c.kind = c.r.solution ? "solution" : "template";
    if (programsStart(&c.programs, &c.r, c.kind) != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < c.r.chosenCount; i++) {
        if (programsReady(&c.programs, i, c.r.devices[0]) != 0) {
            programsEnd(&c.programs);
            return EXIT_ERROR;
        }
        codes[i] = checkExercise(&c, i);
        code = graver(codes[i], code);
        if (i + 1 < c.r.chosenCount)
            putchar('\n');
    }
    programsEnd(&c.programs);
    workTidy();
    if (c.r.chosenCount > 1)
        progressSummary(c.r.chosen, codes, c.r.chosenCount, !c.r.solution);
    return code;
}
