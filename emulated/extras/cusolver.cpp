// cusolver.cpp: cuSOLVER's dense matrices, by the plain algorithms: Cholesky's factors, LU with
// exchanged rows, Householder's reflections, and Jacobi's rotations for eigenvalues and singular
// values.
#include "cusolverDn.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "cublas_call.h"

namespace emulated
{

// A matrix in memory, or its transpose
template <class T> struct View {
    T *p;
    ptrdiff_t row, column; // from one row to the next, from one column to the next
    T &operator()(int i, int j) const { return p[i * row + j * column]; }
    View transposed() const { return {p, column, row}; }
    View from_row(int i) const { return {p + i * row, row, column}; }
};
template <class T> static View<T> by_columns(const T *p, int ld) { return {(T *)p, 1, ld}; }

// ---- the algorithms: those with a result return devInfo -----------------------------------------

template <class T> static int cholesky(View<T> a, int n)
{
    for (int j = 0; j < n; j++) {
        T square = a(j, j);
        for (int k = 0; k < j; k++)
            square -= a(j, k) * a(j, k);
        if (!(square > 0)) // nor NaN
            return j + 1;
        a(j, j) = std::sqrt(square);
        for (int i = j + 1; i < n; i++) {
            T sum = a(i, j);
            for (int k = 0; k < j; k++)
                sum -= a(i, k) * a(j, k);
            a(i, j) = sum / a(j, j);
        }
    }
    return 0;
}

template <class T> static void swap_rows(View<T> a, int i, int k, int columns)
{
    for (int j = 0; i != k && j < columns; j++)
        std::swap(a(i, j), a(k, j));
}

template <class T> static int lu(View<T> a, int m, int n, int *pivots)
{
    int info = 0;
    for (int j = 0; j < std::min(m, n); j++) {
        int largest = j;
        for (int i = j + 1; pivots && i < m; i++)
            if (std::fabs(a(i, j)) > std::fabs(a(largest, j)))
                largest = i;
        if (pivots)
            pivots[j] = largest + 1;
        swap_rows(a, j, largest, n);
        if (a(j, j) == 0) { // as LAPACK: the first one is told, and the others follow
            info = info ? info : j + 1;
            continue;
        }
        for (int i = j + 1; i < m; i++)
            a(i, j) /= a(j, j);
        for (int k = j + 1; k < n; k++)
            for (int i = j + 1; i < m; i++)
                a(i, k) -= a(i, j) * a(j, k);
    }
    return info;
}

template <class T> static void solve_lower(View<T> l, int n, bool unit, View<T> b, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < n; i++) {
            T sum = b(i, j);
            for (int k = 0; k < i; k++)
                sum -= l(i, k) * b(k, j);
            b(i, j) = unit ? sum : sum / l(i, i);
        }
}
template <class T> static void solve_upper(View<T> u, int n, bool unit, View<T> b, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = n - 1; i >= 0; i--) {
            T sum = b(i, j);
            for (int k = i + 1; k < n; k++)
                sum -= u(i, k) * b(k, j);
            b(i, j) = unit ? sum : sum / u(i, i);
        }
}

// H = 1 - tau v v^T makes x a multiple of the first unit vector. x becomes this number and, behind
// it, v without its first element, which is 1.
template <class T> static T reflector(T *x, int n)
{
    T rest = 0;
    for (int i = 1; i < n; i++)
        rest = std::hypot(rest, x[i]);
    if (rest == 0)
        return 0;
    const T first = x[0];
    x[0] = -std::copysign(std::hypot(first, rest), first);
    for (int i = 1; i < n; i++)
        x[i] /= first - x[0];
    return (x[0] - first) / x[0];
}
template <class T> static void reflect(const T *v, int n, T tau, View<T> c, int columns)
{
    for (int j = 0; j < columns; j++) {
        T product = c(0, j);
        for (int i = 1; i < n; i++)
            product += v[i] * c(i, j);
        c(0, j) -= tau * product;
        for (int i = 1; i < n; i++)
            c(i, j) -= tau * product * v[i];
    }
}

