/* The table of results. It only reads rows. */
#ifndef TABLE_H
#define TABLE_H

#include "row.h"

/* Escape sequences for colours: "" unless the output is a terminal. */
const char *colour(const char *code);
const char *verdictColour(enum exit_code verdict);

/* CPU rows of another run, for speed-ups if this run has none. */
void tableBaseline(const struct row *rows, size_t count);
/* Prints a row, and the head of the table before the first row. oneVariant: the rows differ in
 * their parameters, which are printed after the name. */
void tableRow(const struct row *row, int oneVariant);
/* Prints the notes (harnessNote) and the verdict. */
void tableEnd(enum exit_code verdict);

#endif
