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

    if (status == 0)
        return output;
    free(output);
    return NULL;
}

char *toolPath(const char *name)
{
    const char *path = getenv("PATH");

    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        char *full = formatString("%.*s/%s", (int)length, path, name);

        if (length > 0 && access(full, X_OK) == 0)
            return full;
        free(full);
        path += length + (path[length] == ':');
    }
    return NULL;
}

char *toolNvcc(void)
{
    char *path = formatString("%s/has_gpu_programs", sharedBuild()), *nvcc = readFileIfThere(path);

    free(path);
    if (nvcc != NULL)
        nvcc[strcspn(nvcc, "\n")] = '\0';
    if (nvcc != NULL && access(nvcc, X_OK) == 0)
        return nvcc;
    free(nvcc);
    return toolPath("nvcc");
}
