/* bound: the least time that a GPU needs for the memory that a kernel touches, without having one.
 *
 * The emulated device counts the sectors that a launch reads before it has written them, and those
 * that it writes, each once: they must all pass between cache and memory, except for what the cache
 * holds from before. So a launch that touches `in` and `out` bytes on a device with a cache of L
 * bytes moves at least (in - L) + (out - L), and no faster than the fastest run that was recorded
 * there. The emulated sizes are small; a row's count is carried to the recorded size by the ratio
 * of what both must move (their bytes columns), if half the emulated size gives the same count per
 * byte. */
#include "bound.h"
#include "commands.h"
#include "files.h"
#include "request.h"
#include "results.h"
#include "rows.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct table_head boundHeads[BOUND_HEADS] = {
    {"touched", "touched", 7, 7, "bytes of all sectors touched, for each byte that must move"},
    {"at least", "at least", 14, 14, "the time that an H200 needs for them"},
    {"recorded", "recorded", 12, 12, "the solution's time there, at the size of the bound"},
};

static const double sameCount = 0.02; /* how far two figures may be apart that should be equal */

/* The recordings of a device: an exercise's rows, the highest rate (B/s) of data that no cache
 * holds, and the cache. */
struct recording {
    struct results rows;
    const char *device;
    double rate, cache;
};

static void readRows(struct results *rows, const char *path)
{
    char why[1024];

    if (!resultsRead(rows, path, why, sizeof why))
        fail(EXIT_ERROR, "%s", why);
}

/* The cache of the device, and the highest rate at which a recorded row moves data that are many
 * times as large: the rows of the scalar product, and their copies, since a sum, which hardly
 * writes, is faster than a copy. */
static void readRate(struct recording *r, const char *folder)
{
    char *facts = formatString("%s/device.csv", folder),
         *sums = formatString("%s/ex06.csv", folder);
    struct results rows = {0};

    readRows(&rows, facts);
    for (size_t i = 0; i < rows.count; i++)
        r->cache = fmax(r->cache, resultNumber(&rows.rows[i], COLUMN_l2_bytes));
    resultsFree(&rows);
    readRows(&rows, sums);
    for (size_t i = 0; i < rows.count; i++) {
        const struct result *row = &rows.rows[i];
        const double bytes = resultNumber(row, COLUMN_bytes);

        if (!resultIsOnDevice(row) || !(resultPace(row) > 0.0) || bytes < 16.0 * r->cache)
            continue;
        r->rate = fmax(r->rate, bytes / resultNumber(row, COLUMN_median_s));
        r->rate = fmax(r->rate, resultNumber(row, COLUMN_limit_bytes_per_s));
    }
    resultsFree(&rows);
    if (!(r->rate > 0.0 && r->cache > 0.0))
        fail(EXIT_ERROR, "%s and %s state no rate of the memory, or no cache", facts, sums);
    free(sums);
    free(facts);
}

static struct recording recordingOf(const struct exercise_entry *e, const char *on)
{
    char *folder = formatString("%s/solutions/timings/%s", sourceFolder(), on);
    char *path = formatString("%s/%s.csv", folder, e->brief);
    struct recording r = {.device = on};

    if (access(folder, R_OK) != 0)
        fail(EXIT_USAGE, "nothing has been recorded there: %s", folder);
    readRate(&r, folder);
    if (access(path, R_OK) == 0)
        readRows(&r.rows, path);
    for (size_t i = 0; i < r.rows.count; i++)
        if (resultIsOnDevice(&r.rows.rows[i]))
            r.device = r.rows.rows[i].field[COLUMN_device];
    free(path);
    free(folder);
    return r;
}

/* The row of the same variant with the same options among others; NULL if there is none. */
static const struct result *partnerOf(const struct result *row, const struct results *others)
{
    for (size_t i = 0; i < others->count; i++) {
        const struct result *other = &others->rows[i];

        if (strcmp(row->field[COLUMN_variant], other->field[COLUMN_variant]) == 0 &&
            strcmp(row->field[COLUMN_parameters], other->field[COLUMN_parameters]) == 0 &&
            resultIsOnDevice(other) && strcmp(other->field[COLUMN_verdict], "PASS") == 0)
            return other;
    }
    return NULL;
}

static int isClose(double a, double b) { return fabs(a / b - 1.0) <= sameCount; }

/* A bound of one row: seconds at the size of the recorded row, or why there is none. */
struct bound {
    const struct result *recorded;
    double perByte, seconds; /* bytes touched for each that must move */
    const char *why;         /* NULL: there is a bound */
};

