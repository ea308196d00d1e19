// A launch without its stream while another stream is captured
// says: bad-call: kernel zero goes into stream 0
__global__ void zero(float *x) { x[threadIdx.x] = 0; }
int main(void)
{
    float *d_x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&d_x, 1024);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    zero<<<1, 256>>>(d_x); // <-- mistake
    cudaStreamEndCapture(stream, &graph);
    cudaFree(d_x);
    return 0;
}
