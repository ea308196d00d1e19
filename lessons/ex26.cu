/* The highest value so far: a scan with max instead of +, in steps of 1, 2,
 * 4 and 8 places. Then what a scan is good for: each record goes to the place
 * that the number of records before it says. */
#include "../common/cuda_utils.h"

enum { N = 16 };

/* Two rows of shared memory take turns, so that one barrier a step is
 * enough. */
__global__ void highestSoFar(const int *x, int *highest)
{
    __shared__ int row[2][N];
    const int t = (int)threadIdx.x;
    int from = 0;

    row[from][t] = x[t];
    for (int d = 1; d < N; d *= 2, from = 1 - from) {
        __syncthreads();
        row[1 - from][t] =
            t >= d ? max(row[from][t], row[from][t - d]) : row[from][t];
    }
    highest[t] = row[from][t];
}

/* An element is a record if it is higher than all before it. One warp can
 * count the records before each by a vote. */
__global__ void records(const int *x, const int *highest, int *record)
{
    const int t = (int)threadIdx.x;
    const int isRecord = t == 0 || x[t] > highest[t - 1];
    const unsigned int lanes = __ballot_sync((1u << N) - 1, isRecord);

    if (isRecord)
        record[__popc(lanes & ((1u << t) - 1))] = x[t];
}

int main(void)
{
    const int x[N] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 11, 10};
    int highest[N], record[N] = {0}, *d = NULL;

    cudaVerify(cudaMalloc((void **)&d, 3 * sizeof x));
    cudaVerify(cudaMemset(d, 0, 3 * sizeof x));
    cudaVerify(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((highestSoFar<<<1, N>>>(d, d + N)));
    cudaVerifyKernel((records<<<1, N>>>(d, d + N, d + 2 * N)));
    cudaVerify(
        cudaMemcpy(highest, d + N, sizeof x, cudaMemcpyDeviceToHost));
    cudaVerify(
        cudaMemcpy(record, d + 2 * N, sizeof x, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d));
    printf("highest so far:");
    for (int i = 0; i < N; i++)
        printf(" %d", highest[i]);
    printf("\nrecords:");
    for (int i = 0; i < N && record[i] != 0; i++)
        printf(" %d", record[i]);
    printf("\n");
    return 0;
}
