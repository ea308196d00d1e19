// A stream to be created given by its value
// says: the address of the stream: &stream
int main(void)
{
    cudaStream_t stream;
    cudaStreamCreate(stream); // <-- mistake
    return 0;
}
