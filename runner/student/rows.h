/* The rows that a run of a program adds to a results file. */
#ifndef ROWS_H
#define ROWS_H

#include "results.h"
#include "run_program.h"

/* Runs the program, which is told to write a results file, and reads that: no rows if it has not
 * come so far. */
void runForRows(struct run *run, struct results *rows);

#endif
