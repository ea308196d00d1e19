/* Leaks: of each kind of object one that is left, which is found at the line that creates it, and
 * one that is not. */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <stdio.h>
#include <string.h>

#include "cuda_emulated.h"

static int wrong;

static void isGood(int line, int error)
{
    if (error) {
        printf("FAILED: line %d: error %d\n", line, error);
        wrong = 1;
    }
}
#define OK(call) isGood(__LINE__, (int)(call))

/* The expected finding and its line; NULL: none. */
static void isFound(int line, const char *says)
{
    char place[32];
    emulatedFindLeaks();
    const char *found = emulatedFindingLine(0);
    snprintf(place, sizeof place, "leaks.cu:%d: leak: ", line);
    if (emulatedFindings() != (says != NULL) ||
        (says && (!strstr(found, place) || !strstr(found, says)))) {
        printf("FAILED: line %d: expected '%s', found %d: %s\n", line, says ? says : "nothing",
               emulatedFindings(), found ? found : "");
        wrong = 1;
    }
}

#define LEAK(says, create, destroy)                                                                \
    do {                                                                                           \
        emulatedFindingsReset();                                                                   \
        OK(create);                                                                                \
        OK(destroy);                                                                               \
        isFound(__LINE__, NULL);                                                                   \
        emulatedFindingsReset();                                                                   \
        OK(create);                                                                                \
        isFound(__LINE__, says);                                                                   \
        OK(destroy);                                                                               \
        isFound(__LINE__, says); /* once is enough */                                              \
    } while (0)

static void memory(void)
{
    static float host[64];
    const cudaExtent extent = {64, 2, 2};
    cudaPitchedPtr pitched;
    size_t pitch;
    void *p;

    LEAK("100 bytes of device memory allocated here are never freed (cudaFree)",
         cudaMalloc(&p, 100), cudaFree(p));
    LEAK("1024 bytes of device memory", cudaMallocPitch(&p, &pitch, 64, 2), cudaFree(p));
    LEAK("2048 bytes of device memory", cudaMalloc3D(&pitched, extent), cudaFree(pitched.ptr));
    LEAK("100 bytes of device memory", cudaMallocAsync(&p, 100, 0), cudaFreeAsync(p, 0));
    LEAK("100 bytes of managed memory", cudaMallocManaged(&p, 100), cudaFree(p));
    LEAK("100 bytes of page-locked memory allocated here are never freed (cudaFreeHost)",
         cudaMallocHost(&p, 100), cudaFreeHost(p));
    LEAK("100 bytes of page-locked memory", cudaHostAlloc(&p, 100, 0), cudaFreeHost(p));
    LEAK("256 bytes of host memory registered here are never unregistered (cudaHostUnregister)",
         cudaHostRegister(host, sizeof host, 0), cudaHostUnregister(host));
}

static void arrays(void)
{
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    const cudaExtent extent = {8, 8, 0};
    cudaMipmappedArray_t mipmapped;
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaArray_t array;

    LEAK("1 array allocated here is never freed (cudaFreeArray)",
         cudaMallocArray(&array, &floats, 8), cudaFreeArray(array));
    LEAK("1 array allocated", cudaMalloc3DArray(&array, &floats, extent), cudaFreeArray(array));
    LEAK("1 mipmapped array allocated here is never freed (cudaFreeMipmappedArray)",
         cudaMallocMipmappedArray(&mipmapped, &floats, extent, 3),
         cudaFreeMipmappedArray(mipmapped));
    OK(cudaMallocArray(&array, &floats, 8, 8, cudaArraySurfaceLoadStore));
    memset(&resource, 0, sizeof resource);
    memset(&how, 0, sizeof how);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    LEAK("1 texture object created here is never destroyed (cudaDestroyTextureObject)",
         cudaCreateTextureObject(&texture, &resource, &how, NULL),
         cudaDestroyTextureObject(texture));
    LEAK("1 surface object created here is never destroyed (cudaDestroySurfaceObject)",
         cudaCreateSurfaceObject(&surface, &resource), cudaDestroySurfaceObject(surface));
    OK(cudaFreeArray(array));
}

