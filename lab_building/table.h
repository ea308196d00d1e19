/* What the host program calls: C, so that any compiler can link it. */
#ifndef TABLE_H
#define TABLE_H

#ifdef __cplusplus
extern "C"
#endif
    /* y[i] = c[0] + c[1] i + ... + c[n - 1] i^(n - 1) for i < count. Returns 1 if CUDA fails */
    int
    table(float *y, int count, const float *c, int n);

#endif
