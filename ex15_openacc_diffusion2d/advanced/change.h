/* How much does a step still change? A loop with a result: given, to read and to compare. */
#include <math.h>

/* Each thread has a largest change of its own, and at the end these become one. Variables from
 * outside the loop would be one for all threads; `private` gives each thread its own. (What is
 * declared inside is private anyway.) */
static void stepWithChange(const float *f, float *to, size_t nx, size_t ny, float alpha)
{
    float change = 0.0f, next;
    size_t i;

#pragma acc parallel loop collapse(2) present(f[0:nx * ny], to[0:nx * ny]) private(i, next) \
    reduction(max : change)
    for (size_t y = 1; y < ny - 1; y++)
        for (size_t x = 1; x < nx - 1; x++) {
            i = y * nx + x;
            next = f[i] + alpha * (f[i - 1] + f[i + 1] + f[i - nx] + f[i + nx] - 4.0f * f[i]);
            change = fabsf(next - f[i]) > change ? fabsf(next - f[i]) : change;
            to[i] = next;
        }
    largestChange = change;
}

static void withChange(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    dataCreate(start, f, nx, ny, alpha, steps, stepWithChange);
}
