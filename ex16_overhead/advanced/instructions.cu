/* TASK     what one thread can do, and what all of them can, operation by operation: chains of
 *          dependent operations, each of which waits for the one before it, and several independent
 *          ones in a thread, which hide that.
 * TRAFFIC  none.
 * LIMIT    latency of one thread; the rate of an operation for all. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "overhead.h"

/* The logistic map in a single thread: it has the latency of its operations all to itself. */
template <int chains> __global__ void logistic(const float *x, float *y, int steps)
{
    float v[chains];

#pragma unroll
    for (int k = 0; k < chains; k++)
        v[k] = x[k];
    for (int s = 0; s < steps; s++)
#pragma unroll
        for (int k = 0; k < chains; k++)
            v[k] = LOGISTIC_STEP(v[k]);
#pragma unroll
    for (int k = 0; k < chains; k++)
        y[k] = v[k];
}

template <int chains> void oneThread(const struct work *w)
{
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, chains * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_y, chains * sizeof *d_y));
    cudaVerify(cudaMemcpy(d_x, w->x, chains * sizeof *d_x, cudaMemcpyHostToDevice));
    MEASURE (run) {
        cudaVerifyKernel((logistic<chains><<<1, 1>>>(d_x, d_y, w->steps)));
    }
    cudaVerify(cudaMemcpy(w->y, d_y, chains * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* None of these can be simplified by the compiler over several steps. The additions beside the
 * sines keep the values away from 0, at a small part of a sine's cost. */
template <int operation, typename type> __device__ type operate(type x)
{
    switch (operation) {
    case ADD: return x + (type)0.001f;
    case MULTIPLY_ADD: return (type)fmaf((float)x, 0.999f, 0.001f);
    case DIVIDE: return (type)(1.5f / (float)x);
    case SQUARE_ROOT: return (type)sqrtf((float)x);
    case FAST_SINE: return (type)(1.0f - __sinf((float)x));
    case SINE: return (type)(1.0f - sinf((float)x));
    case DOUBLE_MULTIPLY_ADD: return (type)fma((double)x, 0.999, 0.001);
    default: /* INTEGER_MULTIPLY_ADD */ return x * x + (type)1;
    }
}

/* Independent chains in each of n threads, which begin at different elements of x. */
template <int operation, typename type, int independent>
__global__ void operations(const float *x, float *y, size_t n, int steps)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    type v[independent];
    float sum = 0.0f;

    if (i >= n)
        return;
#pragma unroll
    for (int k = 0; k < independent; k++)
        v[k] = operation == INTEGER_MULTIPLY_ADD ? (type)(x[(i + k) % STARTS] * 65536.0f)
                                                 : (type)x[(i + k) % STARTS];
    for (int s = 0; s < steps; s++)
#pragma unroll
        for (int k = 0; k < independent; k++)
            v[k] = operate<operation>(v[k]);
#pragma unroll
    for (int k = 0; k < independent; k++)
        sum += operation == INTEGER_MULTIPLY_ADD ? (float)((unsigned)v[k] >> 8) * 0x1p-24f
                                                 : (float)v[k];
    y[i] = sum;
}

template <int operation, typename type>
static void launchOperations(const float *d_x, float *d_y, const struct work *w)
{
    const int block = blockSize(256);
    const unsigned grid = blocksFor(w->n, block);

    if (w->independent == 1)
        cudaVerifyKernel(
            (operations<operation, type, 1><<<grid, block>>>(d_x, d_y, w->n, w->steps)));
    else if (w->independent == 2)
        cudaVerifyKernel(
            (operations<operation, type, 2><<<grid, block>>>(d_x, d_y, w->n, w->steps)));
    else
        cudaVerifyKernel(
            (operations<operation, type, 4><<<grid, block>>>(d_x, d_y, w->n, w->steps)));
}

template <int operation> void instructions(const struct work *w)
{
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, STARTS * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_y, w->n * sizeof *d_y));
    cudaVerify(cudaMemcpy(d_x, w->x, STARTS * sizeof *d_x, cudaMemcpyHostToDevice));
    MEASURE (run) {
        if (operation == DOUBLE_MULTIPLY_ADD)
            launchOperations<operation, double>(d_x, d_y, w);
        else if (operation == INTEGER_MULTIPLY_ADD)
            launchOperations<operation, unsigned>(d_x, d_y, w);
        else
            launchOperations<operation, float>(d_x, d_y, w);
    }
    cudaVerify(cudaMemcpy(w->y, d_y, w->n * sizeof *d_y, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

template void oneThread<1>(const struct work *);
template void oneThread<2>(const struct work *);
template void oneThread<4>(const struct work *);
template void instructions<ADD>(const struct work *);
template void instructions<MULTIPLY_ADD>(const struct work *);
template void instructions<DIVIDE>(const struct work *);
template void instructions<SQUARE_ROOT>(const struct work *);
template void instructions<FAST_SINE>(const struct work *);
template void instructions<SINE>(const struct work *);
template void instructions<DOUBLE_MULTIPLY_ADD>(const struct work *);
template void instructions<INTEGER_MULTIPLY_ADD>(const struct work *);
