/* cufftXt.h: plans by the types of their elements. Transforms on several devices, in half precision
 * and with callbacks are not there. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_
#include <limits.h>

#include "cufft.h"

/* Of the pair of types; 0 when there is none. */
static inline int emulated_fft_type(cudaDataType in, cudaDataType out)
{
    static const int types[][3] = {
        {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i][0] == (int)in && types[i][1] == (int)out)
            return types[i][2];
    return 0;
}

/* Lengths as int; 0 when one is too large. */
static inline int emulated_fft_lengths(const long long *from, int rank, int *to)
{
    for (int i = 0; from && i < rank; i++) {
        if (from[i] < 0 || from[i] > INT_MAX)
            return 0;
        to[i] = (int)from[i];
    }
    return 1;
}

static inline cufftResult
cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                    long long idist, cudaDataType inputtype, long long *onembed, long long ostride,
                    long long odist, cudaDataType outputtype, long long batch, size_t *workSize,
                    cudaDataType executiontype)
{
    int lengths[3], in[3], out[3], distances[5];
    const long long wide[] = {istride, idist, ostride, odist, batch};
    const int type = emulated_fft_type(inputtype, outputtype);
    if (rank < 1 || rank > 3 || !n)
        return CUFFT_INVALID_VALUE;
    if (!type || (executiontype != CUDA_C_32F && executiontype != CUDA_C_64F))
        return CUFFT_NOT_SUPPORTED;
    if (!emulated_fft_lengths(n, rank, lengths) || !emulated_fft_lengths(inembed, rank, in) ||
        !emulated_fft_lengths(onembed, rank, out) || !emulated_fft_lengths(wide, 5, distances))
        return CUFFT_INVALID_SIZE;
    return cufftMakePlanMany(plan, rank, lengths, inembed ? in : 0, distances[0], distances[1],
                             onembed ? out : 0, distances[2], distances[3], (cufftType)type,
                             distances[4], workSize);
}

/* Callbacks: their types, so that the error is at the call that sets one. */
typedef enum cufftXtCallbackType_t {
    CUFFT_CB_LD_COMPLEX,
    CUFFT_CB_LD_COMPLEX_DOUBLE,
    CUFFT_CB_LD_REAL,
    CUFFT_CB_LD_REAL_DOUBLE,
    CUFFT_CB_ST_COMPLEX,
    CUFFT_CB_ST_COMPLEX_DOUBLE,
    CUFFT_CB_ST_REAL,
    CUFFT_CB_ST_REAL_DOUBLE
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void *in, size_t offset, void *info, void *shared);
typedef cufftReal (*cufftCallbackLoadR)(void *in, size_t offset, void *info, void *shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void *in, size_t offset, void *info, void *shared);
typedef void (*cufftCallbackStoreC)(void *out, size_t offset, cufftComplex value, void *info,
                                    void *shared);
typedef void (*cufftCallbackStoreZ)(void *out, size_t offset, cufftDoubleComplex value, void *info,
                                    void *shared);
typedef void (*cufftCallbackStoreR)(void *out, size_t offset, cufftReal value, void *info,
                                    void *shared);
typedef void (*cufftCallbackStoreD)(void *out, size_t offset, cufftDoubleReal value, void *info,
                                    void *shared);
#define EMULATED_NO_CALLBACK                                                                       \
    __attribute__((error("the emulated cuFFT has no callbacks: do their work in kernels before "   \
                         "and after the transform")))
EMULATED_NO_CALLBACK cufftResult cufftXtSetCallback(cufftHandle plan, void **callback,
                                                    cufftXtCallbackType type, void **info);
EMULATED_NO_CALLBACK cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type);
EMULATED_NO_CALLBACK cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan,
                                                              cufftXtCallbackType type,
                                                              size_t bytes);
#undef EMULATED_NO_CALLBACK
#endif
