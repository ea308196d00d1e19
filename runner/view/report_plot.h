/* Plots as SVG, drawn into a page of HTML: axes with units, and curves that differ not only in
 * colour. */
#ifndef PLOT_SVG_H
#define PLOT_SVG_H

#include "text.h"

enum { CURVES = 8 }; /* that one plot can hold */

struct curve {
    char *name; /* for the legend */
    double *x, *y;
    size_t count;
    int line; /* 1: a line without markers, as for a fit */
};

/* A plot. Starts as {0}. */
struct plot {
    const char *title;     /* with the device */
    const char *x, *y;     /* what the axes show, with the unit */
    double limit;          /* a line across, in GB/s; 0: none */
    const char *limitName; /* "copy rate" */
    struct curve curves[CURVES];
    size_t count;
};

/* Adds a point to the curve of that name, which is made if it is not there and there is room. */
void plotPoint(struct plot *plot, const char *name, double x, double y);
/* Draws it as a figure with caption and legend. Axes are logarithmic where they span a factor of 16
 * (x) or `spanY`. */
void plotDraw(struct text *page, const struct plot *plot, double spanY);

#endif
