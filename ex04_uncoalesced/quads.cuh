/* Device functions of ex04 on four floats at a time. */
#ifndef QUADS_CUH
#define QUADS_CUH

static __device__ inline float4 add4(float4 x, float4 y)
{
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

/* How many elements p lies beyond a 16-byte boundary: 0 to 3. */
static __device__ inline unsigned misalignment(const float *p)
{
    return (unsigned)((size_t)p / sizeof(float) % 4);
}

/* x[i] to x[i + 3] as far as they lie before end; in one access where x + i is aligned. */
static __device__ inline float4 load4(const float *x, size_t i, size_t end)
{
    if (i % 4 == 0 && i + 4 <= end)
        return *(const float4 *)(x + i);
    return make_float4(i < end ? x[i] : 0.0f, i + 1 < end ? x[i + 1] : 0.0f,
                       i + 2 < end ? x[i + 2] : 0.0f, i + 3 < end ? x[i + 3] : 0.0f);
}

/* Stores v to x[i] ... x[i + 3], as far as they lie before end. */
static __device__ inline void store4(float *x, size_t i, size_t end, float4 v)
{
    const float values[4] = {v.x, v.y, v.z, v.w};

    if (i % 4 == 0 && i + 4 <= end) {
        *(float4 *)(x + i) = v;
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k < end)
            x[i + k] = values[k];
}

#endif
