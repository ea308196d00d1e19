/* TASK     sums of gathered elements, and an image turned and scaled: the CPU baseline, and the
 *          references.
 * TRAFFIC  of an image of n x n floats: 4 n n bytes written, 4 scale scale n n read.
 * LIMIT    the arithmetic of an interpolation, on one core; memory bandwidth, on all. */
#include "cpu.h"
#include "measure.h"

void sumsExactly(const struct work *work, float *y)
{
    const struct shape s = work->shape;

#pragma omp parallel for
    for (int t = 0; t < s.threads; t++) {
        double sum = 0.0;

        for (int k = 0; k < s.region && work->first[t] + k < s.count; k++)
            sum += (double)work->x[work->first[t] + k];
        y[t] = (float)sum;
    }
}

static float pixelAt(const struct work *work, int column, int row)
{
    const size_t side = (size_t)work->side;

    return work->x[(size_t)inside(row, work->side) * side + (size_t)inside(column, work->side)];
}

void nearestExactly(const struct work *work, float *y)
{
#pragma omp parallel for
    for (int j = 0; j < work->side; j++)
        for (int i = 0; i < work->side; i++)
            y[(size_t)j * (size_t)work->side + (size_t)i] =
                pixelAt(work, (int)floor((double)placeU(work->turn, i, j)),
                        (int)floor((double)placeV(work->turn, i, j)));
}

void linearExactly(const struct work *work, float *y)
{
#pragma omp parallel for
    for (int j = 0; j < work->side; j++)
        for (int i = 0; i < work->side; i++) {
            const double u = (double)placeU(work->turn, i, j) - 0.5;
            const double v = (double)placeV(work->turn, i, j) - 0.5;
            const double a = u - floor(u), b = v - floor(v);
            const int k = (int)floor(u), l = (int)floor(v);

            y[(size_t)j * (size_t)work->side + (size_t)i] =
                (float)((1.0 - b) * ((1.0 - a) * (double)pixelAt(work, k, l) +
                                     a * (double)pixelAt(work, k + 1, l)) +
                        b * ((1.0 - a) * (double)pixelAt(work, k, l + 1) +
                             a * (double)pixelAt(work, k + 1, l + 1)));
        }
}

/* For coordinates in pixels, the formula of the CUDA C++ Programming Guide, chapter "Texture
 * Fetching", section "Linear Filtering", is
 *
 *     tex(x, y) = (1 - a)(1 - b) T[i, j] + a (1 - b) T[i + 1, j] + (1 - a) b T[i, j + 1] + a b T[i
 *     + 1, j + 1]
 *
 * where i and a are the whole and the fractional part of x - 0.5, j and b those of y - 0.5. The
 * same section says that a and b are numbers of 9 bits, 8 of them fractional, so that 1 is one of
 * them. It does not say how they are rounded, nor that their product is. An H200 shows it, asked
 * for all pairs of a and b: both are rounded to the nearest multiple of 1/256, and so is the
 * product a b (a tie goes up); the other three weights are what is left of a, of b, and of 1. In
 * units of 1/256 the weights are integers from 0 to 256, the grey levels are integers, too, and a
 * float holds their sum: whoever adds up the products gets the same bits, in whatever order. */
void linearEightBits(const struct work *work, float *y)
{
#pragma omp parallel for
    for (int j = 0; j < work->side; j++)
        for (int i = 0; i < work->side; i++) {
            const double u = (double)placeU(work->turn, i, j) - 0.5;
            const double v = (double)placeV(work->turn, i, j) - 0.5;
            const int k = (int)floor(u), l = (int)floor(v);
            const long a = (long)floor((u - k) * 256.0 + 0.5),
                       b = (long)floor((v - l) * 256.0 + 0.5);
            const long ab = (a * b + 128) / 256;
            const long sum = (256 - a - b + ab) * (long)pixelAt(work, k, l) +
                             (a - ab) * (long)pixelAt(work, k + 1, l) +
                             (b - ab) * (long)pixelAt(work, k, l + 1) +
                             ab * (long)pixelAt(work, k + 1, l + 1);

            y[(size_t)j * (size_t)work->side + (size_t)i] = (float)sum / 256.0f;
        }
}

/* The four pixels around (u, v), in float: what one would write. */
static float interpolate(const struct work *work, float u, float v)
{
    const float i = floorf(u - 0.5f), j = floorf(v - 0.5f);
    const float a = u - 0.5f - i, b = v - 0.5f - j;
    const int k = (int)i, l = (int)j;

    return (1.0f - b) * ((1.0f - a) * pixelAt(work, k, l) + a * pixelAt(work, k + 1, l)) +
           b * ((1.0f - a) * pixelAt(work, k, l + 1) + a * pixelAt(work, k + 1, l + 1));
}

static void linearRow(const struct work *work, int j, float *row)
{
    for (int i = 0; i < work->side; i++)
        row[i] = interpolate(work, placeU(work->turn, i, j), placeV(work->turn, i, j));
}

static void linearOneCore(const struct work *work, float *y)
{
    MEASURE (run) {
        for (int j = 0; j < work->side; j++)
            linearRow(work, j, y + (size_t)j * (size_t)work->side);
    }
}

static void linearAllCores(const struct work *work, float *y)
{
    MEASURE (run) {
#pragma omp parallel for
        for (int j = 0; j < work->side; j++)
            linearRow(work, j, y + (size_t)j * (size_t)work->side);
    }
}

static void nearestAllCores(const struct work *work, float *y)
{
    MEASURE (run) {
#pragma omp parallel for
        for (int j = 0; j < work->side; j++)
            for (int i = 0; i < work->side; i++)
                y[(size_t)j * (size_t)work->side + (size_t)i] =
                    pixelAt(work, (int)floorf(placeU(work->turn, i, j)),
                            (int)floorf(placeV(work->turn, i, j)));
    }
}

static void sumsAllCores(const struct work *work, float *y)
{
    const struct shape s = work->shape;

    MEASURE (run) {
#pragma omp parallel for
        for (int t = 0; t < s.threads; t++) {
            float sum = 0.0f;

            for (int k = 0; k < s.region && work->first[t] + k < s.count; k++)
                sum += work->x[work->first[t] + k];
            y[t] = sum;
        }
    }
}

static void eightBitsAllCores(const struct work *work, float *y)
{
    MEASURE (run) {
        linearEightBits(work, y);
    }
}

const struct variant cpuVariants[] = {
    {"linear, one core", linearOneCore, LINEAR},
    {"regions, all cores", sumsAllCores, SUMS},
    {"table, all cores", sumsAllCores, FROM_TABLE},
    {"nearest, all cores", nearestAllCores, NEAREST},
    {"linear, 8-bit weights, all cores", eightBitsAllCores, EIGHT_BITS},
    {"linear, all cores", linearAllCores, LINEAR},
    {NULL, NULL},
};
