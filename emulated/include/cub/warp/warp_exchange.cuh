/* cub/warp/warp_exchange.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
