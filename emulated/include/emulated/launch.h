/* launch.h: kernel<<<grid, block, shared, stream>>>(arguments), translated into launch("kernel",
 * kernel, ...)(arguments). */
#ifndef EMULATED_LAUNCH_H
#define EMULATED_LAUNCH_H

#include <limits>
#include <type_traits>

#define EMULATED_INLINE inline __attribute__((always_inline))

/* A function of newer devices: a call of it does not compile. */
#define EMULATED_NEEDS(name, capability)                                                           \
    template <class... Arguments>                                                                  \
    __attribute__((error(#name " needs compute capability " capability                             \
                               ": compile with -arch"))) ::emulated::anything                      \
    name(Arguments...);

extern "C" {
/* thunk(arguments) runs the kernel's body for one thread. The arguments are copied. */
void emulatedLaunch(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared,
                    cudaStream_t stream, void (*thunk)(void *), const void *arguments, size_t size,
                    int cooperative, dim3 cluster);
cudaError_t emulatedMaxActiveClusters(int *clusters, const void *kernel,
                                      const cudaLaunchConfig_t *config);
cudaError_t emulatedMaxClusterSize(int *blocks, const void *kernel,
                                   const cudaLaunchConfig_t *config);
cudaError_t emulatedFuncSetAttribute(const void *kernel, int attribute, int value);
cudaError_t emulatedFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t emulatedOccupancy(int *blocks, const void *kernel, int threads, size_t shared);
int emulated_on_device(void); /* does this run in a kernel? */
void emulated_thread_ends(void) __attribute__((noreturn));
}

