/* Fermi has textures, but no texture objects: a texture is a global variable there, a reference, to
 * which the host binds memory before a launch. CUDA 12 has dropped them. */
#ifndef REFERENCES_CUH
#define REFERENCES_CUH

#include "capability.h"
#include "cuda_utils.h"
#include "textures.h"

/* 1 on devices before compute capability 3.0. */
static int isFermi(void) { return majorCapability() < 3; }

#if CUDART_VERSION < 12000 || defined __CUDA_EMULATED__
static texture<float, 1> elementsReference;
static texture<float, 2> imageReference;

__global__ void gatherReference(const int *first, struct shape s, float *y)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    if (t < s.threads) {
        for (int k = first[t], end = endOf(k, s); k < end; k++)
            sum += tex1Dfetch(elementsReference, k);
        y[t] = sum;
    }
}

/* NEAREST: the centre of the pixel that the place lies in; otherwise what the filter makes of the
 * place. */
template <int IS_NEAREST> __global__ void turnReference(float *y, int side, struct turn turn)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i < side && j < side) {
        const float u = placeU(turn, i, j), v = placeV(turn, i, j);

        y[(size_t)j * side + i] = tex2D(imageReference, IS_NEAREST ? floorf(u) + 0.5f : u,
                                        IS_NEAREST ? floorf(v) + 0.5f : v);
    }
}

static void bindElements(const float *d_x, int count)
{
    cudaVerify(cudaBindTexture(NULL, elementsReference, d_x, count * sizeof *d_x));
}

static void unbindElements(void) { cudaVerify(cudaUnbindTexture(elementsReference)); }

static void bindImage(cudaArray_t array, enum cudaTextureFilterMode filter)
{
    imageReference.filterMode = filter;
    imageReference.addressMode[0] = imageReference.addressMode[1] = cudaAddressModeClamp;
    cudaVerify(cudaBindTextureToArray(imageReference, array));
}

static void unbindImage(void) { cudaVerify(cudaUnbindTexture(imageReference)); }

static void launchGatherReference(const int *d_first, struct shape s, float *d_y)
{
    const int block = blockSize(256);

    cudaVerifyKernel((gatherReference<<<blocksFor(s.threads, block), block>>>(d_first, s, d_y)));
}

template <int IS_NEAREST>
static void launchTurnReference(float *d_y, int side, struct turn turn, dim3 grid, dim3 block)
{
    cudaVerifyKernel((turnReference<IS_NEAREST><<<grid, block>>>(d_y, side, turn)));
}
#else /* no Fermi either */
static void bindElements(const float *, int) {}

static void unbindElements(void) {}

static void bindImage(cudaArray_t, enum cudaTextureFilterMode) {}

static void unbindImage(void) {}

static void launchGatherReference(const int *, struct shape, float *) {}

template <int IS_NEAREST> static void launchTurnReference(float *, int, struct turn, dim3, dim3) {}
#endif

/* What devices before 3.0 and 3.5 lack, so that the kernels for others compile; those without
 * objects are not run. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 300 && !defined __CUDA_EMULATED__
template <class T> static __device__ T tex1Dfetch(cudaTextureObject_t, int) { return T(); }

template <class T> static __device__ T tex2D(cudaTextureObject_t, float, float) { return T(); }

template <class T> static __device__ void surf2Dwrite(T, cudaSurfaceObject_t, int, int) {}
#endif
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 350
#define __ldg(address) (*(address))
#endif

#endif
