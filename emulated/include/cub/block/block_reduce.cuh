/* cub/block/block_reduce.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
