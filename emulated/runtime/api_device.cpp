// api_device.cpp: errors, devices, launches, occupancy.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "cuda_emulated.h"
#include "objects.h"
#include "streams.h"

namespace emulated
{

static cudaError_t last_error, sticky;
static size_t printf_room = 1 << 20;
static __thread int device; // each host thread has its own
static std::map<const void *, int> dynamic_shared_allowed EMULATED_EARLY;
static std::set<const void *> may_be_large EMULATED_EARLY; // clusters of more than 8 blocks
static u64 peers[64]; // bit p of peers[d]: device d may use p's memory

int current_device() { return device; }
bool may_use_memory_of(int user, int owner) { return user == owner || (peers[user] >> owner & 1); }
cudaError_t sticky_error() { return sticky; }

// An error in a kernel makes all later calls fail, until the device is reset.
static bool is_sticky(cudaError_t error)
{
    return (error >= cudaErrorIllegalAddress && error <= cudaErrorLaunchTimeout &&
            error != cudaErrorLaunchOutOfResources) ||
           error == cudaErrorAssert || error == cudaErrorHardwareStackError ||
           error == cudaErrorMisalignedAddress || error == cudaErrorLaunchFailure;
}

cudaError_t fail(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    if (is_sticky(error))
        sticky = error;
    return error;
}

static size_t static_shared_bytes(const void *kernel)
{
    const Symbol *s = kernel ? symbol_at((u64)kernel) : nullptr;
    return s ? static_shared_of(*s) : 0;
}

static int blocks_per_multiprocessor(u64 threads, size_t shared)
{
    const cudaDeviceProp &p = settings.device;
    u64 whole = (threads + kWarp - 1) / kWarp * kWarp;
    u64 blocks = std::min<u64>((u64)p.maxBlocksPerMultiProcessor,
                               (u64)p.maxThreadsPerMultiProcessor / whole);
    size_t each = shared + p.reservedSharedMemPerBlock;
    if (each)
        blocks = std::min<u64>(blocks, p.sharedMemPerMultiprocessor / each);
    return (int)blocks;
}

static std::string with_sign(u32 size)
{
    return std::to_string(size) +
           (size >> 31 ? " (" + std::to_string((int)size) + " as an int)" : "");
}

static std::string refuse_launch(const void *kernel, const uint3 &g, const uint3 &b, size_t shared,
                                 cudaError_t *error)
{
    const cudaDeviceProp &p = settings.device;
    u64 threads = (u64)b.x * b.y * b.z;
    if (settings.compiled_for > p.major * 100 + p.minor * 10) {
        *error = cudaErrorNoKernelImageForDevice;
        return "the program was compiled for sm_" + std::to_string(settings.compiled_for / 10) +
               ", and the device is sm_" + std::to_string(p.major * 10 + p.minor);
    }
    if (kernel && !is_kernel((u64)kernel)) {
        *error = cudaErrorInvalidDeviceFunction;
        return "a function of the host: __global__ is missing, or it should be called without "
               "<<<...>>>";
    }
    const u32 bound = bounds_of((u64)kernel).threads;
    if (bound && threads > bound) {
        *error = cudaErrorInvalidValue;
        return std::to_string(threads) +
               " threads per block, but the kernel's __launch_bounds__ "
               "allow " +
               std::to_string(bound);
    }
    *error = cudaErrorInvalidConfiguration;
    if (threads == 0)
        return "the block has no threads";
    if (threads > (u64)p.maxThreadsPerBlock)
        return std::to_string(threads) + " threads per block, but at most " +
               std::to_string(p.maxThreadsPerBlock) + " are possible";
    for (int i = 0; i < 3; i++)
        if ((&b.x)[i] > (u32)p.maxThreadsDim[i])
            return std::string("blockDim.") + "xyz"[i] + " is " + with_sign((&b.x)[i]) +
                   ", but at most " + std::to_string(p.maxThreadsDim[i]) + " is possible";
    for (int i = 0; i < 3; i++) {
        if ((&g.x)[i] == 0)
            return std::string("the grid has no blocks: gridDim.") + "xyz"[i] + " is 0";
        if ((&g.x)[i] > (u32)p.maxGridSize[i])
            return std::string("gridDim.") + "xyz"[i] + " is " + with_sign((&g.x)[i]) +
                   ", but at most " + std::to_string(p.maxGridSize[i]) + " is possible";
    }
    const size_t fixed = static_shared_bytes(kernel);
    if (fixed > p.sharedMemPerBlock) {
        *error = cudaErrorInvalidValue;
        return "its __shared__ variables have " + std::to_string(fixed) + " bytes, but at most " +
               std::to_string(p.sharedMemPerBlock) +
               " are possible: nvcc compiles no such kernel. More must be extern __shared__, in "
               "the launch's third argument";
    }
    auto found = dynamic_shared_allowed.find(kernel);
    /* The attribute is about the dynamic part alone. */
    size_t allowed = kernel && found != dynamic_shared_allowed.end()
                         ? std::min(found->second + fixed, p.sharedMemPerBlockOptin)
                     : !kernel && !dynamic_shared_allowed.empty() ? p.sharedMemPerBlockOptin
                                                                  : p.sharedMemPerBlock;
    if (shared + fixed > std::max(allowed, p.sharedMemPerBlock)) {
        *error = cudaErrorInvalidValue;
        return std::to_string(shared + fixed) + " bytes of shared memory per block, but at most " +
               (shared + fixed <= p.sharedMemPerBlockOptin
                    ? std::to_string(allowed) + " are allowed until cudaFuncSetAttribute() sets "
                                                "cudaFuncAttributeMaxDynamicSharedMemorySize"
                    : std::to_string(p.sharedMemPerBlockOptin) + " are possible");
    }
    return "";
}

// The cluster that the launch or the kernel asks for, and whether it can be.
static std::string refuse_cluster(const void *kernel, Launch &launch, cudaError_t *error)
{
    const Bounds bounds = bounds_of((u64)kernel);
    const bool asks = launch.cluster.x > 0;
    uint3 &c = launch.cluster;
    if (bounds.cluster.x && asks &&
        (c.x != bounds.cluster.x || c.y != bounds.cluster.y || c.z != bounds.cluster.z)) {
        *error = cudaErrorInvalidValue;
        return "the launch asks for other clusters than the kernel's __cluster_dims__";
    }
    if (!asks)
        c = bounds.cluster.x ? bounds.cluster : uint3{1, 1, 1};
    launch.cluster_blocks = c.x * c.y * c.z;
    if (launch.cluster_blocks <= 1)
        return "";
    const u32 most = may_be_large.count(kernel) ? 16 : 8;
    *error = cudaErrorInvalidClusterSize;
    if (settings.device.major < 9)
        return "clusters of blocks need compute capability 9.0";
    if (launch.cluster_blocks > most)
        return "a cluster of " + (c.y == 1 && c.z == 1 ? std::to_string(c.x) : triple(c)) +
               " blocks, but at most " + std::to_string(most) +
               (most == 8 ? " are possible (16 with "
                            "cudaFuncAttributeNonPortableClusterSizeAllowed)"
                          : " are possible");
    *error = cudaErrorInvalidConfiguration;
    const uint3 &g = launch.grid;
    if (g.x % c.x || g.y % c.y || g.z % c.z)
        return "the grid is no multiple of the cluster: gridDim is " + triple(g) + ", a cluster " +
               triple(c);
    launch.resident_limit = std::max(launch.cluster_blocks, std::min(launch.resident_limit, 1024u));
    return "";
}

// Kernels that a kernel has launched. They run when its whole grid has ended, in the order of their
// launches: since CUDA 12 a kernel cannot wait for them, so it cannot use their results.
struct ChildLaunch {
    Launch launch;
    const void *kernel;
    std::vector<char> arguments;
    bool is_tail;
};
static std::vector<ChildLaunch> children EMULATED_EARLY;
static std::mutex children_mutex;

static void run_one(Launch launch, const void *kernel);

// The grid that has just ended is over when its children are, each with its own, one after the
// other, and then its tail launches.
static void run_children()
{
    static const size_t kMost = 1 << 20; // of one launch, with all its consequences
    std::vector<ChildLaunch> waiting;    // the next one last
    for (size_t done = 0; sticky == cudaSuccess; done++) {
        std::stable_partition(children.begin(), children.end(),
                              [](const ChildLaunch &child) { return !child.is_tail; });
        waiting.insert(waiting.end(), children.rbegin(), children.rend());
        children.clear();
        if (waiting.empty())
            return;
        if (done == kMost) {
            fail(cudaErrorLaunchMaxDepthExceeded);
            return;
        }
        ChildLaunch next = std::move(waiting.back());
        waiting.pop_back();
        next.launch.arguments = next.arguments.data();
        run_one(next.launch, next.kernel);
    }
    children.clear();
}

static void refuse(const Launch &launch, const std::string &why, cudaError_t error)
{
    launch_now.kernel = launch.kernel;
    report({"invalid-launch", launch.place, nullptr, launch.kernel,
            why + ". The kernel does not run", 0});
    launch_now.kernel.clear();
    fail(error);
}

// Reports a request that the device refuses.
static bool may_be_launched(Launch &launch, const void *kernel)
{
    if (sticky != cudaSuccess)
        return false;
    cudaError_t error;
    std::string why =
        refuse_launch(kernel, launch.grid, launch.block, launch.dynamic_shared, &error);
    u64 threads = (u64)launch.block.x * launch.block.y * launch.block.z;
    launch.shared = launch.dynamic_shared + static_shared_bytes(kernel);
    int each = why.empty() ? blocks_per_multiprocessor(threads, launch.shared) : 1;
    launch.resident_limit = (u32)std::max(1, each * settings.device.multiProcessorCount);
    u64 blocks = (u64)launch.grid.x * launch.grid.y * launch.grid.z;
    if (why.empty() && launch.cooperative && blocks > launch.resident_limit) {
        why = "a cooperative launch of " + std::to_string(blocks) +
              " blocks, but the device holds only " + std::to_string(launch.resident_limit) +
              " of them at a time";
        error = cudaErrorCooperativeLaunchTooLarge;
    }
    if (why.empty())
        why = refuse_cluster(kernel, launch, &error);
    if (!why.empty())
        refuse(launch, why, error);
    return why.empty();
}

static bool is_stream_of_device(const Launch &launch, cudaStream_t stream)
{
    const int its = device_of_stream(stream);
    if (its < 0 || its == launch.device)
        return true;
    refuse(launch,
           "the stream was created on device " + std::to_string(its) + ", and device " +
               std::to_string(launch.device) + " is the active one (cudaSetDevice)",
           cudaErrorInvalidResourceHandle);
    return false;
}

static void run_one(Launch launch, const void *kernel)
{
    if (!may_be_launched(launch, kernel))
        return;
    launch.elsewhere = false;
    for (int other = 0; other < settings.device_count; other++)
        launch.elsewhere |= !may_use_memory_of(launch.device, other);
    run_kernel(launch);
    if (launch_now.again) {
        launch.cluster = bounds_of((u64)launch_now.entry).cluster;
        if (!may_be_launched(launch, kernel))
            return;
        run_kernel(launch);
    }
    fail(launch.error);
}

static void launch_kernel(Launch launch, const void *kernel)
{
    run_one(launch, kernel);
    run_children();
}

} // namespace emulated

