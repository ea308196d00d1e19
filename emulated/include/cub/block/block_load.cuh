/* cub/block/block_load.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
