/* cub/util_allocator.cuh: all of it is in one file. */
#include "../emulated/cub.h"
