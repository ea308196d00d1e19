/* Other ways to say the same, each with its own use: given, to read and to compare. */
#ifndef __clang__
#include <openacc.h>
#else /* in an editor: clangd does not have it */
void *acc_malloc(size_t bytes);
void acc_free(void *d_memory);
void acc_memcpy_to_device(void *d_to, void *from, size_t bytes);
void acc_memcpy_from_device(void *to, void *d_from, size_t bytes);
#endif

/* `kernels` promises nothing: the compiler looks for loops whose turns do not depend on each other,
 * and makes kernels of them. a and c might overlap, so the code states: `independent`. */
static void kernelsIndependent(const float *a, float b, float *c, size_t n)
{
    MEASURE (run) {
#pragma acc kernels copyin(a[0:n]) copyout(c[0:n])
        {
#pragma acc loop independent
            for (size_t i = 0; i < n; i++)
                c[i] = a[i] * b;
        }
    }
}

/* Memory for as long as the region lasts, and copies where the program wants them: for a time loop
 * that hands out a result now and then. */
static void updateByHand(const float *a, float b, float *c, size_t n)
{
#pragma acc data create(a[0:n], c[0:n])
    {
        MEASURE (run) {
#pragma acc update device(a[0:n])
#pragma acc parallel loop present(a[0:n], c[0:n])
            for (size_t i = 0; i < n; i++)
                c[i] = a[i] * b;
#pragma acc update self(c[0:n])
        }
    }
}

/* Without any data clause: the runtime library allocates and copies, as cudaMalloc() and
 * cudaMemcpy() do, and a clause states that these pointers are the device's already. */
static void runtimeLibrary(const float *a, float b, float *c, size_t n)
{
    const size_t bytes = n * sizeof *a;
    float *d_a = acc_malloc(bytes), *d_c = acc_malloc(bytes);

    if (d_a != NULL && d_c != NULL) {
        acc_memcpy_to_device(d_a, (void *)a, bytes);
        MEASURE (run) {
#pragma acc parallel loop deviceptr(d_a, d_c)
            for (size_t i = 0; i < n; i++)
                d_c[i] = d_a[i] * b;
        }
        acc_memcpy_from_device(c, d_c, bytes);
    } else {
        verifyThat(0, "acc_malloc() has no memory for two arrays of %zu bytes", bytes);
    }
    acc_free(d_a);
    acc_free(d_c);
}

/* The other way round: OpenACC keeps the arrays, and a CUDA kernel works on them. Inside
 * `host_data`, a and c are the addresses on the device. */
static void cudaKernel(const float *a, float b, float *c, size_t n)
{
#pragma acc data copyin(a[0:n]) copyout(c[0:n])
    {
        MEASURE (run) {
#pragma acc host_data use_device(a, c)
            {
                scaleOnDevice(a, b, c, n);
            }
        }
    }
}
