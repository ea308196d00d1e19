// Milliseconds in a double
// says: the call writes a float
double timeOf(cudaEvent_t begin, cudaEvent_t end)
{
    double milliseconds;
    cudaEventElapsedTime(&milliseconds, begin, end); // <-- mistake
    return milliseconds;
}
