/* thrust/iterator/iterator_traits.h: all of it is in one file. */
#include "../../emulated/thrust.h"
