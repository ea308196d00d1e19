/* forecasts: how far the model of a GPU's time (emulated/runtime/time_model.c) is from what has
 * been recorded on one, and its constants, fitted to that. */
#include "commands.h"
#include "files.h"
#include "forecast.h"
#include "request.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4096 };
static const double leastSeconds = 5e-6;   /* shorter rows are launches and nothing else */
static const double differentEnough = 1.2; /* two rows whose order matters */
/* The constants in time_model.c are fitted to the exercises before this one. Those from here on
 * show what they are worth for kernels that the fit has never seen. */
static const char firstUnseen[] = "ex26";
enum { ALL = -1, UNSEEN = 2, SWEEPS = 3 }; /* besides the halves 0 and 1 */

/* A recorded row and what was counted for it. */
struct judged {
    const struct exercise_entry *e;
    int half; /* of the exercises that it belongs to, or UNSEEN; SWEEPS: of a sweep */
    const struct result *row, *recorded;
    const struct results *smaller;
    struct forecast f;
    double seconds; /* recorded */
};
static struct judged judged[ROWS];
/* A guess at the constants, from which each fit begins. */
static const struct model_constants guess = {1.0, 0.75, 100e-9, 0.1, 3.0, 2.0,
                                             4.0, 50.0, 3.0,    1.0, 32.0};
static int judgedCount;

static double ratioOf(const struct judged *j) { return j->f.time.seconds / j->seconds; }

/* Runs of an exercise by which its rows are judged. */
struct counted {
    const char *larger, *smaller; /* options of both */
    struct counted *next;         /* with other options: those of a sweep */
};

/* The runs of an exercise: those of a check, or those in solutions/timings/forecast_runs.txt. */
static struct counted *runsOf(const struct exercise_entry *e, int usual, int sweeps)
{
    char *next = readFile(formatString("%s/solutions/timings/forecast_runs.txt", sourceFolder()));
    struct counted *first = mustAllocate(NULL, sizeof *first), *last = first;

    *first = (struct counted){"--counting whole", "--counting half", NULL};
    for (char *line; !usual && (line = strsep(&next, "\n")) != NULL;) {
        const char *brief = strsep(&line, " ");

        if (line == NULL || !isSame(brief, e->brief))
            continue;
        if (line[0] == '+' && sweeps) {
            last = last->next = mustAllocate(NULL, sizeof *last);
            *last = (struct counted){formatString("%s %s", first->larger, line + 1),
                                     formatString("%s %s", first->smaller, line + 1), NULL};
        } else if (line[0] != '+') {
            first->larger = formatString("--counting whole %s", strsep(&line, "|"));
            first->smaller = formatString("--counting whole %s", line);
        }
    }
    return first;
}

/* Adds a row, unless it has no forecast or is too short. */
static void addRow(struct judged j)
{
    j.f = forecastOf(j.row, j.smaller, j.recorded, gpu_named("h200"));
    if (j.f.why != NULL || !isSame(j.row->field[COLUMN_verdict], "PASS"))
        return;
    j.seconds = resultNumber(j.recorded, COLUMN_median_s);
    if (j.seconds > leastSeconds && judgedCount < ROWS)
        judged[judgedCount++] = j;
}

/* Adds the row as the exercise's sweeps have it, with these parameters at any size but one. */
static void addSweep(struct judged j, const struct results *recorded, const char *parameters,
                     const char *size)
{
    j.half = SWEEPS;
    for (size_t i = 0; i < recorded->count; i++) {
        j.recorded = &recorded->rows[i];
        if (isSame(j.recorded->field[COLUMN_variant], j.row->field[COLUMN_variant]) &&
            isSame(j.recorded->field[COLUMN_parameters], parameters) &&
            isSame(j.recorded->field[COLUMN_verdict], "PASS") &&
            !isSame(j.recorded->field[COLUMN_size], size))
            addRow(j);
    }
}

/* A list for rows, to which judged[] points until the program ends */
static struct results *noRows(void)
{
    struct results *r = mustAllocate(NULL, sizeof *r);

    memset(r, 0, sizeof *r);
    return r;
}

/* Is the same variant with the same parameters among the rows? */
static int isAmong(const struct result *row, const struct results *rows)
{
    int found = 0;

    for (size_t i = 0; i < rows->count; i++)
        found |= isSame(row->field[COLUMN_variant], rows->rows[i].field[COLUMN_variant]) &&
                 isSame(row->field[COLUMN_parameters], rows->rows[i].field[COLUMN_parameters]);
    return found;
}

