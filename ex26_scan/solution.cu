/* TASK     y[i] = the sum of x[0] to x[i - 1], n elements of type T, unsigned int or double; and
 *          what a scan is good for: the odd elements of x, closed up.
 * TRAFFIC  2 n sizeof(T) bytes: x read, y written; a selection writes only what it keeps.
 * LIMIT    memory bandwidth for long arrays; for short ones the latency of a launch, and of a word
 *          from block to block. */
#include "cuda_utils.h"
#include "measure.h"
#include "scan.h"
#include "tiles.cuh" /* launches, packets, notes */

/* Device memory. */
template <typename T> struct arrays {
    const T *x;
    T *y, *totals;      /* totals: one of each tile, of each tile of totals, and so on */
    note<T> *notes;     /* one for each tile, all zero before the first run */
    unsigned int run;   /* a number of its own for each run, from 1 on: no old note is valid */
    unsigned int *kept; /* for a selection */
};

#define OF(T, function) function<T> /* C++98 reads >> as a shift */

/* The next run scans d_x, or a copy of it in y. */
template <typename T> static void begin(struct arrays<T> *d, const T *d_x, size_t n)
{
    d->run++;
    d->x = inPlace ? d->y : d_x;
    if (inPlace)
        cudaVerify(cudaMemcpyAsync(d->y, d_x, n * sizeof(T), cudaMemcpyDeviceToDevice));
}

/* What surrounds the kernels: memory on the device, the copy there, the launch, the copy back. */
template <typename T, void launch(struct arrays<T>, size_t)>
static void scan(const T *x, T *y, size_t n, unsigned int *kept)
{
    /* The smallest tiles have WARP elements; those with notes, WARP packets. */
    const size_t totals = n / (WARP - 1) + 8, notes = n / (WARP * (16 / sizeof(T))) + 1;
    struct arrays<T> d;
    T *d_x = NULL, *d_zeros = NULL;

    cudaVerify(cudaMalloc((void **)&d_x, n * sizeof(T)));
    cudaVerify(cudaMalloc((void **)&d_zeros, n * sizeof(T)));
    cudaVerify(cudaMalloc((void **)&d.y, n * sizeof(T)));
    cudaVerify(cudaMalloc((void **)&d.totals, totals * sizeof(T)));
    cudaVerify(cudaMalloc((void **)&d.notes, notes * sizeof(note<T>)));
    cudaVerify(cudaMalloc((void **)&d.kept, sizeof *d.kept));
    cudaVerify(cudaMemset(d_zeros, 0, n * sizeof(T)));
    cudaVerify(cudaMemset(d.notes, 0, notes * sizeof(note<T>)));
    cudaVerify(cudaMemset(d.kept, 0, sizeof *d.kept));
    cudaVerify(cudaMemcpy(d_x, x, n * sizeof(T), cudaMemcpyHostToDevice));
    d.run = 0;
    MEASURE (run) {
        begin(&d, d_x, n);
        launch(d, n);
    }
    begin(&d, d_zeros, n); /* once more after zeros: what a run leaves in memory must not enter */
    launch(d, n);          /* into the next one */
    begin(&d, d_x, n);
    launch(d, n);
    cudaVerify(cudaMemcpy(y, d.y, n * sizeof(T), cudaMemcpyDeviceToHost));
    cudaVerify(cudaMemcpy(kept, d.kept, sizeof *kept, cudaMemcpyDeviceToHost));
    cudaVerify(cudaFree(d_x));
    cudaVerify(cudaFree(d_zeros));
    cudaVerify(cudaFree(d.y));
    cudaVerify(cudaFree(d.totals));
    cudaVerify(cudaFree(d.notes));
    cudaVerify(cudaFree(d.kept));
}

/* Each block scans a tile, one element a thread, as if nothing stood before it, and leaves the
 * tile's total. */
template <typename T, T scanBlock(T, T *)>
__global__ void scanTiles(const T *x, T *y, T *totals, size_t n)
{
    // TODO 1 begin: y[i] = the sum within the block, by scanBlock(); totals[block] = its total
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    T total;
    const T before = scanBlock(i < n ? x[i] : 0, &total);

    if (i < n)
        y[i] = before;
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
    // TODO 1 end
}

