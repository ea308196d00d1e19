/* One large transform with two passes over memory, and a third through the L2 cache. Given; nothing
 * to fill in here. */
#ifndef BY_PARTS_CUH
#define BY_PARTS_CUH

/* A tile of N * N points fills a multiprocessor: nothing is loaded while it computes. With three
 * factors, n = A B C, tiles of 4096 points are enough, and several blocks take turns. The first
 * pass transforms columns of A points, as `columns`. What is left are A transforms of B C points
 * each, independent of each other. A part of them, `size` bytes of which fit into the L2 cache,
 * makes its two passes before the next one follows: between these its points never leave the
 * cache. */

enum { TILE = 4096, TILE_BLOCK = TILE / POINTS };

/* Columns `first` and following of N rows of `width` points: point (k, column) of the result is
 * multiplied by w_n^(k column). */
template <int N>
__device__ __forceinline__ void transformColumns(const float2 *x, float2 *y, int width, int first,
                                                 int n, float2 *shared, const float2 *table)
{
    enum { WIDE = TILE / N, THREADS = N / POINTS };
    __shared__ float2 step[POINTS][WIDE];
    const int c = threadIdx.x % WIDE, t = threadIdx.x / WIDE, column = first + c;
    const float2 *from = x + (size_t)t * width + column;
    float2 *to = y + (size_t)t * width + column;
    float2 v[POINTS];

#pragma unroll
    for (int e = 0; e < POINTS; e++)
        v[e] = from[(size_t)THREADS * width * e];
    for (int i = threadIdx.x; i < POINTS * WIDE; i += TILE_BLOCK)
        step[i / WIDE][i % WIDE] = turn(i / WIDE * (first + i % WIDE), n / THREADS);
    transform<N, 16, 1, 1, WIDE>(v, t, shared + c, table);

    const float2 own = turn(column * t, n);

#pragma unroll
    for (int e = 0; e < POINTS; e++)
        to[(size_t)THREADS * width * e] = times(v[e], times(own, step[e][c]));
}

template <int A>
__global__ void __launch_bounds__(TILE_BLOCK, 4)
    firstPass(const float2 *x, float2 *work, int width, const float2 *__restrict__ table)
{
    extern __shared__ float2 shared[];

    transformColumns<A>(x, work, width, TILE / A * blockIdx.x, A * width, shared, table);
}

/* Waits until the counter has reached `many`. */
static __device__ __forceinline__ void await(const volatile unsigned *counter, unsigned many)
{
    while (*counter < many)
        ;
    __threadfence();
}

struct counters {
    unsigned ticket, columns[512], rows[512]; /* tiles that are done, of each part */
};

/* Both later passes, in parts of HIGH transforms. Blocks draw tickets for tiles: those of columns
 * are one part ahead of those of rows. A tile waits only for tiles with smaller tickets, which
 * running blocks have drawn, so that it cannot wait for ever. The ring has room for RING parts. */
template <int A, int B, int C, int HIGH, int RING>
__global__ void __launch_bounds__(TILE_BLOCK, 4)
    laterPasses(const float2 *work, float2 *ring, float2 *y, struct counters *counters,
                const float2 *__restrict__ table)
{
    enum {
        PARTS = A / HIGH,
        TILES = HIGH * B * (C / TILE) /* of a part */,
    };
}

#endif
