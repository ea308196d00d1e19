/* Whether toolkit and device multiply matrices of TF32 on tensor cores: CUDA 11 and compute capability 8.0. */
#ifndef TENSOR_CORES_CUH
#define TENSOR_CORES_CUH

#include "cuda_utils.h"

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 11000
#include <mma.h>
#define HAVE_TF32
#endif

static inline int hasTensorCores(void)
{
    int device = 0, major = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    return major >= 8;
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
