/* How much does a step still change? A loop with a result: given, to read and to compare. */
#include <math.h>

static float largestChange; /* of the last step */

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

/* The fewest copies, and the field before the last step to check the change by. */
static void withChange(const float *start, float *f, size_t nx, size_t ny, float alpha, int steps)
{
    const size_t n = nx * ny;
    float *other = malloc(n * sizeof *other), change = 0.0f;

    if (other == NULL)
        return;
#pragma acc data copyin(start[0:n]) copyout(f[0:n]) create(other[0:n])
    {
#pragma acc parallel loop present(start[0:n], f[0:n], other[0:n])
        for (size_t i = 0; i < n; i++)
            f[i] = other[i] = start[i];
        MEASURE (run) {
            allSteps(start, f, other, nx, ny, alpha, steps, stepWithChange);
        }
#pragma acc update self(other[0:n])
    }
    for (size_t i = 0; i < n; i++)
        change = fmaxf(change, fabsf(f[i] - (steps > 1 ? other : start)[i]));
    verifyThat(fabsf(change - largestChange) <= 1e-6f,
               "the reduction has %g as the largest change, it is %g", (double)largestChange,
               (double)change);
    harnessRemark("the last step changes f by %.3g at most", (double)largestChange);
    free(other);
}
