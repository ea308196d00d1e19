/* cub/device/device_histogram.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
