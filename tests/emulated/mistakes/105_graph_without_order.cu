// Two nodes of a graph that use one array, without a dependency
// says: race: kernel sum.*nothing orders the two
__global__ void fill(float *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void sum(const float *x, float *y)
{
    *y = 0;
    for (int i = 0; i < 32; i++)
        *y += x[i]; // <-- said here
}
int main(void)
{
    float *d_x, *d_y;
    cudaMalloc((void **)&d_x, 32 * sizeof(float));
    cudaMalloc((void **)&d_y, sizeof(float));
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaGraphNode_t filled, summed;
    cudaKernelNodeParams node = {};
    void *ofFill[] = {&d_x}, *ofSum[] = {&d_x, &d_y};
    cudaGraphCreate(&graph, 0);
    node.func = (void *)fill;
    node.gridDim = 1;
    node.blockDim = 32;
    node.kernelParams = ofFill;
    cudaGraphAddKernelNode(&filled, graph, NULL, 0, &node);
    node.func = (void *)sum;
    node.blockDim = 1;
    node.kernelParams = ofSum;
    cudaGraphAddKernelNode(&summed, graph, NULL, 0, &node); // <-- mistake
    cudaGraphInstantiate(&ready, graph, 0);
    cudaGraphLaunch(ready, 0);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
