/* TASK     y = x transposed, x of ny rows of nx floats: the problem, its inputs, its reference, and
 *          the sweeps over square matrices.
 * TRAFFIC  8 nx ny bytes: x read, y written.
 * LIMIT    memory bandwidth, once reads and writes are both in order. */
#include "measure.h"
#include "transpose.h"
#include "harness.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static long columns = -1, rows = -1; /* -1: as --size says */
static const char *sweep;
static size_t nx, ny;
static float *x, *y, *reference;

static const struct course_option options[] = {
    {"nx", OPTION_INTEGER, &columns, 1, 1e6, NULL, "columns of x (as many as --size says)"},
    {"ny", OPTION_INTEGER, &rows, 1, 1e6, NULL, "rows of x (as many as --size says)"},
    {"sweep", OPTION_WORD | OPTION_ASIDE, &sweep, 0, 0, "sizes,powers",
     "square matrices of 1000 rows to --size, or of about 2^10 and 2^12 (emulated: 2^6 and 2^8)"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL, NULL},
};

/* The elements of x for a size, or of the sweep's largest matrix. */
static double elements(size_t size)
{
    if (sweep != NULL)
        return (double)size * (double)size;
    return (columns > 0 ? (double)columns : (double)size) *
           (rows > 0 ? (double)rows : (double)size);
}

/* A sweep has its own largest size; --nx and --ny together leave --size nothing to say. */
static size_t sizeOfOptions(void)
{
    if (sweep != NULL && strcmp(sweep, "powers") == 0)
        return harnessEmulated() ? 258 : 4128;
    if (sweep == NULL && columns > 0 && rows > 0)
        return (size_t)(columns > rows ? columns : rows);
    return SIZE_MAX;
}

static double deviceBytes(size_t size) { return 2.0 * sizeof(float) * elements(size); }

static double hostBytes(size_t size) { return 3.0 * sizeof(float) * elements(size); }

static const struct exercise exercise = {
    .name = "ex18_transpose",
    .title = "y = x transposed",
    .unit = "rows and columns",
    .size = 16384,
    .emulatedSize = 300,
    .quickSize = 2048,
    .checkSize = 8192,
    .minSize = 1,
    .maxSize = 100000,
    .gridsFold = 1,
    .sizeByOptions = sizeOfOptions,
    .special = ZEROS | TINY | INFINITIES | NANS,
    .deviceBytes = deviceBytes,
    .hostBytes = hostBytes,
    .options = options,
};

/* Tiles of TILE columns, each by one thread, so that neither array is read or written across the
 * cache. */
static void computeReference(void)
{
    enum { TILE = 16 };

#pragma omp parallel for
    for (size_t column0 = 0; column0 < nx; column0 += TILE)
        for (size_t row = 0; row < ny; row++)
            for (size_t column = column0; column < column0 + TILE && column < nx; column++)
                reference[column * ny + row] = x[row * nx + column];
}

/* With whole warps in every tile, a layout without conflicts needs one pass for each request. */
static void judgeConflicts(void)
{
    if (nx >= 64 && ny >= 64)
        verifyNoBankConflicts();
}

/* Tiles that do not begin where a sector does use four fifths of the bytes; scattered loads or
 * stores a fifth of theirs. */
static void judgeOrder(void)
{
    const double used = rowBytesUsed();

    if (used > 0.0 && rowVerdict() == EXIT_PASS && nx >= 64 && ny >= 64)
        verifyThat(
            used > 0.6,
            "uses %.0f %% of the bytes that it moves: in this row neighbouring threads read, and "
            "then write, neighbouring elements",
            100.0 * used);
}

static void runAll(void)
{
    const struct tolerance exact = {0.0, 0.0};
    const size_t n = nx * ny;

    computeReference();
    harnessWork(2.0 * sizeof(float) * (double)n, 0.0, n);
    if (nx != ny || sweep != NULL)
        harnessParameters("nx=%zu ny=%zu", nx, ny);
    RUN_VARIANTS (v) {
        poison(y, n * sizeof *y);
        v->run(x, y, nx, ny);
        if (v->traits & AS_IT_IS)
            verifyFloats("y", y, x, nx * ny, exact);
        else
            verifyFloats2D("y", y, reference, ny, nx, exact);
        if (v->traits & WITHOUT_CONFLICTS)
            judgeConflicts();
        if (v->traits & IN_ORDER)
            judgeOrder();
    }
}

static void runSquare(size_t side)
{
    nx = ny = side;
    runAll();
}

/* For each quarter of a power of two a multiple of four, and the two sizes after it, which are
 * none; the largest size last. */
static void sweepSizes(size_t largest)
{
    size_t side = 1000;

    for (int k = 1; side < largest; k++) {
        for (size_t more = 0; more < 3 && side + more < largest; more++)
            runSquare(side + more);
        side = (size_t)(1000.0 * pow(2.0, 0.25 * k)) / 4 * 4;
    }
    runSquare(largest);
}

static void sweepRange(size_t first, size_t last)
{
    for (size_t side = first; side <= last; side++)
        runSquare(side);
}

static void sweepPowers(void)
{
    if (harnessEmulated()) {
        sweepRange(60, 70);
        sweepRange(254, 258);
    } else {
        sweepRange(1000, 1100);
        sweepRange(4064, 4128);
    }
}

int main(int argc, char **argv)
{
    size_t n;

    harnessStart(&exercise, argc, argv);
    n = (size_t)elements(harnessSize());
    x = newArray(n, sizeof *x);
    y = newArray(n, sizeof *y);
    reference = newArray(n, sizeof *reference);
    randomFloats(x, n, 1);

    if (sweep != NULL && strcmp(sweep, "powers") == 0) {
        sweepPowers();
    } else if (sweep != NULL) {
        sweepSizes(harnessSize());
    } else {
        nx = columns > 0 ? (size_t)columns : harnessSize();
        ny = rows > 0 ? (size_t)rows : harnessSize();
        runAll();
    }
    return harnessFinish();
}
