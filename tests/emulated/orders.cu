/* Calls that order operations of several streams and the host, and calls that do not. Each case is
 * judged by the findings, which must be the same in whatever order the operations run. */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include "cuda_emulated.h"

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));      \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

enum { N = 256 };
static const size_t bytes = N * sizeof(int);
static int *d_x, *d_y, *h_x, *managed;
static int pageable[N];
static cudaStream_t a, b, blocking;
static cudaEvent_t event, other;

__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }
__global__ void copyTo(int *y, const int *x) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void count(int *n) { atomicAdd(n, 1); }
__global__ void fillBytes(char *x, int first) { x[first + 2 * threadIdx.x] = 1; }

/* ---- streams --------------------------------------------------------------------------------- */
static void noEvent(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void withEvent(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void eventTooEarly(void)
{
    CHECK(cudaEventRecord(event, a));
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaStreamWaitEvent(b, event, 0));
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void waitsBeforeRecord(void)
{
    CHECK(cudaStreamWaitEvent(b, other, 0)); /* never recorded: waits for nothing */
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaEventRecord(other, a));
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void overThreeStreams(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    CHECK(cudaEventRecord(other, b));
    CHECK(cudaStreamWaitEvent(blocking, other, 0));
    copyTo<<<1, N, 0, blocking>>>(d_y, d_x);
}
static void overwritesWhatIsRead(void)
{
    copyTo<<<1, N, 0, a>>>(d_y, d_x);
    fill<<<1, N, 0, b>>>(d_x, 1);
}
static void twoReaders(void)
{
    copyTo<<<1, N, 0, a>>>(d_y, d_x);
    copyTo<<<1, N, 0, b>>>(d_y + N, d_x);
}
/* the stream of the last one waits for the second reader, not for the first */
static void oneOfTwoReaders(void)
{
    twoReaders();
    CHECK(cudaEventRecord(event, b));
    CHECK(cudaStreamWaitEvent(blocking, event, 0));
    fill<<<1, N, 0, blocking>>>(d_x, 1);
}
static void bothReaders(void)
{
    twoReaders();
    CHECK(cudaEventRecord(event, b));
    CHECK(cudaEventRecord(other, a));
    CHECK(cudaStreamWaitEvent(blocking, event, 0));
    CHECK(cudaStreamWaitEvent(blocking, other, 0));
    fill<<<1, N, 0, blocking>>>(d_x, 1);
}
static void atomicsOfBoth(void)
{
    count<<<1, N, 0, a>>>(d_x);
    count<<<1, N, 0, b>>>(d_x);
}
static void atomicsAndCopy(void)
{
    count<<<1, N, 0, a>>>(d_x);
    CHECK(cudaMemcpyAsync(h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost, b));
    CHECK(cudaDeviceSynchronize());
}
static void neighbouringBytes(void)
{
    fillBytes<<<1, N, 0, a>>>((char *)d_x, 0);
    fillBytes<<<1, N, 0, b>>>((char *)d_x, 1);
}
static void halves(void)
{
    fill<<<1, N / 2, 0, a>>>(d_x, 1);
    fill<<<1, N / 2, 0, b>>>(d_x + N / 2, 1);
}
static void hostWaitsBetween(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaStreamSynchronize(a));
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void hostWaitsForAnEvent(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaEventSynchronize(event));
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void hostAsks(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    while (cudaStreamQuery(a) == cudaErrorNotReady)
        ;
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}
static void hostWaitsForTheOther(void)
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaStreamSynchronize(b));
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
}

