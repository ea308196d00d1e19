/* A kernel of one block leaves nearly all multiprocessors idle. Kernels in different streams may run side by side, as
 * far as the device has queues for streams and room for blocks. */

static void submitSmall(const struct work *w, const float *d_a, float *d_c,
                        const cudaStream_t *stream, int streams)
{
    for (size_t i = 0; i < chunksOf(w); i++)
        compute(w, i, d_a + i * w->chunk, d_c + i * w->chunk, stream[i % streams]);
}

template <int streams>
static void small(const struct work *w)
{
    float *d_a = newOnDevice(w->n), *d_c = newOnDevice(w->n);
    cudaStream_t stream[streams];

    for (int k = 0; k < streams; k++)
        cudaVerify(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
    cudaVerify(cudaMemcpy(d_a, w->a, w->n * sizeof *d_a, cudaMemcpyHostToDevice));
    wipeBeforeRuns(d_c, w->n * sizeof *d_c);
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

/* A long kernel, of many more blocks than the device holds at a time, and behind it a short one in another stream. Its
 * blocks wait until those that were launched before have begun, unless its stream has a higher priority: then they are
 * the next to get a place. */
template <int hasPriority>
static void behindLongKernel(const struct work *w)
{
    const size_t n = (size_t)w->background * SMALL_CHUNK;
    float *d_a = newOnDevice(w->n), *d_c = newOnDevice(w->n), *d_long = newOnDevice(n);
    float milliseconds = 0.0f;
    int lowest = 0, highest = 0;
    cudaStream_t usual, other;
    cudaEvent_t begin, end;

    cudaVerify(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    cudaVerify(cudaStreamCreateWithPriority(&usual, cudaStreamNonBlocking, lowest));
    cudaVerify(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking,
                                            hasPriority ? highest : lowest));
    cudaVerify(cudaEventCreate(&begin));
    cudaVerify(cudaEventCreate(&end));
    cudaVerify(cudaMemcpy(d_a, w->a, w->n * sizeof *d_a, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemset(d_long, 0, n * sizeof *d_long));
    wipeBeforeRuns(d_c, w->n * sizeof *d_c);
    MEASURE (run) {
        launch(d_long, d_long, n, w->steps, usual);
        cudaVerify(cudaEventRecord(begin, other));
        launch(d_a, d_c, w->n, w->steps, other);
        cudaVerify(cudaEventRecord(end, other));
        cudaVerify(cudaStreamSynchronize(other));
        cudaVerify(cudaStreamSynchronize(usual));
    }
    cudaVerify(cudaEventElapsedTime(&milliseconds, begin, end));
#ifndef __CUDA_EMULATED__
    harnessRemark("the short kernel has ended after %.2f ms", milliseconds);
#endif
    cudaVerify(cudaMemcpy(w->c, d_c, w->n * sizeof *d_c, cudaMemcpyDeviceToHost));
    cudaVerify(cudaEventDestroy(begin));
    cudaVerify(cudaEventDestroy(end));
    cudaVerify(cudaStreamDestroy(usual));
    cudaVerify(cudaStreamDestroy(other));
    cudaVerify(cudaFree(d_a));
    cudaVerify(cudaFree(d_c));
    cudaVerify(cudaFree(d_long));
}
