/* What the active device can do, and what its driver offers. For .cu files of any toolkit. */
#ifndef CAPABILITY_H
#define CAPABILITY_H

#include "cuda_utils.h"

/* The first number of the active device's compute capability: 9 for 9.0. */
static inline int majorCapability(void)
{
    int device = 0, major = 0;

    cudaVerify(cudaGetDevice(&device));
    cudaVerify(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    return major;
}

#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 12000
/* A function of the driver, which programs are not linked with; NULL if it has none so named. */
static inline void *driverFunction(const char *name)
{
    cudaDriverEntryPointQueryResult found;
    void *function = NULL;

#if CUDART_VERSION >= 12050
    cudaVerify(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found));
#else
    cudaVerify(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found));
#endif
    return function;
}
#endif

#endif
