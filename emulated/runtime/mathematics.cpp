// mathematics.cpp: arithmetic with a rounding mode, and special functions that the C library does not have.
#include <cfenv>
#include <cmath>

namespace {

// Sets the rounding mode for as long as it lives. The operands are volatile, or the compiler would compute before.
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

float emulated_float(int operation, int mode, float a, float b, float c) { return compute(operation, mode, a, b, c); }
double emulated_double(int operation, int mode, double a, double b, double c)
{
    return compute(operation, mode, a, b, c);
}
float emulated_to_float(int mode, long double x) { return convert<float>(mode, x); }
double emulated_to_double(int mode, long double x) { return convert<double>(mode, x); }

double emulated_normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }

// Winitzki's approximation, then Newton's method on erf(y) = x; the difference keeps its digits near -1 and 1.
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

} // extern "C"
