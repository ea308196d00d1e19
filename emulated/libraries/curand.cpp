// curand.cpp: skipping ahead in cuRAND's generators, and arrays of random numbers in cuRAND's
// order.
#include "curand.h"

#include <array>
#include <memory>
#include <set>

#include "library.h"
#include "objects.h"
#include "streams.h"
#include "vector_functions.h"

#include "emulated/random.h"

extern "C" double emulated_erfinv(double x);

namespace emulated
{

// ---- XORWOW: a shift register, linear over the bits: 2^k steps are a matrix of 160 x 160 bits --

typedef std::array<u32, 5> Bits;
typedef std::array<Bits, 160> BitMatrix; // column i: where bit i goes

static Bits times(const BitMatrix &m, const Bits &v)
{
    Bits sum = {};
    for (int i = 0; i < 160; i++)
        if (v[(size_t)i / 32] >> i % 32 & 1)
            for (size_t k = 0; k < 5; k++)
                sum[k] ^= m[(size_t)i][k];
    return sum;
}

static Bits xorwow_step(Bits v)
{
    const u32 t = v[0] ^ v[0] >> 2;
    return {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4 ^ t ^ t << 1};
}

// 2^k steps, each computed from the one before when it is first needed. Each thread of the host has
// its own, since a lock that another one holds would never open in a process that runs blocks.
static const BitMatrix &xorwow_power(size_t k)
{
    static thread_local std::vector<std::unique_ptr<BitMatrix>> powers;
    while (powers.size() <= k) {
        auto next = std::make_unique<BitMatrix>();
        for (size_t i = 0; i < 160; i++) {
            Bits unit = {};
            unit[i / 32] = 1u << i % 32;
            (*next)[i] =
                powers.empty() ? xorwow_step(unit) : times(*powers.back(), (*powers.back())[i]);
        }
        powers.push_back(std::move(next));
    }
    return *powers[k];
}

// ---- MRG32k3a: two recurrences of three numbers, each modulo a prime ----------------------------

typedef std::array<std::array<u64, 3>, 3> Matrix3;
static const u64 kModulus[2] = {4294967087u, 4294944443u};

static Matrix3 product(const Matrix3 &a, const Matrix3 &b, u64 modulus)
{
    Matrix3 c = {};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            for (size_t k = 0; k < 3; k++)
                c[i][j] = (c[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
    return c;
}

static const Matrix3 &mrg_power(int which, size_t k) // 2^k steps
{
    static thread_local std::vector<Matrix3> powers[2];
    if (powers[0].empty()) {
        powers[0].push_back({{{0, 1, 0}, {0, 0, 1}, {kModulus[0] - 810728, 1403580, 0}}});
        powers[1].push_back({{{0, 1, 0}, {0, 0, 1}, {kModulus[1] - 1370589, 0, 527612}}});
    }
    while (powers[which].size() <= k)
        powers[which].push_back(
            product(powers[which].back(), powers[which].back(), kModulus[which]));
    return powers[which][k];
}

static void advance(u32 *state, int which, u64 n, int log2_each)
{
    for (size_t bit = 0; n >> bit; bit++) {
        if (!(n >> bit & 1))
            continue;
        const Matrix3 &m = mrg_power(which, bit + (size_t)log2_each);
        u64 next[3] = {0, 0, 0};
        for (size_t i = 0; i < 3; i++)
            for (size_t k = 0; k < 3; k++)
                next[i] = (next[i] + m[i][k] * state[k] % kModulus[which]) % kModulus[which];
        for (size_t i = 0; i < 3; i++)
            state[i] = (u32)next[i];
        if (bit == 63)
            break;
    }
}

} // namespace emulated

using namespace emulated;

extern "C" {

curandStateXORWOW_t emulated_xorwow_skip(curandStateXORWOW_t state, unsigned long long n,
                                         int log2_each)
{
    Bits v;
    for (size_t i = 0; i < 5; i++)
        v[i] = state.v[i];
    for (size_t bit = 0; bit < 64 && n >> bit; bit++)
        if (n >> bit & 1)
            v = times(xorwow_power(bit + (size_t)log2_each), v);
    for (size_t i = 0; i < 5; i++)
        state.v[i] = v[i];
    if (log2_each < 32)
        state.d += 362437u * (u32)(n << log2_each);
    return state;
}

curandStateMRG32k3a_t emulated_mrg_skip(curandStateMRG32k3a_t state, unsigned long long n,
                                        int log2_each)
{
    advance(state.s1, 0, n, log2_each);
    advance(state.s2, 1, n, log2_each);
    return state;
}

uint4 emulated_philox_block(uint4 counter, uint2 key)
{
    u32 c[4] = {counter.x, counter.y, counter.z, counter.w}, k[2] = {key.x, key.y};
    for (int round = 0; round < 10; round++) {
        const u64 a = (u64)0xd2511f53 * c[0], b = (u64)0xcd9e8d57 * c[2];
        const u32 next[4] = {(u32)(b >> 32) ^ c[1] ^ k[0], (u32)b, (u32)(a >> 32) ^ c[3] ^ k[1],
                             (u32)a};
        for (int i = 0; i < 4; i++)
            c[i] = next[i];
        k[0] += 0x9e3779b9;
        k[1] += 0xbb67ae85;
    }
    return make_uint4(c[0], c[1], c[2], c[3]);
}

} // extern "C"

// ---- generators ---------------------------------------------------------------------------------
//
// A generator deals its numbers out from many subsequences in turn: 4096 of XORWOW, 81920 of
// MRG32k3a, 65536 of Philox in groups of four. A double takes two numbers of one subsequence (of
// MRG32k3a one), a pair of normal numbers what the pair needs. Where it stands is counted in turns,
// one for each number or, but for Philox, pair; a new seed does not begin anew. Of Philox's
// subsequences a group that is not finished leaves no trace: the next call goes on within these
// four.

struct curandGenerator_st {
    curandRngType_t type;
    bool on_host;
    cudaStream_t stream;
    u64 seed, turn;
    // numbers that whole rounds of turns have taken from each subsequence
    u64 taken;
    std::vector<curandStateXORWOW_t> xorwow; // empty: to be made
    std::vector<curandStateMRG32k3a_t> mrg;
    std::vector<u64> philox; // numbers taken from each
    unsigned dimensions;     // of Sobol's numbers, whose `turn` counts points
};

namespace emulated
{

static const u64 kPhiloxGroup = 4;
static std::set<curandGenerator_t> generators EMULATED_EARLY;

static u64 subsequences(const curandGenerator_st &g)
{
    return g.type == CURAND_RNG_PSEUDO_MRG32K3A        ? 81920
           : g.type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 65536
                                                       : 4096;
}

// Fills out[0..n), `group` numbers from one subsequence after the other, which takes `each` of its
// own for one of these.
template <class T, class State, class F>
static void deal(curandGenerator_t g, std::vector<State> &states, T *out, size_t n, size_t group,
                 u64 each, F number)
{
    const u64 count = subsequences(*g);
    for (u64 i = states.size(); i < count; i++) {
        states.emplace_back();
        curand_init(g->seed, i, g->taken + (i < g->turn % count), &states.back());
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = number(&states[g->turn % count]);
        if ((i + 1) % group == 0 && ++g->turn % count == 0)
            g->taken += each * group;
    }
}
template <class T, class F>
static void deal_philox(curandGenerator_t g, T *out, size_t n, size_t group, u64 each, F number)
{
    const u64 count = subsequences(*g);
    g->philox.resize(count, g->taken);
    for (size_t i = 0; i < n; i++) {
        const u64 k = g->turn % kPhiloxGroup, thread = g->turn / kPhiloxGroup % count;
        curandStatePhilox4_32_10_t state;
        curand_init(g->seed, thread, g->philox[thread] + k / group * group * each, &state);
        for (u64 skipped = 0; skipped < k % group; skipped++)
            (void)number(&state);
        out[i] = number(&state);
        if (++g->turn % kPhiloxGroup == 0)
            g->philox[thread] += kPhiloxGroup * each;
        if (g->turn % (kPhiloxGroup * count) == 0)
            g->taken += kPhiloxGroup * each;
    }
}
template <class T, class F> static void deal_sobol(curandGenerator_t g, T *out, size_t n, F number);
template <class T, class F>
static void deal_out(curandGenerator_t g, T *out, size_t n, size_t group, u64 each, F number)
{
    if (g->type == CURAND_RNG_QUASI_SOBOL32)
        deal_sobol(g, out, n, number);
    else if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
        deal_philox(g, out, n, group, each, number);
    else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A)
        deal(g, g->mrg, out, n, group, 1, number);
    else
        deal(g, g->xorwow, out, n, group, each, number);
}

// Philox takes two numbers for a double here, and one in a kernel.
static double uniform_double(curandStatePhilox4_32_10_t *s)
{
    const u32 x = curand(s), y = curand(s);
    return emulatedUniformDouble(x, y);
}
// Sobol's sequence by Gray code: number i is the sum of the direction numbers at the bits of i ^ i
// / 2. The direction numbers follow from a primitive polynomial and the first few, as Joe and Kuo
// have chosen them.
struct Sobol {
    u32 x;
};
struct Dimension {
    int degree;
    u32 polynomial, first[5];
};
static const Dimension sobol_dimensions[] = {{0, 0, {}},
                                             {1, 0, {1}},
                                             {2, 1, {1, 3}},
                                             {3, 1, {1, 3, 1}},
                                             {3, 2, {1, 1, 1}},
                                             {4, 1, {1, 1, 3, 3}},
                                             {4, 4, {1, 3, 5, 13}},
                                             {5, 2, {1, 1, 5, 5, 17}},
                                             {5, 4, {1, 1, 5, 5, 5}},
                                             {5, 7, {1, 1, 7, 11, 19}}};
static const unsigned kDimensions = sizeof sobol_dimensions / sizeof *sobol_dimensions;

static std::array<u32, 32> directions(const Dimension &d)
{
    std::array<u32, 32> v;
    for (int k = 0; k < 32; k++) {
        u32 &here = v[(size_t)k];
        if (d.degree == 0)
            here = 1u << (31 - k);
        else if (k < d.degree)
            here = d.first[k] << (31 - k);
        else {
            const u32 back = v[(size_t)(k - d.degree)];
            here = back ^ back >> d.degree;
            for (int j = 1; j < d.degree; j++)
                if (d.polynomial >> (d.degree - 1 - j) & 1)
                    here ^= v[(size_t)(k - j)];
        }
    }
    return v;
}

static u32 curand(Sobol *s) { return s->x; }
static float curand_uniform(Sobol *s) { return (float)s->x * 2.3283064e-10f + 2.3283064e-10f / 2; }
static double uniform_double(Sobol *s) { return s->x * 0x1p-32 + 0x1p-32; }
static float curand_normal(Sobol *s)
{
    return (float)(1.4142135623730951 * emulated_erfinv(2 * (double)curand_uniform(s) - 1));
}
static double curand_normal_double(Sobol *s)
{
    return 1.4142135623730951 * emulated_erfinv(2 * (s->x * 0x1p-32 + 0x1p-33) - 1);
}

// All of the first dimension, then all of the next
template <class T, class F> static void deal_sobol(curandGenerator_t g, T *out, size_t n, F number)
{
    const size_t points = n / g->dimensions;
    for (unsigned d = 0; d < g->dimensions; d++) {
        const auto v = directions(sobol_dimensions[d]);
        for (size_t i = 0; i < points; i++) {
            const u64 at = g->turn + i, gray = at ^ at >> 1;
            Sobol state = {0};
            for (size_t k = 0; k < 32; k++)
                state.x ^= gray >> k & 1 ? v[k] : 0;
            *out++ = number(&state);
        }
    }
    g->turn += points;
}

template <class State> static double uniform_double(State *s) { return curand_uniform_double(s); }

// The common part of the calls: checks, then the numbers, in the generator's stream.
template <class T, class F>
static curandStatus_t generate(curandGenerator_t g, T *out, size_t n, const char *call, Pc place,
                               F fill)
{
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (g->type == CURAND_RNG_QUASI_SOBOL32 && n % g->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (g->on_host) {
        if (device_only((u64)out))
            return scalar_argument(out, 0, false, call, "the array", place)
                       ? CURAND_STATUS_SUCCESS
                       : CURAND_STATUS_LAUNCH_FAILURE;
        fill(g, out, n);
        return CURAND_STATUS_SUCCESS;
    }
    if (!device_array(out, n * sizeof(T), call, "the array", place))
        return CURAND_STATUS_LAUNCH_FAILURE;
    submit(g->stream, place, call, [=] {
        fill(g, out, n);
        now_initialised(out, n * sizeof(T));
        counters_library_call();
        return cudaSuccess;
    });
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host,
                             Pc place)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (type == CURAND_RNG_PSEUDO_DEFAULT)
        type = CURAND_RNG_PSEUDO_XORWOW;
    if (type == CURAND_RNG_QUASI_DEFAULT)
        type = CURAND_RNG_QUASI_SOBOL32;
    if (type != CURAND_RNG_QUASI_SOBOL32 && type != CURAND_RNG_PSEUDO_XORWOW &&
        type != CURAND_RNG_PSEUDO_MRG32K3A && type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return CURAND_STATUS_TYPE_ERROR;
    *generator = new curandGenerator_st{type, on_host, nullptr, 0, 0, 0, {}, {}, {}, 1};
    generators.insert(*generator);
    object_created(kGenerator, *generator, place);
    return CURAND_STATUS_SUCCESS;
}

// After what has been submitted: the numbers on their way come first.
template <class F> static curandStatus_t change(curandGenerator_t g, F work)
{
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!g->on_host)
        run_stream(g->stream);
    work();
    g->xorwow.clear();
    g->mrg.clear();
    g->philox.clear();
    return CURAND_STATUS_SUCCESS;
}

} // namespace emulated

#define PLACE __builtin_return_address(0)

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false, PLACE);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true, PLACE);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g)
{
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!g->on_host)
        run_stream(g->stream);
    generators.erase(g);
    object_ended(kGenerator, g);
    delete g;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int *version)
{
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream)
{
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long value)
{
    if (generators.count(g) && g->type == CURAND_RNG_QUASI_SOBOL32)
        return CURAND_STATUS_TYPE_ERROR;
    return change(g, [=] { g->seed = value; });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions)
{
    if (generators.count(g) && g->type != CURAND_RNG_QUASI_SOBOL32)
        return CURAND_STATUS_TYPE_ERROR;
    if (dimensions == 0 || dimensions > kDimensions)
        return CURAND_STATUS_OUT_OF_RANGE;
    return change(g, [=] { g->dimensions = dimensions; });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset)
{
    return change(g, [=] {
        const u64 group = g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? kPhiloxGroup : 1;
        g->turn = offset;
        g->taken = offset / (group * subsequences(*g)) * group;
    });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order)
{
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (g->type == CURAND_RNG_QUASI_SOBOL32)
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                      : CURAND_STATUS_OUT_OF_RANGE;
    const bool usual = order == CURAND_ORDERING_PSEUDO_BEST ||
                       order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                       order == CURAND_ORDERING_PSEUDO_LEGACY;
    return usual ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t g)
{
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    return CURAND_STATUS_SUCCESS; // they are made when the first number is asked for
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *out, size_t n)
{
    return generate(generator, out, n, "curandGenerate", PLACE,
                    [](curandGenerator_t g, unsigned int *p, size_t count) {
                        deal_out(g, p, count, 1, 1, [](auto *s) { return curand(s); });
                    });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t n)
{
    return generate(generator, out, n, "curandGenerateUniform", PLACE,
                    [](curandGenerator_t g, float *p, size_t count) {
                        deal_out(g, p, count, 1, 1, [](auto *s) { return curand_uniform(s); });
                    });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t n)
{
    return generate(generator, out, n, "curandGenerateUniformDouble", PLACE,
                    [](curandGenerator_t g, double *p, size_t count) {
                        deal_out(g, p, count, 1, 2, [](auto *s) { return uniform_double(s); });
                    });
}

#define NORMALS(Name, T, each, normal, f)                                                          \
    curandStatus_t curandGenerate##Name(curandGenerator_t generator, T *out, size_t n, T mean,     \
                                        T deviation)                                               \
    {                                                                                              \
        if (n % 2 && generators.count(generator) &&                                                \
            generator->type < CURAND_RNG_PSEUDO_PHILOX4_32_10)                                     \
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;                                              \
        return generate(generator, out, n, "curandGenerate" #Name, PLACE,                          \
                        [=](curandGenerator_t g, T *p, size_t count) {                             \
                            deal_out(g, p, count, 2, each,                                         \
                                     [=](auto *s) { return f(mean + deviation * normal(s)); });    \
                        });                                                                        \
    }
NORMALS(Normal, float, 1, curand_normal, )
NORMALS(NormalDouble, double, 2, curand_normal_double, )
NORMALS(LogNormal, float, 1, curand_normal, expf)
NORMALS(LogNormalDouble, double, 2, curand_normal_double, exp)

} // extern "C"
