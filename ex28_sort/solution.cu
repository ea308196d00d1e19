/* TASK     n keys of 32 bits in ascending order, with their values: by exchanges, by merging, and
 *          by the bits of the keys.
 * TRAFFIC  8 n bytes, of pairs 16 n: keys read and written.
 * LIMIT    memory bandwidth, times the number of passes. */
#include "items.cuh" /* keys and pairs, tiles in shared memory, the scan of a block */
#include "advanced/ranks.cuh"

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

/* The code around every launch: memory on the device, the copies there and back.
 * Keys with a sign are sorted as numbers without one, in place[1]. */
template <launch_fn launch>
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
        last = launch(&s);
        if (type != UNSIGNED_KEYS)
            cudaVerifyKernel(
                (decodeKeys<<<gridFor(n, block), block>>>(s.place[last].key, n, type)));
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

template <typename item> int oddEven(const struct sort *s)
{
    cudaVerifyKernel(
        (oddEvenTiles<item><<<gridFor(s->n, TILE), blockSize(256)>>>(s->from, s->place[0], s->n)));
    return 0;
}

int launchOddEven(const struct sort *s)
{
    return s->from.value == NULL ? oddEven<unsigned int>(s) : oddEven<uint2>(s);
}

/* 512 rounds for 512 keys, because a key moves by one place at a time. In a bitonic network keys
 * move far at first, and 45 rounds are enough. Runs of size / 2 keys are merged to runs of `size`:
 * the first round compares the run with its mirror image, the others with a fixed stride. So the
 * smaller key always goes first, and places behind the last key need no keys. */
template <typename index>
__device__ void placesOf(index pair, index size, index stride, index *low, index *high)
{
    *low = *high = (index)1 << 30; /* behind all keys */
    // TODO 2 begin: the places that a round compares; the mirror image of i is i ^ (size - 1)
    *low = 2 * pair - (pair & (stride - 1));
    *high = stride == size / 2 ? *low ^ (size - 1) : *low + stride;
    // TODO 2 end
}

