/* cub/device/device_select.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
