/* How the kernels of ex13 are launched. */
#ifndef LAUNCHES_H
#define LAUNCHES_H

enum { BLOCK = 256 };

/* How many of these blocks a multiprocessor has places for (on Fermi: registers); the compiler
 * keeps to it. */
#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ < 300)
#define RESIDENT 4
#elif defined __CUDA_ARCH__ &&                                                                     \
    (__CUDA_ARCH__ >= 860 && __CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
#define RESIDENT 6
#else
#define RESIDENT 8
#endif

#endif
