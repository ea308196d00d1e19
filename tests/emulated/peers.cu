/* Several devices: which memory a kernel may use, and which streams and events a call may get.
 *
 *     peers [CASE] as checks.cu. On two GPUs or more the cases without a mistake run, or the one
 *     that is named. */
#include <cuda_runtime.h>
#include "cases.h"

enum { N = 64 };
static const size_t bytes = N * sizeof(int);
static int *d_x[2];            /* on each device, initialised */
static cudaStream_t stream[2]; /* of each device */
static cudaEvent_t event[2];

__global__ void copyTo(int *y, const int *x) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void count(int *n) { atomicAdd(n, 1); }
__global__ void copyPairs(int2 *y, const int2 *x) { y[threadIdx.x] = x[threadIdx.x]; }
__device__ int d_variable[N];
__global__ void fillVariable(int *y)
{
    d_variable[threadIdx.x] = threadIdx.x;
    y[threadIdx.x] = d_variable[threadIdx.x];
}

static void prepare(void)
{
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaDeviceReset());
        CHECK(cudaMalloc((void **)&d_x[d], bytes));
        CHECK(cudaMemset(d_x[d], 0, bytes));
        CHECK(cudaStreamCreate(&stream[d]));
        CHECK(cudaEventCreate(&event[d]));
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaSetDevice(0));
}

static void enable(int device, int peer)
{
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceEnablePeerAccess(peer, 0));
}

static void expect(cudaError_t error, cudaError_t wanted)
{
    if (error != wanted) {
        printf("    %s instead of %s\n", cudaGetErrorName(error), cudaGetErrorName(wanted));
        exit(2);
    }
    cudaGetLastError();
}

/* ---- whose memory ---------------------------------------------------------------------------- */
static void loadsFromPeer(void)
{
    enable(0, 1);
    copyTo<<<1, N>>>(d_x[0], d_x[1]);
}
static void storesToPeer(void)
{
    enable(1, 0);
    copyTo<<<1, N>>>(d_x[0], d_x[1]);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
}
static void noPeerAccess(void) { copyTo<<<1, N>>>(d_x[0], d_x[1]); }
static void storesWithoutAccess(void) { copyTo<<<1, N>>>(d_x[1], d_x[0]); }
static void accessTheOtherWay(void)
{
    enable(1, 0);
    CHECK(cudaSetDevice(0));
    copyTo<<<1, N>>>(d_x[0], d_x[1]);
}
static void accessDisabled(void)
{
    enable(0, 1);
    CHECK(cudaDeviceDisablePeerAccess(1));
    copyTo<<<1, N>>>(d_x[0], d_x[1]);
}
static void atomicWithoutAccess(void) { count<<<1, N>>>(d_x[1]); }
static void pairsWithoutAccess(void)
{
    copyPairs<<<1, N / 2>>>((int2 *)d_x[0], (const int2 *)d_x[1]);
}
static void wrongDevice(void) /* all arguments are of device 1 */
{
    copyTo<<<1, N / 2>>>(d_x[1], d_x[1] + N / 2);
}
static void errorAtPeer(void)
{
    copyTo<<<1, N>>>(d_x[0], d_x[1]);
    expect(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    /* everything fails from here on */
    expect(cudaMemset(d_x[0], 0, bytes), cudaErrorIllegalAddress);
}
static void everybodysMemory(void)
{
    int *pinned, *managed;
    CHECK(cudaMallocHost((void **)&pinned, bytes));
    CHECK(cudaMallocManaged((void **)&managed, bytes));
    for (int i = 0; i < N; i++)
        pinned[i] = managed[i] = i;
    CHECK(cudaSetDevice(1));
    copyTo<<<1, N>>>(d_x[1], pinned);
    copyTo<<<1, N>>>(d_x[1], managed);
    fillVariable<<<1, N>>>(d_x[1]);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    CHECK(cudaSetDevice(0));
}
static void memoryUsedAgain(void) /* what was device 0's may be device 1's later */
{
    enum { MANY = 50 };
    for (int i = 0; i < MANY; i++) {
        int *p;
        CHECK(cudaSetDevice(i % 2));
        CHECK(cudaMalloc((void **)&p, bytes));
        CHECK(cudaMemset(p, 0, bytes));
        copyTo<<<1, N>>>(d_x[i % 2], p);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(p));
    }
    CHECK(cudaSetDevice(0));
}

