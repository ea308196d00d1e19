/* The rows that a run of a program adds to a results file. */
#ifndef ROWS_H
#define ROWS_H

#include "results.h"
#include "run_program.h"

/* Runs the program with a results file and reads that file: no rows if the program ended before it
 * wrote any. */
void runForRows(struct run *run, struct results *rows);

#endif
