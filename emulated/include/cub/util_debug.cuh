/* cub/util_debug.cuh: all of it is in one file. */
#include "../emulated/cub.h"
