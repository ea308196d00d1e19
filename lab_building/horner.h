/* A polynomial's value, for kernels of other files. */
#ifndef HORNER_H
#define HORNER_H

__device__ float horner(float x, const float *c, int n);

#endif
