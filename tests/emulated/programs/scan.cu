// Exclusive prefix sum: Blelloch's tree in dynamic shared memory with padding against bank conflicts, block sums, and a
// second version by decoupled look-back in a single launch.
#include <stdio.h>
#include <stdlib.h>

#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void prescan(int *g_odata, const int *g_idata, int *sums, int n)
{
    extern __shared__ int temp[];
    int thid = threadIdx.x, offset = 1, base = blockIdx.x * n;
    int ai = thid, bi = thid + n / 2;
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + bankOffsetA] = g_idata[base + ai];
    temp[bi + bankOffsetB] = g_idata[base + bi];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int i = offset * (2 * thid + 1) - 1, j = offset * (2 * thid + 2) - 1;
            i += CONFLICT_FREE_OFFSET(i);
            j += CONFLICT_FREE_OFFSET(j);
            temp[j] += temp[i];
        }
        offset *= 2;
    }
    if (thid == 0) {
        int last = n - 1 + CONFLICT_FREE_OFFSET(n - 1);
        if (sums) sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int i = offset * (2 * thid + 1) - 1, j = offset * (2 * thid + 2) - 1;
            i += CONFLICT_FREE_OFFSET(i);
            j += CONFLICT_FREE_OFFSET(j);
            int t = temp[i];
            temp[i] = temp[j];
            temp[j] += t;
        }
    }
    __syncthreads();
    g_odata[base + ai] = temp[ai + bankOffsetA];
    g_odata[base + bi] = temp[bi + bankOffsetB];
}

__global__ void addSums(int *data, const int *sums, int n)
{
    data[blockIdx.x * n + threadIdx.x] += sums[blockIdx.x];
    data[blockIdx.x * n + threadIdx.x + n / 2] += sums[blockIdx.x];
}

// Each block publishes its sum, then looks back for those before it. status: 0 nothing, 1 own sum, 2 all up to here.
__global__ void lookBack(int *out, const int *in, volatile int *sums, volatile int *prefixes, volatile int *status,
                         unsigned int *ticket)
{
    __shared__ int s[256];
    __shared__ int tile, before;
    int t = threadIdx.x;
    if (t == 0)
        tile = atomicAdd(ticket, 1);
    __syncthreads();
    int x = in[tile * 256 + t];
    s[t] = x;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        sums[tile] = s[255];
        __threadfence();
        status[tile] = 1;
        int sum = 0;
        for (int look = tile - 1; look >= 0; look--) {
            int state;
            while ((state = status[look]) == 0)
                ;
            __threadfence();
            if (state == 2) {
                sum += prefixes[look];
                break;
            }
            sum += sums[look];
        }
        prefixes[tile] = sum + s[255];
        __threadfence();
        status[tile] = 2;
        before = sum;
    }
    __syncthreads();
    out[tile * 256 + t] = before + s[t] - x;
}

int main()
{
    const int per = 512, blocks = 16, n = per * blocks;
    int *h = (int *)malloc(n * sizeof(int)), *r = (int *)malloc(n * sizeof(int)), *in, *out, *sums, *state, wrong = 0;
    for (int i = 0; i < n; i++) h[i] = (i * 37) % 11;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&state, (3 * n / 256 + 1) * sizeof(int));
    cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);
    size_t shared = (per + per / 32) * sizeof(int);
    prescan<<<blocks, per / 2, shared>>>(out, in, sums, per);
    prescan<<<1, blocks / 2, shared>>>(sums, sums, NULL, blocks);
    addSums<<<blocks, per / 2>>>(out, sums, per);
    cudaMemcpy(r, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < n; sum += h[i++]) wrong += r[i] != sum;
    printf("tree: %d wrong\n", wrong);
    const int tiles = n / 256;
    cudaMemset(state, 0, (3 * tiles + 1) * sizeof(int));
    cudaMemset(out, 0xff, n * sizeof(int));
    lookBack<<<tiles, 256>>>(out, in, state, state + tiles, state + 2 * tiles, (unsigned int *)(state + 3 * tiles));
    cudaMemcpy(r, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < n; sum += h[i++]) wrong += r[i] != sum;
    printf("look-back: %d wrong\n", wrong);
    cudaFree(in); cudaFree(out); cudaFree(sums); cudaFree(state);
    free(h); free(r);
    return wrong != 0;
}
