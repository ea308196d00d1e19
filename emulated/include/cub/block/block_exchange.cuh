/* cub/block/block_exchange.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
