/* Two sequences of N real numbers are the real and imaginary parts of one
 * complex sequence, and one transform has the spectra of both. */
#include "../common/cuda_utils.h"
#include <math.h>

enum { N = 64 };

/* A block of N / 2 threads. Pass by pass, pairs of transforms of `size` points
 * become one of 2 size points. */
__global__ void transform(const float2 *x, float2 *y)
{
    __shared__ float2 s[2][N];
    const int j = (int)threadIdx.x;
    int from = 0;

    s[0][j] = x[j];
    s[0][j + N / 2] = x[j + N / 2];
    for (int size = 1; size < N; size *= 2) {
        const int k = j % size, to = 2 * (j - k) + k;
        float2 a, b, w;

        __syncthreads();
        a = s[from][j];
        b = s[from][j + N / 2];
        sincospif(-(float)k / size, &w.y, &w.x);
        b = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
        from = 1 - from;
        s[from][to] = make_float2(a.x + b.x, a.y + b.y);
        s[from][to + size] = make_float2(a.x - b.x, a.y - b.y);
    }
    __syncthreads();
    y[j] = s[from][j];
    y[j + N / 2] = s[from][j + N / 2];
}

int main(void)
{
    static float2 x[N], y[N];
    float2 *d_x = NULL, *d_y = NULL;

    for (int i = 0; i < N; i++) {
        x[i].x = (float)cos(2.0 * M_PI * 5 * i / N);
        x[i].y = (float)(0.5 * sin(2.0 * M_PI * 12 * i / N));
    }
    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_y, sizeof y));
    cudaVerify(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerifyKernel((transform<<<1, N / 2>>>(d_x, d_y)));
    cudaVerify(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
    for (int k = 1; k < N / 2; k++) { /* Y[k] = A[k] + i B[k] */
        const float2 p = y[k], q = y[N - k];
        const double a = hypot(p.x + q.x, p.y - q.y) / N;
        const double b = hypot(p.y + q.y, q.x - p.x) / N;

        if (a > 0.01 || b > 0.01)
            printf("frequency %2d: %.2f in the first, %.2f in the second\n",
                   k, a, b);
    }
    return 0;
}