template <class T> static void qr(View<T> a, int m, int n, T *tau)
{
    for (int j = 0; j < std::min(m, n); j++) {
        tau[j] = reflector(&a(j, j), m - j);
        const View<T> right = {&a(j, j) + a.column, a.row, a.column};
        reflect(&a(j, j), m - j, tau[j], right, n - j - 1);
    }
}
// C becomes Q C or Q^T C; Q, of `rows` rows, is the product of k reflections.
template <class T>
static void multiply_by_q(View<T> a, int rows, int k, const T *tau, bool transposed, View<T> c,
                          int columns)
{
    for (int step = 0; step < k; step++) {
        const int i = transposed ? step : k - 1 - step;
        reflect(&a(i, i), rows - i, tau[i], c.from_row(i), columns);
    }
}

// Jacobi's rotation J of two columns
struct Rotation {
    double c, s;
    // J^T M J has zeros where M, of pp, pq, pq and qq, has pq, which is not 0.
    Rotation(double pp, double pq, double qq)
    {
        const double half = (qq - pp) / (2 * pq),
                     t = std::copysign(1 / (std::fabs(half) + std::hypot(half, 1)), half);
        c = 1 / std::hypot(t, 1);
        s = t * c;
    }
    // Columns p and q of x become columns of x J.
    void apply(View<double> x, int n, int p, int q) const
    {
        for (int i = 0; i < n; i++) {
            const double left = x(i, p), right = x(i, q);
            x(i, p) = c * left - s * right;
            x(i, q) = s * left + c * right;
        }
    }
};
// 0 to n - 1, by `before`, which may see NaN
template <class F> static std::vector<int> ordered(int n, F before)
{
    std::vector<int> order((size_t)n);
    for (int i = 0; i < n; i++)
        order[(size_t)i] = i;
    std::stable_sort(order.begin(), order.end(), before);
    return order;
}

// a: symmetric; its diagonal becomes the eigenvalues, v the vectors.
static int jacobi(View<double> a, View<double> v, int n)
{
    for (int sweep = 0; sweep < 60; sweep++) {
        double outside = 0, all = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                all += a(i, j) * a(i, j);
                outside += i != j ? a(i, j) * a(i, j) : 0;
            }
        if (!(outside > 1e-31 * all))
            return 0;
        for (int q = 1; q < n; q++)
            for (int p = 0; p < q; p++) {
                if (a(p, q) == 0)
                    continue;
                const Rotation j(a(p, p), a(p, q), a(q, q));
                j.apply(a, n, p, q);
                j.apply(a.transposed(), n, p, q);
                j.apply(v, n, p, q);
            }
    }
    return n;
}
template <class T> static int eigenvalues(View<T> a, int n, bool lower, T *w, bool vectors)
{
    const size_t elements = (size_t)n * (size_t)n;
    std::vector<double> whole(elements), rotations(elements);
    const View<double> b = by_columns(whole.data(), n), v = by_columns(rotations.data(), n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            b(i, j) = (double)((i > j) == lower ? a(i, j) : a(j, i));
            v(i, j) = i == j;
        }
    const int info = jacobi(b, v, n);
    const std::vector<int> order = ordered(n, [&](int i, int j) { return b(i, i) < b(j, j); });
    for (int j = 0; j < n; j++) {
        const int from = order[(size_t)j];
        w[j] = (T)b(from, from);
        for (int i = 0; vectors && i < n; i++)
            a(i, j) = (T)v(i, from);
    }
    return info;
}

