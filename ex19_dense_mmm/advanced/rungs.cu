/* TASK     C = A B by registers with two tiles at once, by asynchronous copies, and by tensor cores
 *          with copies ahead.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once.
 * LIMIT    multiply-adds, or the tensor cores. */
#include "advanced/async.cuh"
#include "advanced/double_buffer.cuh"
#include "advanced/mma.cuh"

#ifdef HAVE_TF32
template void mmaMmm<64, 1>(const float *, const float *, float *, int, int, int);
template void mmaMmm<32, 3>(const float *, const float *, float *, int, int, int);
#endif
