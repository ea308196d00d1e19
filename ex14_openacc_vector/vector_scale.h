/* c[i] = a[i] * b for i in [0, n): host array in, host array out, b a number. */
#ifndef VECTOR_SCALE_H
#define VECTOR_SCALE_H

#include <stddef.h>

typedef void variant_fn(const float *a, float b, float *c, size_t n);
#include "variants.h"

/* Which copies a variant by OpenACC makes: main.c knows how many these are. */
enum copies {
    COPIES_BOTH_WAYS = EXERCISE_TRAIT,
    COPIES_ONE_WAY = 2 * EXERCISE_TRAIT,
    COPIES_ONCE = 3 * EXERCISE_TRAIT,
    COPIES_IN_PARTS = 4 * EXERCISE_TRAIT,
    COPIES_FOR_CUDA = 5 * EXERCISE_TRAIT, /* COPIES_ONCE, and no loop of OpenACC */
};


/* c[i] = a[i] * b by a CUDA kernel, which it waits for; a and c are in device memory (library.cu).
 * Where the host plays the device, by a loop (cpu.c). */
#ifdef __cplusplus
extern "C"
#endif
    void
    scaleOnDevice(const float *a, float b, float *c, size_t n);

#endif
