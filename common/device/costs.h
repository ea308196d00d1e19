/* The measurements of ./course device --measure. A variant gets a size: blocks, bytes or
 * addresses. */
#ifndef COSTS_H
#define COSTS_H

#include <stddef.h>

typedef void variant_fn(size_t size);
#define COURSE_LIBRARY /* there are library rows: the copies */
#include "variants.h"

#ifdef __cplusplus
extern "C" {
#endif
/* How many atomic additions a variant makes at once. */
extern size_t additions;
#ifdef __cplusplus
}
#endif

#endif
