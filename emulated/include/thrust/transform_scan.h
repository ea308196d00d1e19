/* thrust/transform_scan.h: all of it is in one file. */
#include "../emulated/thrust.h"
