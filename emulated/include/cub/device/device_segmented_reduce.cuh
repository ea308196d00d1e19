/* cub/device/device_segmented_reduce.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
