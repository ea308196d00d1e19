/* chart.c against timelines with a known overlap. */
#include "chart.h"
#include <math.h>
#include <stdio.h>

static int wrong;

static void expect(const char *what, double got, double want)
{
    if (fabs(got - want) <= 1e-9)
        return;
    printf("%s: %g instead of %g\n", what, got, want);
    wrong = 1;
}

int main(void)
{
    /* In turn: nothing overlaps. */
    const struct interval inTurn[] = {{COPY_IN, 0, 0, 4}, {KERNEL, 0, 4, 6}, {COPY_OUT, 0, 6, 10}};
    /* The copies to the device of two streams, both possible from the start: the engine makes one
     * after the other. */
    const struct interval engine[] = {{COPY_IN, 0, 0, 2}, {KERNEL, 0, 2, 3}, {COPY_OUT, 0, 3, 5},
                                      {COPY_IN, 1, 0, 4}, {KERNEL, 1, 4, 5}, {COPY_OUT, 1, 5, 7}};
    const struct interval kernels[] = {{KERNEL, 0, 0, 2}, {KERNEL, 1, 1, 3}, {KERNEL, 2, 2, 4}};
    struct overlap o;

    timelineTake(inTurn, 3);
    o = chartOverlap();
    expect("in turn: span", o.span, 10.0);
    expect("in turn: copies in", o.busy[COPY_IN], 0.4);
    expect("in turn: kernels", o.busy[KERNEL], 0.2);
    expect("in turn: both ways", o.bothWays, 0.0);

    timelineTake(engine, 6);
    o = chartOverlap();
    expect("engine: intervals", (double)chartCount(), 6.0);
    expect("engine: copies in", o.busy[COPY_IN], 4.0 / 7.0);
    expect("engine: copies out", o.busy[COPY_OUT], 4.0 / 7.0);
    expect("engine: both ways", o.bothWays, 1.0 / 7.0); /* from 3 to 4 */

    timelineTake(kernels, 3);
    o = chartOverlap();
    expect("kernels at once", o.kernels, 2.0); /* the third begins when the first has ended */
    expect("kernels: busy", o.busy[KERNEL], 1.0);

    chartForget();
    expect("nothing", chartOverlap().span, 0.0);
    timelineTake(inTurn, 0);
    expect("no intervals", (double)chartCount(), 0.0);
    return wrong;
}
