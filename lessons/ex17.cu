/* Work for two streams is captured into a graph, which is then launched as
 * a whole, as often as one likes. */
#include "../common/cuda_utils.h"

__global__ void add(int *x, int number) { *x += number; }

__global__ void addAll(int *sum, const int *x, const int *y)
{
    *sum = *x + *y;
}

int main(void)
{
    int *d = NULL, sum = 0;
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t program;

    cudaVerify(cudaMalloc((void **)&d, 3 * sizeof *d));
    cudaVerify(cudaMemset(d, 0, 3 * sizeof *d));
    cudaVerify(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    cudaVerify(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    cudaVerify(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    cudaVerify(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    cudaVerify(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    cudaVerify(cudaEventRecord(fork, a));
    cudaVerify(cudaStreamWaitEvent(b, fork, 0)); /* b joins the capture */
    cudaVerifyKernel((add<<<1, 1, 0, a>>>(d, 1)));
    cudaVerifyKernel((add<<<1, 1, 0, b>>>(d + 1, 10)));
    cudaVerify(cudaEventRecord(join, b));
    cudaVerify(cudaStreamWaitEvent(a, join, 0)); /* and ends in a */
    cudaVerifyKernel((addAll<<<1, 1, 0, a>>>(d + 2, d, d + 1)));
    cudaVerify(cudaStreamEndCapture(a, &graph));
    /* since CUDA 12; before, with five arguments */
    cudaVerify(cudaGraphInstantiate(&program, graph, 0));

    for (int i = 0; i < 3; i++)
        cudaVerify(cudaGraphLaunch(program, a));
    cudaVerify(cudaStreamSynchronize(a));
    cudaVerify(cudaMemcpy(&sum, d + 2, sizeof sum, cudaMemcpyDeviceToHost));
    printf("three launches of three kernels each: %d\n", sum);

    cudaVerify(cudaGraphExecDestroy(program));
    cudaVerify(cudaGraphDestroy(graph));
    cudaVerify(cudaEventDestroy(fork));
    cudaVerify(cudaEventDestroy(join));
    cudaVerify(cudaStreamDestroy(a));
    cudaVerify(cudaStreamDestroy(b));
    cudaVerify(cudaFree(d));
    return 0;
}
