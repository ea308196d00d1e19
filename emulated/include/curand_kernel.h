/* curand_kernel.h: cuRAND's generators in kernels: XORWOW, MRG32k3a and Philox. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#include "cuda_runtime.h"

#include "curand.h"
#include "emulated/random.h"
#endif
