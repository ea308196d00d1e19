/* TASK     n keys of 32 bits in ascending order, with their values: by exchanges, by merging, and
 *          by the bits of the keys.
 * TRAFFIC  8 n bytes, of pairs 16 n: keys read and written.
 * LIMIT    memory bandwidth, times the number of passes. */
#include "items.cuh" /* keys and pairs, tiles in shared memory, the scan of a block */

typedef int launch_fn(const struct sort *s); /* returns the place of the result, 0 or 1 */

static size_t workWords(size_t n);

static void allocate(struct arrays *a, size_t n, int hasValues)
{
    a->key = a->value = NULL;
    cudaVerify(cudaMalloc((void **)&a->key, n * sizeof *a->key));
    if (hasValues)
        cudaVerify(cudaMalloc((void **)&a->value, n * sizeof *a->value));
}

static void release(struct arrays a)
{
    cudaVerify(cudaFree(a.key));
    cudaVerify(cudaFree(a.value));
}

/* The code around every launch, of keys alone and of pairs: memory on the device, the copies there
 * and back. Keys with a sign are sorted as numbers without one, in place[1]. */
template <launch_fn keys, launch_fn pairs>
static void sortBy(const unsigned int *key, const unsigned int *value, unsigned int *sortedKey,
                   unsigned int *sortedValue, size_t n, enum key_type type)
{
    const size_t bytes = n * sizeof *key;
    const int hasValues = value != NULL, block = 256;
    struct arrays in;
    struct sort s;
    int last = 0;

    s.n = n;
    allocate(&in, n, hasValues);
    allocate(&s.place[0], n, hasValues);
    allocate(&s.place[1], n, hasValues);
    cudaVerify(cudaMalloc((void **)&s.work, workWords(n) * sizeof *s.work));
    cudaVerify(cudaMemcpy(in.key, key, bytes, cudaMemcpyHostToDevice));
    if (hasValues)
        cudaVerify(cudaMemcpy(in.value, value, bytes, cudaMemcpyHostToDevice));
    s.from = in;
    if (type != UNSIGNED_KEYS)
        s.from.key = s.place[1].key;

    MEASURE (run) {
        if (type != UNSIGNED_KEYS)
            cudaVerifyKernel(
                (encodeKeys<<<gridFor(n, block), block>>>(in.key, s.from.key, n, type)));
        last = hasValues ? pairs(&s) : keys(&s);
        if (type != UNSIGNED_KEYS)
            cudaVerifyKernel((decodeKeys<<<gridFor(n, block), block>>>(s.place[last].key, n, type)));
    }

    cudaVerify(cudaMemcpy(sortedKey, s.place[last].key, bytes, cudaMemcpyDeviceToHost));
    if (hasValues)
        cudaVerify(cudaMemcpy(sortedValue, s.place[last].value, bytes, cudaMemcpyDeviceToHost));
    release(in);
    release(s.place[0]);
    release(s.place[1]);
    cudaVerify(cudaFree(s.work));
}

/* The step of every sort by comparisons: *b, which stood behind *a, goes before it if it is
 * smaller. */
template <typename item> __device__ void putInOrder(item *a, item *b)
{
    // TODO 1 begin: exchange them if the key of *b is smaller; equal keys keep their order
    if (keyOf(*b) < keyOf(*a)) {
        const item larger = *a;

        *a = *b;
        *b = larger;
    }
    // TODO 1 end
}

/* Bubble sort with all comparisons of a round at the same time: pairs of neighbours that begin at
 * even places, then those that begin at odd ones. As many rounds as there are keys. */
template <typename item>
__global__ void oddEvenTiles(struct arrays from, struct arrays to, size_t n)
{
    __shared__ item s[TILE];

    for (size_t first = (size_t)blockIdx.x * TILE; first < n; first += (size_t)gridDim.x * TILE) {
        const int count = loadTile(s, TILE, from, first, n);

        // TODO 1 begin: `count` rounds of putInOrder(&s[i], &s[i + 1]), with i even, then odd
        for (int round = 0; round < count; round++) {
            for (int i = 2 * threadIdx.x + round % 2; i + 1 < count; i += 2 * blockDim.x)
                putInOrder(&s[i], &s[i + 1]);
            __syncthreads();
        }
        // TODO 1 end
        storeTile(to, first, s, count);
    }
}