/* The sum of all tiles before a tile is added to each of its elements. */
template <typename T> __global__ void addTotals(T *y, const T *totals, size_t n)
{
    // TODO 1 begin: add the total that now stands in the block's place
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] += totals[blockIdx.x];
    // TODO 1 end
}

/* The totals must be scanned in between, which is the same problem for fewer elements. */
template <typename T, T scanBlock(T, T *)>
static void scanThrice(const T *d_x, T *d_y, T *d_totals, size_t n)
{
    const int block = wholeWarps(512);
    const unsigned int tiles = tilesFor(n, block);

    // TODO 1 begin: scan the tiles; if there are several, scan their totals in place, and add them
    cudaVerifyKernel((scanTiles<T, scanBlock><<<tiles, block>>>(d_x, d_y, d_totals, n)));
    if (tiles > 1) {
        scanThrice<T, scanBlock>(d_totals, d_totals, d_totals + tiles, tiles);
        cudaVerifyKernel((addTotals<T><<<tiles, block>>>(d_y, d_totals, n)));
    }
    // TODO 1 end
}

/* The sum of the values of all threads before this one; *total gets the sum of the whole block. All
 * threads of the block must call it. In each step a thread adds the sum that stands 1, 2, 4, ...
 * places before its own: log2(block) steps, in each of which nearly every thread adds. */
template <typename T> __device__ T scanSteps(T value, T *total)
{
    T before = 0;

    *total = 0;
    // TODO 2 begin: in shared memory, add what stands 1, 2, 4, ... places before
    __shared__ T sums[MAX_BLOCK];

    sums[threadIdx.x] = value;
    for (unsigned int distance = 1; distance < blockDim.x; distance *= 2) {
        T other = 0;

        __syncthreads();
        if (threadIdx.x >= distance)
            other = sums[threadIdx.x - distance];
        __syncthreads(); /* all have read before any of them writes */
        sums[threadIdx.x] += other;
    }
    __syncthreads();
    *total = sums[blockDim.x - 1];
    if (threadIdx.x > 0)
        before = sums[threadIdx.x - 1];
    // TODO 2 end
    return before;
}

template <typename T> void launchSteps(struct arrays<T> d, size_t n)
{
    scanThrice<T, OF(T, scanSteps)>(d.x, d.y, d.totals, n);
}

/* Where element i of a tree stands in shared memory. */
__device__ __forceinline__ unsigned int sideBySide(unsigned int i) { return i; }

/* The steps made block * log2(block) additions, where a loop makes one for each element. A tree
 * needs twice as many as a loop: up, each node gets the sum of its two children; down, each gives
 * the left one what stands before both, and the right one that and the left one's sum. */
template <typename T, unsigned int placeOf(unsigned int)>
__device__ __forceinline__ T scanAnyTree(T value, T *total)
{
    T before = 0;

    *total = 0;
    // TODO 3 begin: up the tree, the total, 0 at the root, down the tree: sums[placeOf(i)]
    __shared__ T sums[MAX_BLOCK + MAX_BLOCK / WARP];
    const unsigned int t = threadIdx.x;
    unsigned int leaves = 1;

    while (leaves < blockDim.x)
        leaves *= 2;
    sums[placeOf(t)] = value;
    if (t + blockDim.x < leaves)
        sums[placeOf(t + blockDim.x)] = 0;
    for (unsigned int distance = 1; distance < leaves; distance *= 2) {
        const unsigned int right = (2 * t + 2) * distance - 1;

        __syncthreads();
        if (right < leaves)
            sums[placeOf(right)] += sums[placeOf(right - distance)];
    }
    __syncthreads();
    *total = sums[placeOf(leaves - 1)];
    __syncthreads();
    if (t == 0)
        sums[placeOf(leaves - 1)] = 0;
    for (unsigned int distance = leaves / 2; distance > 0; distance /= 2) {
        const unsigned int right = (2 * t + 2) * distance - 1;

        __syncthreads();
        if (right < leaves) {
            const T left = sums[placeOf(right - distance)];

            sums[placeOf(right - distance)] = sums[placeOf(right)];
            sums[placeOf(right)] += left;
        }
    }
    __syncthreads();
    before = sums[placeOf(t)];
    // TODO 3 end
    return before;
}

