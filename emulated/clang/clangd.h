/* clangd.h: what an editor's clangd reads before a .cu file, so that it takes it for CUDA C on a machine with or
 * without a toolkit. The emulated device's headers declare CUDA's names. */
#define __CUDA_EMULATED__ 1
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define EMULATED_ARCH 900
#include "cuda_syntax.h"
#pragma clang force_cuda_host_device begin
#include <cuda_runtime.h>
/* The toolkit takes a kernel without its type, too; the emulated device is told by its translator. */
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                        cudaStream_t stream = 0);
#pragma clang force_cuda_host_device end