template <typename item> int launchOddEven(const struct sort *s)
{
    cudaVerifyKernel((oddEvenTiles<item>
                      <<<gridFor(s->n, TILE), blockSize(512)>>>(s->from, s->place[0], s->n)));
    return 0;
}

/* 1024 rounds for 1024 keys, because a key moves by one place at a time. In a bitonic network keys
 * move far at first, and 55 rounds are enough. Runs of size / 2 keys are merged to runs of `size`:
 * the first round compares the run with its mirror image, the others with a fixed stride. So the
 * smaller key always goes first, and places behind the last key need no keys. */
__device__ void placesOf(size_t pair, size_t size, size_t stride, size_t *low, size_t *high)
{
    *low = *high = (size_t)-1;
    // TODO 2 begin: the places that a round compares; the mirror image of i is i ^ (size - 1)
    *low = 2 * pair - (pair & (stride - 1));
    *high = stride == size / 2 ? *low ^ (size - 1) : *low + stride;
    // TODO 2 end
}

/* The rounds with this stride and the smaller ones, within a tile. */
template <typename item> __device__ void exchangeNear(item *s, int count, size_t size, int stride)
{
    // TODO 2 begin: strides down to 1: all TILE / 2 pairs whose higher place has a key; a barrier
    for (; stride > 0; stride /= 2) {
        for (int pair = threadIdx.x; pair < TILE / 2; pair += blockDim.x) {
            size_t low, high;

            placesOf(pair, size, stride, &low, &high);
            if (high < count)
                putInOrder(&s[low], &s[high]);
        }
        __syncthreads();
    }
    // TODO 2 end
}

template <typename item>
__global__ void bitonicTiles(struct arrays from, struct arrays to, size_t n)
{
    __shared__ item s[TILE];

    for (size_t first = (size_t)blockIdx.x * TILE; first < n; first += (size_t)gridDim.x * TILE) {
        const int count = loadTile(s, TILE, from, first, n);

        for (int size = 2; size <= TILE; size *= 2)
            exchangeNear(s, count, size, size / 2);
        storeTile(to, first, s, count);
    }
}

template <typename item> int launchBitonicTiles(const struct sort *s)
{
    cudaVerifyKernel((bitonicTiles<item>
                      <<<gridFor(s->n, TILE), blockSize(512)>>>(s->from, s->place[0], s->n)));
    return 0;
}

/* Tiles are sorted, the whole is not. The network goes on, over all blocks: a round with a stride
 * of a tile or more is a kernel of its own, since all blocks must have finished the round before. */
template <typename item>
__global__ void exchangeFar(struct arrays x, size_t n, size_t size, size_t stride)
{
    // TODO 3 begin: one round: all pairs of n keys, each by a thread, for any grid
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x, low, high;

    for (; placesOf(pair, size, stride, &low, &high), low < n; pair += threads)
        if (high < n) {
            item a, b;

            load(&a, x, low);
            load(&b, x, high);
            if (keyOf(b) < keyOf(a)) {
                store(x, low, b);
                store(x, high, a);
            }
        }
    // TODO 3 end
}

/* The rounds with strides that stay within a tile: all in one kernel. */
template <typename item> __global__ void exchangeInTiles(struct arrays x, size_t n)
{
    __shared__ item s[TILE];

    for (size_t first = (size_t)blockIdx.x * TILE; first < n; first += (size_t)gridDim.x * TILE) {
        const int count = loadTile(s, TILE, x, first, n);

        exchangeNear(s, count, 2 * TILE, TILE / 2);
        storeTile(x, first, s, count);
    }
}

template <typename item> int launchBitonic(const struct sort *s)
{
    launchBitonicTiles<item>(s);
    // TODO 3 begin: merge runs of size / 2, from 2 * TILE on, until one run has all n keys
    const struct arrays x = s->place[0];
    const int block = blockSize(512);

    for (size_t size = 2 * TILE; size < 2 * s->n; size *= 2) {
        for (size_t stride = size / 2; stride >= TILE; stride /= 2)
            cudaVerifyKernel((exchangeFar<item>
                              <<<gridFor(s->n, 2 * block), block>>>(x, s->n, size, stride)));
        cudaVerifyKernel((exchangeInTiles<item><<<gridFor(s->n, TILE), block>>>(x, s->n)));
    }
    // TODO 3 end
    return 0;
}