namespace emulated
{

/* A literal 0 among the arguments of a template kernel: a null pointer or a number, as its
 * parameter wants it. */
struct zero {
    template <class T> EMULATED_INLINE operator T *() const { return nullptr; }
    EMULATED_INLINE operator int() const { return 0; }
};

struct anything {
    template <class T> operator T() const;
};

/* What a kernel says of its launches (translate.c): an entry in a table of the program, which the
 * kernel's code stands for. */
template <unsigned Kind> static EMULATED_INLINE void kernel_says(unsigned x, unsigned y, unsigned z)
{
    __asm__ volatile("1: .pushsection emulated_kernels,\"aw?\"\n"
                     ".quad 1b, %c0, %c1, %c2, %c3\n"
                     ".popsection" ::"i"(Kind),
                     "i"(x), "i"(y), "i"(z));
}
static EMULATED_INLINE void launch_bounds(unsigned threads, unsigned = 0, unsigned blocks = 0)
{
    kernel_says<0>(threads, blocks, 0);
}
static EMULATED_INLINE void cluster_dims(unsigned x, unsigned y = 1, unsigned z = 1)
{
    kernel_says<1>(x, y, z);
}

/* Follows a kernel's call if its arguments have destructors: the thread ends here, before they
 * would run. CUDA gives a kernel copies of the bytes, which nobody destroys. */
template <class... Arguments> static EMULATED_INLINE void thread_ends()
{
    if (!(true && ... &&
          std::is_trivially_destructible<typename std::remove_reference<Arguments>::type>::value))
        emulated_thread_ends();
}

/* Calls a kernel with the bytes of its arguments. An object that its class copies or destroys is
 * handed over by its address, in C++'s calling convention, so that the kernel gets a copy of the
 * bytes and no copy constructor runs on the device. */
template <class T> struct ByAddress {
    static const bool value = !std::is_trivially_copy_constructible<T>::value ||
                              !std::is_trivially_move_constructible<T>::value ||
                              !std::is_trivially_destructible<T>::value;
};
template <class T> struct Bytes {
    alignas(T) unsigned char bytes[sizeof(T)];
    explicit Bytes(const T &object)
    {
        __builtin_memcpy(bytes, (const void *)&object, sizeof bytes);
    }
    EMULATED_INLINE operator T &() { return *(T *)bytes; }
};
template <class T>
using handed_over = typename std::conditional<ByAddress<T>::value, Bytes<T>, T &>::type;
template <class T> using passed = typename std::conditional<ByAddress<T>::value, T &, T>::type;
template <class F, class... Args> static EMULATED_INLINE void call_kernel(F f, Args &...args)
{
    f(args...);
}
template <class... Parameters, class... Args>
static EMULATED_INLINE void call_kernel(void (*f)(Parameters...), Args &...args)
{
    if constexpr ((false || ... || ByAddress<Parameters>::value))
        ((void (*)(passed<Parameters>...))f)(handed_over<Parameters>(args)...);
    else
        f(args...);
}

/* A kernel's arguments as one block of bytes, in order. std::tuple would do, were its accessors not
 * instrumented. */
template <class... Types> struct Pack {
    void take() {}
    void addresses(void **) {}
    template <class F, class... Args> EMULATED_INLINE void call(F f, Args &...args)
    {
        call_kernel(f, args...), thread_ends<Args...>();
    }
};
template <class Head, class... Tail> struct Pack<Head, Tail...> {
    alignas(Head) unsigned char head[sizeof(Head)];
    Pack<Tail...> tail;
    EMULATED_INLINE void take(const Head &h, const Tail &...t)
    {
        __builtin_memcpy(head, (const void *)&h, sizeof head);
        tail.take(t...);
    }
    void addresses(void **out)
    {
        *out = head;
        tail.addresses(out + 1);
    }
    template <class F, class... Args> EMULATED_INLINE void call(F f, Args &...args)
    {
        tail.call(f, args..., *(Head *)head);
    }
};

// A reference among the parameters: its address is handed over, as nvcc does it.
template <class Head, class... Tail> struct Pack<Head &, Tail...> {
    Head *head;
    Pack<Tail...> tail;
    EMULATED_INLINE void take(Head &h, const Tail &...t)
    {
        head = &h;
        tail.take(t...);
    }
    void addresses(void **out)
    {
        *out = &head;
        tail.addresses(out + 1);
    }
    template <class F, class... Args> EMULATED_INLINE void call(F f, Args &...args)
    {
        tail.call(f, args..., *head);
    }
};

/* The argument at this place; for a reference, the object whose address is there */
template <class T> struct Argument {
    static T &at(void *p) { return *(T *)p; }
};
template <class T> struct Argument<T &> {
    static T &at(void *p) { return **(T **)p; }
};

// Each file has its own: where two share a function, libbacktrace no longer finds the lines of what
// follows it.
namespace
{
template <class F, class Arguments> struct Call {
    F kernel;
    Arguments arguments;
    __attribute__((no_sanitize("thread"), no_sanitize_coverage, noinline)) static void
    thunk(void *p)
    {
        Call *call = (Call *)p;
        call->arguments.call(call->kernel);
    }
};
} // namespace

struct Configuration {
    const char *name;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    int cooperative;
    dim3 cluster = dim3(0, 0, 0); /* in blocks; zeros: as the kernel says */
};

static inline Configuration configured(const cudaLaunchConfig_t &config)
{
    Configuration c = {0, config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream,
                       0};
    for (unsigned int i = 0; i < config.numAttrs; i++) {
        const cudaLaunchAttributeValue &value = config.attrs[i].val;
        if (config.attrs[i].id == cudaLaunchAttributeCooperative)
            c.cooperative = value.cooperative;
        else if (config.attrs[i].id == cudaLaunchAttributeClusterDimension)
            c.cluster = dim3(value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    }
    return c;
}

template <class F, class... Arguments>
static EMULATED_INLINE void start(const Configuration &c, F f, const void *kernel,
                                  const Arguments &...arguments)
{
    Call<F, Pack<Arguments...>> call = {f, {}};
    call.arguments.take(arguments...);
    emulatedLaunch(c.name, kernel, c.grid, c.block, c.shared, c.stream, call.thunk, &call,
                   sizeof call, c.cooperative, c.cluster);
}

/* A kernel whose parameters are known: the arguments convert to them as in any call. */
template <class... Parameters> struct Launch {
    Configuration c;
    void (*kernel)(Parameters...);
    EMULATED_INLINE void operator()(Parameters... arguments) const
    {
        start<void (*)(Parameters...), Parameters...>(c, kernel, (const void *)kernel,
                                                      arguments...);
    }
};
template <class... Parameters>
static inline Launch<Parameters...> launch(const char *name, void (*kernel)(Parameters...),
                                           dim3 grid, dim3 block, size_t shared = 0,
                                           cudaStream_t stream = 0)
{
    return Launch<Parameters...>{{name, grid, block, shared, stream, 0}, kernel};
}

/* A template kernel, whose parameters follow from the arguments. */
template <class F> struct LaunchAny {
    Configuration c;
    F kernel;
    template <class... Arguments> EMULATED_INLINE void operator()(Arguments... arguments) const
    {
        start<F, Arguments...>(c, kernel, 0, arguments...);
    }
};
template <class F>
static inline LaunchAny<F> launch_any(const char *name, F kernel, dim3 grid, dim3 block,
                                      size_t shared = 0, cudaStream_t stream = 0)
{
    return LaunchAny<F>{{name, grid, block, shared, stream, 0}, kernel};
}

/* cudaLaunchKernel(kernel, ..., void **arguments): one pointer per parameter */
template <class... Parameters, class... Done>
static EMULATED_INLINE void start_from_pointers(const Configuration &c,
                                                void (*kernel)(Parameters...), void **, Pack<> *,
                                                Done &...done)
{
    start<void (*)(Parameters...), Parameters...>(c, kernel, (const void *)kernel, done...);
}
template <class... Parameters, class Head, class... Tail, class... Done>
static EMULATED_INLINE void start_from_pointers(const Configuration &c,
                                                void (*kernel)(Parameters...), void **p,
                                                Pack<Head, Tail...> *, Done &...done)
{
    start_from_pointers(c, kernel, p + 1, (Pack<Tail...> *)0, done..., Argument<Head>::at(*p));
}
template <class... Parameters>
static EMULATED_INLINE void start_by_pointers(const Configuration &c, void (*kernel)(Parameters...),
                                              void **arguments)
{
    emulatedTakeArguments(arguments, (int)sizeof...(Parameters));
    start_from_pointers(c, kernel, arguments, (Pack<Parameters...> *)0);
}

/* A kernel's address alone does not reveal its arguments: the program registers its kernels
 * (translate.c). */
template <class... Parameters>
static void launch_by_pointers(const void *kernel, dim3 grid, dim3 block, size_t shared,
                               cudaStream_t stream, int cooperative, dim3 cluster, void **arguments)
{
    start_by_pointers(Configuration{0, grid, block, shared, stream, cooperative, cluster},
                      (void (*)(Parameters...))kernel, arguments);
}
template <class... Parameters> static void argument_addresses(void *call, void **out)
{
    ((Call<void (*)(Parameters...), Pack<Parameters...>> *)call)->arguments.addresses(out);
}
template <class... Parameters>
static inline const void *kernel_address(void (*kernel)(Parameters...))
{
    emulatedRegisterKernel((const void *)kernel, launch_by_pointers<Parameters...>,
                           argument_addresses<Parameters...>, (int)sizeof...(Parameters));
    return (const void *)kernel;
}

} // namespace emulated

static inline cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cudaStream_t stream = 0)
{
    return emulatedLaunchByAddress(kernel, grid, block, arguments, shared, stream, 0,
                                   dim3(0, 0, 0));
}
static inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0)
{
    return emulatedLaunchByAddress(kernel, grid, block, arguments, shared, stream, 1,
                                   dim3(0, 0, 0));
}
template <class... Parameters>
static inline cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cudaStream_t stream = 0)
{
    ::emulated::Configuration c = {0, grid, block, shared, stream, 0};
    ::emulated::start_by_pointers(c, kernel, arguments);
    return cudaPeekAtLastError();
}
template <class... Parameters>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid,
                                                      dim3 block, void **arguments,
                                                      size_t shared = 0, cudaStream_t stream = 0)
{
    ::emulated::Configuration c = {0, grid, block, shared, stream, 1};
    ::emulated::start_by_pointers(c, kernel, arguments);
    return cudaPeekAtLastError();
}
template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Parameters...),
                                             Arguments &&...arguments)
{
    ::emulated::start<void (*)(Parameters...), Parameters...>(
        ::emulated::configured(*config), kernel, (const void *)kernel,
        static_cast<Parameters>(arguments)...);
    return cudaPeekAtLastError();
}
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                              void **arguments)
{
    const ::emulated::Configuration c = ::emulated::configured(*config);
    return emulatedLaunchByAddress(kernel, c.grid, c.block, arguments, c.shared, c.stream,
                                   c.cooperative, c.cluster);
}
template <class... Parameters>
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                              void (*kernel)(Parameters...), void **arguments)
{
    ::emulated::start_by_pointers(::emulated::configured(*config), kernel, arguments);
    return cudaPeekAtLastError();
}

