/* The compiler's warnings on a template. */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "exercises.h"

/* Shows the first warnings that the template's compilation for the emulated device has left in its
 * file. Called after a WRONG, when suspicious lines are worth a look. */
void warningsShow(const struct exercise_entry *e);
/* Names the lines in TODO regions of the text, the template's or solution's (kind), with sizes or
 * indices of too few bits for large arrays. Called after a PASS, since no check has such large
 * arrays. */
void warningsAdvise(const struct exercise_entry *e, const char *kind, const char *text);

#endif
