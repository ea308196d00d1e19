/* Copies between two devices in four ways, and the row that measures one of them. */
#ifndef LINKS_CUH
#define LINKS_CUH

/* Copies n floats from device `from` to device `to`, and waits for that. h: page-locked, as
 * many. */
typedef void copy_fn(float *d_to, int to, const float *d_from, int from, float *h, size_t n);

/* The way that always exists: down to the host, and up again. */
void throughHost(float *d_to, int to, const float *d_from, int from, float *h, size_t n)
{
    cudaVerify(cudaSetDevice(from));
    cudaVerify(cudaMemcpy(h, d_from, n * sizeof *h, cudaMemcpyDeviceToHost));
    cudaVerify(cudaSetDevice(to));
    cudaVerify(cudaMemcpy(d_to, h, n * sizeof *h, cudaMemcpyHostToDevice));
    cudaVerify(cudaDeviceSynchronize());
}

/* No copy at all: an address of another device is an address like any other. Four floats of a
 * thread are under way at a time, in whole lines of 128 bytes. */
enum { EACH = 4 };

__global__ void copyElements(float *to, const float *from, size_t n)
{
    const size_t first = (size_t)blockIdx.x * EACH * blockDim.x + threadIdx.x;
    float x[EACH];

#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * blockDim.x < n)
            x[k] = from[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (first + k * blockDim.x < n)
            to[first + k * blockDim.x] = x[k];
}

static void copyOnDevice(int device, float *d_to, const float *d_from, size_t n)
{
    const int block = blockSize(256);

    cudaVerify(cudaSetDevice(device));
    cudaVerifyKernel(
        (copyElements<<<(unsigned int)((n + EACH * block - 1) / (EACH * block)), block>>>(
            d_to, d_from, n)));
    cudaVerify(cudaDeviceSynchronize());
}

void loads(float *d_to, int to, const float *d_from, int from, float *h, size_t n)
{
    (void)from;
    (void)h;
    copyOnDevice(to, d_to, d_from, n);
}

void stores(float *d_to, int to, const float *d_from, int from, float *h, size_t n)
{
    (void)to;
    (void)h;
    copyOnDevice(from, d_to, d_from, n);
}

enum access { NO_ACCESS, WANTS_ACCESS, NEEDS_ACCESS };

template <copy_fn copy, enum access access>
static void link(const struct field *field, const float *start, float *end)
{
    const size_t bytes = field->floats * sizeof(float);
    float *h = NULL, *d_from = NULL, *d_to = NULL;

    if (access != NO_ACCESS && !peersOpen(field, openPeer) && access == NEEDS_ACCESS) {
        rowSkip("these devices cannot use each other's memory");
        peersClose();
        return;
    }
    cudaVerify(cudaMallocHost((void **)&h, bytes));
    cudaVerify(cudaSetDevice(field->from));
    cudaVerify(cudaMalloc((void **)&d_from, bytes));
    cudaVerify(cudaSetDevice(field->to));
    cudaVerify(cudaMalloc((void **)&d_to, bytes));
    cudaVerify(cudaMemcpy(d_from, start, bytes, cudaMemcpyHostToDevice));
    MEASURE (run) {
        copy(d_to, field->to, d_from, field->from, h, field->floats);
    }
    cudaVerify(cudaMemcpy(end, d_to, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_to));
    cudaVerify(cudaFree(d_from));
    cudaVerify(cudaFreeHost(h));
    peersClose();
}

#endif
