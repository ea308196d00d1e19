/* A kernel of one block leaves nearly all multiprocessors idle. Kernels in different streams may
 * run side by side, as far as the device has queues for streams and room for blocks. */

static void submitSmall(const struct work *w, const float *d_a, float *d_c,
                        const cudaStream_t *stream, int streams)
{
    for (size_t i = 0; i < chunksOf(w); i++)
        compute(w, i, d_a + i * w->chunk, d_c + i * w->chunk, stream[i % streams]);
}

template <int streams> static void small(const struct work *w)
{
    float *d_a = newOnDevice(w->n), *d_c = newOnDevice(w->n);
    cudaStream_t stream[streams];

    for (int k = 0; k < streams; k++)
        cudaVerify(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
    cudaVerify(cudaMemcpy(d_a, w->a, w->n * sizeof *d_a, cudaMemcpyHostToDevice));
    MEASURE (run) {
        submitSmall(w, d_a, d_c, stream, streams);
        waitFor(stream, streams);
    }
    timelineStart();
    submitSmall(w, d_a, d_c, stream, streams);
    timelineStop();
    cudaVerify(cudaMemcpy(w->c, d_c, w->n * sizeof *d_c, cudaMemcpyDeviceToHost));
    for (int k = 0; k < streams; k++)
        cudaVerify(cudaStreamDestroy(stream[k]));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_c));
}

#ifdef __CUDA_EMULATED__
#define TIME_UNIT "steps"
#else
#define TIME_UNIT "ms"
#endif

/* Milliseconds, or on the emulated device steps, from one event to another. */
static double timeBetween(cudaEvent_t begin, cudaEvent_t end)
{
    float milliseconds = 0.0f;

    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
#ifdef __CUDA_EMULATED__
    return (double)(emulatedEventStep(end) - emulatedEventStep(begin));
#else
    return (double)milliseconds;
#endif
}

/* A long kernel, of many more blocks than the device holds at a time, and behind it the small ones
 * in other streams. Their blocks wait until those that were launched before have begun, unless
 * their streams have a higher priority: then they are the next to get a place. */
template <int hasPriority> static void behindLongKernel(const struct work *w)
{
    enum { STREAMS = 32, USUAL = STREAMS }; /* the last one is for the long kernel */
    const size_t n = (size_t)w->background * SMALL_CHUNK;
    float *d_a = newOnDevice(w->n), *d_c = newOnDevice(w->n), *d_long = newOnDevice(n);
    int lowest = 0, highest = 0;
    double last = 0.0;
    cudaStream_t stream[STREAMS + 1];
    cudaEvent_t begin, end[STREAMS + 1];

    cudaVerify(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    for (int k = 0; k <= STREAMS; k++) {
        cudaVerify(cudaStreamCreateWithPriority(&stream[k], cudaStreamNonBlocking,
                                                hasPriority && k != USUAL ? highest : lowest));
        cudaVerify(cudaEventCreate(&end[k]));
    }
    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaMemcpy(d_a, w->a, w->n * sizeof *d_a, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemset(d_long, 0, n * sizeof *d_long));
    MEASURE (run) {
        cudaVerify(cudaEventRecord(begin, stream[USUAL]));
        launch(d_long, d_long, n, w->steps, stream[USUAL]);
        submitSmall(w, d_a, d_c, stream, STREAMS);
        for (int k = 0; k <= STREAMS; k++)
            cudaVerify(cudaEventRecord(end[k], stream[k]));
        waitFor(stream, STREAMS + 1);
    }
    cudaVerify(cudaMemcpy(w->c, d_c, w->n * sizeof *d_c, cudaMemcpyDeviceToHost));
    cudaVerify(cudaDeviceSynchronize()); /* so that both events have happened */
    for (int k = 0; k < STREAMS; k++)
        last = fmax(last, timeBetween(begin, end[k]));
    harnessRemark("the last small kernel has ended after %.3g %s, the long one after %.3g", last,
                  TIME_UNIT, timeBetween(begin, end[USUAL]));
    for (int k = 0; k <= STREAMS; k++) {
        cudaVerify(cudaStreamDestroy(stream[k]));
        cudaVerify(cudaEventDestroy(end[k]));
    }
    cudaVerify(cudaEventDestroy(begin));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_c));
    cudaVerify(cudaFree(d_long));
}