template <class... P>
static inline cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute a, int value)
{
    return emulatedFuncSetAttribute((const void *)kernel, a, value);
}
template <class... P>
static inline cudaError_t cudaFuncSetCacheConfig(void (*)(P...), cudaFuncCache)
{
    return cudaSuccess;
}
template <class... P>
static inline cudaError_t cudaFuncSetSharedMemConfig(void (*)(P...), cudaSharedMemConfig)
{
    return cudaSuccess;
}
template <class... P>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                                void (*kernel)(P...))
{
    return emulatedFuncGetAttributes(attributes, (const void *)kernel);
}
template <class... P>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                        void (*kernel)(P...),
                                                                        int threads, size_t shared)
{
    return emulatedOccupancy(blocks, (const void *)kernel, threads, shared);
}
template <class... P>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*kernel)(P...),
                                                       int threads, size_t shared, unsigned int)
{
    return emulatedOccupancy(blocks, (const void *)kernel, threads, shared);
}
/* The same for a kernel that is known by its address alone */
static inline cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute a, int value)
{
    return emulatedFuncSetAttribute(kernel, a, value);
}
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    return emulatedFuncGetAttributes(attributes, kernel);
}
static inline cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache)
{
    return cudaSuccess;
}
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                        const void *kernel,
                                                                        int threads, size_t shared)
{
    return emulatedOccupancy(blocks, kernel, threads, shared);
}
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                       size_t shared, unsigned int)
{
    return emulatedOccupancy(blocks, kernel, threads, shared);
}

