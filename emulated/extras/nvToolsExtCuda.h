/* Part of nvToolsExt.h. */
#include "nvtx3/nvToolsExt.h"
