/* lineThrough(): a line's own points lie on it; one point that is off shows in the residual, and by
 * its share only. */
#include "linear_fit.h"
#include <stdio.h>

static int near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b) + 1e-15; }

int main(void)
{
    const double x[] = {1, 4, 16, 64, 256, 1024};
    double y[6];
    struct line line;
    int wrong = 0;

    for (int i = 0; i < 6; i++)
        y[i] = 3.2e-6 + 4.8e-9 * x[i];
    line = lineThrough(x, y, 6);
    wrong += !near(line.a, 3.2e-6) || !near(line.b, 4.8e-9) || line.residual > 1e-12;
    y[2] *= 1.5;
    line = lineThrough(x, y, 6);
    wrong += line.residual < 0.05 || line.residual > 0.3;
    /* a long time that is off by 1 % must not bend the short ones */
    y[2] /= 1.5;
    y[5] *= 1.01;
    line = lineThrough(x, y, 6);
    wrong += fabs(line.a / 3.2e-6 - 1.0) > 0.01;
    printf(wrong ? "%d are wrong: a %g b %g residual %g\n" : "the line is right\n", wrong, line.a,
           line.b, line.residual);
    return wrong != 0;
}
