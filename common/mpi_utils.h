/* Checked MPI calls, and waits that end, for every MPI exercise.
 *
 * Stands on its own: any .c, .cc or .cu file can include it. */
#ifndef MPI_UTILS_H
#define MPI_UTILS_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /* the C interface only, from C++ too */
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* mpiVerify(call): runs a call that returns an MPI error code. On an error it prints where, what
 * and why, and ends all ranks:
 *
 *     mpiVerify(MPI_Send(x, n, MPI_FLOAT, neighbour, tag, MPI_COMM_WORLD));
 *
 * MPI returns errors only after MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN); before, it ends
 * the program itself. */
#define mpiVerify(call) mpiVerifyAt((call), #call, __FILE__, __LINE__)

/* Out of line: inlined, the code for the message would be compiled again at each call. */
__attribute__((noinline, unused)) static void mpiVerifyAt(int error, const char *call,
                                                          const char *file, int line)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, rank = 0;

    if (error == MPI_SUCCESS)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Error_string(error, text, &length);
    fflush(stdout);
    fprintf(stderr, "%s:%d: rank %d: %s: %s\n", file, line, rank, call, text);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* The message of a rank that gives up: what it waits for, and what it is doing. */
#ifdef __GNUC__
#define MPI_UTILS_SHARED __attribute__((weak)) /* one variable for all files that include this */
#else
#define MPI_UTILS_SHARED static
#endif
MPI_UTILS_SHARED char mpiImpatience[256];
MPI_UTILS_SHARED char mpiWatched[256];
MPI_UTILS_SHARED int mpiWatchSeconds;

static inline void mpiGiveUp(int number)
{
    const int isWatched =
        mpiWatchSeconds > 0; /* calls of ranks that do not match are WRONG, not an error */
    ssize_t written = write(2, mpiImpatience, strlen(mpiImpatience));

    written += write(2, mpiWatched, strlen(mpiWatched));
    (void)number;
    (void)written;
    _exit(isWatched ? 1 : 2);
}

static inline void mpiAlarm(int seconds)
{
    signal(SIGALRM, mpiGiveUp);
    alarm((unsigned)seconds);
}

/* mpiPatience(seconds, format, ...) ... mpiPatienceEnd(): if the calls between them take longer
 * than that, because another rank died or sends nothing, this rank prints the message and ends with
 * exit status 2, or 1 during an mpiWatch(); mpirun then ends the others. So a mistake never
 * hangs. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static inline void
mpiPatience(int seconds, const char *format, ...)
{
    va_list arguments;
    size_t length;

    va_start(arguments, format);
    vsnprintf(mpiImpatience, sizeof mpiImpatience - 40, format, arguments);
    va_end(arguments);
    length = strlen(mpiImpatience);
    snprintf(mpiImpatience + length, sizeof mpiImpatience - length, ": nothing for %d s\n",
             seconds);
    mpiAlarm(seconds);
}

static inline void mpiPatienceEnd(void)
{
    mpiImpatience[0] = '\0';
    alarm((unsigned)mpiWatchSeconds);
}

/* mpiWatch(seconds, format, ...): from now on a rank also ends if it makes no progress for so long
 * outside mpiPatience() and mpiPatienceEnd(). Whenever it gives up, it prints this message. Each
 * mpiPatienceEnd() restarts the time. mpiWatch(0, " ") ends the watch. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static inline void
mpiWatch(int seconds, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(mpiWatched, sizeof mpiWatched, format, arguments);
    va_end(arguments);
    mpiWatchSeconds = seconds;
    mpiImpatience[0] = '\0';
    mpiAlarm(seconds);
}

#endif
