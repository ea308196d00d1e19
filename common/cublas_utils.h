/* cublasVerify(call): runs a cuBLAS call. On an error it prints where, what and why, and ends the
 * program with exit status 2:
 *
 *     cublasVerify(cublasDdot(handle, n, d_x, 1, d_y, 1, &result)); */
#ifndef CUBLAS_UTILS_H
#define CUBLAS_UTILS_H

#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

#define cublasVerify(call) cublasVerifyAt((call), #call, __FILE__, __LINE__)

/* The name of a status: cublasGetStatusName() came only with CUDA 11.4. */
static inline const char *cublasStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "CUBLAS_STATUS_NOT_INITIALIZED (no device, or cublasCreate() was not called)";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED (not enough device memory)";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE (a bad argument)";
    case CUBLAS_STATUS_ARCH_MISMATCH:
        return "CUBLAS_STATUS_ARCH_MISMATCH (this device cannot do that)";
    case CUBLAS_STATUS_MAPPING_ERROR:
        return "CUBLAS_STATUS_MAPPING_ERROR (device memory cannot be reached)";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return "CUBLAS_STATUS_EXECUTION_FAILED (a kernel failed, perhaps an earlier one)";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    default: return "an unknown status";
    }
}

/* Out of line: inlined, the code for the message would be compiled again at each call. */
__attribute__((noinline, unused)) static void
cublasVerifyAt(cublasStatus_t status, const char *call, const char *file, int line)
{
    if (status != CUBLAS_STATUS_SUCCESS) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, (int)status,
                cublasStatusName(status));
        exit(2);
    }
}

#endif
