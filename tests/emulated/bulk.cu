/* mbarrier, and the copies that the device makes by itself: of bytes and of boxes of arrays, within
 * a block and a cluster. Each result is compared with a loop on the host; then the mistakes. */
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <utility>

namespace cg = cooperative_groups;
enum { N = 4096, TILE = 256, THREADS = 128 };
#include "int_arrays.h"

/* ---- the instructions ------------------------------------------------------------------------ */
__device__ unsigned shared32(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void barrierInit(unsigned long long *bar, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared32(bar)), "r"(count));
}
__device__ void barrierExpect(unsigned long long *bar, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared32(bar)),
                 "r"(bytes)
                 : "memory");
}
__device__ void barrierArrive(unsigned long long *bar)
{
    asm volatile(
        "{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(shared32(bar))
        : "memory");
}
__device__ void barrierWait(unsigned long long *bar, unsigned parity)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra DONE;\n"
                 "bra LAB_WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(shared32(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ void bulkLoad(void *to, const void *from, unsigned bytes, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared32(to)),
                 "l"(from), "r"(bytes), "r"(shared32(bar))
                 : "memory");
}
__device__ void bulkStore(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared32(from)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
}
__device__ void fenceProxy(void) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ bool elected(void)
{
    unsigned p;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.b32 %0, 1, 0, p;\n}"
                 : "=r"(p));
    return p;
}

/* ---- a tile in, and out ---------------------------------------------------------------------- */
enum mistake {
    NONE,
    NO_WAIT,
    ODD_ADDRESS,
    ODD_SIZE,
    ODD_SOURCE,
    WRONG_PHASE,
    TOO_FEW,
    TOO_MANY,
    NO_EXPECT,
    NO_INIT,
    INIT_LATE,
    NO_FENCE,
    NO_READ_WAIT,
    ENDS_EARLY,
    TWO_ARRIVE,
    NO_EMPTY
};
template <mistake Wrong> __global__ void tiles(int *y, const int *x)
{
    __shared__ __align__(128) int in[TILE + 4], out[TILE];
    __shared__ __align__(8) unsigned long long bar;
    const unsigned t = threadIdx.x, first = blockIdx.x * TILE;
    if (t == 0 && Wrong != NO_INIT)
        barrierInit(&bar, 1);
    else if (t == 0)
        bar = 0;
    if (Wrong != INIT_LATE)
        __syncthreads();
    if (Wrong == TWO_ARRIVE && t == 32)
        barrierArrive(&bar);
    if (Wrong == TWO_ARRIVE)
        __syncthreads();
    if (t == 0) {
        const unsigned bytes = TILE * sizeof(int);
        if (Wrong != NO_EXPECT)
            barrierExpect(&bar, Wrong == TOO_FEW    ? bytes - 16
                                : Wrong == TOO_MANY ? bytes + 16
                                                    : bytes);
        bulkLoad(in + (Wrong == ODD_ADDRESS), x + first + (Wrong == ODD_SOURCE),
                 bytes - (Wrong == ODD_SIZE) * 4, &bar);
        if (Wrong == NO_EXPECT)
            barrierArrive(&bar);
    }
    if (Wrong != NO_WAIT)
        barrierWait(&bar, Wrong == WRONG_PHASE);
    for (unsigned i = t; i < TILE; i += blockDim.x)
        out[i] = in[TILE - 1 - i] + 1;
    if (Wrong != NO_FENCE)
        fenceProxy();
    __syncthreads();
    if (t == 0) {
        bulkStore(y + first, out, TILE * sizeof(int));
        if (Wrong == NO_READ_WAIT)
            out[5] = -1;
        if (Wrong != ENDS_EARLY)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    if (Wrong == NO_WAIT)
        barrierWait(&bar, 0);
}
template <mistake Wrong> static void tile(void) { tiles<Wrong><<<1, THREADS>>>(d_y, d_x); }
static void wholeTiles(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = x[i / TILE * TILE + TILE - 1 - i % TILE] + 1;
    tiles<NONE><<<N / TILE, THREADS>>>(d_y, d_x);
    expectWanted(N);
}
static void noWait(void) { tile<NO_WAIT>(); }
static void oddAddress(void) { tile<ODD_ADDRESS>(); }
static void oddSource(void) { tile<ODD_SOURCE>(); }
static void oddSize(void) { tile<ODD_SIZE>(); }
static void wrongPhase(void) { tile<WRONG_PHASE>(); }
static void tooFewBytes(void) { tile<TOO_FEW>(); }
static void tooManyBytes(void) { tile<TOO_MANY>(); }
static void noExpect(void) { tile<NO_EXPECT>(); }
static void noInit(void) { tile<NO_INIT>(); }
static void initLate(void) { tile<INIT_LATE>(); }
static void noFence(void) { tile<NO_FENCE>(); }
static void noReadWait(void) { tile<NO_READ_WAIT>(); }
static void endsEarly(void) { tile<ENDS_EARLY>(); }
static void twoArrive(void) { tile<TWO_ARRIVE>(); }

/* ---- one warp brings tiles, the others use them ---------------------------------------------- */
template <mistake Wrong> __global__ void stages(int *y, const int *x, int count)
{
    enum { STAGES = 3 };
    __shared__ __align__(128) int in[STAGES][TILE];
    __shared__ __align__(8) unsigned long long full[STAGES], empty[STAGES];
    const unsigned t = threadIdx.x;
    if (t == 0)
        for (int s = 0; s < STAGES; s++) {
            barrierInit(&full[s], 1);
            barrierInit(&empty[s], blockDim.x / 32 - 1);
        }
    __syncthreads();
    if (t < 32) {
        if (elected())
            for (int k = 0; k < count; k++) {
                if (Wrong != NO_EMPTY)
                    barrierWait(&empty[k % STAGES], (k / STAGES + 1) % 2);
                barrierExpect(&full[k % STAGES], TILE * sizeof(int));
                bulkLoad(in[k % STAGES], x + k * TILE, TILE * sizeof(int), &full[k % STAGES]);
            }
        return;
    }
    for (int k = 0; k < count; k++) {
        barrierWait(&full[k % STAGES], k / STAGES % 2);
        for (unsigned i = t - 32; i < TILE; i += blockDim.x - 32)
            y[k * TILE + i] = 2 * in[k % STAGES][i ^ 1];
        __syncwarp();
        if (t % 32 == 0)
            barrierArrive(&empty[k % STAGES]);
    }
}
static void producerAndConsumers(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = 2 * x[i ^ 1];
    stages<NONE><<<1, THREADS>>>(d_y, d_x, N / TILE);
    expectWanted(N);
}
static void overwritten(void) { stages<NO_EMPTY><<<1, THREADS>>>(d_y, d_x, N / TILE); }

/* ---- the same by cuda::barrier --------------------------------------------------------------- */
__global__ void byBarrier(int *y, const int *x)
{
    __shared__ __align__(128) int in[TILE];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(in, x + blockIdx.x * TILE,
                                      cuda::aligned_size_t<16>(sizeof in), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof in);
    } else
        token = bar.arrive();
    bar.wait(std::move(token));
    for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
        y[blockIdx.x * TILE + i] = in[i ^ 3];
}
static void cudaBarrier(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = x[i ^ 3];
    byBarrier<<<N / TILE, THREADS>>>(d_y, d_x);
    expectWanted(N);
}

