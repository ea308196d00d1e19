/* The results file (columns.h). */
#ifndef CSV_H
#define CSV_H

#include "row.h"
#include <stdio.h>

/* Ends the program (exit 2) unless results can be added to the file. */
void csvOpen(const char *file);
/* Adds the rows of this run; those from a cache are left out. Ends the program (exit 2), and leaves
 * the file as it was, if it cannot. */
void csvWrite(const char *file, const char *exercise, const struct row *rows, size_t count);
/* Writes the record of one row. A cache's record is not whole: it lacks the commit, which takes a
 * while to read, and the given options, which the name of the cache's file stands for. */
void csvRecordWrite(FILE *out, const char *exercise, const struct row *row, int isWhole);

#endif
