/* nvToolsExtCudaRt.h: version 3 includes the older ones. */
#include "nvtx3/nvToolsExtCudaRt.h"
