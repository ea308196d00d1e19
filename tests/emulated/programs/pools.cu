/* Memory in the order of a stream, from the device's pool and from one of the program's own. */
#include <stdio.h>
#include <string.h>

#define WRONG(condition)                                                                                               \
    do {                                                                                                               \
        if (condition) {                                                                                               \
            printf("line %d: %s\n", __LINE__, #condition);                                                             \
            wrong++;                                                                                                   \
        }                                                                                                              \
    } while (0)

__global__ void fill(int *p, int n) { p[threadIdx.x] = n; }

int main(void)
{
    cudaMemPool_t usual, own, found;
    cudaMemPoolProps props;
    cudaStream_t stream;
    unsigned long long threshold = 1 << 20, read = 0;
    int *d_a, *d_b, h[2] = {0, 0}, wrong = 0, supported = 0, off = 0, state = 1;

    WRONG(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0) != cudaSuccess || !supported);
    WRONG(cudaDeviceGetDefaultMemPool(&usual, 0) != cudaSuccess);
    WRONG(cudaMemPoolSetAttribute(usual, cudaMemPoolAttrReleaseThreshold, &threshold) != cudaSuccess);
    WRONG(cudaMemPoolGetAttribute(usual, cudaMemPoolAttrReleaseThreshold, &read) != cudaSuccess || read != threshold);
    WRONG(cudaMemPoolSetAttribute(usual, cudaMemPoolReuseAllowOpportunistic, &off) != cudaSuccess);
    WRONG(cudaMemPoolGetAttribute(usual, cudaMemPoolReuseAllowOpportunistic, &state) != cudaSuccess || state != 0);
    memset(&props, 0, sizeof props);
    WRONG(cudaMemPoolCreate(&own, &props) != cudaErrorInvalidValue);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    WRONG(cudaMemPoolCreate(&own, &props) != cudaSuccess);
    WRONG(cudaDeviceSetMemPool(0, own) != cudaSuccess);
    WRONG(cudaDeviceGetMemPool(&found, 0) != cudaSuccess || found != own);
    cudaMemAccessDesc access;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    memset(&access, 0, sizeof access);
    access.location.type = cudaMemLocationTypeDevice;
    WRONG(cudaMemPoolGetAccess(&flags, own, &access.location) != cudaSuccess || flags != cudaMemAccessFlagsProtReadWrite);
    WRONG(cudaMemPoolSetAccess(own, &access, 1) != cudaErrorInvalidDevice); /* a pool's own device keeps its access */
    access.flags = cudaMemAccessFlagsProtRead;
    WRONG(cudaMemPoolSetAccess(own, &access, 1) != cudaErrorNotSupported);
    access.location.type = cudaMemLocationTypeInvalid;
    access.flags = cudaMemAccessFlagsProtNone;
    WRONG(cudaMemPoolSetAccess(own, &access, 1) != cudaErrorNotSupported);
    WRONG(cudaMemPoolGetAccess(&flags, own, &access.location) != cudaErrorInvalidValue);
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    WRONG(cudaMemPoolSetAccess(own, &access, 1) != cudaSuccess);
    access.location.id = 64;
    WRONG(cudaMemPoolSetAccess(own, &access, 1) == cudaSuccess);
    cudaGetLastError();

    cudaStreamCreate(&stream);
    WRONG(cudaMallocAsync(&d_a, 32 * sizeof(int), stream) != cudaSuccess);
    WRONG(cudaMallocFromPoolAsync(&d_b, 32 * sizeof(int), own, stream) != cudaSuccess);
    WRONG(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &read) != cudaSuccess || read < 256);
    fill<<<1, 32, 0, stream>>>(d_a, 5);
    fill<<<1, 32, 0, stream>>>(d_b, 6);
    cudaMemcpyAsync(&h[0], d_a + 31, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(&h[1], d_b + 31, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(d_a, stream);
    cudaFreeAsync(d_b, stream);
    cudaStreamSynchronize(stream);
    WRONG(h[0] != 5 || h[1] != 6);
    cudaStreamDestroy(stream);
    WRONG(cudaMemPoolTrimTo(own, 0) != cudaSuccess);
    WRONG(cudaMemPoolDestroy(own) != cudaSuccess || cudaMemPoolDestroy(own) != cudaErrorInvalidValue);
    cudaGetLastError();
    printf("pools: %s\n", wrong ? "FAILED" : "ok");
    return wrong != 0;
}
