/* The CUB that courses use, against plain loops; and memory of a block that is used again too
 * early. */
#include <cub/cub.cuh>

#include "cases.h"

#if CUDART_VERSION >= 13000
#include <cuda/std/functional>
#define PLUS cuda::std::plus<>()
#else
#define PLUS cub::Sum() /* until CUDA 12 */
#endif
struct Differ {
    __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};
const int N = 500; /* an enumerator is no size to CUB 3 */
static int *d_in, *d_out, *d_places, *d_large, h_in[N];
static void prepare(void)
{
    CHECK(cudaMalloc(&d_in, sizeof h_in));
    CHECK(cudaMalloc(&d_out, sizeof h_in));
    CHECK(cudaMalloc(&d_places, 2 * sizeof h_in));
    CHECK(cudaMalloc(&d_large, 4 * sizeof h_in));
    for (int i = 0; i < N; i++)
        h_in[i] = i * 7919 % 97 - 40;
    CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
}

#define TWICE(call)                                                                                \
    do {                                                                                           \
        void *room = NULL;                                                                         \
        size_t bytes = 0;                                                                          \
        CHECK(call);                                                                               \
        CHECK(cudaMalloc(&room, bytes));                                                           \
        CHECK(call);                                                                               \
        CHECK(cudaFree(room));                                                                     \
    } while (0)