using namespace emulated;

extern "C" {

int emulated_on_device(void);

void emulatedLaunch(const char *name, const void *kernel, dim3 grid, dim3 block, size_t shared,
                    cudaStream_t stream, void (*thunk)(void *), const void *arguments, size_t size,
                    int cooperative, dim3 cluster)
{
    Launch launch = {};
    if (const Symbol *s = kernel ? symbol_at((u64)kernel) : nullptr)
        launch.kernel = demangled_name(s->name); // `name` may be that of a pointer
    else if (name)
        launch.kernel = name;
    launch.place = place_of_call(__builtin_return_address(0));
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared = shared;
    launch.thunk = thunk;
    launch.cooperative = cooperative != 0;
    launch.cluster = cluster;
    launch.arguments_size = size;
    launch.device = emulated_on_device() ? launch_now.device : device;
    std::vector<char> copy((const char *)arguments, (const char *)arguments + size);
    if (emulated_on_device()) {
        settle(launch.place, EMULATED_FRAME);
        needs_one_core();
        std::lock_guard<std::mutex> lock(children_mutex);
        children.push_back({launch, kernel, copy, stream == cudaStreamTailLaunch});
        return;
    }
    for (const u64 value : words_of(arguments, size)) {
        const std::string problem = symbol_problem(value, "");
        if (!problem.empty()) {
            bad_call(launch.place,
                     problem + "A kernel knows it by its name; cudaGetSymbolAddress() gives an "
                               "address to pass",
                     cudaErrorIllegalAddress);
            return;
        }
    }
    if (!may_be_launched(launch, kernel) || !is_stream_of_device(launch, stream))
        return;
    const auto work = [launch, kernel, copy]() mutable {
        launch.arguments = copy.data();
        deliver_for_arguments(copy.data(), copy.size());
        launch_kernel(launch, kernel);
        return cudaSuccess; // a kernel's error shows at the next call
    };
    submit(stream, launch.place, launch.kernel, work, kKernels,
           std::make_shared<KernelCall>(KernelCall{kernel, grid, block, shared, copy}));
}

cudaError_t emulatedFuncSetAttribute(const void *kernel, int attribute, int value)
{
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || (size_t)value > settings.device.sharedMemPerBlockOptin)
            return fail(cudaErrorInvalidValue);
        dynamic_shared_allowed[kernel] = value;
    }
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed && value)
        may_be_large.insert(kernel);
    return cudaSuccess;
}