/* ---- the default stream ---------------------------------------------------------------------- */
static void defaultAndBlocking(void)
{
    fill<<<1, N>>>(d_x, 1);
    copyTo<<<1, N, 0, blocking>>>(d_y, d_x);
    fill<<<1, N>>>(d_x, 2);
}
static void defaultAndNonBlocking(void)
{
    fill<<<1, N>>>(d_x, 1);
    copyTo<<<1, N, 0, a>>>(d_y, d_x);
}
static void memsetAndNonBlocking(void)
{
    CHECK(cudaMemset(d_x, 0, bytes));
    copyTo<<<1, N, 0, a>>>(d_y, d_x);
}
static void memcpyAndNonBlocking(void) /* complete when it returns */
{
    CHECK(cudaMemcpy(d_x, pageable, bytes, cudaMemcpyHostToDevice));
    copyTo<<<1, N, 0, a>>>(d_y, d_x);
}
static void memcpyBackTooEarly(void) /* cudaMemcpy() does not wait for a non-blocking stream */
{
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaMemcpy(pageable, d_x, bytes, cudaMemcpyDeviceToHost));
}
static void memcpyBack(void)
{
    fill<<<1, N, 0, blocking>>>(d_x, 1);
    CHECK(cudaMemcpy(pageable, d_x, bytes, cudaMemcpyDeviceToHost));
}

/* ---- streams and the host -------------------------------------------------------------------- */
static volatile int sink;
static void managedReadTooEarly(void)
{
    fill<<<1, N>>>(managed, 1);
    sink = managed[5];
}
static void managedReadInTime(void)
{
    fill<<<1, N>>>(managed, 1);
    CHECK(cudaDeviceSynchronize());
    sink = managed[5];
}
static void managedWrittenTooEarly(void)
{
    copyTo<<<1, N>>>(d_y, managed);
    managed[7] = 1;
}
static void managedWrittenBefore(void)
{
    managed[7] = 1;
    copyTo<<<1, N>>>(d_y, managed);
}
static void pinnedReused(void)
{
    CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, a));
    h_x[3] = 1;
}
static void pinnedReusedLater(void)
{
    CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, a));
    sink = h_x[3]; /* both only read */
    CHECK(cudaStreamSynchronize(a));
    h_x[3] = 1;
}
static void pinnedReadTooEarly(void)
{
    CHECK(cudaMemcpyAsync(h_x, d_x, bytes, cudaMemcpyDeviceToHost, a));
    sink = h_x[3];
}
static void pageableReused(void) /* copied aside before the call returns */
{
    CHECK(cudaMemcpyAsync(d_x, pageable, bytes, cudaMemcpyHostToDevice, a));
    pageable[3] = 1;
}
__global__ void tell(int *data, volatile int *flag, int fenced)
{
    data[threadIdx.x] = 1;
    if (fenced)
        __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = 1;
}
static void hostPolls(void)
{
    tell<<<1, 32, 0, a>>>(h_x + 32, h_x, 1);
    while (*(volatile int *)h_x == 0)
        ;
    sink = h_x[33];
}
static void hostPollsPlainly(void)
{
    tell<<<1, 32, 0, a>>>(h_x + 32, h_x, 1);
    sink = h_x[0];
}
static void CUDART_CB addOne(void *p) { ++*(int *)p; }
static void hostFunction(void)
{
    CHECK(cudaMemcpyAsync(h_x, d_x, bytes, cudaMemcpyDeviceToHost, a));
    CHECK(cudaLaunchHostFunc(a, addOne, h_x));
    CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice, a));
}
static void hostFunctionInAnotherStream(void)
{
    CHECK(cudaMemcpyAsync(h_x, d_x, bytes, cudaMemcpyDeviceToHost, a));
    CHECK(cudaLaunchHostFunc(b, addOne, h_x));
}
/* A thread that a host function starts knows what the function knows; the thread that submitted the
 * function need not. */
