// `__shared__` in host code
// says: __shared__ memory belongs to a block: declare it in the kernel
// needs: clang
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    __shared__ float s[256]; // <-- mistake
    twice<<<1, 256>>>(s);
    cudaDeviceSynchronize();
    return 0;
}
