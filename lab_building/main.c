/* Prints the values of 1 + 2 x + 3 x^2, which the GPU computes. */
#include "table.h"
#include <stdio.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

int main(int argc, char **argv)
{
    const float c[] = {1, 2, 3};
    float y[5];
    int failed, rank = 0;

#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#else
    (void)argc, (void)argv;
#endif
    failed = table(y, 5, c, 3);
    for (int i = 0; !failed && i < 5; i++)
        printf(i < 4 ? "%g " : "%g\n", y[i]);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return failed;
}
