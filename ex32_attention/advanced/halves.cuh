/* Halves on the device, and the online softmax of a fragment, which the kernels on tensor cores
 * share. */
#ifndef HALVES_CUH
#define HALVES_CUH

#include "capability.h"
#include "cuda_utils.h"
#include "warp_utils.h"
#include "attention.h"
#include <math.h>

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 11000 /* __hmax2() */
#include <cuda_fp16.h>
#define HAVE_HALF2

/* 2^x. The instruction itself: exp2f() also cares for denormal results, which no weight needs. */
static __device__ __forceinline__ float power2(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

#else
typedef half_bits __half; /* before, __half2float() and __float2half_rn() took and gave bits */
#endif

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 12020 /* before, some need 8.0 */
#include <cuda_bf16.h>
#define HAVE_BFLOAT16
#endif

#define LOG2_E 1.44269504f

/* A weight is exp((q k - most) / sqrt(size)), taken as 2^((q k - most) scale): the hardware has
 * powers of 2 only. */
static inline float scaleOf(const struct shape *s) { return LOG2_E / sqrtf((float)s->size); }

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 11000 && __cplusplus >= 201103L
#define HAVE_MMA
#include <mma.h>

static inline int hasTensorCores(void) { return majorCapability() >= 8; }

static __device__ __forceinline__ unsigned packHalves(float low, float high)
{
    const __half2 two = __floats2half2_rn(low, high);

    return *(const unsigned *)&two;
}

/* A lane has columns `column`, + 1, + 8, + 9 and so on of two rows, 8 apart. Those past `last` (of
 * the upper row) or not below `keys` become -infinity. */
template <int N>
static __device__ __forceinline__ void maskScores(float (&score)[N][4], int last, int keys,
                                                  int column)
{
#pragma unroll
    for (int e = 0; e < 4 * N; e++) {
        const int key = column + e / 4 * 8 + e % 2;

        if (key >= keys || key > last + e % 4 / 2 * 8)
            score[e / 4][e % 4] = -INFINITY;
    }
}

/* Makes the scores of two rows weights. The sums so far are made smaller if a larger score has
 * come. Four neighbouring lanes have a row. A row without any key keeps -infinity as its largest
 * score, and infinity - infinity would be a NaN: such a row counts from 0. `total` is the lane's
 * own part of the sum of the weights. */
template <int N, int M>
static __device__ __forceinline__ void newWeights(float (&score)[N][4], float (&sum)[M][4],
                                                  float (&most)[2], float (&total)[2], float scale)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float now = most[h], from, smaller;

#pragma unroll
        for (int j = 0; j < N; j++)
            now = fmaxf(now, fmaxf(score[j][2 * h], score[j][2 * h + 1]));
        now = fmaxf(now, shuffleFrom(now, threadIdx.x % 32 ^ 1));
        now = fmaxf(now, shuffleFrom(now, threadIdx.x % 32 ^ 2));
        from = now == -INFINITY ? 0.0f : now * scale;
        smaller = power2(most[h] * scale - from);
        most[h] = now;
        total[h] *= smaller;
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
            for (int e = 2 * h; e < 2 * h + 2; e++) {
                score[j][e] = power2(score[j][e] * scale - from);
                total[h] += score[j][e];
            }
#pragma unroll
        for (int d = 0; d < M; d++) {
            sum[d][2 * h] *= smaller;
            sum[d][2 * h + 1] *= smaller;
        }
    }
}

/* Divides two rows, `row` and row + 8, by their totals, and stores them. */
template <int SIZE>
static __device__ __forceinline__ void storeRows(__half *o, const float (&sum)[SIZE / 8][4],
                                                 const float (&total)[2], int row, int rows, int t)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        float all = total[h];

        all += shuffleFrom(all, threadIdx.x % 32 ^ 1);
        all += shuffleFrom(all, threadIdx.x % 32 ^ 2);
        all = all > 0.0f ? 1.0f / all : 0.0f;
        if (row + 8 * h < rows)
#pragma unroll
            for (int d = 0; d < SIZE / 8; d++)
                *(__half2 *)(o + (size_t)(row + 8 * h) * SIZE + 8 * d + 2 * t) =
                    __floats2half2_rn(sum[d][2 * h] * all, sum[d][2 * h + 1] * all);
    }
}

#endif
#endif
