/* check: is the template right? Runs it on the emulated device, which names mistakes with their
 * lines, and, if there is one, on the GPU: one verdict for both. */
#include "commands.h"
#include "files.h"
#include "extra_runs.h"
#include "forecast.h"
#include "markdown.h"
#include "programs.h"
#include "check_record.h"
#include "request.h"
#include "results.h"
#include "rows.h"
#include "sanitizer.h"
#include "targets.h"
#include "taught.h"
#include "terminal.h"
#include "text.h"
#include "todo.h"
#include "warnings.h"
#include "student_folder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With this many cores the GPU's program can start before its turn. */
enum { CORES_TO_SPARE = 4 };
/* Cores already in use during the run that is shown: one by that run, one by nvcc. */
enum { CORES_AT_WORK = 2 };

/* A check. The GPU's programs are built while the emulated device works. If there are spare cores,
 * the present exercise's program also starts: it opens the GPU, makes its inputs, and waits for its
 * turn. */
struct check {
    struct run_options r;
    const char *kind;
    int verbose;
    struct programs programs;
    const struct exercise_entry *present;
    struct run ahead; /* the run on the GPU; it is started if ahead.file is not NULL */
};

/* The check of an exercise. */
struct subject {
    const struct exercise_entry *e;
    int isTemplate;
    char *text; /* of the file */
    struct todos todos;
    int isWhole; /* the sizes are the default ones, so those of checks.txt are tried, too */
    int hasAllRows;
    int isLookedAt;      /* the rows of the run that is shown are read afterwards */
    struct run run;      /* that run, on the first device */
    struct results rows; /* if isLookedAt */
    struct run half;     /* at half the size, for a forecast; its file is NULL: there is none */
};

/* Prepares the run that shows its table. If both devices have a turn, the emulated one has its
 * own size, and each shows only the rows of the device. */
static struct run runToShow(const struct check *c, const struct exercise_entry *e,
                            const char *device)
{
    const int onGpu = isSame(device, "gpu"), both = c->r.deviceCount == 2;
    struct run run = runOf(&c->r, e, device, c->kind, both && !onGpu);

    run.job.settings = settingsOf(e, both && !onGpu); /* nvcc is at work beside the emulated one */
    if (both)                                         /* the CPU's times come from bench */
        runOption(&run, "--only", "device");
    if (both && onGpu)
        runOption(&run, "--cache", formatString("%s/cache", buildFolder()));
    if (c->r.csv != NULL && (onGpu || !both))
        runOption(&run, "--csv", c->r.csv);
    return run;
}

/* Starts the GPU's program as soon as it is there. */
static void startGpuEarly(void *data)
{
    struct check *c = data;

    if (!programsBuilt(&c->programs))
        return;
    jobsMeanwhile(NULL, NULL);
    c->ahead = runToShow(c, c->present, "gpu");
    c->ahead.job.held = 1;
    runWord(&c->ahead, "--wait");
    runStart(&c->ahead);
}

/* 1 if the GPU's program may start before its turn: only one program may report a mistake in the
 * options that are passed on. */
static int mayGoAhead(const struct check *c)
{
    return c->r.deviceCount == 2 && usualSizes(&c->r) && usableCores() >= CORES_TO_SPARE;
}

/* 1 if nothing was wrong so far, so that further runs make sense. */
static int isClean(int code) { return code == EXIT_PASS || code == EXIT_UNFILLED; }

/* 1 if the variant was judged on the emulated device, each of its rows, and is right there. */
static int isRightOnEmulated(const struct results *rows, const char *variant)
{
    int found = 0;

    for (size_t i = 0; i < rows->count; i++) {
        char *const *field = rows->rows[i].field;

        if (!resultIsOnDevice(&rows->rows[i]) || !isSame(field[COLUMN_variant], variant))
            continue;
        if (!isSame(field[COLUMN_verdict], verdictWord(EXIT_PASS)))
            return 0;
        found = 1;
    }
    return found;
}

