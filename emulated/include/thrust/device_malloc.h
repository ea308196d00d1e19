/* thrust/device_malloc.h: all of it is in one file. */
#include "../emulated/thrust.h"
