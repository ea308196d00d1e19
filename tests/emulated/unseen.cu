// unseen.cu [LAUNCHES [EACH]]: kernels that the model of a GPU's time was not fitted to. On a GPU
// prints the seconds of a launch of each kernel as CSV: the median of five times LAUNCHES (20) in a
// row. unseen.h200 is the output of an H200. On the emulated device, with one launch,
// CUDA_EMULATED_TIMES writes what the model says. EACH: only every so many of the kernels.
#include <algorithm>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "unseen.cu:%d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

enum { N = 1 << 20, SIDE = 1024, CUBE = 96, BLOCK = 256, BODIES = 2048, PICTURE = 256 };

static __device__ unsigned mixed(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static __device__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void gather(float *y, const float *x)
{
    const int i = thread();
    y[i] = x[mixed(i) % N];
}

__global__ void scatter(float *y, const float *x)
{
    const int i = thread();
    y[(i ^ i >> 10) * 0x9e3779b1u % N] = x[i]; // each element once
}

__global__ void every_eighth(float *y, const float *x)
{
    const int i = thread();
    y[8 * i] += 2.0f * x[8 * i];
}

__global__ void structure_to_arrays(float *y, const float *x)
{
    const int i = thread(), n = N / 3;

    if (i < n) {
        y[i] = x[3 * i];
        y[n + i] = x[3 * i + 1];
        y[2 * n + i] = x[3 * i + 2];
    }
}

// y = A x: a thread for each row, then a warp for each row.
__global__ void row_per_thread(float *y, const float *a)
{
    const int row = thread();
    float sum = 0.0f;

    for (int column = 0; column < SIDE; column++)
        sum += a[row * SIDE + column] * y[SIDE + column];
    y[row] = sum;
}

__global__ void row_per_warp(float *y, const float *a)
{
    const int row = thread() / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;

    for (int column = lane; column < SIDE; column += 32)
        sum += a[row * SIDE + column] * y[SIDE + column];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    if (lane == 0)
        y[row] = sum;
}

// Sums of columns: a thread for each column of 32 rows.
__global__ void column_sums(float *y, const float *a)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x, first = 32 * blockIdx.y;
    float sum = 0.0f;

    for (int row = first; row < first + 32; row++)
        sum += a[row * SIDE + column];
    atomicAdd(&y[column], sum);
}

__global__ void softmax(float *y, const float *x)
{
    __shared__ float partial[BLOCK];
    const float *row = x + blockIdx.x * SIDE;
    float value = -INFINITY;

    for (int pass = 0; pass < 2; pass++) { // the largest element, then the sum
        const float largest = value;
        value = pass == 0 ? -INFINITY : 0.0f;
        for (int i = threadIdx.x; i < SIDE; i += BLOCK)
            value = pass == 0 ? fmaxf(value, row[i]) : value + expf(row[i] - largest);
        partial[threadIdx.x] = value;
        __syncthreads();
        for (int half = BLOCK / 2; half > 0; half /= 2) {
            if (threadIdx.x < half) {
                const float other = partial[threadIdx.x + half];
                value = pass == 0 ? fmaxf(value, other) : value + other;
                partial[threadIdx.x] = value;
            }
            __syncthreads();
        }
        value = partial[0];
        __syncthreads();
        if (pass == 1)
            for (int i = threadIdx.x; i < SIDE; i += BLOCK)
                y[blockIdx.x * SIDE + i] = expf(row[i] - largest) / value;
    }
}

__global__ void byte_histogram(float *y, const float *x)
{
    __shared__ unsigned count[256];
    unsigned *total = (unsigned *)y;

    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = thread(); i < N; i += gridDim.x * BLOCK)
        atomicAdd(&count[mixed(__float_as_uint(x[i])) % 256], 1);
    __syncthreads();
    atomicAdd(&total[threadIdx.x], count[threadIdx.x]);
}

