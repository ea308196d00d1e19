/* A loop inside a graph: its body is launched again as long as a kernel
 * says so, and the host takes no part. Needs CUDA 12.8. */
#include "../common/cuda_utils.h"

__global__ void halve(double *x, double small, int *steps,
                      cudaGraphConditionalHandle again)
{
    *x /= 2.0;
    *steps += 1;
    cudaGraphSetConditional(again, *x > small);
}

int main(void)
{
    double x = 1.0, *d_x = NULL;
    int steps = 0, *d_steps = NULL;
    cudaGraph_t graph, body;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle again;
    cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
    cudaStream_t stream;

    cudaVerify(cudaMalloc((void **)&d_x, sizeof x));
    cudaVerify(cudaMalloc((void **)&d_steps, sizeof steps));
    cudaVerify(cudaMemcpy(d_x, &x, sizeof x, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemset(d_steps, 0, sizeof steps));
    cudaVerify(cudaStreamCreate(&stream));
    cudaVerify(cudaGraphCreate(&graph, 0));

    /* each launch of the graph begins with 1: go round */
    cudaVerify(cudaGraphConditionalHandleCreate(
        &again, graph, 1, cudaGraphCondAssignDefault));
    loop.conditional.handle = again;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
#if CUDART_VERSION >= 13000
    cudaVerify(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &loop));
#else
    cudaVerify(cudaGraphAddNode(&node, graph, NULL, 0, &loop));
#endif
    body = loop.conditional.phGraph_out[0];
    cudaVerify(cudaStreamBeginCaptureToGraph(
        stream, body, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
    cudaVerifyKernel(
        (halve<<<1, 1, 0, stream>>>(d_x, 1e-6, d_steps, again)));
    cudaVerify(cudaStreamEndCapture(stream, NULL));

    cudaVerify(cudaGraphInstantiate(&exec, graph, 0));
    cudaVerify(cudaGraphLaunch(exec, stream));
    cudaVerify(cudaStreamSynchronize(stream));
    cudaVerify(
        cudaMemcpy(&steps, d_steps, sizeof steps, cudaMemcpyDeviceToHost));
    cudaVerify(cudaGraphExecDestroy(exec));
    cudaVerify(cudaGraphDestroy(graph));
    cudaVerify(cudaStreamDestroy(stream));
    cudaVerify(cudaFree(d_steps));
    cudaVerify(cudaFree(d_x));
    printf("steps: %d\n", steps);
    return 0;
}
