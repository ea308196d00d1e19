// A `__device__` function called by the host
// says: is a __device__ function: the host cannot call it
// needs: clang
__device__ float square(float x) { return x * x; }
__global__ void squares(float *x) { x[threadIdx.x] = square(x[threadIdx.x]); }
int main(void)
{
    return square(2) != 4; // <-- mistake
}
