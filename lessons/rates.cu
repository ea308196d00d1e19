/* Additions, shifts and products of integers, multiply-adds of floats, and
 * barriers: their results, and, with a number of rounds as the argument,
 * how many of them the device does in a second. */
#include "../common/cuda_utils.h"

enum { BLOCK = 256, CHAINS = 4, FEW_ROUNDS = 10, FEW_BLOCKS = 2 };
enum operation { ADD, SHIFT, MULTIPLY, MULTIPLY_ADD };

/* Two operations, each of which needs the result of the one before. In a
 * loop the compiler can leave none out: it could, if a sum or a product
 * had a second operand that stays the same, or if it knew that both shifts
 * are by one bit. */
template <int operation, typename type>
__device__ void twoSteps(type *x, type *y, unsigned int one)
{
    switch (operation) {
    case ADD:
        *x += *y;
        *y += *x;
        break;
    case SHIFT:
        *x = (type)((unsigned int)*x << one);
        *x = (type)((unsigned int)*x >> (unsigned int)*y);
        break;
    case MULTIPLY:
        *x *= *y;
        *y *= *x;
        break;
    default: /* MULTIPLY_ADD */
        *x = (type)fmaf((float)*x, 0.5f, (float)*y);
        *x = (type)fmaf((float)*x, 0.5f, (float)*y);
    }
}

typedef void kernel_fn(unsigned int *end, int rounds, unsigned int one,
                       unsigned int another);

/* Several chains in each thread: a unit need not wait for a result. */
template <int operation, typename type>
__global__ void operate(unsigned int *end, int rounds, unsigned int one,
                        unsigned int another)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    type x[CHAINS], y[CHAINS], sum = 0;

#pragma unroll
    for (int k = 0; k < CHAINS; k++) {
        x[k] = (type)(2 * (i + k) + one); /* odd: no product becomes 0 */
        y[k] = (type)another;
    }
#pragma unroll 16
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            twoSteps<operation>(&x[k], &y[k], one);
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
        sum += x[k];
    end[i] = (unsigned int)sum;
}

__global__ void waitForAll(unsigned int *end, int rounds, unsigned int one,
                           unsigned int another)
{
    unsigned int count = one - another;

#pragma unroll 16
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        count += one;
    }
    end[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

static int attribute(cudaDeviceAttr which)
{
    int value = 0;

    cudaVerify(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

/* count: operations of a block in a round. */
static void measure(const char *name, kernel_fn *kernel, int blocks,
                    int rounds, double count, int timed)
{
    const size_t n = (size_t)blocks * BLOCK;
    const double clock = 1e3 * attribute(cudaDevAttrClockRate);
    const int all = attribute(cudaDevAttrMultiProcessorCount);
    unsigned int last, *d_end = NULL;
    float milliseconds = 0.0f;
    cudaEvent_t begin, end;
    double rate;

    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    cudaVerify(cudaMalloc((void **)&d_end, n * sizeof *d_end));
    for (int run = 0; run < 2; run++) { /* the first one warms up */
        cudaVerify(cudaEventRecord(begin, 0));
        cudaVerifyKernel((kernel<<<blocks, BLOCK>>>(d_end, rounds, 1, 1)));
        cudaVerify(cudaEventRecord(end, 0));
    }
    cudaVerify(cudaMemcpy(&last, d_end + n - 1, sizeof last,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
    rate = count * rounds * blocks / (1e-3 * milliseconds);
    printf("%-18s%12u", name, last);
    if (timed)
        printf(
            " %9.4g G/s, %6.4g a clock and multiprocessor; %.4g ns a round",
            1e-9 * rate, rate / clock / (blocks < all ? blocks : all),
            1e6 * milliseconds / rounds);
    printf("\n");
    cudaVerify(cudaFree(d_end));
    cudaVerify(cudaEventDestroy(begin));
    cudaVerify(cudaEventDestroy(end));
}

int main(int argc, char **argv)
{
    const int timed = argc > 1, rounds = timed ? atoi(argv[1]) : FEW_ROUNDS;
    const int resident = attribute(cudaDevAttrMultiProcessorCount) *
                         attribute(cudaDevAttrMaxThreadsPerMultiProcessor) /
                         BLOCK;
    const int blocks = timed ? resident : FEW_BLOCKS;
    const double operations = 2.0 * CHAINS * BLOCK;

    printf("the last thread's result%s\n",
           timed ? ", and the rate of all threads" : "");
    measure("integer addition", operate<ADD, unsigned int>, blocks, rounds,
            operations, timed);
    measure("integer shift", operate<SHIFT, unsigned int>, blocks, rounds,
            operations, timed);
    measure("integer product", operate<MULTIPLY, unsigned int>, blocks,
            rounds, operations, timed);
    measure("float multiply-add", operate<MULTIPLY_ADD, float>, blocks,
            rounds, operations, timed);
    measure("barriers", waitForAll, blocks, rounds, 1.0, timed);
    measure("... of one block", waitForAll, 1, rounds, 1.0, timed);
    return 0;
}
