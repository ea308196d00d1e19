/* The last rungs of ex19, which are compiled by themselves, for compute capability 9.0a only. Where
 * they are not, or the device is another one, they skip their row. */
#ifndef WGMMA_H
#define WGMMA_H

void wgmmaMmm(const float *a, const float *b, float *c, int m, int n,
              int k); /* one product in TF32 */
void wgmmaThreeMmm(const float *a, const float *b, float *c, int m, int n,
                   int k); /* three of them */

#endif
