/* TASK     the accelerations that n bodies give each other by gravity, and their motion.
 * TRAFFIC  28 n bytes: places and masses read, accelerations written.
 * LIMIT    arithmetic: n^2 interactions of 12 multiply-adds and a reciprocal root. */
#include "cuda_utils.h"
#include "grid.h"
#include "measure.h"
#include "nbody.h"
#include "advanced/instructions.cuh"

/* The bodies on the device: places with masses, and accelerations: all x, all y, all z. */
struct device_galaxy {
    int n;
    float softening2; /* the square of the softening */
    float4 *at;
    float *a;
};

typedef void launch_fn(const struct device_galaxy *d);

/* The code around every kernel: memory on the device, the copy there, the launch, the copy back. */
template <launch_fn launch>
static void accelerate(const struct galaxy *g, float *a, struct body *, struct body *)
{
    struct device_galaxy d = {(int)g->n, g->softening * g->softening, NULL, NULL};

    // TODO 1 begin: allocate d.at (n float4) and d.a (3 n floats); copy g->at to d.at
    NOT_IMPLEMENTED(1);
    // TODO 1 end

    MEASURE (run) {
        launch(&d);
    }

    // TODO 2 begin: copy d.a to a, free what you have allocated
    NOT_IMPLEMENTED(2);
    // TODO 2 end
}

/* Adds to *a what a body at q, of mass q.w, gives a body at p. A body gives itself nothing: its
 * difference is 0. */
__device__ __forceinline__ void attract(float4 p, float4 q, float softening2, float3 *a)
{
    // TODO 3 begin: the difference, the softened distance, the pull q.w / distance^3
    NOT_IMPLEMENTED(3);
    // TODO 3 end
}

/* Stores the acceleration of body i. */
__device__ __forceinline__ void store(float3 own, int i, int n, float *a)
{
    a[i] = own.x;
    a[n + i] = own.y;
    a[2 * n + i] = own.z;
}

typedef void attract_fn(float4 p, float4 q, float softening2, float3 *a);

/* One body per thread. All threads of a block read the same bodies in the same order, so the L1
 * cache serves them. */
template <attract_fn act>
__global__ void oneBody(const float4 *at, int n, float softening2, float *a)
{
    // TODO 4 begin: this thread's body i, if there is one: act() of all n on it; store() its sum
    NOT_IMPLEMENTED(4);
    // TODO 4 end
}

template <attract_fn act> void launchOneBody(const struct device_galaxy *d)
{
    const int block = blockSize(256); /* --block overrides this choice */

    cudaVerifyKernel(
        (oneBody<act><<<blocksFor(d->n, block), block>>>(d->at, d->n, d->softening2, d->a)));
}

void launchRounded(const struct device_galaxy *d) { launchOneBody<attract>(d); }

/* A root and a division, both correctly rounded, take more instructions than all the rest. The
 * special function unit has the reciprocal root in one, which is off by two units in its last place
 * at most. */
