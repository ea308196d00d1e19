/* TASK: Find the mistake in each of twelve programs: "./a.out 3" runs the third.
 * TRAFFIC: none to speak of.
 * LIMIT: your patience. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call) must(call, #call, __LINE__)
static void must(cudaError_t error, const char *call, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(error));
        exit(1);
    }
}

/* A copy of an array in memory of the device. */
static void *toDevice(const void *data, size_t bytes)
{
    void *copy;

    MUST(cudaMalloc(&copy, bytes));
    MUST(cudaMemcpy(copy, data, bytes, cudaMemcpyHostToDevice));
    return copy;
}

/* A number from 0 to 999 that looks like chance. */
static int noise(int i) { return (int)((unsigned)i * 2654435761u >> 12) % 1000; }

// TODO 1 begin: the total price of an order: 72 items, 20 of one article, 52 of another
struct order {
    int articles, *amount, *price;
};

__global__ void addUp(const struct order *o, int *total)
{
    int i = threadIdx.x;

    if (i < o->articles)
        atomicAdd(total, o->amount[i] * o->price[i]);
}

static void program1(void)
{
    int amount[] = {20, 52}, price[] = {31, 7}, total = 0;
    int *d_total = (int *)toDevice(&total, sizeof total);
    struct order o, *d_o;

    o.articles = 2;
    o.amount = amount;
    o.price = price;
    d_o = (struct order *)toDevice(&o, sizeof o);
    addUp<<<1, 32>>>(d_o, d_total);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost));
    printf("total %d\n", total);
    MUST(cudaFree(d_o));
    MUST(cudaFree(d_total));
}
// TODO 1 end
// TODO 1 begin: in a sentence: what was wrong?
static const char cause1[] = "UNFILLED";
// TODO 1 end

// TODO 2 begin: the weight of a text of 49 letters, each of which has a weight of its own
__global__ void weigh(const char *text, int length, const double *weight, double *result)
{
    extern __shared__ int counts[];
    double *weights = (double *)(counts + 49);
    int t = threadIdx.x;

    if (t < 49) {
        counts[t] = 0;
        weights[t] = 0;
    }
    __syncthreads();
    for (int i = t; i < length; i += blockDim.x)
        atomicAdd(&counts[text[i] - '0'], 1);
    __syncthreads();
    if (t < 49)
        weights[t] = counts[t] * weight[t];
    __syncthreads();
    if (t == 0)
        for (int i = 0; i < 49; i++)
            *result += weights[i];
}

static void program2(void)
{
    char text[5000];
    double weight[49], result = 0;
    char *d_text;
    double *d_weight, *d_result;

    for (int i = 0; i < 5000; i++)
        text[i] = (char)('0' + noise(i) % 49);
    for (int i = 0; i < 49; i++)
        weight[i] = 0.25 * i;
    d_text = (char *)toDevice(text, sizeof text);
    d_weight = (double *)toDevice(weight, sizeof weight);
    d_result = (double *)toDevice(&result, sizeof result);
    weigh<<<1, 128, 49 * (sizeof(int) + sizeof(double))>>>(d_text, 5000, d_weight, d_result);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
    printf("weight %.2f\n", result);
    MUST(cudaFree(d_text));
    MUST(cudaFree(d_weight));
    MUST(cudaFree(d_result));
}
// TODO 2 end
// TODO 2 begin: in a sentence: what was wrong?
static const char cause2[] = "UNFILLED";
// TODO 2 end

// TODO 3 begin: how many numbers of a sorted table are smaller than x, for each x from 0 to 99
__global__ void search(const int *table, int n, int *smaller)
{
    int x = threadIdx.x, low = 0, high = n;

    while (low <= high) {
        int middle = (low + high) / 2;

        if (table[middle] < x)
            low = middle + 1;
        else
            high = middle - 1;
    }
    smaller[x] = low;
}