/* ---- boxes of arrays ------------------------------------------------------------------------- */
typedef CUresult (*encoder)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                            const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                            const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static CUresult describe(CUtensorMap *map, int rank, void *p, const int *sizes, const int *boxes,
                         CUtensorMapSwizzle swizzle)
{
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                           cudaEnableDefault, &found));
    cuuint64_t dimensions[5], strides[5], stride = sizeof(int);
    cuuint32_t box[5], steps[5];
    for (int i = 0; i < rank; i++) {
        dimensions[i] = (cuuint64_t)sizes[i];
        box[i] = (cuuint32_t)boxes[i];
        steps[i] = 1;
        stride *= dimensions[i];
        strides[i] = stride;
    }
    return ((encoder)function)(map, CU_TENSOR_MAP_DATA_TYPE_INT32, (cuuint32_t)rank, p, dimensions,
                               strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/* Brings the box at (a, b, c), says what lies in shared memory, adds 1000 and takes it to the other
 * array, where no coordinate may be negative. */
template <int Rank>
__global__ void boxes(const __grid_constant__ CUtensorMap from,
                      const __grid_constant__ CUtensorMap to, int *y, int a, int b, int c,
                      int bytes, int inShared, int odd)
{
    extern __shared__ __align__(1024) int box[];
    __shared__ __align__(8) unsigned long long bar;
    const unsigned t = threadIdx.x, s = shared32(box) + 16 * odd, m = shared32(&bar);
    for (int i = t; i < inShared; i += blockDim.x)
        box[i] = 0;
    fenceProxy();
    if (t == 0)
        barrierInit(&bar, 1);
    __syncthreads();
    if (t == 0) {
        barrierExpect(&bar, bytes);
        if (Rank == 1)
            asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx"
                         "::bytes [%0], [%1, {%2}], [%3];" ::"r"(s),
                         "l"(&from), "r"(a), "r"(m)
                         : "memory");
        else if (Rank == 2)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
                         "bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(s),
                         "l"(&from), "r"(a), "r"(b), "r"(m)
                         : "memory");
        else
            asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::"
                         "bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(s),
                         "l"(&from), "r"(a), "r"(b), "r"(c), "r"(m)
                         : "memory");
    }
    barrierWait(&bar, 0);
    for (int i = t; i < inShared; i += blockDim.x) {
        y[i] = box[i];
        box[i] += 1000;
    }
    fenceProxy();
    __syncthreads();
    a = max(a, 0), b = max(b, 0), c = max(c, 0);
    if (t == 0) {
        if (Rank == 1)
            asm volatile(
                "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(
                    &to),
                "r"(a), "r"(s)
                : "memory");
        else if (Rank == 2)
            asm volatile(
                "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                    &to),
                "r"(a), "r"(b), "r"(s)
                : "memory");
        else
            asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}],"
                         " [%4];" ::"l"(&to),
                         "r"(a), "r"(b), "r"(c), "r"(s)
                         : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