/* ---- enabling it ----------------------------------------------------------------------------- */
static void enabledTwice(void)
{
    int can = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    expect(can ? cudaSuccess : cudaErrorUnknown, cudaSuccess);
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 1));
    expect(can ? cudaErrorUnknown : cudaSuccess, cudaSuccess);
    enable(0, 1);
    expect(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    expect(cudaDeviceEnablePeerAccess(64, 0), cudaErrorInvalidDevice);
    CHECK(cudaDeviceDisablePeerAccess(1));
    expect(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    expect(cudaSetDevice(64), cudaErrorInvalidDevice);
}

static void enabledForItself(void)
{
    expect(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
}

/* ---- copies ---------------------------------------------------------------------------------- */
static void copiesBetween(void) /* with and without access; the driver finds a way */
{
    CHECK(cudaMemcpyPeer(d_x[0], 0, d_x[1], 1, bytes));
    CHECK(cudaMemcpyPeerAsync(d_x[1], 1, d_x[0], 0, bytes, stream[0]));
    CHECK(cudaStreamSynchronize(stream[0]));
    CHECK(cudaMemcpy(d_x[0], d_x[1], bytes, cudaMemcpyDefault)); /* unified addresses */
    CHECK(cudaDeviceSynchronize());
    /* device 0 is active */
    CHECK(cudaMemcpyAsync(d_x[1], d_x[0], bytes, cudaMemcpyDeviceToDevice, stream[1]));
    CHECK(cudaStreamSynchronize(stream[1]));
}
static void serialised(void) /* with all that is under way on both devices, but not with the host */
{
    CHECK(cudaSetDevice(1));
    copyTo<<<1, N / 2, 0, stream[1]>>>(d_x[1], d_x[1] + N / 2);
    CHECK(cudaSetDevice(0));
    copyTo<<<1, N / 2, 0, stream[0]>>>(d_x[0], d_x[0] + N / 2);
    CHECK(cudaMemcpyPeer(d_x[0], 0, d_x[1], 1, bytes));
    copyTo<<<1, N / 2, 0, stream[0]>>>(d_x[0], d_x[0] + N / 2);
    CHECK(cudaSetDevice(1));
    copyTo<<<1, N / 2, 0, stream[1]>>>(d_x[1], d_x[1] + N / 2);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceSynchronize());
}
static void notSerialised(void)
{
    CHECK(cudaSetDevice(1));
    copyTo<<<1, N / 2, 0, stream[1]>>>(d_x[1], d_x[1] + N / 2);
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyPeerAsync(d_x[0], 0, d_x[1], 1, bytes, stream[0]));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
}
static void sourceElsewhere(void) { CHECK(cudaMemcpyPeer(d_x[0], 0, d_x[1], 0, bytes)); }
static void destinationElsewhere(void)
{
    CHECK(cudaMemcpyPeerAsync(d_x[0], 1, d_x[1], 1, bytes, stream[0]));
}
static void memsetByStream(void)
{
    CHECK(cudaMemsetAsync(d_x[1], 0, bytes, stream[1])); /* whichever device is active */
    CHECK(cudaStreamSynchronize(stream[1]));
    enable(0, 1);
    CHECK(cudaMemset(d_x[1], 0, bytes));
}
static void memsetElsewhere(void) { expect(cudaMemset(d_x[1], 0, bytes), cudaErrorInvalidValue); }
static void memsetInOtherStream(void)
{
    expect(cudaMemsetAsync(d_x[0], 0, bytes, stream[1]), cudaErrorInvalidValue);
}
static void noSuchDevice(void)
{
    expect(cudaMemcpyPeer(d_x[0], 0, d_x[1], 64, bytes), cudaErrorInvalidDevice);
}
static void pointerTells(void)
{
    cudaPointerAttributes attributes;
    CHECK(cudaSetDevice(0));
    CHECK(cudaPointerGetAttributes(&attributes, d_x[1] + 5));
    expect(attributes.device == 1 ? cudaSuccess : cudaErrorUnknown, cudaSuccess);
}

