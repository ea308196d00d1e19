/* Managed memory: one pointer for host and device, and pages that move to whoever touches them.
 * Each run begins with x on the host: the kernel brings it to the device, page by page, or a
 * prefetch does so before; another prefetch takes it back. */

#if CUDART_VERSION >= 8000
/* Moves n floats to the device of that number, or to the host (cudaCpuDeviceId). */
static void prefetch(const float *x, size_t n, int device)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation where;

    where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device == cudaCpuDeviceId ? 0 : device;
    cudaVerify(cudaMemPrefetchAsync(x, n * sizeof *x, where, 0, 0));
#else
    cudaVerify(cudaMemPrefetchAsync(x, n * sizeof *x, device, 0));
#endif
}
#endif

template <int ahead> static void managed(const struct work *w)
{
    int device = 0, canPrefetch = 0;

    cudaVerify(cudaGetDevice(&device));
#if CUDART_VERSION >= 8000
    cudaVerify(cudaDeviceGetAttribute(&canPrefetch, cudaDevAttrConcurrentManagedAccess, device));
    if (canPrefetch) {
        float *x = NULL, *d_y = NULL;

        cudaVerify(cudaMallocManaged((void **)&x, w->n * sizeof *x));
        cudaVerify(cudaMalloc((void **)&d_y, w->n * sizeof *d_y));
        memcpy(x, w->x, w->n * sizeof *x);
        MEASURE (run) {
            if (ahead)
                prefetch(x, w->n, device);
            launchRead<1>(x, d_y, w->n, 0);
            prefetch(x, w->n, cudaCpuDeviceId);
        }
        cudaVerify(cudaMemcpy(w->y, d_y, w->n * sizeof *d_y, cudaMemcpyDeviceToHost));
        cudaVerify(cudaFree(x));
        cudaVerify(cudaFree(d_y));
    }
#endif
    if (!canPrefetch)
        rowSkip("the host may not touch managed memory while a kernel of this device runs");
}
