/* cub/warp/warp_scan.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
