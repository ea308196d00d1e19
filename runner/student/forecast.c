/* forecast: how long a GPU would take, without having one.
 *
 * The emulated device counts at small sizes. Each count of a kernel is taken for a + b n^p, with p
 * and b from two sizes, and computed for the size that has been recorded on the GPU; there the
 * model of emulated/runtime/time_model.c makes a time of it. */
#include "forecast.h"
#include "files.h"
#include "rows.h"
#include "taught.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KERNELS = 32 };
/* Of the emulated device in the run at half the size. With few of them, a grid that follows the
 * device is as large as it gets for few data. */
static const char fewMultiprocessors[] = "2";

struct kernel {
    char name[64];
    struct kernel_work work;
};

/* Reads the kernels of a row, at most KERNELS. Returns their number. */
static int kernelsOf(const struct result *row, struct kernel kernels[])
{
    const char *text = resultPart(row, COLUMN_counters, "work");
    int count = 0;

    for (char *end; text != NULL && *text != '\0' && *text != ' ' && count < KERNELS; text = end) {
        struct kernel *k = &kernels[count++];
        const size_t length = strcspn(text, ",");

        snprintf(k->name, sizeof k->name, "%.*s", (int)length, text);
        end = (char *)text + length;
#define X(name, meaning) k->work.name = *end == ',' ? strtod(end + 1, &end) : 0.0;
        KERNEL_WORK(X)
#undef X
        end += strcspn(end, "; ");
        end += *end == ';';
    }
    return count;
}

/* How much there is to do in the two runs and at the wanted size, n^dimension, and the warps of a
 * kernel there. */
struct amounts {
    double small, large, wanted, dimension;
    double smallWarps, largeWarps, wantedWarps;
    /* another kernel of the row, whose grid follows the device; NULL: none */
    const struct kernel_work *smallFollower, *follower;
};

/* A count at the wanted amount x. It is taken for a + b x^p, where p is 1, or for a product of
 * matrices 1/3 or 2/3: of n^3 steps n^2 elements and n rows. */
static double carried(double small, double large, const struct amounts *x)
{
    const double little = 0.03, seen = log(large / small) / log(x->large / x->small);
    double power = 1.0, slope, rest;

    if (!(small > 0.0 && large > small))
        return large;
    while (x->dimension > 1.5 && power - 1.0 / x->dimension > 0.1 &&
           seen < power - 1.0 / x->dimension + little)
        power -= 1.0 / x->dimension;
    slope = (large - small) / (pow(x->large, power) - pow(x->small, power));
    rest = large - slope * pow(x->large, power);
    if (rest < 0.0)
        return large * pow(x->wanted / x->large, power);
    return rest + slope * pow(x->wanted, power);
}

/* The same of a kernel whose grid follows the device: each warp does something, and the rest is
 * proportional to x. */
static double shared(double small, double large, const struct amounts *x)
{
    const double determinant = x->smallWarps * x->large - x->largeWarps * x->small;
    const double ofWarp = (small * x->large - large * x->small) / determinant,
                 ofAmount = (large * x->smallWarps - small * x->largeWarps) / determinant;

    if (!(ofWarp > 0.0))
        return large * x->wanted / x->large;
    return ofWarp * x->wantedWarps + fmax(ofAmount, 0.0) * x->wanted;
}

/* Does the grid depend on the number of multiprocessors? */
static int followsDevice(const struct kernel_work *small, const struct kernel_work *large,
                         const struct amounts *x)
{
    const double blocks = small->blocks / small->launches, now = large->blocks / large->launches;

    return fmod(blocks, atof(fewMultiprocessors)) == 0.0 && small->threads == large->threads &&
           blocks < 0.9 * now * x->small / x->large && blocks <= 0.9 * now;
}

/* The launches at the wanted size. Where there are more of them for more data, there is one more
 * for twice the data, as in the levels of a tree, or as many as data. */
