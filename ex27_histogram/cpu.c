/* TASK     how often each value occurs among n bytes, x: the CPU baseline, one core and all cores.
 * TRAFFIC  n bytes: x read.
 * LIMIT    the latency of a counter that is wanted again at once; with all cores memory
 *          bandwidth. */
#include "histogram.h"
#include "measure.h"
#include <string.h>

static void oneCore(const struct histogram *h)
{
    MEASURE (run) {
        memset(h->counts, 0, BINS * sizeof *h->counts);
        for (size_t i = 0; i < h->n; i++)
            h->counts[h->x[i]]++;
    }
}

/* Each core has counters of its own, which are added up at the end. */
static void allCores(const struct histogram *h)
{
    MEASURE (run) {
        memset(h->counts, 0, BINS * sizeof *h->counts);
#pragma omp parallel
        {
            int own[BINS] = {0};

#pragma omp for
            for (size_t i = 0; i < h->n; i++)
                own[h->x[i]]++;
#pragma omp critical
            for (int v = 0; v < BINS; v++)
                h->counts[v] += own[v];
        }
    }
}

const struct variant cpuVariants[] = {
    {"one core", oneCore},
    {"all cores", allCores},
    {NULL, NULL},
};
