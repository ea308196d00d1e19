/* cub/warp/warp_reduce.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
