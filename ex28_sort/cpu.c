/* TASK     n keys of 32 bits in ascending order, with their values: the CPU baseline, one core and
 *          all cores.
 * TRAFFIC  8 n bytes, of pairs 16 n: keys read and written.
 * LIMIT    four passes, each with writes to 256 places at a time. */
#include "measure.h"
#include "sort.h"
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { RADIX = 256 };

struct arrays {
    const unsigned int *key, *value;
};

static int allThreads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/* A thread's part of n elements begins here. */
static size_t beginOf(int thread, int threads, size_t n)
{
    return n / (size_t)threads * (size_t)thread +
           (n % (size_t)threads * (size_t)thread) / (size_t)threads;
}

/* One pass of a radix sort: count, scan, scatter. next[digit * threads + thread] is first a count,
 * then the place of the next key with this digit in this thread's part. */
static void pass(struct arrays from, unsigned int *key, unsigned int *value, size_t n,
                 enum key_type type, int shift, int threads, size_t *next)
{
    size_t sum = 0;

#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        size_t count[RADIX] = {0};

        for (size_t i = beginOf(t, threads, n); i < beginOf(t + 1, threads, n); i++)
            count[encoded(from.key[i], type) >> shift & (RADIX - 1)]++;
        for (int d = 0; d < RADIX; d++)
            next[d * threads + t] = count[d];
    }
    for (int k = 0; k < RADIX * threads; k++) {
        const size_t count = next[k];

        next[k] = sum;
        sum += count;
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        size_t place[RADIX];

        for (int d = 0; d < RADIX; d++)
            place[d] = next[d * threads + t];
        for (size_t i = beginOf(t, threads, n); i < beginOf(t + 1, threads, n); i++) {
            const size_t to = place[encoded(from.key[i], type) >> shift & (RADIX - 1)]++;

            key[to] = from.key[i];
            if (value != NULL)
                value[to] = from.value[i];
        }
    }
}

static void radixSort(const unsigned int *key, const unsigned int *value, unsigned int *sortedKey,
                      unsigned int *sortedValue, size_t n, enum key_type type, int threads)
{
    const size_t bytes = (n + 1) * sizeof *key;
    unsigned int *otherKey = mustAllocate(bytes, "a second array of keys");
    unsigned int *otherValue =
        value != NULL ? mustAllocate(bytes, "a second array of values") : NULL;
    size_t *next = mustAllocate(RADIX * (size_t)threads * sizeof *next, "counters");
    const struct arrays in = {key, value}, other = {otherKey, otherValue},
                        sorted = {sortedKey, sortedValue};

    MEASURE (run) {
        pass(in, otherKey, otherValue, n, type, 0, threads, next);
        pass(other, sortedKey, sortedValue, n, type, 8, threads, next);
        pass(sorted, otherKey, otherValue, n, type, 16, threads, next);
        pass(other, sortedKey, sortedValue, n, type, 24, threads, next);
    }
    free(otherKey);
    free(otherValue);
    free(next);
}

static void oneCore(const unsigned int *key, const unsigned int *value, unsigned int *sortedKey,
                    unsigned int *sortedValue, size_t n, enum key_type type)
{
    radixSort(key, value, sortedKey, sortedValue, n, type, 1);
}

static void allCores(const unsigned int *key, const unsigned int *value, unsigned int *sortedKey,
                     unsigned int *sortedValue, size_t n, enum key_type type)
{
    radixSort(key, value, sortedKey, sortedValue, n, type, allThreads());
}

const struct variant cpuVariants[] = {
    {"one core, radix", oneCore},
    {"all cores, radix", allCores},
    {NULL, NULL},
};
