/* The lanes of a warp run one after another as long as nobody can see a difference
 * (runtime/lockstep.h). If one uses what another wrote, the results and the counters must be those
 * of lanes in step. */
#include "cases.h"

static int failures;

static void expect(const char *what, double is, double shall)
{
    if (is != shall) {
        printf("%s: %g instead of %g\n", what, is, shall);
        failures++;
    }
}

/* Every lane reads before any lane writes: one of the additions is left. */
__global__ void addPlainly(int *sum) { *sum += threadIdx.x + 1; }

/* In place: the first lane would overwrite a value that its neighbour still needs. */
__global__ void shift(int *x, int n)
{
    if (threadIdx.x + 1 < n)
        x[threadIdx.x] = x[threadIdx.x + 1];
}

__global__ void shiftWide(int4 *x)
{
    x[threadIdx.x] = x[(threadIdx.x + 1) % blockDim.x];
    x[threadIdx.x].w += 100;
}

/* The same bytes: each its own, though four share a word. */
__global__ void invert(unsigned char *x) { x[threadIdx.x] = 255 - x[threadIdx.x]; }

/* More accesses than a trace holds. */
__global__ void sumLong(int *y, const int *x, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i * blockDim.x + threadIdx.x];
        if (i % 16 == 0)
            sum += x[threadIdx.x];
    }
    y[threadIdx.x] = sum;
}

/* Long ways without any access. */
__global__ void collatz(int *y)
{
    int steps = 0;
    for (unsigned v = threadIdx.x + 1; v != 1; steps++)
        v = v % 2 ? 3 * v + 1 : v / 2;
    y[threadIdx.x] = steps;
}

__global__ void printTwice(const int *x)
{
    printf("a%d ", x[threadIdx.x]);
    printf("b%d ", x[threadIdx.x + 4]);
}

/* A warp that makes many atomics is interrupted for the others' sake, here always when its lane is
 * at the shuffle. */
__global__ void addAndShuffle(int *x)
{
    for (int i = 0; i < 1000; i++)
        x[1] = __shfl_sync(1, atomicAdd(x, 1), 0);
}

static int x[128];

static void run(int *d_x, int n, void (*launch)(int *))
{
    for (int i = 0; i < 128; i++)
        x[i] = i;
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    emulatedFindingsReset();
    emulatedCountersReset();
    launch(d_x);
    CHECK(cudaMemcpy(x, d_x, n * sizeof *x, cudaMemcpyDeviceToHost));
}

static int *d_long, *d_y;
static void launchAdd(int *d_x) { addPlainly<<<1, 32>>>(d_x); }
static void launchShift(int *d_x) { shift<<<1, 32>>>(d_x, 32); }
static void launchWide(int *d_x) { shiftWide<<<1, 32>>>((int4 *)d_x); }
static void launchInvert(int *d_x) { invert<<<1, 64>>>((unsigned char *)d_x); }
static void launchLong(int *d_x) { sumLong<<<1, 32>>>(d_x, d_long, 100); }
static void launchCollatz(int *d_x) { collatz<<<1, 32>>>(d_x); }
static void launchAtomics(int *d_x) { addAndShuffle<<<1, 1>>>(d_x); }
static void launchPrint(int *d_x) { printTwice<<<1, 4>>>(d_x); }

static void countsOfLongLoop(void)
{
    emulated_counters c;
    emulatedCountersGet(&c);
    expect("long loop, sum of lane 1", x[1], 100 + 7);
    expect("long loop, load requests", c.global_load_requests, 107);
    expect("long loop, sectors", c.global_load_sectors, 428);
    expect("long loop, findings", c.findings, 0);
}

int main(void)
{
    int *d_x;
    emulatedSilence(1);
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_long, 3200 * sizeof *d_long));
    int *ones = (int *)malloc(3200 * sizeof *ones);
    for (int i = 0; ones && i < 3200; i++)
        ones[i] = 1;
    CHECK(cudaMemcpy(d_long, ones, 3200 * sizeof *ones, cudaMemcpyHostToDevice));
    free(ones);

    run(d_x, 128, launchAdd);
    expect("32 plain additions to 0", x[0], 32);
    expect("32 plain additions, findings", emulatedFindings() > 0, 1);
    run(d_x, 128, launchShift);
    expect("shift, first", x[0], 1);
    expect("shift, last but one", x[30], 31);
    expect("shift, findings", emulatedFindings() > 0, 1);
    run(d_x, 128, launchWide);
    expect("wide shift, first", x[0], 4);
    expect("wide shift, last but one", x[4 * 30 + 3], 4 * 31 + 3 + 100);
    run(d_x, 128, launchInvert);
    expect("bytes, first word", (unsigned)x[0], 0xffffffffu);
    expect("bytes, word 15", (unsigned)x[15], 0xffffffffu - 15);
    expect("bytes, findings", emulatedFindings(), 0);
    run(d_x, 128, launchLong);
    countsOfLongLoop();
    run(d_x, 128, launchAtomics);
    expect("atomics and shuffles", x[1], 999);
    expect("atomics and shuffles, findings", emulatedFindings(), 0);
    run(d_x, 128, launchCollatz);
    expect("collatz of 27", x[26], 111);
    launchPrint(d_x);
    CHECK(cudaDeviceSynchronize());
    printf("\n%d failed\n", failures);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_long));
    return failures != 0;
}
