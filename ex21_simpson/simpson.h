/* The integral of a function from a to b by Simpson's rule: [a, b] is divided into n intervals of
 * width h = (b - a) / n, and each contributes h / 6 (f(left end) + 4 f(middle) + f(right end)). */
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

#ifdef __cplusplus
extern "C" {
#endif

/* --ptxas: the rows say all that the device knows of their kernels. */
extern int showsUse;
/* --resident: so many blocks of BOUND_BLOCK threads must fit on a multiprocessor, in the row with
 * launch bounds. */
enum { BOUND_BLOCK = 256 };
extern int residentWanted;

/* Operations per second that the device in use can do of each kind, and nothing else; 0 on the
 * emulated device. */
struct rates {
    double multiplyAdds, doubleMultiplyAdds, specials;
};

#ifndef COURSE_CPU_ONLY
/* Measured (advanced/rates.cu). */
struct rates measureRates(void);
/* Registers for each thread of the kernel with launch bounds, and bytes of local memory; 0 on the
 * emulated device. */
int registersOfBounded(enum function f, int resident, int *local);
#endif

#ifdef __cplusplus
}
#endif

#endif
