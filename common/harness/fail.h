/* How a program ends for another reason than its verdict: courseFail() (harness.h). */
#ifndef FAIL_H
#define FAIL_H

/* The name that stands before the message. */
void failName(const char *program);
/* 1: what fails from here on fails on all ranks alike, so rank 0 alone says why, and MPI is ended; 0: any rank may. */
void failTogether(int together);
/* 1 once courseFail() has said why the program ends. */
int hasFailed(void);

#endif
