/* The programs of a check, built for one device or for both at once: the emulated device's program
 * runs as soon as it is built, while the GPU's is still being compiled. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "request.h"

/* Programs of one kind, "template" or "solution", for a request's exercises. */
struct programs {
    const struct run_options *request;
    const char *kind;
    struct build build;                            /* of both devices */
    enum { ALONE, UNDER_WAY, BUILT, FAILED } both; /* ALONE: there is one device */
};

/* Begins the build. Returns 0 or, after saying why, EXIT_ERROR. */
int programsStart(struct programs *p, const struct run_options *r, const char *kind);
/* Waits for exercise i's program on one of the request's devices. Returns 0 or, after printing the
 * compiler's first error, EXIT_ERROR. */
int programsReady(struct programs *p, size_t i, const char *device);
/* 1 if all of them are there by now; does not wait. */
int programsBuilt(struct programs *p);
/* Ends the builds that still run. */
void programsEnd(struct programs *p);

#endif
