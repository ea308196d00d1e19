// A device that is not there
// not found: the call returns an error, which a program may ask for to count the devices; what comes after uses device 0
int main(void)
{
    float *d_x;
    cudaSetDevice(1); // <-- mistake
    cudaMalloc((void **)&d_x, 1024);
    cudaFree(d_x);
    return 0;
}
