/* The power limit of a GPU, which CUDA's API does not report. */
#ifndef POWER_H
#define POWER_H

#ifdef __cplusplus
extern "C" {
#endif

/* The power limit in watts of the GPU at a PCI bus address ("0000:0B:00.0"), from NVIDIA's
 * management library, which comes with the driver and is loaded at each call. 0 if there is no such
 * library, GPU or limit. */
double powerLimit(const char *bus);

#ifdef __cplusplus
}
#endif

#endif
