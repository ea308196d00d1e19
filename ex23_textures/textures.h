/* The interface of a variant: sums of elements gathered from an array, or an image turned and
 * scaled. Host arrays in, host array out. */
#ifndef TEXTURES_H
#define TEXTURES_H

#include <math.h>
#include <stddef.h>

#if defined __CUDACC__ || defined __CUDA_EMULATED__
#define ON_BOTH static __host__ __device__ inline
#else
#define ON_BOTH static inline
#endif

/* Sum t is x[first[t]] + x[first[t] + 1] + ..., `region` elements, or fewer where x ends. */
struct shape {
    int count;   /* elements of x */
    int threads; /* sums */
    int region;  /* elements of a sum, at least 1 */
};

/* The end of the sum that begins with that element. */
ON_BOTH int endOf(int begin, struct shape s)
{
    return s.region < s.count - begin ? begin + s.region : s.count;
}

/* The elements of a table: 32 KB, half of what a device has as constant memory. */
enum { TABLE = 8192 };

/* From the pixel in column i and row j of the result to its place in the image, in pixels from the
 * outer edges of the first pixel: pixel k of the image reaches from k to k + 1, and its centre is
 * at k + 0.5. */
struct turn {
    float u, v; /* the place of the result's pixel (0, 0) */
    float a, b; /* scale * cosine and scale * sine of the angle */
};

/* Unfused, these round alike on every device. */
ON_BOTH float placeU(struct turn t, int i, int j) { return t.u + t.a * (float)i - t.b * (float)j; }

ON_BOTH float placeV(struct turn t, int i, int j) { return t.v + t.b * (float)i + t.a * (float)j; }

/* Beyond an edge of the image its outermost pixels go on. */
ON_BOTH int inside(int k, int side) { return k < 0 ? 0 : k < side ? k : side - 1; }

/* x: the elements to gather from, or `side` rows of as many pixels, grey levels from 0 (black) to
 * LEVELS (white). */
struct work {
    const float *x;
    const int *first; /* gathers only: shape.threads of them */
    struct shape shape;
    int side;
    struct turn turn;
};
#define LEVELS 255.0f

/* y: shape.threads sums, or side x side pixels. */
typedef void variant_fn(const struct work *work, float *y);
#include "variants.h"

/* What a variant computes: sums of regions of a large array; of the table, each lane's region
 * somewhere else; of the table, the same region for all lanes of a warp; of each place in the image
 * the pixel that it lies in; what lies between the centres of the four pixels around it; the same
 * by weights of 8 fractional bits. */
enum {
    SUMS = OTHER_WORK,
    FROM_TABLE = OTHER_WORK | EXERCISE_TRAIT,
    ONE_ADDRESS = FROM_TABLE | SAVES_TRAFFIC | (EXERCISE_TRAIT << 1), /* one word for 32 lanes */
    NEAREST = OTHER_WORK | (EXERCISE_TRAIT << 2),
    LINEAR = EXERCISE_TRAIT << 3,
    EIGHT_BITS = LINEAR | (EXERCISE_TRAIT << 4)
};

#ifdef __cplusplus
extern "C" {
#endif
/* Bytes/s at which the multiprocessors of the device read 32 KB again and again, each from its L1
 * cache. 0 on the emulated device. */
double rateOfL1(void);
/* The same of so many bytes from the L2 cache; 0 if they do not fit into half of it. */
double rateOfL2(double bytes);
#ifdef __cplusplus
}
#endif

#endif
