/* Four rays per pixel, whose mean has no jagged edges. solution.cu includes this file behind what
 * it builds on. */
#ifndef ANTIALIASING_CUH
#define ANTIALIASING_CUH

__global__ void fullPictureFourTimes(struct device_scene scene, struct view view, int *image)
{
    const long long p = pixelInTile(&view, (size_t)blockIdx.x * blockDim.x + threadIdx.x);
    struct vec light = black();

    if (p < 0)
        return;
    for (int k = 0; k < 4; k++) {
        const struct vec d = eyeRay(&view, (float)(p % view.width) + placeInPixel(k, 0),
                                    (float)(p / view.width) + placeInPixel(k, 1));

        light = lightAlong<searchTree>(&scene, &view, d, 0.25f, light);
    }
    image[p] = pixelOf(light);
}

void launchAntialiased(const struct device_scene *d, const struct view *view, int *d_image)
{
    const int block = blockSize(128);

    cudaVerifyKernel((
        fullPictureFourTimes<<<blocksFor(tiledThreads(view), block), block>>>(*d, *view, d_image)));
}

#endif
