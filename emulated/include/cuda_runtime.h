/* cuda_runtime.h: CUDA C for the emulated device. Included before each .cu file, as nvcc does.
 *
 * __global__, __device__, __shared__ and the other qualifiers are no macros: the translator takes care of them, since
 * what they become depends on what they stand before. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __restrict__ __restrict

#include "emulated/launch.h"
#include "emulated/threads.h"
#include "emulated/atomics.h"
#include "emulated/memory.h"
#include "emulated/mathematics.h"
#include "emulated/ptx.h"
#include "emulated/not_there.h"
#endif
#endif
