/* Where lanes of a warp have gone different ways, they go on together where these ways meet,
 * whatever order the compiler has put the code in (emulated/runtime/flow.cpp). Code of Fermi's time
 * relied on it: a warp's steps in volatile shared memory, without a barrier, and here between two
 * of them something that some lanes do and others do not. */
#include "cases.h"

enum { WARP = 32 };

static int failures;

/* One step: each lane adds its neighbour's sum, `apart` lanes further. A lane that is ahead or
 * behind spoils it. */
__device__ void addUp(volatile int *s, int lane, int apart) { s[lane] += s[lane + apart]; }

/* Is the sum of 0 to 31 in lane 0, by five steps? Between the first two some lanes make a
 * detour. */
#define SUM_WITH(detour)                                                                           \
    __shared__ volatile int s[2 * WARP];                                                           \
    const int lane = threadIdx.x;                                                                  \
    s[lane] = lane;                                                                                \
    s[lane + WARP] = 0;                                                                            \
    for (int pass = 0; pass < passes; pass++) {                                                    \
        s[lane] = lane;                                                                            \
        addUp(s, lane, 16);                                                                        \
        detour;                                                                                    \
        addUp(s, lane, 8);                                                                         \
        addUp(s, lane, 4);                                                                         \
        addUp(s, lane, 2);                                                                         \
        addUp(s, lane, 1);                                                                         \
        if (lane == 0)                                                                             \
            sums[pass] = s[0];                                                                     \
    }

__global__ void oneLaneWrites(int *sums, int *y, int passes)
{
    SUM_WITH(if (lane == 0) y[pass] = s[0] + s[1])
}

__global__ void oneLaneCallsALot(int *sums, int *y, int passes)
{
    SUM_WITH(if (lane == 0 && s[0] > 4) {
        atomicAdd(&y[0], s[0]);
        for (int i = 0; i < pass; i++)
            y[i] += s[i];
    })
}

__global__ void rarely(int *sums, int *y, int passes)
{
    SUM_WITH(if (s[lane] < 0) { atomicExch(&y[0], 1); } else if (lane == 7) y[pass] = 2)
}

__global__ void unevenLoops(int *sums, int *y, int passes)
{
    SUM_WITH(for (int i = 0; i < lane % 5; i++) {
        if ((lane + i) % 3 == 0)
            continue;
        y[lane] += i;
        if (y[lane] > 100)
            break;
        y[lane] += s[lane] & 1;
    })
}

__global__ void cases(int *sums, int *y, int passes)
{
    SUM_WITH(switch (lane % 7) {
        case 0: y[lane] = 1; break;
        case 1: y[lane] = s[lane]; /* and on */
        case 2: y[lane] += 2; break;
        case 3: break;
        case 5: atomicAdd(&y[WARP - 1], 1); break;
        case 6:
            if (lane > 20)
                y[lane] = 6;
            break;
    })
}

__device__ int firstAbove(const volatile int *y, int lane, int limit)
{
    for (int i = 0; i < lane; i++)
        if (y[i] > limit)
            return i;
    return lane > 9 ? y[lane] : limit;
}
__global__ void earlyReturns(int *sums, int *y,
                             int passes){SUM_WITH(y[lane] = firstAbove(s, lane, 40))}

__global__ void backwards(int *sums, int *y, int passes)
{
    SUM_WITH(int left = lane % 4; goto test; again
             : y[lane] += left--;
             if (y[lane] == 1000) y[lane] = 0; test
             : if (left > 0) goto again;)
}

/* The same lane has its turn again and again, changing nothing, while the others wait for it: for
 * longer than one would wait for a lock. */
__global__ void manySteps(int *sums, int *y, int passes)
{
    SUM_WITH(if (lane == 3) {
        const volatile int *v = y;
        for (int i = 0; i < 100; i++)
            if (v[0] == -1)
                y[1] = 2;
    })
}

static void run(const char *name, void (*kernel)(int *, int *, int))
{
    const int passes = 6;
    int sums[WARP] = {0}, *d_sums, *d_y;
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMalloc(&d_y, sizeof sums));
    CHECK(cudaMemset(d_y, 0, sizeof sums));
    emulatedFindingsReset();
    kernel<<<1, WARP>>>(d_sums, d_y, passes);
    CHECK(cudaMemcpy(sums, d_sums, passes * sizeof *sums, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < passes; i++)
        wrong += sums[i] != WARP * (WARP - 1) / 2;
    if (wrong || emulatedFindings()) {
        printf("%s: %d wrong sums, such as %d; %llu findings\n", name, wrong, sums[0],
               (unsigned long long)emulatedFindings());
        failures++;
    }
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_y));
}
#define RUN(kernel) run(#kernel, kernel)

int main(void)
{
    RUN(oneLaneWrites);
    RUN(oneLaneCallsALot);
    RUN(rarely);
    RUN(unevenLoops);
    RUN(cases);
    RUN(earlyReturns);
    RUN(backwards);
    RUN(manySteps);
    printf("%d failed\n", failures);
    return failures != 0;
}
