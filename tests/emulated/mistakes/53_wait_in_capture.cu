// The host waits while work is captured into a graph
// says: bad-call: cudaStreamSynchronize waits for a stream that is being captured
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&d_x, 1024);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    zero<<<1, 256, 0, stream>>>(d_x);
    cudaStreamSynchronize(stream); // <-- mistake
    cudaStreamEndCapture(stream, &graph);
    cudaFree(d_x);
    return 0;
}
