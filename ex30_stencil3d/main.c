/* TASK     y = weighted sums of x, over stars of 7 and 25 points in a volume and over squares of
 *          7 x 7 and 15 x 15 pixels of an image: the problems, their inputs, their references.
 * TRAFFIC  8 bytes a point: x read, y written. Two steps count twice.
 * LIMIT    memory bandwidth; multiply-adds for 15 x 15. */
#include "stencil3d.h"
#include "harness.h"
#include "measure.h"
#include "png.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS "star7,star25,steps2,square7,square15,separable7,separable15"

static const struct work {
    const char *name;
    unsigned kind;
    int radius, steps;
} works[] = {
    {"star7", STAR, 1, 1},
    {"star25", STAR, 4, 1},
    {"steps2", TWO_STEPS, 1, 2},
    {"square7", SQUARE, 3, 1},
    {"square15", SQUARE, 7, 1},
    {"separable7", SEPARABLE, 3, 1},
    {"separable15", SEPARABLE, 7, 1},
};
enum { WORKS = sizeof works / sizeof works[0], PART = 1 << 22 };

static long columns = -1, rows = -1, planes = -1; /* -1: as --size says */
static const char *problem, *pictureFile;
static struct problem p;
static float *x, *y, *middle, *reference;

static const struct course_option options[] = {
    {"problem", OPTION_WORD | OPTION_ASIDE, &problem, 0, 0, WORDS, "one of them (all)"},
    {"nx", OPTION_INTEGER, &columns, 1, 1 << 20, NULL, "columns (as many as --size says)"},
    {"ny", OPTION_INTEGER, &rows, 1, 1 << 20, NULL, "rows (as many as --size says)"},
    {"nz", OPTION_INTEGER, &planes, 1, 1 << 20, NULL, "planes of a volume (half of --size)"},
    {"picture", OPTION_WORD | OPTION_ASIDE, &pictureFile, 0, 0, NULL,
     "writes a corner of the last image, before and after (.png)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* A volume of size x size x size / 2 points, and an image of half as many pixels. */
static void setShape(struct problem *of, size_t size, int isImage)
{
    const size_t side = (size_t)(pow((double)size, 1.5) / 8.0 + 0.999) * 4;

    of->nx = columns > 0 ? (size_t)columns : isImage ? side : size;
    of->ny = rows > 0 ? (size_t)rows : isImage ? side : size;
    of->nz = isImage ? 1 : planes > 0 ? (size_t)planes : (size + 1) / 2;
}

static double points(size_t size)
{
    struct problem image, volume;

    setShape(&image, size, 1);
    setShape(&volume, size, 0);
    return fmax((double)image.nx * (double)image.ny,
                (double)volume.nx * (double)volume.ny * (double)volume.nz);
}

/* Rows on the device are filled up to whole quads. */
static double deviceBytes(size_t size)
{
    return 2.0 * sizeof(float) * points(size) * (columns > 0 && columns < 4 ? 4.0 : 1.01);
}

static double hostBytes(size_t size) { return 4.0 * sizeof(float) * points(size); }

static const struct exercise exercise = {
    .name = "ex30_stencil3d",
    .title = "weighted sums of neighbours",
    .unit = "rows and columns, and half as many planes",
    .size = 1024,
    .emulatedSize = 16,
    .quickSize = 200,
    .checkSize = 320,
    .minSize = 1,
    .maxSize = 4096,
    .special = ZEROS | TINY | INFINITIES | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* No two weights of a square are alike, and those of a star are the eighth-order Laplacian's, for a
 * step of heat. */
static void setWeights(const struct work *w)
{
    static const double second[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    const int side = 2 * w->radius + 1;

    p.radius = w->radius;
    if (w->kind & (STAR | TWO_STEPS))
        for (int d = 0; d <= w->radius; d++)
            p.weights[d] =
                (float)(w->radius == 1 ? (d == 0 ? 0.4 : 0.1)
                                       : 0.1 * (d == 0 ? 10.0 + 3.0 * second[0] : second[d]));
    else
        for (int e = 0; e < (w->kind == SQUARE ? side * side : 2 * side); e++)
            p.weights[e] = (float)(randomUniform(2, (size_t)e, 0.5, 1.5) /
                                   (w->kind == SQUARE ? side * side : side));
}

static double weight(const struct work *w, int row, int column)
{
    const int side = 2 * w->radius + 1;

    return w->kind == SQUARE ? p.weights[row * side + column]
                             : (double)p.weights[row] * p.weights[side + column];
}

/* Adds to each sum the element `shift` columns to the right of it, of row j of plane k. */
static void addRow(double *sum, const float *from, long j, long k, long shift, double w)
{
    const long nx = (long)p.nx, first = shift < 0 ? -shift : 0, end = shift > 0 ? nx - shift : nx;

    if (j < 0 || j >= (long)p.ny || k < 0 || k >= (long)p.nz)
        return;
    from += (k * (long)p.ny + j) * nx + shift;
    for (long i = first; i < end; i++)
        sum[i] += w * from[i];
}

static void addStar(double *sum, const float *from, long j, long k)
{
    addRow(sum, from, j, k, 0, p.weights[0]);
    for (int d = 1; d <= p.radius; d++)
        for (int sign = -d; sign <= d; sign += 2 * d) {
            addRow(sum, from, j, k, sign, p.weights[d]);
            addRow(sum, from, j + sign, k, 0, p.weights[d]);
            addRow(sum, from, j, k + sign, 0, p.weights[d]);
        }
}

static void computeStep(const struct work *w, const float *from, float *to)
{
#pragma omp parallel
    {
        double *sum = mustAllocate(p.nx * sizeof *sum, "a row of sums");

#pragma omp for
        for (long r = 0; r < (long)(p.ny * p.nz); r++) {
            const long j = r % (long)p.ny, k = r / (long)p.ny;

            memset(sum, 0, p.nx * sizeof *sum);
            if (w->kind & (STAR | TWO_STEPS))
                addStar(sum, from, j, k);
            else
                for (int row = -w->radius; row <= w->radius; row++)
                    for (int column = -w->radius; column <= w->radius; column++)
                        addRow(sum, from, j + row, k, column,
                               weight(w, row + w->radius, column + w->radius));
            for (size_t i = 0; i < p.nx; i++)
                to[(size_t)r * p.nx + i] = (float)sum[i];
        }
        free(sum);
    }
}

/* Its first planes, or rows of an image, are enough for a variant that is slow. */
static void runOne(const struct work *w, const struct variant *v, int terms)
{
    const struct problem whole = p;
    /* each term is rounded as it is added; the weights add up to little more than 1 */
    const struct tolerance tolerance = {(double)FLT_EPSILON * terms * w->steps, 0.0};
    size_t *last = p.nz > 1 ? &p.nz : &p.ny, layer = p.nz > 1 ? p.nx * p.ny : p.nx, judged = *last;

    if ((v->traits & PART_OF_SIZE) && layer * *last > PART) {
        judged = PART / layer + 1;
        if (judged + (size_t)p.radius < *last)
            *last = judged + (size_t)p.radius;
        else
            judged = *last;
    }
    harnessWork(2.0 * sizeof(float) * w->steps * (double)(layer * *last),
                2.0 * terms * w->steps * (double)(layer * *last), layer * *last);
    poison(y, layer * *last * sizeof *y);
    v->run(x, y, &p);
    p = whole;
    if (v->traits & RATE)
        verifyThat(y[0] == 2.0f, "the multiply-adds end at %g, not at 2", (double)y[0]);
    else
        verifyFloats2D("y", y, reference, p.nx, judged * layer / p.nx, tolerance);
}

static void runWork(const struct work *w)
{
    const int isVolume = (w->kind & (STAR | TWO_STEPS)) != 0, side = 2 * w->radius + 1;
    const int terms = isVolume ? 6 * w->radius + 1 : w->kind == SQUARE ? side * side : 2 * side;

    setShape(&p, harnessSize(), !isVolume);
    setWeights(w);
    computeStep(w, x, w->steps > 1 ? middle : reference);
    if (w->steps > 1)
        computeStep(w, middle, reference);
    harnessParameters("problem=%s", w->name);
    harnessTraits(w->kind, w->radius > 1 ? NEAREST : 0);
    RUN_VARIANTS (v) {
        runOne(w, v, terms);
    }
}

/* The corner of an image before, and beside it after. */
static void writePicture(void)
{
    enum { MOST = 400 };
    const int width = p.nx < MOST ? (int)p.nx : MOST, height = p.ny < MOST ? (int)p.ny : MOST;
    int *pixels = newArray((size_t)(2 * width * height), sizeof *pixels);

    for (int j = 0; j < height; j++)
        for (int i = 0; i < 2 * width; i++) {
            const float *from = i < width ? x : reference;
            const float v = from[(size_t)j * p.nx + (size_t)(i % width)];

            pixels[j * 2 * width + i] = (v < -1  ? 0
                                         : v < 1 ? (int)(127.5f * (v + 1))
                                                 : 255) *
                                        0x10101;
        }
    writePng(pictureFile, pixels, 2 * width, height);
}

int main(int argc, char **argv)
{
    size_t n;

    harnessStart(&exercise, argc, argv);
    checkPngName("--picture", pictureFile);
    n = (size_t)points(harnessSize());
    x = newArray(n, sizeof *x);
    y = newArray(n, sizeof *y);
    middle = newArray(n, sizeof *middle);
    reference = newArray(n, sizeof *reference);
    randomFloats(x, n, 1);
    for (size_t k = 0; k < WORKS; k++)
        if (problem == NULL || strcmp(problem, works[k].name) == 0)
            runWork(&works[k]);
    if (pictureFile != NULL && p.nz == 1)
        writePicture();
    return harnessFinish();
}
