/* TASK     rows less their means, rods after many steps, a histogram with 2^17 bins, a scaled copy:
 *          the problems, their inputs, their references.
 * TRAFFIC  8 bytes an element: x read, y written, once for each step. 4 bytes a key.
 * LIMIT    memory bandwidth. */
#include "clusters.h"
#include "harness.h"
#include "measure.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS "centred,counted,smeared,scaled"

enum { PART = 1 << 22, ROW = 65536, STEPS = 64, STEPS_EMULATED = 5 };

static const char *problem, *cluster, *keysAre = "random";
static long row = ROW, steps = -1; /* -1: as many as suit the device */

static const struct course_option options[] = {
    {"problem", OPTION_WORD | OPTION_ASIDE, &problem, 0, 0, WORDS, "one of them (all)"},
    {"cluster", OPTION_WORD, &cluster, 0, 0, "4,8,16",
     "blocks of a cluster (4 or 8, as suits the row)"},
    {"row", OPTION_INTEGER, &row, 1, MOST_OF_ROW, NULL,
     "elements of a row, rounded up to a multiple of 4"},
    {"steps", OPTION_INTEGER, &steps, 1, 1000, NULL, "steps of smearing (64; emulated 5)"},
    {"keys", OPTION_WORD, &keysAre, 0, 0, "random,one,sorted", "what the histogram counts"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double deviceBytes(size_t size) { return 3.0 * sizeof(float) * (double)size; }

static double hostBytes(size_t size) { return 4.0 * sizeof(float) * (double)size; }

static const struct exercise exercise = {
    .name = "ex33_clusters",
    .title = "clusters of blocks: rows, rods, a histogram, a copy",
    .unit = "elements, or keys",
    .size = (size_t)1 << 28,
    .emulatedSize = 70003,
    .quickSize = (size_t)1 << 22,
    .checkSize = (size_t)1 << 24,
    .minSize = 0,
    .maxSize = INT_MAX, /* counts are ints */
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static struct problem p;
static float *x, *y, *reference;
static unsigned int *keys;
static int counts[BINS], wantedCounts[BINS];

static size_t lengthOfRow(size_t first)
{
    return p.n - first < (size_t)p.row ? p.n - first : (size_t)p.row;
}

static void centre(void)
{
#pragma omp parallel for
    for (size_t first = 0; first < p.n; first += (size_t)p.row) {
        const size_t length = lengthOfRow(first);
        double sum = 0.0;

        for (size_t i = 0; i < length; i++)
            sum += x[first + i];
        for (size_t i = 0; i < length; i++)
            reference[first + i] = (float)(x[first + i] - sum / (double)length);
    }
}

/* Elements 1 to `length` of two buffers in turn; 0 and length + 1 stay zero. */
static void smear(void)
{
#pragma omp parallel
    {
        double *now = mustAllocate(((size_t)p.row + 2) * sizeof *now, "a rod");
        double *next = mustAllocate(((size_t)p.row + 2) * sizeof *next, "a rod");

#pragma omp for
        for (size_t first = 0; first < p.n; first += (size_t)p.row) {
            const size_t length = lengthOfRow(first);

            for (size_t i = 0; i < length; i++)
                now[i + 1] = x[first + i];
            now[0] = next[0] = now[length + 1] = next[length + 1] = 0.0;
            for (int step = 0; step < p.steps; step++) {
                double *old = now;

                for (size_t i = 1; i <= length; i++)
                    next[i] = LEFT * now[i - 1] + OWN * now[i] + RIGHT * now[i + 1];
                now = next;
                next = old;
            }
            for (size_t i = 0; i < length; i++)
                reference[first + i] = (float)now[i + 1];
        }
        free(now);
        free(next);
    }
}

static void scale(void)
{
    for (size_t i = 0; i < p.n; i++)
        reference[i] = FACTOR * x[i];
}

static void count(void)
{
    for (size_t i = 0; i < p.n; i++)
        wantedCounts[keys[i]]++;
}

static void makeKeys(void)
{
    const int isSorted = strcmp(keysAre, "sorted") == 0;

    keys = newArray(p.n, sizeof *keys);
    for (size_t i = 0; i < p.n; i++)
        keys[i] = isSorted ? (unsigned int)(i * BINS / p.n)
                           : (unsigned int)randomBits(2, keysAre[0] == 'o' ? 0 : i) % BINS;
}

static const struct work {
    const char *name;
    unsigned kind;
    void (*compute)(void);
} works[] = {
    {"centred", CENTRED, centre},
    {"counted", COUNTED, count},
    {"smeared", SMEARED, smear},
    {"scaled", SCALED, scale},
};
enum { WORKS = sizeof works / sizeof works[0] };

/* Each addition of a sum is rounded, and so is each product of a step; y is at most 2. */
static struct tolerance toleranceOf(unsigned kind)
{
    const double roundings = kind == CENTRED ? 64.0 : kind == SMEARED ? 4.0 * p.steps : 0.0;
    const struct tolerance tolerance = {roundings * (double)FLT_EPSILON, 0.0};

    return tolerance;
}

/* Its first rows are enough for a variant that is slow. */
static void runOne(const struct work *w, const struct variant *v)
{
    const size_t whole = p.n;

    if ((v->traits & PART_OF_SIZE) && p.n > PART)
        p.n = PART / (size_t)p.row * (size_t)p.row;
    if (w->kind == COUNTED)
        harnessWork(sizeof *keys * (double)p.n, 0.0, p.n);
    else
        harnessWork(2.0 * sizeof *x * (double)p.n * (w->kind == SMEARED ? p.steps : 1), 0.0, p.n);
    poison(y, p.n * sizeof *y);
    poison(counts, sizeof counts);
    v->run(&p);
    if (w->kind == COUNTED)
        verifyInts("counts", counts, wantedCounts, BINS);
    else
        verifyFloats("y", y, reference, p.n, toleranceOf(w->kind));
    p.n = whole;
}

static void runWork(const struct work *w)
{
    w->compute();
    harnessParameters("problem=%s", w->name);
    harnessTraits(w->kind, 0);
    RUN_VARIANTS (v) {
        runOne(w, v);
    }
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    p.n = harnessSize();
    p.row = (int)(row + 3) / 4 * 4;
    p.steps = steps >= 0 ? (int)steps : harnessEmulated() ? STEPS_EMULATED : STEPS;
    p.blocks = cluster != NULL ? atoi(cluster) : 0;
    p.x = x = newArray(p.n, sizeof *x);
    p.y = y = newArray(p.n, sizeof *y);
    p.counts = counts;
    reference = newArray(p.n, sizeof *reference);
    randomFloats(x, p.n, 1);
    makeKeys();
    p.keys = keys;
    for (size_t k = 0; k < WORKS; k++)
        if (problem == NULL || strcmp(problem, works[k].name) == 0)
            runWork(&works[k]);
    return harnessFinish();
}
