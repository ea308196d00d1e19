/* harness_test CASE: a program with one variant that makes a chosen mistake, so that the tests can
 * demand the harness's message. Shape: c[i] = i-th random number, n elements, "block" 64. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef void variant_fn(const char *mistake, float *c, const float *right, size_t n);

#include "measure.h"
#if !defined COURSE_CPU_ONLY && !defined WITH_DEVICE_ROWS
#define COURSE_CPU_ONLY
#endif
#define ANY_ROWS /* nothing is expected of its table */
#include "variants.h"
#include "harness.h"
#ifdef WITH_DEVICE_ROWS
#include "counters.h" /* of the harness: launchCount */
#endif

static void makeMistake(const char *mistake, float *c, const float *right, size_t n)
{
    const size_t block = (size_t)blockSize(64);

    if (strcmp(mistake, "slow") == 0)
        nanosleep(&(struct timespec){2, 100000000}, NULL);
#ifdef WITH_DEVICE_ROWS
    if (strcmp(mistake, "launches") == 0)
        launchCount += 3;
#endif
    if (strcmp(mistake, "todo") == 0)
        NOT_IMPLEMENTED(4);
    if (strcmp(mistake, "exit") == 0)
        exit(0);
    if (strcmp(mistake, "_exit") == 0)
        _exit(0);
    if (strcmp(mistake, "abort") == 0)
        abort();
    if (strcmp(mistake, "skip") == 0)
        rowSkip("not with this mistake");
    if (strcmp(mistake, "nothing") == 0)
        return;
    memcpy(c, right, n * sizeof *c);
    if (strcmp(mistake, "nan") == 0)
        c[n / 2] = nanf("1");
    else if (strcmp(mistake, "infinity") == 0)
        c[n / 2] = INFINITY;
    else if (strcmp(mistake, "last") == 0)
        c[n - 1] += 1.0f;
    else if (strcmp(mistake, "first") == 0)
        c[0] += 1.0f;
    else if (strcmp(mistake, "hole") == 0)
        poison(c + 7, sizeof *c);
    else if (strcmp(mistake, "untouched") == 0)
        poison(c + 7, 3 * sizeof *c);
    else if (strcmp(mistake, "firstblock") == 0)
        poison(c + block, (n - block) * sizeof *c);
    else if (strcmp(mistake, "lastblock") == 0)
        poison(c + n / block * block, n % block * sizeof *c);
    else if (strcmp(mistake, "shifted") == 0)
        memcpy(c, right + 1, (n - 1) * sizeof *c);
    else if (strcmp(mistake, "zero") == 0 || strcmp(mistake, "purpose") == 0)
        memset(c, 0, n * sizeof *c);
    else
        for (size_t i = 0; i < n; i++)
            if (strcmp(mistake, "nanlost") == 0)
                c[i] = isnan(c[i]) ? 0.0f : c[i];
            else if (strcmp(mistake, "nanhole") == 0 && isnan(c[i]))
                poison(c + i, sizeof *c);
            else if (strcmp(mistake, "flushed") == 0)
                c[i] = fabsf(c[i]) > 1e30f ? 0.0f : c[i];
            else if (strcmp(mistake, "times3") == 0)
                c[i] *= 3.0f;
            else if (strcmp(mistake, "times600") == 0)
                c[i] *= 600.37f;
            else if (strcmp(mistake, "halfzero") == 0)
                c[i] *= i < n / 2 ? 0.0f : 3.0f;
            else if (strcmp(mistake, "added") == 0)
                poison(c + i, sizeof *c), c[i] += right[i];
            else if (strcmp(mistake, "sign") == 0)
                c[i] = -c[i];
            else if (strcmp(mistake, "within") == 0)
                c[i] += 0.9e-3f;
            else if (strcmp(mistake, "beyond") == 0)
                c[i] += 1.1e-3f;
}

static void measured(const char *mistake, float *c, const float *right, size_t n)
{
    MEASURE (run) {
        makeMistake(mistake, c, right, n);
        if (strcmp(mistake, "uneven") == 0)
            nanosleep(&(struct timespec){0, measureRuns() % 2 ? 8000000 : 2000000}, NULL);
        if (strcmp(mistake, "steady") == 0)
            nanosleep(&(struct timespec){0, 100000000}, NULL);
        if (strcmp(mistake, "unsteady") == 0)
            nanosleep(&(struct timespec){0, measureRuns() % 2 ? 105000000 : 85000000}, NULL);
        if (strcmp(mistake, "alike") == 0)
            nanosleep(&(struct timespec){0, measureRuns() % 2 ? 10000000 : 10200000}, NULL);
        if (strcmp(mistake, "unlike") == 0)
            nanosleep(&(struct timespec){0, measureRuns() % 2 ? 10000000 : 10500000}, NULL);
        if (strcmp(mistake, "long") == 0)
            nanosleep(&(struct timespec){1, 100000000}, NULL);
        if (strcmp(mistake, "break") == 0)
            break;
    }
}

static char variantName[64] = "the variant"; /* --name */
#ifndef NO_FUNCTION
const struct variant cpuVariants[] = {{variantName, measured}, {NULL, NULL}};
#else
const struct variant cpuVariants[] = {{variantName, NULL}, {NULL, NULL}};
#endif
#ifdef WITH_DEVICE_ROWS
const struct variant deviceVariants[] = {{variantName, measured}, {NULL, NULL}};
#endif

static double bytes(size_t size) { return 8.0 * (double)size; }

int main(int argc, char **argv)
{
    static const char *mistake = "none", *name = variantName;
    static const struct course_option options[] = {
        {"mistake", OPTION_WORD, &mistake, 0, 0, NULL, "which mistake to make"},
        {"name", OPTION_WORD, &name, 0, 0, NULL, "what the variant is called"},
        {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const unsigned special = getenv("NOTHING_SPECIAL") == NULL ? TINY | INFINITIES | NANS : 0;
    const struct exercise exercise = {
        .name = "harness_test",
        .title = "a variant with a mistake",
        .unit = "elements",
        .size = 1000,
        .emulatedSize = 1000,
        .quickSize = 1000,
        .checkSize = 998,
        .minSize = 0,
        .special = special,
        .deviceBytes = bytes,
        .hostBytes = bytes,
        .options = options,
    };
    const struct tolerance tolerance = {1e-3, 0.0};
    float *c, *right;
    size_t n;

    harnessStart(&exercise, argc, argv);
    if (name != variantName)
        snprintf(variantName, sizeof variantName, "%s", name);
    n = harnessSize();
    c = newArray(n, sizeof *c);
    right = newArray(n, sizeof *right);
    randomFloats(right, n, 1);
    harnessWork(bytes(n), 0.0, n);
    if (strcmp(mistake, "stated") == 0)
        harnessParameters("point=1 mistake=none");
    RUN_VARIANTS (v) {
        poison(c, n * sizeof *c);
        if (strcmp(mistake, "purpose") == 0)
            rowIsDemonstration();
        v->run(mistake, c, right, n);
        if (strcmp(mistake, "ponder") == 0) {
            harnessRan();
            nanosleep(&(struct timespec){3, 0}, NULL);
        }
        verifyFloats("c", c, right, n, tolerance);
    }
    return harnessFinish();
}
