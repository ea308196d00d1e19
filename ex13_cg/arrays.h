/* Shared by the solves on the device: the size of a block, and the arrays, which every variant
 * allocates, fills and frees in the same way. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "cuda_utils.h"
#include "cg.h"

enum { BLOCK = 256 };

/* How many of these blocks a multiprocessor has places for (on Fermi: registers); the compiler
 * keeps to it. */
#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ < 300)
#define RESIDENT 4
#elif defined __CUDA_ARCH__ &&                                                                     \
    (__CUDA_ARCH__ >= 860 && __CUDA_ARCH__ < 900 || __CUDA_ARCH__ >= 1100)
#define RESIDENT 6
#else
#define RESIDENT 8
#endif

/* In the letters of the literature; z = M r is r itself without a preconditioner. */
template <typename real> struct arrays {
    int n, nonzeros;
    int *rowStart, *column;
    real *value, *b;         /* the problem */
    real *x, *r, *z, *p, *q; /* q = A p */
};

template <typename real> static real *deviceArray(size_t count)
{
    void *d_array = NULL;

    cudaVerify(cudaMalloc(&d_array, (count > 0 ? count : 1) * sizeof(real)));
    return (real *)d_array;
}

template <typename real> static real *deviceCopy(const void *from, size_t count)
{
    real *d_array = deviceArray<real>(count);

    cudaVerify(cudaMemcpy(d_array, from, count * sizeof(real), cudaMemcpyHostToDevice));
    return d_array;
}

template <typename real> static struct arrays<real> upload(const struct cg_problem *problem) {
    const struct csr_matrix *matrix = problem->matrix;
    struct arrays<real> d;

    d.n = matrix->rows;
    d.nonzeros = matrix->nonzeros;
    d.rowStart = deviceCopy<int>(matrix->rowStart, d.n + 1);
    d.column = deviceCopy<int>(matrix->column, d.nonzeros);
    d.value = deviceCopy<real>(problem->value, d.nonzeros);
    d.b = deviceCopy<real>(problem->b, d.n);
    cudaVerify(cudaMalloc((void **)&d.x, d.n * sizeof *d.x)); /* as such: messages name d.x */
    cudaVerify(cudaMalloc((void **)&d.r, d.n * sizeof *d.r));
    cudaVerify(cudaMalloc((void **)&d.p, d.n * sizeof *d.p));
    cudaVerify(cudaMalloc((void **)&d.q, d.n * sizeof *d.q));
    d.z = d.r;
    return d;
}

/* Copies x to the host and frees the arrays. */
template <typename real>
static void download(struct arrays<real> *d, struct cg_solution *solution)
{
    cudaVerify(cudaMemcpy(solution->x, d->x, d->n * sizeof(real), cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d->rowStart));
    cudaVerify(cudaFree(d->column));
    cudaVerify(cudaFree(d->value));
    cudaVerify(cudaFree(d->b));
    cudaVerify(cudaFree(d->x));
    cudaVerify(cudaFree(d->r));
    cudaVerify(cudaFree(d->p));
    cudaVerify(cudaFree(d->q));
}

#endif