/* A graph of no operation */
static cudaError_t capture(cudaStream_t stream)
{
    return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

static void streams(void)
{
    cudaStream_t stream;
    cudaEvent_t event;
    cudaGraph_t graph, copy;
    cudaGraphExec_t program;
    cudaMemPool_t pool;
    cudaMemPoolProps props;
    CUcontext context;
    CUstream driver;

    LEAK("1 stream created here is never destroyed (cudaStreamDestroy)", cudaStreamCreate(&stream),
         cudaStreamDestroy(stream));
    LEAK("1 stream", cudaStreamCreateWithPriority(&stream, 0, 0), cudaStreamDestroy(stream));
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    LEAK("1 stream", cuStreamCreate(&driver, 0), cuStreamDestroy(driver));
    OK(cuCtxDestroy(context));
    LEAK("1 event created here is never destroyed (cudaEventDestroy)", cudaEventCreate(&event),
         cudaEventDestroy(event));
    LEAK("1 event", cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
         cudaEventDestroy(event));
    LEAK("1 graph created here is never destroyed (cudaGraphDestroy)", cudaGraphCreate(&graph, 0),
         cudaGraphDestroy(graph));
    OK(cudaStreamCreate(&stream));
    LEAK("1 graph", (capture(stream), cudaStreamEndCapture(stream, &graph)),
         cudaGraphDestroy(graph));
    OK(cudaGraphCreate(&graph, 0));
    LEAK("1 graph", cudaGraphClone(&copy, graph), cudaGraphDestroy(copy));
    LEAK("1 executable graph created here is never destroyed (cudaGraphExecDestroy)",
         cudaGraphInstantiate(&program, graph, 0), cudaGraphExecDestroy(program));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    LEAK("1 memory pool created here is never destroyed (cudaMemPoolDestroy)",
         cudaMemPoolCreate(&pool, &props), cudaMemPoolDestroy(pool));
}

static void blas(void)
{
    cublasHandle_t handle;
    cublasLtHandle_t light;
    cublasLtMatrixLayout_t layout;
    cublasLtMatmulDesc_t product;
    cublasLtMatmulPreference_t preference;
    cublasLtMatrixTransformDesc_t transform;

    LEAK("1 cuBLAS handle created here is never destroyed (cublasDestroy)", cublasCreate(&handle),
         cublasDestroy(handle));
    LEAK("1 cuBLASLt handle", cublasLtCreate(&light), cublasLtDestroy(light));
    LEAK("1 matrix layout", cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 4, 4, 4),
         cublasLtMatrixLayoutDestroy(layout));
    LEAK("(cublasLtMatmulDescDestroy)",
         cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F),
         cublasLtMatmulDescDestroy(product));
    LEAK("1 preference", cublasLtMatmulPreferenceCreate(&preference),
         cublasLtMatmulPreferenceDestroy(preference));
    LEAK("(cublasLtMatrixTransformDescDestroy)",
         cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F),
         cublasLtMatrixTransformDescDestroy(transform));
}

static void sparse(void)
{
    const cusparseIndexType_t i32 = CUSPARSE_INDEX_32I;
    const cusparseIndexBase_t zero = CUSPARSE_INDEX_BASE_ZERO;
    cusparseHandle_t handle;
    cusolverDnHandle_t solver;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t vector;
    cusparseDnMatDescr_t dense;
    cusparseMatDescr_t descr;
    void *p;

    OK(cudaMalloc(&p, 100));
    LEAK("1 cuSPARSE handle created here is never destroyed (cusparseDestroy)",
         cusparseCreate(&handle), cusparseDestroy(handle));
    LEAK("1 cuSOLVER handle created here is never destroyed (cusolverDnDestroy)",
         cusolverDnCreate(&solver), cusolverDnDestroy(solver));
    LEAK("1 sparse matrix",
         cusparseCreateCsr(&matrix, 2, 2, 2, p, p, p, i32, i32, zero, CUDA_R_32F),
         cusparseDestroySpMat(matrix));
    LEAK("1 sparse matrix", cusparseCreateCoo(&matrix, 2, 2, 2, p, p, p, i32, zero, CUDA_R_32F),
         cusparseDestroySpMat(matrix));
    LEAK("1 dense vector", cusparseCreateDnVec(&vector, 2, p, CUDA_R_32F),
         cusparseDestroyDnVec(vector));
    LEAK("1 dense matrix", cusparseCreateDnMat(&dense, 2, 2, 2, p, CUDA_R_32F, CUSPARSE_ORDER_COL),
         cusparseDestroyDnMat(dense));
    LEAK("1 matrix descriptor", cusparseCreateMatDescr(&descr), cusparseDestroyMatDescr(descr));
    OK(cudaFree(p));
}

static void others(void)
{
    int n[] = {8};
    cufftHandle plan;
    curandGenerator_t generator;
    const curandRngType_t philox = CURAND_RNG_PSEUDO_PHILOX4_32_10;

    LEAK("1 cuFFT plan created here is never destroyed (cufftDestroy)",
         cufftPlan1d(&plan, 8, CUFFT_C2C, 1), cufftDestroy(plan));
    LEAK("1 cuFFT plan", cufftPlan2d(&plan, 8, 8, CUFFT_C2C), cufftDestroy(plan));
    LEAK("1 cuFFT plan", cufftPlan3d(&plan, 8, 8, 8, CUFFT_C2C), cufftDestroy(plan));
    LEAK("1 cuFFT plan", cufftPlanMany(&plan, 1, n, 0, 1, 8, 0, 1, 8, CUFFT_C2C, 2),
         cufftDestroy(plan));
    LEAK("1 cuFFT plan", cufftCreate(&plan), cufftDestroy(plan));
    LEAK("1 cuRAND generator created here is never destroyed (curandDestroyGenerator)",
         curandCreateGenerator(&generator, philox), curandDestroyGenerator(generator));
    LEAK("1 cuRAND generator", curandCreateGeneratorHost(&generator, philox),
         curandDestroyGenerator(generator));
}

/* The objects of one line are one finding, earlier objects are none, and a reset of the device
 * destroys all. */
static void several(void)
{
    cudaStream_t before, stream[3];

    OK(cudaStreamCreate(&before));
    emulatedFindingsReset();
    for (int i = 0; i < 3; i++)
        OK(cudaStreamCreate(&stream[i]));
    isFound(__LINE__ - 1, "3 streams created here are never destroyed (cudaStreamDestroy)");
    emulatedFindingsReset();
    for (int i = 0; i < 3; i++)
        OK(cudaStreamCreate(&stream[i]));
    OK(cudaDeviceReset());
    isFound(__LINE__, NULL);
}

int main(void)
{
    emulatedSilence(1);
    memory();
    arrays();
    streams();
    blas();
    sparse();
    others();
    several();
    printf("leaks, %s\n", wrong ? "FAILED" : "all found");
    return wrong;
}