// Prefix sums of a block: Hillis and Steele's, then by shuffles.
__global__ void scan_in_shared(float *y, const float *x)
{
    __shared__ float sums[2][BLOCK];
    int from = 0;

    sums[0][threadIdx.x] = x[thread()];
    __syncthreads();
    for (int distance = 1; distance < BLOCK; distance *= 2, from = 1 - from) {
        const float left = threadIdx.x >= distance ? sums[from][threadIdx.x - distance] : 0.0f;
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + left;
        __syncthreads();
    }
    y[thread()] = sums[from][threadIdx.x];
}

__global__ void scan_by_shuffles(float *y, const float *x)
{
    float sum = x[thread()];

    for (int distance = 1; distance < 32; distance *= 2) {
        const float left = __shfl_up_sync(~0u, sum, distance);
        if (threadIdx.x % 32 >= distance)
            sum += left;
    }
    y[thread()] = sum;
}

__global__ void seven_points(float *y, const float *x)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y,
              k = blockIdx.z, p = (k * CUBE + j) * CUBE + i;

    if (i > 0 && i < CUBE - 1 && j > 0 && j < CUBE - 1 && k > 0 && k < CUBE - 1)
        y[p] = x[p] + 0.1f * (x[p - 1] + x[p + 1] + x[p - CUBE] + x[p + CUBE] + x[p - CUBE * CUBE] +
                              x[p + CUBE * CUBE] - 6.0f * x[p]);
}

__constant__ float weights[49];

__global__ void convolution(float *y, const float *x)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    float sum = 0.0f;

    for (int v = 0; v < 7; v++)
        for (int u = 0; u < 7; u++)
            sum += weights[7 * v + u] * x[(j + v) * SIDE + i + u];
    y[j * SIDE + i] = sum;
}

__global__ void n_body(float *y, const float *x)
{
    __shared__ float4 tile[BLOCK];
    const float4 *body = (const float4 *)x;
    const float4 own = body[thread()];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;

    for (int first = 0; first < BODIES; first += BLOCK) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < BLOCK; j++) {
            const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z,
                        inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f),
                        factor = tile[j].w * inverse * inverse * inverse;
            ax += factor * dx;
            ay += factor * dy;
            az += factor * dz;
        }
        __syncthreads();
    }
    ((float4 *)y)[thread()] = make_float4(ax, ay, az, 0.0f);
}

__global__ void bitonic_sort(float *y, const float *x)
{
    __shared__ float value[2 * BLOCK];
    const int first = 2 * BLOCK * blockIdx.x;

    value[threadIdx.x] = x[first + threadIdx.x];
    value[threadIdx.x + BLOCK] = x[first + threadIdx.x + BLOCK];
    for (int size = 2; size <= 2 * BLOCK; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            const int i = 2 * threadIdx.x - (threadIdx.x & (distance - 1)), j = i + distance;
            __syncthreads();
            if ((value[i] > value[j]) == ((i & size) == 0)) {
                const float other = value[i];
                value[i] = value[j];
                value[j] = other;
            }
        }
    __syncthreads();
    y[first + threadIdx.x] = value[threadIdx.x];
    y[first + threadIdx.x + BLOCK] = value[threadIdx.x + BLOCK];
}

__global__ void mandelbrot(float *y, const float *)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
    const float re = 3.0f * i / PICTURE - 2.2f, im = 3.0f * j / PICTURE - 1.5f;
    float a = 0.0f, b = 0.0f;
    int steps = 0;

    for (; steps < 5000 && a * a + b * b < 4.0f; steps++) {
        const float next = a * a - b * b + re;
        b = 2.0f * a * b + im;
        a = next;
    }
    y[j * PICTURE + i] = steps;
}

__global__ void polynomial(float *y, const float *x)
{
    const float t = x[thread()];
    float value = 1.0f;

    for (int power = 1; power <= 4096; power++)
        value = value * t + power;
    y[thread()] = value;
}

