/* TASK     the same picture by four rays a thread; the layouts of the spheres; the rate of
 *          multiply-adds alone.
 * TRAFFIC  4 bytes per pixel; the spheres are read for each block, but stay on the chip.
 * LIMIT    arithmetic: up to n tests per ray, of 3 operations. */
#include "advanced/rungs.h"
#include "advanced/four_rays.cuh"
#include "advanced/rate.cuh"
