/* cub/block/block_discontinuity.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
