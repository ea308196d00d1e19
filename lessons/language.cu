/* C++ that a kernel may use: functions by pointer, recursion, classes for
 * host and device, virtual functions, new and delete. */
#include "../common/cuda_utils.h"

typedef float (*function)(float);

__device__ float half(float x) { return 0.5f * x; }
__device__ float negative(float x) { return -x; }

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/* One class, compiled twice: for the host and for the device. */
class complex
{
    float re, im;

  public:
    __host__ __device__ complex(float r, float i) : re(r), im(i) {}
    __host__ __device__ complex operator*(const complex &o) const
    {
        return complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
    __host__ __device__ float real() const { return re; }
};

class shape
{
  public:
    __device__ virtual float area() const = 0;
    __device__ virtual ~shape() {}
};

class square : public shape
{
    float side;

  public:
    __device__ square(float s) : side(s) {}
    __device__ float area() const { return side * side; }
};

/* Owns memory of the device: allocated by the constructor, freed by the
 * destructor, and therefore never copied. */
class device_array
{
    float *d_x;

    device_array(const device_array &);
    device_array &operator=(const device_array &);

  public:
    explicit device_array(size_t n) : d_x(NULL)
    {
        cudaVerify(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    }
    ~device_array() { cudaVerify(cudaFree(d_x)); }
    float *get() const { return d_x; }
};

__global__ void use(float *results)
{
    function table[2] = {half, negative}; /* addresses of device code */
    shape *s = new square(3.0f);          /* on the device's own heap */

    results[0] = table[0](8.0f) + table[1](1.0f);
    results[1] = (float)factorial(5);
    results[2] = (complex(1.0f, 2.0f) * complex(3.0f, 4.0f)).real();
    results[3] = s == NULL ? 0.0f : s->area();
    delete s;
#ifdef __CUDA_ARCH__ /* defined for the device only */
    results[4] = 1.0f;
#else
    results[4] = 0.0f;
#endif
}

int main(void)
{
    enum { N = 5 };
    float x[N];
    const device_array results(N);

    cudaVerifyKernel((use<<<1, 1>>>(results.get())));
    cudaVerify(
        cudaMemcpy(x, results.get(), sizeof x, cudaMemcpyDeviceToHost));
    printf("by pointer %g, factorial %g, area %g\n", x[0], x[1], x[3]);
    printf("product on the device %g, on the host %g\n", x[2],
           (complex(1.0f, 2.0f) * complex(3.0f, 4.0f)).real());
    printf("__CUDA_ARCH__ in the kernel: %s\n", x[4] > 0 ? "yes" : "no");
    return 0;
}