/* Why a row can have no bound, whatever half the size gives; NULL: it may have one. */
static const char *whyNone(const struct result *row, const struct result *recorded)
{
    if (strcmp(row->field[COLUMN_place], "library") == 0)
        return "the accesses are a library's";
    if (resultNumber(row, COLUMN_bytes) == 0.0)
        return "bound by something else than memory";
    if (resultCounter(row, "bytes_in") + resultCounter(row, "bytes_out") == 0.0)
        return "no kernel of its own touches memory";
    if (recorded == NULL || !(resultNumber(recorded, COLUMN_median_s) > 0.0))
        return "not recorded with these options";
    return NULL;
}

static struct bound boundOf(const struct result *row, const struct results *half,
                            const struct recording *r)
{
    struct bound b = {.recorded = partnerOf(row, &r->rows)};
    const struct result *small = partnerOf(row, half);
    const double in = resultCounter(row, "bytes_in"), out = resultCounter(row, "bytes_out");
    const double bytes = resultNumber(row, COLUMN_bytes),
                 launches = fmax(1.0, resultCounter(row, "launches"));
    double scale, moved, smaller, larger;

    b.why = whyNone(row, b.recorded);
    if (b.why != NULL)
        return b;
    if (small == NULL || resultNumber(small, COLUMN_bytes) == bytes)
        b.why = "its size does not follow --size";
    else if (launches != fmax(1.0, resultCounter(small, "launches")))
        b.why = "launches depend on the size";
    if (b.why != NULL)
        return b;
    scale = resultNumber(b.recorded, COLUMN_bytes) / bytes;
    larger = resultNumber(b.recorded, COLUMN_size) / resultNumber(row, COLUMN_size);
    if (launches > 1.0 && !isClose(scale, larger)) {
        b.why = "recorded with another number of launches";
        return b;
    }
    b.perByte = (in + out) / bytes;
    smaller = (resultCounter(small, "bytes_in") + resultCounter(small, "bytes_out")) /
              resultNumber(small, COLUMN_bytes);
    if (!isClose(b.perByte, smaller)) {
        b.why = "the count is not proportional";
        return b;
    }
    scale *= fmin(1.0, smaller / b.perByte);
    moved =
        fmax(0.0, scale * in - launches * r->cache) + fmax(0.0, scale * out - launches * r->cache);
    b.seconds = moved / r->rate;
    if (!(b.seconds > 0.0))
        b.why = "all of it fits into the L2 cache";
    return b;
}

static int isShown(const struct result *row)
{
    return resultIsOnDevice(row) && strcmp(row->field[COLUMN_verdict], "PASS") == 0;
}

static void printMarkdownRow(const char *brief, const char *name, const struct bound *b)
{
    char *bound = textOfSeconds(b->seconds, "µs"), *time;

    if (b->why != NULL) {
        printf("| %s | %s | | %s | | |\n", brief, name, b->why);
    } else {
        time = textOfSeconds(resultNumber(b->recorded, COLUMN_median_s), "µs");
        printf("| %s | %s | %.2f | ≥ %s | %s | %.2f |\n", brief, name, b->perByte, bound, time,
               b->seconds / resultNumber(b->recorded, COLUMN_median_s));
        free(time);
    }
    free(bound);
}

static void printTextRow(const char *name, const struct bound *b)
{
    char *bound = textOfSeconds(b->seconds, "us"), *time;

    if (b->why != NULL) {
        printf("  %-36.36s  %s\n", name, b->why);
    } else {
        time = textOfSeconds(resultNumber(b->recorded, COLUMN_median_s), "us");
        printf("  %-36.36s %7.2f  >= %10s %12s\n", name, b->perByte, bound, time);
        free(time);
    }
    free(bound);
}

static void printRow(const struct exercise_entry *e, const struct result *row,
                     const struct bound *b, int markdown)
{
    const char *parameters = row->field[COLUMN_parameters];
    char *name = formatString("%s%s%s", row->field[COLUMN_variant],
                              parameters[0] != '\0' ? ", " : "", parameters);

    if (markdown)
        printMarkdownRow(e->brief, name, b);
    else
        printTextRow(name, b);
    free(name);
}

/* Runs an exercise's program on the emulated device, at its "whole" size or "half" of it, and reads
 * its device rows. If it has none: ends the course program, or returns 0 if `quiet`. */
static int countRows(const struct run_options *r, const struct exercise_entry *e, const char *kind,
                     const char *count, int quiet, struct results *rows)
{
    struct run run = runOf(r, e, "emulated", kind, 0);

    runWord(&run, "--only");
    runWord(&run, "device");
    runWord(&run, "--counting");
    runWord(&run, count);
    run.job.captured = 1;
    runForRows(&run, rows);
    if (rows->texts == NULL && !quiet) {
        fputs(run.job.output, stderr);
        runExplain(&run);
        fail(run.code == EXIT_PASS ? EXIT_ERROR : (enum exit_code)run.code, "%s has no rows",
             e->brief);
    }
    runFree(&run);
    return rows->texts != NULL;
}