static std::thread worker;
static void CUDART_CB startWorker(void *p)
{
    worker = std::thread([p] { sink = *(int *)p; });
}
static void startedByFunction(int main_reads)
{
    std::thread submitter([] {
        CHECK(cudaMemcpyAsync(h_x, d_x, bytes, cudaMemcpyDeviceToHost, a));
        CHECK(cudaLaunchHostFunc(a, startWorker, h_x + 1));
    });
    submitter.join();
    if (main_reads) {
        fill<<<1, N, 0, b>>>(managed, 1);
        sink = managed[0];
    }
    CHECK(cudaDeviceSynchronize());
    worker.join();
}
static void functionStartsThread(void) { startedByFunction(0); }
static void functionOfAnotherStream(void) { startedByFunction(1); }
static void submitterDoesNotWait(void)
{
    CHECK(cudaMemcpyAsync(h_x, d_x, bytes, cudaMemcpyDeviceToHost, a));
    CHECK(cudaLaunchHostFunc(a, startWorker, h_x + 1));
    sink = h_x[0];
    CHECK(cudaDeviceSynchronize());
    worker.join();
}
/* A look at a word before it is claimed, as between threads of a kernel */
__global__ void addToAll(int *x) { atomicAdd_system(x, 1); }
template <int claims> static void hostAdds(int *p)
{
    addToAll<<<1, N, 0, a>>>(p);
    const int old = *p;
    if (claims)
        __sync_val_compare_and_swap(p, old, old + 1);
    sink = old;
    CHECK(cudaDeviceSynchronize());
}
static void hostClaims(void) { hostAdds<1>(managed); }
static void hostOnlyLooks(void) { hostAdds<0>(managed); }
static void freedTooEarly(void)
{
    int *p;
    CHECK(cudaMallocAsync((void **)&p, bytes, a));
    fill<<<1, N, 0, a>>>(p, 1);
    CHECK(cudaFreeAsync(p, b));
}
static void freedInTurn(void)
{
    int *p;
    CHECK(cudaMallocAsync((void **)&p, bytes, a));
    fill<<<1, N, 0, a>>>(p, 1);
    CHECK(cudaFreeAsync(p, a));
}
static void usedBeforeItIsThere(void)
{
    int *p;
    CHECK(cudaMallocAsync((void **)&p, bytes, a));
    fill<<<1, N, 0, b>>>(p, 1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(p));
}

/* ---- libraries ------------------------------------------------------------------------------- */
static void scaleInStream(int wait)
{
    const float two = 2;
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSetStream(handle, a);
    cublasSscal(handle, N, &two, (float *)d_x, 1);
    if (wait) {
        CHECK(cudaEventRecord(event, a));
        CHECK(cudaStreamWaitEvent(b, event, 0));
    }
    copyTo<<<1, N, 0, b>>>(d_y, d_x);
    cublasDestroy(handle);
}
static void libraryAndKernel(void) { scaleInStream(0); }
static void libraryThenKernel(void) { scaleInStream(1); }

/* ---- graphs ---------------------------------------------------------------------------------- */
static void graph(int join)
{
    cudaGraph_t g;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    fill<<<1, N, 0, b>>>(d_x, 1);
    fill<<<1, N, 0, a>>>(d_y, 1);
    CHECK(cudaEventRecord(other, b));
    if (join)
        CHECK(cudaStreamWaitEvent(a, other, 0));
    copyTo<<<1, N, 0, a>>>(d_y, d_x);
    if (!join)
        CHECK(cudaStreamWaitEvent(a, other, 0));
    CHECK(cudaStreamEndCapture(a, &g));
    CHECK(cudaGraphInstantiate(&exec, g, NULL, NULL, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(exec, a));
    fill<<<1, N, 0, a>>>(d_x, 2);
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(g));
}
static void graphJoins(void) { graph(1); }
static void graphJoinsTooLate(void) { graph(0); }

/* ---- several devices ------------------------------------------------------------------------- */
static void acrossDevices(int wait)
{
    cudaStream_t there;
    int *d_z;
    CHECK(cudaSetDevice(1));
    CHECK(cudaStreamCreate(&there));
    CHECK(cudaMalloc((void **)&d_z, bytes));
    CHECK(cudaSetDevice(0));
    fill<<<1, N, 0, a>>>(d_x, 1);
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaSetDevice(1));
    if (wait)
        CHECK(cudaStreamWaitEvent(there, event, 0));
    CHECK(cudaMemcpyPeerAsync(d_z, 1, d_x, 0, bytes, there));
    CHECK(cudaStreamSynchronize(there));
    CHECK(cudaStreamDestroy(there));
    CHECK(cudaFree(d_z));
    CHECK(cudaSetDevice(0));
}
static void freedFromAnotherDevice(void)
{
    int *p;
    CHECK(cudaMalloc((void **)&p, bytes));
    fill<<<1, N, 0, a>>>(p, 1);
    CHECK(cudaSetDevice(1));
    CHECK(cudaFree(p)); /* waits for the device whose memory it is */
    CHECK(cudaSetDevice(0));
}
static void peerWaits(void) { acrossDevices(1); }
static void peerDoesNotWait(void) { acrossDevices(0); }