/* The network makes log2(n)^2 / 2 rounds, and moves all keys in each. Merging two runs takes one
 * round, if threads can begin anywhere in it: where the first `diagonal` keys of the merged run end
 * in a, which is found by bisection. Of equal keys those of a come first. */
template <typename item>
__device__ size_t mergePath(const item *a, size_t aCount, const item *b, size_t bCount,
                            size_t diagonal)
{
    size_t low = diagonal > bCount ? diagonal - bCount : 0, high = min(diagonal, aCount);

    // TODO 4 begin: bisect: are a[middle] and b[diagonal - 1 - middle] in order?
    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (keyOf(b[diagonal - 1 - middle]) < keyOf(a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    // TODO 4 end
    return low;
}

enum { MERGE_BLOCK = 256, PER_MERGE = 8, MERGE_TILE = MERGE_BLOCK * PER_MERGE };

/* The thread's PER_MERGE keys of the merged run, from place `diagonal` on, as many as there are. */
template <typename item>
__device__ void mergeOwn(item *own, const item *a, int aCount, const item *b, int bCount,
                         int diagonal)
{
    // TODO 5 begin: find the beginning by mergePath(), then take the smaller one PER_MERGE times
    int i = (int)mergePath(a, aCount, b, bCount, diagonal), j = diagonal - i;

#pragma unroll
    for (int k = 0; k < PER_MERGE; k++)
        if (i < aCount && (j >= bCount || !(keyOf(b[j]) < keyOf(a[i]))))
            own[k] = a[i++];
        else if (j < bCount)
            own[k] = b[j++];
    // TODO 5 end
}

/* Sorts each tile: first each thread its own keys, in registers, by rounds of the odd-even sort,
 * then runs twice as long each time. */
template <typename item>
__global__ void mergeTiles(struct arrays from, struct arrays to, size_t n)
{
    __shared__ item s[MERGE_TILE];
    const int ownFirst = PER_MERGE * threadIdx.x;
    item own[PER_MERGE];

    for (size_t first = (size_t)blockIdx.x * MERGE_TILE; first < n;
         first += (size_t)gridDim.x * MERGE_TILE) {
        const int count = loadTile(s, MERGE_TILE, from, first, n);
        const int ownCount = min(max(count - ownFirst, 0), (int)PER_MERGE);

#pragma unroll
        for (int k = 0; k < PER_MERGE; k++)
            if (k < ownCount)
                own[k] = s[ownFirst + k];
#pragma unroll
        for (int round = 0; round < PER_MERGE; round++)
#pragma unroll
            for (int k = round % 2; k < PER_MERGE - 1; k += 2)
                if (k + 1 < ownCount)
                    putInOrder(&own[k], &own[k + 1]);
        for (int width = PER_MERGE;; width *= 2) {
#pragma unroll
            for (int k = 0; k < PER_MERGE; k++)
                if (k < ownCount)
                    s[ownFirst + k] = own[k];
            __syncthreads();
            if (width >= count)
                break;
            if (ownCount > 0) {
                const int run = ownFirst / (2 * width) * (2 * width);
                const int middle = min(run + width, count), end = min(run + 2 * width, count);

                mergeOwn(own, s + run, middle - run, s + middle, end - middle, ownFirst - run);
            }
            __syncthreads();
        }
        storeTile(to, first, s, count);
    }
}

/* Merges runs of `width` keys in pairs, a block for each tile of the result. */
template <typename item>
__global__ void mergeRuns(struct arrays from, struct arrays to, size_t n, size_t width)
{
    __shared__ item s[MERGE_TILE];
    const int ownFirst = PER_MERGE * threadIdx.x;
    item own[PER_MERGE];

    for (size_t first = (size_t)blockIdx.x * MERGE_TILE; first < n;
         first += (size_t)gridDim.x * MERGE_TILE) {
        const int count = (int)min((size_t)MERGE_TILE, n - first);
        const size_t run = first / (2 * width) * (2 * width), middle = min(run + width, n);
        const size_t end = min(run + 2 * width, n);
        int aCount = 0; /* keys of the tile that come from the first run */

        // TODO 5 begin: find the tile's cuts in a by mergePath(); load a's part to s, then b's part
        __shared__ size_t cut[2];

        if (threadIdx.x < 2)
            cut[threadIdx.x] =
                mergePath(from.key + run, middle - run, from.key + middle, end - middle,
                          first - run + threadIdx.x * count);
        __syncthreads();
        aCount = (int)(cut[1] - cut[0]);
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            load(&s[i], from,
                 i < aCount ? run + cut[0] + i : middle + (first - run - cut[0]) + i - aCount);
        __syncthreads();
        // TODO 5 end
        mergeOwn(own, s, aCount, s + aCount, count - aCount, ownFirst);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < PER_MERGE; k++)
            if (ownFirst + k < count)
                s[ownFirst + k] = own[k];
        storeTile(to, first, s, count);
    }
}

template <typename item> int launchMerge(const struct sort *s)
{
    const unsigned int grid = gridFor(s->n, MERGE_TILE);
    int last = 0;

    cudaVerifyKernel((mergeTiles<item><<<grid, MERGE_BLOCK>>>(s->from, s->place[0], s->n)));
    for (size_t width = MERGE_TILE; width < s->n; width *= 2, last = 1 - last)
        cudaVerifyKernel((mergeRuns<item>
                          <<<grid, MERGE_BLOCK>>>(s->place[last], s->place[1 - last], s->n, width)));
    return last;
}

/* Merging moves all keys log2(n / 2048) times, and each round waits for comparisons. The bits of a key
 * say where it goes without any. One pass for each digit of some bits, beginning with the last: a
 * key's place is the number of keys with smaller digits, and of those before it with the same digit.
 * The second makes the pass stable, so that it keeps the order by all digits before. Three kernels:
 * each block counts the digits of its part, one block scans all counts, each block moves its part.
 *
 * Each block has a part of the keys, in whole tiles. */
enum { SPLIT_BLOCK = 256, PER_SPLIT = 8, SPLIT_TILE = SPLIT_BLOCK * PER_SPLIT };

__device__ void partOfBlock(size_t n, size_t tile, size_t *first, size_t *end)
{
    const size_t tiles = (n + tile - 1) / tile, most = (tiles + gridDim.x - 1) / gridDim.x;

    *first = min(n, blockIdx.x * most * tile);
    *end = min(n, (blockIdx.x + 1) * most * tile);
}

/* table[digit * gridDim.x + block]: how many keys of the block's part have this digit. */
template <int BITS> __device__ unsigned int digitOf(unsigned int key, int shift)
{
    return key >> shift & ((1u << BITS) - 1);
}

template <int BITS>
__global__ void countDigits(const unsigned int *key, size_t n, size_t tile, int shift,
                            unsigned int *table)
{
    // TODO 6 begin: count in shared memory, by atomicAdd(); then write the counts to the table
    __shared__ unsigned int count[1 << BITS];
    size_t first, end;

    partOfBlock(n, tile, &first, &end);
    for (int d = threadIdx.x; d < 1 << BITS; d += blockDim.x)
        count[d] = 0;
    __syncthreads();
    for (size_t i = first + threadIdx.x; i < end; i += blockDim.x)
        atomicAdd(&count[digitOf<BITS>(key[i], shift)], 1);
    __syncthreads();
    for (int d = threadIdx.x; d < 1 << BITS; d += blockDim.x)
        table[d * gridDim.x + blockIdx.x] = count[d];
    // TODO 6 end
}

/* Moves the items of a tile that have a 0 in this bit before those that have a 1; each of the two
 * keeps its order. */
template <typename item> __device__ void splitTile(item *s, int bit)
{
    // TODO 7 begin: PER_SPLIT neighbours to a thread; blockScan() counts the ones of those before
    item own[PER_SPLIT];
    unsigned int ones = 0, onesBefore, allOnes;

#pragma unroll
    for (int k = 0; k < PER_SPLIT; k++) {
        own[k] = s[PER_SPLIT * threadIdx.x + k];
        ones += keyOf(own[k]) >> bit & 1;
    }
    onesBefore = blockScan(ones, &allOnes);
#pragma unroll
    for (int k = 0; k < PER_SPLIT; k++)
        if (keyOf(own[k]) >> bit & 1)
            s[SPLIT_TILE - allOnes + onesBefore++] = own[k];
        else
            s[PER_SPLIT * threadIdx.x + k - onesBefore] = own[k];
    __syncthreads();
    // TODO 7 end
}

/* table[digit * gridDim.x + block]: where the block's first key with this digit goes. */
template <typename item, int BITS>
__global__ void moveBySplits(struct arrays from, struct arrays to, size_t n, int shift,
                             const unsigned int *table)
{
    __shared__ item s[SPLIT_TILE];
    __shared__ unsigned int next[1 << BITS];
    size_t first, end;

    partOfBlock(n, SPLIT_TILE, &first, &end);
    for (int d = threadIdx.x; d < 1 << BITS; d += blockDim.x)
        next[d] = table[d * gridDim.x + blockIdx.x];
    for (; first < end; first += SPLIT_TILE) {
        const int count = loadTile(s, SPLIT_TILE, from, first, end);

        for (int i = count + threadIdx.x; i < SPLIT_TILE; i += blockDim.x)
            setLargest(&s[i]); /* these stay behind the others */
        __syncthreads();
        // TODO 7 begin: sort the tile by splits; find where each digit begins in it; store the keys
        __shared__ unsigned int begin[1 << BITS];

        for (int bit = shift; bit < shift + BITS; bit++)
            splitTile(s, bit);
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            const unsigned int d = digitOf<BITS>(keyOf(s[i]), shift);

            if (i == 0 || d != digitOf<BITS>(keyOf(s[i - 1]), shift))
                begin[d] = i;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            const unsigned int d = digitOf<BITS>(keyOf(s[i]), shift);

            store(to, next[d] + i - begin[d], s[i]);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            const unsigned int d = digitOf<BITS>(keyOf(s[i]), shift);

            if (i == count - 1 || d != digitOf<BITS>(keyOf(s[i + 1]), shift))
                next[d] += i + 1 - begin[d];
        }
        __syncthreads();
        // TODO 7 end
    }
}

