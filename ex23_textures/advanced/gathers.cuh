/* The code around the gathers: memory on the device, the copies there, the launch, the copy
 * back. */
#ifndef GATHERS_CUH
#define GATHERS_CUH

#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "textures.h"
#include "references.cuh"

/* Where the elements of a gather are, and where its sums begin. */
struct source {
    const float *x;
    const int *first;
    cudaTextureObject_t texture; /* of x; 0 on Fermi */
};
enum where { IN_MEMORY, IN_TEXTURE, IN_CONSTANT };
typedef void gather_fn(struct source from, struct shape s, float *d_y);

/* Of the exercise. */
static cudaTextureObject_t elementsTexture(const float *d_x, int count);
static void tableToConstant(const float *table);

typedef void loads_fn(const float *x, const int *first, struct shape s, float *y);

/* The launch of a kernel that reads x by its address. */
template <loads_fn kernel> void launchLoads(struct source from, struct shape s, float *d_y)
{
    const int block = blockSize(256); /* --block overrides this choice */

    cudaVerifyKernel((kernel<<<blocksFor(s.threads, block), block>>>(from.x, from.first, s, d_y)));
}

template <gather_fn launch, enum where where> static void gather(const struct work *work, float *y)
{
    const struct shape s = work->shape;
    float *d_x = NULL, *d_y = NULL;
    int *d_first = NULL;
    struct source from;

    cudaVerify(cudaMalloc((void **)&d_x, s.count * sizeof *d_x));
    cudaVerify(cudaMalloc((void **)&d_first, s.threads * sizeof *d_first));
    cudaVerify(cudaMalloc((void **)&d_y, s.threads * sizeof *d_y));
    cudaVerify(cudaMemcpy(d_x, work->x, s.count * sizeof *d_x, cudaMemcpyHostToDevice));
    cudaVerify(
        cudaMemcpy(d_first, work->first, s.threads * sizeof *d_first, cudaMemcpyHostToDevice));
    from.x = d_x;
    from.first = d_first;
    from.texture = where == IN_TEXTURE && !isFermi() ? elementsTexture(d_x, s.count) : 0;
    if (where == IN_TEXTURE && isFermi())
        bindElements(d_x, s.count);
    if (where == IN_CONSTANT)
        tableToConstant(work->x);
    MEASURE (run) {
        launch(from, s, d_y);
    }
    cudaVerify(cudaMemcpy(y, d_y, s.threads * sizeof *d_y, cudaMemcpyDeviceToHost));
    if (from.texture != 0)
        cudaVerify(cudaDestroyTextureObject(from.texture));
    else if (where == IN_TEXTURE && isFermi())
        unbindElements();
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_first));
    cudaVerify(cudaFree(d_y));
}

#endif
