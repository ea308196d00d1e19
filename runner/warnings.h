/* What the compiler finds suspicious in a template. */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "exercises.h"

/* Shows the first warnings that the template's compilation for the emulated device has left in its file. For after a
 * WRONG: what is suspicious is then worth a look. */
void warningsShow(const struct exercise_entry *e);

#endif