template <typename item, int BITS> int launchSplits(const struct sort *s)
{
    const size_t parts = 8 * (size_t)multiprocessors();
    const unsigned int grid = min(gridFor(s->n, SPLIT_TILE), (unsigned int)parts);
    struct arrays from = s->from;
    int to = 0;

    for (int shift = 0; shift < 32; shift += BITS, to = 1 - to) {
        cudaVerifyKernel((countDigits<BITS><<<grid, SPLIT_BLOCK>>>(from.key, s->n, SPLIT_TILE,
                                                                   shift, s->work)));
        cudaVerifyKernel((scanTable<<<1, 1024>>>(s->work, (int)grid << BITS)));
        cudaVerifyKernel((moveBySplits<item, BITS><<<grid, SPLIT_BLOCK>>>(
            from, s->place[to], s->n, shift, s->work)));
        from = s->place[to];
    }
    return 1 - to;
}

/* A digit of 8 bits makes half as many passes as one of 4, but eight splits sort its tile. Here the
 * tile is sorted in one step, by counters of each warp for 256 digits. The lanes of a warp take 32
 * neighbours at a time. Lanes with the same digit are peers: a key's rank is what the warp has
 * counted before, and the number of peers in the lanes below. */
enum { DIGITS = 256, RANK_BLOCK = 512, RANK_WARPS = RANK_BLOCK / WARP };

