// cufft.cpp: Fourier transforms. Every length is cut into its prime factors; what is left with a
// large one is computed as a convolution (Bluestein 1970). All arithmetic is in double, and a
// result is rounded once.
#include "cufft.h"

#include <complex>
#include <map>
#include <memory>

#include "library.h"
#include "objects.h"
#include "streams.h"

namespace emulated
{

typedef std::complex<double> Complex;
typedef std::vector<Complex> Numbers;

// ---- one line -----------------------------------------------------------------------------------

const size_t kLargestFactor = 31;

static Numbers roots_of_unity(size_t n, int sign)
{
    Numbers roots(n);
    for (size_t k = 0; k < n; k++)
        roots[k] = std::polar(1.0, sign * 2 * M_PI * (double)k / (double)n);
    return roots;
}

static void transform(Numbers &x, int sign);

// sum of x[j] w^(jk) with jk = (j² + k² - (k - j)²) / 2: a convolution, made by transforms whose
// length is a power of two
static void by_convolution(const Complex *in, ptrdiff_t step, Complex *out, size_t n, int sign)
{
    size_t length = 1;
    while (length < 2 * n)
        length *= 2;
    Numbers chirp(n), a(length), b(length);
    for (size_t k = 0; k < n; k++)
        chirp[k] = std::polar(1.0, sign * M_PI * (double)(k * k % (2 * n)) / (double)n);
    for (size_t k = 0; k < n; k++) {
        a[k] = in[(ptrdiff_t)k * step] * chirp[k];
        b[k] = b[(length - k) % length] = std::conj(chirp[k]);
    }
    transform(a, -1);
    transform(b, -1);
    for (size_t k = 0; k < length; k++)
        a[k] *= b[k];
    transform(a, 1);
    for (size_t k = 0; k < n; k++)
        out[k] = a[k] * chirp[k] / (double)length;
}

static size_t smallest_factor(size_t n)
{
    for (size_t p = 2; p <= kLargestFactor; p++)
        if (n % p == 0)
            return p;
    return n;
}

// out[k] = sum of in[j step] w_n^(jk); `roots` are those of the whole line, n divides their number
static void transform_part(const Complex *in, ptrdiff_t step, Complex *out, size_t n,
                           const Numbers &roots, int sign)
{
    const size_t p = smallest_factor(n), m = n / p, fine = roots.size() / n;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    if (p > kLargestFactor) {
        by_convolution(in, step, out, n, sign);
        return;
    }
    for (size_t r = 0; r < p; r++)
        transform_part(in + (ptrdiff_t)r * step, step * (ptrdiff_t)p, out + r * m, m, roots, sign);
    for (size_t k = 0; k < m; k++) {
        Complex part[kLargestFactor];
        for (size_t r = 0; r < p; r++)
            part[r] = out[r * m + k] * roots[r * k * fine];
        for (size_t q = 0; q < p; q++) {
            Complex sum = part[0];
            for (size_t r = 1; r < p; r++)
                sum += part[r] * roots[r * q % p * m * fine];
            out[k + q * m] = sum;
        }
    }
}

static void transform(Numbers &x, int sign)
{
    const Numbers in = x;
    transform_part(in.data(), 1, x.data(), x.size(), roots_of_unity(x.size(), sign), sign);
}

// ---- plans --------------------------------------------------------------------------------------

// How the elements of one side lie in memory
struct Layout {
    size_t rows[3]; // elements from one row to the next, in each dimension: what `embed` says
    size_t stride, distance;
    bool basic; // the one that follows from the lengths
};
struct Plan {
    cudaStream_t stream = nullptr;
    int rank = 0; // 0: not made yet
    size_t n[3], batch;
    cufftType type;
    Layout in, out;
    // bytes of its work area, which is not used: it computes in memory of the host
    size_t work = 0;
    void *area = nullptr; // given by the program,
    bool own_area = true; // unless the plan has one of its own
};
static std::map<cufftHandle, Plan> plans EMULATED_EARLY;

static bool real_in(cufftType type) { return type == CUFFT_R2C || type == CUFFT_D2Z; }
static bool real_out(cufftType type) { return type == CUFFT_C2R || type == CUFFT_Z2D; }
static bool is_double(cufftType type) { return (type & 0x40) != 0; }

// The last length of a side: half of a real line's transform is enough, since the rest mirrors it.
static size_t last_length(const Plan &p, bool half)
{
    const size_t n = p.n[p.rank - 1];
    return half ? n / 2 + 1 : n;
}

static Layout layout(const Plan &p, const int *embed, int stride, int distance, bool half)
{
    Layout l = {{1, 1, 1}, 1, 1, embed == nullptr};
    for (int d = 0; d < p.rank; d++)
        l.rows[d] = embed ? (size_t)embed[d] : d == p.rank - 1 ? last_length(p, half) : p.n[d];
    if (embed) {
        l.stride = (size_t)stride;
        l.distance = (size_t)distance;
    } else
        for (int d = 0; d < p.rank; d++)
            l.distance *= l.rows[d];
    return l;
}

// As large as the complex numbers; a transform to real numbers takes twice as much, so that whoever
// asks for one size only is found out.
static size_t work_area(const Plan &p)
{
    size_t count = p.batch * last_length(p, real_in(p.type) || real_out(p.type));
    for (int d = 0; d + 1 < p.rank; d++)
        count *= p.n[d];
    return count * (is_double(p.type) ? 16 : 8) * (real_out(p.type) ? 2 : 1);
}

static size_t at(const Plan &p, const Layout &l, size_t batch, const size_t *i)
{
    size_t index = 0;
    for (int d = 0; d < p.rank; d++)
        index = index * (d ? l.rows[d] : 1) + i[d];
    return batch * l.distance + index * l.stride;
}

static cufftResult make(cufftHandle handle, int rank, const int *n, const int *inembed, int istride,
                        int idist, const int *onembed, int ostride, int odist, cufftType type,
                        int batch, size_t *work)
{
    auto entry = plans.find(handle);
    if (entry == plans.end())
        return CUFFT_INVALID_PLAN;
    if (type != CUFFT_R2C && type != CUFFT_C2R && type != CUFFT_C2C && type != CUFFT_D2Z &&
        type != CUFFT_Z2D && type != CUFFT_Z2Z)
        return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > 3 || !n || batch < 1)
        return rank < 1 || rank > 3 || !n ? CUFFT_INVALID_VALUE : CUFFT_INVALID_SIZE;
    Plan p = entry->second;
    p.rank = rank;
    p.type = type;
    p.batch = (size_t)batch;
    for (int d = 0; d < rank; d++) {
        if (n[d] < 1)
            return CUFFT_INVALID_SIZE;
        p.n[d] = (size_t)n[d];
    }
    const bool embedded = inembed && onembed; // one alone does not count
    p.in = layout(p, embedded ? inembed : nullptr, istride, idist, real_out(type));
    p.out = layout(p, embedded ? onembed : nullptr, ostride, odist, real_in(type));
    p.work = work_area(p);
    entry->second = p;
    if (work)
        *work = p.work;
    return CUFFT_SUCCESS;
}

