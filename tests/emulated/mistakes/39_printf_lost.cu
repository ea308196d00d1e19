// Nothing waits for a kernel that prints: the program ends first
// says: remark: the program ends without waiting for kernel hello
#include <stdio.h>
__global__ void hello(void) { printf("hello from thread %d\n", threadIdx.x); }
int main(void)
{
    hello<<<1, 4>>>(); // <-- mistake
    return 0;
}
