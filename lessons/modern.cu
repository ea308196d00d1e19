/* Groups of threads as objects, atomics with an order and a scope, a
 * barrier of which arriving and waiting are two steps, and memory that is
 * allocated in a stream. Needs compute capability 7.0 and CUDA 11.2. */
#include "../common/cuda_utils.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>

/* nvcc calls the barrier's constructor dynamic; init() does its work. */
#ifdef __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

namespace cg = cooperative_groups;

enum { BLOCKS = 4, BLOCK = 64 };

/* A sum in each tile of 32 threads, then one atomic addition for each. */
__global__ void sum(const int *x, int *total)
{
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int own = x[cg::this_grid().thread_rank()];
    const int ofTile = cg::reduce(tile, own, cg::plus<int>());

    if (tile.thread_rank() == 0)
        cuda::atomic_ref<int, cuda::thread_scope_device>(*total).fetch_add(
            ofTile, cuda::memory_order_relaxed);
}

/* Thread t arrives, does something that needs nobody else, and waits. */
__global__ void turn(int *x)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> gate;
    __shared__ int s[BLOCK];
    const int t = (int)threadIdx.x;

    if (t == 0)
        init(&gate, BLOCK);
    __syncthreads();
    s[t] = x[t];
    auto token = gate.arrive(); /* what it wrote before is visible */
    const int factor = t % 2 == 0 ? 1 : -1;
    gate.wait(std::move(token)); /* to those who have waited */
    x[t] = factor * s[BLOCK - 1 - t];
}

int main(void)
{
    enum { N = BLOCKS * BLOCK };
    int x[N], first, total, *d_x = NULL, *d_total = NULL;
    cudaStream_t stream;

    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaVerify(cudaStreamCreate(&stream));
    /* both come from a pool, and go back in the order of the stream */
    cudaVerify(cudaMallocAsync((void **)&d_x, sizeof x, stream));
    cudaVerify(cudaMallocAsync((void **)&d_total, sizeof total, stream));
    cudaVerify(cudaMemsetAsync(d_total, 0, sizeof total, stream));
    cudaVerify(
        cudaMemcpyAsync(d_x, x, sizeof x, cudaMemcpyHostToDevice, stream));
    cudaVerifyKernel((sum<<<BLOCKS, BLOCK, 0, stream>>>(d_x, d_total)));
    cudaVerifyKernel((turn<<<1, BLOCK, 0, stream>>>(d_x)));
    cudaVerify(cudaMemcpyAsync(&first, d_x + 1, sizeof first,
                               cudaMemcpyDeviceToHost, stream));
    cudaVerify(cudaMemcpyAsync(&total, d_total, sizeof total,
                               cudaMemcpyDeviceToHost, stream));
    cudaVerify(cudaFreeAsync(d_total, stream));
    cudaVerify(cudaFreeAsync(d_x, stream));
    cudaVerify(cudaStreamSynchronize(stream));
    cudaVerify(cudaStreamDestroy(stream));
    printf("sum %d, x[1] %d\n", total, first);
    return 0;
}