static cufftResult new_plan(cufftHandle *handle, Pc place)
{
    static cufftHandle last;
    if (!handle)
        return CUFFT_INVALID_VALUE;
    plans[ *handle = ++last] = Plan();
    object_created(kPlan, (u64)last, place);
    return CUFFT_SUCCESS;
}

static cufftResult make_new(cufftHandle *handle, Pc place, int rank, const int *n,
                            const int *inembed, int istride, int idist, const int *onembed,
                            int ostride, int odist, cufftType type, int batch)
{
    cufftResult result = new_plan(handle, place);
    if (result == CUFFT_SUCCESS)
        result = make(*handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                      batch, nullptr);
    if (result != CUFFT_SUCCESS && handle)
        cufftDestroy(*handle);
    return result;
}

// ---- running one --------------------------------------------------------------------------------

struct Side {
    void *p;
    Layout layout;
    bool real, wide; // real numbers, doubles
    u32 bytes() const { return (real ? 4u : 8u) << wide; }
    Complex get(size_t i) const
    {
        const float *f = (const float *)p;
        const double *d = (const double *)p;
        if (real)
            return wide ? d[i] : (double)f[i];
        return wide ? Complex(d[2 * i], d[2 * i + 1])
                    : Complex((double)f[2 * i], (double)f[2 * i + 1]);
    }
    void set(size_t i, Complex z) const
    {
        const size_t k = real ? i : 2 * i;
        if (wide) {
            ((double *)p)[k] = z.real();
            if (!real)
                ((double *)p)[k + 1] = z.imag();
        } else {
            ((float *)p)[k] = (float)z.real();
            if (!real)
                ((float *)p)[k + 1] = (float)z.imag();
        }
    }
};

