/* Part of nvToolsExt.h. */
#include "nvToolsExt.h"
