/* The output of other tools. */
#include "tool.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *toolSaysAnyway(char *const argv[], int *status)
{
    struct job job = {.argv = argv, .captured = 1, .patience = 20.0};

    jobRun(&job);
    *status = job.status;
    return job.output;
}

char *toolSays(char *const argv[])
{
    int status;
    char *output = toolSaysAnyway(argv, &status);

    return status == 0 ? output : NULL;
}

char *gitSays(const char *command, const char *object, int *status)
{
    const char *argv[] = {"git",  "-c", "safe.directory=*", "-C", sourceFolder(), command,
                          object, NULL};

    return toolSaysAnyway((char **)argv, status);
}

char *toolPath(const char *name)
{
    const char *path = getenv("PATH");
    char *rest = formatString("%s", path != NULL ? path : ""), *folder;

    while ((folder = strsep(&rest, ":")) != NULL) {
        char *full = formatString("%s/%s", folder, name);

        if (folder[0] != '\0' && access(full, X_OK) == 0)
            return full;
    }
    return NULL;
}

char *toolNvcc(void)
{
    char *nvcc = readFileIfThere(formatString("%s/has_gpu_programs", sharedBuild()));

    if (nvcc != NULL)
        nvcc[strcspn(nvcc, "\n")] = '\0';
    return nvcc != NULL && access(nvcc, X_OK) == 0 ? nvcc : toolPath("nvcc");
}
