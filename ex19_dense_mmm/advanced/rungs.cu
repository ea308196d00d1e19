/* TASK     C = A B by tensor cores with copies ahead, in one product of TF32 or in three.
 * TRAFFIC  4 (m k + k n + m n) bytes: A and B read once, C written once.
 * LIMIT    the tensor cores, and shared memory, from which they are fed. */
#include "advanced/mma.cuh"

#ifdef HAVE_TF32
template void mmaMmm<64, 1>(const float *, const float *, float *, int, int, int);
template void mmaMmm<32, 3>(const float *, const float *, float *, int, int, int);
#endif