static double product(View<double> x, int m, int p, int q)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += x(i, p) * x(i, q);
    return sum;
}
// Rotates the columns of w until each is orthogonal to the others: Hestenes's form of Jacobi's
// method. v gets the same rotations.
static int make_orthogonal(View<double> w, int m, int n, View<double> v)
{
    bool done = false;
    for (int sweep = 0; !done && sweep < 60; sweep++) {
        done = true;
        for (int q = 1; q < n; q++)
            for (int p = 0; p < q; p++) {
                const double pp = product(w, m, p, p), qq = product(w, m, q, q),
                             pq = product(w, m, p, q);
                if (!(std::fabs(pq) > 1e-15 * std::sqrt(pp * qq)))
                    continue;
                const Rotation j(pp, pq, qq);
                j.apply(w, m, p, q);
                j.apply(v, n, p, q);
                done = false;
            }
    }
    return done ? 0 : n;
}
// Column j becomes orthogonal to those before it, which have length 1: what these leave of the unit
// vector that is farthest from them.
static void complete(View<double> u, int m, int j)
{
    int farthest = 0;
    double least = 2;
    for (int i = 0; i < m; i++) {
        double inside = 0;
        for (int k = 0; k < j; k++)
            inside += u(i, k) * u(i, k);
        if (inside < least) {
            least = inside;
            farthest = i;
        }
    }
    for (int i = 0; i < m; i++)
        u(i, j) = i == farthest;
    for (int again = 0; again < 2; again++)
        for (int k = 0; k < j; k++) {
            const double part = product(u, m, k, j);
            for (int i = 0; i < m; i++)
                u(i, j) -= part * u(i, k);
        }
    const double length = std::sqrt(product(u, m, j, j));
    for (int i = 0; i < m; i++)
        u(i, j) /= length;
}
// A = U S V^T of m >= n: the singular values, descending; the first columns of U and rows of V^T
template <class T>
static int singular_values(View<T> a, int m, int n, T *s, View<T> u, int columns, View<T> vt,
                           int rows)
{
    std::vector<double> copy((size_t)m * (size_t)n + 1), rotations((size_t)n * (size_t)n + 1),
        left((size_t)m * (size_t)columns + 1), lengths((size_t)n);
    const View<double> w = by_columns(copy.data(), m), v = by_columns(rotations.data(), n),
                       l = by_columns(left.data(), m);
    for (int j = 0; j < n; j++) {
        v(j, j) = 1;
        for (int i = 0; i < m; i++)
            w(i, j) = (double)a(i, j);
    }
    const int info = make_orthogonal(w, m, n, v);
    for (int j = 0; j < n; j++) {
        lengths[(size_t)j] = std::sqrt(product(w, m, j, j));
        for (int i = 0; i < m; i++)
            a(i, j) = (T)w(i, j); // as on a GPU, A is no longer what it was
    }
    const std::vector<int> order =
        ordered(n, [&](int i, int j) { return lengths[(size_t)i] > lengths[(size_t)j]; });
    const double largest = n > 0 ? lengths[(size_t)order[0]] : 0;
    for (int j = 0; j < n; j++)
        s[j] = (T)lengths[(size_t)order[(size_t)j]];
    for (int j = 0; j < columns; j++) {
        const int from = j < n ? order[(size_t)j] : 0;
        const double length = j < n ? lengths[(size_t)from] : 0;
        if (length > 1e-14 * largest)
            for (int i = 0; i < m; i++)
                l(i, j) = w(i, from) / length;
        else
            complete(l, m, j);
        for (int i = 0; i < m; i++)
            u(i, j) = (T)l(i, j);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            vt(i, j) = (T)v(j, order[(size_t)i]);
    return info;
}

// ---- a call: arguments, arrays, work ------------------------------------------------------------

struct Solver : Call {
    int *info;
    int wrong = 0; // the position of the first wrong argument, as devInfo counts
    Solver(cusolverDnHandle_t h, const char *what, Pc p, int *devInfo)
        : Call((cublasHandle_t)h, what, p), info(devInfo)
    {
        if (good)
            array(info, sizeof *info, "devInfo", true, kWrite);
    }
    void must(bool holds, int position)
    {
        if (!wrong && !holds)
            wrong = position;
    }
    void leading(int ld, int rows, int position) { must(ld >= std::max(1, rows), position); }
    template <class T>
    void whole(const T *p, int rows, int columns, int ld, const char *what, u8 flags)
    {
        if (good && !wrong)
            matrix(p, rows, columns, ld, sizeof(T), what, flags);
    }
    // the other half may be anything
    template <class T> void triangle(const T *p, int n, int ld, bool lower, u8 flags)
    {
        if (!good || wrong || n == 0)
            return;
        array(p, ((u64)ld * (u64)(n - 1) + (u64)n) * sizeof(T), "A", false);
        for (int j = 0; j < n && good; j++)
            arrays.push_back({(u64)(p + (ptrdiff_t)j * ld + (lower ? j : 0)),
                              (u64)(lower ? n - j : j + 1) * sizeof(T), flags, sizeof(T)});
    }
    template <class T> void elements(const T *p, int n, const char *what, u8 flags)
    {
        if (good && !wrong)
            vector(p, n, 1, what, flags);
    }
    template <class T> void workspace(const T *p, int lwork, int needed, int position)
    {
        if (good && !wrong && lwork < needed) {
            report({"bad-call", place, nullptr, "",
                    std::string(name) + ": a workspace of " + std::to_string(lwork) +
                        " elements, and " + std::to_string(needed) + " are needed: call " + name +
                        "_bufferSize",
                    0});
            must(false, position);
        }
        elements(p, needed, "the workspace", kWrite);
    }
    // `work` returns what becomes devInfo.
    template <class F> cusolverStatus_t solve(F work)
    {
        int *const to = info;
        const int refused = -wrong;
        if (good && wrong) {
            arrays.resize(1);
            run([=] { *to = refused; });
            return CUSOLVER_STATUS_INVALID_VALUE;
        }
        switch (run([=] { *to = work(); })) {
        case CUBLAS_STATUS_SUCCESS: return CUSOLVER_STATUS_SUCCESS;
        case CUBLAS_STATUS_NOT_INITIALIZED: return CUSOLVER_STATUS_NOT_INITIALIZED;
        default: return CUSOLVER_STATUS_EXECUTION_FAILED;
        }
    }
};

// What a call of ..._bufferSize returns
static cusolverStatus_t buffer_size(cusolverDnHandle_t handle, bool valid, int elements, int *lwork)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!valid || !lwork)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *lwork = std::max(1, elements); // not used, but callers allocate it as for a GPU
    return CUSOLVER_STATUS_SUCCESS;
}
static bool fits(int rows, int columns, int ld)
{
    return rows >= 0 && columns >= 0 && ld >= std::max(1, rows);
}
static int work_of_vectors(int n) { return std::max(1, n * (n + 2)); }

