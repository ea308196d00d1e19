#include "horner.h"

/* c[0] + c[1] x + ... + c[n - 1] x^(n - 1) */
__device__ float horner(float x, const float *c, int n)
{
    float sum = 0.0f;

    for (int i = n - 1; i >= 0; i--)
        sum = sum * x + c[i];
    return sum;
}
