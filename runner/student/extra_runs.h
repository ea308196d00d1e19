/* What a check tries beside the run that it shows: the exercise's checks.txt. */
#ifndef EXTRA_RUNS_H
#define EXTRA_RUNS_H

#include "request.h"
#include "text.h"

/* The lines of the exercise's checks.txt, each a run. A line holds options; words NAME=value before
 * them are set in the environment. In the place of a word A..B stands a number that each check
 * draws. */
struct extra_runs;

/* Begins with at most so many of them, beside whatever else is done. */
struct extra_runs *extraRunsStart(const struct run_options *r, const struct exercise_entry *e,
                                  const char *device, const char *kind, int atOnce);
/* Runs the others, several at once, and shows the first that is not right. Names those that were
 * fine in *fine. Returns a code: EXIT_PASS if all are right, unfilled or skipped. */
int extraRunsFinish(struct extra_runs *f, struct text *fine);
/* Ends those that are under way: they are wanted no more. */
void extraRunsStop(struct extra_runs *f);
/* What checks.txt sets for all runs of the exercise, a line such as COURSE_PATIENCE=120, in an
 * array that ends with NULL; never freed. oneThread: and that the host's loops take one thread,
 * unless the user has said how many. */
char **settingsOf(const struct exercise_entry *e, int oneThread);

#endif