/* The head of a table of bounds. */
static void printHeads(const char *title)
{
    printf("%-38s", title);
    for (int i = 0; i < BOUND_HEADS; i++)
        printf(" %*s", boundHeads[i].wideWidth, boundHeads[i].wide);
    putchar('\n');
}

/* Prints the bounds of an exercise. Returns 1 if the solution has been faster than its bound. */
static int boundExercise(const struct run_options *r, const struct exercise_entry *e,
                         const char *kind, const char *on, int markdown)
{
    struct recording recording = recordingOf(e, on);
    struct results rows = {0}, half = {0};
    int isBroken = 0, shown = 0;

    countRows(r, e, kind, "whole", 0, &rows);
    countRows(r, e, kind, "half", 0, &half);
    if (!markdown) {
        printf("%s: the least time on the %s,\nwhose memory has moved %.2f TB/s at best\n", e->name,
               recording.device, recording.rate * 1e-12);
        printHeads("");
    }
    for (size_t i = 0; i < rows.count; i++) {
        const struct bound b = boundOf(&rows.rows[i], &half, &recording);

        if (!isShown(&rows.rows[i]))
            continue;
        shown++;
        printRow(e, &rows.rows[i], &b, markdown);
        isBroken |=
            r->solution && b.why == NULL && b.seconds > resultNumber(b.recorded, COLUMN_median_s);
    }
    if (!markdown && shown == 0)
        printf("  no row is right so far: ./course check %s\n", e->brief);
    else if (!markdown)
        printf("touched: bytes of the sectors that kernels touch, each once, for each byte that\n"
               "must move. recorded: the time of the solution at the size of the bound.\n");
    resultsFree(&half);
    resultsFree(&rows);
    resultsFree(&recording.rows);
    return isBroken;
}

/* 1 if the exercise has been recorded there, with what a bound needs. */
static int isRecorded(const struct exercise_entry *e, const char *on)
{
    const char *const names[] = {"device", "ex06", e->brief};
    int found = 1;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = formatString("%s/solutions/timings/%s/%s.csv", sourceFolder(), on, names[i]);

        found &= access(path, R_OK) == 0;
        free(path);
    }
    return found;
}

/* 1 if a row of those may have a bound. */
static int mayHaveBounds(const struct results *rows, const struct recording *r)
{
    int may = 0;

    for (size_t i = 0; i < rows->count; i++)
        may |= isShown(&rows->rows[i]) &&
               whyNone(&rows->rows[i], partnerOf(&rows->rows[i], &r->rows)) == NULL;
    return may;
}

void boundsShow(const struct run_options *r, const struct exercise_entry *e, const char *kind,
                const struct results *rows)
{
    struct results half = {0};
    struct recording recording;
    int shown = 0;

    if (rows->count == 0 || !isRecorded(e, "h200"))
        return;
    recording = recordingOf(e, "h200");
    if (mayHaveBounds(rows, &recording) && countRows(r, e, kind, "half", 1, &half))
        for (size_t i = 0; i < rows->count; i++) {
            const struct bound b = boundOf(&rows->rows[i], &half, &recording);

            if (!isShown(&rows->rows[i]) || b.why != NULL)
                continue;
            if (shown++ == 0)
                printHeads("At best, on an H200:");
            printRow(e, &rows->rows[i], &b, 0);
        }
    if (shown > 0)
        printf("A bound by the memory touched; recorded: the solution's time at that size.\n");
    resultsFree(&half);
    resultsFree(&recording.rows);
}

int commandBound(int argc, char **argv)
{
    const char *on = "h200", *value;
    int markdown = 0, left = 1, isBroken = 0;
    struct run_options r;
    const char *kind;

    for (int i = 1; i < argc; i++)
        if ((value = optionValue("--on", argc, argv, &i)) != NULL)
            on = value;
        else if (strcmp(argv[i], "--markdown") == 0)
            markdown = 1;
        else
            argv[left++] = argv[i];
    argv[left] = NULL;
    r = parseOptions(left, argv, 1);
    kind = r.solution ? "solution" : "template";
    if (!r.named)
        fail(EXIT_USAGE, "bound needs an exercise: ./course bound ex03");
    if (r.quick || r.csv != NULL || r.reduced)
        fail(EXIT_USAGE, "bound takes no --quick, --csv and --fast");
    if (buildKind(&r, "emulated", kind) != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < r.chosenCount; i++)
        isBroken |= boundExercise(&r, r.chosen[i], kind, on, markdown);
    if (isBroken)
        fail(EXIT_WRONG, "a bound is above a recorded time: one of them is wrong");
    return EXIT_PASS;
}
