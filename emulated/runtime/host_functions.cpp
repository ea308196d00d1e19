// host_functions.cpp: functions of the C library that nvcc does not compile in device code, and g++
// does. Here they work, but their accesses to memory are unseen, so a kernel that calls one gets a
// message.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "emulator.h"

using namespace emulated;

static void called(const char *name, const void *place, u64 frame)
{
    if (current && on_fiber(frame))
        report({"host-function", (Pc)place, current, name,
                std::string("calls ") + name +
                    "(), a function of the host: nvcc does not compile that in device code",
                0});
}
#define CALLED(name) called(name, __builtin_return_address(0), EMULATED_FRAME)

extern "C" {

int emulated_sprintf(char *to, const char *format, ...)
{
    CALLED("sprintf");
    va_list arguments;
    va_start(arguments, format);
    const int n = vsprintf(to, format, arguments);
    va_end(arguments);
    return n;
}
int emulated_snprintf(char *to, size_t bytes, const char *format, ...)
{
    CALLED("snprintf");
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(to, bytes, format, arguments);
    va_end(arguments);
    return n;
}
int emulated_fprintf(FILE *f, const char *format, ...)
{
    CALLED("fprintf");
    va_list arguments;
    va_start(arguments, format);
    const int n = vfprintf(f, format, arguments);
    va_end(arguments);
    return n;
}
int emulated_sscanf(const char *from, const char *format, ...)
{
    CALLED("sscanf");
    va_list arguments;
    va_start(arguments, format);
    const int n = vsscanf(from, format, arguments);
    va_end(arguments);
    return n;
}
char *emulated_strcpy(char *to, const char *from)
{
    CALLED("strcpy");
    return strcpy(to, from);
}
char *emulated_strncpy(char *to, const char *from, size_t n)
{
    CALLED("strncpy");
    return strncpy(to, from, n);
}
char *emulated_strcat(char *to, const char *from)
{
    CALLED("strcat");
    return strcat(to, from);
}
void emulated_qsort(void *elements, size_t count, size_t bytes,
                    int (*compare)(const void *, const void *))
{
    CALLED("qsort");
    qsort(elements, count, bytes, compare);
}
size_t emulated_fread(void *to, size_t bytes, size_t count, FILE *f)
{
    CALLED("fread");
    return fread(to, bytes, count, f);
}
size_t emulated_fwrite(const void *from, size_t bytes, size_t count, FILE *f)
{
    CALLED("fwrite");
    return fwrite(from, bytes, count, f);
}
char *emulated_fgets(char *to, int bytes, FILE *f)
{
    CALLED("fgets");
    return fgets(to, bytes, f);
}
int emulated_rand(void)
{
    CALLED("rand");
    return rand();
}

} // extern "C"
