/* series.c against lines and rates that are known. */
#include "series.h"
#include <math.h>
#include <stdio.h>

static int wrong;

static void expect(const char *what, double got, double want)
{
    if (fabs(got - want) <= 1e-6 * fabs(want) + 1e-12)
        return;
    printf("%s: %g instead of %g\n", what, got, want);
    wrong = 1;
}

int main(void)
{
    struct fit line = {0}, noisy = {0}, two = {0}, same = {0};
    struct half half = {0};

    for (double x = 1.0; x < 1e6; x *= 4.0) {
        fitPoint(&line, x, 3.0 + 0.5 * x);
        fitPoint(&noisy, x, (3.0 + 0.5 * x) * (x == 64.0 ? 1.25 : 1.0));
        fitPoint(&same, 7.0, 1.0);
        halfPoint(&half, x, 100.0 * x / (x + 50.0)); /* half of 100 at 50 */
    }
    expect("fits", fitLine(&line), 1);
    expect("offset", line.offset, 3.0);
    expect("slope", line.slope, 0.5);
    expect("residual", line.residual, 0.0);
    expect("noisy fits", fitLine(&noisy), 1);
    if (!(noisy.residual > 0.1 && noisy.residual < 0.25)) {
        printf("residual of one point off by a quarter: %g\n", noisy.residual);
        wrong = 1;
    }
    fitPoint(&two, 1.0, 1.0);
    fitPoint(&two, 2.0, 2.0);
    fitPoint(&two, 3.0, -1.0); /* no time: not a point */
    expect("two points", fitLine(&two), 0);
    expect("points above each other", fitLine(&same), 0);
    expect("largest rate", halfRate(&half), 100.0 * 262144.0 / 262194.0);
    if (!(halfBytes(&half) > 45.0 && halfBytes(&half) < 55.0)) {
        printf("half of the rate at %g instead of about 50\n", halfBytes(&half));
        wrong = 1;
    }
    return wrong;
}