/* Shared memory for a tile of PER keys for each thread. */
template <typename item, int PER> struct ranked {
    item sorted[RANK_BLOCK * PER];
    unsigned int counter[RANK_WARPS][DIGITS]; /* of each warp */
    unsigned int target[DIGITS]; /* where a digit's keys go, less where they begin in sorted[] */
    unsigned int tile;
};

/* The lanes of the warp that have the same digit as this one, a bit for each. */
__device__ __forceinline__ unsigned int peersOf(unsigned int digit)
{
    unsigned int peers = 0xffffffffu;

    // TODO 8 begin: (advanced) from a ballot on each of 8 bits
#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
        const unsigned int own = digit >> bit & 1, ones = votes(own);

        peers &= own ? ones : ~ones;
    }
    // TODO 8 end
    return peers;
}

/* rank[k] becomes the number of the warp's keys before own[k] that have its digit, counter[d] that
 * of all with digit d. */
template <typename item, int PER>
__device__ void rankInWarp(const item *own, int shift, volatile unsigned int *counter,
                           unsigned short *rank)
{
    const unsigned int lane = threadIdx.x % WARP;

    for (int d = lane; d < DIGITS; d += WARP)
        counter[d] = 0;
    syncWarp();
    // TODO 8 begin: (advanced) for each key: all peers read the counter, then the last one raises it
#pragma unroll
    for (int k = 0; k < PER; k++) {
        const unsigned int digit = digitOf<8>(keyOf(own[k]), shift), peers = peersOf(digit);

        rank[k] = (unsigned short)(counter[digit] + __popc(peers & ((1u << lane) - 1)));
        syncWarp();
        if (peers >> lane == 1)
            counter[digit] = rank[k] + 1;
        syncWarp();
    }
    // TODO 8 end
}

