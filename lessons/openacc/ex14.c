/* A loop on the device with a sum, and two loops in one data region. */
#include <stdio.h>

enum { N = 1000 };

int main(void)
{
    static double x[N], y[N];
    double sum = 0.0;

    for (int i = 0; i < N; i++)
        x[i] = i;

/* Copies x there, and the sum back. */
#pragma acc parallel loop copyin(x[0:N]) reduction(+:sum)
    for (int i = 0; i < N; i++)
        sum += x[i];

/* x goes there once; y is made there, and comes back once at the end. */
#pragma acc data copyin(x[0:N]) copyout(y[0:N])
    {
#pragma acc parallel loop present(x[0:N], y[0:N])
        for (int i = 0; i < N; i++)
            y[i] = x[i] * x[i];

#pragma acc parallel loop present(y[0:N])
        for (int i = 0; i < N; i++)
            y[i] += 1.0;
    }

    printf("sum: %g, y[10]: %g\n", sum, y[10]);
    return 0;
}
