// mathematics.cpp: arithmetic with a rounding mode, and special functions that the C library does
// not have.
#include <cfenv>
#include <cmath>

namespace
{

// Sets the rounding mode for as long as it lives. The operands are volatile, or the compiler would
// compute before.
struct Rounding {
    int before;
    explicit Rounding(int mode) : before(fegetround())
    {
        static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
        fesetround(modes[mode & 3]);
    }
    ~Rounding() { fesetround(before); }
};

template <class T> T compute(int operation, int mode, T x, T y, T z)
{
    Rounding rounding(mode);
    volatile T a = x, b = y, c = z, result;
    switch (operation) {
    case 0: result = a + b; break;
    case 1: result = a - b; break;
    case 2: result = a * b; break;
    case 3: result = a / b; break;
    case 4: result = std::sqrt(a); break;
    default: result = std::fma(a, b, c); break;
    }
    return result;
}

template <class T> T convert(int mode, long double x)
{
    Rounding rounding(mode);
    volatile long double from = x;
    volatile T to = (T)from;
    return to;
}

} // namespace

extern "C" {

float emulated_float(int operation, int mode, float a, float b, float c)
{
    return compute(operation, mode, a, b, c);
}
double emulated_double(int operation, int mode, double a, double b, double c)
{
    return compute(operation, mode, a, b, c);
}
float emulated_to_float(int mode, long double x) { return convert<float>(mode, x); }
double emulated_to_double(int mode, long double x) { return convert<double>(mode, x); }

float emulated_special_rsqrtf(float x) { return 1.0f / sqrtf(x); }
float emulated_special_divide(float x, float y) { return x / y; }
float emulated_special_sinf(float x) { return sinf(x); }
float emulated_special_cosf(float x) { return cosf(x); }
float emulated_special_expf(float x) { return expf(x); }
float emulated_special_logf(float x) { return logf(x); }

double emulated_normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }

// Winitzki's approximation, then Newton's method on erf(y) = x; the difference keeps its digits
// near -1 and 1.
double emulated_erfinv(double x)
{
    if (!(x > -1 && x < 1))
        return x == 1 ? INFINITY : x == -1 ? -INFINITY : NAN;
    const double a = 0.147, w = -log((1 - x) * (1 + x)), t = 2 / (M_PI * a) - w / 2;
    double y = std::copysign(sqrt(sqrt(t * t + w / a) - t), x);
    for (int i = 0; i < 4; i++) {
        double difference = x > 0 ? (1 - x) - erfc(y) : erfc(-y) - (1 + x);
        y -= difference / (M_2_SQRTPI * exp(-y * y));
    }
    return x == 0 ? x : y;
}

// Modified Bessel functions of the first kind by their power series, whose terms are all positive
double emulated_bessel(double x, int order)
{
    if (fabs(x) > 720)
        return order && x < 0 ? -INFINITY : INFINITY;
    const double quarter = x * x / 4;
    double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; fabs(term) > 1e-17 * fabs(sum); k++) {
        term *= quarter / ((double)k * (k + order));
        sum += term;
    }
    return sum;
}

// A value with that many bits of exponent and fraction, rounded to nearest, ties to even.
unsigned short emulated_pack(double value, int exponent_bits, int fraction_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1;
    const unsigned sign = std::signbit(value) ? 0x8000u : 0u;
    double x = fabs(value);
    if (std::isnan(value))
        return 0x7fff;
    int e = 0;
    frexp(x, &e); // x = m 2^e with m in [1/2, 1)
    int exponent = x > 0 ? e - 1 : -bias;
    if (exponent < 1 - bias)
        exponent = 1 - bias; // subnormal numbers share the smallest
    double scaled = std::isinf(x) ? INFINITY : nearbyint(ldexp(x, fraction_bits - exponent));
    if (scaled >= ldexp(1, fraction_bits + 1)) { // rounded up to the next power of two
        scaled /= 2;
        exponent++;
    }
    if (std::isinf(x) || exponent + bias >= largest)
        return (unsigned short)(sign | (unsigned)largest << fraction_bits);
    unsigned bits = (unsigned)scaled;
    if (bits >> fraction_bits) // a normal number: its leading bit is not stored
        bits = (bits & ((1u << fraction_bits) - 1)) | (unsigned)(exponent + bias) << fraction_bits;
    return (unsigned short)(sign | bits);
}

float emulated_unpack(unsigned short bits, int exponent_bits, int fraction_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1, largest = (1 << exponent_bits) - 1;
    int exponent = bits >> fraction_bits & largest, fraction = bits & ((1 << fraction_bits) - 1);
    double x = exponent == largest ? (fraction ? NAN : INFINITY)
               : exponent == 0
                   ? ldexp(fraction, 1 - bias - fraction_bits)
                   : ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
    return (float)(bits & 0x8000 ? -x : x);
}

} // extern "C"
