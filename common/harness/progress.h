/* What is under way, on the terminal, for whoever waits: one line on stderr that the next output wipes away. */
#ifndef PROGRESS_H
#define PROGRESS_H

/* Something new is under way: "running", "one core". Shown at once. */
void progressBegin(const char *what, const char *name);
/* It goes on: sample number `done` of `all`. Shown twice a second from the second second on. */
void progressSample(long done, long all);
void progressWipe(void);

#endif
