// `atomicAdd()` given the number instead of its address
// says: an address is wanted: is a & missing
__global__ void count(int *bins, const int *x)
{
    atomicAdd(bins[x[threadIdx.x]], 1); // <-- mistake
}