template <class T>
static cusolverStatus_t potrf(Solver s, bool lower, int n, T *a, int lda, T *work, int lwork)
{
    s.must(n >= 0, 2);
    s.leading(lda, n, 4);
    s.triangle(a, n, lda, lower, kRead | kWrite);
    s.workspace(work, lwork, std::max(1, n), 6);
    const View<T> l = by_columns(a, lda);
    return s.solve([=] { return cholesky(lower ? l : l.transposed(), n); });
}
template <class T>
static cusolverStatus_t potrs(Solver s, bool lower, int n, int nrhs, const T *a, int lda, T *b,
                              int ldb)
{
    s.must(n >= 0, 2);
    s.must(nrhs >= 0, 3);
    s.leading(lda, n, 5);
    s.leading(ldb, n, 7);
    s.triangle(a, n, lda, lower, kRead);
    s.whole(b, n, nrhs, ldb, "B", kRead | kWrite);
    return s.solve([=] {
        const View<T> x = by_columns(b, ldb), stored = by_columns(a, lda),
                      l = lower ? stored : stored.transposed();
        solve_lower(l, n, false, x, nrhs);
        solve_upper(l.transposed(), n, false, x, nrhs);
        return 0;
    });
}
template <class T>
static cusolverStatus_t getrf(Solver s, int m, int n, T *a, int lda, T *work, int *pivots)
{
    s.must(m >= 0, 1);
    s.must(n >= 0, 2);
    s.leading(lda, m, 4);
    s.whole(a, m, n, lda, "A", kRead | kWrite);
    s.elements(work, std::max(1, n), "the workspace", kWrite);
    if (pivots)
        s.elements(pivots, std::min(m, n), "devIpiv", kWrite);
    return s.solve([=] { return lu(by_columns(a, lda), m, n, pivots); });
}
template <class T>
static cusolverStatus_t getrs(Solver s, bool transposed, int n, int nrhs, const T *a, int lda,
                              const int *pivots, T *b, int ldb)
{
    s.must(n >= 0, 2);
    s.must(nrhs >= 0, 3);
    s.leading(lda, n, 5);
    s.leading(ldb, n, 8);
    s.whole(a, n, n, lda, "A", kRead);
    if (pivots)
        s.elements(pivots, n, "devIpiv", kRead);
    s.whole(b, n, nrhs, ldb, "B", kRead | kWrite);
    const Pc place = s.place;
    const char *const call = s.name;
    return s.solve([=] {
        const View<T> x = by_columns(b, ldb), factors = by_columns(a, lda);
        for (int i = 0; pivots && i < n; i++)
            if (pivots[i] < 1 || pivots[i] > n) {
                report({"out-of-bounds", place, nullptr, "devIpiv",
                        std::string(call) + ": devIpiv[" + std::to_string(i) + "] is " +
                            std::to_string(pivots[i]) + ", which is no row from 1 to " +
                            std::to_string(n),
                        0});
                fail(cudaErrorIllegalAddress);
                return 0;
            }
        for (int i = 0; pivots && !transposed && i < n; i++)
            swap_rows(x, i, pivots[i] - 1, nrhs);
        const View<T> first = transposed ? factors.transposed() : factors;
        solve_lower(first, n, !transposed, x, nrhs);
        solve_upper(first, n, transposed, x, nrhs);
        for (int i = n - 1; pivots && transposed && i >= 0; i--)
            swap_rows(x, i, pivots[i] - 1, nrhs);
        return 0;
    });
}
template <class T>
static cusolverStatus_t geqrf(Solver s, int m, int n, T *a, int lda, T *tau, T *work, int lwork)
{
    s.must(m >= 0, 1);
    s.must(n >= 0, 2);
    s.leading(lda, m, 4);
    s.whole(a, m, n, lda, "A", kRead | kWrite);
    s.elements(tau, std::min(m, n), "tau", kWrite);
    s.workspace(work, lwork, std::max(1, n), 7);
    return s.solve([=] {
        qr(by_columns(a, lda), m, n, tau);
        return 0;
    });
}
template <class T>
static cusolverStatus_t orgqr(Solver s, int m, int n, int k, T *a, int lda, const T *tau, T *work,
                              int lwork)
{
    s.must(m >= 0, 1);
    s.must(n >= 0 && n <= m, 2);
    s.must(k >= 0 && k <= n, 3);
    s.leading(lda, m, 5);
    s.whole(a, m, k, lda, "A", kRead);
    s.whole(a, m, n, lda, "A", kWrite);
    s.elements(tau, k, "tau", kRead);
    s.workspace(work, lwork, std::max(1, n), 8);
    return s.solve([=] {
        const View<T> q = by_columns(a, lda);
        std::vector<T> reflections((size_t)m * (size_t)k + 1); // Q takes their place
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                if (j < k)
                    reflections[(size_t)j * (size_t)m + (size_t)i] = q(i, j);
                q(i, j) = T(i == j);
            }
        multiply_by_q(by_columns(reflections.data(), m), m, k, tau, false, q, n);
        return 0;
    });
}
template <class T>
static cusolverStatus_t ormqr(Solver s, bool left, bool transposed, int m, int n, int k, const T *a,
                              int lda, const T *tau, T *c, int ldc, T *work, int lwork)
{
    const int rows = left ? m : n; // of Q
    s.must(m >= 0, 3);
    s.must(n >= 0, 4);
    s.must(k >= 0 && k <= rows, 5);
    s.leading(lda, rows, 7);
    s.leading(ldc, m, 10);
    s.whole(a, rows, k, lda, "A", kRead);
    s.elements(tau, k, "tau", kRead);
    s.whole(c, m, n, ldc, "C", kRead | kWrite);
    s.workspace(work, lwork, std::max(1, left ? n : m), 12);
    return s.solve([=] {
        const View<T> x = by_columns(c, ldc);
        // C Q is the transpose of Q^T C^T.
        multiply_by_q(by_columns(a, lda), rows, k, tau, transposed == left,
                      left ? x : x.transposed(), left ? n : m);
        return 0;
    });
}
template <class T>
static cusolverStatus_t syevd(Solver s, bool vectors, bool lower, int n, T *a, int lda, T *w,
                              T *work, int lwork)
{
    s.must(n >= 0, 3);
    s.leading(lda, n, 5);
    s.triangle(a, n, lda, lower, kRead | kWrite);
    if (vectors)
        s.whole(a, n, n, lda, "A", kWrite);
    s.elements(w, n, "W", kWrite);
    s.workspace(work, lwork, work_of_vectors(n), 8);
    return s.solve([=] { return eigenvalues(by_columns(a, lda), n, lower, w, vectors); });
}