static double launchesAt(double small, double large, const struct amounts *x)
{
    if (!(large > small))
        return large;
    if (large / small > 0.8 * x->large / x->small)
        return large * x->wanted / x->large;
    return large + (large - small) * log2(x->wanted / x->large);
}

/* Does each of the launches, of which there are more, go over all data? Those of a tree's levels do
 * not. */
static int eachTakesAll(const struct kernel_work *small, const struct kernel_work *large,
                        const struct amounts *x)
{
    const double more = large->launches / small->launches;

    return more > 1.0 && large->requests / small->requests > x->large / x->small * (1.0 + more) / 2;
}

/* The work of a kernel at the wanted size. */
static struct kernel_work workAt(const struct kernel_work *small, const struct kernel_work *large,
                                 struct amounts x, const struct gpu *gpu)
{
    const double more = gpu->multiprocessors / atof(fewMultiprocessors),
                 launches = launchesAt(small->launches, large->launches, &x);
    const int follows = followsDevice(small, large, &x), each = eachTakesAll(small, large, &x);
    const double inSmall = each ? small->launches : 1.0, inLarge = each ? large->launches : 1.0,
                 times = each ? launches : 1.0;
    struct kernel_work w;

    x.smallWarps = small->warps;
    x.largeWarps = large->warps;
    x.wantedWarps = small->warps * more;
    if (large->warps < x.wantedWarps) /* a few elements for each thread, if there are so few */
        x.wantedWarps = fmin(x.wantedWarps, large->warps * x.wanted / x.large);
    if (!follows && x.follower != NULL && large->blocks == 1.0) {
        x.small =
            x.smallFollower->blocks; /* it adds up what the blocks of the other one have left */
        x.large = x.follower->blocks;
        x.wanted = x.small * more;
    }
#define X(name, meaning)                                                                           \
    w.name = follows ? shared(small->name, large->name, &x)                                        \
                     : carried(small->name / inSmall, large->name / inLarge, &x) * times;
    KERNEL_WORK(X)
#undef X
    w.threads = large->threads;
    w.shared = large->shared;
    w.alone = large->alone; /* how much runs beside others is the same at each size */
    w.added = large->added;
    w.launches = launches;
    if (w.blocks > 0.0)
        w.blocks = fmax(w.blocks, launches); /* no part of a block */
    w.busiest = large->busiest / large->steps * w.steps * large->blocks / w.blocks; /* as uneven */
    return w;
}

/* The work of so many times the blocks, which are as large as before. */
static struct kernel_work scaled(const struct kernel_work *of, double times)
{
    struct kernel_work w;

#define X(name, meaning) w.name = of->name * times;
    KERNEL_WORK(X)
#undef X
    w.threads = of->threads;
    w.shared = of->shared;
    return w;
}

/* Multiplies the work: by more launches if there are several, which a size that stays the same does
 * not make, otherwise in each thread. Threads that hardly move more data than there are keep theirs
 * from step to step: more steps move no more. */
static struct kernel_work repeated(const struct kernel_work *of, double times, int isSameSize)
{
    struct kernel_work w = scaled(of, times);

    if (of->launches > 1.0 && !isSameSize)
        return w;
    w.launches = of->launches;
    w.blocks = of->blocks;
    w.warps = of->warps;
    w.in = of->in;
    w.out = of->out;
    if (32.0 * of->far < 3.0 * (of->in + of->out)) {
        w.requests = of->requests;
        w.lines = of->lines;
        w.far = of->far;
        w.loaded_lines = of->loaded_lines;
        w.stored_lines = of->stored_lines;
        w.waits = of->waits;
        w.far_waits = of->far_waits;
    }
    return w;
}

/* The work of a kernel that is there at one of the sizes only: more blocks of the same kind. */
static struct kernel_work moreBlocks(const struct kernel_work *of, double times)
{
    struct kernel_work w = scaled(of, times);

    w.launches = of->launches;
    w.busiest = of->busiest;
    return w;
}

