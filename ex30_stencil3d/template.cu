/* TASK     y = weighted sums of x, over stars in a volume and squares of an image, by kernels that
 *          differ in what they read again, and from where.
 * TRAFFIC  8 bytes a point: x read, y written. Two steps count twice.
 * LIMIT    memory bandwidth, once each element is read from memory once and enough of them are in
 *          flight; multiply-adds for 15 x 15. */
#include "cuda_utils.h"
#include "measure.h"
#include "stencil3d.h"
#include "warp_utils.h"
#include "advanced/tma.cuh"

typedef void launch_fn(const float *d_x, float *d_y, const struct problem *p);

__constant__ float weight[MOST_WEIGHTS];

/* Elements from one row to the next on the device: whole quads, so that each row begins at a
 * multiple of 16 bytes. */
static size_t pitchOf(const struct problem *p) { return (p->nx + 3) / 4 * 4; }

/* The code around every kernel: memory on the device, the copies there, the launch, the copy back.
 * What fills up the rows of x is 0. */
template <launch_fn launch> static void weighted(const float *x, float *y, const struct problem *p)
{
    const size_t row = p->nx * sizeof(float), pitch = pitchOf(p) * sizeof(float);
    const size_t rows = p->ny * p->nz;
    float *d_x = NULL, *d_y = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, pitch * rows));
    cudaVerify(cudaMalloc((void **)&d_y, pitch * rows));
    cudaVerify(cudaMemset(d_x, 0, pitch * rows));
    cudaVerify(cudaMemcpy2D(d_x, pitch, x, row, row, rows, cudaMemcpyHostToDevice));
    cudaVerify(cudaMemcpyToSymbol(weight, p->weights, sizeof weight));
    MEASURE (run) {
        launch(d_x, d_y, p);
    }
    cudaVerify(cudaMemcpy2D(y, row, d_y, pitch, row, rows, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_y));
}

/* As many blocks as it takes to cover the volume with boxes of width x height x depth points. */
static dim3 boxes(const struct problem *p, size_t width, size_t height, size_t depth)
{
    return dim3((unsigned)((p->nx + width - 1) / width), (unsigned)((p->ny + height - 1) / height),
                (unsigned)((p->nz + depth - 1) / depth));
}

/* The volume or image, in elements or in quads; what lies outside is 0. */
struct shape {
    int nx, ny, nz, pitch;
};

static struct shape inElements(const struct problem *p)
{
    const struct shape s = {(int)p->nx, (int)p->ny, (int)p->nz, (int)pitchOf(p)};

    return s;
}

static struct shape inQuads(const struct problem *p)
{
    const struct shape s = {(int)pitchOf(p) / 4, (int)p->ny, (int)p->nz, (int)pitchOf(p) / 4};

    return s;
}

__device__ int isInside(struct shape s, int i, int j, int k)
{
    return i >= 0 && i < s.nx && j >= 0 && j < s.ny && k >= 0 && k < s.nz;
}

__device__ size_t place(struct shape s, int i, int j, int k)
{
    return ((size_t)k * s.ny + j) * s.pitch + i;
}

__device__ float at(const float *x, struct shape s, int i, int j, int k)
{
    return isInside(s, i, j, k) ? x[place(s, i, j, k)] : 0.0f;
}

