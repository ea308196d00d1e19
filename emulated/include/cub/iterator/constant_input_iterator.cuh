/* cub/iterator/constant_input_iterator.cuh: all of it is in one file. */
#include "../../emulated/cub.h"
