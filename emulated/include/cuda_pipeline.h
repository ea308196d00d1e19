/* cuda_pipeline.h: asynchronous copies by single threads, in groups. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#include "cuda_runtime.h"

#include "emulated/async.h"

static EMULATED_INLINE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                                    size_t zeros = 0)
{
    ::emulated::async_copy(shared, global, bytes, zeros);
}
static EMULATED_INLINE void __pipeline_commit(void) { emulated_async_commit(); }
static EMULATED_INLINE void __pipeline_wait_prior(size_t groups)
{
    emulated_async_wait((int)groups);
}
#endif
