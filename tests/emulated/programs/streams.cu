// Page-locked memory and several streams, events, a graph captured from them, managed memory, constant coefficients, a
// stencil, and several devices where there are any.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cmath>

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
    return result;
}

#define RADIUS 3
#define BLOCK 128
__constant__ float coefficients[RADIUS + 1];
__device__ int launches;
__managed__ int answer;

__global__ void stencil(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float temp[BLOCK + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
    int lindex = threadIdx.x + RADIUS;
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK] = in[gindex + BLOCK];
    }
    __syncthreads();
    float result = coefficients[0] * temp[lindex];
    for (int offset = 1; offset <= RADIUS; offset++)
        result += coefficients[offset] * (temp[lindex - offset] + temp[lindex + offset]);
    out[gindex] = result;
    if (gindex == RADIUS) atomicAdd(&launches, 1);
}

__global__ void scale(float *a, int offset, float by)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    a[i] = a[i] * by;
}

__global__ void setAnswer(int *managed) { *managed = 42; answer = 43; printf("hello from thread %d\n", threadIdx.x); }

int main(int argc, char **argv)
{
    const int nStreams = 4, n = 4 * 1024, streamSize = n / nStreams, streamBytes = streamSize * sizeof(float);
    int wrong = 0, count = 0;
    float *a, *d_a;
    cudaDeviceProp prop;
    checkCuda(cudaGetDeviceCount(&count));
    checkCuda(cudaGetDeviceProperties(&prop, 0));
    printf("%d device(s): %s, %d multiprocessors\n", count, prop.name, prop.multiProcessorCount);
    checkCuda(cudaMallocHost((void **)&a, n * sizeof(float)));
    checkCuda(cudaMalloc((void **)&d_a, n * sizeof(float)));
    for (int i = 0; i < n; i++) a[i] = i;
    cudaStream_t stream[nStreams];
    cudaEvent_t start, stop;
    checkCuda(cudaEventCreate(&start));
    checkCuda(cudaEventCreate(&stop));
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamCreate(&stream[i]));
    checkCuda(cudaEventRecord(start, 0));
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice, stream[i]));
        scale<<<streamSize / 256, 256, 0, stream[i]>>>(d_a, offset, 2.0f);
        checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost, stream[i]));
    }
    checkCuda(cudaEventRecord(stop, 0));
    checkCuda(cudaEventSynchronize(stop));
    float ms;
    checkCuda(cudaEventElapsedTime(&ms, start, stop));
    for (int i = 0; i < n; i++) wrong += a[i] != 2.0f * i;
    printf("streams: %d wrong\n", wrong);

    // the same work as a graph, fork and join by events, launched three times
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t fork, join;
    checkCuda(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    checkCuda(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    checkCuda(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
    checkCuda(cudaEventRecord(fork, stream[0]));
    checkCuda(cudaStreamWaitEvent(stream[1], fork, 0));
    scale<<<n / 2 / 256, 256, 0, stream[0]>>>(d_a, 0, 2.0f);
    scale<<<n / 2 / 256, 256, 0, stream[1]>>>(d_a, n / 2, 2.0f);
    checkCuda(cudaEventRecord(join, stream[1]));
    checkCuda(cudaStreamWaitEvent(stream[0], join, 0));
    checkCuda(cudaMemcpyAsync(a, d_a, n * sizeof(float), cudaMemcpyDeviceToHost, stream[0]));
    checkCuda(cudaStreamEndCapture(stream[0], &graph));
    checkCuda(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    for (int k = 0; k < 3; k++) checkCuda(cudaGraphLaunch(exec, stream[0]));
    checkCuda(cudaStreamSynchronize(stream[0]));
    for (int i = 0; i < n; i++) wrong += a[i] != 16.0f * i;
    printf("graph: %d wrong\n", wrong);
    checkCuda(cudaGraphExecDestroy(exec));
    checkCuda(cudaGraphDestroy(graph));

    float c[RADIUS + 1] = {1, 0.5f, 0.25f, 0.125f};
    checkCuda(cudaMemcpyToSymbol(coefficients, c, sizeof(c)));
    float *d_out;
    checkCuda(cudaMalloc(&d_out, n * sizeof(float)));
    stencil<<<(n - 2 * RADIUS) / BLOCK, BLOCK>>>(d_a, d_out);
    int ran;
    checkCuda(cudaMemcpyFromSymbol(&ran, launches, sizeof(int)));
    checkCuda(cudaMemcpy(a + RADIUS, d_out + RADIUS, (n - 2 * RADIUS) / BLOCK * BLOCK * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = RADIUS; i < BLOCK; i++)
        wrong += fabsf(a[i] - 16.0f * i * 2.75f) > 1e-3f * i;
    wrong += ran != 1;
    printf("stencil: %d wrong\n", wrong);

    int *managed;
    checkCuda(cudaMallocManaged(&managed, sizeof(int)));
    *managed = 0;
    setAnswer<<<1, 2>>>(managed);
    checkCuda(cudaDeviceSynchronize());
    wrong += *managed != 42 || answer != 43;
    checkCuda(cudaFree(managed));

    for (int d = 1; d < count; d++) { // a copy from device to device
        float *there, back[4];
        int can = 0;
        checkCuda(cudaDeviceCanAccessPeer(&can, d, 0));
        checkCuda(cudaSetDevice(d));
        if (can) checkCuda(cudaDeviceEnablePeerAccess(0, 0));
        checkCuda(cudaMalloc(&there, sizeof back));
        checkCuda(cudaMemcpyPeer(there, d, d_a + 4, 0, sizeof back));
        checkCuda(cudaMemcpy(back, there, sizeof back, cudaMemcpyDefault));
        for (int i = 0; i < 4; i++) wrong += back[i] != 16.0f * (4 + i);
        checkCuda(cudaFree(there));
    }
    for (int i = 0; i < nStreams; ++i) checkCuda(cudaStreamDestroy(stream[i]));
    checkCuda(cudaEventDestroy(start));
    checkCuda(cudaEventDestroy(stop));
    checkCuda(cudaEventDestroy(fork));
    checkCuda(cudaEventDestroy(join));
    cudaFree(d_out);
    cudaFree(d_a);
    cudaFreeHost(a);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