/* ---- streams and events ---------------------------------------------------------------------- */
static void streamOfOther(void)
{
    copyTo<<<1, N / 2, 0, stream[1]>>>(d_x[0], d_x[0] + N / 2);
    expect(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}
static void streamOfThis(void)
{
    CHECK(cudaSetDevice(1));
    copyTo<<<1, N / 2, 0, stream[1]>>>(d_x[1], d_x[1] + N / 2);
    CHECK(cudaStreamSynchronize(stream[1]));
    CHECK(cudaSetDevice(0));
}
static void eventsOfBoth(void)
{
    CHECK(cudaEventRecord(event[1], stream[1])); /* whichever device is active */
    CHECK(cudaEventRecord(event[0], stream[0]));
    CHECK(cudaStreamWaitEvent(stream[0], event[1], 0)); /* a stream may wait for any event */
    CHECK(cudaEventSynchronize(event[1]));
    CHECK(cudaEventSynchronize(event[0]));
}
static void eventOfOther(void)
{
    expect(cudaEventRecord(event[1], stream[0]), cudaErrorInvalidResourceHandle);
    expect(cudaEventRecord(event[1], 0), cudaErrorInvalidResourceHandle);
}
static void timeAcrossDevices(void)
{
    float milliseconds;
    eventsOfBoth();
    expect(cudaEventElapsedTime(&milliseconds, event[0], event[1]), cudaErrorInvalidResourceHandle);
}
static void peerIsWaitedFor(int waits)
{
    enable(0, 1);
    CHECK(cudaSetDevice(1));
    copyTo<<<1, N / 2, 0, stream[1]>>>(d_x[1], d_x[1] + N / 2);
    CHECK(cudaEventRecord(event[1], stream[1]));
    CHECK(cudaSetDevice(0));
    if (waits)
        CHECK(cudaStreamWaitEvent(stream[0], event[1], 0));
    copyTo<<<1, N / 2, 0, stream[0]>>>(d_x[0], d_x[1]);
    CHECK(cudaStreamSynchronize(stream[0]));
    CHECK(cudaStreamSynchronize(stream[1]));
}
static void loadsAfterEvent(void) { peerIsWaitedFor(1); }
static void loadsTooEarly(void) { peerIsWaitedFor(0); }

static const struct test tests[] = {
    CLEAN(loadsFromPeer),
    CLEAN(storesToPeer),
    FINDS(noPeerAccess, "invalid-address", "reads d_x[d][0] (byte 0 of the 256-byte allocation"),
    FINDS(storesWithoutAccess, "invalid-address",
          "memory of device 1, and the kernel runs on device 0"),
    FINDS(accessTheOtherWay, "invalid-address",
          "cudaSetDevice(0), then cudaDeviceEnablePeerAccess(1, 0)"),
    FINDS(accessDisabled, "invalid-address", "memory of device 1"),
    FINDS(atomicWithoutAccess, "invalid-address", "updates"),
    FINDS(pairsWithoutAccess, "invalid-address", "memory of device 1"),
    FINDS(enabledForItself, "bad-call", "device 0 is the active one"),
    FINDS(wrongDevice, "invalid-address", "or the kernel was meant for another device"),
    FINDS(errorAtPeer, "invalid-address", "memory of device 1"),
    CLEAN(everybodysMemory),
    CLEAN(memoryUsedAgain),
    CLEAN(enabledTwice),
    CLEAN(copiesBetween),
    CLEAN(serialised),
    FINDS(notSerialised, "race", "in another stream"),
    FINDS(sourceElsewhere, "bad-copy", "cudaMemcpyPeer's source is said to be on device 0, but is"),
    FINDS(destinationElsewhere, "bad-copy", "destination is said to be on device 1"),
    CLEAN(noSuchDevice),
    CLEAN(memsetByStream),
    FINDS(memsetElsewhere, "bad-copy", "is memory of device 1, and the active device is 0"),
    FINDS(memsetInOtherStream, "bad-copy",
          "is memory of device 0, and the stream is one of device 1"),
    CLEAN(pointerTells),
    FINDS(streamOfOther, "invalid-launch",
          "the stream was created on device 1, and device 0 is the active one"),
    CLEAN(streamOfThis),
    CLEAN(eventsOfBoth),
    FINDS(eventOfOther, "bad-call",
          "cudaEventRecord: the event was created on device 1, and the stream is one of device 0"),
    FINDS(timeAcrossDevices, "bad-call",
          "the first event was created on device 0, the second one on device 1"),
    CLEAN(loadsAfterEvent),
    FINDS(loadsTooEarly, "race", "in another stream"),
};

int main(int argc, char **argv)
{
    int devices = 0;
#ifdef __CUDA_EMULATED__
    emulatedDevices(2);
#endif
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        printf("one device only\n");
        return 77;
    }
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
