/* cub/block/block_histogram.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
