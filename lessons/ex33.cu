/* Four blocks, a cluster, add up a number of each block. The sum comes from
 * their shared memory, without any memory of the device in between. */
#include "../common/cuda_utils.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { BLOCKS = 4 };

__global__ void __cluster_dims__(BLOCKS, 1, 1) addUp(int *sums)
{
    __shared__ int number;
    const cg::cluster_group cluster = cg::this_cluster();
    int sum = 0;

    number = 10 * (int)(cluster.block_rank() + 1);
    cluster.sync(); /* all blocks have begun, and have their number */
    for (int rank = 0; rank < BLOCKS; rank++)
        sum += *cluster.map_shared_rank(&number, rank);
    cluster.sync(); /* all blocks have read */
    sums[blockIdx.x] = sum;
}

int main(void)
{
    int sums[2 * BLOCKS], *d_sums = NULL;

    cudaVerify(cudaMalloc((void **)&d_sums, sizeof sums));
    cudaVerifyKernel((addUp<<<2 * BLOCKS, 1>>>(d_sums)));
    cudaVerify(
        cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_sums));
    for (int block = 0; block < 2 * BLOCKS; block++)
        printf("block %d of cluster %d: %d\n", block % BLOCKS,
               block / BLOCKS, sums[block]);
    return 0;
}
