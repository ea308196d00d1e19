// Source and destination in the wrong order, where the source is `const`
// says: The destination of a copy comes first
void send(const float *h_x, float *d_x, size_t bytes)
{
    cudaMemcpy(h_x, d_x, bytes, cudaMemcpyHostToDevice); // <-- mistake
}