// How many columns of U (`all` of them m) or rows of V^T are wanted; -1: no such letter
static int wanted(char job, int all, int least)
{
    return job == 'A' ? all : job == 'S' || job == 'O' ? least : job == 'N' ? 0 : -1;
}
template <class T>
static cusolverStatus_t gesvd(Solver s, char jobu, char jobvt, int m, int n, T *a, int lda,
                              T *values, T *u, int ldu, T *vt, int ldvt, T *work, int lwork)
{
    const int columns = wanted(jobu, m, n), rows = wanted(jobvt, n, n);
    const bool u_apart = jobu == 'A' || jobu == 'S', vt_apart = jobvt == 'A' || jobvt == 'S';
    s.must(columns >= 0, 1);
    s.must(rows >= 0 && !(jobu == 'O' && jobvt == 'O'), 2);
    s.must(m >= 0, 3);
    s.must(n >= 0 && n <= m, 4);
    s.leading(lda, m, 6);
    s.leading(ldu, u_apart ? m : 1, 9);
    s.leading(ldvt, vt_apart ? n : 1, 11);
    s.whole(a, m, n, lda, "A", kRead | kWrite);
    s.elements(values, n, "S", kWrite);
    if (u_apart)
        s.whole(u, m, columns, ldu, "U", kWrite);
    if (vt_apart)
        s.whole(vt, n, n, ldvt, "VT", kWrite);
    s.workspace(work, lwork, work_of_vectors(n), 13);
    return s.solve([=] {
        return singular_values(by_columns(a, lda), m, n, values,
                               u_apart ? by_columns(u, ldu) : by_columns(a, lda), columns,
                               vt_apart ? by_columns(vt, ldvt) : by_columns(a, lda), rows);
    });
}

} // namespace emulated