static const struct test {
    const char *name;
    void (*run)(void);
    int race;
} tests[] = {
#define RACE(function)                                                                             \
    {                                                                                              \
#function, function, 1                                                                     \
    }
#define CLEAN(function)                                                                            \
    {                                                                                              \
#function, function, 0                                                                     \
    }
    RACE(noEvent),
    CLEAN(withEvent),
    RACE(eventTooEarly),
    RACE(waitsBeforeRecord),
    CLEAN(overThreeStreams),
    RACE(overwritesWhatIsRead),
    CLEAN(twoReaders),
    RACE(oneOfTwoReaders),
    CLEAN(bothReaders),
    CLEAN(atomicsOfBoth),
    RACE(atomicsAndCopy),
    CLEAN(neighbouringBytes),
    CLEAN(halves),
    CLEAN(hostWaitsBetween),
    CLEAN(hostWaitsForAnEvent),
    CLEAN(hostAsks),
    RACE(hostWaitsForTheOther),
    CLEAN(defaultAndBlocking),
    RACE(defaultAndNonBlocking),
    RACE(memsetAndNonBlocking),
    CLEAN(memcpyAndNonBlocking),
    RACE(memcpyBackTooEarly),
    CLEAN(memcpyBack),
    RACE(managedReadTooEarly),
    CLEAN(managedReadInTime),
    RACE(managedWrittenTooEarly),
    CLEAN(managedWrittenBefore),
    RACE(pinnedReused),
    CLEAN(pinnedReusedLater),
    RACE(pinnedReadTooEarly),
    CLEAN(pageableReused),
    CLEAN(hostPolls),
    RACE(hostPollsPlainly),
    CLEAN(hostFunction),
    RACE(hostFunctionInAnotherStream),
    CLEAN(functionStartsThread),
    RACE(functionOfAnotherStream),
    RACE(submitterDoesNotWait),
    CLEAN(hostClaims),
    RACE(hostOnlyLooks),
    RACE(freedTooEarly),
    CLEAN(freedInTurn),
    RACE(usedBeforeItIsThere),
    RACE(libraryAndKernel),
    CLEAN(libraryThenKernel),
    CLEAN(graphJoins),
    RACE(graphJoinsTooLate),
    CLEAN(freedFromAnotherDevice),
    CLEAN(peerWaits),
    RACE(peerDoesNotWait),
};

/* Returns 0 if races were found where there are some, and nothing else. */
static int runTest(const struct test *t)
{
    int races = 0, others = 0;
    CHECK(cudaMemset(d_x, 0, 2 * bytes));
    CHECK(cudaMemset(d_y, 0, 2 * bytes));
    memset(h_x, 0, bytes);
    memset(managed, 0, bytes);
    CHECK(cudaDeviceSynchronize());
    emulatedFindingsReset();
    t->run();
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < emulatedFindings(); i++)
        strcmp(emulatedFindingKind(i), "race") == 0 ? races++ : others++;
    const int wrong = (races > 0) != t->race || (others > 0 && !t->race);
    printf("%-28s %s\n", t->name, wrong ? "FAILED" : "ok");
    for (int i = 0; wrong && i < emulatedFindings(); i++)
        printf("    %s\n", emulatedFindingLine(i));
    return wrong;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static int stepIs(const char *what, long got, long want)
{
    if (got != want)
        printf("%s: %ld steps instead of %ld\n", what, got, want);
    return got != want;
}

/* The clock without time: one step for each copy and each kernel, as early as the order and the
 * copy engines allow. */