template <typename T> __device__ T scanTree(T value, T *total)
{
    return scanAnyTree<T, sideBySide>(value, total);
}

template <typename T> void launchTree(struct arrays<T> d, size_t n)
{
    scanThrice<T, OF(T, scanTree)>(d.x, d.y, d.totals, n);
}

/* Nodes of a level stand 2, 4, 8, ... words apart, and 2, 4, 8, ... lanes of a warp meet in a bank.
 * A word left free after every 32 moves them to banks of their own. */
__device__ __forceinline__ unsigned int padded(unsigned int i)
{
    unsigned int place = i;

    // TODO 4 begin: a free place after every WARP elements
    place += i / WARP;
    // TODO 4 end
    return place;
}

template <typename T> __device__ T scanPaddedTree(T value, T *total)
{
    return scanAnyTree<T, padded>(value, total);
}

template <typename T> void launchPadded(struct arrays<T> d, size_t n)
{
    scanThrice<T, OF(T, scanPaddedTree)>(d.x, d.y, d.totals, n);
}

/* The tree has 2 log2(block) barriers. Lanes need none: they add in steps again, by shuffles, since
 * an idle lane costs as much as one that adds. The sum of the values of all lanes before this one;
 * *total gets the warp's. */
template <typename T> __device__ __forceinline__ T scanWarp(T value, T *total)
{
    T before = 0;

    *total = 0;
    // TODO 5 begin: steps of 1 to 16 lanes by shuffleUp(); the last lane's sum is the total
    const unsigned int lane = threadIdx.x % WARP;

#pragma unroll
    for (unsigned int distance = 1; distance < WARP; distance *= 2) {
        const T other = shuffleUp(value, distance);

        if (lane >= distance)
            value += other;
    }
    *total = shuffleFrom(value, WARP - 1);
    before = shuffleUp(value, 1);
    if (lane == 0)
        before = 0;
    // TODO 5 end
    return before;
}

/* The sum of all warps before this one, each of which brings its own total, and puts it into shared
 * memory, totals[WARP]. A kernel that calls this twice has two such arrays; a loop, a barrier. */
template <typename T> __device__ __forceinline__ T scanWarps(T own, T *totals, T *total)
{
    T before = 0;

    *total = 0;
    // TODO 5 begin: the warps' totals to shared memory; each warp scans them all for itself
    const unsigned int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    if (lane == 0)
        totals[warp] = own;
    __syncthreads();
    before = scanWarp(lane < blockDim.x / WARP ? totals[lane] : 0, total);
    before = shuffleFrom(before, warp);
    // TODO 5 end
    return before;
}

template <typename T> __device__ T scanShuffles(T value, T *total)
{
    __shared__ T totals[WARP];
    T ofWarp;
    const T before = scanWarp(value, &ofWarp);

    return scanWarps(ofWarp, totals, total) + before;
}

template <typename T> void launchShuffles(struct arrays<T> d, size_t n)
{
    scanThrice<T, OF(T, scanShuffles)>(d.x, d.y, d.totals, n);
}

/* A thread had one load in flight, and a block synchronised for one element a thread. Here a thread
 * has PACKETS packets of 16 bytes: before[k] gets the sum of what stands before packet k in the
 * warp's piece of the tile. Returns the piece's total. */
template <int PACKETS, typename T>
__device__ __forceinline__ T scanPackets(const packet<T> *own, T *before)
{
    T sum = 0;

    // TODO 6 begin: (advanced) scanWarp() of the packets' sums for one k after the other
#pragma unroll
    for (int k = 0; k < PACKETS; k++) {
        T total;

        before[k] = sum + scanWarp(sumOf(own[k]), &total);
        sum += total;
    }
    // TODO 6 end
    return sum;
}

