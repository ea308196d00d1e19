/* The points once more, each group of four numbers by philox(). Any thread may take any group, so
 * the grid is as large as the device holds. */

__global__ void countByIndex(unsigned long long seed, size_t n, struct part *parts)
{
    const size_t quads = (n + 1) / 2, stride = (size_t)gridDim.x * POINT_BLOCK;
    struct part own = {0, 0.0};

    for (size_t q = (size_t)blockIdx.x * POINT_BLOCK + threadIdx.x; q < quads; q += stride) {
        const uint4 word = philox(seed, q);

        addPoint(&own, uniform(word.x), uniform(word.y));
        if (2 * q + 1 < n)
            addPoint(&own, uniform(word.z), uniform(word.w));
    }
    storePart(own, parts);
}

void launchByIndex(const struct points *p)
{
    cudaVerifyKernel(
        (countByIndex<<<p->blocks, POINT_BLOCK, 0, p->stream>>>(p->seed, p->n, p->d_parts)));
}