static const struct kernel *kernelNamed(const char *name, const struct kernel *kernels, int count)
{
    for (int i = 0; i < count; i++)
        if (isSame(kernels[i].name, name))
            return &kernels[i];
    return NULL;
}

/* The time of a kernel, or of copies, whose names say which. */
static struct gpu_time timeOf(const struct gpu *gpu, const struct kernel_work *w, const char *name)
{
    for (int i = 0; i < COPY_COUNT; i++)
        if (w->blocks == 0.0 && startsWith(name, copy_names[i]))
            return time_of_copies(gpu, w, (enum copy_way)i);
    return time_of(gpu, w);
}

static void addTime(struct gpu_time *sum, const struct gpu_time *more)
{
    sum->seconds += more->seconds;
    for (int i = 0; i < LIMIT_COUNT; i++) {
        sum->term[i] += more->term[i];
        if (sum->term[i] > sum->term[sum->limit])
            sum->limit = (enum limit)i;
    }
}

/* The number of words of one field that are words of the other, too. */
static int commonWords(const char *a, const char *b)
{
    int common = 0;

    for (size_t length; *(a += strspn(a, " ")) != '\0'; a += length) {
        length = strcspn(a, " ");
        for (const char *at = b; *(at += strspn(at, " ")) != '\0'; at += strcspn(at, " "))
            common += strcspn(at, " ") == length && strncmp(a, at, length) == 0;
    }
    return common;
}

/* The row of the same variant, with most of the same parameters, that has passed; timed: and has a
 * time. NULL: none. */
static const struct result *likeRow(const struct result *row, const struct results *others,
                                    int timed)
{
    const struct result *best = NULL;
    int most = -1;

    for (size_t i = 0; i < others->count; i++) {
        const struct result *r = &others->rows[i];
        const int common = commonWords(row->field[COLUMN_parameters], r->field[COLUMN_parameters]);

        if (isSame(row->field[COLUMN_variant], r->field[COLUMN_variant]) &&
            isSame(r->field[COLUMN_verdict], "PASS") && common > most &&
            (!timed || resultNumber(r, COLUMN_median_s) > 0.0)) {
            best = r;
            most = common;
        }
    }
    return best;
}

const struct result *recordedRow(const struct result *row, const struct results *recorded)
{
    return likeRow(row, recorded, 1);
}

/* What the rows of both runs and the recorded one say of the amounts, and in *times how often more
 * than in the run the recorded one has done all of it: in more steps. Returns 0 if the amounts do
 * not tell. */
static int amountsOf(const struct result *small, const struct result *large,
                     const struct result *recorded, struct amounts *x, double *times)
{
    const double a = resultWork(small), b = resultWork(large), c = resultWork(recorded),
                 sizes = resultNumber(large, COLUMN_size) / resultNumber(small, COLUMN_size),
                 more = resultNumber(recorded, COLUMN_size) / resultNumber(large, COLUMN_size);

    *x = (struct amounts){.dimension = 1.0};
    *times = 1.0;
    if (sizes == 1.0 && more != 1.0)
        return 0;
    if (b > a && a > 0.0 && sizes > 1.0)
        x->dimension = log(b / a) / log(sizes);
    x->dimension = fmax(1.0, round(x->dimension));
    x->small = pow(sizes, -x->dimension);
    x->large = 1.0;
    x->wanted = pow(more, x->dimension);
    if (b > 0.0 && c > 0.0)
        *times = c / b / x->wanted;
    return 1;
}

