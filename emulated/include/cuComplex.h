/* cuComplex.h: complex numbers as pairs, for C. */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_
#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;

#define EMULATED_COMPLEX(complex, real, make, cre, cim, conjugate, add, sub, mul, div, absolute,   \
                         fma_, hypot_)                                                             \
    static inline real cre(complex z) { return z.x; }                                              \
    static inline real cim(complex z) { return z.y; }                                              \
    static inline complex make(real re, real im)                                                   \
    {                                                                                              \
        complex z;                                                                                 \
        z.x = re;                                                                                  \
        z.y = im;                                                                                  \
        return z;                                                                                  \
    }                                                                                              \
    static inline complex conjugate(complex z) { return make(z.x, -z.y); }                         \
    static inline complex add(complex a, complex b) { return make(a.x + b.x, a.y + b.y); }         \
    static inline complex sub(complex a, complex b) { return make(a.x - b.x, a.y - b.y); }         \
    static inline complex mul(complex a, complex b)                                                \
    {                                                                                              \
        return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    static inline complex div(complex a, complex b)                                                \
    {                                                                                              \
        const real size = hypot_(b.x, b.y);                                                        \
        const complex unit = make(b.x / size, -b.y / size), q = mul(a, unit);                      \
        return make(q.x / size, q.y / size);                                                       \
    }                                                                                              \
    static inline real absolute(complex z) { return hypot_(z.x, z.y); }                            \
    static inline complex fma_(complex a, complex b, complex c) { return add(mul(a, b), c); }
EMULATED_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, cuCrealf, cuCimagf, cuConjf, cuCaddf,
                 cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCfmaf, hypotf)
EMULATED_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, cuCreal, cuCimag, cuConj, cuCadd,
                 cuCsub, cuCmul, cuCdiv, cuCabs, cuCfma, hypot)
#undef EMULATED_COMPLEX
static inline cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}
#endif
