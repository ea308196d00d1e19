/* The harness for a variant (cpu.c, template.cu, solution.cu): measuring, the launch configuration
 * asked for on the command line, and the mark of an unfilled TODO. Plain C and CUDA C. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One measurement; its members belong to the harness. */
struct measurement {
    int warm;  /* 1 while the first run is under way, and just after it */
    int phase; /* start, warm-up, trial, samples */
};

/* MEASURE(run) { body }: runs the body once to warm up and then as often as needed, and keeps the
 * median time of one run. On a device, events bracket each sample; a body of a few microseconds
 * runs many times a sample, back to back. So a body must be repeatable: it zeroes an accumulator
 * itself. Before each sample, the emulated device erases what the body has written into empty
 * memory, so that a body that works only once is found. */
#define MEASURE(run)                                                                               \
    for (struct measurement run = measureBegin(); MEASURE_KERNEL_TODO(run) && measureNext(&run);)

struct measurement measureBegin(void);
int measureNext(struct measurement *run);
/* How often the body of the last measurement has run, warm-up included. */
long measureRuns(void);

/* malloc() that ends the program (exit 2) if there is no memory, saying for what: "a second
 * field". */
void *mustAllocate(size_t bytes, const char *what);

/* Threads per block: what --block asks for, otherwise the variant's own choice. */
int blockSize(int own);
/* Blocks in the grid: what --grid asks for, otherwise the variant's own choice. */
size_t gridSize(size_t own);
/* Multiprocessors of the device in use, at least 1. */
int multiprocessors(void);
/* Threads that a multiprocessor of the device in use can hold: 1024, 1536 or 2048. */
int threadsPerMultiprocessor(void);
/* Blocks that a grid of the device in use may have in its first dimension: 65535 on Fermi. */
size_t maxGrid(void);

/* Highest clock rate of the multiprocessors of the device in use, in Hz; 0 if unknown. */
double clockRate(void);

/* A line under the variant's row in the table, as printf. */
void harnessRemark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For a variant that cannot run here: its row states the reason and is not judged. All ranks must
 * skip alike. A row that the solution runs here becomes NOT IMPLEMENTED, for the TODO in which the
 * call stands. */
#define rowSkip(...) rowSkipAt(__FILE__, __LINE__, __VA_ARGS__)
void rowSkipAt(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For a variant after which the program cannot continue, such as a kernel that had to be ended:
 * prints the message and ends the program with the verdict WRONG. */
void variantFailed(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* For a check inside a variant: makes its row WRONG with this message unless ok. */
void verifyThat(int ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records that TODO number `todo` is unfilled, the first time it is called. Returns 1. */
int todoIsUnfilled(int todo, const char *file, int line);

#ifdef __cplusplus
}
#endif

/* Templates before version 1.1 named their results with wipeBeforeRuns(). The emulated device now
 * finds them itself. */
#define wipeOnHostBeforeRuns(result, bytes) ((void)(result), (void)(bytes))

/* NOT_IMPLEMENTED(n) stands in a template in the place of the student's lines and leaves the
 * function. The program then says NOT IMPLEMENTED with the number and the line, and does not judge
 * the result. NOT_IMPLEMENTED_VALUE(n, v) does the same in a function that returns a value.
 * UNFILLED(n) only records the TODO, where the program can continue without the student's lines. */
#define NOT_IMPLEMENTED(todo)                                                                      \
    do {                                                                                           \
        if (notImplemented(todo, __FILE__, __LINE__))                                              \
            return;                                                                                \
    } while (0)
#define UNFILLED(todo) ((void)todoIsUnfilled(todo, __FILE__, __LINE__))
#define NOT_IMPLEMENTED_VALUE(todo, value)                                                         \
    do {                                                                                           \
        if (notImplemented(todo, __FILE__, __LINE__))                                              \
            return value;                                                                          \
    } while (0)

#if defined __CUDACC__ && !defined __CUDA_EMULATED__

/* A kernel cannot call the harness, so it leaves a note here. MEASURE reads and clears it, since
 * the next variant's kernel may be filled in. */
static __device__ int d_unfilledTodo[2];

static __host__ __device__ inline int notImplemented(int todo, const char *file, int line)
{
#ifdef __CUDA_ARCH__
    (void)file;
    d_unfilledTodo[0] = todo;
    d_unfilledTodo[1] = line;
    return 1;
#else
    return todoIsUnfilled(todo, file, line);
#endif
}

static inline int unfilledTodoInKernel(const char *file)
{
    const int none[2] = {0, 0};
    int todo[2] = {0, 0};

    if (cudaMemcpyFromSymbol(todo, d_unfilledTodo, sizeof todo, 0, cudaMemcpyDeviceToHost) !=
            cudaSuccess ||
        todo[0] == 0 ||
        cudaMemcpyToSymbol(d_unfilledTodo, none, sizeof none, 0, cudaMemcpyHostToDevice) !=
            cudaSuccess)
        return 0; /* none, or an earlier error: the exercise's own check reports it */
    return todoIsUnfilled(todo[0], file, todo[1]);
}

#define MEASURE_KERNEL_TODO(run) (!(run).warm || !unfilledTodoInKernel(__FILE__))
#define wipeBeforeRuns(result, bytes) cudaVerify(cudaMemset(result, 0xFF, bytes))

#else

#define notImplemented todoIsUnfilled
#define MEASURE_KERNEL_TODO(run) 1
#define wipeBeforeRuns(result, bytes) ((void)(result), (void)(bytes))

#endif

#endif