using namespace emulated;

extern "C" {

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    return create_handle((cublasHandle_t *)handle, kSolver, __builtin_return_address(0)) ==
                   CUBLAS_STATUS_SUCCESS
               ? CUSOLVER_STATUS_SUCCESS
               : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    return destroy_handle((cublasHandle_t)handle, kSolver) ? CUSOLVER_STATUS_SUCCESS
                                                           : CUSOLVER_STATUS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    ((cublasHandle_t)handle)->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream)
{
    if (!is_cublas_handle((cublasHandle_t)handle))
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    *stream = ((cublasHandle_t)handle)->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

#define SOLVER(call) Solver(handle, call, __builtin_return_address(0), info)
#define LOWER (uplo == CUBLAS_FILL_MODE_LOWER)
#define CALLS(X, T)                                                                                \
    cusolverStatus_t cusolverDn##X##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t,  \
                                                     int n, T *, int lda, int *lwork)              \
    {                                                                                              \
        return buffer_size(handle, fits(n, n, lda), n, lwork);                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          T *a, int lda, T *work, int lwork, int *info)            \
    {                                                                                              \
        return potrf(SOLVER("cusolverDn" #X "potrf"), LOWER, n, a, lda, work, lwork);              \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, \
                                          int nrhs, const T *a, int lda, T *b, int ldb, int *info) \
    {                                                                                              \
        return potrs(SOLVER("cusolverDn" #X "potrs"), LOWER, n, nrhs, a, lda, b, ldb);             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *, \
                                                     int lda, int *lwork)                          \
    {                                                                                              \
        return buffer_size(handle, fits(m, n, lda), n, lwork);                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *work, int *ipiv, int *info)                           \
    {                                                                                              \
        return getrf(SOLVER("cusolverDn" #X "getrf"), m, n, a, lda, work, ipiv);                   \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,  \
                                          int nrhs, const T *a, int lda, const int *ipiv, T *b,    \
                                          int ldb, int *info)                                      \
    {                                                                                              \
        return getrs(SOLVER("cusolverDn" #X "getrs"), op != CUBLAS_OP_N, n, nrhs, a, lda, ipiv, b, \
                     ldb);                                                                         \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *, \
                                                     int lda, int *lwork)                          \
    {                                                                                              \
        return buffer_size(handle, fits(m, n, lda), n, lwork);                                     \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda,  \
                                          T *tau, T *work, int lwork, int *info)                   \
    {                                                                                              \
        return geqrf(SOLVER("cusolverDn" #X "geqrf"), m, n, a, lda, tau, work, lwork);             \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##orgqr_bufferSize(                                              \
        cusolverDnHandle_t handle, int m, int n, int k, const T *, int lda, const T *, int *lwork) \
    {                                                                                              \
        return buffer_size(handle, fits(m, n, lda) && k >= 0 && k <= n && n <= m, n, lwork);       \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T *a,    \
                                          int lda, const T *tau, T *work, int lwork, int *info)    \
    {                                                                                              \
        return orgqr(SOLVER("cusolverDn" #X "orgqr"), m, n, k, a, lda, tau, work, lwork);          \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##ormqr_bufferSize(                                              \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t, int m, int n, int k,  \
        const T *, int lda, const T *, const T *, int ldc, int *lwork)                             \
    {                                                                                              \
        const bool left = side == CUBLAS_SIDE_LEFT;                                                \
        return buffer_size(handle, fits(m, n, ldc) && fits(left ? m : n, k, lda), left ? n : m,    \
                           lwork);                                                                 \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##ormqr(                                                         \
        cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t op, int m, int n,      \
        int k, const T *a, int lda, const T *tau, T *c, int ldc, T *work, int lwork, int *info)    \
    {                                                                                              \
        return ormqr(SOLVER("cusolverDn" #X "ormqr"), side == CUBLAS_SIDE_LEFT, op != CUBLAS_OP_N, \
                     m, n, k, a, lda, tau, c, ldc, work, lwork);                                   \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##syevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, \
                                                     cublasFillMode_t, int n, const T *, int lda,  \
                                                     const T *, int *lwork)                        \
    {                                                                                              \
        const bool valid = fits(n, n, lda);                                                        \
        return buffer_size(handle, valid, valid ? work_of_vectors(n) : 0, lwork);                  \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,       \
                                          cublasFillMode_t uplo, int n, T *a, int lda, T *w,       \
                                          T *work, int lwork, int *info)                           \
    {                                                                                              \
        return syevd(SOLVER("cusolverDn" #X "syevd"), jobz == CUSOLVER_EIG_MODE_VECTOR, LOWER, n,  \
                     a, lda, w, work, lwork);                                                      \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int *lwork)                                   \
    {                                                                                              \
        const bool valid = n >= 0 && m >= n;                                                       \
        return buffer_size(handle, valid, valid ? work_of_vectors(n) : 0, lwork);                  \
    }                                                                                              \
    cusolverStatus_t cusolverDn##X##gesvd(                                                         \
        cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T *a,        \
        int lda, T *s, T *u, int ldu, T *vt, int ldvt, T *work, int lwork, T *, int *info)         \
    {                                                                                              \
        return gesvd(SOLVER("cusolverDn" #X "gesvd"), jobu, jobvt, m, n, a, lda, s, u, ldu, vt,    \
                     ldvt, work, lwork);                                                           \
    }
CALLS(S, float)
CALLS(D, double)

} // extern "C"
