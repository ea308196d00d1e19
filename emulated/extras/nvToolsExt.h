/* nvToolsExt.h: version 3 includes the older ones. */
#include "nvtx3/nvToolsExt.h"
