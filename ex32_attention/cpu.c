/* TASK     Softmax and layer norm of rows, and attention: the CPU baseline, one core and all cores.
 * TRAFFIC  rows: 4 bytes an element; attention: 4 heads size (queries + keys) bytes.
 * LIMIT    softmax: exponentials; layer norm: conversions; attention: multiply-adds. */
#include "attention.h"
#include "half.h"
#include "measure.h"
#include <stdlib.h>

static int keysSeen(const struct shape *s, int query)
{
    const int seen = query + s->shift + 1;

    return seen < 0 ? 0 : seen < s->keys ? seen : s->keys;
}

/* In place: weights that add up to 1, and zeros for the keys that are not seen. */
static void softmaxOfRow(float *row, int seen, int keys)
{
    float most = -INFINITY, total = 0.0f;

    for (int j = 0; j < seen; j++)
        most = fmaxf(most, row[j]);
    for (int j = 0; j < seen; j++)
        total += row[j] = expf(row[j] - most);
    for (int j = 0; j < keys; j++)
        row[j] = j < seen ? row[j] / total : 0.0f;
}

static void softmaxRow(const struct shape *s, const half_bits *x, half_bits *y, int r)
{
    const size_t keys = (size_t)s->keys, at = (size_t)r * keys;
    float *row = mustAllocate(keys * sizeof *row, "a row");

    for (size_t j = 0; j < keys; j++)
        row[j] = fromHalf(x[at + j]);
    softmaxOfRow(row, keysSeen(s, r % s->queries), s->keys);
    for (size_t j = 0; j < keys; j++)
        y[at + j] = toHalf(row[j]);
    free(row);
}

static void softmaxOneCore(const struct shape *s, const half_bits *x, const half_bits *k,
                           const half_bits *v, half_bits *y)
{
    (void)k;
    (void)v;
    MEASURE (run) {
        for (int r = 0; r < s->heads * s->queries; r++)
            softmaxRow(s, x, y, r);
    }
}

static void softmaxAllCores(const struct shape *s, const half_bits *x, const half_bits *k,
                            const half_bits *v, half_bits *y)
{
    (void)k;
    (void)v;
    MEASURE (run) {
#pragma omp parallel for
        for (int r = 0; r < s->heads * s->queries; r++)
            softmaxRow(s, x, y, r);
    }
}

/* Two passes, with sums in double: thousands of numbers are added one after another. */
static void normRow(const struct shape *s, const half_bits *x, const half_bits *gamma,
                    const half_bits *beta, half_bits *y, int r)
{
    const size_t columns = (size_t)s->keys;
    double sum = 0.0, squares = 0.0;

    x += (size_t)r * columns;
    y += (size_t)r * columns;
    for (size_t j = 0; j < columns; j++)
        sum += fromBfloat(x[j]);

    const double mean = sum / s->keys;

    for (size_t j = 0; j < columns; j++)
        squares += (fromBfloat(x[j]) - mean) * (fromBfloat(x[j]) - mean);

    const double factor = 1.0 / sqrt(squares / s->keys + EPSILON);

    for (size_t j = 0; j < columns; j++)
        y[j] = toBfloat((float)((fromBfloat(x[j]) - mean) * factor) * fromBfloat(gamma[j]) +
                        fromBfloat(beta[j]));
}

static void normOneCore(const struct shape *s, const half_bits *x, const half_bits *gamma,
                        const half_bits *beta, half_bits *y)
{
    MEASURE (run) {
        for (int r = 0; r < s->heads * s->queries; r++)
            normRow(s, x, gamma, beta, y, r);
    }
}

static void normAllCores(const struct shape *s, const half_bits *x, const half_bits *gamma,
                         const half_bits *beta, half_bits *y)
{
    MEASURE (run) {
#pragma omp parallel for
        for (int r = 0; r < s->heads * s->queries; r++)
            normRow(s, x, gamma, beta, y, r);
    }
}

/* As floats: a core would convert each half of k and v again for every query. */
static float *newFloats(const half_bits *x, size_t n)
{
    float *y = mustAllocate(n * sizeof *y, "floats");

#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        y[i] = fromHalf(x[i]);
    return y;
}

/* Query r of all heads' queries. `row` has room for a row of scores and then one of results. */
static void attentionOfQuery(const struct shape *s, const float *q, const float *k, const float *v,
                             half_bits *o, int r, float *row)
{
    const size_t size = (size_t)s->size, keys = (size_t)s->keys;
    const size_t head = (size_t)(r / s->queries) * keys * size;
    const int seen = keysSeen(s, r % s->queries);
    const float factor = 1.0f / sqrtf((float)s->size);
    float *result = row + keys;

    for (size_t j = 0; j < (size_t)seen; j++) {
        float score = 0.0f;

#pragma omp simd reduction(+ : score)
        for (size_t e = 0; e < size; e++)
            score += q[(size_t)r * size + e] * k[head + j * size + e];
        row[j] = score * factor;
    }
    softmaxOfRow(row, seen, s->keys);
    for (size_t e = 0; e < size; e++)
        result[e] = 0.0f;
    for (size_t j = 0; j < (size_t)seen; j++)
#pragma omp simd
        for (size_t e = 0; e < size; e++)
            result[e] += row[j] * v[head + j * size + e];
    for (size_t e = 0; e < size; e++)
        o[(size_t)r * size + e] = toHalf(result[e]);
}

static void attention(const struct shape *s, const half_bits *q, const half_bits *k,
                      const half_bits *v, half_bits *o, int onAllCores)
{
    const size_t sizeQ = (size_t)s->heads * (size_t)s->queries * (size_t)s->size;
    const size_t sizeK = (size_t)s->heads * (size_t)s->keys * (size_t)s->size;
    float *left = newFloats(q, sizeQ), *right = newFloats(k, sizeK), *values = newFloats(v, sizeK);

    MEASURE (run) {
#pragma omp parallel if (onAllCores)
        {
            float *row = mustAllocate((size_t)(s->keys + s->size) * sizeof *row, "a row");

#pragma omp for schedule(dynamic)
            for (int r = 0; r < s->heads * s->queries; r++)
                attentionOfQuery(s, left, right, values, o, r, row);
            free(row);
        }
    }
    free(left);
    free(right);
    free(values);
}

static void attentionOneCore(const struct shape *s, const half_bits *q, const half_bits *k,
                             const half_bits *v, half_bits *o)
{
    attention(s, q, k, v, o, 0);
}

static void attentionAllCores(const struct shape *s, const half_bits *q, const half_bits *k,
                              const half_bits *v, half_bits *o)
{
    attention(s, q, k, v, o, 1);
}

const struct variant cpuVariants[] = {
    {"softmax, one core", softmaxOneCore, SOFTMAX | PART_OF_SIZE},
    {"softmax, all cores", softmaxAllCores, SOFTMAX | PART_OF_SIZE},
    {"layer norm, one core", normOneCore, LAYER_NORM | PART_OF_SIZE},
    {"layer norm, all cores", normAllCores, LAYER_NORM | PART_OF_SIZE},
    {"attention, one core", attentionOneCore, PART_OF_SIZE},
    {"attention, all cores", attentionAllCores, PART_OF_SIZE},
    {"decoding, one core", attentionOneCore, DECODING},
    {"decoding, all cores", attentionAllCores, DECODING},
    {NULL, NULL},
};
