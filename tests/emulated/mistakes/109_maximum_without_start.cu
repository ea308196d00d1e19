// A maximum that begins with no value
// says: 'largest' is used here, and nothing has given it a first value
__global__ void largest_of_row(const float *x, float *y, int columns)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float largest;
    for (int i = 0; i < columns; i++)
        if (x[row * columns + i] > largest)
            largest = x[row * columns + i];
    y[row] = largest; // <-- mistake
}
