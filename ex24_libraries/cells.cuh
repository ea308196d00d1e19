/* The code around the rungs that put particles into cells, and CUB's calls as library.cu passes
 * them on. Given; nothing to fill in here. */
#ifndef CELLS_CUH
#define CELLS_CUH

#include "cuda_utils.h"
#include "measure.h"
#include "libraries.h"

struct cells {
    int n, cells;
    int *d_cell, *d_weight; /* n: the particles */
    int *d_key, *d_value;   /* n: cell and weight of each, sorted by cell */
    int *d_unique, *d_sum;  /* n at most: the cells that have particles, and a sum for each */
    int *d_groups;          /* 1: how many these are */
    int *d_count, *d_first; /* cells + 1: particles in a cell, and in the cells before it */
    int *d_total;           /* cells: weight of the particles in a cell */
    void *d_workspace;      /* workspaceBytes, for CUB */
    size_t workspaceBytes;
    cudaStream_t stream;
};

typedef void cells_fn(struct cells *c);

/* All of CUB is in headers, and nvcc takes seconds for each. library.cu is compiled once, and
 * passes the calls on. workspace NULL: only says in *bytes how large it must be. */

/* d_cell, d_weight -> d_key, d_value: stable, by as many bits as a cell's number has. */
cudaError_t sortPairs(void *workspace, size_t *bytes, const struct cells *c, cudaStream_t stream);
/* d_key and a value for each key, or 1 if values is NULL -> d_unique, d_sum, d_groups. */
cudaError_t reduceByKey(void *workspace, size_t *bytes, const struct cells *c, const int *values,
                        cudaStream_t stream);
/* d_count -> d_first: the sum of all before, cells + 1 of them. */
cudaError_t scanCounts(void *workspace, size_t *bytes, const struct cells *c, cudaStream_t stream);
/* 1 if this toolkit has CUB (from 11 on). */
int haveCub(void);

/* to[d_unique[g]] = d_sum[g] for all groups, whose number only the device knows. */
static __global__ void scatter(const int *unique, const int *sum, const int *groups, int *to)
{
    const int g = blockIdx.x * blockDim.x + threadIdx.x;

    if (g < *groups)
        to[unique[g]] = sum[g];
}

static inline void scatterSums(const struct cells *c, int *d_to)
{
    const int most = c->n < c->cells ? c->n : c->cells;

    cudaVerifyKernel((scatter<<<(most + 255) / 256, 256, 0, c->stream>>>(c->d_unique, c->d_sum,
                                                                         c->d_groups, d_to)));
}

static struct cells openCells(const struct problem *problem)
{
    const size_t n = problem->n * problem->n, cells = problem->cells;
    struct cells c = {(int)n, (int)cells, NULL, NULL, NULL, NULL, NULL, NULL,
                      NULL,   NULL,       NULL, NULL, NULL, 0,    NULL};
    int **const arrays[] = {&c.d_cell, &c.d_weight, &c.d_key,   &c.d_value, &c.d_unique,
                            &c.d_sum,  &c.d_groups, &c.d_count, &c.d_first, &c.d_total};
    const size_t length[] = {n, n, n, n, n, n, 1, cells + 1, cells + 1, cells};

    cudaVerify(cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking));
    for (int i = 0; i < (int)(sizeof length / sizeof *length); i++)
        cudaVerify(cudaMalloc((void **)arrays[i], length[i] * sizeof(int)));
    cudaVerify(cudaMemcpy(c.d_cell, problem->cell, n * sizeof(int), cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpy(c.d_weight, problem->weight, n * sizeof(int), cudaMemcpyHostToDevice));
    return c;
}

static void closeCells(struct cells *c, struct result *result)
{
    int *const arrays[] = {c->d_cell, c->d_weight, c->d_key,   c->d_value, c->d_unique,
                           c->d_sum,  c->d_groups, c->d_count, c->d_first, c->d_total};

    cudaVerify(cudaMemcpy(result->first, c->d_first, (c->cells + 1) * sizeof(int),
                          cudaMemcpyDeviceToHost));
    cudaVerify(
        cudaMemcpy(result->total, c->d_total, c->cells * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < (int)(sizeof arrays / sizeof *arrays); i++)
        cudaVerify(cudaFree(arrays[i]));
    cudaVerify(cudaFree(c->d_workspace));
    cudaVerify(cudaStreamDestroy(c->stream));
}

/* prepare() is called once, submit() puts the work of a run into the stream. */
template <cells_fn prepare, cells_fn submit>
static void inCells(const struct problem *problem, struct result *result)
{
    struct cells c;

    if (!haveCub()) {
        rowSkip("needs CUB, which came with CUDA 11");
        return;
    }
    c = openCells(problem);
    prepare(&c);
    MEASURE (run) {
        submit(&c);
        cudaVerify(cudaStreamSynchronize(c.stream));
    }
    closeCells(&c, result);
}

#endif