/* Replaces each element by the sum of what stands before it: in the packet, before the packet, and
 * before the warp's piece. */
template <int PACKETS, typename T>
__device__ __forceinline__ void sumsOfPackets(packet<T> *own, const T *before, T beforePiece)
{
    // TODO 6 begin: (advanced) go through each packet with a sum, which begins before it
#pragma unroll
    for (int k = 0; k < PACKETS; k++) {
        T sum = beforePiece + before[k];

#pragma unroll
        for (int e = 0; e < (int)(16 / sizeof(T)); e++) {
            const T element = own[k].element[e];

            own[k].element[e] = sum;
            sum += element;
        }
    }
    // TODO 6 end
}

template <typename T>
__global__ void __launch_bounds__(MAX_BLOCK)
    scanTilesOfPackets(const T *x, T *y, T *totals, size_t n)
{
    // TODO 6 begin: (advanced) as scanTiles, by scanPackets(), scanWarps() and sumsOfPackets()
    const size_t i = firstOfThread<T, PER_THREAD>(blockIdx.x);
    __shared__ T ofWarps[WARP];
    packet<T> own[PER_THREAD];
    T before[PER_THREAD], beforePiece, total;

    loadPackets<PER_THREAD>(own, x, i, n);
    beforePiece = scanWarps(scanPackets<PER_THREAD>(own, before), ofWarps, &total);
    sumsOfPackets<PER_THREAD>(own, before, beforePiece);
    storePackets<PER_THREAD>(own, y, i, n);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
    // TODO 6 end
}

template <typename T> __global__ void addToPackets(T *y, const T *totals, size_t n)
{
    const size_t i = firstOfThread<T, PER_THREAD>(blockIdx.x);
    const T total = totals[blockIdx.x];
    packet<T> own[PER_THREAD];

    loadPackets<PER_THREAD>(own, y, i, n);
    addTo<PER_THREAD>(own, total);
    storePackets<PER_THREAD>(own, y, i, n);
}

template <typename T> static void scanPacketsThrice(const T *d_x, T *d_y, T *d_totals, size_t n)
{
    const int block = wholeWarps(256);
    const unsigned int tiles = tilesFor(n, block * PER_THREAD * (16 / sizeof(T)));

    cudaVerifyKernel((scanTilesOfPackets<T><<<tiles, block>>>(d_x, d_y, d_totals, n)));
    if (tiles > 1) {
        scanPacketsThrice(d_totals, d_totals, d_totals + tiles, tiles);
        cudaVerifyKernel((addToPackets<T><<<tiles, block>>>(d_y, d_totals, n)));
    }
}

template <typename T> void launchPackets(struct arrays<T> d, size_t n)
{
    scanPacketsThrice(d.x, d.y, d.totals, n);
}

/* y was written, read and written again. A tile's total needs no scan: the first kernel only reads
 * and adds, and the last one, which knows what stands before its tile, scans. 3 n elements move
 * instead of 4 n. */
template <typename T> __global__ void sumTiles(const T *x, T *totals, size_t n)
{
    // TODO 7 begin: (advanced) the total of the tile, and nothing else
    __shared__ T ofWarps[WARP];
    packet<T> own[PER_THREAD];
    T sum = 0, ofWarp, total;

    loadPackets<PER_THREAD>(own, x, firstOfThread<T, PER_THREAD>(blockIdx.x), n);
#pragma unroll
    for (int k = 0; k < PER_THREAD; k++)
        sum += sumOf(own[k]);
    scanWarp(sum, &ofWarp);
    scanWarps(ofWarp, ofWarps, &total);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
    // TODO 7 end
}

template <typename T>
__global__ void __launch_bounds__(MAX_BLOCK)
    scanAfterTotals(const T *x, T *y, const T *totals, size_t n)
{
    // TODO 7 begin: (advanced) as scanTilesOfPackets, beginning with totals[block]
    const size_t i = firstOfThread<T, PER_THREAD>(blockIdx.x);
    __shared__ T ofWarps[WARP];
    packet<T> own[PER_THREAD];
    T before[PER_THREAD], beforePiece, total;

    loadPackets<PER_THREAD>(own, x, i, n);
    beforePiece = scanWarps(scanPackets<PER_THREAD>(own, before), ofWarps, &total);
    sumsOfPackets<PER_THREAD>(own, before, totals[blockIdx.x] + beforePiece);
    storePackets<PER_THREAD>(own, y, i, n);
    // TODO 7 end
}

