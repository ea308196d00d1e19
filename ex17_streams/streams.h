/* c[i] = f(a[i]) for i in [0, n): host arrays in and out, which a variant moves through the device
 * in chunks. f is the place of an oscillator after `steps` time steps, a[i] its place at the
 * start. */
#ifndef STREAMS_H
#define STREAMS_H

#include <stddef.h>

/* One run: what is to be computed, and in what pieces. */
struct work {
    const float *a; /* n floats */
    float *c;       /* n floats, written */
    size_t n;
    int steps;    /* time steps of an oscillator, 4 operations each */
    size_t chunk; /* floats in a chunk; the last one may have fewer */
    int slots; /* chunks that the device holds at a time in a ring, each with a stream of its own */
    int background; /* blocks of a long kernel that others run beside */
};

typedef void variant_fn(const struct work *work);
#include "variants.h"

/* The needs and promises of this exercise's variants. */
enum {
    PAGE_LOCKED = EXERCISE_TRAIT,        /* a and c come from newPageLocked() */
    BOTH_WAYS = EXERCISE_TRAIT << 1,     /* its copies in both directions overlap */
    SMALL_KERNELS = EXERCISE_TRAIT << 2, /* SMALL chunks of SMALL_CHUNK floats, in IN_STREAMS(k) */
    ALL_IN_FIRST = EXERCISE_TRAIT << 3,  /* all kernels of a stream wait for all copies to there */
    TWO_SLOTS_DO = EXERCISE_TRAIT << 4   /* a slot's next copy waits for its last kernel only */
};
#define IN_STREAMS(k) ((unsigned)(k) << 16)
#define STREAMS_OF(traits) ((int)((traits) >> 16))
enum { SMALL = 64, SMALL_CHUNK = 256 };

/* One step of an oscillator: the products are exact, so host and device round alike, fused or
 * not. */
#define OSCILLATOR_STEP(place, speed)                                                              \
    do {                                                                                           \
        speed -= 0.125f * place;                                                                   \
        place += 0.125f * speed;                                                                   \
    } while (0)

/* Chunks of the work, and the floats of chunk i. */
static inline size_t chunksOf(const struct work *w) { return (w->n + w->chunk - 1) / w->chunk; }

#ifdef __cplusplus
extern "C" {
#endif
/* Page-locked host memory for n floats, which freePageLocked() gives back; NULL while the template
 * lacks it. */
float *newPageLocked(size_t n);
void freePageLocked(float *array);
#ifdef __cplusplus
}
#endif

#endif
