/* Ending a program on an error instead of a verdict: courseFail() (harness.h). */
#ifndef FAIL_H
#define FAIL_H

/* The name that stands before the message. */
void failName(const char *program);
/* 1: errors from here on occur on all ranks alike, so only rank 0 prints them, and MPI is
 * finalised. 0: any rank prints. */
void failTogether(int together);
/* 1 once courseFail() has said why the program ends. */
int hasFailed(void);

#endif