template <typename T> void launchReduceFirst(struct arrays<T> d, size_t n)
{
    const int block = wholeWarps(256);
    const unsigned int tiles = tilesFor(n, block * PER_THREAD * (16 / sizeof(T)));

    // TODO 7 begin: (advanced) the totals, a scan of them by scanPacketsThrice(), the scan of x
    cudaVerifyKernel((sumTiles<T><<<tiles, block>>>(d.x, d.totals, n)));
    scanPacketsThrice(d.totals, d.totals, d.totals + tiles, tiles);
    cudaVerifyKernel((scanAfterTotals<T><<<tiles, block>>>(d.x, d.y, d.totals, n)));
    // TODO 7 end
}

/* x was read twice, because a block had to wait for the end of a kernel. In one pass it waits for
 * the blocks before it, each of which leaves a note: first its total, and later the sum of all up
 * to and with its tile. Whoever looks back adds totals until it finds such a sum. The run's number
 * makes the tags of a run its own, so nobody needs to clear the notes. */
__device__ __forceinline__ unsigned int totalTag(unsigned int run) { return 2 * run; }

__device__ __forceinline__ unsigned int sumTag(unsigned int run) { return 2 * run + 1; }

/* The sum of all tiles before this one, for a warp: 32 notes at a time, the nearest in lane 0. */
template <typename T>
__device__ T lookBack(const note<T> *notes, unsigned int tile, unsigned int run)
{
    T sum = 0;

    // TODO 8 begin: (advanced) until a note has sumTag(): wait for 32, add up to the first such one
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int sums = tile == 0; /* the lanes whose note is such a sum */
    T own = 0;

    for (unsigned int end = tile; sums == 0; end -= WARP) {
        unsigned int tag = sumTag(run); /* before the first tile: 0 */
        T found = 0;

        if (lane < end)
            do
                tag = readNote(&notes[end - 1 - lane], &found);
            while (tag != totalTag(run) && tag != sumTag(run));
        sums = lanesWhere(tag == sumTag(run));
        if (sums == 0 || lane <= (unsigned int)__ffs((int)sums) - 1)
            own += found;
    }
    scanWarp(own, &sum);
    // TODO 8 end
    return sum;
}

__device__ unsigned int tilesBegun = 0;

template <typename T>
__global__ void __launch_bounds__(MAX_BLOCK)
    scanLookingBack(const T *x, T *y, size_t n, note<T> *notes, unsigned int run)
{
    // TODO 8 begin: (advanced) the next tile by atomicInc(); its total; look back; its sum; store
    __shared__ unsigned int tile;
    __shared__ T beforeTile, ofWarps[WARP];
    packet<T> own[PER_THREAD];
    T before[PER_THREAD], beforePiece, total;
    size_t i;

    /* A tile is begun after all tiles before it, in whatever order blocks start. */
    if (threadIdx.x == 0)
        tile = atomicInc(&tilesBegun, gridDim.x - 1); /* 0 again after the last */
    __syncthreads();
    i = firstOfThread<T, PER_THREAD>(tile);
    loadPackets<PER_THREAD>(own, x, i, n);
    beforePiece = scanWarps(scanPackets<PER_THREAD>(own, before), ofWarps, &total);
    if (threadIdx.x < WARP) {
        T sum;

        if (threadIdx.x == 0)
            leaveNote(&notes[tile], total, totalTag(run));
        sum = lookBack(notes, tile, run);
        if (threadIdx.x == 0) {
            leaveNote(&notes[tile], sum + total, sumTag(run));
            beforeTile = sum;
        }
    }
    __syncthreads();
    sumsOfPackets<PER_THREAD>(own, before, beforeTile + beforePiece);
    storePackets<PER_THREAD>(own, y, i, n);
    // TODO 8 end
}