/* Prints a paragraph, without what a later lesson explains. */
static void explain(const struct exercise_entry *e, const char *text)
{
    char *known = leaveUntaught(formatString("%s", text), e->brief);

    fputs(wrapped(known, terminalWidth(), ""), stdout);
}

/* Explains why the two devices disagree. */
static void explainDifference(const struct check *c, const struct subject *s, int emulated,
                              const struct run *onGpu)
{
    const int isRight = emulated == EXIT_PASS || isRightOnEmulated(&s->rows, onGpu->failed);

    if (!isClean(emulated) && isClean(onGpu->code))
        explain(
            s->e,
            "The GPU's results happen to be right. The mistake that the emulated device names is "
            "there all the same: another size, another GPU or another day will show it.");
    else if (isClean(emulated) && onGpu->job.outOfTime)
        explain(
            s->e,
            "The kernel ends on the emulated device, where a thread that waits lets the others go "
            "on; on the GPU it does not. Does a thread wait for another one of its own warp, or "
            "for a block that has not begun? (Or is a flag read without volatile or an atomic?)");
    else if (isClean(emulated) && !isClean(onGpu->code) && onGpu->code != EXIT_SKIPPED) {
        if (isRight)
            explain(
                s->e,
                "Right on the emulated device, not on the GPU. The kernel relies on something that "
                "the GPU does otherwise: the order in which threads, warps and blocks run; when "
                "one thread sees what another has written (a barrier, a fence or an atomic is "
                "missing); or a size that only the larger problem reaches.");
        else
            printf("The emulated device has not judged this: a TODO is unfilled.\n");
        fflush(stdout);
        sanitizerAsk(programPath("gpu", s->e->brief, c->kind));
    }
}

/* Ends the run on the GPU, if it still waits. */
static void endAhead(struct check *c)
{
    if (c->ahead.file == NULL)
        return;
    if (c->ahead.job.process != 0)
        runStop(&c->ahead);
    c->ahead = (struct run){0};
}

/* The GPU's turn, after the emulated device's. Returns the code of both. */
static int checkOnGpu(struct check *c, const struct subject *s, size_t i, int emulated)
{
    struct run *run = &c->ahead;

    if (!isClean(emulated) && !c->r.both) {
        printf("The GPU is not used until this is fixed; --device=both uses it anyway.\n");
        if (run->job.process != 0)
            jobAsk(&run->job);
        return emulated;
    }
    if (programsReady(&c->programs, i, "gpu") != 0)
        return worseVerdict(emulated, EXIT_ERROR);
    putchar('\n');
    if (run->file == NULL) {
        *run = runToShow(c, s->e, "gpu");
        runStart(run);
    }
    runFinish(run);
    runExplain(run);
    explainDifference(c, s, emulated, run);
    return worseVerdict(emulated, run->code);
}

/* Prints how many parts of a template have passed, unless all have. ./course watch itself names the
 * next TODO, with its task. */
static void printParts(const struct exercise_entry *e, const struct todos *todos)
{
    const int advanced = todoCount(todos, 1), filled = todoFilled(todos, 1);
    const struct todo *next = todoNext(todos);
    char *line;

    if (filled == advanced || next == NULL)
        return;
    line = formatString("PASS: the basic part; advanced %d of %d", filled, advanced);
    if (getenv("COURSE_WATCH") == NULL)
        line = formatString("%s (next: TODO %d at %s)", line, next->number, todoPlace(e, next));
    printf("%sPASS%s%s", colour("\033[32m"), colour("\033[0m"),
           wrapped(line, terminalWidth(), "  ") + strlen("PASS"));
}

/* The student has written lines into a region and left the line that marks it as unfilled, or has
 * removed its end. */
static void printStarted(const struct exercise_entry *e, const struct todos *todos)
{
    for (int i = 0; i < todos->count; i++)
        if (todoIsUnclosed(e, &todos->of[i])) {
            return;
        } else if (todos->of[i].started) {
            printf("TODO %d at %s has lines of yours, and still NOT_IMPLEMENTED, UNFILLED or "
                   "rowSkip():\ndelete that line when yours are complete.\n",
                   todos->of[i].number, todoPlace(e, &todos->of[i]));
            return;
        }
}

