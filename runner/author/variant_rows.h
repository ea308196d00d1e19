/* variants.inc of an exercise: the rows of the solution's table, which a template's table must
 * have. */
#ifndef VARIANT_ROWS_H
#define VARIANT_ROWS_H

/* The text of variants.inc for this text of a solution, in a string that the caller frees; NULL: it
 * has no table. Traits are those of the `old` text, which may be NULL. `path` is for messages. */
char *variantsOf(const char *path, const char *solution, const char *old);

#endif
