/* The integral of a function from a to b by Simpson's rule: [a, b] is divided into n intervals of width
 * h = (b - a) / n, and each contributes h / 6 (f(left end) + 4 f(middle) + f(right end)). */
#ifndef SIMPSON_H
#define SIMPSON_H

#include "functions.h"
#include <stddef.h>

/* integral: one number. b > a, n >= 1. */
typedef void variant_fn(enum function f, double a, double b, size_t n, double *integral);
#include "variants.h"

enum {
    IN_FLOAT = EXERCISE_TRAIT,       /* f(x) and sums in float: a larger tolerance */
    LONG_SUMS = EXERCISE_TRAIT << 1, /* thousands of terms are added in float */
    INTRINSICS = EXERCISE_TRAIT << 2 /* fast, less accurate f(x) */
};

#ifndef COURSE_CPU_ONLY
/* Operations per second that the device in use can do of each kind, and nothing else: measured; 0 on the emulated
 * device (further/rates.cuh). */
struct rates {
    double multiplyAdds, doubleMultiplyAdds, specials;
};
#ifdef __cplusplus
extern "C"
#endif
    struct rates
    measureRates(void);
#endif

#endif
