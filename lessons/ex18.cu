/* Particles of 8 numbers each, as an array of structures, become a structure
 * of arrays: 8 arrays of N numbers. */
#include "../common/cuda_utils.h"

enum { FIELDS = 8, WARP = 32, N = 4 * WARP };

/* Thread i moves its particle. */
__global__ void direct(const float *particles, float *arrays)
{
    const int i = (int)(blockIdx.x * WARP + threadIdx.x);

    for (int f = 0; f < FIELDS; f++)
        arrays[f * N + i] = particles[i * FIELDS + f];
}

/* The warp reads 32 particles in order and keeps them in shared memory. */
template <int SWIZZLED>
__global__ void through(const float *particles, float *arrays)
{
    __shared__ float s[WARP][FIELDS];
    const int first = (int)blockIdx.x * WARP, lane = (int)threadIdx.x;

    for (int k = lane; k < WARP * FIELDS; k += WARP) {
        const int p = k / FIELDS, f = k % FIELDS;

        s[p][SWIZZLED ? f ^ (p / 4) : f] = particles[first * FIELDS + k];
    }
    __syncthreads();
    for (int f = 0; f < FIELDS; f++)
        arrays[f * N + first + lane] =
            s[lane][SWIZZLED ? f ^ (lane / 4) : f];
}

int main(void)
{
    static float particles[N * FIELDS], arrays[3][N * FIELDS];
    float *d_particles = NULL, *d_arrays = NULL;

    for (int i = 0; i < N * FIELDS; i++)
        particles[i] = (float)i;
    cudaVerify(cudaMalloc((void **)&d_particles, sizeof particles));
    cudaVerify(cudaMalloc((void **)&d_arrays, sizeof arrays));
    cudaVerify(cudaMemcpy(d_particles, particles, sizeof particles,
                          cudaMemcpyHostToDevice));
    cudaVerifyKernel((direct<<<N / WARP, WARP>>>(d_particles, d_arrays)));
    cudaVerifyKernel((through<0><<<N / WARP, WARP>>>(
        d_particles, d_arrays + N * FIELDS)));
    cudaVerifyKernel((through<1><<<N / WARP, WARP>>>(
        d_particles, d_arrays + 2 * N * FIELDS)));
    cudaVerify(cudaMemcpy(arrays, d_arrays, sizeof arrays,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_particles));
    cudaVerify(cudaFree(d_arrays));
    for (int k = 0; k < 3; k++)
        printf("field 5 of particle 77: %g\n", arrays[k][5 * N + 77]);
    return 0;
}
