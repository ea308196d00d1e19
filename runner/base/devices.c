/* Which device the commands use: a GPU where there is one, otherwise the emulated device. */
#include "devices.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 1 if the driver's file of a GPU can be read: of any, since a container may have been given number
 * 5. */
static int hasGpuFile(void)
{
    glob_t found;
    int readable = 0;

    if (glob("/dev/nvidia[0-9]*", 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        readable |= access(found.gl_pathv[i], R_OK) == 0;
    globfree(&found);
    return readable;
}

int hasGpu(void)
{
    static int known = -1;

    if (known < 0) {
        char *argv[] = {"nvidia-smi", "-L", NULL};

        known = hasGpuFile() || runCommand(argv, 1) == 0;
    }
    return known;
}

int hasGpuPrograms(void)
{
    char *path = formatString("%s/has_gpu_programs", sharedBuild());
    int there = access(path, R_OK) == 0;

    free(path);
    return there;
}

const char *deviceToUse(const char *wanted)
{
    if (strcmp(wanted, "emulated") == 0)
        return "emulated";
    if (strcmp(wanted, "auto") != 0 && strcmp(wanted, "gpu") != 0 &&
        (wanted[0] == '\0' || wanted[strspn(wanted, "0123456789")] != '\0'))
        fail(EXIT_USAGE, "--device=%s: expected auto, gpu, emulated or the number of a GPU",
             wanted);
    if (hasGpu() && hasGpuPrograms())
        return "gpu";
    if (strcmp(wanted, "auto") == 0)
        return "emulated";
    if (!hasGpu())
        fail(EXIT_SKIPPED, "SKIPPED: no GPU in this machine; try --device=emulated");
    fail(EXIT_SKIPPED,
         "SKIPPED: no nvcc when the course was configured; put it on the PATH, or set "
         "CUDACXX, and remove the build folder");
}
