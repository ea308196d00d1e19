/* The verdict of the rows, and how the process that started the program learns it. */
#ifndef VERDICT_H
#define VERDICT_H

#include "row.h"

/* One WRONG row decides, then one NOT IMPLEMENTED; without any row to judge it is SKIPPED. */
enum exit_code verdictOfRows(void);
/* Writes the verdict to a file, as the last action of a program. Ends the program (exit 2) if it
 * cannot. */
void verdictWrite(const char *file, const char *program, enum exit_code verdict);
/* Writes to FILE.rows, as a sign of life after each row, how many rows there are and how many are
 * wrong. `ended` is the row in which the program ends, or NULL. */
void verdictSoFar(const char *file, const char *ended);

#endif
