/* TASK     rows less their means, rods after many steps, a histogram with 2^17 bins, a scaled copy:
 *          the CPU baseline, one core and all cores.
 * TRAFFIC  8 bytes an element: x read, y written. 4 bytes a key.
 * LIMIT    one core: additions; all cores: memory bandwidth, for rods the caches. */
#include "clusters.h"
#include "measure.h"
#include <stdlib.h>
#include <string.h>

/* Works on the row that begins at element `first`. */
typedef void row_fn(const struct problem *p, size_t first, size_t length);

static size_t lengthOfRow(const struct problem *p, size_t first)
{
    return p->n - first < (size_t)p->row ? p->n - first : (size_t)p->row;
}

static void oneCore(const struct problem *p, row_fn *doRow)
{
    MEASURE (run) {
        for (size_t first = 0; first < p->n; first += (size_t)p->row)
            doRow(p, first, lengthOfRow(p, first));
    }
}

static void allCores(const struct problem *p, row_fn *doRow)
{
    MEASURE (run) {
#pragma omp parallel for
        for (size_t first = 0; first < p->n; first += (size_t)p->row)
            doRow(p, first, lengthOfRow(p, first));
    }
}

/* Eight sums, since a single one would be rounded too often. */
static void centreRow(const struct problem *p, size_t first, size_t length)
{
    const float *x = p->x + first;
    float sums[8] = {0.0f}, mean = 0.0f;

    for (size_t i = 0; i < length; i++)
        sums[i % 8] += x[i];
    for (int k = 0; k < 8; k++)
        mean += sums[k] / (float)length;
    for (size_t i = 0; i < length; i++)
        p->y[first + i] = x[i] - mean;
}

/* In place: what the next element needs of the old value is kept. */
static void smearRow(const struct problem *p, size_t first, size_t length)
{
    float *y = p->y + first;

    memcpy(y, p->x + first, length * sizeof *y);
    for (int step = 0; step < p->steps; step++) {
        float left = 0.0f;

        for (size_t i = 0; i < length; i++) {
            const float own = y[i], right = i + 1 < length ? y[i + 1] : 0.0f;

            y[i] = LEFT * left + OWN * own + RIGHT * right;
            left = own;
        }
    }
}

static void scaleRow(const struct problem *p, size_t first, size_t length)
{
    for (size_t i = first; i < first + length; i++)
        p->y[i] = FACTOR * p->x[i];
}

static void centreOneCore(const struct problem *p) { oneCore(p, centreRow); }

static void centreAllCores(const struct problem *p) { allCores(p, centreRow); }

static void smearOneCore(const struct problem *p) { oneCore(p, smearRow); }

static void smearAllCores(const struct problem *p) { allCores(p, smearRow); }

static void scaleOneCore(const struct problem *p) { oneCore(p, scaleRow); }

static void scaleAllCores(const struct problem *p) { allCores(p, scaleRow); }

static void countOneCore(const struct problem *p)
{
    MEASURE (run) {
        memset(p->counts, 0, BINS * sizeof *p->counts);
        for (size_t i = 0; i < p->n; i++)
            p->counts[p->keys[i]]++;
    }
}

/* Each core has counters of its own, which are added up at the end. */
static void countAllCores(const struct problem *p)
{
    MEASURE (run) {
        memset(p->counts, 0, BINS * sizeof *p->counts);
#pragma omp parallel
        {
            int *own = mustAllocate(BINS * sizeof *own, "counters");

            memset(own, 0, BINS * sizeof *own);
#pragma omp for
            for (size_t i = 0; i < p->n; i++)
                own[p->keys[i]]++;
#pragma omp critical
            for (int k = 0; k < BINS; k++)
                p->counts[k] += own[k];
            free(own);
        }
    }
}

const struct variant cpuVariants[] = {
    {"centred, one core", centreOneCore, CENTRED | PART_OF_SIZE},
    {"centred, all cores", centreAllCores, CENTRED},
    {"counted, one core", countOneCore, COUNTED},
    {"counted, all cores", countAllCores, COUNTED},
    {"smeared, one core", smearOneCore, SMEARED | PART_OF_SIZE},
    {"smeared, all cores", smearAllCores, SMEARED},
    {"scaled, one core", scaleOneCore, SCALED | PART_OF_SIZE},
    {"scaled, all cores", scaleAllCores, SCALED},
    {NULL, NULL},
};
