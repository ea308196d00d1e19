/* thrust/device_ptr.h: all of it is in one file. */
#include "../emulated/thrust.h"
