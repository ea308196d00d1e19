/* Times of CPU rows, kept from one run to the next: they do not depend on what a student
 * changes. */
#ifndef CACHE_H
#define CACHE_H

#include "row.h"

/* Reads the rows kept in the folder for this exercise, size, options, CPU and number of threads.
 * There are no errors: rows that are missing or unreadable are measured again. */
void cacheRead(const char *folder, const struct exercise *exercise);
/* The row as it was kept, marked as cached; NULL if it was not. */
const struct row *cacheFind(const char *name, const char *parameters);
/* All of them. */
const struct row *cacheAll(size_t *count);
/* Keeps the CPU rows of this run that were right, if any was measured. Ends the program (exit 2) if
 * it cannot. */
void cacheWrite(const struct exercise *exercise);

#endif