/* Adds the rows of an exercise. */
static void addRows(const struct run_options *request, const struct exercise_entry *e, int usual,
                    int sweeps)
{
    static int exercisesSoFar;
    const int isUnseen = strcmp(e->brief, firstUnseen) >= 0;
    const struct counted *first = runsOf(e, usual, sweeps);
    struct results *recorded = noRows(), *usualRows = NULL;

    if (!readRecording(e, recorded))
        return;
    for (const struct counted *c = first; c != NULL; c = c->next) {
        struct results *larger = noRows(), *smaller = noRows();

        if (!countRows(request, e, "solution", c->larger, 0, larger) ||
            !countRows(request, e, "solution", c->smaller, 1, smaller))
            return;
        for (size_t i = 0; i < larger->count; i++) {
            const struct result *row = &larger->rows[i];
            const struct judged j = {.e = e,
                                     .half = isUnseen ? UNSEEN : exercisesSoFar % 2,
                                     .row = row,
                                     .smaller = smaller,
                                     .recorded = recordedRow(row, recorded)};

            if (c == first)
                addRow(j);
            if (c == first && sweeps && j.recorded != NULL)
                addSweep(j, recorded, j.recorded->field[COLUMN_parameters],
                         j.recorded->field[COLUMN_size]);
            if (c != first && !isAmong(row, usualRows))
                addSweep(j, recorded, row->field[COLUMN_parameters], "");
        }
        if (c == first)
            usualRows = larger;
    }
    exercisesSoFar++;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* 1 if a row is of this half of the exercises, or UNSEEN or SWEEPS; ALL stands for both halves. */
static int isOfHalf(const struct judged *j, int half)
{
    return half == ALL ? j->half < UNSEEN : j->half == half;
}

static int isOneRun(const struct result *a, const struct result *b)
{
    return isSame(a->field[COLUMN_size], b->field[COLUMN_size]) &&
           isSame(a->field[COLUMN_parameters], b->field[COLUMN_parameters]);
}

/* Prints how good the forecasts of a half are: the median of |t / recorded - 1|, the part of the
 * rows within a factor of 2, and how many pairs of rows of one exercise are in order, among those
 * that differ enough; of a sweep, pairs of one size and the same options. */
static void printFigures(const char *what, int half)
{
    static double errors[ROWS];
    int rows = 0, within = 0, pairs = 0, right = 0;

    for (int i = 0; i < judgedCount; i++) {
        const double ratio = ratioOf(&judged[i]);

        if (!isOfHalf(&judged[i], half))
            continue;
        errors[rows++] = fabs(ratio - 1.0);
        within += ratio <= 2.0 && ratio >= 0.5;
        for (int k = 0; k < i; k++) {
            const double recorded = judged[i].seconds / judged[k].seconds;

            if (!isOfHalf(&judged[k], half) || judged[k].e != judged[i].e ||
                fmax(recorded, 1.0 / recorded) < differentEnough ||
                (half == SWEEPS && !isOneRun(judged[k].recorded, judged[i].recorded)))
                continue;
            pairs++;
            right += (recorded > 1.0) == (judged[i].f.time.seconds > judged[k].f.time.seconds);
        }
    }
    if (rows == 0) /* of the only exercise */
        errors[0] = 0.0;
    qsort(errors, (size_t)rows, sizeof *errors, ascending);
    printf("| %s | %d | %.0f %% | %.0f %% | %.0f %% of %d |\n", what, rows,
           50.0 * (errors[rows > 0 ? (rows - 1) / 2 : 0] + errors[rows / 2]),
           rows > 0 ? 100.0 * within / rows : 0.0, pairs > 0 ? 100.0 * right / pairs : 100.0,
           pairs);
}

/* Computes the forecasts of a half with the constants as they are now. */
static void forecastHalf(int half)
{
    const struct gpu *gpu = gpu_named("h200");

    for (int i = 0; i < judgedCount; i++)
        if (isOfHalf(&judged[i], half))
            judged[i].f = forecastOf(judged[i].row, judged[i].smaller, judged[i].recorded, gpu);
}

/* What the fit minimises: the mean deviation of the logarithm. Each exercise counts alike, and a
 * row that is far off counts little more than one that is off. Each constant that leaves its guess
 * adds a little, so that a few rows cannot pull it far away. */
static double misfit(int half)
{
    double sum = 0.0, ofOne = 0.0, stray = 0.0;
    int exercises = 0, rows = 0;

    forecastHalf(half);
    for (int i = 0; i < judgedCount; i++) {
        if (isOfHalf(&judged[i], half)) {
            ofOne += sqrt(0.02 + pow(log2(ratioOf(&judged[i])), 2.0));
            rows++;
        }
        if (rows > 0 && (i + 1 == judgedCount || judged[i + 1].e != judged[i].e)) {
            sum += ofOne / rows;
            exercises++;
            ofOne = 0.0;
            rows = 0;
        }
    }
    for (int i = 0; i < MODEL_CONSTANTS; i++)
        stray += pow(log2(((double *)&model_constants)[i] / ((const double *)&guess)[i]), 2.0);
    return sum / exercises + 0.01 * stray;
}

/* Changes one constant after the other by smaller and smaller factors, as long as that makes the
 * misfit smaller. */
static void fit(int half)
{
    double *constants = (double *)&model_constants, best = misfit(half);

    for (double step = 1.6; step > 1.01; step = sqrt(step))
        for (int round = 0; round < 4; round++)
            for (int i = 0; i < MODEL_CONSTANTS; i++)
                for (int up = 0; up < 2; up++) {
                    const double before = constants[i];
                    double now;

                    constants[i] = up ? before * step : before / step;
                    now = misfit(half);
                    if (now < best)
                        best = now;
                    else
                        constants[i] = before;
                }
}

static void printRows(void)
{
    printf("| exercise | row | forecast | recorded | forecast / recorded | limit |\n"
           "|---|---|---:|---:|---:|---|\n");
    for (int i = 0; i < judgedCount; i++) {
        const struct judged *j = &judged[i];
        const char *parameters = j->row->field[COLUMN_parameters];

        if (j->half == SWEEPS)
            continue;
        printf("| %s | %s%s%s | %s | %s | %.2f | %s |\n", j->e->brief,
               j->row->field[COLUMN_variant], parameters[0] != '\0' ? ", " : "", parameters,
               textOfSeconds(j->f.time.seconds, "µs"), textOfSeconds(j->seconds, "µs"), ratioOf(j),
               limit_names[j->f.time.limit]);
    }
}

/* Fits the constants to one half and judges them by another. */
static void printFit(const char *what, int fitted, int judgedBy)
{
    model_constants = guess;
    fit(fitted);
    forecastHalf(judgedBy);
    printFigures(what, judgedBy);
}

/* Fits to one half of the exercises and judges by the other, then the reverse, then fits to all. */
static void printFits(void)
{
    const double *constants = (const double *)&model_constants;

    printf("\n| rows | number | median error | within a factor of 2 | order right |\n"
           "|---|---:|---:|---:|---:|\n");
    printFigures("before ex26: the fit knows them", ALL);
    printFigures("from ex26 on: the fit has never seen them", UNSEEN);
    printFigures("all of these in sweeps, at other sizes and with other options", SWEEPS);
    printFit("the second half, fitted to the first", 0, 1);
    printFit("the first half, fitted to the second", 1, 0);
    printFit("both halves, fitted to both", ALL, ALL);
    printf("constants:");
    for (int i = 0; i < MODEL_CONSTANTS; i++)
        printf(" %.3g", constants[i]);
    printf("\n");
}

/* The rows of solutions/timings/forecasts.csv. */
static void printRecords(void)
{
    printf("%s\n", FORECASTS_HEADER);
    for (int i = 0; i < judgedCount; i++)
        printf("%s,\"%s\",\"%s\",%.3g,%.3g\n", judged[i].e->brief,
               judged[i].row->field[COLUMN_variant], judged[i].row->field[COLUMN_parameters],
               judged[i].f.time.seconds, judged[i].seconds);
}

int commandForecasts(int argc, char **argv)
{
    int fits = 0, usual = 0;
    const struct known_option known[] = {
        {"--usual", .flag = &usual}, {"--fit", .flag = &fits}, {0}};
    struct run_options r = parseOptions(takeOptions(known, argc, argv), argv, 1);

    r.solution = 1;
    if (buildKind(&r, "emulated", "solution") != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < r.chosenCount; i++)
        addRows(&r, r.chosen[i], usual, fits && !usual);
    if (judgedCount == 0)
        fail(EXIT_ERROR, "none of these exercises has rows with a forecast");
    if (usual)
        printRecords();
    else
        printRows();
    if (!usual && fits)
        printFits();
    return EXIT_PASS;
}
