/* The course program: starts the exercises' programs and reads what they record. It links none. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stddef.h>

enum status {
    STATUS_PASS = 0,
    STATUS_WRONG = 1,
    STATUS_USAGE = 2,
    STATUS_UNFILLED = 3,
    STATUS_SKIPPED = 77
};

struct exercise_entry {
    char name[64];   /* "ex03_vector_add" */
    char brief[8];   /* "ex03" */
    char title[128]; /* what it teaches */
};

/* Where things are: the course's folder and its build tree, from COURSE_SOURCE and COURSE_BUILD, or as
 * they were when the program was built. */
const char *sourceFolder(void);
const char *buildFolder(void);

/* The exercises of this build, in order; count them in *count. */
const struct exercise_entry *exercises(size_t *count);
/* The exercise that "ex03", "3", "03" or "ex03_vector_add" names. Ends the program if there is none. */
const struct exercise_entry *exerciseNamed(const char *text);

/* Which device to use: "gpu" or "emulated". wanted may be auto, gpu, emulated or a GPU's number. Ends the
 * program if the wanted one is not there (gpu: STATUS_SKIPPED). */
const char *deviceToUse(const char *wanted);
/* 1 if a GPU and its driver are in this machine. */
int hasGpu(void);

/* Path of a program of an exercise, kind "cpu", "template" or "solution", in a buffer that the caller
 * frees. */
char *programPath(const char *device, const char *brief, const char *kind);
/* The text as one word of a shell command, in a string that the caller frees. */
char *quoted(const char *text);
/* printf into a fresh string that the caller frees. */
char *textOf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Runs a command (argv ends with NULL) and returns its exit status; STATUS_USAGE if it cannot start or
 * a signal ends it. quiet: its output is thrown away. */
int runCommand(char *const argv[], int quiet);
/* Builds targets of the build tree, quietly; on failure prints the log from the first error on. Returns 0 or
 * STATUS_USAGE. targets is separated by blanks; "all" builds all. */
int buildTargets(const char *targets);

/* Prints "course: message" to stderr and ends the program. */
void fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
void *mustAllocate(void *pointer, size_t size);
/* The whole file as a string that the caller frees; ends the program if it cannot be read. */
char *readWholeFile(const char *path);
/* Renames the file to a name that was free, with the time in it; returns that name, which the caller frees.
 * So nothing a student wrote is ever lost. Ends the program if it cannot. */
char *putAside(const char *path);
/* The source of an exercise's "template" or "solution", .cu or .c, in a string that the caller frees. */
char *sourcePath(const struct exercise_entry *e, const char *kind);
/* Replaces the file by way of a temporary name, so that it is never half written. */
void replaceFile(const char *path, const char *text);

/* The commands; argv[0] is the command's own name. Each returns the exit status. */
int commandList(int argc, char **argv);
int commandCheck(int argc, char **argv);
int commandBench(int argc, char **argv);
int commandDiff(int argc, char **argv);
int commandDevice(int argc, char **argv);
int commandTest(int argc, char **argv);
int commandPair(int argc, char **argv);
int commandTables(int argc, char **argv);
int commandHint(int argc, char **argv);
int commandAnswer(int argc, char **argv);
int commandReset(int argc, char **argv);
int commandCc(int argc, char **argv);

#endif
