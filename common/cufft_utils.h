/* cufftVerify(call): runs a cuFFT call. On an error it prints where, what and why, and ends the
 * program with exit status 2:
 *
 *     cufftVerify(cufftExecD2Z(plan, d_x, d_spectrum)); */
#ifndef CUFFT_UTILS_H
#define CUFFT_UTILS_H

#include <cufft.h>
#include <stdio.h>
#include <stdlib.h>

#define cufftVerify(call) cufftVerifyAt((call), #call, __FILE__, __LINE__)

/* The name of a result: cuFFT has no call for it. */
static inline const char *cufftResultName(cufftResult result)
{
    switch (result) {
    case CUFFT_SUCCESS: return "CUFFT_SUCCESS";
    case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN (the plan was not made, or is destroyed)";
    case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED (not enough device memory)";
    case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE (the plan is for numbers of another type)";
    case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE (a bad argument)";
    case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED (a kernel failed, perhaps an earlier one)";
    case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED (no device)";
    case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
    default: return "an unknown result";
    }
}

/* Out of line: inlined, the code for the message would be compiled again at each call. */
__attribute__((noinline, unused)) static void cufftVerifyAt(cufftResult result, const char *call,
                                                            const char *file, int line)
{
    if (result != CUFFT_SUCCESS) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, (int)result,
                cufftResultName(result));
        exit(2);
    }
}

#endif
