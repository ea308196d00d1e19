/* The wrappers of the profiling interface: each counts, says which memory MPI is going to use, and
 * calls MPI's own function. The emulated device then names an operation of a stream that still uses
 * that memory: MPI knows nothing of streams, and waits for none. */
#include "mpi_requests.h"
#include <mpi.h>
#ifdef COURSE_EMULATED
#include "cuda_emulated.h"
#include "harness/exit_codes.h"
#include <stdio.h>
#include <unistd.h>
#endif

static long pending;

#ifdef COURSE_EMULATED
/* Ends the rank before MPI ends it by a segmentation fault, or reads what lies there. */
static void endIfOutside(const char *call, const void *data, size_t bytes, const void *place)
{
    const char *problem = emulatedRangeProblem(call, data, bytes, place);

    if (problem == NULL)
        return;
    fflush(stdout);
    fprintf(stderr, "WRONG: %s\n", problem);
    _exit(EXIT_WRONG);
}
#endif

/* Notes that MPI reads or writes this many elements for the function that called it there. */
static void use(const char *call, const void *data, int count, MPI_Datatype type, int partner,
                int writes, const void *place)
{
#ifdef COURSE_EMULATED
    int bytes = 0;

    if (partner != MPI_PROC_NULL && count > 0 && PMPI_Type_size(type, &bytes) == MPI_SUCCESS) {
        endIfOutside(call, data, (size_t)bytes * (size_t)count, place);
        emulatedHostAccess(call, data, (size_t)bytes * (size_t)count, writes, place);
    }
#else
    (void)call, (void)data, (void)count, (void)type, (void)partner, (void)writes, (void)place;
#endif
}

#define READS(data, count, type, to)                                                               \
    use(__func__, data, count, type, to, 0, __builtin_return_address(0))
#define WRITES(data, count, type, from)                                                            \
    use(__func__, data, count, type, from, 1, __builtin_return_address(0))

long mpiRequestsPending(void) { return pending; }

static int real(int count, const MPI_Request *requests)
{
    int n = 0;

    for (int i = 0; i < count; i++)
        n += requests[i] != MPI_REQUEST_NULL;
    return n;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int error;

    READS(data, count, type, to);
    error = PMPI_Isend(data, count, type, to, tag, comm, request);

    pending += real(1, request);
    return error;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    int error;

    WRITES(data, count, type, from);
    error = PMPI_Irecv(data, count, type, from, tag, comm, request);

    pending += real(1, request);
    return error;
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    READS(data, count, type, to);
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    WRITES(data, count, type, from);
    return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *received,
                 int most, MPI_Datatype receivedType, int from, int receivedTag, MPI_Comm comm,
                 MPI_Status *status)
{
    READS(data, count, type, to);
    WRITES(received, most, receivedType, from);
    return PMPI_Sendrecv(data, count, type, to, tag, received, most, receivedType, from,
                         receivedTag, comm, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    pending -= real(1, request);
    return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status *statuses)
{
    pending -= real(count, requests);
    return PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitany(int count, MPI_Request requests[], int *which, MPI_Status *status)
{
    pending -= real(count, requests) > 0;
    return PMPI_Waitany(count, requests, which, status);
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    const int before = real(1, request), error = PMPI_Test(request, done, status);

    pending -= *done ? before : 0;
    return error;
}

int MPI_Testall(int count, MPI_Request requests[], int *done, MPI_Status *statuses)
{
    const int before = real(count, requests);
    const int error = PMPI_Testall(count, requests, done, statuses);

    pending -= *done ? before : 0;
    return error;
}

int MPI_Testany(int count, MPI_Request requests[], int *which, int *done, MPI_Status *status)
{
    const int before = real(count, requests);
    const int error = PMPI_Testany(count, requests, which, done, status);

    pending -= *done && before > 0;
    return error;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *ended, int which[], MPI_Status *statuses)
{
    const int error = PMPI_Waitsome(count, requests, ended, which, statuses);

    pending -= *ended != MPI_UNDEFINED ? *ended : 0;
    return error;
}

int MPI_Testsome(int count, MPI_Request requests[], int *ended, int which[], MPI_Status *statuses)
{
    const int error = PMPI_Testsome(count, requests, ended, which, statuses);

    pending -= *ended != MPI_UNDEFINED ? *ended : 0;
    return error;
}
