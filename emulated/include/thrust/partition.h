/* thrust/partition.h: all of it is in one file. */
#include "../emulated/thrust.h"
