/* cub/block/block_adjacent_difference.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
