/* bench: the timings of the solutions. */
#include "commands.h"
#include "build.h"
#include "compare.h"
#include "devices.h"
#include "files.h"
#include "plan.h"
#include "report.h"
#include "request.h"
#include "results.h"
#include "text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The patience of a bench is longer: all rows at full size, on any CPU. */
static const double benchPatience = 600.0; /* s */

/* The options of bench itself; the other words are in argv. */
struct wish {
    int compares, records, resumes, reports;
    double within; /* s for everything, building included; 0: no limit */
    double until;  /* the time, by clockSeconds(), when the runs end; 0: never */
    const char *reference, *folder, *page; /* NULL: as usual */
    int argc;
    char **argv;
};

/* The value of --within in seconds. */
static double secondsOfMinutes(const char *value)
{
    char *end;
    const double minutes = strtod(value, &end);

    if (end == value || *end != '\0' || !(minutes > 0.0 && minutes < 1e6))
        fail(EXIT_USAGE, "--within: expected minutes, not '%s'", value);
    return 60.0 * minutes;
}

static struct wish readWish(int argc, char **argv)
{
    struct wish w = {.argv = mustAllocate(NULL, ((size_t)argc + 1) * sizeof *w.argv)};
    const char *minutes = NULL;
    const struct known_option known[] = {{"--within", .value = &minutes},
                                         {"--resume", .flag = &w.resumes},
                                         {"--compare", .value = &w.reference, .flag = &w.compares},
                                         {"--record", .value = &w.folder, .flag = &w.records},
                                         {"--report", .value = &w.page, .flag = &w.reports},
                                         {0}};

    memcpy(w.argv, argv, ((size_t)argc + 1) * sizeof *argv);
    w.argc = takeOptions(known, argc, w.argv);
    if (minutes != NULL)
        w.within = secondsOfMinutes(minutes);
    return w;
}

/* The folder where the programs keep the CPU's times for later checks, without those of this
 * exercise: a bench measures them anew. */
static char *emptyCache(const struct exercise_entry *e)
{
    char *folder = formatString("%s/cache", buildFolder());

    removeMatching(formatString("%s/%s-*.csv", folder, e->name));
    return folder;
}

/* The last lines of what a program has printed. */
static void printEnd(const char *output)
{
    const char *from = output + strlen(output);

    for (int lines = 0; from > output && lines < 6; from--)
        lines += from[-1] == '\n';
    fputs(from, stdout);
}

/* Waits for the end of the run, or for the time when it is to end, by clockSeconds(); 0: never.
 * Returns its code; -1: it was ended then. */
static int runUntil(struct run *run, double until)
{
    struct job *job = &run->job;
    int late = 0;

    runStart(run);
    while (!late && jobsWait(&job, 1, 1.0) < 0)
        late = until > 0.0 && clockSeconds() > until;
    if (late)
        jobEnd(job);
    runJudge(run);
    return late ? -1 : run->code;
}

/* Runs one program of an exercise; options and csv may be NULL. The output of a recording is shown
 * only if it fails. Returns the exit code, or -1 if the time was up. */
static int benchRun(const struct run_options *r, const struct wish *w,
                    const struct exercise_entry *e, const char *kind, const char *options,
                    const char *csv)
{
    const int quiet = w->records && csv != NULL;
    struct run run = runOf(r, e, r->devices[0], kind, 0);
    int code;

    if (run.job.patience == 0.0)
        run.job.patience = benchPatience;
    if (options != NULL)
        runWords(&run, options);
    if (csv != NULL)
        runOption(&run, "--csv", csv);
    if (!quiet && isSame(r->devices[0], "gpu"))
        runOption(&run, "--cache", emptyCache(e));
    run.job.captured = quiet;
    if (quiet)
        run.job.folder = sourceFolder(); /* the options may name files of the course */
    code = runUntil(&run, w->until);
    if (quiet && code > EXIT_PASS && run.job.output != NULL)
        printEnd(run.job.output);
    if (code >= 0)
        runExplain(&run);
    return code;
}

/* The measurements of ./course device --measure, as if they were an exercise: the program is
 * device_costs. */
