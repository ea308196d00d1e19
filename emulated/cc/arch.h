/* arch.h: for which compute capability the device code is compiled. */
#ifndef EMULATED_ARCH_H
#define EMULATED_ARCH_H

/* The argument of -arch, -gencode and their long forms: sm_70, compute_70,
 * arch=compute_70,code=sm_70. 0: not understood. */
int arch_request(const char *value);

/* The capability as 700: the newest one asked for that the device in CUDA_EMULATED_DEVICE can run,
 * or the newest at all; with no request, that device's own, or the default. *chosen: the user chose
 * it. -1: nothing fits, after a message. */
int arch_choose(int *chosen);

/* The toolkit that the compiler claims to belong to: the last one that knows the architecture, and
 * 12.0 for those of today (and 0). */
struct toolkit_version {
    int major, minor, build;
};
struct toolkit_version toolkit_version(int arch);
#endif
