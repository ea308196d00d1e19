/* TASK     y[i] = the sum of x[0] to x[i - 1], n elements: the CPU baseline, one and all cores.
 * TRAFFIC  2 n sizeof(unsigned int or double) bytes: x read, y written; all cores read x twice.
 * LIMIT    one core: each addition waits for the one before; all cores: memory bandwidth. */
#include "measure.h"
#include "scan.h"

enum { CHUNKS = 256 }; /* for all cores: many times their number */

static void oneCore(const unsigned int *x, unsigned int *y, size_t n, unsigned int *kept)
{
    (void)kept;
    MEASURE (run) {
        unsigned int sum = 0;

        for (size_t i = 0; i < n; i++) {
            y[i] = sum;
            sum += x[i];
        }
    }
}

static void oneCoreDouble(const double *x, double *y, size_t n, unsigned int *kept)
{
    (void)kept;
    MEASURE (run) {
        double sum = 0.0;

        for (size_t i = 0; i < n; i++) {
            y[i] = sum;
            sum += x[i];
        }
    }
}

/* The sum of each chunk first; then each chunk knows what stands before it. */
static void allCores(const unsigned int *x, unsigned int *y, size_t n, unsigned int *kept)
{
    (void)kept;
    MEASURE (run) {
        const size_t chunk = (n + CHUNKS - 1) / CHUNKS;
        unsigned int sums[CHUNKS], before = 0;

#pragma omp parallel for
        for (size_t c = 0; c < CHUNKS; c++) {
            unsigned int sum = 0;

            for (size_t i = c * chunk; i < (c + 1) * chunk && i < n; i++)
                sum += x[i];
            sums[c] = sum;
        }
        for (size_t c = 0; c < CHUNKS; c++) {
            const unsigned int sum = sums[c];

            sums[c] = before;
            before += sum;
        }
#pragma omp parallel for
        for (size_t c = 0; c < CHUNKS; c++) {
            unsigned int sum = sums[c];

            for (size_t i = c * chunk; i < (c + 1) * chunk && i < n; i++) {
                y[i] = sum;
                sum += x[i];
            }
        }
    }
}

static void allCoresDouble(const double *x, double *y, size_t n, unsigned int *kept)
{
    (void)kept;
    MEASURE (run) {
        const size_t chunk = (n + CHUNKS - 1) / CHUNKS;
        double sums[CHUNKS], before = 0.0;

#pragma omp parallel for
        for (size_t c = 0; c < CHUNKS; c++) {
            double sum = 0.0;

            for (size_t i = c * chunk; i < (c + 1) * chunk && i < n; i++)
                sum += x[i];
            sums[c] = sum;
        }
        for (size_t c = 0; c < CHUNKS; c++) {
            const double sum = sums[c];

            sums[c] = before;
            before += sum;
        }
#pragma omp parallel for
        for (size_t c = 0; c < CHUNKS; c++) {
            double sum = sums[c];

            for (size_t i = c * chunk; i < (c + 1) * chunk && i < n; i++) {
                y[i] = sum;
                sum += x[i];
            }
        }
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore, oneCoreDouble},
    {"all cores", allCores, allCoresDouble},
    {NULL, NULL, NULL},
};
