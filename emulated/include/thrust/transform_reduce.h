/* thrust/transform_reduce.h: all of it is in one file. */
#include "../emulated/thrust.h"
