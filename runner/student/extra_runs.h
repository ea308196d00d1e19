/* The further runs of a check, beside the one that it shows: the exercise's checks.txt. */
#ifndef EXTRA_RUNS_H
#define EXTRA_RUNS_H

#include "request.h"
#include "text.h"
#include "todo.h"

/* The lines of the exercise's checks.txt, each a run. A line holds options; words NAME=value before
 * them are set in the environment. In the place of a word A..B stands a number that each check
 * draws. */
struct extra_runs;

/* Starts at most this many of them, while other work goes on. */
struct extra_runs *extraRunsStart(const struct run_options *r, const struct exercise_entry *e,
                                  const char *device, const char *kind, int atOnce);
/* Runs the others, several at once, and shows the first that is not right. Names those that were
 * right in *fine. Returns a code: EXIT_PASS if all are right, unfilled or skipped. `todos`: an
 * unfilled basic one of these is not accepted, as the run that is shown has met none; or NULL. */
int extraRunsFinish(struct extra_runs *f, const struct todos *todos, struct text *fine);
/* Ends those that still run: they are no longer needed. */
void extraRunsStop(struct extra_runs *f);
/* The variables that checks.txt sets for all runs of the exercise, such as COURSE_PATIENCE=120,
 * in an array that ends with NULL. oneThread: also sets one thread for the host's loops, unless the
 * user has set a number. */
char **settingsOf(const struct exercise_entry *e, int oneThread);

#endif
