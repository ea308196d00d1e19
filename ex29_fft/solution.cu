/* TASK     X[k] = sum over j of x[j] w^(j k): Fourier transforms of n complex points, from the sum
 *          itself to a transform that passes over memory once.
 * TRAFFIC  16 bytes for each point: x read, X written. One large transform passes over them twice.
 * LIMIT    memory bandwidth, once the points stay in registers and shared memory. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "fft.h"
#include "surroundings.cuh" /* struct job; plus(), minus(), times(), turn() */

/* The sum for each k, a thread to each: n * n products. w^(j k) depends on j k modulo n only. */
__global__ void byDefinition(const float2 *x, float2 *y, int n, size_t batch)
{
    // TODO 1 begin: one X[k]; turn(m, n) is w^m, as exact as a float can be for m below n
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int k = (int)(i % n);
    const float2 *own = x + (i - k); /* this thread's transform */
    float2 sum = make_float2(0.0f, 0.0f);

    if (i >= n * batch)
        return;
    for (int j = 0; j < n; j++)
        sum = plus(sum, times(own[j], turn(j * k % n, n)));
    y[i] = sum;
    // TODO 1 end
}

void runDefinition(const struct job *job)
{
    const unsigned grid = blocksFor(job->n * job->batch, 256);

    MEASURE (run) {
        cudaVerifyKernel(
            (byDefinition<<<grid, 256>>>(job->d_x, job->d_y, (int)job->n, job->batch)));
    }
}

/* n products a point, where log2(n) are enough: transforms of `size` points are combined, two at a
 * time, into ones of 2 size points. Butterfly j of n / 2 takes points j and j + n / 2, and leaves
 * its results `size` apart, so that all passes read alike and the last one leaves X in order. */
__global__ void combinePairs(const float2 *from, float2 *to, int n, int size, size_t batch)
{
    // TODO 2 begin: a butterfly: a + w b and a - w b, w = turn(j % size, 2 * size)
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int half = n / 2, j = (int)(i % half), k = j % size;
    const size_t first = i / half * n; /* of this transform */

    if (i >= half * batch)
        return;
    const float2 a = from[first + j];
    const float2 b = times(from[first + j + half], turn(k, 2 * size));

    to[first + 2 * (j - k) + k] = plus(a, b);
    to[first + 2 * (j - k) + k + size] = minus(a, b);
    // TODO 2 end
}

/* Each pass reads one array and writes another; the last one must write d_y. */
void runPairs(const struct job *job)
{
    const unsigned grid = blocksFor(job->n / 2 * job->batch, 256);
    int passes = 0;

    while ((size_t)1 << passes < job->n)
        passes++;
    MEASURE (run) {
        const float2 *from = job->d_x;

        for (int p = 0; p < passes; p++) {
            float2 *to = (passes - p) % 2 == 1 ? job->d_y : job->d_work;

            cudaVerifyKernel(
                (combinePairs<<<grid, 256>>>(from, to, (int)job->n, 1 << p, job->batch)));
            from = to;
        }
    }
}

/* Every pass went through memory. From here on a transform has N / POINTS threads. Thread t keeps
 * the points t, t + N / POINTS, ... in its registers, and the passes exchange them through shared
 * memory. A pass of radix R combines R transforms of `size` points: butterfly j takes the points j,
 * j + N / R, ..., which are those of one thread. */

/* Where shared memory has point i. */
template <int PADDED> __device__ __forceinline__ int place(int i)
{
    if (PADDED) {
        // TODO 6 begin: one place is left free after every POINTS points
        return i + i / POINTS;
        // TODO 6 end
    }
    return i;
}

/* Result r of butterfly j is point j / size * size * R + j % size + r * size of the next pass. WIDE
 * transforms lie in shared memory side by side; s is this one's place of point 0. */