cudaError_t emulatedFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = static_shared_bytes(kernel);
    const u32 bound = bounds_of((u64)kernel).threads;
    attributes->maxThreadsPerBlock = bound ? (int)bound : settings.device.maxThreadsPerBlock;
    attributes->numRegs = 32; // unknown here
    attributes->binaryVersion = attributes->ptxVersion =
        settings.device.major * 10 + settings.device.minor;
    attributes->maxDynamicSharedSizeBytes =
        (int)(settings.device.sharedMemPerBlock - attributes->sharedSizeBytes);
    return cudaSuccess;
}

cudaError_t emulatedOccupancy(int *blocks, const void *kernel, int threads, size_t shared)
{
    if (threads < 1 || threads > settings.device.maxThreadsPerBlock)
        return fail(cudaErrorInvalidValue);
    *blocks = blocks_per_multiprocessor((u64)threads, shared + static_shared_bytes(kernel));
    return cudaSuccess;
}

// As if any multiprocessors could hold a cluster together
cudaError_t emulatedMaxActiveClusters(int *clusters, const void *kernel,
                                      const cudaLaunchConfig_t *config)
{
    Launch launch = {};
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
            const auto &d = config->attrs[i].val.clusterDim;
            launch.cluster = {d.x, d.y, d.z};
        }
    launch.grid = config->gridDim;
    cudaError_t error = cudaSuccess;
    const dim3 &b = config->blockDim;
    launch.resident_limit = 1;
    if (!refuse_cluster(kernel, launch, &error).empty())
        return fail(error);
    *clusters = blocks_per_multiprocessor((u64)b.x * b.y * b.z,
                                          config->dynamicSmemBytes + static_shared_bytes(kernel)) *
                settings.device.multiProcessorCount / (int)launch.cluster_blocks;
    return cudaSuccess;
}
cudaError_t emulatedMaxClusterSize(int *blocks, const void *kernel, const cudaLaunchConfig_t *)
{
    *blocks = settings.device.major < 9 ? 1 : may_be_large.count(kernel) ? 16 : 8;
    return cudaSuccess;
}

