/* Lines through points, and sizes at half the rate. */
#include "series.h"
#include "linear_fit.h" /* lineThrough() */

void fitPoint(struct fit *fit, double x, double y)
{
    if (fit->count == MOST_POINTS || !(y > 0.0))
        return;
    fit->x[fit->count] = x;
    fit->y[fit->count++] = y;
}

int fitLine(struct fit *fit)
{
    struct line line;
    int isSpread = 0;

    for (int i = 1; i < fit->count; i++)
        isSpread |= fit->x[i] != fit->x[0];
    if (fit->count < 3 || !isSpread)
        return 0;
    line = lineThrough(fit->x, fit->y, (size_t)fit->count);
    fit->offset = line.a;
    fit->slope = line.b;
    for (int i = 0; i < fit->count; i++) {
        const double error = fabs(fit->offset + fit->slope * fit->x[i] - fit->y[i]) / fit->y[i];

        if (error > fit->residual)
            fit->residual = error;
    }
    return 1;
}

void halfPoint(struct half *half, double size, double rate)
{
    if (half->count == MOST_POINTS)
        return;
    half->size[half->count] = size;
    half->rate[half->count++] = rate;
}

double halfRate(const struct half *half)
{
    double largest = 0.0;

    for (int i = 0; i < half->count; i++)
        if (half->rate[i] > largest)
            largest = half->rate[i];
    return largest;
}

double halfBytes(const struct half *half)
{
    const double wanted = 0.5 * halfRate(half);

    for (int i = 0; i < half->count; i++) {
        double part;

        if (half->rate[i] < wanted)
            continue;
        if (i == 0)
            return half->size[0];
        part = log(wanted / half->rate[i - 1]) / log(half->rate[i] / half->rate[i - 1]);
        return half->size[i - 1] * pow(half->size[i] / half->size[i - 1], part);
    }
    return 0.0;
}
