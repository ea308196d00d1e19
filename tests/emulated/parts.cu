/* Parts of a block that wait for each other: barriers with a number, tiles of several warps; and
 * the mistakes made with them. Each result is compared with a loop on the host. */
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
enum { N = 1024, THREADS = 256 };
#include "int_arrays.h"

enum mistake { NONE, ONLY_ARRIVE, TOO_MANY, ODD_COUNT, WARP_ONLY };

/* ---- two halves of a block, each with its own barrier, in loops of different lengths --------- */
template <mistake Wrong> __global__ void halves(int *y, const int *x)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x, half = t / 128, rounds = half ? 5 : 2;
    s[t] = x[t];
    for (int k = 0; k < rounds; k++) {
        if (Wrong == ONLY_ARRIVE)
            asm volatile("bar.arrive %0, 128;" ::"r"(half + 1) : "memory");
        else
            asm volatile("bar.sync %0, %1;" ::"r"(half + 1), "r"(Wrong == TOO_MANY    ? 160
                                                                 : Wrong == ODD_COUNT ? 100
                                                                                      : 128)
                         : "memory");
        const int next = s[half * 128 + (t + 1) % 128];
        asm volatile("barrier.sync.aligned %0, 128;" ::"r"(half + 3) : "memory");
        s[t] = next;
    }
    y[t] = s[t];
}
static void halvesOfABlock(void)
{
    for (int i = 0; i < THREADS; i++)
        wanted[i] = x[i / 128 * 128 + (i + (i / 128 ? 5 : 2)) % 128];
    halves<NONE><<<1, THREADS>>>(d_y, d_x);
    expectWanted(THREADS);
}
static void onlyArrives(void) { halves<ONLY_ARRIVE><<<1, THREADS>>>(d_y, d_x); }
static void tooManyExpected(void) { halves<TOO_MANY><<<1, THREADS>>>(d_y, d_x); }
static void oddCount(void) { halves<ODD_COUNT><<<1, THREADS>>>(d_y, d_x); }

/* ---- one warp fills, the others wait; then they tell it that they are done ------------------- */
__global__ void handOver(int *y, const int *x)
{
    __shared__ int s[96];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++)
        if (t < 32) {
            for (int i = t; i < 96; i += 32)
                s[i] = x[k * 96 + i];
            asm volatile("bar.arrive 1, 128;" ::: "memory"); /* it is full */
            asm volatile("bar.sync 2, 128;" ::: "memory");   /* it is empty */
        } else {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            y[k * 96 + t - 32] = s[(t - 32 + 50) % 96];
            asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
}
static void fullAndEmpty(void)
{
    for (int i = 0; i < 4 * 96; i++)
        wanted[i] = x[i / 96 * 96 + (i + 50) % 96];
    handOver<<<1, 128>>>(d_y, d_x);
    expectWanted(4 * 96);
}

/* ---- tiles of 64 and 128 threads ------------------------------------------------------------- */
template <int Size, mistake Wrong> __global__ void tiles(int *y, const int *x)
{
    __shared__ cg::block_tile_memory<THREADS> memory;
    __shared__ int s[THREADS];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<Size>(block);
    const int t = threadIdx.x;
    s[t] = x[t];
    for (unsigned k = 0; k < 1 + tile.meta_group_rank(); k++) {
        if (Wrong == WARP_ONLY)
            __syncwarp();
        else
            tile.sync();
        const int other = s[t / Size * Size + Size - 1 - tile.thread_rank()];
        tile.sync();
        s[t] = other + (int)tile.num_threads();
    }
    y[t] = s[t] + 1000 * (int)tile.meta_group_size();
}
template <int Size> static void tilesOf(void)
{
    for (int i = 0; i < THREADS; i++) {
        const int rounds = 1 + i / Size,
                  from = rounds % 2 ? i / Size * Size + Size - 1 - i % Size : i;
        wanted[i] = x[from] + rounds * Size + 1000 * (THREADS / Size);
    }
    tiles<Size, NONE><<<1, THREADS>>>(d_y, d_x);
    expectWanted(THREADS);
}
static void tilesOfWarps(void)
{
    tilesOf<64>();
    tilesOf<128>();
}
static void warpInsteadOfTile(void) { tiles<64, WARP_ONLY><<<1, THREADS>>>(d_y, d_x); }

/* ---- the nth bit ----------------------------------------------------------------------------- */
__global__ void bits(int *y, const int *x)
{
    const unsigned mask = (unsigned)x[threadIdx.x] * 0x9e3779b9u;
    y[threadIdx.x] =
        (int)(__fns(mask, 0, 3) + 100 * __fns(mask, 31, -2) + 10000 * (__fns(mask, 5, 0) & 63));
}
static void nthBit(void)
{
    for (int i = 0; i < THREADS; i++) {
        const unsigned mask = (unsigned)x[i] * 0x9e3779b9u;
        unsigned third = ~0u, last = ~0u;
        for (int k = 31, seen = 0; k >= 0; k--)
            if (mask >> k & 1 && ++seen == 2)
                last = (unsigned)k;
        for (int k = 0, seen = 0; k < 32; k++)
            if (mask >> k & 1 && ++seen == 3)
                third = (unsigned)k;
        wanted[i] = (int)(third + 100 * last + 10000 * (mask >> 5 & 1 ? 5 : 63));
    }
    bits<<<1, THREADS>>>(d_y, d_x);
    expectWanted(THREADS);
}

static const struct test tests[] = {
    CLEAN(halvesOfABlock),
    CLEAN(fullAndEmpty),
    CLEAN(tilesOfWarps),
    CLEAN(nthBit),
    FINDS(onlyArrives, "race", "no __syncthreads() between them"),
    FINDS(tooManyExpected, "barrier-divergence", "for 160 threads, of which 128 have come"),
    FINDS(oddCount, "barrier-divergence", "must be a multiple of 32"),
    FINDS(warpInsteadOfTile, "race", "no __syncthreads() between them"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