/* Ranks the items within their warps. Returns how many keys of the tile have the digit threadIdx.x. */
template <typename item, int PER>
__device__ unsigned int rankTile(const item *own, int shift, struct ranked<item, PER> *s,
                                 unsigned short *rank)
{
    unsigned int count = 0;

    rankInWarp<item, PER>(own, shift, s->counter[threadIdx.x / WARP], rank);
    __syncthreads();
    if (threadIdx.x < DIGITS)
        for (int w = 0; w < RANK_WARPS; w++)
            count += s->counter[w][threadIdx.x];
    return count;
}

/* Puts the items where they belong in s->sorted. Returns where digit threadIdx.x, `count` items,
 * begins there. */
template <typename item, int PER>
__device__ unsigned int sortTile(const item *own, int shift, struct ranked<item, PER> *s,
                                 const unsigned short *rank, unsigned int count)
{
    unsigned int all;
    const unsigned int begin = blockScan(count, &all);
    unsigned int before = begin;

    if (threadIdx.x < DIGITS)
        for (int w = 0; w < RANK_WARPS; w++) { /* from counts to places of the warp's first keys */
            const unsigned int ofWarp = s->counter[w][threadIdx.x];

            s->counter[w][threadIdx.x] = before;
            before += ofWarp;
        }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER; k++)
        s->sorted[s->counter[threadIdx.x / WARP][digitOf<8>(keyOf(own[k]), shift)] + rank[k]] =
            own[k];
    return begin;
}

/* The warp's items of a tile, 32 neighbours at a time. The last ones are larger than all if there
 * are no more. */
template <typename item, int PER>
__device__ void loadOwn(item *own, struct arrays from, size_t first, size_t end)
{
    const size_t i = first + threadIdx.x / WARP * WARP * PER + threadIdx.x % WARP;

#pragma unroll
    for (int k = 0; k < PER; k++)
        if (i + k * WARP < end)
            load(&own[k], from, i + k * WARP);
        else
            setLargest(&own[k]);
}

/* Writes the sorted tile: neighbours with the same digit go to neighbouring places. */
template <typename item, int PER>
__device__ void storeSorted(struct arrays to, int shift, const struct ranked<item, PER> *s,
                            size_t count)
{
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER; k++) {
        const unsigned int i = k * RANK_BLOCK + threadIdx.x;

        if (i < count) {
            const item x = s->sorted[i];

            store(to, s->target[digitOf<8>(keyOf(x), shift)] + i, x);
        }
    }
    __syncthreads();
}

extern __shared__ uint2 dynamicShared[];