/* The rounds with this stride and the smaller ones, within a tile. */
template <typename item> __device__ void exchangeNear(item *s, int count, int size, int stride)
{
    // TODO 2 begin: strides down to 1: all TILE / 2 pairs whose higher place has a key; a barrier
    for (; stride > 0; stride /= 2) {
        for (int pair = threadIdx.x; pair < TILE / 2; pair += blockDim.x) {
            int low, high;

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

template <typename item> int bitonicOfTiles(const struct sort *s)
{
    cudaVerifyKernel(
        (bitonicTiles<item><<<gridFor(s->n, TILE), blockSize(256)>>>(s->from, s->place[0], s->n)));
    return 0;
}

int launchBitonicTiles(const struct sort *s)
{
    return s->from.value == NULL ? bitonicOfTiles<unsigned int>(s) : bitonicOfTiles<uint2>(s);
}

/* Tiles are sorted, the whole is not. The network goes on, over all blocks: a round with a stride
 * of a tile or more is a kernel of its own, since all blocks must have finished the one before. */
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

template <typename item> int bitonic(const struct sort *s)
{
    bitonicOfTiles<item>(s);
    // TODO 3 begin: merge runs of size / 2, from 2 * TILE on, until one run has all n keys
    const struct arrays x = s->place[0];
    const int block = blockSize(256);

    for (size_t size = 2 * TILE; size < 2 * s->n; size *= 2) {
        for (size_t stride = size / 2; stride >= TILE; stride /= 2)
            cudaVerifyKernel(
                (exchangeFar<item><<<gridFor(s->n, 2 * block), block>>>(x, s->n, size, stride)));
        cudaVerifyKernel((exchangeInTiles<item><<<gridFor(s->n, TILE), block>>>(x, s->n)));
    }
    // TODO 3 end
    return 0;
}

int launchBitonic(const struct sort *s)
{
    return s->from.value == NULL ? bitonic<unsigned int>(s) : bitonic<uint2>(s);
}

/* The network makes log2(n)^2 / 2 rounds, and moves all keys in each. Merging two runs takes one
 * round, if threads can begin anywhere in it: where the first `diagonal` keys of the merged run end
 * in a, which is found by bisection. Of equal keys those of a come first. */
template <typename item>
__device__ size_t mergePath(const item *a, size_t aCount, const item *b, size_t bCount,
                            size_t diagonal)
{
    size_t low = diagonal > bCount ? diagonal - bCount : 0, high = smaller(diagonal, aCount);

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

/* An odd number of keys for each thread: 32 lanes that begin so far apart use different banks. */
enum { MERGE_BLOCK = 256, PER_MERGE = 15, MERGE_TILE = MERGE_BLOCK * PER_MERGE };

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

/* Puts the thread's keys back to their places in the tile, when all threads have read it. */
template <typename item> __device__ void putBack(item *s, const item *own, int count)
{
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER_MERGE; k++)
        if (PER_MERGE * (int)threadIdx.x + k < count)
            s[PER_MERGE * threadIdx.x + k] = own[k];
    __syncthreads();
}

/* Sorts each tile: first each thread its own keys, in registers, by rounds of the odd-even sort,
 * then runs twice as long each time. */
template <typename item> __global__ void mergeTiles(struct arrays from, struct arrays to, size_t n)
{
    __shared__ item s[MERGE_TILE];
    const int place = PER_MERGE * threadIdx.x; /* of the thread's first key */
    item own[PER_MERGE];

    for (size_t first = (size_t)blockIdx.x * MERGE_TILE; first < n;
         first += (size_t)gridDim.x * MERGE_TILE) {
        const int count = loadTile(s, MERGE_TILE, from, first, n);

#pragma unroll
        for (int k = 0; k < PER_MERGE; k++)
            if (place + k < count)
                own[k] = s[place + k];
#pragma unroll
        for (int round = 0; round < PER_MERGE; round++)
#pragma unroll
            for (int k = round % 2; k < PER_MERGE - 1; k += 2)
                if (place + k + 1 < count)
                    putInOrder(&own[k], &own[k + 1]);
        putBack(s, own, count);
        for (int width = PER_MERGE; width < count; width *= 2) {
            const int run = min(place / (2 * width) * (2 * width), count);
            const int middle = min(run + width, count), end = min(run + 2 * width, count);

            mergeOwn(own, s + run, middle - run, s + middle, end - middle, place - run);
            putBack(s, own, count);
        }
        storeTile(to, first, s, count);
    }
}

/* Merges runs of `width` keys in pairs, a block for each tile of the result. */
template <typename item>
__global__ void mergeRuns(struct arrays from, struct arrays to, size_t n, size_t width)
{
    __shared__ item s[MERGE_TILE];
    item own[PER_MERGE];

    for (size_t first = (size_t)blockIdx.x * MERGE_TILE; first < n;
         first += (size_t)gridDim.x * MERGE_TILE) {
        const int count = (int)smaller(MERGE_TILE, n - first);
        const size_t run = first / (2 * width) * (2 * width), middle = smaller(run + width, n);
        const size_t end = smaller(run + 2 * width, n);
        int aCount = 0; /* keys of the tile that come from the first run */

        // TODO 5 begin: find the tile's cuts in a by mergePath(); load a's part to s, then b's part
        __shared__ size_t cut[2];

        if (threadIdx.x < 2)
            cut[threadIdx.x] = mergePath(from.key + run, middle - run, from.key + middle,
                                         end - middle, first - run + threadIdx.x * count);
        __syncthreads();
        aCount = (int)(cut[1] - cut[0]);
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            load(&s[i], from,
                 i < aCount ? run + cut[0] + i : middle + (first - run - cut[0]) + i - aCount);
        __syncthreads();
        // TODO 5 end
        mergeOwn(own, s, aCount, s + aCount, count - aCount, PER_MERGE * threadIdx.x);
        putBack(s, own, count);
        storeTile(to, first, s, count);
    }
}

template <typename item> int merge(const struct sort *s)
{
    const unsigned int grid = gridFor(s->n, MERGE_TILE);
    int last = 0;

    cudaVerifyKernel((mergeTiles<item><<<grid, MERGE_BLOCK>>>(s->from, s->place[0], s->n)));
    for (size_t width = MERGE_TILE; width < s->n; width *= 2, last = 1 - last)
        cudaVerifyKernel((mergeRuns<item><<<grid, MERGE_BLOCK>>>(s->place[last], s->place[1 - last],
                                                                 s->n, width)));
    return last;
}

int launchMerge(const struct sort *s)
{
    return s->from.value == NULL ? merge<unsigned int>(s) : merge<uint2>(s);
}

/* Merging moves all keys log2(n / MERGE_TILE) times, and each step of a merge waits for the one
 * before. The bits of a key say where it goes without any comparison. One pass for each digit of
 * some bits, beginning with the last: a key's place is the number of keys with smaller digits, and
 * of those before it with the same one. The latter makes the pass stable, so that it keeps the
 * order by all digits before. Three kernels: each block counts the digits of its part of the keys,
 * one block scans all counts, each block moves its part. */
enum { SPLIT_BLOCK = 256, PER_SPLIT = 15, SPLIT_TILE = SPLIT_BLOCK * PER_SPLIT };
enum { SPLIT_PARTS = 8, RANK_PARTS = 4 }; /* for each multiprocessor */

/* The keys of a block, in whole tiles. */
__device__ void partOfBlock(size_t n, size_t tile, size_t *first, size_t *end)
{
    const size_t tiles = (n + tile - 1) / tile, most = (tiles + gridDim.x - 1) / gridDim.x;

    *first = smaller(n, blockIdx.x * most * tile);
    *end = smaller(n, (blockIdx.x + 1) * most * tile);
}

/* table[digit * gridDim.x + block]: how many keys of the block's part have this digit. */
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

template <typename item, int BITS> int splits(const struct sort *s)
{
    const unsigned int parts = SPLIT_PARTS * multiprocessors();
    const unsigned int grid = min(gridFor(s->n, SPLIT_TILE), parts);
    struct arrays from = s->from;
    int to = 0;

    for (int shift = 0; shift < 32; shift += BITS, to = 1 - to) {
        cudaVerifyKernel(
            (countDigits<BITS><<<grid, SPLIT_BLOCK>>>(from.key, s->n, SPLIT_TILE, shift, s->work)));
        cudaVerifyKernel((scanTable<<<1, 1024>>>(s->work, (int)grid << BITS)));
        cudaVerifyKernel((moveBySplits<item, BITS>
                          <<<grid, SPLIT_BLOCK>>>(from, s->place[to], s->n, shift, s->work)));
        from = s->place[to];
    }
    return 1 - to;
}

int launchOneBit(const struct sort *s)
{
    return s->from.value == NULL ? splits<unsigned int, 1>(s) : splits<uint2, 1>(s);
}

int launchFourBits(const struct sort *s)
{
    return s->from.value == NULL ? splits<unsigned int, 4>(s) : splits<uint2, 4>(s);
}

/* A digit of 8 bits makes half as many passes as one of 4, but eight splits sort its tile. Here one
 * step does, as a pass does for the whole: each warp counts its digits, a scan gives the place of
 * its first key with each digit, and the warp deals out places, 32 keys at a time. Lanes whose keys
 * have the same digit are peers; they take their places in the order of the lanes. The rest of the
 * tile's sort is in advanced/ranks.cuh.
 *
 * The place of the lane's key, with this digit, in the sorted tile. All lanes of the warp call it
 * together; peers[] and next[] are the warp's. byVotes: by peersByVotes(), and not by peers[]. */
__device__ __forceinline__ unsigned int takePlace(unsigned int digit, int byVotes,
                                                  unsigned int *peers, unsigned int *next)
{
    unsigned int place = 0;

    // TODO 8 begin: (advanced) find the peers, count those before, raise next[digit]
    const unsigned int lane = threadIdx.x % WARP;
    unsigned int lanes;

    if (byVotes) {
        lanes = peersByVotes(digit);
    } else {
        atomicOr(&peers[digit], 1u << lane);
        syncWarp();
        lanes = peers[digit];
    }
    place = next[digit] + __popc(lanes & ((1u << lane) - 1));
    syncWarp();
    if (lanes >> lane == 1) { /* the last of the peers */
        next[digit] = place + 1;
        if (!byVotes)
            peers[digit] = 0;
    }
    syncWarp();
    // TODO 8 end
    return place;
}

template <int PER, int PAIRS>
__global__ void __launch_bounds__(RANK_BLOCK, 2)
    moveByRanks(struct arrays from, struct arrays to, size_t n, int shift,
                const unsigned int *table)
{
    struct ranked<PER> *s = (struct ranked<PER> *)dynamicShared;
    unsigned int next = table[threadIdx.x * gridDim.x + blockIdx.x];
    unsigned int key[PER], value[PER];
    unsigned short place[PER];
    size_t first, end;

    partOfBlock(n, RANK_BLOCK * PER, &first, &end);
    for (; first < end; first += RANK_BLOCK * PER) {
        const unsigned int keys = keysInTile<PER>(first, end);
        unsigned int count;

        __syncthreads(); /* the tile before is stored */
        clear(s);
        __syncthreads();
        count = countTile<PER>(key, from.key + first, keys, shift, s);

        s->target[threadIdx.x] = next - sortTile<PER>(key, shift, s, count, place);
        next += count;
        if (PAIRS)
            loadValues<PER>(value, from.value + first, keys);
        storeSorted<PER, PAIRS>(to, keys, shift, s, value, place);
    }
}

template <int PER, int PAIRS> int ranks(const struct sort *s)
{
    const size_t tile = RANK_BLOCK * PER, shared = sharedBytes<PER, PAIRS>();
    const unsigned int parts = RANK_PARTS * multiprocessors();
    const unsigned int grid = min(gridFor(s->n, tile), parts);
    struct arrays from = s->from;

#if CUDART_VERSION >= 9000
    cudaVerify(cudaFuncSetAttribute(moveByRanks<PER, PAIRS>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
#endif
    for (int pass = 0; pass < 4; pass++) {
        const struct arrays to = s->place[pass % 2];

        cudaVerifyKernel(
            (countDigits<8><<<grid, RANK_BLOCK>>>(from.key, s->n, tile, 8 * pass, s->work)));
        cudaVerifyKernel((scanTable<<<1, 1024>>>(s->work, (int)grid * DIGITS)));
        // TODO 8 begin: (advanced) launch moveByRanks(), with `shared` bytes for its tile
        cudaVerifyKernel((moveByRanks<PER, PAIRS>
                          <<<grid, RANK_BLOCK, shared>>>(from, to, s->n, 8 * pass, s->work)));
        // TODO 8 end
        from = to;
    }
    return 1;
}

int launchRanks(const struct sort *s)
{
    if (s->from.value != NULL)
        return takesMany(s->n, MANY_PAIRS, sharedBytes<MANY_PAIRS, 1>()) ? ranks<MANY_PAIRS, 1>(s)
                                                                         : ranks<FEW, 1>(s);
    return takesMany(s->n, MANY, sharedBytes<MANY, 0>()) ? ranks<MANY, 0>(s) : ranks<FEW, 0>(s);
}

/* Each pass reads the keys twice, to count and to move them, and needs three kernels. But how many
 * keys have a digit does not depend on their order: one kernel counts the digits of all passes.
 * What is left is how many keys with the same digit the tiles before this one have. A block learns
 * it by looking back, as in the scan of ex26: each tile tells its own counts as soon as it knows
 * them, and the sums of all tiles up to it once it knows those. */
#define OF_TILE 0x40000000u /* marks of a told number; 0: not told yet */
#define OF_ALL 0x80000000u
#define NUMBER 0x3fffffffu

__device__ void countDigitsOf(unsigned int key, unsigned int (*count)[DIGITS])
{
    // TODO 9 begin: (advanced) count[pass][digit] for all four digits
    for (int pass = 0; pass < 4; pass++)
        atomicAdd(&count[pass][digitOf<8>(key, 8 * pass)], 1);
    // TODO 9 end
}

/* count[pass * DIGITS + digit], zero before. */
__global__ void countAllDigits(const unsigned int *key, size_t n, unsigned int *count)
{
    __shared__ unsigned int ofBlock[4][DIGITS];
    const uint4 *quads = (const uint4 *)key;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    const size_t own = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int d = threadIdx.x; d < 4 * DIGITS; d += blockDim.x)
        ofBlock[0][d] = 0;
    __syncthreads();
#pragma unroll 4
    for (size_t i = own; i < n / 4; i += stride) {
        const uint4 quad = quads[i];

        countDigitsOf(quad.x, ofBlock);
        countDigitsOf(quad.y, ofBlock);
        countDigitsOf(quad.z, ofBlock);
        countDigitsOf(quad.w, ofBlock);
    }
    if (own < n % 4)
        countDigitsOf(key[n - 1 - own], ofBlock);
    __syncthreads();
    for (int d = threadIdx.x; d < 4 * DIGITS; d += blockDim.x)
        atomicAdd(&count[d], ofBlock[0][d]);
}

/* A pass has a row of told numbers for each tile, and one before those of the first tile: where the
 * digits begin. */
__global__ void tellBegins(const unsigned int *count, unsigned int *told, size_t perPass)
{
    unsigned int all;
    const unsigned int begin = blockScan(count[blockIdx.x * DIGITS + threadIdx.x], &all);

    told[blockIdx.x * perPass + threadIdx.x] = OF_ALL | begin;
}

/* Where the tile's first key with digit threadIdx.x goes, `count` keys; told is that of tile and
 * digit. */
__device__ unsigned int lookBack(volatile unsigned int *told, unsigned int count)
{
    unsigned int place = 0;

    // TODO 9 begin: (advanced) add up the tiles before, back to one that tells of all; then tell it
    volatile unsigned int *before = told - DIGITS;
    unsigned int found;

    do {
        while ((found = *before) == 0)
            ;
        place += found & NUMBER;
        before -= DIGITS;
    } while (!(found & OF_ALL));
    *told = OF_ALL | (place + count);
    // TODO 9 end
    return place;
}

/* Each block takes a tile. Tiles are numbered in the order in which blocks begin, so that a block
 * waits only for those that have begun before it. */
template <int PER, int PAIRS>
__global__ void __launch_bounds__(RANK_BLOCK, 2)
    sweep(struct arrays from, struct arrays to, size_t n, int shift, unsigned int *nextTile,
          volatile unsigned int *told)
{
    struct ranked<PER> *s = (struct ranked<PER> *)dynamicShared;
    unsigned int key[PER], value[PER], keys, count, begin;
    unsigned short place[PER];
    size_t first;

    if (threadIdx.x == 0)
        s->tile = atomicAdd(nextTile, 1);
    clear(s);
    __syncthreads();
    first = (size_t)s->tile * RANK_BLOCK * PER;
    if (first >= n)
        return;
    told += (size_t)(s->tile + 1) * DIGITS + threadIdx.x;
    keys = keysInTile<PER>(first, n);
    count = countTile<PER>(key, from.key + first, keys, shift, s);
    *told = OF_TILE | count;
    begin = sortTile<PER>(key, shift, s, count, place);
    if (PAIRS)
        loadValues<PER>(value, from.value + first, keys);
    s->target[threadIdx.x] = lookBack(told, count) - begin;
    storeSorted<PER, PAIRS>(to, keys, shift, s, value, place);
}

/* Words of s->work: the counts of all passes, their next tiles, what is told. */
enum { COUNTS = 4 * DIGITS, HEAD = COUNTS + 4 };

template <int PER, int PAIRS> int sweeps(const struct sort *s)
{
    const size_t tiles = blocksFor(s->n, RANK_BLOCK * PER), perPass = (tiles + 1) * DIGITS;
    const size_t shared = sharedBytes<PER, PAIRS>();
    const unsigned int counters = min(gridFor(s->n, 4096), 2u * multiprocessors());
    const dim3 grid(min((unsigned int)tiles, 65535u), (unsigned int)tiles / 65535 + 1);
    unsigned int *told = s->work + HEAD;
    struct arrays from = s->from;

#if CUDART_VERSION >= 9000
    cudaVerify(cudaFuncSetAttribute(sweep<PER, PAIRS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    (int)shared));
#endif
    cudaVerify(cudaMemsetAsync(s->work, 0, (HEAD + 4 * perPass) * sizeof *s->work));
    cudaVerifyKernel((countAllDigits<<<counters, 1024>>>(s->from.key, s->n, s->work)));
    cudaVerifyKernel((tellBegins<<<4, DIGITS>>>(s->work, told, perPass)));
    for (int pass = 0; pass < 4 && tiles > 0; pass++, told += perPass) {
        const struct arrays to = s->place[pass % 2];

        // TODO 9 begin: (advanced) launch sweep(), with `shared` bytes for its tile
        cudaVerifyKernel((sweep<PER, PAIRS><<<grid, RANK_BLOCK, shared>>>(
            from, to, s->n, 8 * pass, s->work + COUNTS + pass, told)));
        // TODO 9 end
        from = to;
    }
    return 1;
}

int launchSweep(const struct sort *s)
{
    if (s->from.value != NULL)
        return takesMany(s->n, MANY_PAIRS, sharedBytes<MANY_PAIRS, 1>()) ? sweeps<MANY_PAIRS, 1>(s)
                                                                         : sweeps<FEW, 1>(s);
    return takesMany(s->n, MANY, sharedBytes<MANY, 0>()) ? sweeps<MANY, 0>(s) : sweeps<FEW, 0>(s);
}

/* The most that a launch needs of s->work: the table of launchRanks(), or what launchSweep()
 * tells. */
static size_t workWords(size_t n)
{
    const size_t table = (size_t)DIGITS * RANK_PARTS * multiprocessors();
    const size_t told = HEAD + 4 * (blocksFor(n, RANK_BLOCK * FEW) + 1) * DIGITS;

    return table > told ? table : told;
}

extern "C" const struct variant deviceVariants[] = {
    {"odd-even, tiles", sortBy<launchOddEven>},
    {"bitonic, tiles", sortBy<launchBitonicTiles>},
    {"bitonic", sortBy<launchBitonic>},
    {"merge", sortBy<launchMerge>},
    {"radix, 1 bit", sortBy<launchOneBit>},
    {"radix, 4 bits", sortBy<launchFourBits>},
    {"radix, 8 bits, ranks by match", sortBy<launchRanks>},
    {"radix, one sweep", sortBy<launchSweep>},
    {NULL, NULL},
};
