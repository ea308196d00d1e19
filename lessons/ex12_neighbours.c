/* Each rank tells both neighbours its number. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, ranks, above, below, fromAbove = -1, fromBelow = -1, heard[3],
                                   all[3 * 64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

    /* Down: to the rank below, from the rank above. Then up. */
    MPI_Sendrecv(&rank, 1, MPI_INT, below, 7, &fromAbove, 1, MPI_INT, above,
                 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&rank, 1, MPI_INT, above, 8, &fromBelow, 1, MPI_INT, below,
                 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    heard[0] = rank;
    heard[1] = fromAbove;
    heard[2] = fromBelow;
    if (ranks <= 64)
        MPI_Gather(heard, 3, MPI_INT, all, 3, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks && ranks <= 64; r++)
        printf("rank %d: from above %d, from below %d\n", all[3 * r],
               all[3 * r + 1], all[3 * r + 2]);
    MPI_Finalize();
    return 0;
}
