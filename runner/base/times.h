/* COURSE_TIMES=1 in the environment: a command reports on stderr where its time goes. The programs
 * of the exercises write lines of the same form about themselves (common/harness/progress.c). */
#ifndef TIMES_H
#define TIMES_H

/* Prints a line on the present step, as printf, with the seconds since the last line and since the
 * command began. */
void timesNote(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