template <int N, int R, int PADDED, int WIDE>
__device__ __forceinline__ void exchange(float2 *v, int t, int size, float2 *s)
{
    enum { THREADS = N / POINTS, EACH = POINTS / R }; /* butterflies of a thread */

    // TODO 3 begin: store v[b + EACH * r], wait, load the points t + THREADS * e, wait
#pragma unroll
    for (int b = 0; b < EACH; b++) {
        const int j = t + THREADS * b, first = j / size * size * R + j % size;

#pragma unroll
        for (int r = 0; r < R; r++)
            s[WIDE * place<PADDED>(first + r * size)] = v[b + EACH * r];
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < POINTS; e++)
        v[e] = s[WIDE * place<PADDED>(t + THREADS * e)];
    __syncthreads();
    // TODO 3 end
}

/* Transforms of 2, 4 and 16 points in registers: v[0], v[S], v[2 S], ... */
template <int S> __device__ __forceinline__ void butterfly2(float2 *v)
{
    const float2 a = v[0], b = v[S];

    v[0] = plus(a, b);
    v[S] = minus(a, b);
}

/* Two passes of radix 2 at once: half as many exchanges, and none of the products costs anything,
 * since w is -i. */
template <int S> __device__ __forceinline__ void butterfly4(float2 *v)
{
    // TODO 4 begin: butterflies of (0, 2) and (1, 3); then of their sums and differences
    const float2 a = plus(v[0], v[2 * S]), b = minus(v[0], v[2 * S]);
    const float2 c = plus(v[S], v[3 * S]), d = minus(v[S], v[3 * S]);
    const float2 turned = make_float2(d.y, -d.x); /* -i d */

    v[0] = plus(a, c);
    v[S] = plus(b, turned);
    v[2 * S] = minus(a, c);
    v[3 * S] = minus(b, turned);
    // TODO 4 end
}

/* Four passes of radix 2 at once, from two of radix 4. The nine products between are with
 * constants, which an instruction reads from constant memory as if they were registers. Behind the
 * second two lies X[a + 4 c] at 4 a + c: it is put in order at the end, which moves nothing. */
template <int S> __device__ __forceinline__ void butterfly16(float2 *v)
{
    // TODO 5 begin: butterfly4<4 * S>() at v + b S; times ROOT[a * b]; butterfly4<S>() at v + 4 a S
    float2 w[16];

#pragma unroll
    for (int b = 0; b < 4; b++)
        butterfly4<4 * S>(v + S * b); /* result a is at 4 a + b */
#pragma unroll
    for (int a = 1; a < 4; a++)
#pragma unroll
        for (int b = 1; b < 4; b++)
            v[S * (4 * a + b)] = times(v[S * (4 * a + b)], ROOT[a * b]);
#pragma unroll
    for (int a = 0; a < 4; a++)
        butterfly4<S>(v + S * 4 * a); /* result c, of 4 a + c, is X[a + 4 c] */
#pragma unroll
    for (int i = 0; i < 16; i++)
        w[i] = v[S * i];
#pragma unroll
    for (int i = 0; i < 16; i++)
        v[S * i] = w[i % 4 * 4 + i / 4];
    // TODO 5 end
}

template <int R, int S> __device__ __forceinline__ void butterfly(float2 *v)
{
    if (R == 2)
        butterfly2<S>(v);
    if (R == 4)
        butterfly4<S>(v);
    if (R == 16)
        butterfly16<S>(v);
}

/* v[r] times w^(r k), w = exp(-2 pi i / (size R)), k below size. Computed, each takes some forty
 * instructions. In the table, row r of this pass has them for each k. Its rows 0 to 3 and 4, 8 and
 * 12 are enough: w^((a + 4 b) k) = w^(a k) w^(4 b k), so six loads serve fifteen products. */
template <int R, int S, int TABLE>
__device__ __forceinline__ void twiddle(float2 *v, int k, int size, const float2 *table)
{
    if (TABLE && R == 16) {
        // TODO 7 begin: row r begins at table + size * (R + r); load r = 1, 2, 3 and 4, 8, 12
        const float2 *row = table + size * R + k;
        float2 low[4], high[4];

#pragma unroll
        for (int r = 1; r < 4; r++) {
            low[r] = row[size * r];
            high[r] = row[size * 4 * r];
        }
#pragma unroll
        for (int r = 1; r < R; r++) {
            const int a = r % 4, b = r / 4;

            v[S * r] = times(v[S * r], b == 0 ? low[a] : a == 0 ? high[b] : times(low[a], high[b]));
        }
        // TODO 7 end
    } else {
#pragma unroll
        for (int r = 1; r < R; r++)
            v[S * r] = times(v[S * r], turn(r * k, size * R));
    }
}

