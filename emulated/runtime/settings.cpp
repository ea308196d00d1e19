// settings.cpp: the environment, the emulated device's limits, and what happens at the start and the end.
#include "emulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace emulated {

Settings settings;

// Limits from NVIDIA's table of compute capabilities. They set what a launch may ask for and how many blocks a
// multiprocessor holds, nothing else.
struct Model {
    const char *name, *title;
    int major, minor, multiprocessors, threads, blocks, registers;
    size_t shared, shared_optin, l2;
    int max_grid_x;
};
static const Model models[] = {
    {"fermi", "Emulated device (Fermi limits)", 2, 0, 14, 1536, 8, 32768, 48 << 10, 48 << 10, 768 << 10, 65535},
    {"kepler", "Emulated device (Kepler limits)", 3, 5, 13, 2048, 16, 65536, 48 << 10, 48 << 10, 1536 << 10,
     2147483647},
    {"hopper", "Emulated device (Hopper limits)", 9, 0, 132, 2048, 32, 65536, 228 << 10, 227 << 10, 50 << 20,
     2147483647},
    {"default", "Emulated device", 9, 0, 16, 2048, 32, 65536, 228 << 10, 227 << 10, 4 << 20, 2147483647},
};

static bool on(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static const char *file_name(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : nullptr;
}

static void describe_device(const Model &m)
{
    cudaDeviceProp &p = settings.device;
    memset(&p, 0, sizeof p);
    snprintf(p.name, sizeof p.name, "%s", m.title);
    // Shadow memory takes five bytes for each one used, so the device has but a part of the host's memory.
    u64 host = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
    u64 part = host / 8 >> 20 << 20;
    p.totalGlobalMem = part > (4ull << 30) ? 4ull << 30 : part;
    p.sharedMemPerBlock = 48 << 10;
    p.sharedMemPerBlockOptin = m.shared_optin;
    p.sharedMemPerMultiprocessor = m.shared;
    p.reservedSharedMemPerBlock = m.major >= 8 ? 1024 : 0;
    p.regsPerBlock = p.regsPerMultiprocessor = m.registers;
    p.warpSize = kWarp;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = m.max_grid_x;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = 1000000; // kHz: nominal, nothing is timed by it
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 384;
    p.totalConstMem = 64 << 10;
    p.major = m.major;
    p.minor = m.minor;
    p.textureAlignment = 512;
    p.multiProcessorCount = m.multiprocessors;
    p.canMapHostMemory = p.unifiedAddressing = p.concurrentKernels = p.asyncEngineCount = p.deviceOverlap = 1;
    p.managedMemory = p.concurrentManagedAccess = m.major >= 3;
    p.cooperativeLaunch = m.major >= 6;
    p.l2CacheSize = (int)m.l2;
    p.maxThreadsPerMultiProcessor = m.threads;
    p.maxBlocksPerMultiProcessor = m.blocks;
    p.streamPrioritiesSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
}

// A smaller grid than the device's, so that code for grids that do not fit is tried with little work.
static void limit_grid(const char *blocks)
{
    char *end = nullptr;
    const long most = blocks && *blocks ? strtol(blocks, &end, 10) : 0;

    if (!blocks || !*blocks)
        return;
    if (most < 1 || most > settings.device.maxGridSize[0] || *end) {
        fprintf(stderr, "CUDA_EMULATED_MAX_GRID=%s: expected a number from 1 to %d\n", blocks,
                settings.device.maxGridSize[0]);
        exit(2);
    }
    settings.device.maxGridSize[0] = (int)most;
}

static void read_environment()
{
    settings.fast = on("CUDA_EMULATED_FAST");
    settings.profile = on("CUDA_EMULATED_PROFILE");
    settings.counters_file = file_name("CUDA_EMULATED_COUNTERS");
    settings.findings_file = file_name("CUDA_EMULATED_FINDINGS");
    const char *fatal = getenv("CUDA_EMULATED_FINDINGS_FATAL");
    settings.findings_fatal = !fatal || strcmp(fatal, "0") != 0;

    const char *patience = getenv("CUDA_EMULATED_PATIENCE");
    settings.patience = patience && atoi(patience) > 0 ? atoi(patience) : 30;
    const char *devices = getenv("CUDA_EMULATED_DEVICES");
    char *end = nullptr;
    const long count = devices && *devices ? strtol(devices, &end, 10) : 1;
    settings.device_count = (int)count;
    if (count < 1 || count > 64 || (end && *end)) {
        fprintf(stderr, "CUDA_EMULATED_DEVICES=%s: expected a number from 1 to 64\n", devices);
        exit(2);
    }
    const char *wanted = getenv("CUDA_EMULATED_DEVICE");
    if (!wanted || !*wanted)
        wanted = "default";
    for (const Model &m : models)
        if (strcmp(m.name, wanted) == 0) {
            describe_device(m);
            limit_grid(getenv("CUDA_EMULATED_MAX_GRID"));
            return;
        }
    fprintf(stderr, "CUDA_EMULATED_DEVICE=%s: expected fermi, kepler or hopper\n", wanted);
    exit(2);
}

#ifdef __GLIBC__
static void at_exit(int status, void *) { exit_report(status); }
#else
static void at_exit() { exit_report(0); }
#endif

void catch_crashes(); // hooks.cpp

// Before the constructors of the program, so that they may use the device, and after its exit handlers.
__attribute__((constructor(102))) static void begin()
{
#ifdef __GLIBC__
    on_exit(at_exit, nullptr);
#else
    atexit(at_exit);
#endif
    read_environment();
    source_init();
    memory_init();
    catch_crashes();
}

} // namespace emulated
