/* cub/block/block_radix_sort.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
