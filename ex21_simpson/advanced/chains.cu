/* TASK     several chains of additions in a thread, and the same for a given number of registers.
 * TRAFFIC  none.
 * LIMIT    arithmetic: two values of f for each interval. */
#include "advanced/work.cuh"

/* What interval i adds to the sum: its left end, which counts twice, and its middle. */
template <int f> static __device__ double endAndMiddle(size_t i, double a, double h)
{
    const double x = a + (double)i * h;

    return 2.0 * valueOf<f>(x) + 4.0 * valueOf<f>(x + 0.5 * h);
}

/* In a sum each addition waits for the one before. With several sums there is something else to do
 * meanwhile, as if the thread were several ones; each wants registers of its own. */
template <int f, int chains>
static __device__ double sumOfChains(double a, double b, double h, size_t n)
{
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    double own[chains], sum = first == 0 ? valueOf<f>(b) - valueOf<f>(a) : 0.0;
    size_t i = first;

#pragma unroll
    for (int c = 0; c < chains; c++)
        own[c] = 0.0;
    for (; i + (chains - 1) * stride < n; i += chains * stride)
#pragma unroll
        for (int c = 0; c < chains; c++)
            own[c] += endAndMiddle<f>(i + c * stride, a, h);
    for (; i < n; i += stride) /* too few for all chains */
        sum += endAndMiddle<f>(i, a, h);
#pragma unroll
    for (int c = 0; c < chains; c++)
        sum += own[c];
    return sum;
}

template <int f, int chains>
__global__ void inChains(double a, double b, double h, size_t n, double *sums)
{
    storeSum(sumOfChains<f, chains>(a, b, h, n), sums);
}

template <int f, int chains> static void launchChains(const struct work *w)
{
    remarkOccupancy((const void *)inChains<f, chains>, w->block);
    cudaVerifyKernel(
        (inChains<f, chains><<<w->blocks, w->block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

template <int f> void launchTwoChains(const struct work *w) { launchChains<f, 2>(w); }

template <int f> void launchFourChains(const struct work *w) { launchChains<f, 4>(w); }

/* Eight chains, and so many blocks of BOUND_BLOCK threads must fit on a multiprocessor: what the
 * compiler may use for a thread is a share of its registers, and the rest goes to local memory. */
template <int f, int resident>
__global__ void __launch_bounds__(BOUND_BLOCK, resident)
    bounded(double a, double b, double h, size_t n, double *sums)
{
    storeSum(sumOfChains<f, 8>(a, b, h, n), sums);
}

typedef void bounded_fn(double a, double b, double h, size_t n, double *sums);

template <int f> static bounded_fn *boundedFor(int resident)
{
    switch (resident) {
    case 1: return bounded<f, 1>;
    case 2: return bounded<f, 2>;
    case 3: return bounded<f, 3>;
    case 4: return bounded<f, 4>;
    case 5: return bounded<f, 5>;
    case 6: return bounded<f, 6>;
    default: return bounded<f, 8>;
    }
}

template <int f> void launchEightChains(const struct work *w)
{
    const int block = w->block < BOUND_BLOCK ? w->block : BOUND_BLOCK;
    bounded_fn *const kernel = boundedFor<f>(residentWanted);

    remarkOccupancy((const void *)kernel, block);
    cudaVerifyKernel((kernel<<<w->blocks, block>>>(w->a, w->b, w->h, w->n, w->d_sums)));
}

extern "C" int registersOfBounded(enum function f, int resident, int *local)
{
    static bounded_fn *(*const kernels[])(int) = {boundedFor<circle>, boundedFor<sine>,
                                                  boundedFor<exponential>, boundedFor<root>};
    struct kernel_use use;

    usesOf((const void *)kernels[f](resident), BOUND_BLOCK, &use);
    *local = use.local;
    return use.registers;
}

/* solution.cu and template.cu only see the declarations. */
#define INSTANCES(name, f, inFloat, fast, antiderivative, bound)                                   \
    template void launchTwoChains<name>(const struct work *w);                                     \
    template void launchFourChains<name>(const struct work *w);                                    \
    template void launchEightChains<name>(const struct work *w);
FUNCTIONS(INSTANCES)
