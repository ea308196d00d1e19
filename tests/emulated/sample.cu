/* A launch that would take too long is checked by sample (CUDA_EMULATED_SAMPLE, here from 10000
 * steps of its warps on): results are those of all blocks, counters stand for all blocks, and
 * mistakes of the first and last blocks are found. With the argument "all" nothing is left out, and
 * the mistake of a block in between is found, too. */
#include "cases.h"

const int BLOCKS = 1024, THREADS = 256;

__global__ void addOne(float *y, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1;
}

/* Each block reads what others have written, most of them unchecked. */
__global__ void reversed(float *y, const float *x)
{
    __shared__ float s[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[THREADS - 1 - threadIdx.x] = x[BLOCKS * THREADS - 1 - i];
    __syncthreads();
    y[i] = s[threadIdx.x];
}

__global__ void readsIn(int block, float *y, const float *unwritten)
{
    y[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x == block ? *unwritten : 0;
}

__global__ void wrongIn(int block, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[blockIdx.x == block ? i + BLOCKS * THREADS : i] = 0;
}

static int failures;
static void expect(const char *what, double is, double shall)
{
    if (is != shall) {
        printf("%s: %g instead of %g\n", what, is, shall);
        failures++;
    }
}

static long peakMegabytes(void)
{
    char line[256];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmHWM: %ld", &kilobytes);
    if (f)
        fclose(f);
    return kilobytes >> 10;
}

/* Two arrays of 64 MB. The state of each word takes 1 byte, its last users 16 more, but only where
 * blocks are checked. */
static int large(void)
{
    const unsigned blocks = (16 << 20) / THREADS;
    const size_t bytes = (size_t)blocks * THREADS * sizeof(float);
    float *x, *y, last;
    CHECK(cudaMalloc(&x, bytes));
    CHECK(cudaMalloc(&y, bytes));
    CHECK(cudaMemset(x, 0, bytes));
    addOne<<<blocks, THREADS>>>(y, x);
    CHECK(cudaMemcpy(&last, y + bytes / sizeof *y - 1, sizeof last, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    const long peak = peakMegabytes();
    printf("last %g, peak %ld MB\n", last, peak);
    return !(last == 1 && peak > 0 && peak < 230);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "large") == 0)
        return large();
    const int n = BLOCKS * THREADS, all = argc > 1 && strcmp(argv[1], "all") == 0;
    float *h = (float *)malloc(n * sizeof *h), *x, *y;
    struct emulated_counters c;
    int wrong = 0;
    if (!h)
        return 2;
    for (int i = 0; i < n; i++)
        h[i] = i;
    CHECK(cudaMalloc(&x, n * sizeof *x));
    CHECK(cudaMalloc(&y, n * sizeof *y));
    CHECK(cudaMemcpy(x, h, n * sizeof *x, cudaMemcpyHostToDevice));
    addOne<<<BLOCKS, THREADS>>>(y, x);
    emulatedCountersGet(&c);
    expect("load requests", c.global_load_requests, n / 32);
    expect("load sectors", c.global_load_sectors, n / 8);
    expect("store requests", c.global_store_requests, n / 32);
    reversed<<<BLOCKS, THREADS>>>(x, y);
    CHECK(cudaMemcpy(h, x, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BLOCKS; b++)
        for (int t = 0; t < THREADS; t++)
            wrong += h[b * THREADS + t] != n - 1 - (b * THREADS + THREADS - 1 - t) + 1;
    expect("wrong elements", wrong, 0);
    expect("findings", emulatedFindings(), 0);
    emulatedSilence(1);
    wrongIn<<<BLOCKS, THREADS>>>(BLOCKS - 1, y);
    expect("findings in the last block", emulatedFindings(), 1);
    emulatedFindingsReset();
    addOne<<<BLOCKS, THREADS>>>(y, x);
    CHECK(cudaMemset(x, 0, n * sizeof *x));
    expect("findings after it", emulatedFindings(), 0);
    CHECK(cudaFree(x));
    CHECK(cudaMalloc(&x, n * sizeof *x));
    readsIn<<<BLOCKS, THREADS>>>(333, y, x);
    expect("an uninitialised read in one block", emulatedFindings(), all);
    emulatedFindingsReset();
    addOne<<<BLOCKS, THREADS>>>(y, x);
    expect("an uninitialised read in most blocks", emulatedFindings(), 1);
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    free(h);
    printf("%s, %d failed\n", all ? "all" : "sample", failures);
    return failures != 0;
}
