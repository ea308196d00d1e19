/* The wrappers of the profiling interface: each counts and calls MPI's own function. */
#include "mpi_requests.h"
#include <mpi.h>

static long pending;

long mpiRequestsPending(void)
{
    return pending;
}

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
    const int error = PMPI_Isend(data, count, type, to, tag, comm, request);

    pending += real(1, request);
    return error;
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    const int error = PMPI_Irecv(data, count, type, from, tag, comm, request);

    pending += real(1, request);
    return error;
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

int MPI_Request_free(MPI_Request *request)
{
    pending -= real(1, request);
    return PMPI_Request_free(request);
}
