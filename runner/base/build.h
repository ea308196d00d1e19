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
    double tellAt; /* the time of the next report on its progress */
};

/* Starts building targets, which blanks separate ("all" builds all), into a log. One build at a
 * time runs in a build tree. keepGoing: a failure does not stop targets that do not depend on
 * it. */
void buildStart(struct build *build, const char *targets, int keepGoing);
/* Starts building targets side by side, by make's rules for each alone, if all that they depend on
 * is up to date. Otherwise make looks at all dependencies, which takes one and a half times as long
 * as the compiler. Ninja needs no such help. */
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
/* The time, by clockSeconds(), at which a build that is not ready is ended and has failed; 0:
 * none. */
void buildUntil(double until);
/* Starts a build and waits for its end. */
int buildTargets(const char *targets);
/* The same for targets that are not made from a template, which an installation has already. */
int buildShared(const char *targets);
/* Prints a log from the first error on, without make's messages about itself, and advice if no
 * source is at fault. explainBy: targets that are built first, because their compiler explains
 * mistakes better; the log follows if they build well. NULL: none. */
void buildErrors(const char *log, const char *explainBy);
/* The number of jobs at once: CMAKE_BUILD_PARALLEL_LEVEL, otherwise the cores that this process may
 * use, at most 16. */
int buildJobs(void);

#endif