template <class... P>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, void (*kernel)(P...),
                                                         const cudaLaunchConfig_t *config)
{
    return emulatedMaxActiveClusters(clusters, (const void *)kernel, config);
}
template <class... P>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, void (*kernel)(P...),
                                                               const cudaLaunchConfig_t *config)
{
    return emulatedMaxClusterSize(blocks, (const void *)kernel, config);
}

static inline cudaError_t
cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long,
                        enum cudaDriverEntryPointQueryResult *found = NULL)
{
    return emulatedDriverEntryPoint(name, function, found);
}
static inline cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int,
                                 unsigned long long,
                                 enum cudaDriverEntryPointQueryResult *found = NULL)
{
    return emulatedDriverEntryPoint(name, function, found);
}

/* The smallest grid that fills the device, and the block size that keeps the most threads resident,
 * each block with shared_of(its threads) bytes of shared memory. */
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                         const void *kernel,
                                                                         F shared_of, int limit = 0)
{
    int multiprocessors = 1, device = 0, best = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    for (int threads = limit > 0 && limit < 1024 ? limit / 32 * 32 : 1024; threads >= 32;
         threads -= 32) {
        int blocks = 0;
        cudaError_t error = emulatedOccupancy(&blocks, kernel, threads, shared_of(threads));
        if (error != cudaSuccess)
            return error;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * multiprocessors;
        }
    }
    return best ? cudaSuccess : cudaErrorInvalidValue;
}
template <class F, class... P>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                         void (*kernel)(P...),
                                                                         F shared_of, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, (const void *)kernel,
                                                          shared_of, limit);
}
template <class K>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, K *kernel,
                                                             size_t shared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [shared](int) { return shared; }, limit);
}
#endif
