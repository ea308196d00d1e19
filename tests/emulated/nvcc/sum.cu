#include "steps.h"

__global__ void sum(const float *x, int n, float *result)
{
    for (int i = 0; i < n; i++)
        *result += scaled(x[i]);
}

void add_up(const float *d_x, int n, float *d_sum) { sum<<<1, 1>>>(d_x, n, d_sum); }
