/* TASK     C = A B: the CPU baseline. One core and all cores with the three loops as one writes
 *          them, and all cores with blocks that stay in the caches and in vector registers.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once, if the caches hold the
 *          rest.
 * LIMIT    the plain loops: reading B by columns; the blocked ones: multiply-adds. */
#include "measure.h"
#include "dense_mmm.h"
#include <stdlib.h>
#include <string.h>

static void rowOfC(const float *a, const float *b, float *c, size_t n, size_t k)
{
    for (size_t j = 0; j < n; j++) {
        float sum = 0.0f;

        for (size_t p = 0; p < k; p++)
            sum += a[p] * b[p * n + j];
        c[j] = sum;
    }
}

static void oneCore(const float *a, const float *b, float *c, int m, int n, int k)
{
    MEASURE (run) {
        for (size_t i = 0; i < (size_t)m; i++)
            rowOfC(a + i * (size_t)k, b, c + i * (size_t)n, (size_t)n, (size_t)k);
    }
}

static void allCores(const float *a, const float *b, float *c, int m, int n, int k)
{
    MEASURE (run) {
#pragma omp parallel for if ((double)m * n * k >                                                   \
                             1e5) // starting the threads takes longer than a small product
        for (size_t i = 0; i < (size_t)m; i++)
            rowOfC(a + i * (size_t)k, b, c + i * (size_t)n, (size_t)n, (size_t)k);
    }
}

/* A thread makes BLOCK_M x BLOCK_N elements of C at a time. BLOCK_K rows of B, BLOCK_N wide, are
 * copied to where they lie side by side, and stay in the L2 cache; TILE_M x TILE_N sums stay in
 * vector registers. */
enum { BLOCK_M = 96, BLOCK_N = 64, BLOCK_K = 256, TILE_M = 6, TILE_N = 16 };

/* The compiler's own choice is what every x86 has, 4 floats to a vector. With a version of the loop
 * for 8, with multiply-adds, the program chooses when it starts. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define WIDE_VECTORS __attribute__((target_clones("avx512f", "arch=haswell", "default")))
#else
#define WIDE_VECTORS
#endif

static size_t min(size_t x, size_t y) { return x < y ? x : y; }

/* c += a b: `rows` (at most TILE_M) rows of a, `depth` of the packed b, `columns` (at most TILE_N)
 * of c. Rows that are missing are read as the last one, and columns as zeros, but not stored. */
WIDE_VECTORS static void tile(const float *a, size_t k, const float *b, size_t depth, float *c,
                              size_t n, size_t rows, size_t columns)
{
    float sum[TILE_M][TILE_N] = {{0.0f}};
    const float *row[TILE_M];

    for (size_t i = 0; i < TILE_M; i++)
        row[i] = a + min(i, rows - 1) * k;
    for (size_t p = 0; p < depth; p++)
        for (size_t i = 0; i < TILE_M; i++)
#pragma omp simd
            for (size_t j = 0; j < TILE_N; j++)
                sum[i][j] += row[i][p] * b[p * BLOCK_N + j];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            c[i * n + j] += sum[i][j];
}

/* Elements [i0, i0 + rows) x [j0, j0 + columns) of C. */
static void block(const float *a, const float *b, float *c, size_t n, size_t k, size_t rows,
                  size_t columns)
{
    float packed[BLOCK_K * BLOCK_N];

    for (size_t i = 0; i < rows; i++)
        memset(c + i * n, 0, columns * sizeof *c);
    for (size_t p0 = 0; p0 < k; p0 += BLOCK_K) {
        const size_t depth = min(BLOCK_K, k - p0);

        memset(packed, 0, sizeof packed);
        for (size_t p = 0; p < depth; p++)
            memcpy(packed + p * BLOCK_N, b + (p0 + p) * n, columns * sizeof *b);
        for (size_t i = 0; i < rows; i += TILE_M)
            for (size_t j = 0; j < columns; j += TILE_N)
                tile(a + i * k + p0, k, packed + j, depth, c + i * n + j, n, min(TILE_M, rows - i),
                     min(TILE_N, columns - j));
    }
}

static void blocked(const float *a, const float *b, float *c, int m, int n, int k)
{
    const size_t height = (size_t)m, width = (size_t)n, depth = (size_t)k;

    MEASURE (run) {
#pragma omp parallel for collapse(2) schedule(dynamic) if ((double)m * n * k > 1e5)
        for (size_t i = 0; i < height; i += BLOCK_M)
            for (size_t j = 0; j < width; j += BLOCK_N)
                block(a + i * depth, b + j, c + i * width + j, width, depth,
                      min(BLOCK_M, height - i), min(BLOCK_N, width - j));
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore, PART_OF_SIZE},
    {"all cores", allCores, PART_OF_SIZE},
    {"all cores in blocks", blocked},
    {NULL, NULL},
};
