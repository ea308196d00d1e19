/* curandVerify(call): runs a call of cuRAND's host API. On an error it prints where, what and why,
 * and ends the program with exit status 2:
 *
 *     curandVerify(curandGenerateUniform(generator, d_x, n)); */
#ifndef CURAND_UTILS_H
#define CURAND_UTILS_H

#include <curand.h>
#include <stdio.h>
#include <stdlib.h>

#define curandVerify(call) curandVerifyAt((call), #call, __FILE__, __LINE__)

/* The name of a status: cuRAND has no call for it. */
static inline const char *curandStatusName(curandStatus_t status)
{
    switch (status) {
    case CURAND_STATUS_SUCCESS: return "CURAND_STATUS_SUCCESS";
    case CURAND_STATUS_VERSION_MISMATCH:
        return "CURAND_STATUS_VERSION_MISMATCH (another toolkit's library)";
    case CURAND_STATUS_NOT_INITIALIZED:
        return "CURAND_STATUS_NOT_INITIALIZED (the generator was not created, or is destroyed)";
    case CURAND_STATUS_ALLOCATION_FAILED:
        return "CURAND_STATUS_ALLOCATION_FAILED (not enough device memory)";
    case CURAND_STATUS_TYPE_ERROR:
        return "CURAND_STATUS_TYPE_ERROR (no such generator, or it cannot do that)";
    case CURAND_STATUS_OUT_OF_RANGE: return "CURAND_STATUS_OUT_OF_RANGE (a bad argument)";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE:
        return "CURAND_STATUS_LENGTH_NOT_MULTIPLE (normal numbers come in pairs)";
    case CURAND_STATUS_LAUNCH_FAILURE: return "CURAND_STATUS_LAUNCH_FAILURE (a kernel failed)";
    case CURAND_STATUS_PREEXISTING_FAILURE:
        return "CURAND_STATUS_PREEXISTING_FAILURE (an earlier kernel failed)";
    case CURAND_STATUS_INITIALIZATION_FAILED:
        return "CURAND_STATUS_INITIALIZATION_FAILED (no device)";
    default: return "an unknown status";
    }
}

/* Out of line: inlined, the code for the message would be compiled again at each call. */
__attribute__((noinline, unused)) static void
curandVerifyAt(curandStatus_t status, const char *call, const char *file, int line)
{
    if (status != CURAND_STATUS_SUCCESS) {
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: error %d, %s\n", file, line, call, (int)status,
                curandStatusName(status));
        exit(2);
    }
}

#endif
