/* Inline PTX of the kinds that courses use, each against the plain C for it. */
#include <stdio.h>

__device__ float loadCs(const float *p)
{
    float v;
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(v) : "l"(p));
    return v;
}
__device__ void storeCs(float *p, float v)
{
    asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
__device__ float4 loadNc4(const float4 *p)
{
    float4 v;
    asm("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(p));
    return v;
}
__device__ void storeWb4(float4 *p, float4 v)
{
    asm volatile("st.global.wb.v4.f32 [%0], {%1, %2, %3, %4};"
                 :
                 : "l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
}
__device__ unsigned loadAcquire(const unsigned *p)
{
    unsigned v;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void addRelease(unsigned *p, unsigned v)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ unsigned addAtomic(unsigned *p, unsigned v)
{
    unsigned old;
    asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(v)
                 : "memory");
    return old;
}
__device__ unsigned lane(void)
{
    unsigned v, first;
    asm("mov.u32 %0, %%laneid;" : "=r"(v));
    asm("mov.u32 %0, %lanemask_lt;" : "=r"(first)); /* one % will do */
    return __popc(first) == (int)v ? v : ~0u;
}

__global__ void copies(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    storeCs(y + i, loadCs(x + i) + lane());
    float4 v = loadNc4((const float4 *)x + i % 16);
    storeWb4((float4 *)(y + 256) + i, v);
}
/* All blocks wait for each other by release and acquire. */
__global__ void barrier(float *a, float *b, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        addRelease(count, 1);
        while (loadAcquire(count) < gridDim.x)
            ;
    }
    __syncthreads();
    b[i] = a[n - 1 - i];
    if (threadIdx.x == 0)
        addAtomic(count + 1, 2);
}

int main(void)
{
    float *x, *y, h[256 * 5], input[256];
    unsigned *count, total[2];
    int wrong = 0;
    cudaMalloc(&x, sizeof input);
    cudaMalloc(&y, sizeof h);
    cudaMalloc(&count, sizeof total);
    for (int i = 0; i < 256; i++)
        input[i] = 3 * i;
    cudaMemcpy(x, input, sizeof input, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof total);
    copies<<<4, 64>>>(x, y);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) {
        wrong += h[i] != 3 * i + i % 32;
        for (int k = 0; k < 4; k++)
            wrong += h[256 + 4 * i + k] != 3 * (i % 16 * 4 + k);
    }
    barrier<<<8, 32>>>(x, y, count);
    cudaMemcpy(h, y, 256 * sizeof *h, cudaMemcpyDeviceToHost);
    cudaMemcpy(total, count, sizeof total, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        wrong += h[i] != 255 - i;
    wrong += total[0] != 8 || total[1] != 16 || cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(x);
    cudaFree(y);
    cudaFree(count);
    printf("inline PTX: %s\n", wrong ? "FAILED" : "ok");
    return wrong != 0;
}