struct forecast forecastOf(const struct result *row, const struct results *half,
                           const struct result *recorded, const struct gpu *gpu)
{
    static struct kernel large[KERNELS], small[KERNELS];
    double launches = 0.0;
    const struct result *smaller = likeRow(row, half, 0);
    const int count = kernelsOf(row, large), smallCount = smaller ? kernelsOf(smaller, small) : 0;
    struct forecast f = {NULL, {.limit = LIMIT_launch}};
    struct amounts x;
    double times = 1.0;

    for (int i = 0; i < count; i++)
        launches += large[i].work.blocks > 0.0 ? large[i].work.launches : 0.0;
    if (!isSame(row->field[COLUMN_place], "device"))
        f.why = "the kernels are a library's";
    else if (count == 0 || smallCount == 0)
        f.why = "no kernel of its own is counted";
    else if (recorded == NULL)
        f.why = "not recorded";
    else if (!amountsOf(smaller, row, recorded, &x, &times))
        f.why = "its size does not follow --size";
    else if (launches < resultCounter(row, "launches"))
        f.why = "some of the kernels are a library's";
    if (f.why != NULL)
        return f;
    for (int i = 0; i < count; i++) {
        const struct kernel *before = kernelNamed(large[i].name, small, smallCount);

        if (before != NULL && followsDevice(&before->work, &large[i].work, &x))
            x.follower = &large[i].work, x.smallFollower = &before->work;
    }
    for (int i = 0; i < count; i++) {
        const struct kernel *k = &large[i], *before = kernelNamed(k->name, small, smallCount);
        struct kernel_work w = before != NULL ? workAt(&before->work, &k->work, x, gpu)
                                              : moreBlocks(&k->work, x.wanted);
        struct gpu_time t;

        if (fabs(times - 1.0) > 0.1)
            w = repeated(&w, times, x.wanted == x.large);
        t = timeOf(gpu, &w, k->name);
        t = visible_time(&t, &w);
        addTime(&f.time, &t);
    }
    return f;
}

/* A file for the rows of a run that counts, beside that of the run that a check shows. */
static char *countsFile(void) { return runnersFile("counts.csv"); }

/* Starts a run that counts the work of its rows. isSmaller: on few multiprocessors. */
static struct run startToCount(const struct run_options *r, const struct exercise_entry *e,
                               const char *kind, const char *options, int isSmaller)
{
    struct run run = runOf(r, e, "emulated", kind, 0);

    runOption(&run, "--only", "device");
    runWords(&run, options);
    run.job.captured = 1;
    if (isSmaller)
        setVariable("CUDA_EMULATED_MULTIPROCESSORS", fewMultiprocessors);
    runStartForRows(&run, countsFile());
    unsetenv("CUDA_EMULATED_MULTIPROCESSORS");
    return run;
}

int countRows(const struct run_options *r, const struct exercise_entry *e, const char *kind,
              const char *options, int isSmaller, struct results *rows)
{
    struct run run = startToCount(r, e, kind, options, isSmaller);
    const int isRead = runRows(&run, countsFile(), rows);

    if (!isRead) {
        fputs(run.job.output, stderr);
        runExplain(&run);
    }
    return isRead;
}

int readRecording(const struct exercise_entry *e, struct results *rows)
{
    const char *path = formatString("%s/solutions/timings/h200/%s", sourceFolder(), e->brief);
    const glob_t sweeps = matching(formatString("%s_*.csv", path));
    const char *why = NULL;

    path = formatString("%s.csv", path);
    if (!exists(path))
        return 0;
    why = resultsRead(rows, path);
    for (size_t i = 0; i < sweeps.gl_pathc && why == NULL; i++)
        if (!resultsAreHistory(sweeps.gl_pathv[i]))
            why = resultsRead(rows, sweeps.gl_pathv[i]);
    if (why != NULL)
        fail(EXIT_ERROR, "%s", why);
    return rows->count > 0;
}

/* The forecast of the solution's row, s; 0 if there is none, or one that is more than twice or less
 * than half of what has been recorded: then the model does not know such kernels, or the sizes of a
 * check tell too little. */
