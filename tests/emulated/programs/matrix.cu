// Tiled matrix product as a template over the tile width, with a Matrix structure by value, and a transpose through
// cudaMallocPitch'ed memory.
#include <iostream>
#include <cmath>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

struct Matrix {
    int width, height, stride;
    float *elements;
};

template <int BLOCK_SIZE> __device__ float *subMatrix(const Matrix A, int row, int col)
{
    return &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col];
}

template <int BLOCK_SIZE> __global__ void __launch_bounds__(BLOCK_SIZE *BLOCK_SIZE) MatMulKernel(Matrix A, Matrix B, Matrix C)
{
    float *Csub = subMatrix<BLOCK_SIZE>(C, blockIdx.y, blockIdx.x);
    float Cvalue = 0;
    int row = threadIdx.y, col = threadIdx.x;
    for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
        const float *Asub = subMatrix<BLOCK_SIZE>(A, blockIdx.y, m);
        const float *Bsub = subMatrix<BLOCK_SIZE>(B, m, blockIdx.x);
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[row][col] = Asub[row * A.stride + col];
        Bs[row][col] = Bsub[row * B.stride + col];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    Csub[row * C.stride + col] = Cvalue;
}

__global__ void transposePitched(const float *in, size_t inPitch, float *out, size_t outPitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        const float *row = (const float *)((const char *)in + y * inPitch);
        ((float *)((char *)out + x * outPitch))[y] = row[x];
    }
}

static Matrix onDevice(int w, int h, const float *data)
{
    Matrix m = {w, h, w, NULL};
    cudaMalloc(&m.elements, w * h * sizeof(float));
    if (data) cudaMemcpy(m.elements, data, w * h * sizeof(float), cudaMemcpyHostToDevice);
    return m;
}

int main()
{
    const int n = 64;
    float *a = new float[n * n], *b = new float[n * n], *c = new float[n * n];
    for (int i = 0; i < n * n; i++) { a[i] = (i * 7) % 13; b[i] = (i * 5) % 11; }
    Matrix A = onDevice(n, n, a), B = onDevice(n, n, b), C = onDevice(n, n, nullptr);
    dim3 dimBlock(16, 16);
    dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
    MatMulKernel<16><<<dimGrid, dimBlock>>>(A, B, C);
    cudaMemcpy(c, C.elements, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            wrong += s != c[i * n + j];
        }
    std::cout << "product: " << wrong << " wrong" << std::endl;

    const int w = 37, h = 21;
    float *d_in, *d_out;
    size_t inPitch, outPitch;
    cudaMallocPitch(&d_in, &inPitch, w * sizeof(float), h);
    cudaMallocPitch(&d_out, &outPitch, h * sizeof(float), w);
    cudaMemcpy2D(d_in, inPitch, a, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
    transposePitched<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d_in, inPitch, d_out, outPitch, w, h);
    cudaMemcpy2D(c, h * sizeof(float), d_out, outPitch, h * sizeof(float), w, cudaMemcpyDeviceToHost);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) wrong += c[x * h + y] != a[y * w + x];
    std::cout << "transpose: " << wrong << " wrong" << std::endl;
    cudaFree(A.elements); cudaFree(B.elements); cudaFree(C.elements); cudaFree(d_in); cudaFree(d_out);
    delete[] a; delete[] b; delete[] c;
    return wrong != 0;
}
