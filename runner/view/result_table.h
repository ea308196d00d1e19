/* The rows of one exercise in one results file: a table or a sweep. */
#ifndef RESULT_TABLE_H
#define RESULT_TABLE_H

#include "report_plot.h"
#include "results.h"

struct sheet {
    char *name; /* "ex03_sweep", of the file; "ex03" where a file holds several exercises */
    const char *exercise; /* "ex03_vector_add" */
    const struct result **rows;
    size_t count;
};

struct sheets {
    struct sheet *list; /* by exercise, the one with the shortest name first */
    size_t count;
};

/* The sheets of these results, which they point into. */
struct sheets sheetsOf(const struct results *results);
/* The sheet of that name; NULL if there is none. */
const struct sheet *sheetNamed(const struct sheets *sheets, const char *name);

/* 1 if the row is right and has a time. */
int rowIsTimed(const struct result *row);
/* Adds a row to a curve of a plot, if it is timed and has a value of the parameter x ("size", too):
 * its rate (isRate) or its time in microseconds. */
void plotRow(struct plot *plot, const char *curve, const struct result *row, const char *x,
             int isRate);
/* Draws the sheet's sweeps, if it is one, and returns how many plots that took. */
int sheetPlots(struct text *page, const struct sheet *sheet, const char *device);
/* Draws the figures that a lecture shows first: the heat equation on CPU and GPU over its size,
 * launches, copies between host and device, copies on the device, atomics. Says how to measure the
 * missing ones. */
void figuresDraw(struct text *page, const struct sheets *sheets, const char *device);

#endif
