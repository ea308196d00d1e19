/* COURSE_TIMES=1 in the environment: what a command spends its seconds on, on stderr. The programs
 * of the exercises write lines of the same form about themselves (common/harness/progress.c). */
#ifndef TIMES_H
#define TIMES_H

/* What is done just now, as printf: a line with the seconds since the last one and since the
 * command began. */
void timesNote(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
