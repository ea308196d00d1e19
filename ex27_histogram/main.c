/* TASK     how often each value occurs among n bytes: the problem, its inputs, its references, and
 *          a picture of an equalised image.
 * TRAFFIC  n bytes: x read. Equalised: 3 n, x read twice and y written.
 * LIMIT    memory bandwidth, unless counters collide. */
#include "measure.h"
#include "histogram.h"
#include "harness.h"
#include "png.h"
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An addition for each byte, all to one address, would take seconds. */
enum { PART = 1 << 24 };

static const char *input = "random", *copies = "32", *pictureFile;

static const struct course_option options[] = {
    {"input", OPTION_WORD, &input, 0, 0, "random,one,zipf,sorted,image",
     "the bytes: random; all the same; value v with weight 1 / (v + 1); sorted; a pale picture"},
    {"copies", OPTION_WORD, &copies, 0, 0, "1,2,4,8,16,32",
     "of the counters in a block, for the row with lanes' own (32)"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &pictureFile, 0, 0, NULL,
     "writes the image before and after, with --input image (.png)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

static double deviceBytes(size_t size) { return 2.0 * (double)size; }

static double hostBytes(size_t size) { return 2.0 * (double)size; }

static const struct exercise exercise = {
    .name = "ex27_histogram",
    .title = "how often each value occurs among n bytes",
    .unit = "bytes",
    .size = (size_t)1 << 30,
    .emulatedSize = 100003,
    .quickSize = (size_t)1 << 24,
    .checkSize = (size_t)1 << 26,
    .minSize = 0,
    .maxSize = INT_MAX, /* counts are ints */
    .gridsFold = 1,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

static size_t n;
static unsigned char *x, *y;
static int edge[BINS + 1], counts[SHORT_BINS];
static int byteCounts[BINS], partCounts[BINS], binCounts[BINS], shortCounts[SHORT_BINS];

static int imageSide(void) { return (int)sqrt((double)n); }

/* Hills in fog, the nearer the darker: few of the 256 levels occur. */
static unsigned char imageByte(size_t i)
{
    const int side = imageSide();
    const double u = (double)(i % (size_t)side) / side, v = (double)(i / (size_t)side) / side;
    double level = 148.0 - 12.0 * v;

    for (int k = 0; k < 5; k++) {
        const double ridge = 0.34 + 0.13 * k + 0.07 * sin((5 + 2 * k) * u + 2 * k) +
                             0.015 * sin((31 + 9 * k) * u + k);

        if (v > ridge)
            level = 136.0 - 9.0 * k + 30.0 * (v - ridge) * sin(300.0 * (v - ridge) / (k + 2));
    }
    return (unsigned char)(level + (double)(randomBits(1, i) % 4));
}

static unsigned char randomByte(size_t i) { return (unsigned char)randomBits(1, i); }

static unsigned char oneByte(size_t i) { return randomByte(0 * i); }

static unsigned char zipf[SHORT_BINS];

static unsigned char zipfByte(size_t i) { return zipf[randomBits(1, i) % SHORT_BINS]; }

/* Each value has a part of the table in proportion to its weight, 1 / (value + 1). */
static void fillZipf(void)
{
    double weights = 0.0, upTo = 1.0;
    int v = 0;

    for (int k = 0; k < BINS; k++)
        weights += 1.0 / (k + 1);
    for (int k = 0; k < SHORT_BINS; k++) {
        while (v < BINS - 1 && upTo / weights * SHORT_BINS <= k)
            upTo += 1.0 / (++v + 1);
        zipf[k] = (unsigned char)v;
    }
}

static int valueOfByte(size_t i) { return x[i]; }

static int valueOfShort(size_t i)
{
    unsigned short value;

    memcpy(&value, x + 2 * i, sizeof value);
    return value;
}

/* Adds the number of times that each value occurs. */
static void count(int *result, int bins, size_t values, int (*valueOf)(size_t i))
{
#pragma omp parallel
    {
        int own[SHORT_BINS] = {0};

#pragma omp for
        for (size_t i = 0; i < values; i++)
            own[valueOf(i)]++;
#pragma omp critical
        for (int v = 0; v < bins; v++)
            result[v] += own[v];
    }
}

static void sortBytes(void)
{
    size_t i = 0;

    for (int v = 0; v < BINS; i += (size_t)byteCounts[v], v++)
        memset(x + i, v, (size_t)byteCounts[v]);
}

static void makeInput(void)
{
    unsigned char (*const byte)(size_t) = strcmp(input, "one") == 0     ? oneByte
                                          : strcmp(input, "zipf") == 0  ? zipfByte
                                          : strcmp(input, "image") == 0 ? imageByte
                                                                        : randomByte;

    fillZipf();
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        x[i] = byte(i);
    for (int b = 1; b < BINS; b++) /* between two squares: the first bins are narrow */
        edge[b] = b * b + (int)(randomBits(2, (size_t)b) % (2 * (unsigned)b + 1));
    edge[BINS] = SHORT_BINS;
}

static void computeReferences(void)
{
    count(byteCounts, BINS, n, valueOfByte);
    if (strcmp(input, "sorted") == 0)
        sortBytes();
    count(partCounts, BINS, n < PART ? n : PART, valueOfByte);
    count(shortCounts, SHORT_BINS, n / 2, valueOfShort);
    for (int b = 0; b < BINS; b++)
        for (int v = edge[b]; v < edge[b + 1]; v++)
            binCounts[b] += shortCounts[v];
}

static void verifyEqualised(void)
{
    unsigned char table[BINS];
    long long upTo = 0;
    size_t wrong = 0, first = SIZE_MAX;

    for (int v = 0; v < BINS; v++) {
        upTo += byteCounts[v];
        table[v] = (unsigned char)(n > 0 ? (BINS - 1) * upTo / (long long)n : 0);
    }
#pragma omp parallel for reduction(+ : wrong) reduction(min : first)
    for (size_t i = 0; i < n; i++)
        if (y[i] != table[x[i]]) {
            wrong++;
            first = i < first ? i : first;
        }
    if (wrong > 0)
        verifyThat(0, "%zu of %zu bytes of y are wrong, first y[%zu]: expected %d, got %d", wrong,
                   n, first, table[x[first]], y[first]);
}

static void verify(unsigned traits, int isPart)
{
    if (traits & READ_ONLY)
        return;
    verifyInts("counts", counts,
               traits & SHORTS     ? shortCounts
               : traits & BY_EDGES ? binCounts
               : isPart            ? partCounts
                                   : byteCounts,
               traits & SHORTS ? SHORT_BINS : BINS);
    if (traits & EQUALISED)
        verifyEqualised();
    /* With a copy for each lane every request needs one pass; few bytes do not show it. */
    if (traits & WITHOUT_CONFLICTS && n >= 4096 && atoi(copies) == 32)
        verifyNoBankConflicts();
}

static int isEqualised; /* y is right */

static void runAll(void)
{
    RUN_VARIANTS (v) {
        const int isPart = (v->traits & PART_OF_SIZE) && n > PART;
        const struct histogram h = {x, isPart ? PART : n, edge, counts, y, atoi(copies)};

        harnessWork((double)h.n * (v->traits & EQUALISED ? 3.0 : 1.0), 0.0, h.n);
        if (isPart)
            harnessRemark("(the first %zu bytes only)", h.n);
        poison(counts, sizeof counts);
        poison(y, v->traits & EQUALISED ? n : 0);
        v->run(&h);
        harnessRan();
        verify(v->traits, isPart);
        if (v->traits & EQUALISED)
            isEqualised = rowVerdict() == EXIT_PASS;
    }
}

/* The levels as a picture, from column `left` on, and their histogram below it. */
static void draw(int *pixels, int width, int left, const unsigned char *levels)
{
    const int side = imageSide(), bars = side / 4;
    int own[BINS] = {0}, most = 1;

    for (int i = 0; i < side * side; i++) {
        own[levels[i]]++;
        most = own[levels[i]] > most ? own[levels[i]] : most;
        pixels[i / side * width + left + i % side] = 0x010101 * levels[i];
    }
    for (int row = 0; row < bars; row++)
        for (int column = 0; column < side; column++) {
            const double height = (double)own[column * BINS / side] / most * bars;

            pixels[(side + row) * width + left + column] =
                bars - row <= height ? 0x304060 : 0xf4f4f0;
        }
}

static void writePicture(void)
{
    const int side = imageSide(), width = 2 * side;
    int *pixels = newArray((size_t)(side + side / 4) * (size_t)width, sizeof *pixels);

    draw(pixels, width, 0, x);
    draw(pixels, width, side, y);
    writePng(pictureFile, pixels, width, side + side / 4);
    harnessNote("Written: %s", pictureFile);
}

int main(int argc, char **argv)
{
    harnessStart(&exercise, argc, argv);
    checkPngName("picture", pictureFile);
    n = harnessSize();
    x = newArray(n, sizeof *x);
    y = newArray(n, sizeof *y);
    makeInput();
    computeReferences();
    runAll();
    if (pictureFile != NULL && isEqualised)
        writePicture();
    else if (pictureFile != NULL)
        harnessNote("No picture: no row has equalised it");
    return harnessFinish();
}
