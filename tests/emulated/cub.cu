/* The CUB that courses use, against plain loops; and memory of a block that is used again too early. */
#include <cub/cub.cuh>

#include "cases.h"

#if CUDART_VERSION >= 13000
#include <cuda/std/functional>
#define PLUS cuda::std::plus<>()
#else
#define PLUS cub::Sum() /* until CUDA 12 */
#endif
const int N = 500; /* an enumerator is no size to CUB 3 */
static int *d_in, *d_out, *d_places, h_in[N];
static void prepare(void)
{
    CHECK(cudaMalloc(&d_in, sizeof h_in));
    CHECK(cudaMalloc(&d_out, sizeof h_in));
    CHECK(cudaMalloc(&d_places, 2 * sizeof h_in));
    for (int i = 0; i < N; i++)
        h_in[i] = i * 7919 % 97 - 40;
    CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
}
static void must(int condition, const char *what)
{
    if (!condition) {
        printf("FAILED: %s\n", what);
        exit(2);
    }
}

#define TWICE(call)                                                                                                    \
    do {                                                                                                               \
        void *room = NULL;                                                                                             \
        size_t bytes = 0;                                                                                              \
        CHECK(call);                                                                                                   \
        CHECK(cudaMalloc(&room, bytes));                                                                               \
        CHECK(call);                                                                                                   \
        CHECK(cudaFree(room));                                                                                         \
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
    TWICE(cub::DeviceReduce::ReduceByKey(room, bytes, d_places, d_out, d_places + 6, d_out + 10, d_out + 20, PLUS, 6));
    CHECK(cudaMemcpy(got, d_out, 21 * sizeof *got, cudaMemcpyDeviceToHost));
    must(got[20] == 4 && got[0] == 3 && got[1] == 1 && got[2] == 3 && got[3] == 2, "ReduceByKey: keys");
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

static const struct test tests[] = {
    CLEAN(wholeDevice),
    CLEAN(blocksAndWarps),
    FINDS(usedAgainTooEarly, "race", "shared variable reduce"),
};

int main(int argc, char **argv) { return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv); }
