/* A small program of several files: n values are scaled on the device and added up. */
#ifndef STEPS_H
#define STEPS_H

#include <cuda_runtime.h>

__device__ float scaled(float x); /* scale.cu, in the library */
extern __constant__ float factor; /* likewise */

void set_factor(float value);                       /* scale.cu */
void add_up(const float *d_x, int n, float *d_sum); /* sum.cu, in the library */
float scaled_sum(const float *h_x, int n);          /* launch.cu */
#endif