__global__ void sines(float *y, const float *x)
{
    float value = x[thread()];

    for (int step = 0; step < 256; step++)
        value = sinf(value + step);
    y[thread()] = value;
}

__global__ void double_steps(float *y, const float *x)
{
    double value = x[thread()];

    for (int step = 0; step < 1024; step++)
        value = 3.9 * value * (1.0 - value);
    y[thread()] = (float)value;
}

__global__ void random_walk(float *y, const float *)
{
    unsigned state = thread() + 1, inside = 0;

    for (int step = 0; step < 1024; step++) {
        state = state * 1664525u + 1013904223u;
        const float a = (state >> 8) / 16777216.0f;
        state = state * 1664525u + 1013904223u;
        const float b = (state >> 8) / 16777216.0f;
        inside += a * a + b * b < 1.0f;
    }
    y[thread()] = inside;
}

// One warp follows a chain of addresses.
__global__ void pointer_chase(float *y, const float *)
{
    unsigned at = threadIdx.x;

    for (int step = 0; step < 1000; step++)
        at = mixed(at + ((const unsigned *)y)[N + at % N]);
    y[threadIdx.x] = at;
}

__global__ void product(float *y, const float *x)
{
    const int row = threadIdx.y + blockIdx.y * blockDim.y,
              column = threadIdx.x + blockIdx.x * blockDim.x;
    float sum = 0.0f;

    for (int k = 0; k < 256; k++)
        sum += x[row * 256 + k] * x[65536 + k * 256 + column];
    y[row * 256 + column] = sum;
}

__global__ void binary_search(float *y, const float *)
{
    const unsigned wanted = mixed(thread());
    unsigned from = 0, to = N;

    while (to - from > 1) { // of the table t[i] = 4096 i
        const unsigned middle = (from + to) / 2;
        if (((const unsigned *)y)[N + middle] <= wanted)
            from = middle;
        else
            to = middle;
    }
    y[thread()] = from;
}

__global__ void sparse_rows(float *y, const float *x)
{
    const int row = thread(), rows = N / 8;
    float sum = 0.0f;

    for (int k = 0; k < 8; k++)
        sum += x[k * rows + row] * x[mixed(8 * row + k) % rows];
    y[row] = sum;
}

__global__ void largest(float *y, const float *x)
{
    atomicMax((int *)y, __float_as_int(x[thread()]));
}

__global__ void conflicts(float *y, const float *x)
{
    __shared__ float column[32][32];
    const int i = threadIdx.x % 32, j = threadIdx.x / 32;

    for (int step = 0; step < 8; step++) {
        for (int k = j; k < 32; k += 8)
            column[i][k] = x[thread()] + step;
        __syncthreads();
        y[thread()] = column[j][i];
        __syncthreads();
    }
}

// Atomics on the words of a few lines, then of many.
__global__ void bins_in_memory(float *y, const float *)
{
    atomicAdd((unsigned *)y + mixed(thread()) % 256, 1);
}

__global__ void many_bins(float *y, const float *)
{
    atomicAdd((unsigned *)y + mixed(thread()) % N, 1);
}

// Lanes with the same of 64 values; all lanes of a warp follow one chain of addresses.
__global__ void matches(float *y, const float *)
{
    unsigned peers = 0;

    for (int step = 0; step < 64; step++)
        peers ^= __match_any_sync(~0u, mixed(thread() + step) % 64);
    y[thread()] = peers;
}

__global__ void walk_together(float *y, const float *)
{
    unsigned at = thread() / 32;

    for (int step = 0; step < 64; step++)
        at = mixed(at + ((const unsigned *)y)[N + at % N]);
    y[thread()] = at;
}

// Sums of tiles that are copied to shared memory, each four times, while others are added up: by
// each thread, or by the device for all of them; and one tile after the other.
enum { TILE = 4 * BLOCK, TILES = 8, ROUNDS = 32 }; // elements of a tile; tiles of a block

