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

/* The sheets of these results, which they point into; sheetsFree() frees them. */
struct sheets sheetsOf(const struct results *results);
void sheetsFree(struct sheets *sheets);
/* The sheet of that name; NULL if there is none. */
const struct sheet *sheetNamed(const struct sheets *sheets, const char *name);

/* 1 if the row is right and has a time. */
int rowIsTimed(const struct result *row);
/* The value of a parameter of the row ("size" too) as a number. Returns 0 if it has none. */
int rowParameter(const struct result *row, const char *name, double *value);
/* The quantity that a parameter counts, for an axis: "threads per block". */
const char *parameterMeaning(const char *name);
/* The name of the parameter that the sheet sweeps, in a string that the caller frees; NULL if it is
 * no sweep. Rows with done[i] do not count. */
char *sheetSweeps(const struct sheet *sheet, const char *done);
/* Draws the sheet's sweeps, if it is one, and returns how many plots that took. */
int sheetPlots(struct text *page, const struct sheet *sheet, const char *device);

#endif