template <int Rank>
static void oneBox(const int *sizes, const int *box, const int *at, CUtensorMapSwizzle swizzle)
{
    CUtensorMap from, to;
    int *d_box, got[N], inBox = 1;
    for (int i = 0; i < Rank; i++)
        inBox *= box[i];
    /* with a swizzle a row takes as much as the swizzle spans */
    const int pitch = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? box[0] : 4 << swizzle;
    const int inShared = inBox / box[0] * pitch;
    if (describe(&from, Rank, d_x, sizes, box, swizzle) != CUDA_SUCCESS ||
        describe(&to, Rank, d_y, sizes, box, swizzle) != CUDA_SUCCESS) {
        printf("FAILED: no tensor map\n");
        exit(2);
    }
    CHECK(cudaMalloc(&d_box, sizeof got));
    CHECK(cudaMemset(d_y, 0, sizeof y));
    boxes<Rank><<<1, THREADS, inShared * sizeof(int)>>>(from, to, d_box, at[0],
                                                        Rank > 1 ? at[1] : 0, Rank > 2 ? at[2] : 0,
                                                        (int)(inBox * sizeof(int)), inShared, 0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got, d_box, inShared * sizeof(int), cudaMemcpyDeviceToHost));
    memset(wanted, 0, sizeof wanted);
    for (int i = 0; i < inBox; i++) {
        int index = 0, inside = 1, target = 0, fits = 1, size = 1;
        for (int r = 0, rest = i; r < Rank; r++) {
            const int c = at[r] + rest % box[r], d = (at[r] > 0 ? at[r] : 0) + rest % box[r];
            inside &= c >= 0 && c < sizes[r];
            fits &= d < sizes[r];
            index += c * size;
            target += d * size;
            size *= sizes[r];
            rest /= box[r];
        }
        /* of the 16 bytes' number in 128, some bits change by those above */
        const int byte = 4 * (i / box[0] * pitch + i % box[0]),
                  turned = byte ^ (byte >> 7 & ((1 << swizzle) - 1)) << 4;
        const int there = inside ? x[index] : 0;
        if (got[turned / 4] != there) {
            printf("FAILED: box of %d dimensions, swizzle %d: element %d is %d instead of %d\n",
                   Rank, (int)swizzle, i, got[turned / 4], there);
            exit(2);
        }
        if (fits)
            wanted[target] = there + 1000;
    }
    expectWanted(N);
    CHECK(cudaFree(d_box));
}
static void boxesOfAllKinds(void)
{
    const int line[] = {1000}, piece[] = {64}, places[] = {0, 500, 960, -8};
    const int plane[] = {60, 60}, volume[] = {20, 12, 15};
    for (int k = 0; k < 4; k++)
        oneBox<1>(line, piece, &places[k], CU_TENSOR_MAP_SWIZZLE_NONE);
    for (int swizzle = 0; swizzle < 4; swizzle++) {
        const int box[] = {swizzle == 1   ? 8
                           : swizzle == 2 ? 16
                                          : 32,
                           16},
                  inside[] = {4, 7}, corner[] = {-4, -2}, end[] = {52, 55}, cube[] = {8, 4, 3},
                  at[] = {-4, 10, 13};
        oneBox<2>(plane, box, inside, (CUtensorMapSwizzle)swizzle);
        oneBox<2>(plane, box, corner, (CUtensorMapSwizzle)swizzle);
        oneBox<2>(plane, box, end, (CUtensorMapSwizzle)swizzle);
        oneBox<3>(volume, cube, at, (CUtensorMapSwizzle)swizzle);
    }
}
static void oddBox(void)
{
    CUtensorMap map;
    const int plane[] = {60, 60}, box[] = {8, 4};
    (void)describe(&map, 2, d_x, plane, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    boxes<2><<<1, THREADS, 4096>>>(map, map, d_y, 0, 0, 0, 128, 32, 1);
}
static void oddStart(void)
{
    CUtensorMap map;
    const int plane[] = {60, 60}, box[] = {8, 4};
    (void)describe(&map, 2, d_x, plane, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    boxes<2><<<1, THREADS, 4096>>>(map, map, d_y, 5, 0, 0, 128, 32, 0);
}
__global__ void storeBefore(const __grid_constant__ CUtensorMap to)
{
    extern __shared__ __align__(1024) int box[];
    box[threadIdx.x] = 1;
    fenceProxy();
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                     "cp.async.bulk.commit_group;"
                     "cp.async.bulk.wait_group 0;" ::"l"(&to),
                     "r"(-4), "r"(0), "r"(shared32(box))
                     : "memory");
}
static void storeBeforeTheArray(void)
{
    CUtensorMap map;
    const int plane[] = {60, 60}, box[] = {8, 4};
    (void)describe(&map, 2, d_y, plane, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    storeBefore<<<1, 32, 4096>>>(map);
}
static void rowOfOddSize(void)
{
    CUtensorMap map;
    const int plane[] = {60, 60}, box[] = {7, 4};
    (void)describe(&map, 2, d_x, plane, box, CU_TENSOR_MAP_SWIZZLE_NONE);
}
static void rowTooLongForSwizzle(void)
{
    CUtensorMap map;
    const int plane[] = {60, 60}, box[] = {16, 4};
    (void)describe(&map, 2, d_x, plane, box, CU_TENSOR_MAP_SWIZZLE_32B);
}
static void otherRank(void)
{
    CUtensorMap map;
    const int plane[] = {60, 60}, box[] = {8, 4};
    (void)describe(&map, 2, d_x, plane, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    boxes<3><<<1, THREADS, 4096>>>(map, map, d_y, 0, 0, 0, 128, 32, 0);
}

/* ---- a cluster: each block brings its half to both ------------------------------------------- */
__global__ void __cluster_dims__(2, 1, 1) multicast(int *y, const int *x)
{
    __shared__ __align__(128) int in[TILE];
    __shared__ __align__(8) unsigned long long bar, ready;
    const unsigned t = threadIdx.x;
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    if (t == 0) {
        barrierInit(&bar, 1);
        barrierInit(&ready, 2);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster.sync();
    if (t == 0) {
        barrierExpect(&bar, sizeof in);
        /* both blocks tell both that their barriers expect the bytes */
        for (unsigned to = 0; to < 2; to++)
            asm volatile("{\n.reg .b32 there;\n"
                         "mapa.shared::cluster.u32 there, %0, %1;\n"
                         "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(
                             shared32(&ready)),
                         "r"(to)
                         : "memory");
        barrierWait(&ready, 0);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::"
                     "cluster [%0], [%1], %2, [%3], %4;" ::"r"(shared32(in + rank * TILE / 2)),
                     "l"(x + (blockIdx.x / 2 * 2 + rank) * TILE / 2), "r"((unsigned)sizeof in / 2),
                     "r"(shared32(&bar)), "h"((unsigned short)3)
                     : "memory");
    }
    barrierWait(&bar, 0);
    for (unsigned i = t; i < TILE; i += blockDim.x)
        y[blockIdx.x * TILE + i] = in[i] + (int)rank;
    cluster.sync();
}
static void multicastToBoth(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = x[i / TILE / 2 * TILE + i % TILE] + i / TILE % 2;
    multicast<<<N / TILE, THREADS>>>(d_y, d_x);
    expectWanted(N);
}

/* ---- from block to block --------------------------------------------------------------------- */
__global__ void __cluster_dims__(4, 1, 1) handOver(int *y, const int *x, int waits)
{
    __shared__ __align__(128) int mine[TILE], theirs[TILE];
    __shared__ __align__(8) unsigned long long bar;
    const unsigned t = threadIdx.x;
    cg::cluster_group cluster = cg::this_cluster();
    for (unsigned i = t; i < TILE; i += blockDim.x)
        mine[i] = x[blockIdx.x * TILE + i];
    if (t == 0) {
        barrierInit(&bar, 1);
        barrierExpect(&bar, sizeof theirs);
    }
    fenceProxy();
    cluster.sync();
    if (t == 0)
        asm volatile("{\n.reg .b32 to, there;\n"
                     "mapa.shared::cluster.u32 to, %0, %3;\n"
                     "mapa.shared::cluster.u32 there, %1, %3;\n"
                     "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], "
                     "[%2], %4, [there];\n}" ::"r"(shared32(theirs)),
                     "r"(shared32(&bar)), "r"(shared32(mine)), "r"((cluster.block_rank() + 1) % 4),
                     "r"((unsigned)sizeof mine)
                     : "memory");
    if (waits)
        barrierWait(&bar, 0);
    for (unsigned i = t; i < TILE && waits; i += blockDim.x)
        y[blockIdx.x * TILE + i] = theirs[i];
    cluster.sync();
}
static void blockToBlock(void)
{
    for (int i = 0; i < N; i++)
        wanted[i] = x[(i / TILE / 4 * 4 + (i / TILE + 3) % 4) * TILE + i % TILE];
    handOver<<<N / TILE, THREADS>>>(d_y, d_x, 1);
    expectWanted(N);
}

static void nobodyWaits(void) { handOver<<<N / TILE, THREADS>>>(d_y, d_x, 0); }

/* ---- a count of half the threads: two phases end before the first threads look --------------- */
__global__ void countsHalf(int *y)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x / 2);
    __syncthreads();
    y[threadIdx.x] = 1;
    bar.arrive_and_wait();
}
static void moreArriveThanCounted(void) { countsHalf<<<1, THREADS>>>(d_y); }

