/* cub/device/device_run_length_encode.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