// of the last dimension, by its indices
template <class F> static void each_line(const Plan &p, F f)
{
    size_t i[3] = {0, 0, 0};
    const size_t outer = p.rank > 1 ? p.n[0] : 1, inner = p.rank > 2 ? p.n[1] : 1;
    for (i[0] = 0; i[0] < outer; i[0]++)
        for (size_t k = 0; k < inner; k++) {
            size_t index[3] = {p.rank > 1 ? i[0] : 0, p.rank > 2 ? k : 0, 0};
            f(index);
        }
}

static size_t flat(const Plan &p, const size_t *i) // in the whole array of complex numbers
{
    size_t index = 0;
    for (int d = 0; d < p.rank; d++)
        index = index * p.n[d] + i[d];
    return index;
}

static Numbers read(const Plan &p, const Side &in, size_t batch)
{
    size_t count = 1;
    for (int d = 0; d < p.rank; d++)
        count *= p.n[d];
    Numbers x(count);
    const bool half = real_out(p.type);
    const size_t n = p.n[p.rank - 1], there = last_length(p, half);
    each_line(p, [&](size_t *i) {
        for (size_t k = 0; k < n; k++) {
            size_t from[3] = {i[0], i[1], i[2]}, to[3] = {i[0], i[1], i[2]};
            to[p.rank - 1] = k;
            from[p.rank - 1] = k < there ? k : n - k;
            for (int d = 0; k >= there && d < p.rank - 1; d++) // the mirror image
                from[d] = (p.n[d] - i[d]) % p.n[d];
            const Complex z = in.get(at(p, in.layout, batch, from));
            x[flat(p, to)] = k < there ? z : std::conj(z);
        }
    });
    return x;
}

static void transform_all(const Plan &p, Numbers &x, int sign)
{
    size_t step = 1;
    for (int d = p.rank - 1; d >= 0; d--) {
        const size_t n = p.n[d];
        Numbers line(n), result(n);
        const Numbers roots = roots_of_unity(n, sign);
        for (size_t begin = 0; begin < x.size(); begin++) {
            if (begin / step % n != 0)
                continue;
            transform_part(&x[begin], (ptrdiff_t)step, result.data(), n, roots, sign);
            for (size_t k = 0; k < n; k++)
                x[begin + k * step] = result[k];
        }
        step *= n;
    }
}

// f(element) for each element of one side
template <class F> static void each_element(const Plan &p, const Side &side, bool half, F f)
{
    for (size_t batch = 0; batch < p.batch; batch++)
        each_line(p, [&](size_t *i) {
            for (size_t k = 0; k < last_length(p, half); k++) {
                i[p.rank - 1] = k;
                f(at(p, side.layout, batch, i));
            }
        });
}

static u64 extent(const Plan &p, const Side &side, bool half)
{
    size_t last = 0;
    each_element(p, side, half, [&](size_t i) { last = i > last ? i : last; });
    return (u64)(last + 1) * side.bytes();
}

static void run(const Plan &p, const Side &in, const Side &out, int sign, const char *call,
                Pc place)
{
    each_element(p, in, real_out(p.type), [&](size_t i) {
        const void *element = (const char *)in.p + i * in.bytes();
        must_have_values(element, in.bytes(), in.bytes(), call, place);
        touch((u64)element, in.bytes(), kRead);
    });
    if (!p.own_area)
        now_initialised(p.area, p.work);
    std::vector<Numbers> results;
    for (size_t batch = 0; batch < p.batch; batch++) {
        results.push_back(read(p, in, batch));
        transform_all(p, results.back(), sign);
    }
    for (size_t batch = 0; batch < p.batch; batch++)
        each_line(p, [&](size_t *i) {
            for (size_t k = 0; k < last_length(p, real_in(p.type)); k++) {
                i[p.rank - 1] = k;
                const size_t element = at(p, out.layout, batch, i);
                out.set(element, results[batch][flat(p, i)]);
                now_initialised((char *)out.p + element * out.bytes(), out.bytes());
            }
        });
}

