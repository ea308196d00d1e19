/* random.h: the generators of cuRAND: XORWOW (Marsaglia 2003), MRG32k3a (L'Ecuyer 1999) and
 * Philox4x32-10 (Salmon and others 2011), with cuRAND's seeds, subsequences and conversions. */
#ifndef EMULATED_RANDOM_H
#define EMULATED_RANDOM_H
#include <math.h>

typedef struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
} curandStateXORWOW_t;
typedef struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
} curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 {
    unsigned int ctr[4], output[4], key[2];
    unsigned int STATE; /* how many of `output` are used */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
} curandStatePhilox4_32_10_t;
typedef curandStateXORWOW_t curandState, curandState_t;

/* These take and return values: the state may lie in memory that the caller's code must be seen to
 * read and write. */
extern "C" {
/* n steps; and n subsequences of 2^67 steps (XORWOW), 2^76 steps, or sequences of 2^127
 * (MRG32k3a) */
curandStateXORWOW_t emulated_xorwow_skip(curandStateXORWOW_t state, unsigned long long n,
                                         int log2_each);
curandStateMRG32k3a_t emulated_mrg_skip(curandStateMRG32k3a_t state, unsigned long long n,
                                        int log2_each);
uint4 emulated_philox_block(uint4 counter, uint2 key);
}

/* ---- seeds ---- */

static inline void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
    *s = emulated_xorwow_skip(*s, n, 0);
}
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *s)
{
    *s = emulated_xorwow_skip(*s, n, 67);
}
static inline void skipahead(unsigned long long n, curandStateMRG32k3a_t *s)
{
    *s = emulated_mrg_skip(*s, n, 0);
}
static inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    *s = emulated_mrg_skip(*s, n, 76);
}
static inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *s)
{
    *s = emulated_mrg_skip(*s, n, 127);
}
/* The four numbers of the counter */
static inline void emulatedPhilox(curandStatePhilox4_32_10_t *s)
{
    const uint4 output = emulated_philox_block(
        make_uint4(s->ctr[0], s->ctr[1], s->ctr[2], s->ctr[3]), make_uint2(s->key[0], s->key[1]));
    s->output[0] = output.x;
    s->output[1] = output.y;
    s->output[2] = output.z;
    s->output[3] = output.w;
}
/* counter[0..3] += n, with carries */
static inline void emulatedCount(unsigned int *counter, unsigned long long n)
{
    for (int i = 0; i < 4; i++) {
        const unsigned long long sum = counter[i] + (n & 0xffffffffu);
        counter[i] = (unsigned int)sum;
        n = (n >> 32) + (sum >> 32);
    }
}
static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    s->STATE += (unsigned int)(n & 3);
    emulatedCount(s->ctr, n / 4 + (s->STATE > 3));
    s->STATE &= 3;
    emulatedPhilox(s);
}
static inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
    const unsigned long long high = ((unsigned long long)s->ctr[3] << 32 | s->ctr[2]) + n;
    s->ctr[2] = (unsigned int)high;
    s->ctr[3] = (unsigned int)(high >> 32);
    emulatedPhilox(s);
}

template <class State> static inline void emulatedForgetNormals(State *s)
{
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW_t *s)
{
    const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u),
                       high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    s->d = 6615241u + high + low; /* the published state, mixed with the seed */
    s->v[0] = 123456789u + low;
    s->v[1] = 362436069u ^ low;
    s->v[2] = 521288629u + high;
    s->v[3] = 88675123u ^ high;
    s->v[4] = 5783321u + low;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
    emulatedForgetNormals(s);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a_t *s)
{
    const unsigned long long low = (unsigned int)seed ^ 0x55555555u,
                             high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) {
        s->s1[i] = seed ? (unsigned int)((i == 1 ? high : low) * 12345u % 4294967087u) : 12345u;
        s->s2[i] = seed ? (unsigned int)((i == 1 ? low : high) * 12345u % 4294944443u) : 12345u;
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
    emulatedForgetNormals(s);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStatePhilox4_32_10_t *s)
{
    for (int i = 0; i < 4; i++)
        s->ctr[i] = 0;
    s->key[0] = (unsigned int)seed;
    s->key[1] = (unsigned int)(seed >> 32);
    s->STATE = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
    emulatedForgetNormals(s);
}

/* ---- 32 random bits ---- */

static inline unsigned int curand(curandStateXORWOW_t *s)
{
    const unsigned int t = s->v[0] ^ s->v[0] >> 2;
    for (int i = 0; i < 4; i++)
        s->v[i] = s->v[i + 1];
    s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
    s->d += 362437;
    return s->v[4] + s->d;
}
/* From 1 to 4294967087 */
static inline double curand_MRG32k3a(curandStateMRG32k3a_t *s)
{
    const long long m1 = 4294967087ll, m2 = 4294944443ll;
    long long p1 = (1403580ll * s->s1[1] - 810728ll * s->s1[0]) % m1,
              p2 = (527612ll * s->s2[2] - 1370589ll * s->s2[0]) % m2;
    p1 += p1 < 0 ? m1 : 0;
    p2 += p2 < 0 ? m2 : 0;
    for (int i = 0; i < 2; i++) {
        s->s1[i] = s->s1[i + 1];
        s->s2[i] = s->s2[i + 1];
    }
    s->s1[2] = (unsigned int)p1;
    s->s2[2] = (unsigned int)p2;
    return (double)(p1 > p2 ? p1 - p2 : p1 - p2 + m1);
}
static inline unsigned int curand(curandStateMRG32k3a_t *s)
{
    return (unsigned int)(curand_MRG32k3a(s) * 1.000000048662); /* to the range of 32 bits */
}
static inline unsigned int curand(curandStatePhilox4_32_10_t *s)
{
    const unsigned int result = s->output[s->STATE++];
    if (s->STATE == 4) {
        emulatedCount(s->ctr, 1);
        emulatedPhilox(s);
        s->STATE = 0;
    }
    return result;
}
static inline uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 result;
    result.x = curand(s);
    result.y = curand(s);
    result.z = curand(s);
    result.w = curand(s);
    return result;
}

