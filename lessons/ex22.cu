/* Three spheres in constant memory, a ray for each character of a picture,
 * and a letter for how much light the nearest sphere gets. */
#include "../common/cuda_utils.h"
#include <math.h>

enum { COLUMNS = 64, ROWS = 20, SPHERES = 3 };

struct sphere {
    float x, y, z, radius;
};

__constant__ struct sphere c_spheres[SPHERES];

/* The ray from (0, 0, -4) in direction (dx, dy, dz), of length 1, and the
 * sphere: distance where it enters, or 1000. */
__device__ float distanceTo(struct sphere s, float dx, float dy, float dz)
{
    const float b = -s.x * dx - s.y * dy + (-4.0f - s.z) * dz;
    const float c = s.x * s.x + s.y * s.y + (4.0f + s.z) * (4.0f + s.z) -
                    s.radius * s.radius;

    return b * b >= c ? -b - sqrtf(b * b - c) : 1000.0f;
}

__global__ void draw(char *picture)
{
    const int column = (int)threadIdx.x, row = (int)blockIdx.x;
    const float u = (column - 31.5f) / 32.0f, v = (9.5f - row) / 18.0f;
    const float length = sqrtf(u * u + v * v + 4.0f);
    const float dx = u / length, dy = v / length, dz = 2.0f / length;
    float nearest = 1000.0f;
    char seen = ' ';

    for (int i = 0; i < SPHERES; i++) { /* all lanes read the same word */
        const struct sphere s = c_spheres[i];
        const float t = distanceTo(s, dx, dy, dz);

        if (t < nearest) {
            const float up = (t * dy - s.y) / s.radius;
            const float left = (s.x - t * dx) / s.radius;

            nearest = t;
            seen = "#*+=-:."[(int)(3.45f - 2.4f * (up + left))];
        }
    }
    picture[row * COLUMNS + column] = seen;
}

int main(void)
{
    const struct sphere spheres[SPHERES] = {{0.0f, 0.2f, 0.0f, 0.7f},
                                            {-1.1f, -0.3f, 0.3f, 0.5f},
                                            {0.6f, -0.4f, -0.8f, 0.3f}};
    char picture[ROWS * COLUMNS], *d_picture = NULL;

    cudaVerify(cudaMemcpyToSymbol(c_spheres, spheres, sizeof spheres));
    cudaVerify(cudaMalloc((void **)&d_picture, sizeof picture));
    cudaVerifyKernel((draw<<<ROWS, COLUMNS>>>(d_picture)));
    cudaVerify(cudaMemcpy(picture, d_picture, sizeof picture,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_picture));
    for (int row = 0; row < ROWS; row++)
        printf("|%.*s|\n", COLUMNS, picture + row * COLUMNS);
    return 0;
}
