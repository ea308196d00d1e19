/* cuda_syntax.h: declarations for the pass with clang (cc/syntax_pass.c), before the preprocessed
 * source. */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
struct dim3;
typedef struct CUstream_st *cudaStream_t;
extern "C" unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block,
                                                unsigned long shared = 0, void *stream = 0);