/* ---- uniform numbers in (0, 1] ---- */

static inline float emulatedUniform(unsigned int x) { return (float)x * 0x1p-32f + 0x1p-33f; }
static inline double emulatedUniformDouble(unsigned int x, unsigned int y)
{
    return (double)((unsigned long long)x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
static inline float curand_uniform(curandStateXORWOW_t *s) { return emulatedUniform(curand(s)); }
static inline float curand_uniform(curandStatePhilox4_32_10_t *s)
{
    return emulatedUniform(curand(s));
}
static inline float curand_uniform(curandStateMRG32k3a_t *s)
{
    return (float)(curand_MRG32k3a(s) * 2.3283065498378288e-10); /* 1 / (m1 + 1) */
}
static inline double curand_uniform_double(curandStateXORWOW_t *s)
{
    const unsigned int x = curand(s), y = curand(s);
    return emulatedUniformDouble(x, y);
}
static inline double curand_uniform_double(curandStateMRG32k3a_t *s)
{
    return curand_MRG32k3a(s) * 2.3283065498378288e-10;
}
static inline double curand_uniform_double(curandStatePhilox4_32_10_t *s)
{
    return curand(s) * 0x1p-32 + 0x1p-32;
}
static inline float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    const uint4 x = curand4(s);
    return make_float4(emulatedUniform(x.x), emulatedUniform(x.y), emulatedUniform(x.z),
                       emulatedUniform(x.w));
}
static inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    const uint4 x = curand4(s);
    return make_double2(emulatedUniformDouble(x.x, x.y), emulatedUniformDouble(x.z, x.w));
}

/* ---- normal numbers, in pairs, by Box and Muller ---- */

static inline float2 emulatedBoxMuller(unsigned int x, unsigned int y)
{
    const float u = emulatedUniform(x),
                v = (float)y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f,
                s = sqrtf(-2.0f * logf(u));
    return make_float2(sinf(v) * s, cosf(v) * s);
}
static inline double2 emulatedBoxMullerDouble(double u, double turns)
{
    const double s = sqrt(-2.0 * log(u)), v = turns * 3.14159265358979323846;
    return make_double2(sin(v) * s, cos(v) * s);
}
template <class State> static inline float2 curand_normal2(State *s)
{
    const unsigned int x = curand(s), y = curand(s);
    return emulatedBoxMuller(x, y);
}
static inline float2 curand_normal2(curandStateMRG32k3a_t *s)
{
    const float u = curand_uniform(s), v = curand_uniform(s) * 6.2831855f,
                r = sqrtf(-2.0f * logf(u));
    return make_float2(sinf(v) * r, cosf(v) * r);
}
template <class State> static inline double2 curand_normal2_double(State *s)
{
    const unsigned int x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
    return emulatedBoxMullerDouble(emulatedUniformDouble(x0, x1),
                                   2 * emulatedUniformDouble(y0, y1));
}
static inline double2 curand_normal2_double(curandStateMRG32k3a_t *s)
{
    const double u = curand_uniform_double(s), v = curand_uniform_double(s);
    return emulatedBoxMullerDouble(u, 2 * v);
}
static inline float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    const float2 a = curand_normal2(s), b = curand_normal2(s);
    return make_float4(a.x, a.y, b.x, b.y);
}
/* One of a pair now, the other one next time if that asks for the same */
enum { emulatedNormal = 1, emulatedLogNormal };
template <class State> static inline float curand_normal(State *s)
{
    s->boxmuller_flag = s->boxmuller_flag == emulatedNormal ? 0 : emulatedNormal;
    if (!s->boxmuller_flag)
        return s->boxmuller_extra;
    const float2 pair = curand_normal2(s);
    s->boxmuller_extra = pair.y;
    return pair.x;
}
template <class State> static inline double curand_normal_double(State *s)
{
    s->boxmuller_flag_double = s->boxmuller_flag_double == emulatedNormal ? 0 : emulatedNormal;
    if (!s->boxmuller_flag_double)
        return s->boxmuller_extra_double;
    const double2 pair = curand_normal2_double(s);
    s->boxmuller_extra_double = pair.y;
    return pair.x;
}
template <class State> static inline float curand_log_normal(State *s, float mean, float deviation)
{
    s->boxmuller_flag = s->boxmuller_flag == emulatedLogNormal ? 0 : emulatedLogNormal;
    if (!s->boxmuller_flag)
        return s->boxmuller_extra;
    const float2 pair = curand_normal2(s);
    s->boxmuller_extra = expf(mean + deviation * pair.y);
    return expf(mean + deviation * pair.x);
}
template <class State>
static inline double curand_log_normal_double(State *s, double mean, double deviation)
{
    s->boxmuller_flag_double =
        s->boxmuller_flag_double == emulatedLogNormal ? 0 : emulatedLogNormal;
    if (!s->boxmuller_flag_double)
        return s->boxmuller_extra_double;
    const double2 pair = curand_normal2_double(s);
    s->boxmuller_extra_double = exp(mean + deviation * pair.y);
    return exp(mean + deviation * pair.x);
}
template <class State>
static inline float2 curand_log_normal2(State *s, float mean, float deviation)
{
    const float2 pair = curand_normal2(s);
    return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
#endif
