// `cudaFree()` for memory of `malloc()`
// says: cudaFree is given.*host memory
#include <stdlib.h>
int main(void)
{
    float *x = (float *)malloc(1024);
    cudaFree(x); // <-- mistake
    free(x);
    return 0;
}
