// A launch with a grid and no block
// says: the values in <<<>>> do not fit a launch
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float *d_x;
    cudaMalloc((void **)&d_x, 1024);
    twice<<<256>>>(d_x); // <-- mistake
    cudaFree(d_x);
    return 0;
}
