/* Progress on the terminal: one line on stderr that the next output overwrites. */
#ifndef PROGRESS_H
#define PROGRESS_H

/* Begins an activity, such as "running", "one core". Shown at once. */
void progressBegin(const char *what, const char *name);
/* Sample number `done` of `all`. Shown twice a second, after the first second. */
void progressSample(long done, long all);
void progressWipe(void);

#endif
