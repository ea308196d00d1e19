/* Managed memory has one pointer for host and device, and its pages move to whoever touches them. A
 * prefetch moves many at a time, in a stream, before they are touched. But pages move whole,
 * whether they will be read or overwritten: c goes to the device and back like a. */

#if CUDART_VERSION >= 8000
/* Moves n floats to the device of that number, or to the host (cudaCpuDeviceId). */
static void prefetch(const float *x, size_t n, int device, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation where;

    where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device == cudaCpuDeviceId ? 0 : device;
    cudaVerify(cudaMemPrefetchAsync(x, n * sizeof *x, where, 0, stream));
#else
    cudaVerify(cudaMemPrefetchAsync(x, n * sizeof *x, device, stream));
#endif
}

static void managedChunks(const struct work *w, int device, const cudaStream_t *stream)
{
    for (size_t i = 0; i < chunksOf(w); i++) {
        const size_t begin = i * w->chunk, n = chunkLength(w, i);
        const cudaStream_t own = stream[i % w->slots];

        prefetch(w->a + begin, n, device, own);
        prefetch(w->c + begin, n, device, own);
        launch(w->a + begin, w->c + begin, n, w->steps, own);
        prefetch(w->a + begin, n, cudaCpuDeviceId, own);
        prefetch(w->c + begin, n, cudaCpuDeviceId, own);
    }
}
#endif

static void managed(const struct work *w)
{
    int device = 0, canPrefetch = 0;

    cudaVerify(cudaGetDevice(&device));
#if CUDART_VERSION >= 8000
    cudaVerify(cudaDeviceGetAttribute(&canPrefetch, cudaDevAttrConcurrentManagedAccess, device));
    if (canPrefetch) {
        struct work own = *w; /* the same with managed arrays */
        float *a = NULL, *c = NULL;
        cudaStream_t stream[MOST_SLOTS];

        if (cudaMallocManaged((void **)&a, w->n * sizeof *a) != cudaSuccess ||
            cudaMallocManaged((void **)&c, w->n * sizeof *c) != cudaSuccess) {
            cudaGetLastError();
            cudaVerify(cudaFree(a));
            rowSkip("no room for managed arrays");
            return;
        }
        for (int k = 0; k < w->slots; k++)
            cudaVerify(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
        memcpy(a, w->a, w->n * sizeof *a);
        own.a = a;
        own.c = c;
        MEASURE (run) {
            managedChunks(&own, device, stream);
            for (int k = 0; k < w->slots; k++)
                cudaVerify(cudaStreamSynchronize(stream[k]));
        }
        memcpy(w->c, c, w->n * sizeof *c);
        for (int k = 0; k < w->slots; k++)
            cudaVerify(cudaStreamDestroy(stream[k]));
        cudaVerify(cudaFree(a));
        cudaVerify(cudaFree(c));
    }
#endif
    if (!canPrefetch)
        rowSkip("the host may not touch managed memory while a kernel of this device runs");
}