static const struct exercise_entry device = {"device", "device", "what a device costs"};

/* The program to time: the template if there is no solution. NULL: the device. */
static const char *kindOf(const struct exercise_entry *e)
{
    return e == NULL ? "costs" : hasSolution(e) ? "solution" : "template";
}

/* Builds the programs of one kind that will be timed, of all exercises if `all` and the request
 * wants them. */
static int buildSome(const struct run_options *r, const char *kind, int all)
{
    struct run_options some = *r;

    some.chosenCount = 0;
    for (size_t i = 0; i < r->chosenCount; i++)
        if ((all && r->template) || isSame(kindOf(r->chosen[i]), kind))
            some.chosen[some.chosenCount++] = r->chosen[i];
    return some.chosenCount > 0 ? buildKind(&some, r->devices[0], kind) : 0;
}

/* Runs a piece of the plan. Its rows are in the file when all of it has run, and never mixed with
 * older ones. Returns its code; -1: the time was up before its end. */
static int runPiece(const struct run_options *r, const struct wish *w, const struct piece *p,
                    const char *file)
{
    char *new = formatString("%s.%ld.new", file, (long)getpid());
    int code = EXIT_SKIPPED, keep;

    remove(new);
    jobsWrite(new);
    for (size_t i = 0; i < p->runs && code >= 0; i++) {
        const int one =
            benchRun(r, w, p->e != NULL ? p->e : &device, kindOf(p->e), p->options[i], new);

        code = one < 0 ? one : worseVerdict(one, code);
    }
    keep = access(new, F_OK) == 0 && (code == EXIT_PASS || (code == EXIT_WRONG && !w->records));
    if (keep && rename(new, file) != 0)
        fail(EXIT_ERROR, "cannot write %s: %s", file, strerror(errno));
    if (!keep)
        remove(new);
    jobsWrite(NULL);
    return code;
}

/* Prints the next piece and how long the rest will take, at most `most` seconds (0: no limit). */
static void announce(const struct plan *plan, const struct piece *p, double most)
{
    const double all = planLeft(plan), left = most > 0.0 ? fmin(all, most) : all;
    size_t number = 1;

    if (plan->count < 2)
        return;
    for (size_t k = 0; k < plan->count; k++)
        number += plan->pieces[k].code >= 0;
    fprintf(stderr, "course: %s, %zu of %zu", p->name, number, plan->count);
    if (left >= 90.0)
        fprintf(stderr, ", about %.0f min left", left / 60.0);
    else if (left > 0.0)
        fprintf(stderr, ", about %.0f s left", left < 1.0 ? 1.0 : left);
    fputc('\n', stderr);
}

/* The time when the runs must end, so that the comparison and the page are done in time. The build
 * counts, and all that ./course did before. */
static double endOf(const struct wish *w, double started)
{
    const double most = 10.0; /* s: comparison and page take less */
    const double after = fmin(0.05 * w->within, most);

    return w->within > 0.0 ? started + w->within - after : 0.0;
}

/* The pieces that there was no time for. */
static void nameLeftOut(const struct plan *plan)
{
    size_t named = 0;

    for (size_t i = 0; i < plan->count; i++)
        if (plan->pieces[i].code < 0)
            fprintf(stderr, "%s%s", named++ > 0 ? ", " : "course: no time left for ",
                    plan->pieces[i].name);
    if (named > 0)
        fprintf(stderr, "; ./course bench --resume runs the rest\n");
}

/* The next piece in the order of the plan, NULL if none is left. If time is short, takes those that
 * should end in time: tables before sweeps, and the shortest first, so that few are missing in the
 * end. */
static struct piece *nextPiece(const struct wish *w, const struct plan *plan)
{
    const double now = clockSeconds();
    struct piece *next = NULL;
    double best = INFINITY;

    for (size_t i = 0; i < plan->count; i++) {
        struct piece *p = &plan->pieces[i];
        const double seconds = planExpects(plan, p);
        const double rank = w->until > 0.0 && pieceIsSweep(p) ? seconds : -1.0;

        if (p->code < 0 && rank < best && (w->until == 0.0 || now + seconds <= w->until)) {
            next = p;
            best = rank;
        }
    }
    return next;
}

