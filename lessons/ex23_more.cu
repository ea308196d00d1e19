/* A texture over rows in ordinary memory, and one in three dimensions. */
#include "../common/cuda_utils.h"
#include <string.h>

enum { WIDTH = 5, HEIGHT = 3, SIDE = 4 };

__global__ void look(cudaTextureObject_t rows, cudaTextureObject_t cube)
{
    /* the centre of element (x, y) is at (x + 0.5, y + 0.5) */
    printf("row 2, column 4: %g, between rows 0 and 1: %g\n",
           tex2D<float>(rows, 4.5f, 2.5f), tex2D<float>(rows, 0.5f, 1.0f));
    printf("the middle of the cube: %g\n",
           tex3D<float>(cube, 0.5f * SIDE, 0.5f * SIDE, 0.5f * SIDE));
}

static cudaTextureObject_t texture(const struct cudaResourceDesc *memory)
{
    struct cudaTextureDesc how;
    cudaTextureObject_t object = 0;

    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    cudaVerify(cudaCreateTextureObject(&object, memory, &how, NULL));
    return object;
}

int main(void)
{
    float x[HEIGHT][WIDTH], v[SIDE][SIDE][SIDE], *d_x = NULL;
    const struct cudaChannelFormatDesc floats =
        cudaCreateChannelDesc<float>();
    struct cudaResourceDesc memory;
    struct cudaMemcpy3DParms copy;
    cudaTextureObject_t rows, cube;
    cudaArray_t array = NULL;
    size_t pitch = 0;

    for (int i = 0; i < HEIGHT * WIDTH; i++)
        x[i / WIDTH][i % WIDTH] = (float)i;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++)
        v[i / SIDE / SIDE][i / SIDE % SIDE][i % SIDE] = (float)i;

    /* rows: the pitch must be a multiple of texturePitchAlignment */
    cudaVerify(cudaMallocPitch((void **)&d_x, &pitch, sizeof x[0], HEIGHT));
    cudaVerify(cudaMemcpy2D(d_x, pitch, x, sizeof x[0], sizeof x[0], HEIGHT,
                            cudaMemcpyHostToDevice));
    memset(&memory, 0, sizeof memory);
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D.devPtr = d_x;
    memory.res.pitch2D.desc = floats;
    memory.res.pitch2D.width = WIDTH;
    memory.res.pitch2D.height = HEIGHT;
    memory.res.pitch2D.pitchInBytes = pitch;
    rows = texture(&memory);

    /* a cube: an array, whose layout only the device knows */
    cudaVerify(cudaMalloc3DArray(&array, &floats,
                                 make_cudaExtent(SIDE, SIDE, SIDE)));
    memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(v, sizeof v[0][0], SIDE, SIDE);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(SIDE, SIDE, SIDE);
    copy.kind = cudaMemcpyHostToDevice;
    cudaVerify(cudaMemcpy3D(&copy));
    memset(&memory, 0, sizeof memory);
    memory.resType = cudaResourceTypeArray;
    memory.res.array.array = array;
    cube = texture(&memory);

    cudaVerifyKernel((look<<<1, 1>>>(rows, cube)));
    cudaVerify(cudaDeviceSynchronize());
    cudaVerify(cudaDestroyTextureObject(rows));
    cudaVerify(cudaDestroyTextureObject(cube));
    cudaVerify(cudaFreeArray(array));
    cudaVerify(cudaFree(d_x));
    return 0;
}
