// A plan without its stream: the transform is in stream 0, the kernel in another
// says: race: .*which cufftExecD2Z at .*writes in another stream
#include <cufft.h>
__global__ void divide(cufftDoubleComplex *z) { z[threadIdx.x].x /= 16; } // <-- said here
int main(void)
{
    double *d_x;
    cufftDoubleComplex *d_z;
    cufftHandle plan;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc((void **)&d_x, 16 * sizeof(double));
    cudaMalloc((void **)&d_z, 9 * sizeof(cufftDoubleComplex));
    cudaMemset(d_x, 0, 16 * sizeof(double));
    cudaDeviceSynchronize();
    cufftPlan1d(&plan, 16, CUFFT_D2Z, 1); // <-- mistake
    cufftExecD2Z(plan, d_x, d_z);
    divide<<<1, 9, 0, stream>>>(d_z);
    cudaDeviceSynchronize();
    cufftDestroy(plan);
    cudaFree(d_x);
    cudaFree(d_z);
    return 0;
}
