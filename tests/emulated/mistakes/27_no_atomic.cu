// A sum without an atomic
// says: race: .*nothing orders the two
__global__ void count(int *sum)
{
    *sum += 1; // <-- mistake
}
int main(void)
{
    int *d_sum;
    cudaMalloc((void **)&d_sum, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    count<<<4, 256>>>(d_sum);
    cudaFree(d_sum);
    return 0;
}
