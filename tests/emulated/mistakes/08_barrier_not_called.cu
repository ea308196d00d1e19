// `__syncthreads` without its parentheses
// says: a call needs parentheses
__global__ void reverse(float *x)
{
    __shared__ float s[256];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads; // <-- mistake
    x[threadIdx.x] = s[255 - threadIdx.x];
}