/* A row that works without a basic TODO has not reached it, so the table does not name it. */
static void printUnused(const struct exercise_entry *e, const struct todos *todos,
                        const struct run *run)
{
    const struct todo *next = todoNext(todos);

    if (next == NULL || next->advanced)
        return;
    for (int i = 0; i < run->todoCount; i++) {
        const struct todo *met = todoNumber(todos, run->todos[i]);

        if (met == NULL || !met->advanced)
            return;
    }
    printf("TODO %d at %s is unfilled, although the program works without it.\n", next->number,
           todoPlace(e, next));
}

/* The first device's turn: the run that is shown, and those of checks.txt if it is clean and some
 * of what ran is the student's. Returns the code. */
static int checkFirst(struct check *c, struct subject *s)
{
    const struct run_options *r = &c->r;
    const int spare =
        r->deviceCount == 2 ? usableCores() - CORES_AT_WORK : 0; /* no time is taken */
    struct extra_runs *others = NULL;
    struct text fine = {0};
    int code, further;

    if (s->isWhole)
        others = extraRunsStart(r, s->e, r->devices[0], c->kind, spare);
    s->run = runToShow(c, s->e, r->devices[0]);
    if (s->isLookedAt)
        runForRows(&s->run, &s->rows);
    else
        runWhole(&s->run);
    runExplain(&s->run);
    code = s->run.code;
    if (others == NULL)
        return code;
    if (!isClean(code) || (code == EXIT_UNFILLED && !todoAnyFilled(&s->todos))) {
        extraRunsStop(others);
        if (code == EXIT_WRONG)
            targetsExplain(s->e, &s->rows);
        return code;
    }
    if (code == EXIT_PASS && (r->deviceCount == 1 || c->verbose) && s->isLookedAt)
        s->half = forecastsStart(r, s->e, c->kind, &s->rows);
    further = extraRunsFinish(others, code == EXIT_PASS ? &s->todos : NULL, &fine);
    if (further != EXIT_PASS)
        code = worseVerdict(further, code);
    else if (code == EXIT_PASS && fine.length > 0)
        fputs(wrapped(formatString("PASS also with %s", fine.data), terminalWidth(), "  "), stdout);
    if (isClean(code))
        targetsShow(s->e, &s->rows);
    return code;
}

/* Prints the message for a template with this exit code. */
static void explainTemplate(struct subject *s, int code)
{
    if (code == EXIT_PASS || code == EXIT_UNFILLED)
        printStarted(s->e, &s->todos);
    if (code == EXIT_PASS && s->hasAllRows)
        printParts(s->e, &s->todos);
    if (code == EXIT_UNFILLED)
        printUnused(s->e, &s->todos, &s->run);
    if (code == EXIT_WRONG)
        warningsShow(s->e);
}

static struct subject subjectOf(const struct check *c, const struct exercise_entry *e)
{
    const struct run_options *r = &c->r;
    struct subject s = {.e = e, .isTemplate = isSame(c->kind, "template")};

    s.text = readFile(sourcePath(e, c->kind));
    s.todos = todosOf(s.text);
    s.isWhole = usualSizes(r) && !r->quick && r->csv == NULL;
    s.hasAllRows = allRows(r);
    s.isLookedAt = s.isWhole && !r->reduced && isSame(r->devices[0], "emulated");
    return s;
}

/* The first device's turn with an exercise. Returns the code. */
static int beginExercise(struct check *c, struct subject *s)
{
    int code;

    c->present = s->e;
    if (mayGoAhead(c))
        jobsMeanwhile(startGpuEarly, c);
    code = checkFirst(c, s);
    jobsMeanwhile(NULL, NULL);
    return code;
}

/* Records the check of a template. A program whose output nobody takes (a pager that was left, a
 * full disk) ends without a verdict: then the line that says so ends ./course, or cannot be
 * written. */
