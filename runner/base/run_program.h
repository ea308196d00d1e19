/* The verdict of an exercise's program, and whether it can be believed.
 *
 * A program that is started with --verdict FILE writes FILE as the last thing it does
 * (common/harness/verdict.c). One that ends in any other way, by _exit(0) or by becoming another
 * program, leaves no such file and never passes. */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include "process.h"

enum { TODOS = 64 };

/* A run of an exercise's program. Starts as {0}: fill it in by runWord(), first with the program's
 * path, and set the wanted members of job. */
struct run {
    struct job job;
    char *words[96]; /* the command line; runStart() adds --verdict FILE */
    int wordCount;
    char *file, *rowsFile; /* the files for the verdict and for the rows so far */

    int code;     /* an exit code: the verdict */
    char *why;    /* why the code is another than the program's own; NULL if it is not */
    int finished; /* 1 if the program wrote its verdict */
    int rows, wrong, todos[TODOS], todoCount;
    /* the first variant that is wrong, or in which the program has ended; or "" */
    const char *failed;
};

/* Adds a word to the run's command line; ends the program if there are too many. */
void runWord(struct run *run, const char *word);
void runOption(struct run *run, const char *option, const char *value);
/* Adds words that blanks separate. */
void runWords(struct run *run, const char *words);
/* Starts the run, with the watch over it; COURSE_PATIENCE in the environment, or the run's
 * settings, changes the patience where the job has none of its own; otherwise it is 30 s. */
void runStart(struct run *run);
/* A path in the build folder for a file of this process. If the process is killed, the next one
 * removes the file and FILE.*. */
char *runnersFile(const char *name);
/* Reads the verdict when the job has ended. */
void runJudge(struct run *run);
/* Waits for a run that is started, lets it go on if it is held, and judges it. Returns the code. */
int runFinish(struct run *run);
/* Ends a started run and discards its verdict. */
void runStop(struct run *run);
/* Starts the run, waits, judges. Returns the code. */
int runWhole(struct run *run);
/* If the code differs from the program's own, prints why. */
void runExplain(const struct run *run);

/* The seconds in the value of an option or a variable; `name` ends with a blank or "=". Ends the
 * program if they are less than 1, or none. */
double secondsIn(const char *name, const char *value);

/* The worse of two codes, in this order: wrong, error, unfilled, pass, skipped. The verdict is
 * SKIPPED only if everything was skipped. */
int worseVerdict(int a, int b);

#endif
