/* TASK     sums of gathered elements, and an image turned and scaled: the problem, its inputs, what
 *          is verified, and the picture.
 * TRAFFIC  of an image of n x n floats: 4 n n bytes written, 4 scale scale n n read. Of sums of
 *          regions: 4 n n read.
 * LIMIT    memory bandwidth; for what stays in a cache, the rate of that cache. */
#include "measure.h"
#include "cpu.h"
#include "harness.h"
#include "png.h"
#include <math.h>
#include <string.h>

#define ROUNDING 1e-3f /* of four products in float */

/* What a row computes, and hence its reference. */
enum kind { REGIONS, ALL_OVER, SAME, PIXEL, INTERPOLATED, ROUNDED, KINDS };

static long region = 32;
static double angle = 30.0, scale = 0.7;
static const char *pictureFile;

static const struct course_option options[] = {
    {"region", OPTION_INTEGER, &region, 1, 1024, NULL, "consecutive elements of a sum (32)"},
    {"angle", OPTION_NUMBER, &angle, -360, 360, NULL, "by which the image is turned (30 degrees)"},
    {"scale", OPTION_NUMBER, &scale, 1.0 / 256, 256, NULL,
     "pixels of the image from one of the result to the next (0.7)"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &pictureFile, 0, 0, NULL,
     "writes the last row's image (.png)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double pixelsOf(size_t side) { return (double)side * (double)side; }

static double sumsOf(size_t side) { return ceil(pixelsOf(side) / (double)region); }

/* Two images, or one and the sums with their first elements. */
static double deviceBytes(size_t side)
{
    return sizeof(float) * (2.0 * pixelsOf(side) + TABLE) + 2.0 * sizeof(int) * sumsOf(side);
}

/* The image, the result, a reference for each kind, and the first elements. */
static double hostBytes(size_t side)
{
    return sizeof(float) * (6.0 * pixelsOf(side) + 6.0 * sumsOf(side));
}

static const struct exercise exercise = {
    .name = "ex23_textures",
    .title = "gathered sums, and an image turned and scaled",
    .unit = "rows and columns of the image",
    .size = 8192,
    .emulatedSize = 101,
    .quickSize = 512,
    .checkSize = 4096,
    .minSize = 1,
    .maxSize = 11585, /* a texture of plain memory has up to 2^27 elements */
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static float *image, *table, *y, *reference[KINDS];
static int *first[SAME + 1];
static struct work work[KINDS];

static int has(const struct variant *v, unsigned traits) { return (v->traits & traits) == traits; }

static enum kind kindOf(const struct variant *v)
{
    if (v->traits & LINEAR)
        return has(v, EIGHT_BITS) ? ROUNDED : INTERPOLATED;
    if (has(v, NEAREST))
        return PIXEL;
    return has(v, ONE_ADDRESS) ? SAME : has(v, FROM_TABLE) ? ALL_OVER : REGIONS;
}

static int isImage(enum kind kind) { return kind >= PIXEL; }

/* The results of a kind. */
static size_t resultsOf(enum kind kind)
{
    return isImage(kind) ? (size_t)work[kind].side * (size_t)work[kind].side
                         : (size_t)work[kind].shape.threads;
}

/* Rings around a point that is not the middle, narrower and narrower, and some noise: whole levels,
 * so that a result can be compared bit for bit. */
static void drawImage(int side)
{
#pragma omp parallel for
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const double dx = column - 0.3 * side, dy = row - 0.6 * side;
            const double phase = 1.5707963267948966 * (dx * dx + dy * dy) / side;
            const size_t i = (size_t)row * (size_t)side + (size_t)column;

            image[i] = (float)((int)(120.0 + 119.0 * cos(phase)) + (int)(randomBits(1, i) & 15));
        }
}

/* The image is turned around its middle. */
static struct turn turnOf(int side)
{
    const double radians = angle / 180.0 * 3.14159265358979324, middle = 0.5 * side;
    const double a = scale * cos(radians), b = scale * sin(radians);
    const struct turn turn = {(float)(middle + (0.5 - middle) * (a - b)),
                              (float)(middle + (0.5 - middle) * (a + b)), (float)a, (float)b};

    return turn;
}

/* The regions of the image's memory, one after the other; in the table somewhere, for each lane or
 * for each warp, the last one where the table ends. */
static void placeRegions(int threads)
{
    const unsigned long long places = (unsigned long long)(TABLE - region + 1);
    const int beyond = TABLE - (int)(region + 1) / 2; /* such a region is cut */

    for (int k = REGIONS; k <= SAME; k++)
        first[k] = newArray((size_t)threads, sizeof **first);
    for (int t = 0; t < threads; t++) {
        first[REGIONS][t] = (int)(t * region);
        first[ALL_OVER][t] = (int)(randomBits(2, (size_t)t) % places);
        first[SAME][t] =
            t / 32 == (threads - 1) / 32 ? beyond : (int)(randomBits(2, (size_t)(t / 32)) % places);
    }
    first[ALL_OVER][threads - 1] = beyond;
}

static void makeInputs(int side)
{
    const size_t n = (size_t)side * (size_t)side;
    const int threads = (int)sumsOf((size_t)side);

    image = newArray(n, sizeof *image);
    table = newArray(TABLE, sizeof *table);
    y = newArray(n, sizeof *y);
    drawImage(side);
    for (size_t i = 0; i < TABLE; i++)
        table[i] = (float)(randomBits(3, i) & 255);
    placeRegions(threads);
    for (int kind = 0; kind < KINDS; kind++) {
        const struct work w = {.x = kind == ALL_OVER || kind == SAME ? table : image,
                               .first = kind <= SAME ? first[kind] : NULL,
                               .shape = {kind == REGIONS ? (int)n : TABLE, threads, (int)region},
                               .side = side,
                               .turn = turnOf(side)};

        work[kind] = w;
    }
}

/* Computed when it is first asked for. */
static const float *referenceOf(enum kind kind)
{
    static void (*const exactly[KINDS])(const struct work *, float *) = {
        sumsExactly, sumsExactly, sumsExactly, nearestExactly, linearExactly, linearEightBits};

    if (reference[kind] == NULL) {
        reference[kind] = newArray(resultsOf(kind), sizeof *y);
        exactly[kind](&work[kind], reference[kind]);
    }
    return reference[kind];
}

/* Sums: what the lanes ask for. Images: what is written, and what of the image is seen. */
static double bytesOf(enum kind kind)
{
    const double sums = sumsOf((size_t)work[kind].side), pixels = pixelsOf((size_t)work[kind].side);

    if (isImage(kind))
        return sizeof(float) * pixels * (1.0 + fmin(1.0, scale * scale));
    return (kind == REGIONS ? sizeof(float) * pixels : sizeof(float) * sums * (double)region) +
           (sizeof(float) + sizeof(int)) * sums;
}

static float largestDifference(const float *want, size_t n)
{
    float largest = 0.0f;

#pragma omp parallel for reduction(max : largest)
    for (size_t i = 0; i < n; i++) {
        const float difference = fabsf(y[i] - want[i]);

        largest = fmaxf(largest, isnan(difference) ? INFINITY : difference);
    }
    return largest;
}

/* Whether the image is that of places which are half a pixel further on, or before. */
static void judgeShift(float allowed)
{
    const size_t n = resultsOf(INTERPOLATED);
    float *shifted;

    if (largestDifference(referenceOf(INTERPOLATED), n) <= allowed)
        return;
    shifted = newArray(n, sizeof *shifted);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct work moved = work[INTERPOLATED];

        moved.turn.u += 0.5f * (float)sign;
        moved.turn.v += 0.5f * (float)sign;
        linearExactly(&moved, shifted);
        verifyThat(largestDifference(shifted, n) > allowed,
                   sign > 0
                       ? "the image is moved by half a pixel: the centre of pixel k is at k + 0.5"
                       : "the image is moved by half a pixel, the other way: tex2D() takes k + "
                         "0.5 for the centre of pixel k");
    }
}

/* Both weights and their product are rounded to multiples of 1/256, so each is off by up to 1/512.
 * The first two change the result by up to LEVELS / 512 each, and the product, whose factor is the
 * difference of two differences, by twice as much. How they are rounded is no promise of NVIDIA's
 * (linearEightBits()): where it is known all pixels must agree, on other GPUs it is stated how many
 * do. */
static void verifyEightBits(void)
{
    const struct tolerance levels = {LEVELS / 128.0, 0.0}, exact = {0.0, 0.0};
    const size_t side = (size_t)work[ROUNDED].side, n = side * side;
    const float *model = referenceOf(ROUNDED);
    size_t same = 0;

    judgeShift(LEVELS / 128.0f);
    verifyFloats2D("pixel", y, referenceOf(INTERPOLATED), side, side, levels);
    if (harnessEmulated())
        verifyThat(largestDifference(model, n) <= ROUNDING ||
                       largestDifference(referenceOf(INTERPOLATED), n) > ROUNDING,
                   "is too exact for weights of 8 bits: the texture is to interpolate, not the "
                   "kernel");
    if (rowVerdict() != EXIT_PASS)
        return;
    if (harnessCpuOnly() || harnessEmulated() || harnessCapability() == 90)
        verifyFloats2D("pixel", y, model, side, side, exact);
#pragma omp parallel for reduction(+ : same)
    for (size_t i = 0; i < n; i++)
        same += y[i] == model[i];
    if (rowVerdict() == EXIT_PASS)
        harnessRemark(
            "up to %.3f levels off, of %.0f; %zu of %zu pixels are those of weights with 8 bits",
            (double)largestDifference(referenceOf(INTERPOLATED), n), (double)LEVELS, same, n);
}

static void verify(enum kind kind)
{
    const struct tolerance exact = {0.0, 0.0}, rounding = {ROUNDING, 0.0};
    const size_t side = (size_t)work[kind].side;

    if (kind == ROUNDED) {
        verifyEightBits();
    } else if (kind == INTERPOLATED) {
        judgeShift(ROUNDING);
        verifyFloats2D("pixel", y, referenceOf(kind), side, side, rounding);
    } else if (kind == PIXEL) {
        verifyFloats2D("pixel", y, referenceOf(kind), side, side, exact);
    } else {
        verifyFloats("sum", y, referenceOf(kind), resultsOf(kind), exact); /* integers below 2^24 */
    }
}

/* The table stays in L1. Whether the rest stays in L2 depends on the size. */
static void setLimit(enum kind kind)
{
#ifndef COURSE_CPU_ONLY
    static double l1 = -1.0, l2 = -1.0;
    const int isCached = kind == ALL_OVER || kind == SAME;

    if (l1 < 0.0 && !harnessListing()) {
        l1 = rateOfL1();
        l2 = rateOfL2(deviceBytes((size_t)work[kind].side));
        if (l1 > 0.0)
            harnessNote("The limit of rows with a table is what L1 delivers, %.0f GB/s; of the "
                        "others %s, %.0f "
                        "GB/s",
                        l1 * 1e-9, l2 > 0.0 ? "what L2 delivers" : "a copy's rate",
                        (l2 > 0.0 ? l2 : harnessCopyRate()) * 1e-9);
    }
    if (l1 > 0.0)
        harnessLimit(isCached ? l1 : l2 > 0.0 ? l2 : harnessCopyRate());
#else
    (void)kind;
#endif
}

static int isOfCpu(const struct variant *v)
{
    for (const struct variant *c = cpuVariants; c->name != NULL; c++)
        if (c == v)
            return 1;
    return 0;
}

static void writePicture(void)
{
    const size_t n = resultsOf(PIXEL);
    int *pixels = newArray(n, sizeof *pixels);

    for (size_t i = 0; i < n; i++)
        pixels[i] = 0x010101 * (int)fminf(fmaxf(y[i] + 0.5f, 0.0f), LEVELS);
    writePng(pictureFile, pixels, work[PIXEL].side, work[PIXEL].side);
    harnessNote("Written: %s", pictureFile);
}

int main(int argc, char **argv)
{
    int hasImage = 0;

    harnessStart(&exercise, argc, argv);
    checkPngName("picture", pictureFile);
    makeInputs((int)harnessSize());
    if (region != 32 || angle != 30.0 || scale != 0.7)
        harnessParameters("region=%ld angle=%g scale=%g", region, angle, scale);

    for (int kind = 0; harnessHasTime() && kind < KINDS; kind++)
        referenceOf((enum kind)kind);
    RUN_VARIANTS (v) {
        const enum kind kind = kindOf(v);

        harnessWork(bytesOf(kind), 0.0, harnessSize());
        if (!isOfCpu(v))
            setLimit(kind);
        poison(y, resultsOf(kind) * sizeof *y);
        v->run(&work[kind], y);
        harnessRan();
        verify(kind);
        hasImage = isImage(kind) && rowVerdict() == EXIT_PASS;
    }
    if (pictureFile != NULL && hasImage)
        writePicture();
    else if (pictureFile != NULL)
        harnessNote("No picture: the last row has no image, or a wrong one; --variant linear "
                    "chooses others");
    return harnessFinish();
}
