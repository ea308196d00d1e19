/* arch.c: see arch.h */
#include "arch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

enum { MOST = 32, DEFAULT = 900 };
static int requests[MOST], request_count;

/* 70 or 90a after sm_ or compute_; 0: no such thing. */
static int capability(const char *text)
{
    const char *digits = strncmp(text, "sm_", 3) == 0        ? text + 3
                         : strncmp(text, "compute_", 8) == 0 ? text + 8
                                                             : "";
    int n = atoi(digits);
    digits += strspn(digits, "0123456789");
    digits += *digits == 'a' || *digits == 'f';
    return n >= 10 && n < 200 && (*digits == '\0' || *digits == ',') ? n * 10 : 0;
}

int arch_request(const char *value)
{
    if (strcmp(value, "native") == 0 || strncmp(value, "all", 3) == 0)
        return 1;
    const char *arch = strncmp(value, "arch=", 5) == 0 ? value + 5 : value;
    int n = capability(arch);
    if (n && request_count < MOST)
        requests[request_count++] = n;
    return n;
}

/* The same names and numbers as in the runtime's settings.cpp. */
static int device_capability(const char *name)
{
    static const struct {
        const char *name;
        int capability;
    } devices[] = {{"fermi", 200},  {"kepler", 350},    {"maxwell", 520}, {"pascal", 600},
                   {"volta", 700},  {"turing", 750},    {"ampere", 800},  {"ada", 890},
                   {"hopper", 900}, {"blackwell", 1000}};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strcmp(devices[i].name, name) == 0)
            return devices[i].capability;
    int number = 0; /* 70 or 7.0 */
    for (; isdigit((unsigned char)*name) || (number && *name == '.'); name++)
        number = *name == '.' ? number : 10 * number + *name - '0';
    return *name ? 0 : 10 * number;
}

int arch_choose(int *chosen)
{
    const char *name = getenv("CUDA_EMULATED_DEVICE");
    int device = name && *name && strcmp(name, "default") != 0 ? device_capability(name) : 0,
        best = 0;
    if (name && *name && strcmp(name, "default") != 0 && !device) {
        tell("CUDA_EMULATED_DEVICE=%s: expected fermi, kepler, maxwell, pascal, volta, turing, "
             "ampere, ada, hopper, blackwell, or a compute capability such as 70",
             name);
        return -1;
    }
    for (int i = 0; i < request_count; i++)
        if (requests[i] > best && (!device || requests[i] <= device))
            best = requests[i];
    if (request_count && !best) {
        tell("CUDA_EMULATED_DEVICE=%s has compute capability %d.%d, and the options ask for "
             "code of newer devices only",
             name, device / 100, device / 10 % 10);
        return -1;
    }
    *chosen = best || device;
    return best ? best : device ? device : DEFAULT;
}

struct toolkit_version toolkit_version(int arch)
{
    if (arch == 0 || arch >= 500)
        return (struct toolkit_version){12, 0, 140};
    return arch >= 350   ? (struct toolkit_version){11, 8, 89}
           : arch >= 300 ? (struct toolkit_version){10, 2, 89}
                         : (struct toolkit_version){8, 0, 61};
}
