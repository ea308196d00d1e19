/* How fast the emulated device runs three kernels: speed add|product|stencil [SIZE] [LAUNCHES]
 * prints the seconds of each launch, without the host's own work. SIZE: edge of the matrices, or of
 * the square of elements that are added. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));        \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

const int TILE = 16;

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y,
        column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        as[y][x] = a[row * n + k0 + x];
        bs[y][x] = b[(k0 + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void stencil(const float *a, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
        size_t i = (size_t)y * n + x;
        c[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "add";
    const int isProduct = strcmp(what, "product") == 0, isStencil = strcmp(what, "stencil") == 0;
    const int n = argc > 2    ? atoi(argv[2])
                  : isProduct ? 512
                              : 4096,
              launches = argc > 3 ? atoi(argv[3]) : 2;
    const size_t bytes = (size_t)n * n * sizeof(float);
    float *h, *a, *b, *c;
    double wrong = 0;

    if (n < 32 || n % 32 != 0 || n > 16384 || launches < 1 ||
        (!isProduct && !isStencil && strcmp(what, "add") != 0)) {
        fprintf(stderr, "usage: %s add|product|stencil [SIZE] [LAUNCHES], SIZE a multiple of 32\n",
                argv[0]);
        return 2;
    }
    h = (float *)malloc(bytes);
    for (int i = 0; i < n * n; i++)
        h[i] = i % 17;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice));
    for (int launch = 0; launch < launches; launch++) {
        CHECK(cudaMemset(c, 0, bytes));
        double begin = now();
        if (isProduct)
            product<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
        else if (isStencil)
            stencil<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, c, n);
        else
            add<<<n * n / 256, 256>>>(a, b, c, n * n);
        CHECK(cudaDeviceSynchronize());
        printf("%.6f\n", now() - begin);
    }
    CHECK(cudaMemcpy(h, c, bytes, cudaMemcpyDeviceToHost));
    for (int y = 1; y < n - 1; y += n / 2 - 1) /* a few elements: the last ones as well */
        for (int x = 1; x < n - 1; x++) {
            const int i = y * n + x;
            double is = 2 * (i % 17);
            if (isStencil)
                is = 0.25 * ((i - 1) % 17 + (i + 1) % 17 + (i - n) % 17 + (i + n) % 17);
            for (int k = is = isProduct ? 0 : is; isProduct && k < n; k++)
                is += (double)((y * n + k) % 17) * ((k * n + x) % 17);
            wrong += h[i] != (float)is;
        }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    free(h);
    if (wrong)
        fprintf(stderr, "%s: %g elements are wrong\n", what, wrong);
    return wrong != 0;
}
