// `.x` forgotten: `threadIdx` is a structure
// says: blockIdx[.]x [*] blockDim[.]x + threadIdx[.]x
__global__ void twice(float *x)
{
    int i = blockIdx * blockDim + threadIdx; // <-- mistake
    x[i] = 2 * x[i];
}
