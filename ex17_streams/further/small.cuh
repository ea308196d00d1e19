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