__global__ void tiles_by_threads(float *y, const float *x)
{
    __shared__ float4 tile[2][BLOCK];
    const float4 *own = (const float4 *)x + TILES * BLOCK * blockIdx.x + threadIdx.x;
    float sum = 0.0f;

    __pipeline_memcpy_async(&tile[0][threadIdx.x], own, sizeof *own);
    __pipeline_commit();
    for (int i = 0; i < ROUNDS; i++) {
        if (i + 1 < ROUNDS)
            __pipeline_memcpy_async(&tile[(i + 1) % 2][threadIdx.x],
                                    own + BLOCK * ((i + 1) % TILES), sizeof *own);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const float4 other = tile[i % 2][BLOCK - 1 - threadIdx.x];
        sum += other.x + other.y + other.z + other.w;
        __syncthreads();
    }
    y[thread()] = sum;
}

template <int STAGES> static __device__ void sum_tiles(float *y, const float *x)
{
#if __CUDA_ARCH__ >= 900
    __shared__ __align__(128) float4 tile[STAGES][BLOCK];
    __shared__ unsigned long long full[STAGES];
    const float *own = x + TILES * TILE * blockIdx.x;
    float sum = 0.0f;
    auto address = [](const void *p) { return (unsigned)__cvta_generic_to_shared(p); };
    auto fetch = [&](int i) {
        const unsigned barrier = address(full + i % STAGES), bytes = sizeof tile[0];
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(address(tile[i % STAGES])),
                     "l"(own + TILE * (i % TILES)), "r"(bytes), "r"(barrier)
                     : "memory");
    };

    for (int i = 0; i < STAGES && threadIdx.x == 0; i++)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(full + i)) : "memory");
    __syncthreads();
    for (int i = 0; i < STAGES && threadIdx.x == 0; i++)
        fetch(i);
    for (int i = 0; i < ROUNDS; i++) {
        for (int there = 0; !there;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; "
                         "selp.b32 %0, 1, 0, p; }"
                         : "=r"(there)
                         : "r"(address(full + i % STAGES)), "r"(i / STAGES % 2)
                         : "memory");
        const float4 other = tile[i % STAGES][BLOCK - 1 - threadIdx.x];
        sum += other.x + other.y + other.z + other.w;
        __syncthreads();
        if (threadIdx.x == 0 && i + STAGES < ROUNDS)
            fetch(i + STAGES);
    }
    y[thread()] = sum;
#endif
}

__global__ void tiles_by_device(float *y, const float *x) { sum_tiles<4>(y, x); }

__global__ void tile_after_tile(float *y, const float *x) { sum_tiles<1>(y, x); }

// From here on: written when the model was finished, and forecast before they were measured.
__global__ void reversed(float *y, const float *x)
{
    const int i = thread();
    y[N - 1 - i] = x[i];
}

__global__ void transposed(float *y, const float *x)
{
    __shared__ float tile[32][33];
    const int column = 32 * blockIdx.x + threadIdx.x, row = 32 * blockIdx.y + threadIdx.y;

    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * SIDE + column];
    __syncthreads();
    for (int k = 0; k < 32; k += 8)
        y[(32 * blockIdx.x + threadIdx.y + k) * SIDE + 32 * blockIdx.y + threadIdx.x] =
            tile[threadIdx.x][threadIdx.y + k];
}

__global__ void reordered(float *y, const float *x) // divides by what the compiler knows
{
    const int i = thread();
    y[i % 1000 * 1000 + i / 1000 % 1000] = x[i];
}

