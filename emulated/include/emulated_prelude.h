/* emulated_prelude.h: what every program begins with, as nvcc includes it; emulated-nvcc
 * precompiles it. */
#ifndef EMULATED_PRELUDE_OF_PROGRAMS_H
#define EMULATED_PRELUDE_OF_PROGRAMS_H

#include <cuda_runtime.h>
#endif
