/* The last rung of ex11, which is compiled by itself: 32 kernels that no change of the template
 * makes anew. */
#ifndef TILES_H
#define TILES_H

#include <stddef.h>

/* c = a b for `count` pairs of n x n matrices that lie one after another on the device, 1 <= n <=
 * MAX_N. */
void launchTiles(const float *d_a, const float *d_b, float *d_c, int n, size_t count);

#endif
