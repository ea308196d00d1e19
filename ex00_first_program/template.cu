/* TASK: Print temperatures in degrees Celsius and Fahrenheit, which the GPU has computed.
 * TRAFFIC: 2 n sizeof(float) bytes.
 * LIMIT: a launch and two copies take longer than 1000 conversions. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

// TODO 1 begin: the kernel: thread i computes fahrenheit[i] = 1.8f * celsius[i] + 32.0f, if i < n
// TODO 1 end

// TODO 2 begin: check(error, what): unless error is cudaSuccess, says why, and ends the program
// TODO 2 end

int main(void)
{
    enum { N = 1000 };
    static float celsius[N], fahrenheit[N];

    for (int i = 0; i < N; i++)
        celsius[i] = (float)(i - 40);
    // TODO 3 begin: allocate two arrays of N floats on the device, and copy celsius to one
    // TODO 3 end
    // TODO 4 begin: launch the kernel in blocks of 256 threads, and check the launch
    // TODO 4 end
    // TODO 5 begin: copy the result back, and free what is allocated
    // TODO 5 end
    for (int i = 0; i < N; i += 111)
        printf("%4.0f C = %6.1f F\n", celsius[i], fahrenheit[i]);
    return 0;
}
