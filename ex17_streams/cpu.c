/* TASK     c = f(a), n floats, f a number of steps of an oscillator: the CPU baseline, one core and
 *          all cores.
 * TRAFFIC  8 n bytes: a read, c written.
 * LIMIT    memory bandwidth, or arithmetic with many steps. */
#include "measure.h"
#include "streams.h"

enum {
    TOGETHER = 64
}; /* oscillators that are stepped side by side, so that vector instructions can be used */

static void oscillate(const struct work *w, size_t first)
{
    const size_t left = w->n - first, count = left < TOGETHER ? left : TOGETHER;
    float place[TOGETHER] = {0}, speed[TOGETHER] = {0};

    for (size_t i = 0; i < count; i++)
        place[i] = w->a[first + i];
    for (int s = 0; s < w->steps; s++)
        for (size_t i = 0; i < TOGETHER; i++)
            OSCILLATOR_STEP(place[i], speed[i]);
    for (size_t i = 0; i < count; i++)
        w->c[first + i] = place[i];
}

static void oscillateOneCore(const struct work *w)
{
    MEASURE (run) {
        for (size_t i = 0; i < w->n; i += TOGETHER)
            oscillate(w, i);
    }
}

static void oscillateAllCores(const struct work *w)
{
    MEASURE (run) {
#pragma omp parallel for
        for (size_t i = 0; i < w->n; i += TOGETHER)
            oscillate(w, i);
    }
}

const struct variant cpuVariants[] = {
    {"one core", oscillateOneCore, PART_OF_SIZE},
    {"all cores", oscillateAllCores, 0},
    {NULL, NULL},
};
