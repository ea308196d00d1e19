/* The rows that a run of a program adds to a results file. */
#ifndef ROWS_H
#define ROWS_H

#include "results.h"
#include "run_program.h"

/* Runs the program with a results file and reads that file. Returns 0 if the program ended before
 * it wrote one. */
int runForRows(struct run *run, struct results *rows);

#endif