static void program3(void)
{
    int table[64], smaller[100], *d_table, *d_smaller;

    for (int i = 0; i < 64; i++)
        table[i] = 3 * i / 2;
    d_table = (int *)toDevice(table, sizeof table);
    MUST(cudaMalloc((void **)&d_smaller, sizeof smaller));
    search<<<1, 100>>>(d_table, 64, d_smaller);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(smaller, d_smaller, sizeof smaller, cudaMemcpyDeviceToHost));
    printf("smaller than 10: %d, than 94: %d, than 99: %d\n", smaller[10], smaller[94],
           smaller[99]);
    MUST(cudaFree(d_table));
    MUST(cudaFree(d_smaller));
}
// TODO 3 end
// TODO 3 begin: in a sentence: what was wrong?
static const char cause3[] = "UNFILLED";
// TODO 3 end

// TODO 4 begin: how far each of 1000 heights is from the mean of its neighbours; 0 beyond the ends
__global__ void curve(const float *height, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;

    if (i <= n)
        out[i] = height[i] - 0.5f * (height[i - 1] + height[i + 1]);
}

static void program4(void)
{
    enum { N = 1000 };
    float height[N + 2] = {0}, out[N + 2];
    float *d_height, *d_out;

    for (int i = 1; i <= N; i++)
        height[i] = (float)noise(i);
    MUST(cudaMalloc((void **)&d_height, sizeof height));
    MUST(cudaMalloc((void **)&d_out, sizeof out));
    MUST(cudaMemcpy(d_height + 1, height + 1, N * sizeof *height, cudaMemcpyHostToDevice));
    curve<<<(N + 127) / 128, 128>>>(d_height, d_out, N);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(out + 1, d_out + 1, N * sizeof *out, cudaMemcpyDeviceToHost));
    printf("first %.1f, middle %.1f, last %.1f\n", out[1], out[N / 2], out[N]);
    MUST(cudaFree(d_height));
    MUST(cudaFree(d_out));
}
// TODO 4 end
// TODO 4 begin: in a sentence: what was wrong?
static const char cause4[] = "UNFILLED";
// TODO 4 end

// TODO 5 begin: the sum of 96 numbers, by a tree in shared memory
__global__ void sumUp(const int *x, int *sum)
{
    __shared__ int s[96];
    int t = threadIdx.x;

    s[t] = x[t];
    __syncthreads();
    for (int half = 96 / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        *sum = s[0];
}

static void program5(void)
{
    int x[96], sum, *d_x, *d_sum;

    for (int i = 0; i < 96; i++)
        x[i] = i + 1;
    d_x = (int *)toDevice(x, sizeof x);
    MUST(cudaMalloc((void **)&d_sum, sizeof sum));
    sumUp<<<1, 96>>>(d_x, d_sum);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    printf("sum %d\n", sum);
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_sum));
}
// TODO 5 end
// TODO 5 begin: in a sentence: what was wrong?
static const char cause5[] = "UNFILLED";
// TODO 5 end

// TODO 6 begin: an image of 5 rows of 100 pixels, made brighter by 1, in memory with a pitch
__global__ void brighten(char *image, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;

    if (x < width && y < height)
        ((int *)(image + y * pitch))[x] += 1;
}

static void program6(void)
{
    enum { WIDTH = 100, HEIGHT = 5 };
    int image[HEIGHT][WIDTH], wrong = 0;
    const size_t row = sizeof image[0];
    size_t pitch;
    char *d_image;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = noise(y * WIDTH + x);
    MUST(cudaMallocPitch((void **)&d_image, &pitch, row, HEIGHT));
    MUST(cudaMemset(d_image, 0, pitch * HEIGHT));
    MUST(cudaMemcpy2D(d_image, pitch, image, row, row, HEIGHT, cudaMemcpyHostToDevice));
    brighten<<<dim3((WIDTH + 63) / 64, HEIGHT), 64>>>(d_image, pitch, WIDTH, HEIGHT);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(image, d_image, HEIGHT * row, cudaMemcpyDeviceToHost));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            wrong += image[y][x] != noise(y * WIDTH + x) + 1;
    printf("%d pixels, %d of them wrong; the last is %d\n", WIDTH * HEIGHT, wrong,
           image[HEIGHT - 1][WIDTH - 1]);
    MUST(cudaFree(d_image));
}
// TODO 6 end
// TODO 6 begin: in a sentence: what was wrong?
static const char cause6[] = "UNFILLED";
// TODO 6 end