__device__ float4 at(const float4 *x, struct shape s, int i, int j, int k)
{
    return isInside(s, i, j, k) ? x[place(s, i, j, k)] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

/* ---- stars in a volume ----------------------------------------------------------------------- */

/* A thread for each point. */
template <int R> __global__ void points(const float *x, float *y, struct shape s)
{
    // TODO 1 begin: the sum of one point: at() for it and its 6 R neighbours
    NOT_IMPLEMENTED(1);
    // TODO 1 end
}

/* A block of one long row, or of several: which needs fewer sectors of x? */
static void launchPoints(const float *d_x, float *d_y, const struct problem *p, int width)
{
    const int height = blockSize(256) > width ? blockSize(256) / width : 1;
    const dim3 grid = boxes(p, width, height, 1), block(width, height);

    if (p->radius == 1)
        cudaVerifyKernel((points<1><<<grid, block>>>(d_x, d_y, inElements(p))));
    else
        cudaVerifyKernel((points<4><<<grid, block>>>(d_x, d_y, inElements(p))));
}

void launchRows(const float *d_x, float *d_y, const struct problem *p)
{
    launchPoints(d_x, d_y, p, 256);
}

void launchBlocks(const float *d_x, float *d_y, const struct problem *p)
{
    launchPoints(d_x, d_y, p, 32);
}

/* Blocks came to a plane one after the other, and read each element again for the planes above and
 * below. Here a thread marches upwards through DEPTH planes: it has the elements of its own column
 * in a queue of registers, and only the newest is read. */
enum { WIDTH = 32, HEIGHT = 8, DEPTH = 64 };

template <int R> __global__ void columns(const float *x, float *y, struct shape s)
{
    // TODO 2 begin: fill queue[1] to queue[2 R]; for each plane move the queue on, read one, sum up
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

void launchColumns(const float *d_x, float *d_y, const struct problem *p)
{
    const dim3 grid = boxes(p, WIDTH, HEIGHT, DEPTH), block(WIDTH, HEIGHT);

    if (p->radius == 1)
        cudaVerifyKernel((columns<1><<<grid, block>>>(d_x, d_y, inElements(p))));
    else
        cudaVerifyKernel((columns<4><<<grid, block>>>(d_x, d_y, inElements(p))));
}

/* The four neighbours in the plane still came from the caches, each with a guard of its own. Here
 * the block brings the plane's tile with a rim of R points, its halo, into shared memory first. */
template <int R> __global__ void tiles(const float *x, float *y, struct shape s)
{
    // TODO 3 begin: as columns(); for each plane read the tile, wait, sum up, wait
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

void launchTiles(const float *d_x, float *d_y, const struct problem *p)
{
    const dim3 grid = boxes(p, WIDTH, HEIGHT, DEPTH), block(WIDTH, HEIGHT);

    if (p->radius == 1)
        cudaVerifyKernel((tiles<1><<<grid, block>>>(d_x, d_y, inElements(p))));
    else
        cudaVerifyKernel((tiles<4><<<grid, block>>>(d_x, d_y, inElements(p))));
}

/* sum += w * a, for four points. */
__device__ void addQuad(float4 *sum, float w, float4 a)
{
    sum->x += w * a.x;
    sum->y += w * a.y;
    sum->z += w * a.z;
    sum->w += w * a.w;
}

/* Adds the neighbours in x of the quad q, which stands between the quads left and right. */
template <int R> __device__ void addSides(float4 *sum, float4 left, float4 q, float4 right)
{
    const float a[12] = {left.x, left.y, left.z,  left.w,  q.x,     q.y,
                         q.z,    q.w,    right.x, right.y, right.z, right.w};

#pragma unroll
    for (int d = 1; d <= R; d++)
        addQuad(sum, weight[d],
                make_float4(a[4 - d] + a[4 + d], a[5 - d] + a[5 + d], a[6 - d] + a[6 + d],
                            a[7 - d] + a[7 + d]));
}

/* Barriers and 4 bytes a load kept too little in flight. Here a thread does four points of a row: a
 * load has 16 bytes, and two more quads have all neighbours in x. The caches, not shared memory,
 * serve the neighbours, without barriers. */
enum { FLAT = 4 }; /* rows of a block */

template <int R>
__global__ void quads(const float4 *__restrict__ x, float4 *__restrict__ y, struct shape s)
{
    // TODO 4 begin: as columns(), with quads: addQuad() for neighbours in y and z, addSides() for x
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

void launchQuads(const float *d_x, float *d_y, const struct problem *p)
{
    const dim3 grid = boxes(p, 4 * WIDTH, FLAT, DEPTH), block(WIDTH, FLAT);

    if (p->radius == 1)
        cudaVerifyKernel(
            (quads<1><<<grid, block>>>((const float4 *)d_x, (float4 *)d_y, inQuads(p))));
    else
        cudaVerifyKernel(
            (quads<4><<<grid, block>>>((const float4 *)d_x, (float4 *)d_y, inQuads(p))));
}

/* ---- squares of an image --------------------------------------------------------------------- */

/* A thread for each pixel. All lanes want the same weight at the same time: constant memory gives
 * it to them in one access, as an operand of the multiply-add. The weights lie row after row: for
 * the pixel `row - R` below and `column - R` to the right, weight[row * (2 * R + 1) + column]. */
template <int R> __global__ void pixels(const float *x, float *y, struct shape s)
{
    // TODO 5 begin: the sum of one pixel, over 2 R + 1 rows and columns
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

void launchPixels(const float *d_x, float *d_y, const struct problem *p)
{
    const dim3 grid = boxes(p, WIDTH, HEIGHT, 1), block(WIDTH, HEIGHT);

    if (p->radius == 3)
        cudaVerifyKernel((pixels<3><<<grid, block>>>(d_x, d_y, inElements(p))));
    else
        cudaVerifyKernel((pixels<7><<<grid, block>>>(d_x, d_y, inElements(p))));
}

/* Adds the products of a row of weights with the window: the quad's neighbours in its row, from R
 * to the left of its first element. */
template <int R> __device__ void addWindow(float4 *sum, const float *w, const float *window)
{
#pragma unroll
    for (int c = 0; c < 2 * R + 1; c++)
        addQuad(sum, w[c], make_float4(window[c], window[c + 1], window[c + 2], window[c + 3]));
}

/* A row of x meets all rows of y that it has a part in. waits[d] is the sum so far of the row R - d
 * above it. The first is complete after this and is returned; the others move on by one. */
template <int R> __device__ float4 meetSquare(float4 *waits, const float *window)
{
    enum { SIDE = 2 * R + 1 };
    float4 complete = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    // TODO 6 begin: addWindow() with the weights of row 2 R - d for waits[d]; row 0 begins a sum
    NOT_IMPLEMENTED_VALUE(6, complete);
    // TODO 6 end
    return complete;
}

/* The same where weights are column[r] * row[c]: the row's products are summed up once, and serve
 * all rows of y. */
template <int R> __device__ float4 meetSeparable(float4 *waits, const float *window)
{
    enum { SIDE = 2 * R + 1 };
    float4 complete = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    // TODO 7 begin: addWindow() with the weights of the row, then addQuad() of it for each waits[d]
    NOT_IMPLEMENTED_VALUE(7, complete);
    // TODO 7 end
    return complete;
}

/* A pixel had a load for each multiply-add. Here a thread marches down a strip of four columns. It
 * reads each row once, with its neighbours to both sides, into a window of registers, and the
 * window meets 4 (2 R + 1) sums that wait in registers. The next row is asked for before. */
enum { STRIP = 256 }; /* rows; the first and last R are read by two strips */

template <int R, int IS_SEPARABLE>
__global__ void strips(const float4 *x, float4 *y, struct shape s)
{
    enum { HALO = (R + 3) / 4, QUADS = 2 * HALO + 1 };
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * STRIP, end = min(first + STRIP, s.ny);
    float4 waits[2 * R], next[QUADS];

    if (i >= s.nx)
        return;
#pragma unroll
    for (int d = 0; d < 2 * R; d++)
        waits[d] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int q = 0; q < QUADS; q++)
        next[q] = at(x, s, i + q - HALO, first - R, 0);
    for (int j = first - R; j < end + R; j++) {
        float window[4 * QUADS];

#pragma unroll
        for (int q = 0; q < QUADS; q++) {
            window[4 * q] = next[q].x;
            window[4 * q + 1] = next[q].y;
            window[4 * q + 2] = next[q].z;
            window[4 * q + 3] = next[q].w;
            next[q] = at(x, s, i + q - HALO, j + 1, 0);
        }
        const float4 complete = IS_SEPARABLE ? meetSeparable<R>(waits, window + 4 * HALO - R)
                                             : meetSquare<R>(waits, window + 4 * HALO - R);
        if (j >= first + R)
            y[place(s, i, j - R, 0)] = complete;
    }
}

template <int R, int IS_SEPARABLE>
static void stripsOf(const float *d_x, float *d_y, const struct problem *p)
{
    const int block = blockSize(128);
    const dim3 grid = boxes(p, 4 * (size_t)block, STRIP, 1);

    cudaVerifyKernel(
        (strips<R, IS_SEPARABLE><<<grid, block>>>((const float4 *)d_x, (float4 *)d_y, inQuads(p))));
}

void launchStrips(const float *d_x, float *d_y, const struct problem *p)
{
    if (p->radius == 3)
        stripsOf<3, 0>(d_x, d_y, p);
    else
        stripsOf<7, 0>(d_x, d_y, p);
}

void launchSeparable(const float *d_x, float *d_y, const struct problem *p)
{
    if (p->radius == 3)
        stripsOf<3, 1>(d_x, d_y, p);
    else
        stripsOf<7, 1>(d_x, d_y, p);
}

/* ---- stars again: planes in flight ----------------------------------------------------------- */

#ifdef HAVE_TMA
/* A tile has 32 quads in a row, and with the quads beside them PITCH. Its planes, with HALO more
 * rows on both sides, arrive in a ring of STAGES places. */
enum { LANES = 32, PITCH = LANES + 2, STAGES = 4 };

template <int HALO, int TALL> struct plane_ring {
    enum { BYTES = (TALL + 2 * HALO) * PITCH * 16, QUADS = (BYTES + 127) / 128 * 8 };
    float4 plane[STAGES][QUADS]; /* each begins at a multiple of 128 bytes */
    barrier arrived[STAGES];
};

/* Asks for plane k of the tile, which goes to place `stage` of the ring. */
template <int HALO, int TALL>
__device__ void ask(struct plane_ring<HALO, TALL> *r, int stage, const CUtensorMap *map, int k)
{
    expectBytes(&r->arrived[stage], plane_ring<HALO, TALL>::BYTES);
    loadBox(r->plane[stage], map, (int)blockIdx.x * 4 * LANES - 4, (int)blockIdx.y * TALL - HALO, k,
            &r->arrived[stage]);
}

/* Thread 0 makes the barriers ready and asks for the first planes, from plane k on. */
template <int HALO, int TALL>
__device__ void startRing(struct plane_ring<HALO, TALL> *r, const CUtensorMap *map, int k,
                          int planes)
{
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        initBarriers(r->arrived, STAGES);
        for (int stage = 0; stage < STAGES && stage < planes; stage++)
            ask(r, stage, map, k + stage);
    }
    __syncthreads();
}

/* Each thread had a few loads in flight, and instructions to make them. Here one thread asks TMA
 * for whole planes, halo and zeros outside included, STAGES planes ahead. A plane is in shared
 * memory for one turn only: what the R planes before still need of it is added to their sums, which
 * wait in registers as the rows of an image did. A thread has ROWS quads one below the other, and
 * reads a quad once for all sums of their column. */
template <int R, int TALL, int ROWS>
__global__ void __launch_bounds__(LANES *TALL / ROWS)
    planes(const __grid_constant__ CUtensorMap map, float4 *y, struct shape s, int depth)
{
    extern __shared__ __align__(128) unsigned char shared[];
    struct plane_ring<R, TALL> *ring = (struct plane_ring<R, TALL> *)shared;
    const int first = blockIdx.z * depth, end = min(first + depth, s.nz);

    startRing(ring, &map, first - R, end - first + 2 * R);
    // TODO 8 begin: (advanced) for each plane: wait; begin new sums, add to older ones; wait
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

template <int R, int TALL, int ROWS>
static void planesOf(const float *d_x, float *d_y, const struct problem *p, int depth)
{
    const CUtensorMap map = mapOf(d_x, p, pitchOf(p), 4 * PITCH, TALL + 2 * R);
    const dim3 grid = boxes(p, 4 * LANES, TALL, depth), block(LANES, TALL / ROWS);
    const int bytes = (int)sizeof(struct plane_ring<R, TALL>);

    cudaVerify(cudaFuncSetAttribute((const void *)planes<R, TALL, ROWS>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaVerifyKernel(
        (planes<R, TALL, ROWS><<<grid, block, bytes>>>(map, (float4 *)d_y, inQuads(p), depth)));
}

void launchPlanes(const float *d_x, float *d_y, const struct problem *p)
{
    if (p->radius == 1)
        planesOf<1, 64, 4>(d_x, d_y, p, 256);
    else
        planesOf<4, 32, 2>(d_x, d_y, p, 512);
}

/* One step cannot be faster than memory. Two steps can: the first step's plane goes to shared
 * memory instead of y, and the second step reads it there, a plane behind. The first step needs one
 * more point on each side than the second, so a thread has a quad of the tile with a rim: the outer
 * ones have no part in y. */
enum { TALL2 = 22 };

struct two_steps {
    struct plane_ring<2, TALL2> ring;
    float4 middle[2][(TALL2 + 4) * PITCH]; /* planes of the first step, a row more on both sides */
};

/* The sum of a star of 7 points: the quad at q, its neighbours around it, and those before and
 * after it in z. */
__device__ float4 star7(const float4 *q, float4 below, float4 own, float4 above)
{
    const float4 left = make_float4(0.0f, 0.0f, 0.0f, q[-1].w);
    const float4 right = make_float4(q[1].x, 0.0f, 0.0f, 0.0f);
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    addQuad(&sum, weight[0], own);
    addSides<1>(&sum, left, own, right);
    addQuad(&sum, weight[1], q[-PITCH]);
    addQuad(&sum, weight[1], q[PITCH]);
    addQuad(&sum, weight[1], below);
    addQuad(&sum, weight[1], above);
    return sum;
}

/* The first `count` elements of the quad, then zeros: rows may end within a quad. */
__device__ float4 cut(float4 q, int count)
{
    return make_float4(q.x, count > 1 ? q.y : 0.0f, count > 2 ? q.z : 0.0f, count > 3 ? q.w : 0.0f);
}

enum { THREADS2 = ((TALL2 + 2) * PITCH + 31) / 32 * 32 };

__global__ void __launch_bounds__(THREADS2)
    twoSteps(const __grid_constant__ CUtensorMap map, float4 *y, struct shape s, int nx, int depth)
{
    extern __shared__ __align__(128) unsigned char shared[];
    struct two_steps *t = (struct two_steps *)shared;
    const int first = blockIdx.z * depth, end = min(first + depth, s.nz);

    startRing(&t->ring, &map, first - 2, end - first + 4);
    // TODO 9 begin: (advanced) for each plane: wait; the first step of k - 1, the second of k - 2
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

void launchTwoSteps(const float *d_x, float *d_y, const struct problem *p)
{
    const CUtensorMap map = mapOf(d_x, p, pitchOf(p), 4 * PITCH, TALL2 + 4);
    const int bytes = (int)sizeof(struct two_steps), depth = 256;
    const dim3 grid = boxes(p, 4 * LANES, TALL2, depth);

    cudaVerify(cudaFuncSetAttribute((const void *)twoSteps,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    cudaVerifyKernel(
        (twoSteps<<<grid, THREADS2, bytes>>>(map, (float4 *)d_y, inQuads(p), (int)p->nx, depth)));
}

/* For devices that have TMA. */
template <launch_fn launch> static void byTma(const float *x, float *y, const struct problem *p)
{
    if (!hasTma())
        rowSkip("needs compute capability 9.0: TMA");
    else
        weighted<launch>(x, y, p);
}
#else
template <launch_fn launch> static void byTma(const float *, float *, const struct problem *)
{
    rowSkip("needs CUDA 12: TMA");
}

void launchPlanes(const float *, float *, const struct problem *) {}

void launchTwoSteps(const float *, float *, const struct problem *) {}
#endif

/* ---- a star of 7 points again: rows in registers --------------------------------------------- */

/* In quads() each quad was read again as a neighbour in y, by threads of other rows: the L2 cache,
 * not memory, was the limit. Here a thread has DEEP rows of quads one below the other, and shares
 * only the rows above and below them with other threads. Neighbours in x come from the lanes beside
 * it: only the first and the last lane of a warp load one. All loads of a plane are under way
 * together. Blocks march through few planes, so that those that share planes run at the same time.
 */
enum { DEEP = 8, STACK = 4, SHORT = 4 }; /* rows of a thread, warps and planes of a block */

/* *q if it is there, otherwise 0. */
__device__ float4 quadIf(int isThere, const float4 *q)
{
    return isThere ? *q : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

/* WHOLE: all tiles are, so that no quad is asked for whether it is there. */
template <int WHOLE>
__global__ void __launch_bounds__(WIDTH *STACK, WHOLE ? 1 : 3)
    deepRows(const float4 *__restrict__ x, float4 *__restrict__ y, struct shape s)
{
    // TODO 10 begin: (advanced) as quads(), DEEP rows at once: x by shuffles, y from registers
    NOT_IMPLEMENTED(10);
    // TODO 10 end
}

void launchDeepRows(const float *d_x, float *d_y, const struct problem *p)
{
    const dim3 grid = boxes(p, 4 * WIDTH, STACK * DEEP, SHORT);

    if (p->nx % (4 * WIDTH) == 0 && p->ny % (STACK * DEEP) == 0)
        cudaVerifyKernel(
            (deepRows<1><<<grid, WIDTH * STACK>>>((const float4 *)d_x, (float4 *)d_y, inQuads(p))));
    else
        cudaVerifyKernel(
            (deepRows<0><<<grid, WIDTH * STACK>>>((const float4 *)d_x, (float4 *)d_y, inQuads(p))));
}

#include "advanced/rows.cuh" /* launchRowsByTma, launchSeparableByTma */

extern "C" const struct variant deviceVariants[] = {
    {"a point per thread, 256 x 1", weighted<launchRows>},
    {"a point per thread, 32 x 8", weighted<launchBlocks>},
    {"marching in z", weighted<launchColumns>},
    {"planes in shared memory", weighted<launchTiles>},
    {"float4", weighted<launchQuads>},
    {"a pixel per thread", weighted<launchPixels>},
    {"window in registers", weighted<launchStrips>},
    {"separable", weighted<launchSeparable>},
    {"planes by TMA", byTma<launchPlanes>},
    {"two steps a pass", byTma<launchTwoSteps>},
    {"eight rows a thread", weighted<launchDeepRows>},
    {"window, rows by TMA", byTma<launchRowsByTma>},
    {"separable, rows by TMA", byTma<launchSeparableByTma>},
    {NULL, NULL},
};
