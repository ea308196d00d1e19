/* What check and bench are asked for. */
#ifndef REQUEST_H
#define REQUEST_H

#include "exercises.h"

enum { CHOSEN = 64, PASSED = 64 };

/* Exercises, the runner's own options, and the rest, which goes to the exercise's program. */
struct request {
    const struct exercise_entry *chosen[CHOSEN];
    size_t chosenCount;
    const char *device; /* "gpu" or "emulated" */
    const char *csv;
    int solution, template, quick;
    char *passed[PASSED];
    int passedCount;
};

/* Reads the command line of check or bench; ends the program if it is not understood. Settings of the
 * emulated device go to the environment. */
struct request parseRequest(int argc, char **argv);
/* Builds the programs of one kind, "template" or "solution", for all chosen exercises. Returns 0 or
 * EXIT_ERROR. */
int buildKind(const struct request *r, const char *kind);
/* Starts one program of an exercise with the passed options; returns its exit status. csv may be NULL. */
int startProgram(const struct request *r, const struct exercise_entry *e, const char *kind,
                 const char *csv);
/* The graver of two exit statuses: wrong, error, unfilled, pass, skipped. What is skipped takes nothing
 * from what passes; only if all is skipped does that become the verdict. */
int graver(int a, int b);

#endif
