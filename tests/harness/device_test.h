/* Shared by main() of device_test.c and the variants of device_test.cu: c[i] = 2 a[i]. */
#ifndef DEVICE_TEST_H
#define DEVICE_TEST_H

#include <stddef.h>

typedef void variant_fn(const char *mistake, const float *a, float *c, size_t n);

#include "variants.h"

#endif