template <typename item, int PER>
__global__ void __launch_bounds__(RANK_BLOCK)
    moveByRanks(struct arrays from, struct arrays to, size_t n, int shift, const unsigned int *table)
{
    struct ranked<item, PER> *s = (struct ranked<item, PER> *)dynamicShared;
    unsigned int next = 0; /* place of the next key with digit threadIdx.x */
    size_t first, end;

    partOfBlock(n, RANK_BLOCK * PER, &first, &end);
    if (threadIdx.x < DIGITS)
        next = table[threadIdx.x * gridDim.x + blockIdx.x];
    for (; first < end; first += RANK_BLOCK * PER) {
        item own[PER];
        unsigned short rank[PER];
        unsigned int count, begin;

        loadOwn<item, PER>(own, from, first, end);
        count = rankTile<item, PER>(own, shift, s, rank);
        begin = sortTile<item, PER>(own, shift, s, rank, count);
        if (threadIdx.x < DIGITS) {
            s->target[threadIdx.x] = next - begin;
            next += count;
        }
        storeSorted<item, PER>(to, shift, s, end - first);
    }
}

template <typename item> int launchRanks(const struct sort *s)
{
    enum { PER = 4 };
    const size_t parts = 4 * (size_t)multiprocessors();
    const unsigned int grid =
        min(gridFor(s->n, RANK_BLOCK * PER), (unsigned int)parts);
    struct arrays from = s->from;

    for (int pass = 0; pass < 4; pass++) {
        cudaVerifyKernel((countDigits<8><<<grid, RANK_BLOCK>>>(from.key, s->n, RANK_BLOCK * PER,
                                                               8 * pass, s->work)));
        cudaVerifyKernel((scanTable<<<1, 1024>>>(s->work, (int)grid * DIGITS)));
        cudaVerifyKernel((moveByRanks<item, PER>
                          <<<grid, RANK_BLOCK, sizeof(struct ranked<item, PER>)>>>(
                              from, s->place[pass % 2], s->n, 8 * pass, s->work)));
        from = s->place[pass % 2];
    }
    return 1;
}

/* Each pass reads the keys twice, to count and to move them, and needs three kernels. But how many
 * keys have a digit does not depend on their order: one kernel counts the digits of all passes. What
 * is left is how many keys with the same digit other tiles before this one have. A block learns it
 * from the tiles before, as in the scan of ex26: each tile tells its own counts as soon as it knows
 * them, and its sums once it knows those. */
enum { SUM_IS_OF_TILE = 0x40000000, SUM_IS_OF_ALL = 0x80000000u, SUM = 0x3fffffff };

/* count[pass * DIGITS + digit], zero before. */
__global__ void countAllDigits(const unsigned int *key, size_t n, unsigned int *count)
{
    __shared__ unsigned int s[4 * DIGITS];

    for (int d = threadIdx.x; d < 4 * DIGITS; d += blockDim.x)
        s[d] = 0;
    __syncthreads();
    // TODO 9 begin: (advanced) one loop over the keys, for any grid; count four digits of each
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        for (int pass = 0; pass < 4; pass++)
            atomicAdd(&s[pass * DIGITS + digitOf<8>(key[i], 8 * pass)], 1);
    // TODO 9 end
    __syncthreads();
    for (int d = threadIdx.x; d < 4 * DIGITS; d += blockDim.x)
        atomicAdd(&count[d], s[d]);
}

/* state[(tile + 1) * DIGITS + digit] of a pass; state[digit] is where the digit's first key goes. */
__global__ void firstPlaces(const unsigned int *count, unsigned int *state, size_t perPass)
{
    unsigned int all;
    const unsigned int place = blockScan(count[blockIdx.x * DIGITS + threadIdx.x], &all);

    state[blockIdx.x * perPass + threadIdx.x] = SUM_IS_OF_ALL | place;
}

/* Where this tile's first key with digit threadIdx.x goes. `state` is that of the tile. */
__device__ unsigned int lookBack(volatile unsigned int *state, unsigned int count)
{
    unsigned int place = 0;

    // TODO 9 begin: (advanced) add up the tiles before, until one has the sum of all before it
    volatile unsigned int *before = state - DIGITS;
    unsigned int sum;

    do {
        while ((sum = *before) == 0)
            ;
        place += sum & SUM;
        before -= DIGITS;
    } while (!(sum & SUM_IS_OF_ALL));
    *state = SUM_IS_OF_ALL | (place + count);
    // TODO 9 end
    return place;
}