// TODO 7 begin: how many pairs i < j of 512 numbers have x[i] > x[j], by tiles of 64
__global__ void countPairs(const int *x, int n, int *pairs)
{
    __shared__ int tile[64];
    int i = blockIdx.x * 64 + threadIdx.x, own = x[i], found = 0;

    for (int begin = 0; begin < n; begin += 64) {
        tile[threadIdx.x] = x[begin + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; k++)
            found += i < begin + k && own > tile[k];
    }
    atomicAdd(pairs, found);
}

static void program7(void)
{
    int x[512], pairs = 0, *d_x, *d_pairs;

    for (int i = 0; i < 512; i++)
        x[i] = noise(i);
    d_x = (int *)toDevice(x, sizeof x);
    d_pairs = (int *)toDevice(&pairs, sizeof pairs);
    countPairs<<<512 / 64, 64>>>(d_x, 512, d_pairs);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&pairs, d_pairs, sizeof pairs, cudaMemcpyDeviceToHost));
    printf("%d pairs\n", pairs);
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_pairs));
}
// TODO 7 end
// TODO 7 begin: in a sentence: what was wrong?
static const char cause7[] = "UNFILLED";
// TODO 7 end

// TODO 8 begin: the largest of 256 numbers, by a tree whose last steps are those of one warp
__global__ void largestOf(const int *x, int *result)
{
    __shared__ int s[256];
    int t = threadIdx.x;

    s[t] = x[t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half && s[t + half] > s[t])
            s[t] = s[t + half];
        if (half > 32)
            __syncthreads();
    }
    if (t == 0)
        *result = s[0];
}

static void program8(void)
{
    int x[256], result, *d_x, *d_result;

    for (int i = 0; i < 256; i++)
        x[i] = noise(i + 1);
    d_x = (int *)toDevice(x, sizeof x);
    MUST(cudaMalloc((void **)&d_result, sizeof result));
    largestOf<<<1, 256>>>(d_x, d_result);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
    printf("largest %d\n", result);
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_result));
}
// TODO 8 end
// TODO 8 begin: in a sentence: what was wrong?
static const char cause8[] = "UNFILLED";
// TODO 8 end

// TODO 9 begin: 200 numbers in steps of 64: each becomes the largest of its step up to itself
__global__ void climb(int *x, int n, int *largest)
{
    __shared__ int s[64];
    int t = threadIdx.x, best = 0;

    for (int i = t; i < n; i += 64) {
        s[t] = x[i];
        __syncthreads();
        for (int k = 0; k <= t; k++)
            x[i] = s[k] > x[i] ? s[k] : x[i];
        best = s[t] > best ? s[t] : best;
        __syncthreads();
    }
    s[t] = best;
    __syncthreads();
    for (int k = 0; t == 0 && k < 64; k++)
        *largest = s[k] > *largest ? s[k] : *largest;
}

static void program9(void)
{
    enum { N = 200 };
    int x[N], largest = 0, *d_x, *d_largest = (int *)toDevice(&largest, sizeof largest);

    for (int i = 0; i < N; i++)
        x[i] = noise(i + 3);
    d_x = (int *)toDevice(x, sizeof x);
    climb<<<1, 64>>>(d_x, N, d_largest);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(&largest, d_largest, sizeof largest, cudaMemcpyDeviceToHost));
    printf("x[5] %d, x[192] %d, x[199] %d; largest %d\n", x[5], x[192], x[199], largest);
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_largest));
}
// TODO 9 end
// TODO 9 begin: in a sentence: what was wrong?
static const char cause9[] = "UNFILLED";
// TODO 9 end

// TODO 10 begin: 64 payments out of 8 accounts of 100 each, those that the account can bear
__global__ void pay(int *locks, int *accounts, const int *amounts, int *refused)
{
    int i = blockIdx.x, a = i % 8;

    while (atomicCAS(&locks[a], 0, 1) != 0)
        ;
    __threadfence();
    volatile int *balance = &accounts[a];
    if (*balance < amounts[i]) {
        atomicAdd(refused, 1);
        return;
    }
    *balance -= amounts[i];
    __threadfence();
    atomicExch(&locks[a], 0);
}

