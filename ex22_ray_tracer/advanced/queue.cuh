/* A tile with many reflections takes long, and a block that has one keeps its place until that is
 * done. Here only as many blocks are started as fit on the device, and each draws its next tile
 * from a counter: whoever is done early does more. solution.cu includes this file behind what it
 * builds on. */
#ifndef QUEUE_CUH
#define QUEUE_CUH

__global__ void fullPictureQueue(struct device_scene scene, struct view view, int *image,
                                 size_t threads)
{
    __shared__ int drawn;

    for (;;) {
        size_t first;
        long long p;

        if (threadIdx.x == 0)
            drawn = atomicAdd(scene.next, 1);
        __syncthreads();
        first = (size_t)drawn * blockDim.x;
        __syncthreads(); /* all have read it before thread 0 draws again */
        if (first >= threads)
            return;
        p = pixelInTile(&view, first + threadIdx.x);
        if (p >= 0)
            image[p] = pixelOf(
                lightAlong<searchTree>(&scene, &view, rayOf(&view, (size_t)p), 1.0f, black()));
    }
}

void launchQueue(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = (blockSize(64) + 31) / 32 * 32; /* whole tiles */
    const size_t grid = gridSize((size_t)multiprocessors() * 16);

    cudaVerify(cudaMemsetAsync(d->next, 0, sizeof *d->next));
    cudaVerifyKernel(
        (fullPictureQueue<<<(unsigned)grid, block>>>(*d, *view, d_image, tiledThreads(view))));
}

#endif
