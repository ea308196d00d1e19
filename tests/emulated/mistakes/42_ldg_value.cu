// `__ldg()` given the element instead of its address
// says: __ldg() wants the element.s address: is a & missing
__global__ void copy(const float *x, float *y)
{
    y[threadIdx.x] = __ldg(x[threadIdx.x]); // <-- mistake
}
