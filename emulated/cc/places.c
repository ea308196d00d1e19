/* places.c: see places.h */
#define _GNU_SOURCE
#include "places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tokens.h"

#ifndef EMULATED_DIR
#error "the build defines where the headers, the runtime and the compilers are"
#endif

static const char *root = EMULATED_DIR, *libraries = EMULATED_LIBRARIES;

void places_find(void)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0) {
        tell("cannot read /proc/self/exe: %s", strerror(errno));
        exit(2);
    }
    self[length] = '\0';
    char *name = strrchr(self, '/');
    if (strcmp(name, "/emulated-cc") == 0)
        return; /* not installed */
    *name = '\0';
    *strrchr(self, '/') = '\0';
    root = format("%s/lib/emulated-nvcc", self);
    libraries = format("%s/lib64", root);
    if (access(root, R_OK) != 0) {
        tell("cannot read %s, which is installed with this program: %s", root, strerror(errno));
        exit(2);
    }
}

const char *place(void) { return root; }

const char *library_place(void) { return libraries; }

void places_show(void)
{
    fprintf(stderr,
            "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n#$ INCLUDES=-I%s/include\n"
            "#$ LIBRARIES=-L%s\n",
            root, root, root, libraries);
}

int is_toolkit(const char *folder)
{
    char *header = format("%s/cuda_runtime.h", folder),
         *ours = format("%s/cuda_emulated.h", folder);
    int is = access(header, R_OK) == 0 && access(ours, R_OK) != 0;
    free(header);
    free(ours);
    return is;
}