/* Runs the rest of the plan as far as the time allows, and notes each finished piece. Returns the
 * worst code of all. */
static int runPlan(const struct run_options *r, const struct wish *w, struct plan *plan, int argc,
                   char **argv)
{
    int code = EXIT_SKIPPED;
    struct piece *p;

    plan->started = clockSeconds();
    while ((p = nextPiece(w, plan)) != NULL) {
        const char *file = pieceFile(plan, p);

        announce(plan, p, w->until > 0.0 ? w->until - clockSeconds() : 0.0);
        if (r->template && p->e != NULL && hasSolution(p->e)) {
            const int one = benchRun(r, w, p->e, "template", NULL, NULL);

            code = one < 0 ? code : worseVerdict(one, code);
            putchar('\n');
        }
        p->code = runPiece(r, w, p, file);
        if (r->csv != NULL && (p->code == EXIT_PASS || p->code == EXIT_WRONG))
            resultsAdd(r->csv, file);
        if (!w->records)
            putchar('\n');
        planSave(plan, argc, argv);
    }
    for (size_t i = 0; i < plan->count; i++)
        code = plan->pieces[i].code >= 0 ? worseVerdict(plan->pieces[i].code, code) : code;
    return code;
}

/* The folder for the results of a bench, separate for each device and for other sizes. */
static const char *resultsFolder(const struct run_options *r, const struct wish *w)
{
    const char *folder = w->folder != NULL
                             ? w->folder
                             : formatString("%s/results%s%s", buildFolder(),
                                            isSame(r->devices[0], "emulated") ? "-emulated" : "",
                                            r->quick ? "-quick" : "");

    makeFolder(folder, 0777, 1);
    return writableFolder(folder);
}

/* The rows of the pieces that have results. */
static struct results rowsOf(const struct plan *plan)
{
    struct results rows = {0};

    for (size_t i = 0; i < plan->count; i++) {
        const char *file = pieceFile(plan, &plan->pieces[i]);

        if (plan->pieces[i].code >= 0 && plan->pieces[i].code != EXIT_SKIPPED && exists(file))
            resultsTaken(resultsRead(&rows, file));
    }
    return rows;
}

static int buildPlan(const struct run_options *r, const struct wish *w, const struct plan *plan)
{
    int measuresDevice = 0;

    for (size_t i = 0; i < plan->count; i++)
        measuresDevice |= plan->pieces[i].e == NULL;
    if ((measuresDevice || w->records) &&
        buildShared(formatString("device_costs_%s device_info_%s", r->devices[0], r->devices[0])))
        return EXIT_ERROR;
    return buildSome(r, "solution", 0) != 0 || buildSome(r, "template", 1) != 0 ? EXIT_ERROR : 0;
}

/* Writes the page of a bench, from the folder of a recording or else from the results of these
 * pieces. Returns an exit code. */
static int reportPlan(const struct wish *w, const struct plan *plan)
{
    char **sources = mustAllocate(NULL, (plan->count + 2) * sizeof *sources);
    size_t count = 0;

    if (w->records)
        sources[count++] = formatString("%s", plan->folder);
    for (size_t i = 0; i < plan->count && !w->records; i++)
        if (plan->pieces[i].code == EXIT_PASS || plan->pieces[i].code == EXIT_WRONG)
            sources[count++] = pieceFile(plan, &plan->pieces[i]);
    sources[count] = NULL;
    return reportWrite(w->page, sources, w->reference);
}

/* Drops the rows from `first` on; a faster one first replaces its counterpart from this file. */
static void keepFaster(struct results *rows, size_t first, const char *file)
{
    for (size_t i = first; i < rows->count; i++)
        for (size_t j = 0; j < first; j++)
            if (isSame(rows->rows[j].file, file) && resultSame(&rows->rows[i], &rows->rows[j]) &&
                resultNumber(&rows->rows[i], COLUMN_median_s) <
                    resultNumber(&rows->rows[j], COLUMN_median_s))
                rows->rows[j] = rows->rows[i];
    rows->count = first;
}

