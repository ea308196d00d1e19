// Transformed there and back, and not divided by n
// not found: cuFFT leaves out the factor, and a program may have it elsewhere: the result is n times as large
#include <cufft.h>
int main(void)
{
    double *d_x;
    cufftDoubleComplex *d_z;
    cufftHandle there, back;
    cudaMalloc((void **)&d_x, 16 * sizeof(double));
    cudaMalloc((void **)&d_z, 9 * sizeof(cufftDoubleComplex));
    cudaMemset(d_x, 0, 16 * sizeof(double));
    cufftPlan1d(&there, 16, CUFFT_D2Z, 1);
    cufftPlan1d(&back, 16, CUFFT_Z2D, 1);
    cufftExecD2Z(there, d_x, d_z);
    cufftExecZ2D(back, d_z, d_x); // <-- mistake
    cufftDestroy(there);
    cufftDestroy(back);
    cudaFree(d_x);
    cudaFree(d_z);
    return 0;
}