template <int N, int R, int TABLE>
__device__ __forceinline__ void pass(float2 *v, int t, int size, const float2 *table)
{
    enum { THREADS = N / POINTS, EACH = POINTS / R };

#pragma unroll
    for (int b = 0; b < EACH; b++) {
        if (size > 1)
            twiddle<R, EACH, TABLE>(v + b, (t + THREADS * b) % size, size, table);
        butterfly<R, EACH>(v + b);
    }
}

/* The transform of N points. The first pass, which needs no twiddles, has a smaller radix if N is
 * not a power of R: powers of R leave 1 when divided by R - 1, twice a power leaves 2. Behind it
 * the thread's own points have arrived, and it asks for a line that another block will load. */
template <int N, int R, int PADDED, int TABLE, int WIDE>
__device__ __forceinline__ void transform(float2 *v, int t, float2 *s, const float2 *table,
                                          const float2 *line = NULL)
{
    enum { LEFT = N % (R - 1), FIRST = LEFT < 2 ? R : LEFT };

    pass<N, FIRST, TABLE>(v, t, 1, table);
    if (line != NULL)
        askFor(line);
#pragma unroll
    for (int size = FIRST; size < N; size *= R) {
        if (size == FIRST)
            exchange<N, FIRST, PADDED, WIDE>(v, t, 1, s);
        else
            exchange<N, R, PADDED, WIDE>(v, t, size / R, s);
        pass<N, R, TABLE>(v, t, size, table);
    }
}

/* The line of transform `at`, of N points, that thread t asks for; NULL behind the last one. */
template <int N>
__device__ __forceinline__ const float2 *lineOf(const float2 *x, size_t at, size_t batch, int t)
{
    const float2 *line = NULL;

    // TODO 10 begin: (advanced) lines have 128 bytes, 16 points, and thread t asks for line t
    if (at < batch)
        line = x + at * N + 16 * t;
    // TODO 10 end
    return line;
}

/* Threads of a block: a transform of 4096 points, or several smaller ones. With the table 64
 * registers are enough, so that 1024 threads find room. */
#define BLOCK(n) ((n) < 4096 ? 4096 / POINTS : (n) / POINTS)
#define BLOCKS(n, table) ((table) ? 1024 / BLOCK(n) : 1)

/* Threads of a transform that does not exist do the last one again, since they must come to the
 * barriers, and store nothing. */
template <int N, int R, int PADDED, int TABLE, int AHEAD>
__global__ void __launch_bounds__(BLOCK(N), BLOCKS(N, TABLE))
    inBlock(const float2 *x, float2 *y, size_t batch, const float2 *__restrict__ table, int ahead)
{
    enum { THREADS = N / POINTS, ROOM = N + N / POINTS };
    extern __shared__ float2 shared[];
    const int t = threadIdx.x % THREADS, own = threadIdx.x / THREADS;
    const size_t at = (size_t)blockIdx.x * (blockDim.x / THREADS) + own;
    const float2 *from = x + (at < batch ? at : batch - 1) * N + t;
    float2 v[POINTS];

#pragma unroll
    for (int e = 0; e < POINTS; e++)
        v[e] = from[THREADS * e];
    transform<N, R, PADDED, TABLE, 1>(v, t, shared + ROOM * own, table,
                                      AHEAD ? lineOf<N>(x, at + ahead, batch, t) : NULL);
    if (at < batch)
#pragma unroll
        for (int e = 0; e < POINTS; e++)
            y[at * N + t + THREADS * e] = v[e];
}

