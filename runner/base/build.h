/* Building targets of the build tree. */
#ifndef BUILD_H
#define BUILD_H

#include "process.h"

/* A build under way; its members belong to build.c. */
struct build {
    struct job job;
    char *argv[4];
    char *log;
    int lock;
    double tellAt; /* when the next word on its progress is due */
};

/* Starts building targets, which blanks separate ("all" builds all), into a log. One build at a
 * time runs in a build tree. keepGoing: a failure does not stop targets that do not depend on
 * it. */
void buildStart(struct build *build, const char *targets, int keepGoing);
/* Starts building targets by make's rules for each alone, side by side: what they depend on is up
 * to date. make looks at all of that otherwise, which takes half as long again as the compiler.
 * Ninja needs no such help. */
void buildStartAlone(struct build *build, const char *targets);
/* 1 if the build folder is one of make's. */
int buildIsMakes(void);
/* 1 if the build has ended well; does not wait. */
int buildIsDone(struct build *build);
/* Waits until the build reports the target as built, or has ended well without it. Returns 0 as
 * soon as the build has failed, or goes on after a failure in a file with `part` in its path. */
int buildReaches(struct build *build, const char *target, const char *part);
/* Waits for the end, showing how far it is on a terminal. Returns 0 or EXIT_ERROR. */
int buildEnd(struct build *build);
/* The same; on failure prints what buildErrors() does. */
int buildFinish(struct build *build, const char *explainBy);
/* Ends a build that is no longer wanted. */
void buildStop(struct build *build);
/* A build that is not ready then, by clockSeconds(), is ended, and has failed; 0: it takes what it
 * needs. */
void buildUntil(double until);
/* Starts a build and waits for its end. */
int buildTargets(const char *targets);
/* The same for what is not made from a template: an installation has it already. */
int buildShared(const char *targets);
/* Prints a log from the first error on, without what make says about itself; and what to do where
 * it is not the fault of a source. explainBy: targets that are built first, because their compiler
 * explains mistakes better; the log follows if they build well. NULL: none. */
void buildErrors(const char *log, const char *explainBy);
/* How many things at once: CMAKE_BUILD_PARALLEL_LEVEL, otherwise the cores that this process may
 * use, at most 16. */
int buildJobs(void);

#endif
