/* Loaded before the C library (LD_PRELOAD): a machine of eight cores, for what is done only where
 * some are to spare. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

enum { CORES = 8 };

long sysconf(int name)
{
    long (*real)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");

    return name == _SC_NPROCESSORS_ONLN ? CORES : real(name);
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    CPU_ZERO_S(size, set);
    for (size_t i = 0; i < CORES; i++)
        CPU_SET_S(i, size, set);
    return 0;
}