/* Runs each piece that has a row slower than recorded once more, while there is time: clocks and
 * the host vary from run to run, but a cause that lasts makes the row slow both times. */
static void measureSlowAgain(const struct run_options *r, const struct wish *w,
                             const struct plan *plan, struct results *rows)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct piece *p = &plan->pieces[i];
        char *file = pieceFile(plan, p), *again = formatString("%s.again", file);

        if ((w->until == 0.0 || clockSeconds() + p->seconds < w->until) &&
            compareFindsSlow(w->reference, rows, file)) {
            fprintf(stderr, "course: %s has a row slower than recorded, measured again\n", p->name);
            if (runPiece(r, w, p, again) == EXIT_PASS) {
                const size_t first = rows->count;

                resultsTaken(resultsRead(rows, again));
                keepFaster(rows, first, file);
            }
            remove(again);
        }
    }
}

/* What follows the runs: the comparison and the page. Returns the exit status. */
static int conclude(const struct run_options *r, const struct wish *w, const struct plan *plan,
                    int code)
{
    if (isSame(r->devices[0], "emulated") && !w->records)
        printf("The emulated device counts memory accesses; on a machine with a GPU the same "
               "command shows times.\n");
    if (r->csv != NULL && (code == EXIT_PASS || code == EXIT_WRONG) && access(r->csv, F_OK) == 0)
        printf("Results: %s\n", r->csv);
    if (w->records)
        printf("Recorded: %s\n", plan->folder);
    if (w->compares) {
        struct results here = rowsOf(plan);

        measureSlowAgain(r, w, plan, &here);
        code = worseVerdict(compareWith(w->reference, &here), code);
    }
    if (w->reports)
        code = worseVerdict(reportPlan(w, plan), code);
    fflush(stdout);
    nameLeftOut(plan); /* the last lines: what stands above is not all */
    return code;
}

int commandBench(int argc, char **argv)
{
    const double started = clockSeconds() - ageSeconds();
    struct wish w = readWish(argc, argv);
    const int resumes = w.resumes;
    struct run_options r;
    struct plan plan;
    const char *folder;
    int code, failed = 0, unfinished = 0;

    lockInBuild("bench.lock", "bench"); /* two would slow each other down */
    if (resumes) {
        if (argc > 2)
            fail(EXIT_USAGE,
                 "--resume stands alone: the bench that was interrupted goes on as it began");
        argv = planInterrupted(&argc);
        w = readWish(argc, argv);
        w.within = 0.0; /* the rest is to run now */
    }
    r = parseOptions(w.argc, w.argv, 0);
    if (asksOnly(&r))
        return answer(&r, r.template ? "template" : "solution");
    if (r.csv != NULL)
        resultsMustTakeRows(r.csv);
    if (w.compares)
        compareMustFind(w.reference);
    folder = resultsFolder(&r, &w);
    plan = w.records ? planRecorded(r.chosen, r.chosenCount, !r.named,
                                    isSame(r.devices[0], "emulated"), folder)
                     : planOf(r.chosen, r.chosenCount, folder);
    if (resumes)
        planResume(&plan);
    w.until = endOf(&w, started);
    buildUntil(w.until);
    if (buildPlan(&r, &w, &plan) != 0) {
        if (w.until > 0.0 && clockSeconds() > w.until) {
            planSave(&plan, argc, argv);
            nameLeftOut(&plan);
        }
        return EXIT_ERROR;
    }
    if (w.records)
        factsWrite(r.devices[0], plan.folder);
    planSave(&plan, argc, argv);
    code = runPlan(&r, &w, &plan, argc, argv);
    for (size_t i = 0; i < plan.count; i++) {
        failed += plan.pieces[i].code == EXIT_ERROR;
        unfinished += plan.pieces[i].code < 0;
    }
    if (failed > 0 && plan.count > 1)
        fprintf(stderr, "course: %d of %zu failed; ./course bench --resume tries them again\n",
                failed, plan.count);
    else if (unfinished == 0)
        planDone();
    return conclude(&r, &w, &plan, code);
}
