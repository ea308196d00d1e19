/* A program that forks before it uses the device: the two processes see nothing of each other's
 * memory. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));        \
            _exit(2);                                                                              \
        }                                                                                          \
    } while (0)

enum { N = 64 };
__global__ void add(int *x, int value) { x[threadIdx.x] += value; }

/* Fills, waits until the other one has as well, adds. */
static int use(int value, int from, int to)
{
    int *x, h[N], wrong = 0;
    char byte = 0;
    for (int i = 0; i < N; i++)
        h[i] = i + value;
    CHECK(cudaMalloc((void **)&x, sizeof h));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
        return 2;
    add<<<1, N>>>(x, value);
    CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(x));
    for (int i = 0; i < N; i++)
        wrong += h[i] != i + 2 * value;
    if (wrong)
        fprintf(stderr, "FAILED: %d elements hold what the other process has written\n", wrong);
    return wrong != 0;
}

int main(void)
{
    int there[2], back[2], status = 2;
    if (pipe(there) != 0 || pipe(back) != 0)
        return 2;
    const pid_t child = fork();
    if (child == 0)
        _exit(use(1000, there[0], back[1]));
    const int wrong = use(5, back[0], there[1]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 2;
    return wrong || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}
