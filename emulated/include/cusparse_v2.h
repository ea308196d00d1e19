/* The older name of cusparse.h. */
#include "cusparse.h"
