/* Ways to start the ranks of an MPI program, and whether they work here. */
#ifndef MPI_START_H
#define MPI_START_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first words of a command line that starts ranks: "srun --mpi=pmix". The number of ranks and
 * the program follow. */
struct mpi_way {
    char *words[8]; /* ends with NULL */
};

/* The command line that starts a program with its arguments in this way, on the heap; NULL if there
 * is no memory. It points into its arguments. */
char **mpiCommand(const struct mpi_way *way, const char *ranks, int argc, char **argv);
/* 1 if ranks that are started in this way find each other. Tries it with silent ranks that end
 * after MPI_Init. */
int mpiWayWorks(const struct mpi_way *way, const char *ranks, char *program);
/* Chooses the way to start ranks: COURSE_LAUNCHER if it is set; in a Slurm job the first that works
 * of srun, srun with each interface that `srun --mpi=list` names, and mpirun; elsewhere mpirun,
 * untried. Returns 0, with the ways that were tried in `tried`, if none works. */
int mpiChooseWay(struct mpi_way *way, const char *ranks, char *program, char *tried, size_t size);
/* In a rank that mpiWayWorks() has started, answers and ends the program. Elsewhere it does
 * nothing. */
void mpiAnswerTrial(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
