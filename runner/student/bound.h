/* Without a GPU, how fast an exercise's rows could be on one. */
#ifndef BOUND_H
#define BOUND_H

#include "exercises.h"
#include "table_columns.h"
#include "request.h"
#include "results.h"

/* The columns of bounds. */
enum { BOUND_HEADS = 3 };
extern const struct table_head boundHeads[BOUND_HEADS];

/* Prints a bound of the time on an H200 for each of these rows, of the program of that kind on the
 * emulated device at its usual size, that is right and has one; nothing where the exercise has not
 * been recorded, or no row is bound by memory. Runs the program once more for it, at half the
 * size. */
void boundsShow(const struct run_options *r, const struct exercise_entry *e, const char *kind,
                const struct results *rows);

#endif
