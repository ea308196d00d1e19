/* What the compiler thinks of a student's file. */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "exercises.h"

/* Compiles the template once more, with warnings, and shows the first of them. For after a WRONG: what is suspicious is
 * then worth a look. Says nothing where there is none, or for an exercise without kernels. */
void warningsShow(const struct exercise_entry *e);

#endif
