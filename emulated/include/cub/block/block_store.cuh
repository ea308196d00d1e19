/* cub/block/block_store.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
