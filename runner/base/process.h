/* Starting programs, watching them, and ending those that never end. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdio.h>
#include <sys/types.h>

/* Runs a command (argv ends with NULL) and returns its exit status; EXIT_ERROR if it cannot start
 * or a signal ends it. quiet: its output is thrown away. */
int runCommand(char *const argv[], int quiet);

/* Removes a file, or a folder with all that is in it. Returns 0 if it is gone. */
int removeTree(const char *path);

/* A program that runs in a process group of its own, so that all it starts can be ended with it.
 * Fill in the first part, the rest starts as 0. */
struct job {
    char *const *argv;     /* ends with NULL */
    char *const *settings; /* "NAME=value" for its environment, ends with NULL; may be NULL */
    int captured;          /* keep what it prints instead of showing it */
    const char *folder;    /* where it starts; NULL: here */
    double patience;       /* seconds without a sign of life after which it is ended; 0: none */
    const char *lifeSign;  /* a file: when it changes, the program is alive; may be NULL */
    const char *leaves;    /* a file: an interrupt removes it, and FILE.*; may be NULL */
    int held; /* it waits on its standard input for jobGo(), after which its patience begins */

    char *output;   /* what it printed, if captured; NULL otherwise */
    int status;     /* exit status; EXIT_ERROR if a signal ended it */
    int signal;     /* the signal that ended it, or 0 */
    int outOfTime;  /* 1 if it was ended because it gave no sign of life */
    int tooMuch;    /* 1 if it is captured and was ended because it printed without end */
    double seconds; /* how long it ran */

    pid_t process; /* 0 before the start and after the end */
    FILE *file;    /* where its output goes */
    double started, alive;
    long long sign; /* the life sign's date when it was last looked at */
    int asked;      /* times that it was asked to end */
    int go[2];      /* the pipe of one that is held */
};

/* Starts the job; ends the program if that is impossible. */
void jobStart(struct job *job);
/* Waits until one of the jobs ends, or for `seconds`; ends those that are out of time. Returns the
 * index of one that has ended since, or -1. Interrupts (Ctrl-C) end the jobs and then this
 * program. */
int jobsWait(struct job *const *jobs, int count, double seconds);
/* Lets a held job go on; harmless if the job has ended. */
void jobGo(struct job *job);
/* A function that jobsWait() calls whenever it wakes up, ten times a second and when any program
 * ends, until it is set to NULL. */
void jobsMeanwhile(void (*act)(void *data), void *data);
/* Waits for the end of a job. */
void jobFinish(struct job *job);
/* Starts the job and waits for its end. */
void jobRun(struct job *job);
/* Asks a job that runs to end; jobEnd() also waits for it. */
void jobAsk(struct job *job);
void jobEnd(struct job *job);
/* Sets the file or folder that jobs write from here on. An interrupt removes it and then ends the
 * program, in jobsWait() or, at the latest, in jobsWrite(NULL). */
void jobsWrite(const char *path);

/* Seconds of a clock that never goes back. */
double clockSeconds(void);
/* Seconds since this process began, whatever program it then was; 0 if unknown. */
double ageSeconds(void);
/* CPU cores that this process may use: by its affinity, its control group, and the batch system. */
int usableCores(void);

#endif
