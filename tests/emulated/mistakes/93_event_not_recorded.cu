// The time between two events, one of which was never recorded
// says: the second event has not been recorded
int main(void)
{
    cudaEvent_t begin, end;
    float milliseconds;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, begin, end); // <-- mistake
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return 0;
}