static void program10(void)
{
    int locks[8] = {0}, accounts[8], amounts[64], refused = 0, left = 0;
    int *d_locks, *d_accounts, *d_amounts, *d_refused;

    for (int i = 0; i < 64; i++)
        amounts[i] = 15 + i % 8;
    for (int i = 0; i < 8; i++)
        accounts[i] = 100;
    d_locks = (int *)toDevice(locks, sizeof locks);
    d_accounts = (int *)toDevice(accounts, sizeof accounts);
    d_amounts = (int *)toDevice(amounts, sizeof amounts);
    d_refused = (int *)toDevice(&refused, sizeof refused);
    pay<<<64, 1>>>(d_locks, d_accounts, d_amounts, d_refused);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(accounts, d_accounts, sizeof accounts, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(&refused, d_refused, sizeof refused, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        left += accounts[i];
    printf("refused %d, left %d\n", refused, left);
    MUST(cudaFree(d_locks));
    MUST(cudaFree(d_accounts));
    MUST(cudaFree(d_amounts));
    MUST(cudaFree(d_refused));
}
// TODO 10 end
// TODO 10 begin: in a sentence: what was wrong?
static const char cause10[] = "UNFILLED";
// TODO 10 end

// TODO 11 begin: one stream makes 4096 numbers, another one adds them up when they are there
__global__ void make(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = i % 10;
}

__global__ void add(const int *x, int n, int *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(sum, x[i]);
}

static void program11(void)
{
    enum { N = 4096 };
    int sum = 0, *d_x, *d_sum = (int *)toDevice(&sum, sizeof sum);
    cudaStream_t maker, adder;
    cudaEvent_t made;

    MUST(cudaMalloc((void **)&d_x, N * sizeof *d_x));
    MUST(cudaMemset(d_x, 0, N * sizeof *d_x));
    MUST(cudaStreamCreate(&maker));
    MUST(cudaStreamCreate(&adder));
    MUST(cudaEventCreate(&made));
    MUST(cudaEventRecord(made, maker));
    make<<<N / 256, 256, 0, maker>>>(d_x, N);
    MUST(cudaGetLastError());
    MUST(cudaStreamWaitEvent(adder, made, 0));
    add<<<N / 256, 256, 0, adder>>>(d_x, N, d_sum);
    MUST(cudaGetLastError());
    MUST(cudaStreamSynchronize(adder));
    MUST(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    printf("sum %d\n", sum);
    MUST(cudaEventDestroy(made));
    MUST(cudaStreamDestroy(maker));
    MUST(cudaStreamDestroy(adder));
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_sum));
}
// TODO 11 end
// TODO 11 begin: in a sentence: what was wrong?
static const char cause11[] = "UNFILLED";
// TODO 11 end

// TODO 12 begin: the highest of 300 temperatures of an Arctic winter, by an atomic on their bits
__global__ void highestOf(const float *x, int n, float *highest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicMax((int *)highest, __float_as_int(x[i]));
}

static void program12(void)
{
    enum { N = 300 };
    float x[N], highest, *d_x, *d_highest;

    for (int i = 0; i < N; i++)
        x[i] = -2.5f - 0.04f * (float)noise(i + 1);
    d_x = (float *)toDevice(x, sizeof x);
    d_highest = (float *)toDevice(&x[0], sizeof highest);
    highestOf<<<(N + 127) / 128, 128>>>(d_x, N, d_highest);
    MUST(cudaGetLastError());
    MUST(cudaMemcpy(&highest, d_highest, sizeof highest, cudaMemcpyDeviceToHost));
    printf("highest %.2f\n", highest);
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_highest));
}
// TODO 12 end
// TODO 12 begin: in a sentence: what was wrong?
static const char cause12[] = "UNFILLED";
// TODO 12 end

int main(int argc, char **argv)
{
    static void (*const programs[])(void) = {program1, program2,  program3,  program4,
                                             program5, program6,  program7,  program8,
                                             program9, program10, program11, program12};
    static const char *const causes[] = {cause1, cause2, cause3, cause4,  cause5,  cause6,
                                         cause7, cause8, cause9, cause10, cause11, cause12};
    int number = argc > 1 ? atoi(argv[1]) : 0;

    if (number >= 1 && number <= 12) {
        programs[number - 1]();
        return 0;
    }
    for (int i = 0; i < 12; i++)
        printf("%2d %s\n", i + 1, causes[i]);
    return 2;
}
