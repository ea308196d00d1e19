/* Rungs of ex19 that no student edits, which are compiled by themselves: no change of the template
 * makes them anew. */
#ifndef RUNGS_H
#define RUNGS_H

void doubleBufferMmm(const float *a, const float *b, float *c, int m, int n, int k);
void asyncMmm(const float *a, const float *b, float *c, int m, int n, int k);
/* WIDE columns of C for a warp, as 1 product in TF32 or as 3. */
template <int WIDE, int PRODUCTS>
void mmaMmm(const float *a, const float *b, float *c, int m, int n, int k);
/* One product in TF32 by warpgroups, and three: compiled for compute capability 9.0a only. Where
 * they are not, or the device is another one, they skip their row. */
void wgmmaMmm(const float *a, const float *b, float *c, int m, int n, int k);
void wgmmaThreeMmm(const float *a, const float *b, float *c, int m, int n, int k);

#endif
