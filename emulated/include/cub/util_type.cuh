/* cub/util_type.cuh: all of it is in one file. */
#include "../emulated/cub.h"
