/* merge.h: one program from the two that the preprocessor makes of a file that asks for
 * __CUDA_ARCH__. */
#ifndef EMULATED_MERGE_H
#define EMULATED_MERGE_H

#include <stddef.h>

/* host is preprocessed without __CUDA_ARCH__, device with it. The result has kernels and __device__
 * functions as in device, the rest as in host; a __host__ __device__ function that differs has both
 * bodies and chooses when it runs. A new string of *length bytes, or NULL after a message that
 * names the line. */
char *merge_passes(const char *host, size_t host_length, const char *device, size_t device_length,
                   size_t *length);
#endif
