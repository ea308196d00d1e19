/* cub/device/device_partition.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
