/* Data that is there already is not copied; a queue can be asked whether it
 * has finished; a thread chooses the device that it works with. */
#include <openacc.h>
#include <stdio.h>

enum { N = 1000, QUEUE = 1 };

/* Works with x on the device and, if it is not there, brings it. */
static void increment(double *x)
{
#pragma acc parallel loop copy(x[0:N]) async(QUEUE)
    for (int i = 0; i < N; i++)
        x[i] += 1.0;
}

int main(void)
{
    static double x[N];
    const acc_device_t kind = acc_get_device_type();
    const int devices = acc_get_num_devices(kind);

    if (devices > 0)
        acc_set_device_num(devices - 1, kind);
#pragma acc data copy(x[0:N])
    {
        for (int step = 0; step < 3; step++)
            increment(x); /* copies nothing: x is present */
        while (!acc_async_test(QUEUE))
            ; /* the host could do something useful */
    }
    increment(x); /* copies x there and back */
#pragma acc wait(QUEUE)
    printf("x[10]: %g\n", x[10]);
    return 0;
}