// Forgets also an error that every later call reports, as a GPU's runtime does.
cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}
cudaError_t cudaPeekAtLastError(void) { return last_error; }

struct ErrorText {
    cudaError_t error;
    const char *name, *text;
};
static const ErrorText error_texts[] = {
#define EMULATED_ERROR(name, number, text) {name, #name, text},
#include "emulated/error_list.h"
#undef EMULATED_ERROR
    {cudaErrorApiFailureBase, "cudaErrorApiFailureBase", nullptr},
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (const ErrorText &e : error_texts)
        if (e.error == error)
            return e.text ? e.text : e.name;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (const ErrorText &e : error_texts)
        if (e.error == error)
            return e.name;
    return "unrecognized error code";
}

static bool is_device(int ordinal) { return ordinal >= 0 && ordinal < settings.device_count; }

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = settings.device_count;
    return cudaSuccess;
}

void emulatedDevices(int count)
{
    const char *set = getenv("CUDA_EMULATED_DEVICES");
    if ((set && *set) || count < 1 || count > 64)
        return;
    settings.device_count = count;
    note_owners();
}

cudaError_t cudaSetDevice(int ordinal)
{
    if (!is_device(ordinal))
        return fail(cudaErrorInvalidDevice);
    device = ordinal;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *ordinal)
{
    *ordinal = device;
    return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *ordinal, const struct cudaDeviceProp *)
{
    *ordinal = 0;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int ordinal)
{
    if (!is_device(ordinal))
        return fail(cudaErrorInvalidDevice);
    *properties = settings.device;
    properties->pciBusID = ordinal + 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int ordinal)
{
    if (!is_device(ordinal))
        return fail(cudaErrorInvalidDevice);
    const cudaDeviceProp &p = settings.device;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = (int)p.memPitch; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrTextureAlignment: *value = (int)p.textureAlignment; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrStreamPrioritiesSupported: *value = 1; break;
    case cudaDevAttrPciBusId: *value = ordinal + 1; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
    case cudaDevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrMaxTexture1DWidth: *value = p.maxTexture1D; break;
    case cudaDevAttrMaxTexture2DWidth: *value = p.maxTexture2D[0]; break;
    case cudaDevAttrMaxTexture2DHeight: *value = p.maxTexture2D[1]; break;
    case cudaDevAttrMaxTexture3DWidth: *value = p.maxTexture3D[0]; break;
    case cudaDevAttrMaxTexture3DHeight: *value = p.maxTexture3D[1]; break;
    case cudaDevAttrMaxTexture3DDepth: *value = p.maxTexture3D[2]; break;
    case cudaDevAttrTexturePitchAlignment: *value = (int)p.texturePitchAlignment; break;
    case cudaDevAttrSurfaceAlignment: *value = (int)p.surfaceAlignment; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        *value = p.singleToDoublePrecisionPerfRatio;
        break;
    case cudaDevAttrMaxPersistingL2CacheSize: *value = p.persistingL2CacheMaxSize; break;
    case cudaDevAttrMaxAccessPolicyWindowSize: *value = p.accessPolicyMaxWindowSize; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = (int)p.reservedSharedMemPerBlock; break;
    default: *value = 0; break; // the device has no such feature
    }
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int ordinal)
{
    if (!is_device(ordinal))
        return fail(cudaErrorInvalidDevice);
    snprintf(id, (size_t)length, "0000:%02x:00.0", ordinal + 1);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to)
{
    if (!is_device(from) || !is_device(to) || from == to)
        return fail(cudaErrorInvalidDevice);
    *value = attribute != cudaDevP2PAttrPerformanceRank;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int *ordinal, const char *id)
{
    unsigned bus = 0;
    if (sscanf(id, "%*x:%x:", &bus) != 1 && sscanf(id, "%x:", &bus) != 1)
        return fail(cudaErrorInvalidValue);
    *ordinal = (int)bus - 1;
    return is_device(*ordinal) ? cudaSuccess : fail(cudaErrorInvalidDevice);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned int)
{
    return cudaSuccess;
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue *)
{
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaLaunchAttributeID,
                                   cudaLaunchAttributeValue *value)
{
    memset(value, 0, sizeof *value);
    return cudaSuccess;
}
cudaError_t cudaSetValidDevices(int *, int) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaDeviceSynchronize(void)
{
    const Pc place = __builtin_return_address(0);
    if (const cudaError_t error = refuse_in_host_function(place, "cudaDeviceSynchronize"))
        return error;
    if (a_stream_is_captured())
        return bad_call(place,
                        "cudaDeviceSynchronize waits for all streams, of which one is being "
                        "captured into a graph: its "
                        "work is recorded, not done. Wait after cudaGraphLaunch",
                        cudaErrorStreamCaptureUnsupported);
    wait_for_device();
    return sticky != cudaSuccess ? fail(sticky) : cudaSuccess;
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset(void)
{
    wait_for_device();
    free_everything(device);
    forget_objects(device);
    peers[device] = 0;
    heap_is_used = false;
    heap_limit = 8 << 20;
    sticky = last_error = cudaSuccess;
    return cudaSuccess;
}
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit == cudaLimitStackSize && value > kMostStack)
        return fail(cudaErrorInvalidValue);
    if (limit == cudaLimitMallocHeapSize) {
        if (value > kDevicePart - kHeapPart)
            return fail(cudaErrorMemoryAllocation);
        if (heap_is_used)
            return fail(cudaErrorInvalidValue);
        heap_limit = std::max<u64>(value, 4 << 20); // no less on a GPU
    }
    if (limit == cudaLimitPrintfFifoSize)
        printf_room = value;
    if (limit == cudaLimitStackSize && value + (16 << 10) > stack_size) {
        DeviceLock lock;
        set_stack_size((value + (16 << 10) + 4095) / 4096 * 4096); // some is the device's own
    }
    return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    *value = limit == cudaLimitStackSize        ? stack_size
             : limit == cudaLimitPrintfFifoSize ? printf_room
                                                : heap_limit;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int from, int to)
{
    if (!is_device(from) || !is_device(to))
        return fail(cudaErrorInvalidDevice);
    *can = from != to;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int)
{
    if (!is_device(peer))
        return fail(cudaErrorInvalidDevice);
    if (peer == device)
        return bad_call(__builtin_return_address(0),
                        "cudaDeviceEnablePeerAccess(): device " + std::to_string(peer) +
                            " is the active one: its argument is the other device, whose memory it "
                            "is to use",
                        cudaErrorPeerAccessUnsupported);
    if (peers[device] >> peer & 1)
        return fail(cudaErrorPeerAccessAlreadyEnabled);
    peers[device] |= 1ull << peer;
    return cudaSuccess;
}
cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    if (!is_device(peer) || !(peers[device] >> peer & 1))
        return fail(cudaErrorPeerAccessNotEnabled);
    peers[device] &= ~(1ull << peer);
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

} // extern "C"
