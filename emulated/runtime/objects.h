// objects.h: objects that a program creates and must destroy. Those that are left at its end are
// leaks.
#ifndef EMULATED_OBJECTS_H
#define EMULATED_OBJECTS_H
#include "emulator.h"

namespace emulated
{

// The kind's name, the words for its beginning and end, and the call that ends it
#define OBJECTS(X)                                                                                 \
    X(kDeviceMemory, "device memory", "allocated", "freed", "cudaFree")                            \
    X(kManagedMemory, "managed memory", "allocated", "freed", "cudaFree")                          \
    X(kPageLockedMemory, "page-locked memory", "allocated", "freed", "cudaFreeHost")               \
    X(kRegisteredMemory, "host memory", "registered", "unregistered", "cudaHostUnregister")        \
    X(kArray, "array", "allocated", "freed", "cudaFreeArray")                                      \
    X(kMipmappedArray, "mipmapped array", "allocated", "freed", "cudaFreeMipmappedArray")          \
    X(kTexture, "texture object", "created", "destroyed", "cudaDestroyTextureObject")              \
    X(kSurface, "surface object", "created", "destroyed", "cudaDestroySurfaceObject")              \
    X(kStream, "stream", "created", "destroyed", "cudaStreamDestroy")                              \
    X(kEvent, "event", "created", "destroyed", "cudaEventDestroy")                                 \
    X(kGraph, "graph", "created", "destroyed", "cudaGraphDestroy")                                 \
    X(kGraphExec, "executable graph", "created", "destroyed", "cudaGraphExecDestroy")              \
    X(kPool, "memory pool", "created", "destroyed", "cudaMemPoolDestroy")                          \
    X(kBlas, "cuBLAS handle", "created", "destroyed", "cublasDestroy")                             \
    X(kBlasLt, "cuBLASLt handle", "created", "destroyed", "cublasLtDestroy")                       \
    X(kMatrixLayout, "matrix layout", "created", "destroyed", "cublasLtMatrixLayoutDestroy")       \
    X(kMatmulDesc, "descriptor", "created", "destroyed", "cublasLtMatmulDescDestroy")              \
    X(kMatmulPreference, "preference", "created", "destroyed", "cublasLtMatmulPreferenceDestroy")  \
    X(kMatrixTransformDesc, "descriptor", "created", "destroyed",                                  \
      "cublasLtMatrixTransformDescDestroy")                                                        \
    X(kSparse, "cuSPARSE handle", "created", "destroyed", "cusparseDestroy")                       \
    X(kSparseMatrix, "sparse matrix", "created", "destroyed", "cusparseDestroySpMat")              \
    X(kDenseVector, "dense vector", "created", "destroyed", "cusparseDestroyDnVec")                \
    X(kDenseMatrix, "dense matrix", "created", "destroyed", "cusparseDestroyDnMat")                \
    X(kSparseProduct, "product of sparse matrices", "created", "destroyed",                        \
      "cusparseSpGEMM_destroyDescr")                                                               \
    X(kMatrixDescriptor, "matrix descriptor", "created", "destroyed", "cusparseDestroyMatDescr")   \
    X(kSolver, "cuSOLVER handle", "created", "destroyed", "cusolverDnDestroy")                     \
    X(kPlan, "cuFFT plan", "created", "destroyed", "cufftDestroy")                                 \
    X(kGenerator, "cuRAND generator", "created", "destroyed", "curandDestroyGenerator")
#define OBJECT(kind, ...) kind,
enum Object { OBJECTS(OBJECT) };
#undef OBJECT

// `object`: its address or number, which no other of its kind has while it is there; bytes: of
// memory
void object_created(Object kind, u64 object, Pc caller, u64 bytes = 0);
void object_ended(Object kind, u64 object); // nothing happens if it is not known
void object_created(const Allocation &a);
void object_ended(const Allocation &a);
template <class T> void object_created(Object kind, T *object, Pc caller)
{
    object_created(kind, (u64)object, caller);
}
template <class T> void object_ended(Object kind, T *object) { object_ended(kind, (u64)object); }
void forget_objects(int device); // cudaDeviceReset
void begin_objects();            // those that are created from here on are new
void report_leaks(bool all);     // or the new ones alone; each is said once

} // namespace emulated
#endif
