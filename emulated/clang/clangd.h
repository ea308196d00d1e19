/* clangd.h: an editor's clangd reads this before a .cu file, so that it accepts CUDA C on a machine
 * with or without a toolkit. The emulated device's headers declare CUDA's names. */
#define __CUDA_EMULATED__ 1
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define EMULATED_ARCH 900
#include "cuda_syntax.h"
#define __forceinline__ __inline__ __attribute__((always_inline))
#pragma clang force_cuda_host_device begin
#include <cuda_runtime.h>
#pragma clang force_cuda_host_device end
