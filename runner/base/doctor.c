/* device --doctor: GPU, driver, toolkit and tools of this machine, a line for each, with advice on
 * each problem. */
#include "doctor.h"
#include "files.h"
#include "process.h"
#include "terminal.h"
#include "text.h"
#include "tool.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of a thing: right, less than it could be, or an obstacle for the course. */
enum state { GOOD, LESS, BAD };

static int bad, less;

static void say(enum state state, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a line: the thing, its state, and the advice. */
static void say(enum state state, const char *what, const char *format, ...)
{
    static const char *const words[] = {"ok", "note", "MEND"};
    static const char *const colours[] = {"\033[32m", "\033[33m", "\033[31m"};
    va_list arguments;

    bad += state == BAD;
    less += state == LESS;
    printf("%s%-5s%s%-18s", colour(colours[state]), words[state], colour("\033[0m"), what);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

/* One field of nvidia-smi for all devices, a line each; "" if there is none. */
static char *query(const char *field)
{
    char *argv[] = {"nvidia-smi", formatString("--query-gpu=%s", field),
                    "--format=csv,noheader,nounits", NULL};
    char *said = toolSays(argv);

    return said != NULL ? said : formatString("%s", "");
}

/* The number behind the first such word in a text, as in "release 12.4" and "CUDA Version: 13.0"; 0
 * if there is none. */
static double numberAfter(const char *text, const char *word)
{
    const char *found = text != NULL ? strstr(text, word) : NULL;

    return found != NULL ? strtod(found + strlen(word), NULL) : 0.0;
}

/* Is there a GPU that answers? Returns 1 if so. */
static int examineGpu(void)
{
    char *argv[] = {"nvidia-smi", "-L", NULL}, *said;
    int status, devices = 0;

    said = toolSaysAnyway(argv, &status);
    for (const char *line = said; (line = strstr(line, "GPU ")) != NULL; line++)
        devices++;
    if (status != 0 && access("/dev/nvidia0", F_OK) != 0 && strstr(said, "mismatch") == NULL)
        say(LESS, "GPU", "none in this machine: everything runs on the emulated device");
    else if (status != 0)
        say(BAD, "GPU",
            "nvidia-smi fails: %.*s. After an update of the driver the machine must be started "
            "anew; in a container, start it with its GPUs (--gpus all)",
            (int)strcspn(said, "\n"), said);
    else
        say(GOOD, "GPU", "%d of them: %.*s", devices, (int)strcspn(said, "\n("), said);
    return status == 0;
}

/* Does the driver know the toolkit's version? */
static void examineVersions(const char *nvcc)
{
    char *smi[] = {"nvidia-smi", NULL}, *compiler[] = {(char *)nvcc, "--version", NULL};
    char *driverSays = toolSays(smi), *toolkitSays = toolSays(compiler);
    const double driver = numberAfter(driverSays, "CUDA Version:");
    const double toolkit = numberAfter(toolkitSays, "release ");

    if (driver <= 0.0 || toolkit <= 0.0)
        say(LESS, "driver, toolkit", "their versions cannot be read");
    else if ((int)toolkit > (int)driver)
        say(BAD, "driver, toolkit",
            "the driver supports CUDA %.1f, the toolkit is %.1f: install a newer driver, or put an "
            "older toolkit first on the PATH and remove the build folder",
            driver, toolkit);
    else if (toolkit > driver)
        say(LESS, "driver, toolkit",
            "the driver supports CUDA %.1f, the toolkit is %.1f: programs run, but PTX does not, "
            "so build for this GPU's architecture",
            driver, toolkit);
    else
        say(GOOD, "driver, toolkit", "the driver supports CUDA %.1f, the toolkit is %.1f", driver,
            toolkit);
}

/* Whether code for an entry of CMAKE_CUDA_ARCHITECTURES ("90", "80-real", "75-virtual") runs on a
 * capability (90): 2 as it is, 1 once the driver has translated it, 0 not at all. */
static int runsOn(const char *entry, int capability)
{
    char *end;
    const int built = (int)strtol(entry, &end, 10);
    const int real = !isSame(end, "-virtual"), ptx = !isSame(end, "-real");

    if (end == entry) /* native, all, all-major */
        return 2;
    if (real && built / 10 == capability / 10 && built <= capability)
        return 2;
    return ptx && built <= capability ? 1 : 0;
}

/* The architectures that the GPU programs are built for, as one "90;100-real". NULL: there are
 * none. */
static char *architectures(void)
{
    const char *text = readFileIfThere(formatString("%s/has_gpu_programs", sharedBuild()));
    const char *line = text != NULL ? nextLine(text) : "";

    return strcspn(line, "\n") > 0 ? formatString("%.*s", (int)strcspn(line, "\n"), line) : NULL;
}

/* Does the build hold code for each device? */
static void examineArchitectures(void)
{
    char *list = architectures(), *capabilities = query("compute_cap"), *rest = capabilities, *line;

    while (list != NULL && (line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
        const int capability = (int)(10.0 * strtod(line, NULL) + 0.5);
        char *entries = formatString("%s", list);
        int best = 0;

        for (char *entry = strtok(entries, ";"); entry != NULL; entry = strtok(NULL, ";"))
            best = runsOn(entry, capability) > best ? runsOn(entry, capability) : best;
        if (best == 2)
            say(GOOD, "architecture", "built for %s, the device is of compute capability %s", list,
                line);
        else
            say(best == 0 ? BAD : LESS, "architecture",
                "built for %s, the device is of compute capability %s: %s; "
                "cmake -DCMAKE_CUDA_ARCHITECTURES=%d '%s' and build again",
                list, line,
                best == 0
                    ? "no program runs on it"
                    : "the driver translates, which takes time and leaves out newer instructions",
                capability, sharedBuild());
    }
}

/* Does nvcc accept the host compiler? */
static void examineHostCompiler(const char *nvcc)
{
    char *argv[] = {(char *)nvcc, "-x", "cu", "-c", "/dev/null", "-o", "/dev/null", NULL};
    int status;
    char *said = toolSaysAnyway(argv, &status);
    const char *error = strstr(said, "error");

    if (status == 0)
        say(GOOD, "host compiler", "nvcc compiles with it");
    else
        say(BAD, "host compiler",
            "nvcc cannot compile: %.*s. Install a gcc that it supports, and remove the build "
            "folder; NVCC_CCBIN=g++-12 in the environment names one",
            (int)strcspn(error != NULL ? error : said, "\n"), error != NULL ? error : said);
}

/* The other processes that use the devices. */
static void examineOthers(void)
{
    char *argv[] = {"nvidia-smi", "--query-compute-apps=pid,name,used_memory",
                    "--format=csv,noheader", NULL};
    char *said = toolSays(argv), *memory = query("memory.free,memory.total");
    char *rest = memory, *line;

    for (int device = 0; (line = strsep(&rest, "\n")) != NULL && line[0] != '\0'; device++) {
        double available = 0.0, total = 0.0;

        if (sscanf(line, "%lf, %lf", &available, &total) != 2 || total <= 0.0)
            continue;
        say(available < 0.5 * total ? LESS : GOOD, "device memory", "%.1f of %.1f GiB are free%s",
            available / 1024.0, total / 1024.0,
            available < 0.5 * total ? ": choose a smaller --size, or another GPU: --device=1, say"
                                    : "");
    }
    if (said != NULL && strspn(said, " \n") < strlen(said))
        say(LESS, "other processes", "use the device, so that no timing can be trusted: %.*s",
            (int)strcspn(said, "\n"), said);
    else
        say(GOOD, "other processes", "none on the device");
}

/* May several processes use a device, and is it undivided? */
static void examineModes(void)
{
    char *mode = query("compute_mode"), *mig = query("mig.mode.current");

    if (strstr(mode, "Prohibited") != NULL)
        say(BAD, "compute mode", "prohibited: nobody may use the device; as root: nvidia-smi -c 0");
    else if (strstr(mode, "Exclusive") != NULL)
        say(LESS, "compute mode",
            "exclusive: one process at a time, so ex12 needs a GPU for each rank; as root: "
            "nvidia-smi -c 0");
    else
        say(GOOD, "compute mode", "%.*s", (int)strcspn(mode, "\n"),
            mode[0] != '\0' ? mode : "unknown");
    if (strstr(mig, "Enabled") != NULL)
        say(LESS, "MIG", "the device is split: the course's limit is that of a part");
}

/* May a user read the device's counters? */
static void examineProfiler(void)
{
    const char *path = getenv("COURSE_DRIVER_PARAMETERS"); /* for tests */
    char *parameters = readFileIfThere(path != NULL ? path : "/proc/driver/nvidia/params");
    char *ncu = toolPath("ncu");

    if (ncu == NULL)
        say(LESS, "ncu",
            "not on the PATH: it is in the toolkit's bin, or in the package nsight-compute");
    else if (parameters != NULL && strstr(parameters, "RmProfilingAdminOnly: 1") != NULL &&
             geteuid() != 0)
        say(LESS, "ncu",
            "only root may read the counters; as root: \"options nvidia "
            "NVreg_RestrictProfilingToAdminUsers=0\" into /etc/modprobe.d/, and start the machine "
            "anew");
    else
        say(GOOD, "ncu", "%s", ncu);
}

/* MPI, and whether it takes device pointers. */
static void examineMpi(void)
{
    char *argv[] = {"ompi_info", "--parsable", "--all", NULL};
    char *compiler = toolPath("mpicc"), *launcher = toolPath("mpirun"), *said;
    const char *cray = getenv("MPICH_GPU_SUPPORT_ENABLED");

    if (compiler == NULL || launcher == NULL) {
        say(LESS, "MPI",
            "%s is not on the PATH: ex12 is left out; ./course --install test installs Open MPI",
            compiler == NULL ? "mpicc" : "mpirun");
        return;
    }
    say(GOOD, "MPI", "%s", compiler);
    said = toolSays(argv);
    if ((said != NULL && strstr(said, "mpi_built_with_cuda_support:value:true") != NULL) ||
        (cray != NULL && cray[0] == '1'))
        say(GOOD, "GPU-aware MPI", "yes");
    else
        say(LESS, "GPU-aware MPI",
            "not this one, so one row of ex12 is skipped: load a module of an MPI that is built "
            "with CUDA");
}

/* A program that some part of the course needs. */
static void examineTool(const char *name, const char *without)
{
    char *path = toolPath(name);

    if (path != NULL)
        say(GOOD, name, "%s", path);
    else
        say(LESS, name, "not on the PATH: %s", without);
}

/* Bytes of host memory that are available. */
static double freeMemory(void)
{
    const double kibibytes = numberAfter(readIfReadable("/proc/meminfo"), "MemAvailable:");

    return kibibytes > 0.0 ? 1024.0 * kibibytes
                           : (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* Memory and cores of the host. */
static void examineHost(void)
{
    const double bytes = freeMemory();
    double load = 0.0;

    say(GOOD, "cores", "%d may be used", usableCores());
    if (getloadavg(&load, 1) == 1 && load > 0.5 * usableCores() + 0.5)
        say(LESS, "load", "%.1f: something else runs here, and the CPU's times will be too long",
            load);
    if (bytes < 8.0 * 1073741824.0)
        say(LESS, "host memory", "%.1f GiB free: the largest sizes need more, so give --size",
            bytes / 1073741824.0);
}

int doctor(void)
{
    char *nvcc = toolNvcc();
    const int gpu = examineGpu();

    if (gpu && nvcc == NULL)
        say(BAD, "nvcc",
            "not on the PATH: install the CUDA toolkit, or load its module, and remove the build "
            "folder");
    if (gpu && nvcc != NULL)
        examineVersions(nvcc);
    if (nvcc != NULL)
        examineHostCompiler(nvcc);
    if (gpu) {
        examineArchitectures();
        examineOthers();
        examineModes();
        examineProfiler();
        examineTool("compute-sanitizer", "mistakes that show on the GPU alone are not named");
    }
    examineMpi();
    examineTool("gnuplot", "the plots of solutions/plots cannot be drawn anew");
    examineTool("clang", "no compile errors in clang's words, and no test for Fermi and Kepler");
    examineHost();
    printf(bad > 0    ? "To be fixed: %d of these.\n"
           : less > 0 ? "Nothing stands in the way of the course; %d of these could be better.\n"
                      : "All is well.\n",
           bad > 0 ? bad : less);
    return bad > 0 ? EXIT_ERROR : EXIT_PASS;
}
