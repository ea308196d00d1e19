/* The shadow of memory stays within a budget (CUDA_EMULATED_MEMORY, here 96 MB): it forgets what
 * does not fit, while the program's results and the other findings stay. Without a budget this
 * program would take some 200 MB. */
#include "cases.h"

__global__ void addOne(float *y, const float *x, int stride)
{
    size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride;
    y[i] = x[i] + 1;
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

int main(void)
{
    const size_t n = 4 << 20, stride = 16;
    float *x, *y, last;
    size_t free_bytes, total;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    CHECK(cudaMalloc(&x, n * sizeof *x));
    CHECK(cudaMalloc(&y, n * sizeof *y));
    CHECK(cudaMemset(x, 0, n * sizeof *x));
    /* touches every page of the shadow */
    addOne<<<(unsigned)(n / stride / 256), 256>>>(y, x, (int)stride);
    CHECK(cudaMemcpy(&last, y + n - stride, sizeof last, cudaMemcpyDeviceToHost));
    emulatedSilence(1);
    addOne<<<1, 32>>>(y + n - 16, x, 1);
    const int findings = emulatedFindings();
    const long peak = peakMegabytes();
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    printf("device %zu MB, peak %ld MB, last %g, findings %d\n", total >> 20, peak, last, findings);
    return !(total == 48 << 20 && peak > 0 && peak < 120 && last == 1 && findings == 1);
}
