/* recorded: timings that were recorded on a GPU, for those who have none, and for comparison. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "request.h"
#include "results.h"
#include "terminal.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAR = 32 }; /* columns of a bar at full length */

/* The request. */
struct question {
    const struct exercise_entry *exercise;
    const char *folder, *variant; /* folder of solutions/timings; variant: NULL for all */
    int sweeps;                   /* 1: the sweeps; 0: the table */
};

static struct question readQuestion(int argc, char **argv)
{
    struct question q = {.folder = "h200"};
    const struct known_option known[] = {{"--sweep", .flag = &q.sweeps},
                                         {"--on", .value = &q.folder},
                                         {"--variant", .value = &q.variant},
                                         {0}};

    argc = takeOptions(known, argc, argv);
    q.exercise = oneExercise("recorded", argc, argv, 2);
    return q;
}

/* GB/s or GFLOP/s; 0 if the row has neither. */
static double rateOf(const struct result *row)
{
    const double s = resultNumber(row, COLUMN_median_s);

    return s > 0.0 ? resultWork(row) / s * 1e-9 : 0.0;
}

static int isWanted(const struct question *q, const struct result *row)
{
    return q->variant == NULL || strstr(row->field[COLUMN_variant], q->variant) != NULL;
}

/* 1 if both are points of one variant that have been timed. */
static int isSameCurve(const struct result *a, const struct result *b)
{
    return isSame(a->field[COLUMN_variant], b->field[COLUMN_variant]) &&
           resultNumber(a, COLUMN_median_s) > 0.0 && resultNumber(b, COLUMN_median_s) > 0.0;
}

static void printTable(const struct question *q, const struct results *all)
{
    const char *parameters = "";

    printf("  %-34s %14s %12s %9s\n", "", "time", "GB/s", "of limit");
    for (size_t i = 0; i < all->count; i++) {
        const struct result *row = &all->rows[i];

        if (!isWanted(q, row))
            continue;
        if (!isSame(parameters, row->field[COLUMN_parameters]))
            printf("%s\n", row->field[COLUMN_parameters]);
        parameters = row->field[COLUMN_parameters];
        printf("  %-34s %14s", row->field[COLUMN_variant],
               textOfSeconds(resultNumber(row, COLUMN_median_s), "us"));
        printf(" %12s", resultBandwidth(row) > 0.0
                            ? formatString("%.1f", resultBandwidth(row) * 1e-9)
                            : "-");
        printf(" %9s\n", row->field[COLUMN_fraction][0] != '\0'
                             ? formatString("%.2f", resultNumber(row, COLUMN_fraction))
                             : "-");
    }
}

/* The value that the bars of a curve show: one that all of its points have. */
enum length { FRACTION, RATE, INVERSE_TIME };

static double lengthOf(const struct result *row, enum length length)
{
    const double s = resultNumber(row, COLUMN_median_s);

    return length == FRACTION ? resultNumber(row, COLUMN_fraction)
           : length == RATE   ? rateOf(row)
           : s > 0.0          ? 1.0 / s
                              : 0.0;
}

/* The fraction of the limit if each point of the curve of `first` has it (small sizes may fit into
 * a cache, and have no limit), otherwise the rate, otherwise the inverse of the time. */
static enum length lengthFor(const struct results *all, const struct result *first)
{
    enum length length = FRACTION;

    for (size_t i = 0; i < all->count; i++) {
        const struct result *row = &all->rows[i];

        if (!isSameCurve(row, first))
            continue;
        if (length == FRACTION && row->field[COLUMN_fraction][0] == '\0')
            length = RATE;
        if (length == RATE && !(rateOf(row) > 0.0))
            return INVERSE_TIME;
    }
    return length;
}

/* The points of one variant in one file, a bar each. `from` is its first row. */
static void printBars(const struct results *all, size_t from)
{
    const struct result *first = &all->rows[from];
    static const char *const names[] = {"fraction of the limit", "rate", "runs a second"};
    const enum length length = lengthFor(all, first);
    const char *unit = resultNumber(first, COLUMN_bytes) > 0.0 ? " GB/s" : " GFLOP/s";
    double longest = length == FRACTION ? 1.0 : 0.0;

    for (size_t i = from; i < all->count; i++)
        if (isSameCurve(&all->rows[i], first) && lengthOf(&all->rows[i], length) > longest)
            longest = lengthOf(&all->rows[i], length);
    printf("%s%s%s: %s; longest bar: %.3g%s\n", colour("\033[1m"), first->field[COLUMN_variant],
           colour("\033[0m"), names[length], longest, length == RATE ? unit : "");
    for (size_t i = from; i < all->count; i++) {
        const struct result *row = &all->rows[i];
        const char *point = row->field[COLUMN_parameters];

        if (!isSameCurve(row, first))
            continue;
        if (point[0] == '\0')
            point = formatString("size=%s", row->field[COLUMN_size]);
        printf("  %-22.30s %10s %8.3g ", point,
               textOfSeconds(resultNumber(row, COLUMN_median_s), "us"), lengthOf(row, length));
        for (int k = 0; longest > 0.0 && k < (int)(lengthOf(row, length) / longest * BAR + 0.5);
             k++)
            putchar('#');
        putchar('\n');
    }
}

/* "ex03_sweep.csv, NVIDIA H200, 2026-11-21T16:27:12Z" */
static void printHead(const char *path, const struct results *all)
{
    const struct result *row = all->rows;

    for (size_t i = all->count; i-- > 0;)
        if (resultIsOnDevice(&all->rows[i]))
            row = &all->rows[i];
    printf("%s, %s%s%s\n", strrchr(path, '/') + 1, row->field[COLUMN_device],
           row->field[COLUMN_date][0] != '\0' ? ", " : "", row->field[COLUMN_date]);
}

/* The curves of a file, those of more than one point. */
static void printSweep(const struct question *q, const char *path, const struct results *all)
{
    int isFirstCurve = 1;

    for (size_t i = 0; i < all->count; i++) {
        int isFirst = isWanted(q, &all->rows[i]), points = 1;

        for (size_t k = 0; k < i; k++)
            isFirst = isFirst && !isSameCurve(&all->rows[k], &all->rows[i]);
        for (size_t k = i + 1; k < all->count; k++)
            points += isSameCurve(&all->rows[k], &all->rows[i]);
        if (!isFirst || points == 1)
            continue;
        if (isFirstCurve)
            printHead(path, all);
        isFirstCurve = 0;
        printBars(all, i);
        putchar('\n');
    }
}

int commandRecorded(int argc, char **argv)
{
    const struct question q = readQuestion(argc, argv);
    char *pattern = formatString("%s/solutions/timings/%s/%s%s.csv", sourceFolder(), q.folder,
                                 q.exercise->brief, q.sweeps ? "_*" : "");
    const glob_t found = matching(pattern);

    if (found.gl_pathc == 0)
        fail(EXIT_USAGE, "nothing has been recorded there: %s", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct results all = {0};
        const char *why = resultsRead(&all, found.gl_pathv[i]);

        if (why != NULL)
            fail(EXIT_ERROR, "%s", why);
        if (q.sweeps) {
            printSweep(&q, found.gl_pathv[i], &all);
        } else if (all.count > 0) {
            printHead(found.gl_pathv[i], &all);
            printTable(&q, &all);
        }
    }
    return EXIT_PASS;
}
