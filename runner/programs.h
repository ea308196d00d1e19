/* The programs of a check, built for one device or for both at once.
 *
 * For both, one make compiles for the GPU while it compiles for the emulated device, and while that one's program already
 * runs: a target EX_KIND_both builds the two, and puts a file ready/EX_KIND into the build folder when the emulated
 * device's is there. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "build.h"
#include "request.h"

/* Programs of one kind, "template" or "solution", for a request's exercises. */
struct programs {
    const struct request *request;
    const char *kind;
    struct build build;       /* of both devices */
    char *sources[2][CHOSEN]; /* what they are built from, for inputsAfterBuild() */
    enum { ALONE, UNDER_WAY, BUILT, FAILED } both; /* ALONE: there is one device */
};

/* Begins the build. Returns 0 or, after saying why, EXIT_ERROR. */
int programsStart(struct programs *p, const struct request *r, const char *kind);
/* Waits for exercise i's program on one of the request's devices. Returns 0 or, after printing the compiler's first
 * error, EXIT_ERROR. */
int programsReady(struct programs *p, size_t i, const char *device);
/* 1 if all of them are there by now; does not wait. */
int programsBuilt(struct programs *p);
/* Ends what is still being built. */
void programsEnd(struct programs *p);

#endif