template <typename T> void launchLookBack(struct arrays<T> d, size_t n)
{
    const int block = wholeWarps(1024);
    const unsigned int tiles = tilesFor(n, block * PER_THREAD * (16 / sizeof(T)));

    cudaVerifyKernel((scanLookingBack<T><<<tiles, block>>>(d.x, d.y, n, d.notes, d.run)));
}

/* Sums travelled from block to block, and each block that looked back had to wait for them. Here as
 * many blocks as fit stay, and take every gridDim.x-th tile. A block knows the sum up to its last
 * tile, and needs the totals since: no sum is waited for. */
template <typename T>
__device__ __forceinline__ T totalsSince(const note<T> *notes, size_t tile, unsigned int run,
                                         T *ofWarps)
{
    T sum = 0;

    // TODO 9 begin: (advanced) the totals of the gridDim.x - 1 tiles before, shared by all threads
    const size_t back = gridDim.x - 1 < tile ? gridDim.x - 1 : tile;
    T own = 0, ofWarp;

    for (size_t t = tile - back + threadIdx.x; t < tile; t += blockDim.x) {
        T found;

        while (readNote(&notes[t], &found) != totalTag(run))
            ;
        own += found;
    }
    scanWarp(own, &ofWarp);
    scanWarps(ofWarp, ofWarps, &sum);
    // TODO 9 end
    return sum;
}

template <typename T>
__global__ void __launch_bounds__(MAX_BLOCK)
    scanResident(const T *x, T *y, size_t n, unsigned int tiles, note<T> *notes, unsigned int run)
{
    // TODO 9 begin: (advanced) for every gridDim.x-th tile: its total, totalsSince(), its sums
    __shared__ T ofWarps[WARP], since[WARP];
    T beforeTile = 0;

    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const size_t i = firstOfThread<T, PER_THREAD>(tile);
        packet<T> own[PER_THREAD];
        T before[PER_THREAD], beforePiece, total;

        loadPackets<PER_THREAD>(own, x, i, n);
        beforePiece = scanWarps(scanPackets<PER_THREAD>(own, before), ofWarps, &total);
        if (threadIdx.x == 0)
            leaveNote(&notes[tile], total, totalTag(run));
        beforeTile += totalsSince(notes, tile, run, since);
        sumsOfPackets<PER_THREAD>(own, before, beforeTile + beforePiece);
        storePackets<PER_THREAD>(own, y, i, n);
        beforeTile += total;
    }
    // TODO 9 end
}

template <typename T> void launchResident(struct arrays<T> d, size_t n)
{
    const int block = wholeWarps(256);
    const unsigned int tiles = tilesFor(n, block * PER_THREAD * (16 / sizeof(T)));
    const unsigned int grid = gridOfResidents(tiles, scanResident<T>, block);

    cudaVerifyKernel((scanResident<T><<<grid, block>>>(d.x, d.y, n, tiles, d.notes, d.run)));
}

/* All blocks load, then all wait for notes, and meanwhile the memory is idle. Here a tile is stored
 * a turn late: it waits in shared memory, while the block loads the tile after the next and scans
 * the next. By then the notes that it needs are there. */
