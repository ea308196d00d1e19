/* cuda_runtime.h: CUDA C for the emulated device. Included before each .cu file, as nvcc does.
 *
 * In a .cu file __global__, __device__, __shared__ and the other qualifiers are no macros: the
 * translator takes care of them, since what they become depends on what they stand before. In a C
 * or C++ file they mean nothing. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "channel_descriptor.h"
#include "texture_types.h"
#include "emulated/graph_nodes.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if __cplusplus >= 201103L
#include <utility>
#endif

#include "emulated/launch.h"
#include "emulated/symbols.h"

#ifdef __CUDACC__
#define __builtin_assume(condition) ((void)0) /* assumptions of the programmer are not checked */
#include "emulated/threads.h"

#include "emulated/atomics.h"
#include "emulated/mathematics.h"
#include "emulated/memory.h"
#include "emulated/not_there.h"
#include "emulated/ptx.h"
#include "emulated/simd.h"
#include "emulated/texture.h"
#endif
#endif
#endif
