/* host_defines.h: the words of CUDA C that are attributes or nothing. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__
#ifndef __CUDACC__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __maxnreg__(...)
#define __restrict__ __restrict
#define __thread__ __thread
#define CUDARTAPI
#define CUDART_CB

#ifndef __CUDACC__ /* a C or C++ file */
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#endif
#endif