template <typename T>
__global__ void __launch_bounds__(MOST_BEHIND, 2)
    scanBehind(const T *x, T *y, size_t n, unsigned int tiles, note<T> *notes, unsigned int run)
{
    // TODO 10 begin: (advanced) in each turn load a tile, scan the one before, store a third
    __shared__ packet<T> waiting[PER_THREAD][MOST_BEHIND];
    __shared__ T ofWarps[WARP], since[WARP];
    packet<T> own[PER_THREAD], next[PER_THREAD];
    T before[PER_THREAD], beforePiece, beforeLast = 0, ofLast = 0, total;

    loadPackets<PER_THREAD>(next, x, firstOfThread<T, PER_THREAD>(blockIdx.x), n);
    for (size_t tile = blockIdx.x; tile < tiles + gridDim.x; tile += gridDim.x) {
        const size_t last = tile < gridDim.x ? 0 : tile - gridDim.x; /* the tile that waits */

#pragma unroll
        for (int k = 0; k < PER_THREAD; k++)
            own[k] = next[k];
        loadPackets<PER_THREAD>(next, x, firstOfThread<T, PER_THREAD>(tile + gridDim.x), n);
        beforePiece = scanWarps(scanPackets<PER_THREAD>(own, before), ofWarps, &total);
        if (threadIdx.x == 0 && tile < tiles)
            leaveNote(&notes[tile], total, totalTag(run));
        sumsOfPackets<PER_THREAD>(own, before, beforePiece);
        beforeLast += totalsSince(notes, last, run, since);
#pragma unroll
        for (int k = 0; k < PER_THREAD; k++) { /* this tile waits, and the last one leaves */
            const packet<T> leaves = tile < gridDim.x ? own[k] : waiting[k][threadIdx.x];

            waiting[k][threadIdx.x] = own[k];
            own[k] = leaves;
        }
        if (tile >= gridDim.x) {
            addTo<PER_THREAD>(own, beforeLast);
            storePackets<PER_THREAD>(own, y, firstOfThread<T, PER_THREAD>(last), n);
        }
        beforeLast += ofLast;
        ofLast = total;
    }
    // TODO 10 end
}

template <typename T> void launchBehind(struct arrays<T> d, size_t n)
{
    const int block = wholeWarpsUpTo(MOST_BEHIND);
    const unsigned int tiles = tilesFor(n, block * PER_THREAD * (16 / sizeof(T)));
    const unsigned int grid = gridOfResidents(tiles, scanBehind<T>, block);

    cudaVerifyKernel((scanBehind<T><<<grid, block>>>(d.x, d.y, n, tiles, d.notes, d.run)));
}

/* What is kept moves to the place that a scan of ones and zeros says. All is as in scanBehind, but
 * what waits in shared memory is only what is kept, closed up, so that neighbours store neighbours.
 * A partition keeps the others, too, from the ends of the tile and of y. */
__device__ __forceinline__ packet<unsigned int> onesWhereKept(const packet<unsigned int> &x)
{
    packet<unsigned int> ones;

#pragma unroll
    for (int e = 0; e < 4; e++)
        ones.element[e] = isKept(x.element[e]);
    return ones;
}

/* Stores a thread's elements to waiting[], what is kept from its beginning, the others from its
 * end. */
template <int PARTITION>
__device__ __forceinline__ void closeUp(unsigned int *waiting, const packet<unsigned int> *own,
                                        const unsigned int *before, unsigned int beforePiece)
{
    // TODO 11 begin: (advanced) an element goes to the place that counts what is kept before it
    const unsigned int end = blockDim.x * PER_THREAD * 4;

#pragma unroll
    for (int k = 0; k < PER_THREAD; k++) {
        const size_t i = firstOfThread<unsigned int, PER_THREAD>(0) + k * WARP * 4;
        unsigned int place = beforePiece + before[k];

#pragma unroll
        for (int e = 0; e < 4; e++)
            if (isKept(own[k].element[e]))
                waiting[place++] = own[k].element[e];
            else if (PARTITION)
                waiting[end - 1 - (i + e - place)] = own[k].element[e];
    }
    // TODO 11 end
}

/* Stores a tile that has waited. beforeTile and ofTile count what is kept before and in it. */
template <int PARTITION>
__device__ __forceinline__ void storeKept(const unsigned int *waiting, unsigned int *y, size_t n,
                                          size_t tile, unsigned int beforeTile, unsigned int ofTile)
{
    // TODO 11 begin: (advanced) neighbouring threads store neighbouring elements
    const unsigned int end = blockDim.x * PER_THREAD * 4;
    const size_t first = tile * end;

    for (unsigned int k = threadIdx.x; k < ofTile; k += blockDim.x)
        y[beforeTile + k] = waiting[k];
    if (PARTITION)
        for (unsigned int k = threadIdx.x; ofTile + k < end && first + ofTile + k < n;
             k += blockDim.x)
            y[n - 1 - (first - beforeTile + k)] = waiting[end - 1 - k];
    // TODO 11 end
}

