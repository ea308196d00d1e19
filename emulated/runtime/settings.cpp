// settings.cpp: the environment, the emulated device's limits, and what happens at the start and
// the end.
#include "emulator.h"
#include "times.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace emulated
{

Settings settings;

// Limits from NVIDIA's table of compute capabilities. They only limit the configuration of a launch
// and the number of blocks on a multiprocessor.
struct Model {
    const char *name; // of the generation, for the one that stands for it
    // the last three in KB
    int major, minor, multiprocessors, threads, blocks, registers, shared, shared_optin, l2;
};
static const Model models[] = {
    {"fermi", 2, 0, 14, 1536, 8, 32768, 48, 48, 768},
    {"Kepler", 3, 0, 8, 2048, 16, 65536, 48, 48, 512},
    {"kepler", 3, 5, 13, 2048, 16, 65536, 48, 48, 1536},
    {"Maxwell", 5, 0, 5, 2048, 32, 65536, 64, 48, 2048},
    {"maxwell", 5, 2, 16, 2048, 32, 65536, 96, 48, 2048},
    {"pascal", 6, 0, 56, 2048, 32, 65536, 64, 48, 4096},
    {"Pascal", 6, 1, 20, 2048, 32, 65536, 96, 48, 2048},
    {"volta", 7, 0, 80, 2048, 32, 65536, 96, 96, 6144},
    {"turing", 7, 5, 40, 1024, 16, 65536, 64, 64, 4096},
    {"ampere", 8, 0, 108, 2048, 32, 65536, 164, 163, 40960},
    {"Ampere", 8, 6, 84, 1536, 16, 65536, 100, 99, 6144},
    {"ada", 8, 9, 142, 1536, 24, 65536, 100, 99, 98304},
    {"hopper", 9, 0, 132, 2048, 32, 65536, 228, 227, 51200},
    {"blackwell", 10, 0, 148, 2048, 32, 65536, 228, 227, 129024},
};
// The defaults.
static const Model usual = {"", 9, 0, 16, 2048, 32, 65536, 228, 227, 4096};

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

// "volta", "70", "7.0", or the capability that the program was compiled for, as 700. The model of
// its generation stands for a capability that has none of its own.
static bool find_model(const char *wanted, int capability, Model &found)
{
    int number = capability / 10;
    for (const char *c = isdigit((unsigned char)*wanted) ? wanted : ""; *c; c++)
        number = isdigit((unsigned char)*c) ? 10 * number + *c - '0' : number;
    bool any = false;
    for (const Model &m : models) {
        bool fits =
            number ? m.major == number / 10 && m.minor <= number % 10 : strcmp(m.name, wanted) == 0;
        if (fits) {
            found = m;
            any = true;
        }
    }
    if (!any && number > 100) { // newer than this list
        found = models[sizeof models / sizeof *models - 1];
        found.major = number / 10;
        any = true;
    }
    if (any && number)
        found.minor = number % 10;
    return any;
}

static std::string title_of(const Model &m)
{
    if (!*m.name)
        return "Emulated device";
    std::string name = m.name;
    name[0] = (char)toupper((unsigned char)name[0]);
    return "Emulated device (" + name + " limits)";
}

static void describe_textures(cudaDeviceProp &p)
{
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    p.maxTexture1D = p.maxTexture1DMipmap = p.maxSurface1D = 65536;
    p.maxTexture1DLinear = 1 << 27;
    p.maxTexture1DLayered[0] = p.maxSurface1DLayered[0] = 16384;
    p.maxTexture1DLayered[1] = p.maxSurface1DLayered[1] = 2048;
    for (int i = 0; i < 2; i++) {
        p.maxTexture2D[i] = p.maxSurface2D[i] = 65536;
        p.maxTexture2DLinear[i] = 65000;
        p.maxTexture2DGather[i] = p.maxTexture2DMipmap[i] = 32768;
        p.maxTexture2DLayered[i] = p.maxSurface2DLayered[i] = 16384;
    }
    p.maxTexture2DLinear[2] = 1 << 20;
    p.maxTexture2DLayered[2] = p.maxSurface2DLayered[2] = 2048;
    for (int i = 0; i < 3; i++)
        p.maxTexture3D[i] = p.maxSurface3D[i] = p.maxTexture3DAlt[i] = 4096;
    p.maxTextureCubemap = p.maxSurfaceCubemap = 16384;
}

static void describe_device(const Model &m)
{
    cudaDeviceProp &p = settings.device;
    memset(&p, 0, sizeof p);
    snprintf(p.name, sizeof p.name, "%s", title_of(m).c_str());
    // The shadow takes the memory that the data leave: part of it may be forgotten (watch_memory).
    const u64 part = settings.memory / 2 >> 20 << 20;
    p.totalGlobalMem = part > (16ull << 30) ? 16ull << 30 : part;
    p.sharedMemPerBlock = 48 << 10;
    p.sharedMemPerBlockOptin = (size_t)m.shared_optin << 10;
    p.sharedMemPerMultiprocessor = (size_t)m.shared << 10;
    p.reservedSharedMemPerBlock = m.major >= 8 ? 1024 : 0;
    p.regsPerBlock = p.regsPerMultiprocessor = m.registers;
    p.warpSize = kWarp;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = m.major < 3 ? 65535 : 2147483647;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.clockRate = 1000000; // kHz: nominal, nothing is timed by it
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 384;
    p.totalConstMem = 64 << 10;
    p.major = m.major;
    p.minor = m.minor;
    describe_textures(p);
    p.multiProcessorCount = m.multiprocessors;
    p.canMapHostMemory = p.unifiedAddressing = p.concurrentKernels = p.asyncEngineCount =
        p.deviceOverlap = 1;
    p.managedMemory = p.concurrentManagedAccess = m.major >= 3;
    p.cooperativeLaunch = m.major >= 6;
    p.l2CacheSize = m.l2 << 10;
    p.maxThreadsPerMultiProcessor = m.threads;
    p.maxBlocksPerMultiProcessor = m.blocks;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = 1;
    p.hostRegisterSupported = p.canUseHostPointerForRegisteredMem = p.computePreemptionSupported =
        1;
    p.memoryPoolsSupported = m.major >= 6;
    p.persistingL2CacheMaxSize = p.accessPolicyMaxWindowSize =
        m.major >= 8 ? p.l2CacheSize / 4 * 3 : 0;
    p.singleToDoublePrecisionPerfRatio = 2;
}

// A smaller grid than the device's, so that code for grids that do not fit is tried with little
// work.
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

// Fewer multiprocessors, so that a grid that follows the device is soon as large as it gets.
static void limit_multiprocessors(const char *number)
{
    char *end = nullptr;
    const long n = number && *number ? strtol(number, &end, 10) : 1;

    if (n < 1 || n > 1024 || (end && *end)) {
        fprintf(stderr, "CUDA_EMULATED_MULTIPROCESSORS=%s: expected a number from 1 to 1024\n",
                number);
        exit(2);
    }
    if (end)
        settings.device.multiProcessorCount = (int)n;
}

// What emulated-cc leaves in each object (cc/main.c): the architecture somebody asked for, as 700,
// and --fast.
struct MadeFor {
    int arch, fast;
};
extern "C" __attribute__((weak)) const MadeFor __start_emulated_settings[],
    __stop_emulated_settings[];

static int compiled_for()
{
    int newest = 0;
    for (const MadeFor *m = __start_emulated_settings; m < __stop_emulated_settings; m++)
        newest = std::max(newest, m->arch);
    return newest;
}

static bool made_fast()
{
    for (const MadeFor *m = __start_emulated_settings; m < __stop_emulated_settings; m++)
        if (m->fast)
            return true;
    return false;
}

static void choose_device()
{
    const char *wanted = getenv("CUDA_EMULATED_DEVICE");
    Model model = usual;
    settings.compiled_for = compiled_for();
    bool default_device = !wanted || !*wanted || strcmp(wanted, "default") == 0;
    const int oldest = 10 * (10 * models[0].major + models[0].minor); // it runs older PTX, too
    bool found = default_device ? !settings.compiled_for ||
                                      find_model("", std::max(settings.compiled_for, oldest), model)
                                : find_model(wanted, 0, model);
    if (!found && default_device) {
        fprintf(stderr,
                "the program was compiled for sm_%d: the emulated device has no such model\n",
                settings.compiled_for / 10);
        exit(2);
    }
    if (!found) {
        fprintf(stderr,
                "CUDA_EMULATED_DEVICE=%s: expected fermi, kepler, maxwell, pascal, volta, turing, "
                "ampere, ada, hopper, "
                "blackwell, or a compute capability such as 70\n",
                wanted);
        exit(2);
    }
    describe_device(model);
}

// With CUDA_LAUNCH_BLOCKING=1 a launch waits for its kernel, whatever the order is otherwise.
static void read_order()
{
    const char *order = on("CUDA_LAUNCH_BLOCKING") ? "early" : getenv("CUDA_EMULATED_ORDER");
    char *end = nullptr;
    if (!order || !*order)
        order = "early";
    settings.seed = 1;
    if (strcmp(order, "early") == 0)
        settings.order = Settings::early;
    else if (strcmp(order, "late") == 0)
        settings.order = Settings::late;
    else if (strncmp(order, "random", 6) == 0 && (order[6] == ':' || !order[6])) {
        settings.order = Settings::random;
        if (order[6])
            settings.seed = strtoull(order + 7, &end, 10);
    }
    const bool known = strcmp(order, "early") == 0 || settings.order != Settings::early;
    if (known && (!end || (end > order + 7 && !*end)))
        return;
    fprintf(stderr, "CUDA_EMULATED_ORDER=%s: expected early, late or random:SEED\n", order);
    exit(2);
}

// Below n, by the seed: the same in each run.
u64 random_below(u64 n)
{
    settings.seed = settings.seed * 6364136223846793005ull + 1442695040888963407ull;
    return (settings.seed >> 33) % n;
}

// Of a launch: million steps of warps, of which each is an access of its lanes.
static void read_sample()
{
    const char *sample = getenv("CUDA_EMULATED_SAMPLE");
    char *end = nullptr;
    const double millions = sample && *sample ? strtod(sample, &end) : 200;
    const bool off = sample && strcmp(sample, "off") == 0;
    if (end && (*end || !(millions > 0) || millions > 1e12) && !off) {
        fprintf(stderr, "CUDA_EMULATED_SAMPLE=%s: expected off, or a number of million steps\n",
                sample);
        exit(2);
    }
    settings.sample = off ? 0 : (u64)(millions * 1e6);
}

// CUDA_EMULATED_CORES=N[,MS]: N cores for launches that seem to take MS milliseconds more
static void read_cores()
{
    const char *cores = getenv("CUDA_EMULATED_CORES");
    char *end = nullptr;
    settings.tell_cores = on("CUDA_EMULATED_TELL_CORES");
    settings.worth_sharing = 0.3;
    if (!cores || !*cores)
        return;
    const long n = strtol(cores, &end, 10);
    const bool number = end != cores && n >= 1 && n <= 1024;
    if (number && *end == ',' && isdigit((unsigned char)end[1]))
        settings.worth_sharing = 1e-3 * (double)strtol(end + 1, &end, 10);
    if (!number || *end) {
        fprintf(stderr, "CUDA_EMULATED_CORES=%s: expected a number of cores from 1 to 1024\n",
                cores);
        exit(2);
    }
    settings.cores = (int)n;
}

static void read_environment()
{
    settings.fast = getenv("CUDA_EMULATED_FAST") ? on("CUDA_EMULATED_FAST") : made_fast();
    settings.profile = on("CUDA_EMULATED_PROFILE");
    settings.profile_source =
        settings.profile && strcmp(getenv("CUDA_EMULATED_PROFILE"), "source") == 0;
    settings.counters_file = file_name("CUDA_EMULATED_COUNTERS");
    settings.findings_file = file_name("CUDA_EMULATED_FINDINGS");
    settings.trace_file = file_name("CUDA_EMULATED_TRACE");
    settings.times_file = file_name("CUDA_EMULATED_TIMES");
    const char *fatal = getenv("CUDA_EMULATED_FINDINGS_FATAL");
    settings.findings_fatal = !fatal || strcmp(fatal, "0") != 0;

    read_order();
    const u64 host = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE);
    const char *memory = getenv("CUDA_EMULATED_MEMORY");
    settings.memory = memory && atoi(memory) > 0 ? (u64)atoi(memory) << 20 : host / 10 * 6;
    read_sample();
    read_cores();
    const char *patience = getenv("CUDA_EMULATED_PATIENCE");
    settings.patience = patience && atof(patience) > 0 ? atof(patience) : 10;
    const char *limit = getenv("CUDA_EMULATED_LIMIT");
    settings.limit = limit && atof(limit) > 0 ? atof(limit) : 0;
    const char *devices = getenv("CUDA_EMULATED_DEVICES");
    char *end = nullptr;
    const long count = devices && *devices ? strtol(devices, &end, 10) : 1;
    settings.device_count = (int)count;
    if (count < 1 || count > 64 || (end && *end)) {
        fprintf(stderr, "CUDA_EMULATED_DEVICES=%s: expected a number from 1 to 64\n", devices);
        exit(2);
    }
    choose_device();
    limit_grid(getenv("CUDA_EMULATED_MAX_GRID"));
    limit_multiprocessors(getenv("CUDA_EMULATED_MULTIPROCESSORS"));
    times_init();
}

#ifdef __GLIBC__
static void at_exit(int status, void *) { exit_report(status); }
#else
static void at_exit() { exit_report(0); }
#endif

void catch_crashes(); // hooks.cpp

// Before the constructors of the program, so that they may use the device, and after its exit
// handlers.
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

extern "C" int emulated_on_device(void) { return emulated::on_fiber(EMULATED_FRAME); }
