/* The evaluation of series of measurements: a line through points, and the size at which a rate
 * reaches half of its end. */
#ifndef SERIES_H
#define SERIES_H

enum { MOST_POINTS = 64 };

/* The line offset + slope x through points (x, y > 0) that has the smallest squares of relative
 * errors. */
struct fit {
    double x[MOST_POINTS], y[MOST_POINTS];
    int count;
    double offset, slope, residual; /* the largest relative error */
};

void fitPoint(struct fit *fit, double x, double y);
/* Returns 0 if there are fewer than three points, or all have one x. */
int fitLine(struct fit *fit);

/* Rates over sizes, both ascending as far as possible. */
struct half {
    double size[MOST_POINTS], rate[MOST_POINTS];
    int count;
};

void halfPoint(struct half *half, double size, double rate);
/* The largest rate. */
double halfRate(const struct half *half);
/* The size at which half of it is reached for the first time, between the points on a line in
 * log-log. */
double halfBytes(const struct half *half);

#endif