template <int PARTITION>
__global__ void __launch_bounds__(MOST_SELECTING, 2)
    selectBehind(const unsigned int *x, unsigned int *y, size_t n, unsigned int tiles,
                 note<unsigned int> *notes, unsigned int run, unsigned int *kept)
{
    // TODO 11 begin: (advanced) as scanBehind, with ones and zeros to scan; at last *kept
    __shared__ unsigned int waiting[PER_THREAD * 4 * MOST_SELECTING], ofWarps[WARP], since[WARP];
    packet<unsigned int> own[PER_THREAD], next[PER_THREAD], ones[PER_THREAD];
    unsigned int before[PER_THREAD], beforePiece = 0, beforeLast = 0, ofLast = 0, total = 0;

    loadPackets<PER_THREAD>(next, x, firstOfThread<unsigned int, PER_THREAD>(blockIdx.x), n);
    for (size_t tile = blockIdx.x; tile < tiles + gridDim.x; tile += gridDim.x) {
        const size_t last = tile - gridDim.x; /* the tile that waits, if there is one */

        if (tile < tiles) {
#pragma unroll
            for (int k = 0; k < PER_THREAD; k++) {
                own[k] = next[k];
                ones[k] = onesWhereKept(own[k]);
            }
            loadPackets<PER_THREAD>(next, x,
                                    firstOfThread<unsigned int, PER_THREAD>(tile + gridDim.x), n);
            beforePiece = scanWarps(scanPackets<PER_THREAD>(ones, before), ofWarps, &total);
            if (threadIdx.x == 0)
                leaveNote(&notes[tile], total, totalTag(run));
        }
        if (tile >= gridDim.x) {
            beforeLast += totalsSince(notes, last, run, since);
            storeKept<PARTITION>(waiting, y, n, last, beforeLast, ofLast);
            beforeLast += ofLast;
        }
        __syncthreads(); /* what has waited is stored */
        if (tile < tiles)
            closeUp<PARTITION>(waiting, own, before, beforePiece);
        ofLast = total;
        __syncthreads(); /* and this tile waits */
    }
    if (threadIdx.x == 0 && blockIdx.x == (tiles - 1) % gridDim.x)
        *kept = beforeLast;
    // TODO 11 end
}

template <int PARTITION> static void launchKept(struct arrays<unsigned int> d, size_t n)
{
    const int block = wholeWarpsUpTo(MOST_SELECTING);
    const unsigned int tiles = tilesFor(n, block * PER_THREAD * 4);
    const unsigned int grid = gridOfResidents(tiles, selectBehind<PARTITION>, block);

    cudaVerifyKernel(
        (selectBehind<PARTITION><<<grid, block>>>(d.x, d.y, n, tiles, d.notes, d.run, d.kept)));
}

void launchSelection(struct arrays<unsigned int> d, size_t n) { launchKept<0>(d, n); }

void launchPartition(struct arrays<unsigned int> d, size_t n) { launchKept<1>(d, n); }

#define BOTH(launch) scan<unsigned int, OF(unsigned int, launch)>, scan<double, OF(double, launch)>

extern "C" const struct variant deviceVariants[] = {
    {"three kernels, steps", BOTH(launchSteps)},
    {"three kernels, tree", BOTH(launchTree)},
    {"three kernels, padded tree", BOTH(launchPadded)},
    {"three kernels, shuffles", BOTH(launchShuffles)},
    {"three kernels, packets", BOTH(launchPackets)},
    {"reduce, then scan", BOTH(launchReduceFirst)},
    {"one pass, look-back", BOTH(launchLookBack)},
    {"one pass, resident blocks", BOTH(launchResident)},
    {"one pass, a turn behind", BOTH(launchBehind)},
    {"selection", scan<unsigned int, launchSelection>, NULL},
    {"partition", scan<unsigned int, launchPartition>, NULL},
    {NULL, NULL, NULL},
};
