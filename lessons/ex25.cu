/* Two devices in one process: what belongs to which, a copy between them,
 * and a kernel on one that reads the memory of the other. */
#include "../common/cuda_utils.h"

enum { N = 64 };

__global__ void fill(int *x, int value)
{
    x[threadIdx.x] = value + (int)threadIdx.x;
}

__global__ void add(int *y, const int *x)
{
    y[threadIdx.x] += x[threadIdx.x];
}

static int deviceOf(const void *p)
{
    struct cudaPointerAttributes attributes;

    cudaVerify(cudaPointerGetAttributes(&attributes, p));
    return attributes.device;
}

int main(void)
{
    int devices = 0, reaches = 0, *d_x[2] = {NULL, NULL}, y[N];
    cudaStream_t stream[2];
    cudaEvent_t filled;

    cudaVerify(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("one device only\n");
        return 0;
    }

    /* All that is allocated, created or launched is the active device's. */
    for (int d = 0; d < 2; d++) {
        cudaVerify(cudaSetDevice(d));
        cudaVerify(cudaMalloc((void **)&d_x[d], N * sizeof(int)));
        cudaVerify(cudaStreamCreate(&stream[d]));
    }
    cudaVerify(cudaSetDevice(0));
    cudaVerify(cudaEventCreate(&filled));

    /* Both kernels are under way at the same time. */
    for (int d = 0; d < 2; d++) {
        cudaVerify(cudaSetDevice(d));
        cudaVerifyKernel((fill<<<1, N, 0, stream[d]>>>(d_x[d], 100 * d)));
    }
    cudaVerify(cudaEventRecord(filled, stream[0]));

    /* Device 1 waits for device 0, the host for neither. */
    cudaVerify(cudaStreamWaitEvent(stream[1], filled, 0));
    cudaVerify(cudaDeviceCanAccessPeer(&reaches, 1, 0));
    printf("device 1 can use the memory of device 0: %s\n",
           reaches ? "yes" : "no");
    if (reaches) {
        cudaVerify(cudaDeviceEnablePeerAccess(0, 0)); /* 1 is active */
        cudaVerifyKernel((add<<<1, N, 0, stream[1]>>>(d_x[1], d_x[0])));
    }

    /* Now everything goes back to device 0, and from there to the host. */
    cudaVerify(cudaMemcpyPeerAsync(d_x[0], 0, d_x[1], 1, N * sizeof(int),
                                   stream[1]));
    cudaVerify(cudaStreamSynchronize(stream[1]));
    cudaVerify(cudaMemcpy(y, d_x[0], sizeof y, cudaMemcpyDefault));
    for (int d = 0; d < 2; d++)
        printf("this pointer is of device %d\n", deviceOf(d_x[d]));
    printf("y[3] = %d\n", y[3]);

    cudaVerify(cudaEventDestroy(filled));
    for (int d = 0; d < 2; d++) {
        cudaVerify(cudaStreamDestroy(stream[d]));
        cudaVerify(cudaFree(d_x[d]));
    }
    return 0;
}
