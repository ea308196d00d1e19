/* The targets of a template's row on the emulated device: the solution's counters of the same row.
 *
 * ./course targets writes them to exNN_name/targets.csv, so that a handout without solutions has
 * them, too. */
#ifndef TARGETS_H
#define TARGETS_H

#include "exercises.h"
#include "results.h"

/* Prints a line for each of these rows of an exercise that is right and far from its target: the
 * counter, and its meaning. Leaves out rows of another size, with other parameters, or from a
 * device with other limits. Returns the number of lines. */
int targetsShow(const struct exercise_entry *e, const struct results *rows);
/* Names the rows that are wrong and use no shared memory, where the solution uses some. */
void targetsExplain(const struct exercise_entry *e, const struct results *rows);

#endif
