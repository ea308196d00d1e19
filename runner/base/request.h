/* The request to check or bench. */
#ifndef REQUEST_H
#define REQUEST_H

#include "build.h"
#include "exercises.h"
#include "run_program.h"

enum { CHOSEN = 64, PASSED = 64 };

/* Exercises, the runner's own options, and the rest, which goes to the exercise's program. */
struct run_options {
    const struct exercise_entry *chosen[CHOSEN];
    size_t chosenCount;
    int named;              /* 1 if the exercises were named; 0: all of them */
    const char *devices[2]; /* "emulated", "gpu" or both, in this order */
    int deviceCount;
    int both; /* --device=both: the GPU has its turn even if the emulated device found mistakes */
    const char *csv;
    int solution, template, quick, reduced; /* reduced: --fast leaves out checks */
    double patience;                        /* s; 0: as usual */
    char *passed[PASSED];
    int passedCount;
};

/* Reads the command line of check (checking) or bench; ends the program if it is not understood.
 * Settings of the emulated device go to the environment. Where there is a GPU, check uses both
 * devices, bench the GPU. */
struct run_options parseOptions(int argc, char **argv, int checking);
/* 1 if only --variant and --seed were passed on, which do not change the sizes. */
int usualSizes(const struct run_options *r);
/* 1 if no option that leaves out rows was passed on. */
int allRows(const struct run_options *r);
/* 1 if the programs are asked for --help or --list, which ends in no verdict. answer() builds
 * and runs them, and returns their exit status. */
int asksOnly(const struct run_options *r);
int answer(const struct run_options *r, const char *kind);

/* Examines the files that they are built from; ends the program if one is missing or cannot be
 * compiled. Returns 0 or, after saying why the build cannot be configured, EXIT_ERROR. */
int prepareSources(const struct run_options *r, const char *kind);
/* Starts to build them for the request's devices, once their sources are prepared. */
void startKind(struct build *build, const struct run_options *r, const char *kind);
/* 1 if the programs of a template were built from this text; 0 if that was saved since the build
 * began. */
int isBuiltFrom(const struct exercise_entry *e, const char *text);
/* Prepares and builds those for one device. Returns 0 or, after saying why, EXIT_ERROR. */
int buildKind(const struct run_options *r, const char *device, const char *kind);

/* A run of one program of an exercise with the given options, without --size if withoutSize is set.
 * A template whose basic TODOs are all filled in passes without the advanced ones. */
struct run runOf(const struct run_options *r, const struct exercise_entry *e, const char *device,
                 const char *kind, int withoutSize);

/* An option of a command: with a value, or a flag that becomes 1; with both, a flag that may have a
 * value. */
struct known_option {
    const char *name, **value;
    int *flag;
};
/* Reads the options of the table, which ends with {0}, among argv[1...], and takes them out.
 * Returns the number of words that are left. */
int takeOptions(const struct known_option *known, int argc, char **argv);

#endif