static double ofSolution(const struct exercise_entry *e, const struct result *row)
{
    char *next =
        readFileIfThere(formatString("%s/solutions/timings/forecasts.csv", sourceFolder()));
    char *field[FORECAST_COLUMNS];
    double seconds = 0.0;
    int found;

    while (next != NULL) {
        double forecast, ratio;

        next = csvRecord(next, field, FORECAST_COLUMNS, &found);
        forecast = strtod(field[FORECAST_s], NULL);
        ratio = forecast / strtod(field[FORECAST_recorded_s], NULL);
        if (isSame(field[FORECAST_exercise], e->brief) &&
            isSame(field[FORECAST_variant], row->field[COLUMN_variant]) &&
            isSame(field[FORECAST_parameters], row->field[COLUMN_parameters]) && ratio >= 0.5 &&
            ratio <= 2.0)
            seconds = forecast;
    }
    return seconds;
}

/* What limits a kernel, in the words of the lessons. */
static const char *limitWord(int limit, const char *exercise)
{
    static const char *const words[LIMIT_COUNT][2] = {
        [LIMIT_launch] = {"launches"},
        [LIMIT_latency] = {"latency", "waiting"},
        [LIMIT_dram] = {"memory"},
        [LIMIT_l2] = {"L2 cache", "moving data"},
        [LIMIT_l1] = {"L1 cache", "moving data"},
        [LIMIT_shared] = {"shared memory", "moving data"},
        [LIMIT_arithmetic] = {"arithmetic"},
        [LIMIT_atomics] = {"atomics", "same address"},
        [LIMIT_link] = {"copies"},
    };

    return words[limit][!isTaught(words[limit][0], exercise)];
}

static void printTerms(const struct gpu_time *t, const char *exercise)
{
    for (int i = 0; i < LIMIT_COUNT; i++)
        if (t->term[i] > 0.01 * t->seconds && isTaught(limit_meanings[i], exercise))
            printf("      %-13s %10s  %s\n", limitWord(i, exercise),
                   textOfSeconds(t->term[i], "us"), limit_meanings[i]);
    printf("      without that limit: about %s\n", textOfSeconds(time_without_limit(t), "us"));
}

static void printForecast(const struct result *row, const struct forecast *f, double solution,
                          const struct result *recorded, int isSolution, int verbose)
{
    const double other = isSolution ? resultNumber(recorded, COLUMN_median_s) : solution;

    printf("  %-34s about %10s (%s), %10s (%s): %s\n", row->field[COLUMN_variant],
           textOfSeconds(f->time.seconds, "us"), isSolution ? "model" : "yours",
           textOfSeconds(other, "us"), isSolution ? "recorded" : "solution",
           limitWord((int)f->time.limit, row->field[COLUMN_exercise]));
    if (verbose)
        printTerms(&f->time, row->field[COLUMN_exercise]);
}

struct run forecastsStart(const struct run_options *r, const struct exercise_entry *e,
                          const char *kind, const struct results *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (ofSolution(e, &rows->rows[i]) > 0.0)
            return startToCount(r, e, kind, "--counting half", 1);
    return (struct run){0};
}

void forecastsShow(struct run *run, const struct exercise_entry *e, const char *kind,
                   const struct results *rows, int verbose)
{
    const struct gpu *gpu = gpu_named("h200");
    struct results half = {0}, recorded = {0};
    const char *parameters = ""; /* of the rows that were shown last */
    int shown = 0;

    if (run->file == NULL || !runRows(run, countsFile(), &half) || !readRecording(e, &recorded))
        return;
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->rows[i], *there = recordedRow(row, &recorded);
        const double solution = ofSolution(e, row);
        struct forecast f;

        if (!isSame(row->field[COLUMN_verdict], "PASS") || solution == 0.0)
            continue;
        f = forecastOf(row, &half, there, gpu);
        if (f.why != NULL)
            continue;
        if (shown++ == 0)
            printf("On an %s at size %s, by a model, and what limits it:\n", gpu->title,
                   there->field[COLUMN_size]);
        if (!isSame(row->field[COLUMN_parameters], parameters)) {
            parameters = row->field[COLUMN_parameters];
            if (parameters[0] != '\0')
                printf("%s\n", parameters);
        }
        printForecast(row, &f, solution, there, isSame(kind, "solution"), verbose);
    }
}
