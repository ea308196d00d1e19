/* The facts of every CUDA device in this machine, as "name: value" lines: what ./course device
 * shows. The same for a GPU and for the emulated device. Exit status 77 if there is no device. */
#include "cuda_utils.h"
#include "power.h"

enum { SKIPPED = 77 };

/* An attribute of the device; -1 if this device or driver does not know it. */
static int attribute(enum cudaDeviceAttr which, int device)
{
    int value = 0;

    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
        cudaGetLastError();
        return -1;
    }
    return value;
}

static void printText(const char *name, const char *value) { printf("  %-36s%s\n", name, value); }

/* A whole number with its unit; nothing is printed for one that is not known. */
static void printCount(const char *name, int value, const char *unit)
{
    if (value >= 0)
        printf("  %-36s%d%s%s\n", name, value, unit[0] != '\0' ? " " : "", unit);
}

static void printFlag(const char *name, int value)
{
    if (value >= 0)
        printText(name, value ? "yes" : "no");
}

/* Bytes in the unit that shows three digits. */
static void printBytes(const char *name, double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    int unit = 0;

    for (; bytes >= 1024.0 && unit < 3; unit++)
        bytes /= 1024.0;
    if (bytes >= 0.0)
        printf("  %-36s%.4g %s\n", name, bytes, units[unit]);
}

static const char *computeMode(int mode)
{
    switch (mode) {
    case cudaComputeModeDefault: return "default: several processes may use the device at once";
    case 1: /* one thread of one process: drivers before CUDA 8 */
    case cudaComputeModeExclusiveProcess: return "exclusive: one process at a time";
    case cudaComputeModeProhibited: return "prohibited: no process may use it";
    default: return "unknown";
    }
}

static void printMultiprocessors(const struct cudaDeviceProp *p, int device)
{
    const int clock = attribute(cudaDevAttrClockRate, device);

    printCount("multiprocessors:", p->multiProcessorCount, "");
    if (clock > 0)
        printf("  %-36s%.0f MHz\n", "highest clock rate:", clock * 1e-3);
    printCount("warp size:", p->warpSize, "threads");
    printCount("threads per multiprocessor:", p->maxThreadsPerMultiProcessor, "");
#if CUDART_VERSION >= 6000
    printCount("registers per multiprocessor:",
               attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device), "(32 bits each)");
    printBytes("shared memory per multiprocessor:",
               attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
#endif
#if CUDART_VERSION >= 11000
    printCount(
        "blocks per multiprocessor:", attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device), "");
#endif
}

static void printLimits(const struct cudaDeviceProp *p, int device)
{
    printCount("threads per block:", p->maxThreadsPerBlock, "");
    printf("  %-36s%d x %d x %d threads\n", "largest block:", p->maxThreadsDim[0],
           p->maxThreadsDim[1], p->maxThreadsDim[2]);
    printf("  %-36s%d x %d x %d blocks\n", "largest grid:", p->maxGridSize[0], p->maxGridSize[1],
           p->maxGridSize[2]);
    printCount("registers per block:", p->regsPerBlock, "(32 bits each)");
    printBytes("shared memory per block:", (double)p->sharedMemPerBlock);
#if CUDART_VERSION >= 9000
    printBytes("shared memory per block, if asked:",
               attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
#else
    (void)device;
#endif
}

static void printMemory(const struct cudaDeviceProp *p, int device)
{
    const int clock = attribute(cudaDevAttrMemoryClockRate, device);
    const int width = attribute(cudaDevAttrGlobalMemoryBusWidth, device);
    size_t available = 0, total = 0;

    printBytes("device memory:", (double)p->totalGlobalMem);
    cudaVerify(cudaMemGetInfo(&available, &total));
    printBytes("free now:", (double)available);
    if (clock > 0)
        printf("  %-36s%.0f MHz\n", "memory clock rate:", clock * 1e-3);
    printCount("memory bus:", width > 0 ? width : -1, "bits");
    if (clock > 0 && width > 0) /* two transfers in each cycle of the clock */
        printf("  %-36s%.0f GB/s\n",
               "memory bandwidth by these:", 2e3 * clock * (width / 8.0) * 1e-9);
    printFlag("ECC:", attribute(cudaDevAttrEccEnabled, device));
    printBytes("L2 cache:", p->l2CacheSize);
    printBytes("constant memory:", (double)p->totalConstMem);
}

static void printAbilities(const struct cudaDeviceProp *p, int device)
{
    printCount("copy engines:", attribute(cudaDevAttrAsyncEngineCount, device), "");
    printFlag("kernels side by side:", attribute(cudaDevAttrConcurrentKernels, device));
    printFlag("unified addressing:", attribute(cudaDevAttrUnifiedAddressing, device));
    printFlag("host memory mapped:", attribute(cudaDevAttrCanMapHostMemory, device));
#if CUDART_VERSION >= 8000
    printFlag("managed memory:", attribute(cudaDevAttrManagedMemory, device));
    printFlag("device reads pageable host memory:",
              attribute(cudaDevAttrPageableMemoryAccess, device));
    printFlag("cooperative launch:", attribute(cudaDevAttrCooperativeLaunch, device));
#endif
    printFlag("run time of kernels limited:", attribute(cudaDevAttrKernelExecTimeout, device));
    printFlag("integrated with the CPU:", p->integrated);
    printText("compute mode:", computeMode(attribute(cudaDevAttrComputeMode, device)));
}

static void printPower(const char *bus)
{
#ifndef __CUDA_EMULATED__
    const double watts = powerLimit(bus);

    if (watts > 0.0)
        printf("  %-36s%.0f W\n", "power limit:", watts);
#else
    (void)bus;
#endif
}

static void printDevice(int device)
{
    struct cudaDeviceProp p;
    char bus[32] = "";

    cudaVerify(cudaSetDevice(device));
    cudaVerify(cudaGetDeviceProperties(&p, device));
    printf("Device %d: %s\n", device, p.name);
    printf("  %-36s%d.%d\n", "compute capability:", p.major, p.minor);
    printMultiprocessors(&p, device);
    printLimits(&p, device);
    printMemory(&p, device);
    printAbilities(&p, device);
    if (cudaDeviceGetPCIBusId(bus, (int)sizeof bus, device) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    printPower(bus);
    printText("PCI bus:", bus);
}

/* Which devices reach each other's memory without the host. */
static void printPeers(int count)
{
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            int reaches = 0;

            if (a != b && cudaDeviceCanAccessPeer(&reaches, a, b) == cudaSuccess && reaches)
                printf("Device %d reaches the memory of device %d.\n", a, b);
        }
}

int main(void)
{
    int count = 0, driver = 0, toolkit = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);

    if (error != cudaSuccess || count == 0) {
        printf("SKIPPED: no GPU here (%s)\n",
               error != cudaSuccess ? cudaGetErrorString(error) : "none found");
        return SKIPPED;
    }
    cudaVerify(cudaDriverGetVersion(&driver));
    cudaVerify(cudaRuntimeGetVersion(&toolkit));
    for (int device = 0; device < count; device++)
        printDevice(device);
    printPeers(count);
    printf("The driver supports CUDA %d.%d, the programs are built with CUDA %d.%d.\n",
           driver / 1000, driver % 100 / 10, toolkit / 1000, toolkit % 100 / 10);
    return 0;
}