static int steps(void)
{
    cudaEvent_t start, end;
    cudaStream_t gone;
    long begin, waits;
    int wrong = 0;

    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    begin = emulatedLastStep();
    waits = emulatedWaits();
    wrong |= stepIs("an event that was never recorded", emulatedEventStep(end), -1);
    CHECK(cudaEventRecord(start, a));
    begin = emulatedEventStep(start);
    fill<<<1, N, 0, a>>>(d_x, 1);
    fill<<<1, N, 0, a>>>(d_x, 2);
    CHECK(cudaEventRecord(end, a));
    wrong |= stepIs("two kernels in a stream", emulatedEventStep(end) - begin, 2);
    wrong |= stepIs("work that nobody has waited for", emulatedWorkIsLeft(), 1);
    wrong |= stepIs("all work", emulatedLastStep() - begin, 2);
    wrong |= stepIs("waits for nothing", emulatedWaits() - waits, 0);
    fill<<<1, N, 0, b>>>(d_y, 1);
    CHECK(cudaEventRecord(end, b));
    wrong |= stepIs("a kernel in another stream", emulatedEventStep(end) - begin, 1);
    wrong |= stepIs("all work, with that", emulatedLastStep() - begin, 2);
    CHECK(cudaStreamSynchronize(a));
    wrong |= stepIs("one of two streams waited for", emulatedWorkIsLeft(), 1);
    CHECK(cudaStreamSynchronize(b));
    wrong |= stepIs("both streams waited for", emulatedWorkIsLeft(), 0);
    wrong |= stepIs("waits, of which the second found all done", emulatedWaits() - waits, 1);
    CHECK(cudaDeviceSynchronize());
    wrong |= stepIs("a wait for what is known", emulatedWaits() - waits, 1);
    CHECK(cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking));
    fill<<<1, N, 0, gone>>>(d_x, 3);
    CHECK(cudaStreamDestroy(gone));
    wrong |= stepIs("the work of a stream that is gone", emulatedWorkIsLeft(), 1);
    CHECK(cudaDeviceSynchronize());
    wrong |= stepIs("and that has been waited for", emulatedWorkIsLeft(), 0);

    CHECK(cudaEventRecord(start, a));
    begin = emulatedEventStep(start);
    CHECK(cudaMemcpyAsync(h_x, d_x, bytes / 4, cudaMemcpyDeviceToHost, a));
    /* the engine is busy */
    CHECK(cudaMemcpyAsync(h_x + N / 4, d_y, bytes / 4, cudaMemcpyDeviceToHost, b));
    CHECK(cudaEventRecord(end, b));
    wrong |= stepIs("two copies from the device", emulatedEventStep(end) - begin, 2);
    CHECK(
        /* the other one is not */
        cudaMemcpyAsync(d_y + N, h_x + N / 2, bytes / 4, cudaMemcpyHostToDevice, blocking));
    CHECK(cudaEventRecord(end, blocking));
    wrong |= stepIs("a copy in the other direction", emulatedEventStep(end) - begin, 1);
    CHECK(cudaStreamWaitEvent(blocking, start, 0));
    CHECK(cudaEventRecord(end, a));
    CHECK(cudaStreamWaitEvent(blocking, end, 0));
    fill<<<1, N, 0, blocking>>>(d_x, 3);
    CHECK(cudaEventRecord(end, blocking));
    wrong |= stepIs("a kernel behind an event", emulatedEventStep(end) - begin, 2);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(end));
    printf("%-28s %s\n", "steps", wrong ? "FAILED" : "ok");
    return wrong;
}

int main(int argc, char **argv)
{
    int wrong = 0, count = 0;
    emulatedSilence(1);
    CHECK(cudaMalloc((void **)&d_x, 2 * bytes));
    CHECK(cudaMalloc((void **)&d_y, 2 * bytes));
    CHECK(cudaMallocHost((void **)&h_x, bytes));
    CHECK(cudaMallocManaged((void **)&managed, bytes));
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaStreamCreate(&blocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&other, cudaEventDisableTiming));
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) {
            wrong += runTest(&tests[i]);
            count++;
        }
    if (argc < 2)
        wrong += steps();
    printf("%d cases, %d failed\n", count, wrong);
    return wrong != 0 || count == 0;
}
