/* Features that CUDA 5.5 did not have, or not on every device, and a name that it reserved: one
 * piece for each name that tests/legacy/legacy.cmake defines. Without any of these names the file
 * compiles. */
#include "cuda_utils.h"
#include "cublas_utils.h"
#ifdef COOPERATIVE_GROUPS
#include <cooperative_groups.h>
#endif

#ifdef OWN_SURFACE
struct surface {
    int x;
};
#endif

__global__ void newer(double *x, const int *y)
{
    int i = threadIdx.x;
#ifdef SHUFFLE
    i = __shfl(i, 0);
#endif
#ifdef NAMED_LANES
    i = __shfl_sync(0xffffffffu, i, 0);
#endif
#ifdef READ_ONLY_LOAD
    i = __ldg(y + i);
#endif
#ifdef DOUBLE_ATOMIC
    atomicAdd(x, 1.0);
#endif
#ifdef TEXTURE_OBJECT
    x[i] = tex2D<float>((cudaTextureObject_t)y[i], 0.0f, 0.0f);
#endif
#ifdef NULL_POINTER
    x = nullptr;
#endif
    x[i] = y[i];
}

void call(double *x, const int *y)
{
    cudaVerifyKernel((newer<<<1, 32>>>(x, y)));
#ifdef OCCUPANCY
    int blocks;
    cudaVerify(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, newer, 32, 0));
#endif
#ifdef STRIDED_BATCHES
    cublasVerify(cublasSgemmStridedBatched());
#endif
}
