/* TASK     The logistic map, a chain of dependent operations: one core, with 1, 2 and 4 chains at a
 *          time.
 * TRAFFIC  none.
 * LIMIT    the latency of two operations a step, until there are enough chains. */
#include "measure.h"
#include "overhead.h"

static void oneChain(const struct work *w)
{
    MEASURE (run) {
        float x = w->x[0];

        for (int s = 0; s < w->steps; s++)
            x = LOGISTIC_STEP(x);
        w->y[0] = x;
    }
}

static void twoChains(const struct work *w)
{
    MEASURE (run) {
        float x0 = w->x[0], x1 = w->x[1];

        for (int s = 0; s < w->steps; s++) {
            x0 = LOGISTIC_STEP(x0);
            x1 = LOGISTIC_STEP(x1);
        }
        w->y[0] = x0;
        w->y[1] = x1;
    }
}

static void fourChains(const struct work *w)
{
    MEASURE (run) {
        float x0 = w->x[0], x1 = w->x[1], x2 = w->x[2], x3 = w->x[3];

        for (int s = 0; s < w->steps; s++) {
            x0 = LOGISTIC_STEP(x0);
            x1 = LOGISTIC_STEP(x1);
            x2 = LOGISTIC_STEP(x2);
            x3 = LOGISTIC_STEP(x3);
        }
        w->y[0] = x0;
        w->y[1] = x1;
        w->y[2] = x2;
        w->y[3] = x3;
    }
}

const struct variant cpuVariants[] = {
    {"one core, 1 chain", oneChain, CHAINS | NUMBER(1)},
    {"one core, 2 chains", twoChains, CHAINS | NUMBER(2)},
    {"one core, 4 chains", fourChains, CHAINS | NUMBER(4)},
    {NULL, NULL},
};
