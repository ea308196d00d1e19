// What three pictures of the lessons show. ./course picture draws them from what these kernels do.

// ex04: the sectors that the 32 lanes of a warp touch.
__global__ void sectors(const float *a, float *sum)
{
    const int lane = threadIdx.x;
    float s = 0.0f;

    s += a[lane];
    s += a[lane + 1];
    s += a[lane + 8];
    s += a[2 * lane];
    s += a[8 * lane];
    sum[lane] = s;
}

// ex04: the lanes that take each path of a branch. At the last one each warp goes one way only, and
// there is nothing to draw. Each branch has a kernel, whose first line it is: the trace names the
// line where the piece of code begins that ends in the branch.
__global__ void divergenceOdd(float *y)
{
    if (threadIdx.x % 2)
        y[threadIdx.x] = 1.0f;
    else
        y[threadIdx.x] = 2.0f;
}

__global__ void divergenceLow(float *y)
{
    if (threadIdx.x % 32 < 8)
        y[threadIdx.x] = 1.0f;
    else
        y[threadIdx.x] = 2.0f;
}

__global__ void divergenceWarps(float *y)
{
    if (threadIdx.x / 32 % 2)
        y[threadIdx.x] = 1.0f;
    else
        y[threadIdx.x] = 2.0f;
}

// ex11: the banks in which the words of a column lie.
__global__ void banks(float *sum)
{
    __shared__ float plain[32][32], padded[32][33];
    const int lane = threadIdx.x;
    float s = 0.0f;

    for (int row = 0; row < 32; row++)
        plain[row][lane] = padded[row][lane] = 1.0f;
    __syncwarp();
    s += plain[lane][0];
    s += padded[lane][0];
    sum[lane] = s;
}

int main(void)
{
    float *a, *y;

    if (cudaMalloc(&a, 256 * sizeof *a) != cudaSuccess ||
        cudaMalloc(&y, 64 * sizeof *y) != cudaSuccess ||
        cudaMemset(a, 0, 256 * sizeof *a) != cudaSuccess)
        return 2;
    sectors<<<1, 32>>>(a, y);
    divergenceOdd<<<1, 64>>>(y);
    divergenceLow<<<1, 64>>>(y);
    divergenceWarps<<<1, 64>>>(y);
    banks<<<1, 32>>>(y);
    if (cudaDeviceSynchronize() != cudaSuccess || cudaFree(y) != cudaSuccess ||
        cudaFree(a) != cudaSuccess)
        return 2;
    return 0;
}
