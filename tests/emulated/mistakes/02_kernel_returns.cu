// A kernel that returns a value
// says: error: a kernel returns nothing
__global__ float twice(float *x) // <-- mistake
{
    return 2 * x[threadIdx.x];
}
