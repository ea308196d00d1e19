/* A straight line through measured times. */
#ifndef LINEAR_FIT_H
#define LINEAR_FIT_H

#include <math.h>
#include <stddef.h>

/* y = a + b x, and how far the points lie from it: the root of the mean square of (a + b x - y) /
 * y. */
struct line {
    double a, b, residual;
};

/* The line with the smallest such residual. Deviations are relative, so that short times weigh as
 * much as long ones. Needs n >= 2, y > 0, and at least two different x. */
static inline struct line lineThrough(const double *x, const double *y, size_t n)
{
    double w = 0.0, wx = 0.0, wxx = 0.0, wy = 0.0, wxy = 0.0, square = 0.0;
    struct line line;

    for (size_t i = 0; i < n; i++) {
        const double weight = 1.0 / (y[i] * y[i]);

        w += weight;
        wx += weight * x[i];
        wxx += weight * x[i] * x[i];
        wy += weight * y[i];
        wxy += weight * x[i] * y[i];
    }
    line.b = (w * wxy - wx * wy) / (w * wxx - wx * wx);
    line.a = (wy - line.b * wx) / w;
    for (size_t i = 0; i < n; i++) {
        const double off = (line.a + line.b * x[i] - y[i]) / y[i];

        square += off * off;
    }
    line.residual = sqrt(square / (double)n);
    return line;
}

#endif