static cufftResult execute(cufftHandle handle, void *in, void *out, cufftType type, int sign,
                           const char *call, Pc place)
{
    auto entry = plans.find(handle);
    if (entry == plans.end() || !entry->second.rank)
        return CUFFT_INVALID_PLAN;
    const Plan p = entry->second;
    if (p.type != type)
        return CUFFT_INVALID_TYPE;
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    Side from = {in, p.in, real_in(type), is_double(type)},
         to = {out, p.out, real_out(type), is_double(type)};
    for (Side *side : {&from, &to}) // in place, each row of real numbers has room for its transform
        if (in == out && side->real && side->layout.basic) {
            size_t &row = side->layout.rows[p.rank - 1], before = row;
            row = 2 * (p.n[p.rank - 1] / 2 + 1);
            side->layout.distance = side->layout.distance / before * row;
        }
    if (!device_array(in, extent(p, from, real_out(type)), call, "the input", place) ||
        !device_array(out, extent(p, to, real_in(type)), call, "the output", place))
        return CUFFT_EXEC_FAILED;
    if (!p.own_area && !p.area) {
        bad_call(
            place,
            std::string(call) +
                ": the plan has no work area: after cufftSetAutoAllocation(plan, 0) it needs one " +
                "from cufftSetWorkArea()",
            cudaErrorInvalidValue);
        return CUFFT_INVALID_PLAN;
    }
    if (!p.own_area && !device_array(p.area, p.work, call, "the work area", place))
        return CUFFT_EXEC_FAILED;
    submit(p.stream, place, call, [=] {
        run(p, from, to, sign, call, place);
        counters_library_call();
        return cudaSuccess;
    });
    return CUFFT_SUCCESS;
}

} // namespace emulated

using namespace emulated;
#define PLACE __builtin_return_address(0)

extern "C" {

cufftResult cufftGetVersion(int *version)
{
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
cufftResult cufftCreate(cufftHandle *handle) { return new_plan(handle, PLACE); }
cufftResult cufftDestroy(cufftHandle handle)
{
    object_ended(kPlan, (u64)handle);
    return plans.erase(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch)
{
    return make_new(handle, PLACE, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type)
{
    const int n[] = {nx, ny};
    return make_new(handle, PLACE, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type)
{
    const int n[] = {nx, ny, nz};
    return make_new(handle, PLACE, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch)
{
    return make_new(handle, PLACE, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                    batch);
}
cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *work)
{
    return make(handle, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *work)
{
    const int n[] = {nx, ny};
    return make(handle, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            size_t *work)
{
    const int n[] = {nx, ny, nz};
    return make(handle, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *work)
{
    return make(handle, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                work);
}
cufftResult cufftGetSize(cufftHandle handle, size_t *work)
{
    auto entry = plans.find(handle);
    *work = entry == plans.end() ? 0 : entry->second.work;
    return entry == plans.end() ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *work)
{
    Plan p;
    if (nx < 1 || batch < 1)
        return CUFFT_INVALID_SIZE;
    p.rank = 1;
    p.type = type;
    p.n[0] = (size_t)nx;
    p.batch = (size_t)batch;
    *work = work_area(p);
    return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    auto entry = plans.find(handle);
    if (entry == plans.end())
        return CUFFT_INVALID_PLAN;
    entry->second.stream = stream;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates)
{
    auto entry = plans.find(handle);
    if (entry == plans.end())
        return CUFFT_INVALID_PLAN;
    entry->second.own_area = allocates != 0;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    auto entry = plans.find(handle);
    if (entry == plans.end())
        return CUFFT_INVALID_PLAN;
    entry->second.area = area;
    entry->second.own_area = false;
    return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle handle, cufftComplex *in, cufftComplex *out, int direction)
{
    return execute(handle, in, out, CUFFT_C2C, direction, "cufftExecC2C", PLACE);
}
cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction)
{
    return execute(handle, in, out, CUFFT_Z2Z, direction, "cufftExecZ2Z", PLACE);
}
cufftResult cufftExecR2C(cufftHandle handle, cufftReal *in, cufftComplex *out)
{
    return execute(handle, in, out, CUFFT_R2C, CUFFT_FORWARD, "cufftExecR2C", PLACE);
}
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return execute(handle, in, out, CUFFT_D2Z, CUFFT_FORWARD, "cufftExecD2Z", PLACE);
}
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex *in, cufftReal *out)
{
    return execute(handle, in, out, CUFFT_C2R, CUFFT_INVERSE, "cufftExecC2R", PLACE);
}
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return execute(handle, in, out, CUFFT_Z2D, CUFFT_INVERSE, "cufftExecZ2D", PLACE);
}

} // extern "C"