template <int N, int R, int PADDED, int TABLE, int AHEAD> void launchInBlock(const struct job *job)
{
    enum { ROOM = N + N / POINTS, TRANSFORMS = BLOCK(N) * POINTS / N };
    const size_t bytes = TRANSFORMS * ROOM * sizeof(float2);
    const unsigned grid = blocksFor(job->batch, TRANSFORMS);

    if (!allowShared(inBlock<N, R, PADDED, TABLE, AHEAD>, bytes))
        return;
    MEASURE (run) {
        cudaVerifyKernel((inBlock<N, R, PADDED, TABLE, AHEAD><<<grid, BLOCK(N), bytes>>>(
            job->d_x, job->d_y, job->batch, job->d_table, AHEAD * multiprocessors() * TRANSFORMS)));
    }
}

template <int R, int PADDED, int TABLE> void runInBlock(const struct job *job)
{
    switch (job->n) {
    case 256: launchInBlock<256, R, PADDED, TABLE, 0>(job); break;
    case 1024: launchInBlock<1024, R, PADDED, TABLE, 0>(job); break;
    case 4096: launchInBlock<4096, R, PADDED, TABLE, 0>(job); break;
    case 8192: launchInBlock<8192, R, PADDED, TABLE, 0>(job); break;
    }
}

/* The same kernel in five steps: fewer passes, no bank conflicts, no twiddles to compute. */
void runRadix2(const struct job *job) { runInBlock<2, 0, 0>(job); }

void runRadix4(const struct job *job) { runInBlock<4, 0, 0>(job); }

void runRadix16(const struct job *job) { runInBlock<16, 0, 0>(job); }

void runPadded(const struct job *job) { runInBlock<16, 1, 0>(job); }

void runTable(const struct job *job) { runInBlock<16, 1, 1>(job); }

/* A block of 8192 points has 512 threads, and a multiprocessor has room for two such blocks: often
 * both wait at barriers, or both compute, and memory rests. Here a thread has 32 points, 16 even
 * and 16 odd ones: two transforms of half the length, each with one exchange less, and a butterfly
 * of radix 2 without any. Were the table __restrict__, the compiler would keep the twiddles of the
 * even points in registers for the odd ones, and run out of these. */
__global__ void __launch_bounds__(LONGEST / 2 / POINTS, 2)
    halves(const float2 *x, float2 *y, size_t batch, const float2 *table, int ahead)
{
    enum { N = LONGEST, HALF = N / 2, THREADS = HALF / POINTS };
    __shared__ float2 shared[HALF + HALF / POINTS];
    const int t = threadIdx.x;
    const size_t at = blockIdx.x;
    const float2 *line = lineOf<N>(x, at + ahead, batch, t);

    // TODO 11 begin: (advanced) load float4, transform even and odd points, ask twice, combine
    const float4 *from = (const float4 *)(x + at * N) + t;
    float2 even[POINTS], odd[POINTS], w[2];

#pragma unroll
    for (int e = 0; e < POINTS; e++) {
        const float4 pair = from[THREADS * e];

        even[e] = make_float2(pair.x, pair.y);
        odd[e] = make_float2(pair.z, pair.w);
    }
    transform<HALF, 16, 1, 1, 1>(even, t, shared, table, line);
    if (line != NULL)
        askFor(line + HALF); /* there are twice as many lines as threads */
    transform<HALF, 16, 1, 1, 1>(odd, t, shared, table);
    y += at * N + t;
    w[0] = table[N + N / POINTS + t]; /* w^t; w^(t + THREADS e) is w^t ROOT_32^e */
    w[1] = times(w[0], ROOT_32);
#pragma unroll
    for (int e = 0; e < POINTS; e++) {
        const float2 b = times(odd[e], times(w[e % 2], ROOT[e / 2]));

        y[THREADS * e] = plus(even[e], b);
        y[THREADS * e + HALF] = minus(even[e], b);
    }
    // TODO 11 end
}

void launchHalves(const struct job *job)
{
    enum { BLOCK = LONGEST / 2 / POINTS };

    MEASURE (run) {
        cudaVerifyKernel((halves<<<(unsigned)job->batch, BLOCK>>>(
            job->d_x, job->d_y, job->batch, job->d_table, multiprocessors())));
    }
}

/* Blocks load, compute and store, and while most of them compute, memory rests. So each block asks
 * for the points of the block that comes as many later as there are multiprocessors: they wait in
 * the L2 cache when that block begins. What is asked for much earlier is evicted before. */
