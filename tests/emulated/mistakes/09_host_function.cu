// A host function called in a kernel
// says: is a host function: a kernel can only call __device__ functions
// needs: clang
static float square(float x) { return x * x; }
__global__ void squares(float *x)
{
    x[threadIdx.x] = square(x[threadIdx.x]); // <-- mistake
}