static void record(const struct subject *s, int code)
{
    if (code == EXIT_ERROR)
        printf("There is no verdict.\n");
    if (fflush(stdout) == 0 && !ferror(stdout))
        recordCheck(s->e, &s->todos, s->text, code);
}

/* The rest, after exercise i's turn on the first device with this code. Returns the code of all. */
static int endExercise(struct check *c, struct subject *s, size_t i, int code)
{
    const struct run_options *r = &c->r;

    if (r->deviceCount == 2)
        code = checkOnGpu(c, s, i, code);
    if (code == EXIT_PASS)
        forecastsShow(&s->half, s->e, c->kind, &s->rows, c->verbose);
    else if (s->half.file != NULL)
        runStop(&s->half);
    if (code == EXIT_PASS)
        warningsAdvise(s->e, c->kind, s->text);
    if (s->isTemplate) {
        explainTemplate(s, code);
        if (!isBuiltFrom(s->e, s->text))
            printf("You have saved the template since the build began: this was the one before; "
                   "check again.\n");
        else if (s->isWhole && s->hasAllRows && !r->reduced)
            record(s, code);
    }
    endAhead(c);
    return code;
}

/* 1 if the GPU's turn comes after the emulated device's with all other exercises: compilers are
 * still at work, which would have to end first. */
static int isPutOff(struct check *c, int code)
{
    if (c->r.deviceCount == 1 || c->r.chosenCount == 1 || !(isClean(code) || c->r.both) ||
        programsBuilt(&c->programs))
        return 0;
    printf("The GPU comes later: its programs are still being built.\n");
    return 1;
}

/* Checks all exercises; one whose program cannot be built keeps none of the others waiting. */
static void checkAll(struct check *c, int codes[])
{
    const size_t count = c->r.chosenCount;
    struct subject *subjects = mustAllocate(NULL, count * sizeof *subjects);
    int isLater[CHOSEN] = {0};

    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putchar('\n');
        codes[i] = programsReady(&c->programs, i, c->r.devices[0]);
        if (codes[i] != 0)
            continue;
        subjects[i] = subjectOf(c, c->r.chosen[i]);
        codes[i] = beginExercise(c, &subjects[i]);
        isLater[i] = isPutOff(c, codes[i]);
        if (!isLater[i])
            codes[i] = endExercise(c, &subjects[i], i, codes[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (isLater[i])
            codes[i] = endExercise(c, &subjects[i], i, codes[i]);
}

/* Host threads that spin while they wait take cores from the compiler and from other runs. If the
 * CPU's times are measured beside a GPU's, the threads are set as in bench. */
static void waitWithoutSpinning(const struct run_options *r)
{
    const int measures = r->deviceCount == 1 && !isSame(r->devices[0], "emulated");

    if (!measures && getenv("OMP_WAIT_POLICY") == NULL)
        setVariable("OMP_WAIT_POLICY", "passive");
}

int commandCheck(int argc, char **argv)
{
    struct check c = {.verbose = 0};
    const struct known_option known[] = {{"--verbose", .flag = &c.verbose}, {0}};
    int code = EXIT_SKIPPED, codes[CHOSEN];

    argc = takeOptions(known, argc, argv);
    if (c.verbose)
        setVariable("COURSE_VERBOSE", "1"); /* for the exercises' programs */
    c.r = parseOptions(argc, argv, 1);
    waitWithoutSpinning(&c.r);
    c.kind = c.r.solution ? "solution" : "template";
    if (asksOnly(&c.r))
        return answer(&c.r, c.kind);
    if (programsStart(&c.programs, &c.r, c.kind) != 0)
        return EXIT_ERROR;
    checkAll(&c, codes);
    programsEnd(&c.programs);
    for (size_t i = 0; i < c.r.chosenCount; i++)
        code = worseVerdict(codes[i], code);
    workTidy();
    if (c.r.chosenCount > 1)
        recordsSummary(c.r.chosen, codes, c.r.chosenCount, !c.r.solution);
    return code;
}