void runPrefetch(const struct job *job)
{
    switch (job->n) {
    case 256: launchInBlock<256, 16, 1, 1, 1>(job); break;
    case 1024: launchInBlock<1024, 16, 1, 1, 1>(job); break;
    case 4096: launchInBlock<4096, 16, 1, 1, 1>(job); break;
    case 8192: launchHalves(job); break;
    }
}

/* One transform of A M points does not fit into a block. With j = M j1 + j2 and k = k1 + A k2:
 *
 *     X[k1 + A k2] = sum over j2 of w_M^(j2 k2) w_n^(j2 k1) Y[k1, j2],
 *     Y[k1, j2]    = sum over j1 of w_A^(j1 k1) x[M j1 + j2]
 *
 * so a matrix of A rows is transformed along its columns, multiplied by w_n^(j2 k1), transformed
 * along its rows, and transposed. A block takes WIDE columns, since a sector has four points, of
 * matrix number blockIdx.y: the second of three passes has several. The product w_n^(j2 k1) of the
 * thread's points k1 = t + THREADS e is w_n^(j2 t), which it computes, times w_n^(j2 THREADS e),
 * which the threads of a column share. */
template <int A, int WIDE>
__global__ void __launch_bounds__(A / POINTS * WIDE)
    columns(const float2 *from, float2 *to, int width, const float2 *__restrict__ table)
{
    enum { THREADS = A / POINTS };
    extern __shared__ float2 shared[];
    __shared__ float2 step[POINTS][WIDE];

    for (int i = threadIdx.x; i < POINTS * WIDE; i += THREADS * WIDE)
        step[i / WIDE][i % WIDE] =
            turn(i / WIDE * (int)(blockIdx.x * WIDE + i % WIDE), A * width / THREADS);
    __syncthreads();
    // TODO 8 begin: (advanced) column j2 = WIDE * blockIdx.x + c: load, transform, multiply, store
    const int c = threadIdx.x % WIDE, t = threadIdx.x / WIDE, j2 = WIDE * blockIdx.x + c;
    const size_t at = ((size_t)blockIdx.y * A + t) * width + j2; /* blockIdx.y: which matrix */
    const float2 own = turn(j2 * t, A * width);
    float2 v[POINTS];

#pragma unroll
    for (int e = 0; e < POINTS; e++)
        v[e] = from[at + (size_t)THREADS * width * e];
    transform<A, 16, 1, 1, WIDE>(v, t, shared + c, table);
#pragma unroll
    for (int e = 0; e < POINTS; e++)
        to[at + (size_t)THREADS * width * e] = times(v[e], times(own, step[e][c]));
    // TODO 8 end
}

/* Rows of ROW points, HIGH of them a block: neighbouring rows have neighbouring results. Row
 * (k1, k2) of A B rows is at (k1 B + k2) ROW, and its result k3 goes to k1 + A (k2 + B k3). In
 * shared memory the rows are four points more apart than they need be, since the lanes of half a
 * warp have four points of four rows. */
enum { ROW = 256, HIGH = 16, ROW_ROOM = ROW + ROW / POINTS + 4, ROWS_BLOCK = ROW / POINTS * HIGH };

__global__ void __launch_bounds__(ROWS_BLOCK)
    rows(const float2 *from, float2 *to, int A, int B, const float2 *__restrict__ table)
{
    enum { THREADS = ROW / POINTS };

    // TODO 9 begin: (advanced) row (HIGH * blockIdx.y + row, blockIdx.x): load, transform, store
    __shared__ float2 shared[HIGH * ROW_ROOM];
    const int row = threadIdx.x / 4 % HIGH, t = threadIdx.x / (4 * HIGH) * 4 + threadIdx.x % 4;
    const int k1 = HIGH * blockIdx.y + row, k2 = blockIdx.x;
    float2 v[POINTS];

    from += ((size_t)k1 * B + k2) * ROW + t;
    to += k1 + (size_t)A * (k2 + (size_t)B * t);
#pragma unroll
    for (int e = 0; e < POINTS; e++)
        v[e] = from[THREADS * e];
    transform<ROW, 16, 1, 1, 1>(v, t, shared + ROW_ROOM * row, table);
#pragma unroll
    for (int e = 0; e < POINTS; e++)
        to[(size_t)A * B * THREADS * e] = v[e];
    // TODO 9 end
}

