/* The rows that deviceVariants must have. */
#ifndef EXPECTED_H
#define EXPECTED_H

#include "harness.h"

/* The expected rows; none where a program has no such table. */
const struct expected_row *expectedRows(size_t *count);
/* The expected row of that name; NULL: there is none. */
const struct expected_row *expectedRow(const char *name);
/* Says into `text` how deviceVariants differs in this row; returns 0 if it does not. */
int expectedDiffers(const struct expected_row *row, char *text, size_t size);

#endif
