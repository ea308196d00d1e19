/* The problem size, for the harness's own files; harness.h has harnessSize(). */
#ifndef SIZE_H
#define SIZE_H

#include "harness.h"

/* Chooses the size, given the bytes of device memory that are available (0: there is no device).
 * Ends the program (exit 2) if memory or a grid of the device is too small for the size that was
 * asked for. */
void sizeChoose(const struct exercise *exercise, double available);
void sizeSet(size_t size);

#endif
