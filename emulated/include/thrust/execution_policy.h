/* thrust/execution_policy.h: all of it is in one file. */
#include "../emulated/thrust.h"
