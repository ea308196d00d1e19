/* Host arrays and deterministic inputs. */
#include "arrays.h"
#include "fail.h"
#include "harness.h"
#include "measure_internal.h"
#include "result_provenance.h"
#include "options.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void **arrays;
static size_t arrayCount;

/* Lets each core touch first the pages that it will use in a loop over the array: the system then
 * places them in the memory nearest to that core, and all cores share the work. */
static void touch(char *array, size_t bytes)
{
    const size_t page = 4096;

#pragma omp parallel for schedule(static) if (bytes > 1024 * page)
    for (size_t i = 0; i < bytes; i += page)
        *(volatile char *)(array + i) = 0;
}

void *newArray(size_t count, size_t elementSize)
{
    void **grown = realloc(arrays, (arrayCount + 1) * sizeof *arrays);
    void *array = calloc(count > 0 ? count : 1, elementSize);

    if (grown != NULL)
        arrays = grown;
    if (grown == NULL || array == NULL) {
        free(array);
        courseFail(EXIT_ERROR, "no memory for an array of %.3g MB; try a smaller --size",
                   (double)count * (double)elementSize * 1e-6);
    }
    touch(array, count * elementSize);
    arrays[arrayCount++] = array;
    return array;
}

void arraysFree(void)
{
    while (arrayCount > 0)
        free(arrays[--arrayCount]);
    free(arrays);
    arrays = NULL;
}

void poison(void *array, size_t bytes)
{
    const size_t piece = (size_t)1 << 20;

#pragma omp parallel for schedule(static) if (bytes > 4 * piece)
    for (size_t i = 0; i < bytes; i += piece)
        memset((char *)array + i, 0xFF, bytes - i < piece ? bytes - i : piece);
    provenanceExpect(array, bytes);
    wholeStart(); /* this time does not count as the variant's */
}

/* SplitMix64 (Steele, Lea and Flood, 2014) as a function of a counter, so that element i needs no
 * element before it: any thread can make any part. */
unsigned long long randomBits(int stream, size_t i)
{
    uint64_t z = ((uint64_t)(settings->seed & 255) << 40) + ((uint64_t)(unsigned)stream << 48) + i;

    z += (uint64_t)(settings->seed >> 8) * UINT64_C(0xD1B54A32D192ED03); /* any large odd number */
    z = (z + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double randomUniform(int stream, size_t i, double from, double to)
{
    return from + (to - from) * ((double)(randomBits(stream, i) >> 11) * 0x1p-53);
}

/* An eighth of the elements are zeros. Of the others about thirty in an array are special, or a
 * quarter of a small array: the rest must stay ordinary, so that other mistakes still show. */
double specialOr(double x, int stream, size_t i, size_t n)
{
    static const struct {
        unsigned kind;
        double value;
    } values[] = {{NANS, NAN},       {INFINITIES, INFINITY}, {TINY, 1e-41},
                  {TINY, -0x1p-126}, {TINY, 1e-30},          {INFINITIES, -INFINITY}};
    const size_t kinds = sizeof values / sizeof *values, every = n / 32 > 4 ? n / 32 : 4;
    unsigned long long bits;

    if (settings->special == 0)
        return x;
    bits = randomBits(stream + 128, i); /* a stream of their own */
    if ((settings->special & ZEROS) && bits % 8 == 0)
        return 0.0;
    bits >>= 3;
    for (size_t k = 0; bits % every == 0 && k < kinds; k++) {
        const size_t at = (bits / every + k) % kinds;

        if (settings->special & values[at].kind)
            return values[at].value;
    }
    return x;
}

void randomFloats(float *x, size_t n, int stream)
{
    /* 24 bits, so that the rounding to float never reaches 1. */
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        x[i] =
            (float)specialOr((double)(randomBits(stream, i) >> 40) * 0x1p-23 - 1.0, stream, i, n);
}

void randomDoubles(double *x, size_t n, int stream)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        x[i] = specialOr(randomUniform(stream, i, -1.0, 1.0), stream, i, n);
}
