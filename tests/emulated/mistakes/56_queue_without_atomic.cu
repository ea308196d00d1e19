// A queue whose next item is read, then counted up: two threads get the same
// says: race: .*updates d_next\[0\]
__global__ void work(int *next, float *x, int n)
{
    int i;
    while ((i = *next) < n) { // <-- mistake
        atomicAdd(next, 1);   // <-- said here
        x[i] = 1;
    }
}
int main(void)
{
    int *d_next;
    float *d_x;
    cudaMalloc((void **)&d_next, sizeof(int));
    cudaMalloc((void **)&d_x, 1024);
    cudaMemset(d_next, 0, sizeof(int));
    work<<<2, 32>>>(d_next, d_x, 256);
    cudaFree(d_next);
    cudaFree(d_x);
    return 0;
}