__global__ void divisors(float *y, const float *) // and by what it does not
{
    int a = mixed(thread()) % 65536 + 1, b = mixed(thread() + N) % 65536 + 1;

    while (b != 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    y[thread()] = a;
}

__global__ void collatz(float *y, const float *)
{
    unsigned n = thread() + 1;
    int steps = 0;

    for (; n != 1 && steps < 200; steps++)
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    y[thread()] = steps;
}

__global__ void dot_product(float *y, const float *x)
{
    float sum = 0.0f;

    for (int i = thread(); i < N; i += gridDim.x * BLOCK)
        sum += x[i] * x[N + i];
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(~0u, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(y, sum);
}

__global__ void running_maximum(float *y, const float *x)
{
    const int i = thread();
    float largest = x[i];

    for (int k = 1; k < 16; k++)
        largest = fmaxf(largest, x[i + k]);
    y[i] = largest;
}

__global__ void eroded(float *y, const float *x) // the least of 3 x 3 pixels, from a tile
{
    __shared__ float tile[10][34];
    const int left = 30 * blockIdx.x, top = 6 * blockIdx.y;
    float least = INFINITY;

    tile[threadIdx.y][threadIdx.x] = x[(top + threadIdx.y) * SIDE + left + threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= 30 || threadIdx.y >= 6)
        return;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            least = fminf(least, tile[threadIdx.y + j][threadIdx.x + i]);
    y[(top + threadIdx.y) * SIDE + left + threadIdx.x] = least;
}

__global__ void turned(float *y, const float *x) // a picture, by bilinear interpolation
{
    const int i = 32 * blockIdx.x + threadIdx.x, j = 8 * blockIdx.y + threadIdx.y;
    const float u = 0.8f * i - 0.6f * j + 300.0f, v = 0.6f * i + 0.8f * j - 200.0f;
    const int a = (int)floorf(u), b = (int)floorf(v);
    float value = 0.0f;

    if (a >= 0 && b >= 0 && a < SIDE - 1 && b < SIDE - 1) {
        const float *p = x + b * SIDE + a, s = u - a, t = v - b;
        value = (1 - t) * ((1 - s) * p[0] + s * p[1]) + t * ((1 - s) * p[SIDE] + s * p[SIDE + 1]);
    }
    y[j * SIDE + i] = value;
}

__global__ void eight_sorted(float *y, const float *x) // in registers, by an odd-even network
{
    float v[8];

    for (int k = 0; k < 8; k++)
        v[k] = x[k * (N / 8) + thread()];
#pragma unroll
    for (int pass = 0; pass < 8; pass++)
#pragma unroll
        for (int k = pass % 2; k < 7; k += 2) {
            const float low = fminf(v[k], v[k + 1]);
            v[k + 1] = fmaxf(v[k], v[k + 1]);
            v[k] = low;
        }
    for (int k = 0; k < 8; k++)
        y[k * (N / 8) + thread()] = v[k];
}

__global__ void compacted(float *y, const float *x) // y[2 N - 1] counts those above a half
{
    const float value = x[thread()];
    const unsigned chosen = __ballot_sync(~0u, value > 0.5f), lane = threadIdx.x % 32;
    int place = 0;

    if (lane == 0)
        place = atomicAdd((int *)y + 2 * N - 1, __popc(chosen)) % N;
    place = __shfl_sync(~0u, place, 0) + __popc(chosen & ((1u << lane) - 1));
    if (value > 0.5f)
        y[place] = value;
}

__global__ void hashed(float *y, const float *) // linear probing, a table half full
{
    unsigned *table = (unsigned *)y;
    const unsigned key = mixed(thread()) | 1;
    unsigned at = mixed(key) % N;

    for (int step = 0; step < 16; step++, at = (at + 1) % N) {
        const unsigned was = atomicCAS(table + at, 4096u * at, key);
        if (was == 4096u * at || was == key)
            break;
    }
}

__global__ void rows_scanned(float *y, const float *x) // a row a warp, 32 elements a step
{
    const int row = thread() / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;

    for (int i = lane; i < SIDE; i += 32) {
        float value = x[row * SIDE + i];
        for (int offset = 1; offset < 32; offset *= 2) {
            const float other = __shfl_up_sync(~0u, value, offset);
            value += lane >= offset ? other : 0.0f;
        }
        y[row * SIDE + i] = sum + value;
        sum += __shfl_sync(~0u, value, 31);
    }
}

__global__ void edit_distance(float *y, const float *x) // a diagonal a step
{
    __shared__ int line[3][BLOCK + 1];
    const int i = threadIdx.x, letter = (int)(4 * x[thread()]);
    const float *text = x + N + blockIdx.x * BLOCK;
    int best = 0;

    for (int d = 0; d < 3; d++)
        line[d][i + 1] = i + 1;
    for (int step = 0; step < 2 * BLOCK; step++) {
        const int j = step - i;
        int *now = line[step % 3], *last = line[(step + 2) % 3], *before = line[(step + 1) % 3];

        if (i == 0)
            now[0] = step + 1;
        __syncthreads();
        if (j >= 0 && j < BLOCK) {
            const int other = (int)(4 * text[j]);
            best = min(min(last[i + 1], last[i]) + 1, before[i] + (letter != other));
            now[i + 1] = best;
        }
        __syncthreads();
    }
    y[thread()] = best;
}

__global__ void patterns(float *y, const float *x) // four bytes in a text, at any place
{
    const unsigned char *text = (const unsigned char *)x;
    const int first = 16 * thread();
    int found = 0;

    for (int i = first; i < first + 16; i++)
        found += text[i] == 63 && text[i + 1] > 100 && text[i + 2] < 40 && text[i + 3] > 7;
    y[thread()] = found;
}

__global__ void likelihood(float *y, const float *x)
{
    const float p = 0.5f * x[thread()] + 0.25f;
    y[thread()] = p * logf(p) + (1 - p) * log1pf(-p) + powf(p, 1.7f);
}

struct kernel {
    const char *name;
    void (*run)(float *, const float *);
    dim3 grid, block;
};
#define KERNEL(name, ...)                                                                          \
    {                                                                                              \
#name, name, __VA_ARGS__                                                                   \
    }
static const struct kernel kernels[] = {
    KERNEL(gather, N / BLOCK, BLOCK),
    KERNEL(scatter, N / BLOCK, BLOCK),
    KERNEL(every_eighth, N / 8 / BLOCK, BLOCK),
    KERNEL(structure_to_arrays, N / 3 / BLOCK + 1, BLOCK),
    KERNEL(row_per_thread, SIDE / 128, 128),
    KERNEL(row_per_warp, SIDE / 8, BLOCK),
    KERNEL(column_sums, dim3(SIDE / 128, SIDE / 32), 128),
    KERNEL(softmax, SIDE, BLOCK),
    KERNEL(byte_histogram, 264, BLOCK),
    KERNEL(scan_in_shared, N / BLOCK, BLOCK),
    KERNEL(scan_by_shuffles, N / BLOCK, BLOCK),
    KERNEL(seven_points, dim3(CUBE / 32, CUBE / 8, CUBE), dim3(32, 8)),
    KERNEL(convolution, dim3(16, 64), dim3(32, 8)),
    KERNEL(n_body, BODIES / BLOCK, BLOCK),
    KERNEL(bitonic_sort, N / 4 / BLOCK, BLOCK),
    KERNEL(mandelbrot, dim3(PICTURE / 32, PICTURE / 8), dim3(32, 8)),
    KERNEL(polynomial, N / 4 / BLOCK, BLOCK),
    KERNEL(sines, N / 4 / BLOCK, BLOCK),
    KERNEL(double_steps, N / 4 / BLOCK, BLOCK),
    KERNEL(random_walk, N / 4 / BLOCK, BLOCK),
    KERNEL(pointer_chase, 1, 32),
    KERNEL(product, dim3(8, 32), dim3(32, 8)),
    KERNEL(binary_search, N / 8 / BLOCK, BLOCK),
    KERNEL(sparse_rows, N / 8 / BLOCK, BLOCK),
    KERNEL(largest, N / BLOCK, BLOCK),
    KERNEL(conflicts, 512, 1024 / 4),
    KERNEL(bins_in_memory, N / BLOCK, BLOCK),
    KERNEL(many_bins, N / BLOCK, BLOCK),
    KERNEL(matches, N / 4 / BLOCK, BLOCK),
    KERNEL(walk_together, N / 4 / BLOCK, BLOCK),
    KERNEL(tiles_by_threads, 2 * N / TILE / TILES, BLOCK),
    KERNEL(tiles_by_device, 2 * N / TILE / TILES, BLOCK),
    KERNEL(tile_after_tile, 2 * N / TILE / TILES, BLOCK),
    KERNEL(reversed, N / BLOCK, BLOCK),
    KERNEL(transposed, dim3(SIDE / 32, SIDE / 32), dim3(32, 8)),
    KERNEL(reordered, 1000 * 1000 / BLOCK, BLOCK),
    KERNEL(divisors, N / 4 / BLOCK, BLOCK),
    KERNEL(collatz, N / 8 / BLOCK, BLOCK),
    KERNEL(dot_product, 264, BLOCK),
    KERNEL(running_maximum, N / BLOCK, BLOCK),
    KERNEL(eroded, dim3(SIDE / 30, SIDE / 6 - 1), dim3(32, 8)),
    KERNEL(turned, dim3(SIDE / 32, SIDE / 8), dim3(32, 8)),
    KERNEL(eight_sorted, N / 8 / BLOCK, BLOCK),
    KERNEL(compacted, N / BLOCK, BLOCK),
    KERNEL(hashed, N / 2 / BLOCK, BLOCK),
    KERNEL(rows_scanned, SIDE / 8, BLOCK),
    KERNEL(edit_distance, 132, BLOCK),
    KERNEL(patterns, N / 16 / BLOCK, BLOCK),
    KERNEL(likelihood, N / BLOCK, BLOCK),
};

int main(int argc, char **argv)
{
    enum { SAMPLES = 5 };
    const int launches = argc > 1 ? atoi(argv[1]) : 20, each = argc > 2 ? atoi(argv[2]) : 1;
    const int samples = launches > 1 ? SAMPLES : 1;
    const size_t bytes = 2 * N * sizeof(float);
    float *host = (float *)malloc(bytes), *x, *y, milliseconds[SAMPLES];
    unsigned *table = (unsigned *)malloc(bytes), state = 1;
    cudaEvent_t start, stop;

    if (host == NULL || table == NULL || launches < 1 || each < 1)
        return 2;
    for (int i = 0; i < 2 * N; i++) {
        state = state * 1664525u + 1013904223u;
        host[i] = (state >> 8) / 16777216.0f;
        table[i] = 4096u * (i % N);
    }
    CHECK(cudaMalloc((void **)&x, bytes));
    CHECK(cudaMalloc((void **)&y, bytes));
    CHECK(cudaMemcpy(x, host, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(weights, host, sizeof weights));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    printf("kernel,seconds\n");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i += each) {
        const kernel &k = kernels[i];
        for (int sample = 0; sample < samples; sample++) {
            CHECK(cudaMemcpy(y, table, bytes, cudaMemcpyHostToDevice));
            if (launches > 1) // the first one loads the kernel
                k.run<<<k.grid, k.block>>>(y, x);
            CHECK(cudaEventRecord(start, 0));
            for (int launch = 0; launch < launches; launch++)
                k.run<<<k.grid, k.block>>>(y, x);
            CHECK(cudaGetLastError());
            CHECK(cudaEventRecord(stop, 0));
            CHECK(cudaEventSynchronize(stop));
            CHECK(cudaEventElapsedTime(&milliseconds[sample], start, stop));
        }
        std::sort(milliseconds, milliseconds + samples);
        printf("%s,%.4g\n", k.name, milliseconds[samples / 2] / 1000 / launches);
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    free(host);
    free(table);
    return 0;
}
