/* A gather through the cache of the textures, if the compiler so decides. */
#ifndef RESTRICT_CUH
#define RESTRICT_CUH

/* Kepler does not keep plain loads in L1. What nobody writes while the kernel runs can come through
 * the cache of its textures: these pointers promise that, and the compiler may use it. */
__global__ void gatherRestrict(const float *__restrict__ x, const int *__restrict__ first,
                               struct shape s, float *__restrict__ y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += x[k];
        y[t] = sum;
    }
}

#endif