/* ---- one lane of a warp, and what all hold together ------------------------------------------ */
__global__ void warp(int *y, const int *x)
{
    const int v = x[threadIdx.x];
    unsigned sum, most;
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(v));
    asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(most) : "r"(v));
    y[threadIdx.x] = (int)(sum + 100000 * most) + (elected() ? 1 : 0) - (threadIdx.x == 0);
}
static void warpInstructions(void)
{
    int sum = 0, most = 0;
    for (int i = 0; i < 32; i++) {
        sum += x[i];
        most = x[i] > most ? x[i] : most;
    }
    for (int i = 0; i < 32; i++)
        wanted[i] = sum + 100000 * most;
    warp<<<1, 32>>>(d_y, d_x);
    expectWanted(32);
}

static const struct test tests[] = {
    CLEAN(wholeTiles),
    CLEAN(producerAndConsumers),
    CLEAN(cudaBarrier),
    CLEAN(boxesOfAllKinds),
    CLEAN(multicastToBoth),
    CLEAN(blockToBlock),
    CLEAN(warpInstructions),
    FINDS(noWait, "race", "is still on its way"),
    FINDS(oddAddress, "misaligned", "no multiple of 16"),
    FINDS(oddSource, "misaligned", "no multiple of 16"),
    FINDS(oddSize, "misaligned", "must be a multiple of 16"),
    FINDS(wrongPhase, "race", "is still on its way"),
    FINDS(tooFewBytes, "endless-kernel", "16 bytes came that no expect_tx had announced"),
    FINDS(tooManyBytes, "endless-kernel", "16 bytes that were expected have not come"),
    FINDS(moreArriveThanCounted, "endless-kernel", "arrivals: 128 came"),
    FINDS(noExpect, "race", "is still on its way"),
    FINDS(noInit, "bad-mbarrier", "no mbarrier.init"),
    FINDS(initLate, "race", "has initialised"),
    FINDS(noFence, "race", "no fence.proxy.async"),
    FINDS(noReadWait, "race", "changed before cp.async.bulk.wait_group.read"),
    FINDS(endsEarly, "race", "cp.async.bulk.wait_group.read must come first"),
    FINDS(nobodyWaits, "race", "the block ends while a bulk copy"),
    FINDS(twoArrive, "race", "is still on its way"),
    FINDS(overwritten, "bad-mbarrier", "arrives 1 times"),
    FINDS(oddBox, "misaligned", "no multiple of 128"),
    FINDS(oddStart, "bad-call", "byte 20: it must be a multiple of 16"),
    FINDS(storeBeforeTheArray, "bad-call", "at coordinate -4"),
    FINDS(rowOfOddSize, "bad-call", "a row of the box has 28 bytes"),
    FINDS(rowTooLongForSwizzle, "bad-call", "at most 32"),
    FINDS(otherRank, "bad-call", "of 3 dimensions"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