__device__ __forceinline__ void attractFast(float4 p, float4 q, float softening2, float3 *a)
{
    // TODO 5 begin: as attract(), with reciprocalRoot()
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

void launchFast(const struct device_galaxy *d) { launchOneBody<attractFast>(d); }

/* Newton's method for 1 / y^2 = x makes y (3/2 - x y^2 / 2) of y: a step squares the error. Does it
 * show in the sums? */
__device__ __forceinline__ void attractCorrected(float4 p, float4 q, float softening2, float3 *a)
{
    // TODO 5 begin: as attractFast(), with a step of Newton's method for the root
    NOT_IMPLEMENTED(5);
    // TODO 5 end
}

void launchCorrected(const struct device_galaxy *d) { launchOneBody<attractCorrected>(d); }

/* Body i, or one without mass, which attracts nobody, if there are not so many: thus the loops need
 * no special case at the end. */
__device__ __forceinline__ float4 bodyAt(const float4 *at, int i, int n)
{
    return i < n ? at[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

/* Each body was loaded from the L1 cache, by an address of its own, and waited for. A tile in
 * shared memory answers sooner, and the loop over it, whose length is constant, can be unrolled:
 * the addresses become constants in the loads. */
enum { TILE = 256 };

__global__ void tile(const float4 *at, int n, float softening2, float *a)
{
    __shared__ float4 bodies[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 p = bodyAt(at, i, n);
    float3 own = make_float3(0.0f, 0.0f, 0.0f);

    // TODO 6 begin: tile by tile: each thread loads a body, wait, attractFast() by all, wait
    NOT_IMPLEMENTED(6);
    // TODO 6 end
    if (i < n)
        store(own, i, n, a);
}

void launchTile(const struct device_galaxy *d)
{
    cudaVerifyKernel((tile<<<blocksFor(d->n, TILE), TILE>>>(d->at, d->n, d->softening2, d->a)));
}

/* Motion. Velocities change by a dt, places by velocity dt. In leapfrog the velocities are those of
 * half a step later than the places, so that each is changed by what holds in the middle of its
 * step: the energy does not drift away. */
__global__ void kickAndDrift(int n, const float *a, float kick, float drift, float4 *at,
                             float4 *velocity)
{
    // TODO 7 begin: body i: add kick times a to its velocity, then drift times that to its place
    NOT_IMPLEMENTED(7);
    // TODO 7 end
}

/* A copy of `count` elements on the device; bodies are float4 there. */
template <typename type> static type *onDevice(const void *elements, size_t count)
{
    type *d_elements = NULL;

    cudaVerify(cudaMalloc((void **)&d_elements, count * sizeof *d_elements));
    cudaVerify(
        cudaMemcpy(d_elements, elements, count * sizeof *d_elements, cudaMemcpyHostToDevice));
    return d_elements;
}

/* All steps, with the accelerations that `launch` computes: a kick of half a step at the beginning
 * and at the end makes the velocities those of the same time as the places. */
template <launch_fn launch>
static void leapfrog(const struct galaxy *g, float *, struct body *at, struct body *velocity)
{
    const int block = blockSize(256), blocks = blocksFor(g->n, block);
    const size_t bytes = g->n * sizeof(float4);
    float4 *d_at = onDevice<float4>(g->at, g->n), *d_velocity = onDevice<float4>(g->velocity, g->n);
    float4 *d_v = onDevice<float4>(g->velocity, g->n);
    struct device_galaxy d = {(int)g->n, g->softening * g->softening, onDevice<float4>(g->at, g->n),
                              NULL};

    cudaVerify(cudaMalloc((void **)&d.a, 3 * g->n * sizeof *d.a));
    MEASURE (run) {
        cudaVerify(cudaMemcpyAsync(d.at, d_at, bytes, cudaMemcpyDeviceToDevice));
        cudaVerify(cudaMemcpyAsync(d_v, d_velocity, bytes, cudaMemcpyDeviceToDevice));
        for (int step = 0; step <= g->steps; step++) {
            const float kick = step == 0 || step == g->steps ? 0.5f * g->dt : g->dt;
            const float drift = step < g->steps ? g->dt : 0.0f;

            launch(&d);
            cudaVerifyKernel((kickAndDrift<<<blocks, block>>>(d.n, d.a, kick, drift, d.at, d_v)));
        }
    }
    cudaVerify(cudaMemcpy(at, d.at, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(velocity, d_v, bytes, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d.at));
    cudaVerify(cudaFree(d.a));
    cudaVerify(cudaFree(d_v));
    cudaVerify(cudaFree(d_at));
    cudaVerify(cudaFree(d_velocity));
}

/* Adds to the acceleration of body i, if there is one. */
__device__ __forceinline__ void addTo(float *a, int n, int i, float3 sum)
{
    if (i < n) {
        atomicAdd(&a[i], sum.x);
        atomicAdd(&a[n + i], sum.y);
        atomicAdd(&a[2 * n + i], sum.z);
    }
}

/* Few bodies make few blocks: 16384 bodies are 64 tiles, and half of the multiprocessors have
 * nothing to do. Here several blocks share the same bodies i. Each takes a part of the bodies j,
 * and adds its sums to those of the others by atomics: few, at the end only. They are added in any
 * order, so that the last digits differ from run to run. */
__global__ void split(const float4 *at, int n, int part, float softening2, float *a)
{
    // TODO 8 begin: (advanced) as tile(), with the bodies j from blockIdx.y * part on; addTo()
    NOT_IMPLEMENTED(8);
    // TODO 8 end
}

/* The bodies j of a block: whole tiles, and 64 parts if there are enough of them. */
static int partFor(int n, int tile) { return (int)blocksFor(blocksFor(n, 64), tile) * tile; }

void launchSplit(const struct device_galaxy *d)
{
    const int part = partFor(d->n, TILE);
    const dim3 grid(blocksFor(d->n, TILE), blocksFor(d->n, part));

    cudaVerify(cudaMemsetAsync(d->a, 0, 3 * d->n * sizeof *d->a));
    cudaVerifyKernel((split<<<grid, TILE>>>(d->at, d->n, part, d->softening2, d->a)));
}

/* Each load from the tile served one interaction. With four bodies i in the registers of a thread
 * it serves four, which do not wait for each other. */
enum { BODIES = 4, THREADS = 128 };

__global__ void several(const float4 *at, int n, int part, float softening2, float *a)
{
    // TODO 9 begin: (advanced) as split(), with BODIES bodies a thread, THREADS apart
    NOT_IMPLEMENTED(9);
    // TODO 9 end
}

void launchSeveral(const struct device_galaxy *d)
{
    const int part = partFor(d->n, THREADS);
    const dim3 grid(blocksFor(d->n, BODIES * THREADS), blocksFor(d->n, part));

    cudaVerify(cudaMemsetAsync(d->a, 0, 3 * d->n * sizeof *d->a));
    cudaVerifyKernel((several<<<grid, THREADS>>>(d->at, d->n, part, d->softening2, d->a)));
}

/* Newton's third law: what j does to i, i does to j, in the other direction. The difference, the
 * root and its cube are the same, so a pair takes 17 instructions instead of 2 x 13. */
__device__ __forceinline__ void attractBoth(float4 p, float4 q, float softening2, float3 *own,
                                            float3 *other)
{
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float root = reciprocalRoot(softening2 + dx * dx + dy * dy + dz * dz);
    const float cube = root * root * root, pull = q.w * cube, pulled = p.w * cube;

    own->x += pull * dx;
    own->y += pull * dy;
    own->z += pull * dz;
    other->x -= pulled * dx;
    other->y -= pulled * dy;
    other->z -= pulled * dz;
}

/* All bodies in a ring: body i meets the half of them that follows, and so each pair meets once.
 * The lanes' j are neighbours, and nobody waits for the atomics. But there are three for each
 * pair. */
__global__ void eachPairOnce(const float4 *at, int n, float softening2, float *a)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 p = bodyAt(at, i, n);
    float3 own = make_float3(0.0f, 0.0f, 0.0f);

    for (int k = 1; i < n && k <= n / 2; k++) {
        const int j = i + k < n ? i + k : i + k - n;
        float3 other = make_float3(0.0f, 0.0f, 0.0f);

        if (2 * k == n && j < i)
            break; /* the opposite body has met this one */
        attractBoth(p, at[j], softening2, &own, &other);
        addTo(a, n, j, other);
    }
    addTo(a, n, i, own);
}

void launchEachPairOnce(const struct device_galaxy *d)
{
    const int block = blockSize(256);

    cudaVerify(cudaMemsetAsync(d->a, 0, 3 * d->n * sizeof *d->a));
    cudaVerifyKernel(
        (eachPairOnce<<<blocksFor(d->n, block), block>>>(d->at, d->n, d->softening2, d->a)));
}

/* The reaction needs a place that only one thread writes to: a register. A warp holds a group of
 * 32 x HELD bodies i, and 32 bodies j travel around its lanes, each with its sum. After 32 steps
 * each j has met the whole group, is home again, and its sum goes to memory: three atomics for 32 x
 * HELD pairs. The ring is now one of groups. */
enum { HELD = 8, GROUP = 32 * HELD };

__global__ void inRegisters(const float4 *at, int n, int part, float softening2, float *a)
{
    const int lane = threadIdx.x % 32, groups = (n + GROUP - 1) / GROUP;
    const int group = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    /* So many times 32 bodies j: the own group, then half of the ring. Of two groups that are
     * opposite to each other, the first one does it for both. */
    const int whole = HELD * (groups % 2 == 0 && group >= groups / 2 ? groups / 2 : groups / 2 + 1);
    const int last = min(whole, (int)(blockIdx.y + 1) * part);
    float4 p[HELD];
    float3 own[HELD];

    if (group >= groups)
        return;
#pragma unroll
    for (int k = 0; k < HELD; k++) {
        p[k] = bodyAt(at, group * GROUP + k * 32 + lane, n);
        own[k] = make_float3(0.0f, 0.0f, 0.0f);
    }
    for (int c = blockIdx.y * part; c < last; c++) {
        const int j = (group * HELD + c) % (groups * HELD) * 32 + lane;
        float4 q = bodyAt(at, j, n);
        float3 other = make_float3(0.0f, 0.0f, 0.0f);

        // TODO 10 begin: (advanced) 32 times: q meets all p[k]; then q, other fromNextLane()
        NOT_IMPLEMENTED(10);
        // TODO 10 end
        if (c >= HELD) /* in the own group each body meets all others by itself */
            addTo(a, n, j, other);
    }
#pragma unroll
    for (int k = 0; k < HELD; k++)
        addTo(a, n, group * GROUP + k * 32 + lane, own[k]);
}

void launchInRegisters(const struct device_galaxy *d)
{
    const int block = 128, groups = blocksFor(d->n, GROUP), chunks = HELD * (groups / 2 + 1);
    /* so many times 32 bodies j for a warp that each multiprocessor gets 32 warps, 16 at most */
    const int even = blocksFor((size_t)groups * chunks, 32 * multiprocessors());
    const int part = even < 16 ? even : 16;
    const dim3 grid(blocksFor(groups, block / 32), blocksFor(chunks, part));

    cudaVerify(cudaMemsetAsync(d->a, 0, 3 * d->n * sizeof *d->a));
    cudaVerifyKernel((inRegisters<<<grid, block>>>(d->at, d->n, part, d->softening2, d->a)));
}

#include "advanced/tree.cuh" /* struct device_tree, nodeAt(), together(), freshCentre() */

/* n^2 interactions are too many for millions of bodies. A group of bodies that is far away pulls
 * nearly like one body in its centre of mass, and a tree finds such groups: its nodes. Their bodies
 * are known; the centres are summed here, from the leaves up. A thread climbs from each leaf. Of
 * two children the one that is there first cannot go on, and the second one finds both done. */
__global__ void sumUpwards(struct device_tree tree)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int leaf = i < tree.nodeCount ? nodeAt(&tree, i).leaf : -1;

    if (leaf < 0)
        return;
    tree.centres[i] = centreOfLeaf(&tree, leaf);
    // TODO 11 begin: (advanced) count an arrival at the parent; the second one does the parent next
    NOT_IMPLEMENTED(11);
    // TODO 11 end
}

typedef int vote_fn(int wish);

__device__ __forceinline__ int eachForItself(int wish) { return wish; }
__device__ __forceinline__ int allTogether(int wish) { return anyLane(wish); }

/* A node that is near is looked into; each other one is taken for one body. The threads of a warp
 * have neighbours on the curve, which walk nearly alike. Where they do not, they part, and the warp
 * does one after the other. With allTogether() they look into a node as soon as one of them wishes
 * it: some do more than they need, but all read the same nodes and bodies, at once. */
template <vote_fn vote>
__global__ void walk(struct device_tree tree, int n, float theta2, float softening2, float *a)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    float3 own = make_float3(0.0f, 0.0f, 0.0f);

    if (k >= n)
        return;
    // TODO 12 begin: (advanced) from node 0 on: vote() to look into it, or attractFast() and skip
    NOT_IMPLEMENTED(12);
    // TODO 12 end
    store(own, tree.order[k], n, a);
}

template <vote_fn vote>
static void accelerateByTree(const struct galaxy *g, float *a, struct body *, struct body *)
{
    const int n = (int)g->n, block = (blockSize(128) + 31) / 32 * 32; /* whole warps */
    const float softening2 = g->softening * g->softening, theta2 = g->theta * g->theta;
    struct device_tree tree = treeOnDevice(g->tree, g->n);
    float *d_a = NULL;

    cudaVerify(cudaMalloc((void **)&d_a, 3 * g->n * sizeof *d_a));
    MEASURE (run) {
        cudaVerify(cudaMemsetAsync(tree.arrived, 0, tree.nodeCount * sizeof *tree.arrived));
        cudaVerifyKernel((sumUpwards<<<blocksFor(tree.nodeCount, block), block>>>(tree)));
        cudaVerifyKernel(
            (walk<vote><<<blocksFor(n, block), block>>>(tree, n, theta2, softening2, d_a)));
    }
    cudaVerify(cudaMemcpy(a, d_a, 3 * g->n * sizeof *a, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_a));
    freeTree(tree);
}

#include "advanced/pairs.cuh" /* acceleratePairs */

extern "C" const struct variant deviceVariants[] = {
    {"one body a thread", accelerate<launchRounded>},
    {"reciprocal root", accelerate<launchFast>},
    {"reciprocal root, Newton's step", accelerate<launchCorrected>},
    {"tile", accelerate<launchTile>},
    {"leapfrog", leapfrog<launchTile>},
    {"j split over blocks", accelerate<launchSplit>},
    {"four bodies a thread", accelerate<launchSeveral>},
    {"each pair once, by atomics", accelerate<launchEachPairOnce>},
    {"each pair once, in registers", accelerate<launchInRegisters>},
    {"leapfrog, each pair once", leapfrog<launchInRegisters>},
    {"tree, a walk a thread", accelerateByTree<eachForItself>},
    {"tree, a walk a warp", accelerateByTree<allTogether>},
    {"pairs of floats", acceleratePairs},
    {NULL, NULL},
};
