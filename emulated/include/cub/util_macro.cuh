/* cub/util_macro.cuh: all of it is in one file. */
#include "../emulated/cub.h"
