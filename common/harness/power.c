/* The one call of NVIDIA's management library (NVML). The library is loaded at run time, so that
 * the program also runs on machines without it. */
#include "power.h"
#include <dlfcn.h>
#include <string.h>

/* The needed part of nvml.h, which not every toolkit has. 0 is success. */
typedef int (*plain_call)(void);
typedef int (*find_call)(const char *bus, void **gpu);
typedef int (*limit_call)(void *gpu, unsigned *milliwatts);

/* The function of that name, in the memory of a pointer to function: C has no cast from a pointer
 * to an object. */
static int load(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* The limit that is in force; if the driver does not report it, the one that was set for the
 * GPU. */
static unsigned limitOf(void *library, void *gpu)
{
    static const char *const names[] = {"nvmlDeviceGetEnforcedPowerLimit",
                                        "nvmlDeviceGetPowerManagementLimit"};
    limit_call limit;
    unsigned milliwatts = 0;

    for (int i = 0; i < 2; i++)
        if (load(library, names[i], &limit) && limit(gpu, &milliwatts) == 0)
            return milliwatts;
    return 0;
}

double powerLimit(const char *bus)
{
    void *library = bus[0] != '\0' ? dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL) : NULL;
    plain_call begin, end;
    find_call find;
    void *gpu = NULL;
    unsigned milliwatts = 0;

    if (library == NULL)
        return 0.0;
    if (load(library, "nvmlInit_v2", &begin) && load(library, "nvmlShutdown", &end) &&
        load(library, "nvmlDeviceGetHandleByPciBusId_v2", &find) && begin() == 0) {
        if (find(bus, &gpu) == 0)
            milliwatts = limitOf(library, gpu);
        end();
    }
    dlclose(library);
    return 1e-3 * milliwatts;
}
