/* Asynchronous copies of tiles to shared memory, for the rungs of ex19 whose copies run ahead, on
 * devices of compute capability 8.0 and newer. */
#ifndef ASYNC_CUH
#define ASYNC_CUH

#include "advanced/padded.cuh"
#include "advanced/tensor_cores.cuh"

#if defined __CUDACC_VER_MAJOR__ && __CUDACC_VER_MAJOR__ >= 11 || defined __CUDA_EMULATED__
#include <cuda_pipeline_primitives.h>
#define HAVE_ASYNCHRONOUS_COPIES
#endif

/* Starts to copy four floats to shared memory; the older way waits for them. */
static __device__ __forceinline__ void startCopy(float *to, const float *from)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_memcpy_async(to, from, sizeof(float4));
#else
    *(float4 *)to = *(const float4 *)from;
#endif
}

/* The copies started since the last call are a group, even if there are none. */
static __device__ __forceinline__ void endGroup(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_commit();
#endif
}

/* Waits for this thread's copies but those of the last `groups` groups. */
template <int groups> static __device__ __forceinline__ void waitForGroups(void)
{
#ifdef HAVE_ASYNCHRONOUS_COPIES
    __pipeline_wait_prior(groups);
#endif
}

enum { COPIERS = 256 }; /* threads of a block, which copy together */

/* Where the thread's first float4 of a tile of WIDTH columns lies, seen from the tile's first
 * element. */
template <int WIDTH>
static __device__ __forceinline__ const float *firstOfTile(const float *tile, int pitch)
{
    return tile + (size_t)(threadIdx.x / (WIDTH / 4)) * pitch + threadIdx.x % (WIDTH / 4) * 4;
}

/* Starts to copy a tile of DEPTH x WIDTH numbers, whose rows are PITCH long in shared memory;
 * `from` is firstOfTile(). */
template <int WIDTH, int DEPTH, int PITCH>
static __device__ __forceinline__ void startTile(float (&to)[DEPTH][PITCH], const float *from,
                                                 int pitch)
{
    enum { ROWS = COPIERS * 4 / WIDTH }; /* that all threads copy at a time */

#pragma unroll
    for (int k = 0; k < DEPTH; k += ROWS)
        startCopy(&to[k + threadIdx.x / (WIDTH / 4)][threadIdx.x % (WIDTH / 4) * 4],
                  from + (size_t)k * pitch);
}

/* Starts to copy the next tiles of HEIGHT and WIDTH columns, and moves on to those behind them. */
template <int HEIGHT, int WIDTH, int DEPTH, int LEFT, int RIGHT>
static __device__ __forceinline__ void
startPair(float (&left)[DEPTH][LEFT], float (&right)[DEPTH][RIGHT], const float *&fromLeft,
          const float *&fromRight, int rows, int columns)
{
    startTile<HEIGHT>(left, fromLeft, rows);
    startTile<WIDTH>(right, fromRight, columns);
    fromLeft += (size_t)DEPTH * rows;
    fromRight += (size_t)DEPTH * columns;
}

#endif
