/* Which device the commands use: a GPU where there is one, otherwise the emulated device. */
#include "devices.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 1 if the driver's file of a GPU can be read: of any, since a container may have been given number
 * 5. */
static int hasGpuFile(void)
{
    const glob_t found = matching("/dev/nvidia[0-9]*");

    for (size_t i = 0; i < found.gl_pathc; i++)
        if (access(found.gl_pathv[i], R_OK) == 0)
            return 1;
    return 0;
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

int hasGpuPrograms(void) { return exists(formatString("%s/has_gpu_programs", sharedBuild())); }

const char *deviceToUse(const char *wanted)
{
    if (isSame(wanted, "emulated"))
        return "emulated";
    if (!isSame(wanted, "auto") && !isSame(wanted, "gpu") &&
        (wanted[0] == '\0' || wanted[strspn(wanted, "0123456789")] != '\0'))
        fail(
            EXIT_USAGE,
            "--device=%s: expected auto, gpu, emulated, the number of a GPU, or, for a check, both",
            wanted);
    if (hasGpu() && hasGpuPrograms())
        return "gpu";
    if (isSame(wanted, "auto"))
        return "emulated";
    if (!hasGpu())
        fail(EXIT_SKIPPED, "SKIPPED: no GPU in this machine; try --device=emulated");
    fail(EXIT_SKIPPED, "SKIPPED: no nvcc when the course was configured; put it on the PATH, or "
                       "set CUDACXX, and remove the build folder");
}