/* The tiles are numbered in the order in which blocks begin, so that a block waits only for those
 * that have begun before it. state[-1]: the number of the next tile. */
template <typename item, int PER>
__global__ void __launch_bounds__(RANK_BLOCK)
    sweep(struct arrays from, struct arrays to, size_t n, int shift, unsigned int *nextTile,
          unsigned int *state)
{
    struct ranked<item, PER> *s = (struct ranked<item, PER> *)dynamicShared;
    item own[PER];
    unsigned short rank[PER];
    unsigned int count, begin;

    for (;;) {
        if (threadIdx.x == 0)
            s->tile = atomicAdd(nextTile, 1);
        __syncthreads();

        const size_t tile = s->tile, first = tile * RANK_BLOCK * PER;
        unsigned int *own_state = state + (tile + 1) * DIGITS + threadIdx.x;

        if (first >= n)
            return;
        loadOwn<item, PER>(own, from, first, n);
        count = rankTile<item, PER>(own, shift, s, rank);
        if (threadIdx.x < DIGITS)
            *(volatile unsigned int *)own_state = SUM_IS_OF_TILE | count;
        begin = sortTile<item, PER>(own, shift, s, rank, count);
        if (threadIdx.x < DIGITS)
            s->target[threadIdx.x] = lookBack(own_state, count) - begin;
        storeSorted<item, PER>(to, shift, s, n - first);
    }
}

/* Words of s->work: the counts of all passes, the numbers of their next tiles, and their states. */
enum { COUNTS = 4 * DIGITS, HEAD = COUNTS + 4 };

template <typename item, int PER> int launchSweepOf(const struct sort *s)
{
    const size_t tiles = blocksFor(s->n, RANK_BLOCK * PER), perPass = (tiles + 1) * DIGITS;
    unsigned int *state = s->work + HEAD;
    struct arrays from = s->from;

    cudaVerify(cudaMemsetAsync(s->work, 0, (HEAD + 4 * perPass) * sizeof *s->work));
    cudaVerifyKernel((countAllDigits<<<gridFor(s->n, 4096), 512>>>(s->from.key, s->n, s->work)));
    cudaVerifyKernel((firstPlaces<<<4, DIGITS>>>(s->work, state, perPass)));
    for (int pass = 0; pass < 4; pass++) {
        cudaVerifyKernel((sweep<item, PER><<<gridFor(s->n, RANK_BLOCK * PER), RANK_BLOCK,
                                             sizeof(struct ranked<item, PER>)>>>(
            from, s->place[pass % 2], s->n, 8 * pass, s->work + COUNTS + pass,
            state + pass * perPass)));
        from = s->place[pass % 2];
    }
    return 1;
}

template <typename item> int launchSweep(const struct sort *s)
{
    return launchSweepOf<item, 4>(s);
}

static size_t workWords(size_t n)
{
    return HEAD + 4 * (blocksFor(n, 2048) + 1) * DIGITS + 256 * 8 * multiprocessors();
}

extern "C" const struct variant deviceVariants[] = {
    {"odd-even, tiles", sortBy<launchOddEven<unsigned int>, launchOddEven<uint2> >},
    {"bitonic, tiles", sortBy<launchBitonicTiles<unsigned int>, launchBitonicTiles<uint2> >},
    {"bitonic", sortBy<launchBitonic<unsigned int>, launchBitonic<uint2> >},
    {"merge", sortBy<launchMerge<unsigned int>, launchMerge<uint2> >},
    {"radix, 1 bit", sortBy<launchSplits<unsigned int, 1>, launchSplits<uint2, 1> >},
    {"radix, 4 bits", sortBy<launchSplits<unsigned int, 4>, launchSplits<uint2, 4> >},
    {"radix, 8 bits, ranks by match", sortBy<launchRanks<unsigned int>, launchRanks<uint2> >},
    {"radix, one sweep", sortBy<launchSweep<unsigned int>, launchSweep<uint2> >},
    {NULL, NULL},
};
