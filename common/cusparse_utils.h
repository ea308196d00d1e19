/* cusparseVerify(call): runs a cuSPARSE call. On an error it prints where, what and why, and ends
 * the program with exit status 2:
 *
 *     cusparseVerify(cusparseCreate(&handle)); */
#ifndef CUSPARSE_UTILS_H
#define CUSPARSE_UTILS_H

#include <cusparse.h>
#include <stdio.h>
#include <stdlib.h>

#define cusparseVerify(call) cusparseVerifyAt((call), #call, __FILE__, __LINE__)

/* The name of a status: cusparseGetErrorName() came only with CUDA 10.1. */
static inline const char *cusparseStatusName(cusparseStatus_t status)
{
    switch (status) {
    case CUSPARSE_STATUS_SUCCESS: return "CUSPARSE_STATUS_SUCCESS";
    case CUSPARSE_STATUS_NOT_INITIALIZED:
        return "CUSPARSE_STATUS_NOT_INITIALIZED (no device, or cusparseCreate() was not called)";
    case CUSPARSE_STATUS_ALLOC_FAILED: return "CUSPARSE_STATUS_ALLOC_FAILED (not enough memory)";
    case CUSPARSE_STATUS_INVALID_VALUE: return "CUSPARSE_STATUS_INVALID_VALUE (a bad argument)";
    case CUSPARSE_STATUS_ARCH_MISMATCH:
        return "CUSPARSE_STATUS_ARCH_MISMATCH (this device cannot do that)";
    case CUSPARSE_STATUS_EXECUTION_FAILED:
        return "CUSPARSE_STATUS_EXECUTION_FAILED (a kernel failed, perhaps an earlier one)";
    case CUSPARSE_STATUS_INTERNAL_ERROR: return "CUSPARSE_STATUS_INTERNAL_ERROR";
    default: return "an unknown status";
    }
}

/* Out of line: inlined, the code for the message would be compiled again at each call. */
__attribute__((noinline, unused)) static void
cusparseVerifyAt(cusparseStatus_t status, const char *call, const char *file, int line)
{
    if (status != CUSPARSE_STATUS_SUCCESS) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, (int)status,
                cusparseStatusName(status));
        exit(2);
    }
}

#endif
