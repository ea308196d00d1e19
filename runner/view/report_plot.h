/* Plots as SVG, drawn into a page of HTML: axes with units, and curves that differ not only in
 * colour. */
#ifndef PLOT_SVG_H
#define PLOT_SVG_H

#include "text.h"

enum { CURVES = 8 }; /* that one plot can hold */

struct curve {
    char *name;    /* for the legend; belongs to the curve */
    double *x, *y; /* belong to the curve */
    size_t count;
    int line; /* 1: a line without markers, as for a fit */
};

/* A plot. Starts as {0}; plotFree() frees the curves. */
struct plot {
    const char *title; /* with the device */
    const char *x, *y; /* what the axes show, with the unit */
    double limit;      /* a line across, such as the copy rate; 0: none */
    const char *limitName;
    int logX, logY; /* 0: from 0, 1: logarithmic */
    struct curve curves[CURVES];
    size_t count;
};

/* Adds a point to the curve of that name, which is made if it is not there. Returns 0 if there is
 * no room for it. */
int plotPoint(struct plot *plot, const char *name, double x, double y);
/* Chooses which axes are logarithmic: x where it spans a factor of 16, y where it spans `spanY`. */
void plotScale(struct plot *plot, double spanY);
/* Draws it as a figure with caption and legend. */
void plotDraw(struct text *page, const struct plot *plot);
void plotFree(struct plot *plot);

#endif