/* n = A ROW: columns, then rows. */
template <int A, int WIDE> void launchTwoPasses(const struct job *job)
{
    const size_t bytes = WIDE * (A + A / POINTS) * sizeof(float2);

    if (!allowShared(columns<A, WIDE>, bytes))
        return;
    MEASURE (run) {
        cudaVerifyKernel((columns<A, WIDE><<<ROW / WIDE, A / POINTS * WIDE, bytes>>>(
            job->d_x, job->d_work, ROW, job->d_table)));
        cudaVerifyKernel(
            (rows<<<dim3(1, A / HIGH), ROWS_BLOCK>>>(job->d_work, job->d_y, A, 1, job->d_table)));
    }
}

/* n = A B ROW: columns of A points, and what is left are A transforms of B ROW points, independent
 * of each other. A part of these, HIGH of them, fits into the L2 cache, and makes its two passes
 * there. A part is too small to fill the device, so several streams each have one in work. */
template <int A, int WIDE, int B> void launchThreePasses(const struct job *job)
{
    enum { STREAMS = 4, M = B * ROW, B_WIDE = 16, PART = HIGH * M };
    const size_t bytes = WIDE * (A + A / POINTS) * sizeof(float2);
    const size_t bytesOfPart = B_WIDE * (B + B / POINTS) * sizeof(float2);
    cudaStream_t stream[STREAMS];
    float2 *d_part[STREAMS];

    if (!allowShared(columns<A, WIDE>, bytes) || !allowShared(columns<B, B_WIDE>, bytesOfPart))
        return;
    for (int s = 0; s < STREAMS; s++) {
        cudaVerify(cudaStreamCreate(&stream[s])); /* it waits for stream 0, and stream 0 for it */
        cudaVerify(cudaMalloc((void **)&d_part[s], PART * sizeof(float2)));
    }
    MEASURE (run) {
        cudaVerifyKernel((columns<A, WIDE><<<M / WIDE, A / POINTS * WIDE, bytes>>>(
            job->d_x, job->d_work, M, job->d_table)));
        for (int k1 = 0; k1 < A; k1 += HIGH) {
            const int s = k1 / HIGH % STREAMS;

            cudaVerifyKernel(
                (columns<B, B_WIDE>
                 <<<dim3(ROW / B_WIDE, HIGH), B / POINTS * B_WIDE, bytesOfPart, stream[s]>>>(
                     job->d_work + (size_t)k1 * M, d_part[s], ROW, job->d_table)));
            cudaVerifyKernel((rows<<<dim3(B, 1), ROWS_BLOCK, 0, stream[s]>>>(
                d_part[s], job->d_y + k1, A, B, job->d_table)));
        }
    }
    for (int s = 0; s < STREAMS; s++) {
        cudaVerify(cudaStreamDestroy(stream[s]));
        cudaVerify(cudaFree(d_part[s]));
    }
}

void runLarge(const struct job *job)
{
    switch (job->n) {
    case 1 << 16:
        threePasses() ? launchThreePasses<16, 16, 16>(job) : launchTwoPasses<256, 16>(job);
        break;
    case 1 << 20:
        threePasses() ? launchThreePasses<256, 16, 16>(job) : launchTwoPasses<4096, 4>(job);
        break;
    case 1 << 24: launchThreePasses<256, 16, 256>(job); break;
    case 1 << 26: launchThreePasses<1024, 16, 256>(job); break;
    }
}

extern "C" const struct variant deviceVariants[] = {
    {"by definition", fft<runDefinition>},
    {"radix 2, global memory", fft<runPairs>},
    {"radix 2, shared memory", fft<runRadix2>},
    {"radix 4", fft<runRadix4>},
    {"radix 16", fft<runRadix16>},
    {"padded", fft<runPadded>},
    {"twiddles from a table", fft<runTable>},
    {"prefetch to L2", fft<runPrefetch>},
    {"one large transform", fft<runLarge>},
    {NULL, NULL},
};
