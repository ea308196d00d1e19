// `__constant__` inside a kernel
// says: are declared outside of all functions
__global__ void scale(float *x)
{
    __constant__ float factor[2] = {2, 3}; // <-- mistake
    x[threadIdx.x] *= factor[threadIdx.x % 2];
}
