/* The power that a GPU may draw, which CUDA's own interface does not tell. */
#ifndef POWER_H
#define POWER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Watts that the GPU at a PCI bus address ("0000:0B:00.0") may draw, by NVIDIA's management library, which comes with the
 * driver and is looked for at each call. 0: unknown, because there is no such library, GPU or limit. */
double powerLimit(const char *bus);

#ifdef __cplusplus
}
#endif

#endif
