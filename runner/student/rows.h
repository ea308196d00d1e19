/* The rows that a run of a program adds to a results file. */
#ifndef ROWS_H
#define ROWS_H

#include "results.h"
#include "run_program.h"

/* Runs the program with a results file and reads that file. Returns 0 if the program ended before
 * it wrote one. */
int runForRows(struct run *run, struct results *rows);
/* The same in two steps, for a run beside others: starts it, with this file, and waits for it. */
void runStartForRows(struct run *run, const char *file);
int runRows(struct run *run, const char *file, struct results *rows);

#endif
