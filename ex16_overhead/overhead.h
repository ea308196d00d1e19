/* The costs of one launch, one copy and one operation: small measurements, each with a result that
 * proves that it was done. A variant reads x and writes y, and z where it says so: arrays of n
 * floats on the host. */
#ifndef OVERHEAD_H
#define OVERHEAD_H

#include <stddef.h>

struct work {
    const float *x;
    float *y, *z;
    size_t n;
    int steps;       /* of a chain of dependent operations */
    int independent; /* such chains in a thread */
};

typedef void variant_fn(const struct work *work);
#include "variants.h"

/* The work of a variant, and its arrays. */
enum {
    LAUNCHES = EXERCISE_TRAIT,          /* y[i] = i, a launch for each of n elements */
    COPIES = EXERCISE_TRAIT << 1,       /* y = x, by way of the device */
    BOTH_WAYS = EXERCISE_TRAIT << 2,    /* y = x and z = x at the same time */
    READS = EXERCISE_TRAIT << 3,        /* y[i] = x[i], computed on the device */
    READS_TWICE = EXERCISE_TRAIT << 4,  /* y[i] = x[i] + x[n - 1 - i] */
    CHAINS = EXERCISE_TRAIT << 5,       /* y[k] = x[k] after `steps` steps of the logistic map */
    INSTRUCTIONS = EXERCISE_TRAIT << 6, /* y[i] = x[i % STARTS] after `steps` operations */
    PAGE_LOCKED = EXERCISE_TRAIT << 7,  /* x, y and z come from newPageLocked() */
    FROM_THE_DEVICE = EXERCISE_TRAIT << 8,
    TIMED = EXERCISE_TRAIT << 9, /* it calls secondsBetween() */
    WAITS = EXERCISE_TRAIT << 10 /* the host waits for each launch */
};

/* Chains of a variant, and the operation of one with INSTRUCTIONS. */
#define NUMBER(k) ((unsigned)(k) << 24)
#define NUMBER_OF(traits) ((int)((traits) >> 24))

enum operation {
    ADD,
    MULTIPLY_ADD,
    DIVIDE,
    SQUARE_ROOT,
    FAST_SINE,
    SINE,
    DOUBLE_MULTIPLY_ADD,
    INTEGER_MULTIPLY_ADD,
    OPERATIONS
};

#define ALL_THREADS(operation) (OTHER_WORK | INSTRUCTIONS | NUMBER(operation))

enum { STARTS = 1024, MOST_CHAINS = 4 };

/* A step of the logistic map. No product is added to anything, so every machine rounds it alike;
 * and no step can begin before the last one has ended. */
#define LOGISTIC_STEP(x) (3.9f * (x) * (1.0f - (x)))

#ifdef __cplusplus
extern "C" {
#endif
/* Page-locked host memory for n floats, which kernels can read as well; freePageLocked() gives it
 * back. NULL while the template lacks it. */
float *newPageLocked(size_t n);
void freePageLocked(float *array);
/* A variant's own measurement between these two events, of type cudaEvent_t. */
void secondsBetween(const void *begin, const void *end, double seconds);
#ifdef __cplusplus
}
#endif

#endif
