/* A linked list to which all threads append at the front: atomicExch()
 * makes a node the first one and returns the one that was. */
#include "../common/cuda_utils.h"

enum { NODES = 256, BLOCK = 64, END = -1 };

__device__ int first = END;
__device__ int next[NODES], value[NODES];

__global__ void append(void)
{
    const int node = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    value[node] = 2 * node;
    next[node] = atomicExch(&first, node);
}

/* Another kernel, because until all nodes are in, a link may be missing:
 * a node is first in the list before its `next` is written. */
__global__ void count(int *nodes, int *sum)
{
    *nodes = *sum = 0;
    for (int node = first; node != END; node = next[node]) {
        *nodes += 1;
        *sum += value[node];
    }
}

int main(void)
{
    int result[2], *d_result = NULL;

    cudaVerify(cudaMalloc((void **)&d_result, sizeof result));
    cudaVerifyKernel((append<<<NODES / BLOCK, BLOCK>>>()));
    cudaVerifyKernel((count<<<1, 1>>>(d_result, d_result + 1)));
    cudaVerify(cudaMemcpy(result, d_result, sizeof result,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_result));
    printf("%d nodes, sum %d\n", result[0], result[1]);
    return 0;
}
