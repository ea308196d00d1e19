/* TF32 on tensor cores: whether toolkit (CUDA 11) and device (compute capability 8.0) have it, and
 * what of a float it is. */
#ifndef TENSOR_CORES_CUH
#define TENSOR_CORES_CUH

#include "capability.h"
#include "cuda_utils.h"

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 11000
#include <mma.h>
#define HAVE_TF32
#endif

static inline int hasTensorCores(void) { return majorCapability() >= 8; }

/* The 11 first bits of x, which is what a tensor core takes of it, and then they and the rest are
 * x. */
static __device__ __forceinline__ float cutOff(float x)
{
    return __int_as_float(__float_as_int(x) & ~0x1fff);
}

/* x such that cutting it off rounds it: half of the last bit that stays is added. */
static __device__ __forceinline__ float rounded(float x)
{
    return __int_as_float(__float_as_int(x) + 0x1000);
}

/* Bytes of shared memory that a block can have, if it asks for more than 48 KB. */
#ifdef HAVE_TF32
static inline size_t sharedMemoryOfABlock(void)
{
    int device = 0, bytes = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return (size_t)bytes;
}
#endif

#endif
