/* A planet around a sun, for ten orbits, by two ways to make a step: the
 * radius of the orbit and the energy should stay 1 and -0.5. */
#include "../common/cuda_utils.h"
#include <math.h>

enum { ORBITS = 10, STEPS = 64 }; /* steps for each orbit */

struct state {
    float x, y, vx, vy;
};

/* The pull of the sun, of mass 1 at the origin, on a planet at (x, y). */
__device__ void kick(struct state *s, float x, float y, float dt)
{
    const float root = rsqrtf(x * x + y * y), pull = root * root * root;

    s->vx -= dt * pull * x;
    s->vy -= dt * pull * y;
}

__device__ void drift(struct state *s, float dt)
{
    s->x += dt * s->vx;
    s->y += dt * s->vy;
}

/* Thread 0: both changes are those of the beginning of the step.
 * Thread 1: each change is that of the middle of what it lasts. */
__global__ void orbit(struct state *planets)
{
    const float dt = 6.2831853f / STEPS;
    struct state s = {1.0f, 0.0f, 0.0f, 1.0f};

    for (int step = 0; step < ORBITS * STEPS; step++) {
        if (threadIdx.x == 0) {
            const float x = s.x, y = s.y;

            drift(&s, dt);
            kick(&s, x, y, dt);
        } else {
            kick(&s, s.x, s.y, 0.5f * dt);
            drift(&s, dt);
            kick(&s, s.x, s.y, 0.5f * dt);
        }
    }
    planets[threadIdx.x] = s;
}

int main(void)
{
    static const char *const names[] = {"Euler", "leapfrog"};
    struct state planets[2], *d_planets = NULL;

    cudaVerify(cudaMalloc((void **)&d_planets, sizeof planets));
    cudaVerifyKernel((orbit<<<1, 2>>>(d_planets)));
    cudaVerify(cudaMemcpy(planets, d_planets, sizeof planets,
                          cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_planets));
    for (int i = 0; i < 2; i++) {
        const struct state s = planets[i];
        const double r = sqrt((double)s.x * s.x + (double)s.y * s.y);

        printf("%-8s  radius %.3f  energy %.3f\n", names[i], r,
               0.5 * ((double)s.vx * s.vx + (double)s.vy * s.vy) - 1.0 / r);
    }
    return 0;
}
