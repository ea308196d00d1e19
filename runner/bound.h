/* Without a GPU, how fast an exercise's rows could be on one. */
#ifndef BOUND_H
#define BOUND_H

#include "exercises.h"
#include "request.h"

/* Runs the program of that kind twice on the emulated device, and prints a bound of the time on an H200 for each row that
 * is right and has one; nothing where the exercise has not been recorded, or no row is bound by memory. */
void boundsShow(const struct request *r, const struct exercise_entry *e, const char *kind);

#endif
