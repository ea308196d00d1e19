// unwrapped.cpp: what the linker's --wrap would offer, for a program that is linked without it (by
// CMake or a makefile, with g++ and -lcudart): the C library's own functions. An archive's member
// that nothing asks for is left out, so a program linked by emulated-nvcc does not have it.
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <link.h>
#include <sys/time.h>

extern "C" {
void *__real_malloc(size_t size) { return malloc(size); }
void *__real_calloc(size_t count, size_t size) { return calloc(count, size); }
void *__real_realloc(void *p, size_t size) { return realloc(p, size); }
void *__real_aligned_alloc(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
int __real_posix_memalign(void **p, size_t alignment, size_t size)
{
    return posix_memalign(p, alignment, size);
}
void __real_free(void *p) { free(p); }
int __real_clock_gettime(clockid_t clock, timespec *t) { return clock_gettime(clock, t); }
int __real_gettimeofday(timeval *t, void *zone) { return gettimeofday(t, zone); }
clock_t __real_clock(void) { return clock(); }
std::chrono::system_clock::time_point __real__ZNSt6chrono3_V212system_clock3nowEv()
{
    return std::chrono::system_clock::now();
}
std::chrono::steady_clock::time_point __real__ZNSt6chrono3_V212steady_clock3nowEv()
{
    return std::chrono::steady_clock::now();
}
int __real_dl_iterate_phdr(int (*call)(dl_phdr_info *, size_t, void *), void *data)
{
    return dl_iterate_phdr(call, data);
}
}
