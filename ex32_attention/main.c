/* TASK     Softmax and layer norm of rows, attention, and decoding: the problem, its inputs, its
 *          reference and the bounds of its rounding errors.
 * TRAFFIC  rows: 4 bytes an element; attention: 4 heads size (queries + keys) bytes.
 * LIMIT    rows, decoding: memory; attention: 4 heads queries keys size operations. */
#include "attention.h"
#include "half.h"
#include "harness.h"
#include "measure.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Heads repeat after so many, but for a factor of their values: 1 or -1. The reference is thus
 * affordable, and a head in the wrong place is found. */
enum { HEADS = 3 };
/* Elements of the softmax alone, and products that a slow variant makes. */
enum { SCORES = 1 << 29, PART = 1 << 25 };

static struct shape s;
static half_bits *q, *k, *v, *o;
static float *got, *want, *weighed;      /* results, and for each the weighted sum of |v| */
static double largestScore, largestMean; /* the latter in standard deviations of its row */

static long headCount, keyCount, headSize; /* --heads, --keys, --head-size; 0: the default */
static int isCausal, areFarApart;
static const char *problem;

static const struct course_option options[] = {
    {"heads", OPTION_INTEGER, &headCount, 1, 65535, NULL, "heads (64; emulated 2)"},
    {"keys", OPTION_INTEGER, &keyCount, 1, 65536, NULL, "keys and values of a head (--size)"},
    {"head-size", OPTION_INTEGER, &headSize, 64, 128, NULL,
     "numbers of a query: 64 or 128 (128; emulated 64)"},
    {"causal", OPTION_FLAG, &isCausal, 0, 0, NULL, "a query does not see later keys"},
    {"far-apart", OPTION_FLAG, &areFarApart, 0, 0, NULL,
     "scores whose exponentials overflow unless the largest is subtracted"},
    {"problem", OPTION_WORD | OPTION_ASIDE, &problem, 0, 0, "softmax,norm,attention,decoding",
     "only the rows of this problem"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double heads(void) { return headCount > 0 ? (double)headCount : harnessEmulated() ? 2 : 64; }

static double keysFor(size_t size) { return keyCount > 0 ? (double)keyCount : (double)size; }

static double tokens(size_t size) { return heads() * ((double)size + keysFor(size)) * 128.0; }

static double scores(size_t size) { return heads() * (double)size * keysFor(size); }

/* q, k, v, o and the scores of some rungs, all in halves. */
static double deviceBytes(size_t size)
{
    return sizeof(half_bits) * (2.0 * tokens(size) + scores(size) + fmin(scores(size), SCORES));
}

static double hostBytes(size_t size)
{
    return 20.0 * tokens(size) + 12.0 * fmin(scores(size), SCORES);
}

static const struct exercise exercise = {
    .name = "ex32_attention",
    .title = "o = softmax(q k' / sqrt(size)) v",
    .unit = "queries of a head",
    .size = 4096,
    .emulatedSize = 40,
    .quickSize = 128,
    .checkSize = 768,
    .minSize = 1,
    .maxSize = 65536,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static size_t product(int x, int y, int z) { return (size_t)x * (size_t)y * (size_t)z; }

static float sign(int head) { return randomBits(4, (size_t)head) % 2 ? 1.0f : -1.0f; }

/* Head h has the numbers of head h % HEADS: of a stream, between -range and range. */
static void setHalves(half_bits *x, int stream, size_t ofHead, double range, int hasSign)
{
#pragma omp parallel for
    for (int h = 0; h < s.heads; h++)
        for (size_t i = 0; i < ofHead; i++) {
            const size_t from = (size_t)(h % HEADS) * ofHead + i;
            const double x0 = randomUniform(stream, from, -range, range);

            x[(size_t)h * ofHead + i] = toHalf((hasSign ? sign(h) : 1.0f) * (float)x0);
        }
}

/* Near 100 or -100: without the largest of them subtracted, exp() is infinite, or 0 for all. Far
 * apart, one of each row is 100 larger: with another one subtracted, exp() is infinite. */
static void setScores(void)
{
    const size_t ofHead = product(s.queries, s.keys, 1), keys = (size_t)s.keys;

#pragma omp parallel for
    for (int h = 0; h < s.heads; h++)
        for (size_t i = 0; i < ofHead; i++) {
            const size_t at = (size_t)h * ofHead + i;

            const int isFar = areFarApart && at % keys == randomBits(10, at / keys) % keys;

            q[at] = toHalf((float)randomUniform(5, at, -8.0, 8.0) + (h % 2 ? -100.0f : 100.0f) +
                           (isFar ? 100.0f : 0.0f));
        }
}

static double exact(half_bits x) { return (double)fromBfloat(x); }

/* Rows of sizes from 2^-8 to 2^30, far beyond the largest half. Each has one number, `offset`, in
 * 1 to 2 times its size. In every other row all numbers are this one or a neighbour of it: the mean
 * is hundreds of standard deviations, and the variance is what is left of squares that cancel. No
 * row of several numbers is constant. */
static void setNormRows(void)
{
#pragma omp parallel for
    for (int r = 0; r < s.heads * s.queries; r++) {
        const unsigned long long bits = randomBits(6, (size_t)r);
        const double size = ldexp(bits % 2 ? 1.0 : -1.0, (int)(bits / 2 % 39) - 8);
        const double step = size / 128.0, offset = size + step * (double)(bits / 128 % 127);

        for (int j = 0; j < s.keys; j++) {
            const size_t at = product(r, s.keys, 1) + (size_t)j;
            const double x0 = randomUniform(7, at, -1.0, 1.0);
            const double narrow = j == r % s.keys ? step : x0 < -2.0 / 3.0 ? -step : 0.0;

            q[at] = toBfloat((float)(offset + (r % 2 ? 0.5 * size * x0 : narrow)));
        }
    }
    for (int j = 0; j < s.keys; j++) {
        k[j] = toBfloat((float)randomUniform(8, (size_t)j, 0.5, 1.5));
        v[j] = toBfloat((float)randomUniform(9, (size_t)j, -3.0, 3.0));
    }
}

static void referenceNorm(void)
{
    double largest = 0.0;

#pragma omp parallel for reduction(max : largest)
    for (int r = 0; r < s.heads * s.queries; r++) {
        const half_bits *x = q + product(r, s.keys, 1);
        double sum = 0.0, squares = 0.0;

        for (int j = 0; j < s.keys; j++)
            sum += exact(x[j]);

        const double mean = sum / s.keys;

        for (int j = 0; j < s.keys; j++)
            squares += (exact(x[j]) - mean) * (exact(x[j]) - mean);

        const double deviation = sqrt(squares / s.keys + EPSILON);

        for (int j = 0; j < s.keys; j++)
            want[product(r, s.keys, 1) + (size_t)j] =
                (float)((exact(x[j]) - mean) / deviation * exact(k[j]) + exact(v[j]));
        if (s.keys > 1) /* the mean of one number is exact */
            largest = fmax(largest, fabs(mean) / deviation);
    }
    largestMean = largest;
}

static int keysSeen(int query)
{
    const int seen = query + s.shift + 1;

    return seen < 0 ? 0 : seen < s.keys ? seen : s.keys;
}

/* In double: the weights of `seen` scores, in place. */
static void softmaxOfRow(double *row, int seen)
{
    double most = -INFINITY, total = 0.0;

    for (int j = 0; j < seen; j++)
        most = fmax(most, row[j]);
    for (int j = 0; j < seen; j++)
        total += row[j] = exp(row[j] - most);
    for (int j = 0; j < seen; j++)
        row[j] /= total;
    for (int j = seen; j < s.keys; j++)
        row[j] = 0.0;
}

static void referenceSoftmax(void)
{
#pragma omp parallel
    {
        double *row = mustAllocate((size_t)s.keys * sizeof *row, "a row");

#pragma omp for
        for (int r = 0; r < s.heads * s.queries; r++) {
            for (int j = 0; j < s.keys; j++)
                row[j] = fromHalf(q[product(r, s.keys, 1) + (size_t)j]);
            softmaxOfRow(row, keysSeen(r % s.queries));
            for (int j = 0; j < s.keys; j++)
                want[product(r, s.keys, 1) + (size_t)j] = (float)row[j];
        }
        free(row);
    }
}

/* Of one query of the first HEADS heads: k and v as floats, `row` with room for keys + 2 size. */
static double referenceOfQuery(int r, const float *keys, const float *values, double *row)
{
    const size_t size = (size_t)s.size, head = product(r / s.queries, s.keys, s.size);
    const int seen = keysSeen(r % s.queries);
    double *sum = row + s.keys, *magnitude = sum + size, largest = 0.0;
    float left[128];

    for (size_t e = 0; e < size; e++) {
        left[e] = fromHalf(q[(size_t)r * size + e]);
        sum[e] = magnitude[e] = 0.0;
    }
    for (int j = 0; j < seen; j++) {
        const float *key = keys + head + product(j, s.size, 1);
        double score = 0.0;

#pragma omp simd reduction(+ : score)
        for (size_t e = 0; e < size; e++)
            score += (double)left[e] * key[e];
        row[j] = score / sqrt((double)s.size);
        largest = fmax(largest, fabs(row[j]));
    }
    softmaxOfRow(row, seen);
    for (int j = 0; j < seen; j++) {
        const float *value = values + head + product(j, s.size, 1);

#pragma omp simd
        for (size_t e = 0; e < size; e++) {
            sum[e] += row[j] * value[e];
            magnitude[e] += row[j] * fabs((double)value[e]);
        }
    }
    for (size_t e = 0; e < size; e++) {
        want[(size_t)r * size + e] = (float)sum[e];
        weighed[(size_t)r * size + e] = (float)magnitude[e];
    }
    return largest;
}

static void referenceAttention(void)
{
    const int some = s.heads < HEADS ? s.heads : HEADS;
    const size_t n = product(some, s.keys, s.size), ofHead = product(s.queries, s.size, 1);
    float *keys = mustAllocate(n * sizeof *keys, "keys");
    float *values = mustAllocate(n * sizeof *values, "values");
    double largest = 0.0;

    for (size_t i = 0; i < n; i++) {
        keys[i] = fromHalf(k[i]);
        values[i] = fromHalf(v[i]);
    }
#pragma omp parallel reduction(max : largest)
    {
        double *row = mustAllocate((size_t)(s.keys + 2 * s.size) * sizeof *row, "a row");

#pragma omp for schedule(dynamic, 8)
        for (int r = 0; r < some * s.queries; r++)
            largest = fmax(largest, referenceOfQuery(r, keys, values, row));
        free(row);
    }
    largestScore = largest;
    free(keys);
    free(values);
    for (int h = HEADS; h < s.heads; h++) {
        const float factor = sign(h) * sign(h % HEADS);

        memcpy(weighed + (size_t)h * ofHead, weighed + (size_t)(h % HEADS) * ofHead,
               ofHead * sizeof *weighed);
        for (size_t i = 0; i < ofHead; i++)
            want[(size_t)h * ofHead + i] = factor * want[(size_t)(h % HEADS) * ofHead + i];
    }
}

static void toFloats(size_t n)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        got[i] = fromHalf(o[i]);
}

/* A result is rounded to a half: 2^-11 of it, or 2^-25 if it is a denormal one. Before, floats were
 * added one after another, at most `keys` of them, and the exponential's argument was rounded. */
static void verifySoftmax(int rows)
{
    const struct tolerance tolerance = {0x1p-25 * 1.01,
                                        0x1p-11 + FLT_EPSILON * (0.5 * s.keys + 40.0)};

    toFloats(product(rows, s.keys, 1));
    verifyFloats2D("y", got, want, (size_t)s.keys, (size_t)rows, tolerance);
}

/* A result is rounded to a bfloat16, by 2^-8 of it at most. Before, the mean is off by a few
 * roundings of itself, and by more of them the more numbers a lane adds one after another. That is
 * so many standard deviations, by which the quotient is off; the standard deviation is off by about
 * as large a part of itself. gamma is at most 1.5, and beta 3. */
static void verifyNorm(int rows)
{
    const double ofMean = FLT_EPSILON * (largestMean + 1.0) * (8.0 + sqrt(s.keys / 32.0));
    const struct tolerance tolerance = {4.5 * ofMean, 0x1p-8 * 1.01 + ofMean};
    const size_t n = product(rows, s.keys, 1);

#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        got[i] = fromBfloat(o[i]);
    verifyFloats2D("y", got, want, (size_t)s.keys, (size_t)rows, tolerance);
}

/* By how much the result is off, in parts of the weighted sum of |v|. The weights are rounded to
 * halves, and so is the result: 2^-11 each. The scores are sums of floats; those that are stored
 * are rounded to halves first, and an error d of a score makes its weight, and the sum of all
 * weights, exp(d) times as large. Weights below 2^-14 are denormal halves, off by 2^-25 each. */
static double bound(unsigned traits)
{
    const double inFloats = FLT_EPSILON * (s.size * largestScore + 0.5 * s.keys + 40.0);
    const double ofScores = inFloats + (traits & IN_HALVES ? 0x1p-11 * largestScore : 0.0);

    return 2.0 * expm1(ofScores) + 3.0 * 0x1p-11;
}

static void verifyAttention(size_t n, unsigned traits)
{
    const double most = bound(traits), denormal = 0x1p-25 * (s.keys + 2.0);
    struct tolerance tolerance = {0.0, 0.0};
    double error = 0.0, worst = 0.0;

    toFloats(n);
#pragma omp parallel for reduction(max : error, worst)
    for (size_t i = 0; i < n; i++) {
        const double off = fabs((double)got[i] - (double)want[i]);

        error = fmax(error, isnan(off) ? INFINITY : off);
        worst = fmax(worst, isnan(off) ? INFINITY : off - most * weighed[i]);
    }
    for (size_t i = 0; worst > denormal && i < n; i++)
        tolerance.absolute = fmax(tolerance.absolute, most * weighed[i] + denormal);
    if (worst > denormal) /* names the kind of mistake, if one is larger than all bounds */
        verifyFloats2D("o", got, want, (size_t)s.size, n / (size_t)s.size, tolerance);
    verifyThat(worst <= denormal, "an element of o is off by more than rounding explains: %.3g",
               error);
    verifyError(error);
}

/* What a variant computes that is too slow for all: some queries of the first head. */
static void takePart(int each)
{
    const double some = (double)PART / each / s.keys;

    if ((double)s.heads * s.queries <= some)
        return;
    s.heads = 1;
    if (s.queries > some)
        s.queries = some > 16 ? (int)some : 16;
}

static void runRows(const struct variant *variant)
{
    const struct shape whole = s;
    const int isNorm = (variant->traits & LAYER_NORM) != 0;

    if (variant->traits & PART_OF_SIZE)
        takePart(8); /* an exponential and its conversions, in products */

    const size_t n = product(s.heads, s.queries, s.keys);

    harnessWork(2.0 * sizeof *o * (double)(n + (isNorm ? (size_t)s.keys : 0)), 0.0,
                (size_t)s.queries);
    poison(o, n * sizeof *o);
    variant->run(&s, q, isNorm ? k : NULL, isNorm ? v : NULL, o);
    harnessRan();
    if (isNorm)
        verifyNorm(s.heads * s.queries);
    else
        verifySoftmax(s.heads * s.queries);
    s = whole;
}

/* The products of q and k that a mask leaves, and as many of weights and values. */
static double operations(void)
{
    double seen = 0.0;

    for (int i = 0; i < s.queries; i++)
        seen += keysSeen(i);
    return 4.0 * s.heads * seen * s.size;
}

static void runAttention(const struct variant *variant)
{
    const struct shape whole = s;

    if (variant->traits & PART_OF_SIZE)
        takePart(s.size);

    const size_t n = product(s.heads, s.queries, s.size);

    harnessWork(2.0 * sizeof *o * (double)(n + product(s.heads, s.keys, s.size)), operations(),
                (size_t)(variant->traits & DECODING ? s.keys : s.queries));
    poison(o, n * sizeof *o);
    variant->run(&s, q, k, v, o);
    harnessRan();
    verifyAttention(n, variant->traits);
    s = whole;
}

static void setShape(void)
{
    s.heads = (int)heads();
    s.queries = (int)harnessSize();
    s.keys = (int)keysFor(harnessSize());
    s.size = headSize > 0 ? (int)headSize : harnessEmulated() ? 64 : 128;
    s.shift = isCausal ? s.keys - s.queries : s.keys;
}

static int isWanted(const char *name) { return problem == NULL || strcmp(problem, name) == 0; }

/* The rows that have one of the traits `with` and none of `without`. */
static void runProblem(const char *name, unsigned with, unsigned without,
                       void (*run)(const struct variant *variant))
{
    harnessParameters("problem=%s", name);
    harnessTraits(with, without);
    RUN_VARIANTS (variant) {
        run(variant);
    }
}

static void attentionOf(const char *name, unsigned with, unsigned without)
{
    setHalves(q, 1, product(s.queries, s.size, 1), areFarApart ? 128.0 : 2.0, 0);
    referenceAttention();
    runProblem(name, with, without, runAttention);
}

int main(int argc, char **argv)
{
    size_t n, sizeQ, sizeK;

    harnessStart(&exercise, argc, argv);
    if (headSize > 64 && headSize < 128)
        courseFail(EXIT_USAGE, "--head-size %ld: expected 64 or 128", headSize);
    setShape();
    sizeQ = product(s.heads, s.queries, s.size);
    sizeK = product(s.heads, s.keys, s.size);
    while (s.heads > 1 && product(s.heads, s.queries, s.keys) > SCORES)
        s.heads /= 2;
    if (product(s.heads, s.queries, s.keys) > SCORES)
        s.queries = SCORES / s.keys;
    n = product(s.heads, s.queries, s.keys);
    n = n > sizeQ ? n : sizeQ;
    q = newArray(n, sizeof *q);
    o = newArray(n, sizeof *o);
    k = newArray(sizeK, sizeof *k);
    v = newArray(sizeK, sizeof *v);
    got = newArray(n, sizeof *got);
    want = newArray(n, sizeof *want);
    weighed = newArray(sizeQ, sizeof *weighed);
    if (isWanted("softmax")) {
        setScores();
        referenceSoftmax();
        runProblem("softmax", SOFTMAX, 0, runRows);
    }
    if (isWanted("norm")) {
        setNormRows();
        referenceNorm();
        runProblem("norm", LAYER_NORM, 0, runRows);
    }
    setShape();
    if (isWanted("attention") || isWanted("decoding")) {
        setHalves(k, 2, product(s.keys, s.size, 1), 2.0, 0);
        setHalves(v, 3, product(s.keys, s.size, 1), 1.0, 1);
    }
    if (isWanted("attention"))
        attentionOf("attention", 0, SOFTMAX | LAYER_NORM | DECODING);
    s.queries = 1;
    s.shift = s.keys; /* the query of the last word, which sees all keys */
    if (isWanted("decoding"))
        attentionOf("decoding", DECODING, 0);
    return harnessFinish();
}
