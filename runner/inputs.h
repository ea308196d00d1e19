/* Whether a program was built from what its sources say now.
 *
 * make goes by dates alone: a file that was put in place of another but is older than the program, or one that
 * was saved while the clock had been moved back, is not compiled. So the contents of an exercise's sources are
 * recorded beside each program that was built, and a source that differs from the record gets a date that make
 * notices. */
#ifndef INPUTS_H
#define INPUTS_H

#include "exercises.h"

/* A number that two different texts share only by a rare chance. */
unsigned long long hashOf(const char *text);

/* Before a build: gives a date that make notices to each source of this program that was changed unnoticed. Ends
 * the program if the template or solution is missing. Returns what the sources are now, for inputsAfterBuild(),
 * in a string that the caller frees. */
char *inputsBeforeBuild(const struct exercise_entry *e, const char *device, const char *kind);
/* What has changed since the program was built: nothing, nothing but the template or solution itself (and none of its
 * #include lines), or who knows what. */
enum change { NOTHING, OWN_FILE, ANYTHING };
enum change inputsChange(const struct exercise_entry *e, const char *device, const char *kind,
                         const char *sources);
/* After a build that succeeded: records the sources. Ends the program if make has left an old program where the
 * template or solution has changed. */
void inputsAfterBuild(const struct exercise_entry *e, const char *device, const char *kind,
                      const char *sources);
/* 1 if the program was built from this text of its template or solution; 0 if that was saved since the build began. */
int inputsAreOf(const struct exercise_entry *e, const char *device, const char *kind,
                const char *text);

#endif
