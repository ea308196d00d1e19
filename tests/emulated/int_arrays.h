/* int_arrays.h: the arrays of the tests whose kernels move int: x lies in d_x, a kernel writes d_y,
 * and the host's loop writes wanted. N is the including file's. */
#ifndef INT_ARRAYS_H
#define INT_ARRAYS_H
#include "cases.h"

static int *d_x, *d_y;
static int x[N], y[N], wanted[N];

static void prepare(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i * 37 % 1009;
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_y, sizeof x));
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, sizeof x));
    memset(wanted, 0, sizeof wanted);
}

static void expectWanted(int n)
{
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        if (y[i] != wanted[i]) {
            printf("FAILED: y[%d] is %d instead of %d\n", i, y[i], wanted[i]);
            exit(2);
        }
}
#endif
