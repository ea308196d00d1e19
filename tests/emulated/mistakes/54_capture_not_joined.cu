// A second stream takes part in a capture, and nothing waits for it at the end
// says: bad-call: cudaStreamEndCapture: another stream has joined
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    cudaStream_t a, b;
    cudaEvent_t fork;
    cudaGraph_t graph;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&fork);
    cudaMalloc((void **)&d_x, 1024);
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, a);
    cudaStreamWaitEvent(b, fork, 0);
    zero<<<1, 256, 0, b>>>(d_x);
    cudaStreamEndCapture(a, &graph); // <-- mistake
    cudaFree(d_x);
    return 0;
}