static void wholeDevice(void)
{
    int got[N], sum = 0, largest = -1000;
    for (int i = 0; i < N; i++) {
        sum += h_in[i];
        largest = h_in[i] > largest ? h_in[i] : largest;
    }
    TWICE(cub::DeviceReduce::Sum(room, bytes, d_in, d_out, N));
    CHECK(cudaMemcpy(got, d_out, sizeof *got, cudaMemcpyDeviceToHost));
    must(got[0] == sum, "DeviceReduce::Sum");
    TWICE(cub::DeviceReduce::Max(room, bytes, d_in, d_out, N));
    CHECK(cudaMemcpy(got, d_out, sizeof *got, cudaMemcpyDeviceToHost));
    must(got[0] == largest, "DeviceReduce::Max");
    TWICE(cub::DeviceScan::ExclusiveSum(room, bytes, d_in, d_out, N));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    must(got[0] == 0 && got[N - 1] == sum - h_in[N - 1], "DeviceScan::ExclusiveSum");
    const int keys[] = {3, 3, 1, 3, 2, 2}, weights[] = {1, 2, 4, 8, 16, 32};
    CHECK(cudaMemcpy(d_places, keys, sizeof keys, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_places + 6, weights, sizeof weights, cudaMemcpyHostToDevice));
    TWICE(cub::DeviceReduce::ReduceByKey(room, bytes, d_places, d_out, d_places + 6, d_out + 10,
                                         d_out + 20, PLUS, 6));
    CHECK(cudaMemcpy(got, d_out, 21 * sizeof *got, cudaMemcpyDeviceToHost));
    must(got[20] == 4 && got[0] == 3 && got[1] == 1 && got[2] == 3 && got[3] == 2,
         "ReduceByKey: keys");
    must(got[10] == 3 && got[11] == 4 && got[12] == 8 && got[13] == 48, "ReduceByKey: sums");
    CHECK(cudaMemset(d_out, 0, sizeof h_in));
    CHECK(cudaMemcpy(d_places, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    TWICE(cub::DeviceRadixSort::SortPairs(room, bytes, d_in, d_out, d_places, d_places + N, N));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 1; i < N; i++)
        must(got[i - 1] <= got[i], "SortPairs: keys");
    int values[N];
    CHECK(cudaMemcpy(values, d_places + N, sizeof values, cudaMemcpyDeviceToHost));
    must(memcmp(values, got, sizeof got) == 0, "SortPairs: values");
    TWICE(cub::DeviceRadixSort::SortKeysDescending(room, bytes, d_in, d_out, N));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    must(got[0] == largest && got[N - 1] <= got[N - 2], "SortKeysDescending");
}

template <bool waits> __global__ void blocks(const int *x, int *y)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::WarpReduce<int> Warp;
    __shared__ typename Reduce::TempStorage reduce;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Warp::TempStorage warp[4];
    const int t = threadIdx.x;
    const int sum = Reduce(reduce).Sum(x[t]);
    if (waits)
        __syncthreads();
    const int largest = Reduce(reduce).Reduce(x[t] + 1, [](int a, int b) { return a < b ? b : a; });
    int before;
    Scan(scan).ExclusiveSum(x[t], before);
    const int part = Warp(warp[t / 32]).Sum(x[t]);
    y[t] = before;
    if (t == 0) {
        y[128] = sum;
        y[129] = largest;
    }
    if (t % 32 == 0)
        y[130 + t / 32] = part;
}
static void blocksAndWarps(void)
{
    int y[134], sum = 0, part = 0, largest = -1000;
    blocks<true><<<1, 128>>>(d_in, d_out);
    CHECK(cudaMemcpy(y, d_out, sizeof y, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 128; t++) {
        must(y[t] == sum, "BlockScan");
        sum += h_in[t];
        part += t >= 96 ? h_in[t] : 0;
        largest = h_in[t] > largest ? h_in[t] : largest;
    }
    must(y[128] == sum && y[129] == largest + 1, "BlockReduce");
    must(y[133] == part, "WarpReduce");
}
static void usedAgainTooEarly(void) { blocks<false><<<1, 128>>>(d_in, d_out); }

/* Whatever the threads load, scan, exchange and store, in parts of 3 for each of 96 threads */
enum { kThreads = 96, kItems = 3, kTile = kThreads * kItems };
struct Affine { /* x -> factor * x + summand: what does not commute */
    long long factor, summand;
};
struct After {
    __host__ __device__ Affine operator()(const Affine &first, const Affine &then) const
    {
        const Affine both = {first.factor * then.factor % 10007,
                             (then.factor * first.summand + then.summand) % 10007};
        return both;
    }
};
__global__ void tiles(const int *x, int n, int *y)
{
    typedef cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    typedef cub::BlockScan<int, kThreads> Scan;
    typedef cub::BlockScan<Affine, kThreads> Compose;
    typedef cub::BlockExchange<int, kThreads, kItems> Exchange;
    typedef cub::BlockAdjacentDifference<int, kThreads> Difference;
    __shared__ typename Load::TempStorage load;
    __shared__ typename Store::TempStorage store;
    __shared__ typename Scan::TempStorage scan;
    __shared__ typename Compose::TempStorage compose;
    __shared__ typename Exchange::TempStorage exchange;
    __shared__ typename Difference::TempStorage difference;
    int mine[kItems], sums[kItems], all, shares[kItems], steps[kItems];
    Load(load).Load(x, mine, n, 0);
    Scan(scan).ExclusiveSum(mine, sums, all);
    Store(store).Store(y, sums, n);
    Exchange(exchange).BlockedToStriped(mine, shares);
    cub::StoreDirectStriped<kThreads>(threadIdx.x, y + kTile, shares);
    Difference(difference).SubtractLeft(mine, steps, [](int right, int left) {
        return right - left;
    });
    cub::StoreDirectBlocked(threadIdx.x, y + 2 * kTile, steps);
    const Affine own = {mine[0] + 100, mine[1]}, one = {1, 0};
    Affine before;
    Compose(compose).ExclusiveScan(own, before, one, After());
    y[3 * kTile + threadIdx.x] = (int)(before.factor * 7 + before.summand);
    if (threadIdx.x == 0)
        y[3 * kTile + kThreads] = all;
}
static void tilesOfABlock(void)
{
    static int y[3 * kTile + kThreads + 1];
    const int n = kTile - 7;
    int sum = 0;
    tiles<<<1, kThreads>>>(d_in, n, d_large);
    CHECK(cudaMemcpy(y, d_large, sizeof y, cudaMemcpyDeviceToHost));
    Affine before = {1, 0};
    for (int i = 0; i < kTile; i++) {
        const int x = i < n ? h_in[i] : 0, left = i == 0 ? 0 : h_in[i - 1];
        must(i >= n || y[i] == sum, "BlockScan of several items");
        must(y[kTile + i] == x, "BlockExchange");
        must(y[2 * kTile + i] == (i <= n ? x - left : 0), "BlockAdjacentDifference");
        sum += x;
    }
    must(y[3 * kTile + kThreads] == sum, "BlockScan: the sum of all");
    for (int t = 0; t < kThreads; t++) {
        must(y[3 * kTile + t] == before.factor * 7 + before.summand, "BlockScan with an operation");
        const int first = kItems * t < n ? h_in[kItems * t] : 0,
                  second = kItems * t + 1 < n ? h_in[kItems * t + 1] : 0;
        const Affine own = {first + 100, second};
        before = After()(before, own);
    }
}

/* A tile of which only the first n items are valid, and the neighbours of a tile's ends */
__global__ void endsOfTiles(const int *x, int n, int *y)
{
    typedef cub::BlockAdjacentDifference<int, kThreads> Difference;
    typedef cub::BlockDiscontinuity<int, kThreads> Discontinuity;
    __shared__ typename Difference::TempStorage room[4];
    __shared__ typename Discontinuity::TempStorage more;
    const Minus minus = Minus();
    const int t = threadIdx.x, neighbour = x[n];
    int mine[kItems], steps[kItems], ends[kItems];
    cub::LoadDirectBlocked(t, x, mine, n, -7);
    Difference(room[0]).SubtractLeftPartialTile(mine, steps, minus, n);
    cub::StoreDirectBlocked(t, y, steps);
    Difference(room[1]).SubtractLeft(mine, steps, minus, neighbour);
    cub::StoreDirectBlocked(t, y + kTile, steps);
    Difference(room[2]).SubtractRightPartialTile(mine, steps, minus, n);
    cub::StoreDirectBlocked(t, y + 2 * kTile, steps);
    Difference(room[3]).SubtractRight(mine, steps, minus, neighbour);
    cub::StoreDirectBlocked(t, y + 3 * kTile, steps);
    Discontinuity(more).FlagTails(ends, mine, Differ());
    cub::StoreDirectBlocked(t, y + 4 * kTile, ends, n);
    cub::LoadDirectStriped<kThreads>(t, x, mine, n - 2, -8);
    cub::StoreDirectStriped<kThreads>(t, y + 5 * kTile, mine, n);
}
static void endsOfATile(void)
{
    const int n = kTile - 7, last = kTile - 1, after = h_in[n];
    static int y[6 * kTile], v[kTile];
    for (int i = 0; i < kTile; i++)
        v[i] = i < n ? h_in[i] : -7;
    CHECK(cudaMemset(d_large, 0xff, sizeof y));
    endsOfTiles<<<1, kThreads>>>(d_in, n, d_large);
    CHECK(cudaMemcpy(y, d_large, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kTile; i++) {
        const int left = i ? v[i] - v[i - 1] : v[i], right = i < last ? v[i] - v[i + 1] : v[i];
        must(y[i] == (i < n ? left : v[i]), "SubtractLeftPartialTile");
        must(y[kTile + i] == (i ? left : v[i] - after), "SubtractLeft with the item before");
        must(y[2 * kTile + i] == (i + 1 < n ? right : v[i]), "SubtractRightPartialTile");
        must(y[3 * kTile + i] == (i < last ? right : v[i] - after), "SubtractRight, item after");
        must(y[4 * kTile + i] == (i >= n ? -1 : i == last || v[i] != v[i + 1]), "FlagTails");
        must(y[5 * kTile + i] == (i >= n ? -1 : i < n - 2 ? v[i] : -8), "striped, part of a tile");
    }
}

__global__ void halves(const int *x, int *y)
{
    typedef cub::WarpScan<int, 16> Scan;
    typedef cub::WarpReduce<int> Reduce;
    typedef cub::WarpExchange<int, 2, 16> Exchange;
    __shared__ typename Scan::TempStorage scan[4];
    __shared__ typename Reduce::TempStorage reduce[2];
    __shared__ typename Exchange::TempStorage exchange[4];
    const int t = threadIdx.x;
    int before, all, pair[2] = {x[t], x[64 + t]}, out[2];
    Scan(scan[t / 16]).ExclusiveSum(x[t], before, all);
    y[t] = before + 1000 * all;
    const int few = Reduce(reduce[t / 32]).Sum(x[t], 20);
    if (t % 32 == 0)
        y[64 + t / 32] = few;
    Exchange(exchange[t / 16]).StripedToBlocked(pair, out);
    y[66 + 2 * t] = out[0];
    y[67 + 2 * t] = out[1];
}
static void halvesOfAWarp(void)
{
    int y[66 + 128];
    halves<<<1, 64>>>(d_in, d_out);
    CHECK(cudaMemcpy(y, d_out, sizeof y, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 64; t++) {
        int before = 0, all = 0;
        for (int i = t / 16 * 16; i < t / 16 * 16 + 16; i++) {
            before += i < t ? h_in[i] : 0;
            all += h_in[i];
        }
        must(y[t] == before + 1000 * all, "WarpScan of 16 lanes");
        for (int k = 0; k < 2; k++) {
            const int i = t % 16 * 2 + k; /* of 32 items that lie first in steps of 16 */
            must(y[66 + 2 * t + k] == h_in[i / 16 * 64 + t / 16 * 16 + i % 16], "WarpExchange");
        }
    }
    int few = 0;
    for (int i = 0; i < 20; i++)
        few += h_in[i];
    must(y[64] == few, "WarpReduce of 20 lanes");
}

/* Without <chrono> and <assert.h> in this file: CUB's headers bring them along. */
typedef std::chrono::steady_clock::time_point Moment;
struct Odd {
    __host__ __device__ bool operator()(int x) const
    {
        assert(x < 100);
        return x & 1;
    }
};
struct Larger {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
static void selections(void)
{
    const Moment begin = std::chrono::steady_clock::now();
    int got[N], odd = 0, largest = -500;
    unsigned char flags[N], *d_flags;
    CHECK(cudaMalloc(&d_flags, sizeof flags));
    for (int i = 0; i < N; i++)
        flags[i] = i % 7 == 3;
    CHECK(cudaMemset(d_flags, 200, sizeof flags));
    TWICE(cub::DeviceReduce::Sum(room, bytes, d_flags, d_out, N));
    CHECK(cudaMemcpy(got, d_out, sizeof *got, cudaMemcpyDeviceToHost));
    must(got[0] == 200 * N, "DeviceReduce::Sum of bytes");
    TWICE(cub::DeviceScan::ExclusiveSum(room, bytes, d_flags, d_out, N));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    must(got[N - 1] == 200 * (N - 1), "DeviceScan::ExclusiveSum of bytes");
    CHECK(cudaMemcpy(d_flags, flags, sizeof flags, cudaMemcpyHostToDevice));
    TWICE(cub::DeviceScan::ExclusiveScan(room, bytes, d_in, d_out, Larger(), -500, N));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        must(got[i] == largest, "DeviceScan::ExclusiveScan");
        largest = h_in[i] > largest ? h_in[i] : largest;
        odd += h_in[i] & 1;
    }
    TWICE(cub::DeviceScan::InclusiveScan(room, bytes, d_in, d_out, Larger(), N));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    must(got[0] == h_in[0] && got[N - 1] == largest, "DeviceScan::InclusiveScan");
    TWICE(cub::DeviceSelect::If(room, bytes, d_in, d_out, d_places, N, Odd()));
    CHECK(cudaMemcpy(got, d_places, sizeof *got, cudaMemcpyDeviceToHost));
    must(got[0] == odd, "DeviceSelect::If");
    TWICE(cub::DeviceSelect::Flagged(room, bytes, d_in, d_flags, d_out, d_places, N));
    CHECK(cudaMemcpy(got, d_places, sizeof *got, cudaMemcpyDeviceToHost));
    must(got[0] == (N + 3) / 7, "DeviceSelect::Flagged: how many");
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    must(got[0] == h_in[3] && got[10] == h_in[73], "DeviceSelect::Flagged");
#if CUDART_VERSION < 13000 /* CUB 3 leaves these iterators to Thrust */
    cub::CountingInputIterator<int> counted(0);
    cub::TransformInputIterator<bool, Odd, int *> odds(d_in, Odd());
    TWICE(cub::DeviceSelect::Flagged(room, bytes, counted, odds, d_out, d_places, N));
    CHECK(cudaMemcpy(got, d_places, sizeof *got, cudaMemcpyDeviceToHost));
    must(got[0] == odd, "TransformInputIterator");
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < odd; i++)
        must(h_in[got[i]] & 1, "CountingInputIterator");
#endif
    const int runs[] = {5, 5, 5, 1, 5, 5};
    CHECK(cudaMemcpy(d_places, runs, sizeof runs, cudaMemcpyHostToDevice));
    TWICE(cub::DeviceRunLengthEncode::Encode(room, bytes, d_places, d_out, d_out + 10, d_out + 20,
                                             6));
    CHECK(cudaMemcpy(got, d_out, 21 * sizeof *got, cudaMemcpyDeviceToHost));
    must(got[20] == 3 && got[1] == 1 && got[10] == 3 && got[11] == 1 && got[12] == 2,
         "DeviceRunLengthEncode");
    TWICE(cub::DeviceSelect::Unique(room, bytes, d_places, d_out, d_out + 20, 6));
    CHECK(cudaMemcpy(got, d_out, 21 * sizeof *got, cudaMemcpyDeviceToHost));
    must(got[20] == 3 && got[0] == 5 && got[1] == 1 && got[2] == 5, "DeviceSelect::Unique");
    CHECK(cudaFree(d_flags));
    must(std::chrono::steady_clock::now() >= begin, "time goes on");
}

/* ---- sorts, neighbours and counts of a block; segments and parts of the device ---- */
__global__ void sortBlock(const int *in, int *out, int *values)
{
    typedef cub::BlockRadixSort<int, 64, 4, int> Sort;
    typedef cub::BlockDiscontinuity<int, 64> Neighbours;
    typedef cub::BlockHistogram<int, 64, 4, 100> Histogram;
    __shared__ union {
        Sort::TempStorage sort;
        Neighbours::TempStorage neighbours;
        Histogram::TempStorage histogram;
    } room;
    __shared__ int bins[100];
    int keys[4], counted[4], places[4], heads[4]; // CUB sorts what it has counted
    for (int k = 0; k < 4; k++) {
        places[k] = 4 * (int)threadIdx.x + k;
        keys[k] = counted[k] = in[places[k]] + 40;
    }
    Histogram(room.histogram).Histogram(counted, bins);
    __syncthreads();
    Sort(room.sort).SortDescending(keys, places);
    __syncthreads();
    Neighbours(room.neighbours).FlagHeads(heads, keys, Differ());
    for (int k = 0; k < 4; k++) {
        out[4 * threadIdx.x + k] = keys[k];
        values[4 * threadIdx.x + k] = heads[k] ? bins[keys[k]] : -places[k];
    }
}
static void sortedBlock(void)
{
    int got[256], values[256];
    sortBlock<<<1, 64>>>(d_in, d_out, d_places);
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(values, d_places, sizeof values, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) {
        int count = 0;
        for (int j = 0; j < 256; j++)
            count += h_in[j] + 40 == got[i];
        if (i == 0 || got[i] < got[i - 1])
            must(values[i] == count, "BlockHistogram, BlockDiscontinuity");
        else
            must(got[i] == got[i - 1] && h_in[-values[i]] + 40 == got[i], "BlockRadixSort");
    }
}
static void segments(void)
{
    const int borders[] = {0, 10, 10, N};
    int got[N], sum = 0, count = 0;
    CHECK(cudaMemcpy(d_places, borders, sizeof borders, cudaMemcpyHostToDevice));
    TWICE(cub::DeviceSegmentedReduce::Sum(room, bytes, d_in, d_out, 3, d_places, d_places + 1));
    CHECK(cudaMemcpy(got, d_out, 3 * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 10; i++)
        sum += h_in[i];
    must(got[0] == sum && got[1] == 0, "DeviceSegmentedReduce");
    TWICE(cub::DeviceHistogram::HistogramEven(room, bytes, d_in, d_out, 11, -40, 60, N));
    CHECK(cudaMemcpy(got, d_out, 10 * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        count += h_in[i] >= -20 && h_in[i] < -10;
    must(got[2] == count, "DeviceHistogram::HistogramEven");
    const int levels[] = {-40, -20, -10, 3, 50};
    CHECK(cudaMemcpy(d_places, levels, sizeof levels, cudaMemcpyHostToDevice));
    cub::CachingDeviceAllocator allocator(8, 3, 7);
    void *room = NULL;
    size_t bytes = 0;
    CHECK(cub::DeviceHistogram::HistogramRange(room, bytes, d_in, d_out, 5, d_places, N));
    CHECK(allocator.DeviceAllocate(&room, bytes));
    CHECK(cub::DeviceHistogram::HistogramRange(room, bytes, d_in, d_out, 5, d_places, N));
    CHECK(allocator.DeviceFree(room));
    CHECK(allocator.FreeAllCached());
    CHECK(cudaMemcpy(got, d_out, 4 * sizeof *got, cudaMemcpyDeviceToHost));
    for (int bin = 0; bin < 4; bin++) {
        count = 0;
        for (int i = 0; i < N; i++)
            count += h_in[i] >= levels[bin] && h_in[i] < levels[bin + 1];
        must(got[bin] == count, "HistogramRange");
    }
    TWICE(cub::DevicePartition::If(room, bytes, d_in, d_out, d_places, N, Odd()));
    CHECK(cudaMemcpy(&count, d_places, sizeof count, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    must((got[count - 1] & 1) && !(got[count] & 1) && got[N - 1] == h_in[0],
         "DevicePartition: the others backwards");
    CHECK(cudaMemcpy(d_places, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    cub::DoubleBuffer<int> keys(d_places, d_out);
    TWICE(cub::DeviceRadixSort::SortKeys(room, bytes, keys, N));
    CHECK(cudaMemcpy(got, keys.Current(), sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 1; i < N; i++)
        must(got[i - 1] <= got[i], "DoubleBuffer");
#if CUDART_VERSION < 13000
    cub::KeyValuePair<int, int> least;
    TWICE(cub::DeviceReduce::ArgMin(room, bytes, d_in, (cub::KeyValuePair<int, int> *)d_out, N));
    CHECK(cudaMemcpy(&least, d_out, sizeof least, cudaMemcpyDeviceToHost));
    must(least.value == -40 && least.key == 0, "DeviceReduce::ArgMin");
#endif
}

/* One thread's work on the emulated device, which is long, and not endless */
static void longReduction(void)
{
    const int n = 1 << 24;
    unsigned char *ones;
    int *d_sum, sum;
    CHECK(cudaMalloc(&ones, n));
    CHECK(cudaMalloc(&d_sum, sizeof sum));
    CHECK(cudaMemset(ones, 1, n));
    TWICE(cub::DeviceReduce::Sum(room, bytes, ones, d_sum, n));
    CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    must(sum == n, "DeviceReduce::Sum of many");
    CHECK(cudaFree(ones));
    CHECK(cudaFree(d_sum));
}

static const struct test tests[] = {
    CLEAN(longReduction),  CLEAN(sortedBlock),
    CLEAN(segments),       CLEAN(tilesOfABlock),
    CLEAN(endsOfATile),    CLEAN(halvesOfAWarp),
    CLEAN(selections),     CLEAN(wholeDevice),
    CLEAN(blocksAndWarps), FINDS(usedAgainTooEarly, "race", "shared variable reduce"),
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
