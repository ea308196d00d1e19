/* Finite elements: each element of a ring adds to its two nodes, which it
 * shares with its neighbours. By atomics; or in two launches, of elements
 * of one colour each, none of which share a node. */
#include "../common/cuda_utils.h"

enum { N = 1000, BLOCK = 128 };

/* What element e adds to each of its ends. */
__device__ float load(int e) { return 1.0f / (float)(e % 7 + 1); }

__global__ void byAtomics(float *node)
{
    const int e = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (e < N) {
        atomicAdd(&node[e], load(e));
        atomicAdd(&node[(e + 1) % N], load(e));
    }
}

/* Even elements have colour 0, odd ones 1; N is even. */
__global__ void byColour(float *node, int colour)
{
    const int e = 2 * (int)(blockIdx.x * blockDim.x + threadIdx.x) + colour;

    if (e < N) {
        node[e] += load(e);
        node[(e + 1) % N] += load(e);
    }
}

int main(void)
{
    float a[N], b[N], *d_a = NULL, *d_b = NULL, largest = 0.0f;

    cudaVerify(cudaMalloc((void **)&d_a, sizeof a));
    cudaVerify(cudaMalloc((void **)&d_b, sizeof b));
    cudaVerify(cudaMemset(d_a, 0, sizeof a));
    cudaVerify(cudaMemset(d_b, 0, sizeof b));
    cudaVerifyKernel((byAtomics<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_a)));
    for (int colour = 0; colour < 2; colour++)
        cudaVerifyKernel((
            byColour<<<(N / 2 + BLOCK - 1) / BLOCK, BLOCK>>>(d_b, colour)));
    cudaVerify(cudaMemcpy(a, d_a, sizeof a, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_b));
    for (int i = 0; i < N; i++)
        largest = fmaxf(largest, fabsf(a[i] - b[i]));
    printf("node 7: %g, largest difference: %g\n", b[7], largest);
    return 0;
}
