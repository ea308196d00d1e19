/* thrust.h: the part of Thrust that courses use. On the device each algorithm is one kernel: a
 * thread for each element where elements are independent, a single thread that goes through them
 * where they are not. */
#ifndef EMULATED_THRUST_H
#define EMULATED_THRUST_H
#define THRUST_VERSION 200000 /* of CUDA 12.0 */
#include <algorithm>
#include <functional>
#include <iostream> /* comes with the real one, and programs rely on that */
#include <iterator>
#include <new>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "cuda_runtime.h"

namespace thrust
{

using ::std::get;
using ::std::make_pair;
using ::std::make_tuple;
using ::std::pair;
using ::std::tie;
using ::std::tuple;
using ::std::tuple_element;
using ::std::tuple_size;

/* ---- function objects ---- */
#define EMULATED_THRUST_BINARY(name, expression)                                                   \
    template <class T = void> struct name {                                                        \
        EMULATED_INLINE auto operator()(const T &a, const T &b) const { return expression; }       \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <class T> EMULATED_INLINE auto operator()(const T &a, const T &b) const           \
        {                                                                                          \
            return expression;                                                                     \
        }                                                                                          \
    };
#define EMULATED_THRUST_UNARY(name, expression)                                                    \
    template <class T = void> struct name {                                                        \
        EMULATED_INLINE T operator()(const T &a) const { return expression; }                      \
    };
EMULATED_THRUST_BINARY(plus, a + b)
EMULATED_THRUST_BINARY(minus, a - b)
EMULATED_THRUST_BINARY(multiplies, a *b)
EMULATED_THRUST_BINARY(divides, a / b)
EMULATED_THRUST_BINARY(modulus, a % b)
EMULATED_THRUST_BINARY(maximum, a < b ? b : a)
EMULATED_THRUST_BINARY(minimum, b < a ? b : a)
EMULATED_THRUST_BINARY(less, a < b)
EMULATED_THRUST_BINARY(less_equal, a <= b)
EMULATED_THRUST_BINARY(greater, a > b)
EMULATED_THRUST_BINARY(greater_equal, a >= b)
EMULATED_THRUST_BINARY(equal_to, a == b)
EMULATED_THRUST_BINARY(not_equal_to, a != b)
EMULATED_THRUST_BINARY(logical_and, a &&b)
EMULATED_THRUST_BINARY(logical_or, a || b)
EMULATED_THRUST_BINARY(bit_and, a &b)
EMULATED_THRUST_BINARY(bit_or, a | b)
EMULATED_THRUST_BINARY(bit_xor, a ^ b)
EMULATED_THRUST_UNARY(negate, -a)
EMULATED_THRUST_UNARY(square, a *a)
EMULATED_THRUST_UNARY(identity, a)
EMULATED_THRUST_UNARY(logical_not, !a)
#undef EMULATED_THRUST_BINARY
#undef EMULATED_THRUST_UNARY
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};

/* An expression of _1, _2 ... is a function of as many arguments. */
namespace emulated
{
template <class F> struct Expression {
    F f;
    template <class... A> EMULATED_INLINE decltype(auto) operator()(A &&...a) const
    {
        return f(a...);
    }
    template <class B> EMULATED_INLINE auto operator=(const B &b) const;
};
template <class F> static EMULATED_INLINE Expression<F> expression(F f) { return {f}; }
template <class T> struct IsExpression {
    static const bool value = false;
};
template <class F> struct IsExpression<Expression<F>> {
    static const bool value = true;
};
template <int n> struct Argument {
    template <class... A> EMULATED_INLINE decltype(auto) operator()(A &...a) const
    {
        return ::std::get<n>(::std::tie(a...));
    }
};
template <class F> static EMULATED_INLINE F part(const Expression<F> &e) { return e.f; }
template <class T> static EMULATED_INLINE auto part(const T &value)
{
    return [value](auto &...) { return value; };
}
template <class A, class B>
using if_expression =
    typename ::std::enable_if<IsExpression<A>::value || IsExpression<B>::value, int>::type;
#define EMULATED_THRUST_BINARY(op)                                                                 \
    template <class A, class B, if_expression<A, B> = 0>                                           \
    static EMULATED_INLINE auto operator op(const A &a, const B &b)                                \
    {                                                                                              \
        return expression([x = part(a), y = part(b)](auto &...v) { return x(v...) op y(v...); });  \
    }
#define EMULATED_THRUST_ASSIGNMENT(op)                                                             \
    template <class F, class B>                                                                    \
    static EMULATED_INLINE auto operator op(const Expression<F> &a, const B &b)                    \
    {                                                                                              \
        return expression(                                                                         \
            [x = a.f, y = part(b)](auto &...v) -> decltype(auto) { return x(v...) op y(v...); });  \
    }
#define EMULATED_THRUST_UNARY(op)                                                                  \
    template <class F> static EMULATED_INLINE auto operator op(const Expression<F> &a)             \
    {                                                                                              \
        return expression([x = a.f](auto &...v) { return op x(v...); });                           \
    }
EMULATED_THRUST_BINARY(+)
EMULATED_THRUST_BINARY(-)
EMULATED_THRUST_BINARY(*)
EMULATED_THRUST_BINARY(/)
EMULATED_THRUST_BINARY(%)
EMULATED_THRUST_BINARY(==)
EMULATED_THRUST_BINARY(!=)
EMULATED_THRUST_BINARY(<)
EMULATED_THRUST_BINARY(<=)
EMULATED_THRUST_BINARY(>)
EMULATED_THRUST_BINARY(>=)
EMULATED_THRUST_BINARY(&&)
EMULATED_THRUST_BINARY(||)
EMULATED_THRUST_BINARY(&)
EMULATED_THRUST_BINARY(|)
EMULATED_THRUST_BINARY(^)
EMULATED_THRUST_BINARY(<<)
EMULATED_THRUST_BINARY(>>)
EMULATED_THRUST_ASSIGNMENT(+=)
EMULATED_THRUST_ASSIGNMENT(-=)
EMULATED_THRUST_ASSIGNMENT(*=)
EMULATED_THRUST_ASSIGNMENT(/=)
EMULATED_THRUST_UNARY(-)
EMULATED_THRUST_UNARY(!)
EMULATED_THRUST_UNARY(~)
#undef EMULATED_THRUST_BINARY
#undef EMULATED_THRUST_ASSIGNMENT
#undef EMULATED_THRUST_UNARY
template <class F>
template <class B>
EMULATED_INLINE auto Expression<F>::operator=(const B &b) const
{
    return expression(
        [x = f, y = part(b)](auto &...v) -> decltype(auto) { return x(v...) = y(v...); });
}
} // namespace emulated
namespace placeholders
{
static const emulated::Expression<emulated::Argument<0>> _1 = {};
static const emulated::Expression<emulated::Argument<1>> _2 = {};
static const emulated::Expression<emulated::Argument<2>> _3 = {};
static const emulated::Expression<emulated::Argument<3>> _4 = {};
} // namespace placeholders

/* ---- where an algorithm runs ---- */
struct host_policy {
};
struct device_policy {
    cudaStream_t stream = 0;
    device_policy on(cudaStream_t s) const { return device_policy{s}; }
};
static const host_policy host = {}, seq = {};
static const device_policy device = {};
namespace cuda
{
static const device_policy par = {}, par_nosync = {};
}

/* ---- pointers to the device ---- */
template <class T> class device_ptr;
template <class T> class device_reference
{
    T *p_;

  public:
    explicit device_reference(T *p) : p_(p) {}
    device_ptr<T> operator&() const { return device_ptr<T>(p_); }
    operator T() const
    {
        typename ::std::remove_const<T>::type value;
        cudaMemcpy((void *)&value, p_, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    }
    const device_reference &operator=(const T &value) const
    {
        cudaMemcpy((void *)p_, (const void *)&value, sizeof value, cudaMemcpyHostToDevice);
        return *this;
    }
    const device_reference &operator=(const device_reference &other) const
    {
        return *this = (T)other;
    }
    template <class V> const device_reference &operator+=(V value) const
    {
        return *this = (T)(*this + value);
    }
    template <class V> const device_reference &operator-=(V value) const
    {
        return *this = (T)(*this - value);
    }
};
template <class T> class device_ptr
{
    T *p_;

  public:
    typedef typename ::std::remove_const<T>::type value_type;
    typedef ::std::ptrdiff_t difference_type;
    typedef device_reference<T> reference;
    typedef T *pointer;
    typedef ::std::random_access_iterator_tag iterator_category;
    device_ptr() : p_(nullptr) {}
    explicit device_ptr(T *p) : p_(p) {}
    template <class U> device_ptr(const device_ptr<U> &other) : p_(other.get()) {}
    T *get() const { return p_; }
    reference operator*() const { return reference(p_); }
    reference operator[](difference_type i) const { return reference(p_ + i); }
    device_ptr operator+(difference_type i) const { return device_ptr(p_ + i); }
    device_ptr operator-(difference_type i) const { return device_ptr(p_ - i); }
    difference_type operator-(const device_ptr &other) const { return p_ - other.p_; }
    device_ptr &operator++() { return ++p_, *this; }
    device_ptr &operator+=(difference_type i) { return p_ += i, *this; }
    bool operator==(const device_ptr &other) const { return p_ == other.p_; }
    bool operator!=(const device_ptr &other) const { return p_ != other.p_; }
    bool operator<(const device_ptr &other) const { return p_ < other.p_; }
};
template <class T> static inline T *raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> static inline T *raw_pointer_cast(T *p) { return p; }
template <class T> static inline device_ptr<T> device_pointer_cast(T *p)
{
    return device_ptr<T>(p);
}
template <class T> static inline device_ptr<T> device_pointer_cast(const device_ptr<T> &p)
{
    return p;
}

/* ---- iterators that are no memory ---- */
#define EMULATED_THRUST_ITERATOR(Self, reference_type)                                             \
    EMULATED_THRUST_ITERATOR_OF(Self, reference_type, typename ::std::decay<reference_type>::type)
#define EMULATED_THRUST_ITERATOR_OF(Self, reference_type, type)                                    \
    typedef reference_type reference;                                                              \
    typedef type value_type;                                                                       \
    typedef ::std::ptrdiff_t difference_type;                                                      \
    typedef value_type *pointer;                                                                   \
    typedef ::std::random_access_iterator_tag iterator_category;                                   \
    EMULATED_INLINE reference operator[](difference_type i) const { return *(*this + i); }         \
    EMULATED_INLINE Self &operator++() { return *this = *this + 1; }                               \
    EMULATED_INLINE Self &operator+=(difference_type i) { return *this = *this + i; }              \
    EMULATED_INLINE Self operator-(difference_type i) const { return *this + -i; }                 \
    EMULATED_INLINE bool operator==(const Self &other) const { return *this - other == 0; }        \
    EMULATED_INLINE bool operator!=(const Self &other) const { return *this - other != 0; }
template <class T> struct counting_iterator {
    T value;
    explicit counting_iterator(T v = T()) : value(v) {}
    EMULATED_THRUST_ITERATOR(counting_iterator, T)
    EMULATED_INLINE T operator*() const { return value; }
    EMULATED_INLINE counting_iterator operator+(::std::ptrdiff_t i) const
    {
        return counting_iterator((T)(value + i));
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const counting_iterator &o) const
    {
        return (::std::ptrdiff_t)value - (::std::ptrdiff_t)o.value;
    }
};
template <class T> struct constant_iterator {
    T value;
    ::std::ptrdiff_t at;
    explicit constant_iterator(T v, ::std::ptrdiff_t i = 0) : value(v), at(i) {}
    EMULATED_THRUST_ITERATOR(constant_iterator, T)
    EMULATED_INLINE T operator*() const { return value; }
    EMULATED_INLINE constant_iterator operator+(::std::ptrdiff_t i) const
    {
        return constant_iterator(value, at + i);
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const constant_iterator &o) const
    {
        return at - o.at;
    }
};
template <class F, class It> struct transform_iterator {
    It base;
    mutable F f; /* whose operator() need not be const */
    transform_iterator(It b, F g) : base(b), f(g) {}
    typedef decltype(::std::declval<F>()(*::std::declval<It>())) result;
    EMULATED_THRUST_ITERATOR(transform_iterator, result)
    EMULATED_INLINE result operator*() const { return f(*base); }
    EMULATED_INLINE transform_iterator operator+(::std::ptrdiff_t i) const
    {
        return transform_iterator(base + i, f);
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const transform_iterator &o) const
    {
        return base - o.base;
    }
    EMULATED_INLINE transform_iterator &operator=(const transform_iterator &o)
    {
        base = o.base; /* a lambda cannot be assigned */
        return *this;
    }
    transform_iterator(const transform_iterator &) = default;
};
/* The elements of `base` at the places that `map` names */
template <class It, class Map> struct permutation_iterator {
    It base;
    Map map;
    permutation_iterator(It b, Map m) : base(b), map(m) {}
    typedef typename ::std::iterator_traits<It>::reference result;
    EMULATED_THRUST_ITERATOR_OF(permutation_iterator, result,
                                typename ::std::iterator_traits<It>::value_type)
    EMULATED_INLINE result operator*() const { return base[*map]; }
    EMULATED_INLINE permutation_iterator operator+(::std::ptrdiff_t i) const
    {
        return permutation_iterator(base, map + i);
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const permutation_iterator &o) const
    {
        return map - o.map;
    }
};
template <class Tuple> struct zip_iterator;
template <class... Its> struct zip_iterator<tuple<Its...>> {
    tuple<Its...> its;
    explicit zip_iterator(tuple<Its...> t) : its(t) {}
    typedef tuple<typename ::std::iterator_traits<Its>::reference...> references;
    typedef tuple<typename ::std::iterator_traits<Its>::value_type...> values;
    EMULATED_THRUST_ITERATOR_OF(zip_iterator, references, values)
    EMULATED_INLINE references operator*() const
    {
        return ::std::apply([](const Its &...it) { return references(*it...); }, its);
    }
    EMULATED_INLINE zip_iterator operator+(::std::ptrdiff_t i) const
    {
        return zip_iterator(
            ::std::apply([i](const Its &...it) { return tuple<Its...>(it + i...); }, its));
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const zip_iterator &o) const
    {
        return get<0>(its) - get<0>(o.its);
    }
};
#undef EMULATED_THRUST_ITERATOR
#undef EMULATED_THRUST_ITERATOR_OF
template <class T> static inline counting_iterator<T> make_counting_iterator(T v)
{
    return counting_iterator<T>(v);
}
template <class T> static inline constant_iterator<T> make_constant_iterator(T v)
{
    return constant_iterator<T>(v);
}
template <class It, class F>
static inline transform_iterator<F, It> make_transform_iterator(It it, F f)
{
    return transform_iterator<F, It>(it, f);
}
template <class It, class Map>
static inline permutation_iterator<It, Map> make_permutation_iterator(It it, Map map)
{
    return permutation_iterator<It, Map>(it, map);
}
template <class... Its>
static inline zip_iterator<tuple<Its...>> make_zip_iterator(tuple<Its...> its)
{
    return zip_iterator<tuple<Its...>>(its);
}
template <class... Its> static inline zip_iterator<tuple<Its...>> make_zip_iterator(Its... its)
{
    return zip_iterator<tuple<Its...>>(tuple<Its...>(its...));
}

/* ---- the same iterator with plain pointers, as a kernel uses it; and whether it leads to the
 * device ---- */
namespace emulated
{
template <class It> struct Raw {
    static const bool on_device = false, anywhere = false;
    static It of(It it) { return it; }
};
template <class T> struct Raw<device_ptr<T>> {
    static const bool on_device = true, anywhere = false;
    static T *of(device_ptr<T> p) { return p.get(); }
};
template <class T> struct Raw<counting_iterator<T>> {
    static const bool on_device = false, anywhere = true;
    static counting_iterator<T> of(counting_iterator<T> it) { return it; }
};
template <class T> struct Raw<constant_iterator<T>> {
    static const bool on_device = false, anywhere = true;
    static constant_iterator<T> of(constant_iterator<T> it) { return it; }
};
template <class F, class It> struct Raw<transform_iterator<F, It>> {
    static const bool on_device = Raw<It>::on_device, anywhere = Raw<It>::anywhere;
    static auto of(transform_iterator<F, It> it)
    {
        return make_transform_iterator(Raw<It>::of(it.base), it.f);
    }
};
template <class It, class Map> struct Raw<permutation_iterator<It, Map>> {
    static const bool on_device = Raw<It>::on_device, anywhere = Raw<It>::anywhere;
    static auto of(permutation_iterator<It, Map> it)
    {
        return make_permutation_iterator(Raw<It>::of(it.base), Raw<Map>::of(it.map));
    }
};
template <class... Its> struct Raw<zip_iterator<tuple<Its...>>> {
    static const bool on_device = (false || ... || Raw<Its>::on_device),
                      anywhere = (true && ... && Raw<Its>::anywhere);
    static auto of(zip_iterator<tuple<Its...>> it)
    {
        return ::std::apply(
            [](const Its &...i) { return make_zip_iterator(make_tuple(Raw<Its>::of(i)...)); },
            it.its);
    }
};
template <class It> static EMULATED_INLINE auto raw(It it) { return Raw<It>::of(it); }

#ifdef __CUDACC__
template <class F> __global__ void each_element(size_t n, F f)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
template <class F> __global__ void by_one_thread(F f) { f(); }
#endif

inline void waited(cudaStream_t stream)
{
    const cudaError_t error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess)
        throw ::std::runtime_error(cudaGetErrorString(error));
}
/* f(i) for i < n, in any order */
template <class F> static EMULATED_INLINE void each(host_policy, size_t n, F f)
{
    for (size_t i = 0; i < n; i++)
        f(i);
}
/* The type that f returns */
template <class F> static EMULATED_INLINE auto once(host_policy, F f) { return f(); }
#ifdef __CUDACC__
template <class F> static EMULATED_INLINE void each(device_policy policy, size_t n, F f)
{
    if (n)
        ::emulated::launch_any("thrust", each_element<F>, dim3((unsigned)((n + 255) / 256)),
                               dim3(256), 0, policy.stream)(n, f);
    waited(policy.stream);
}
template <class F> static EMULATED_INLINE auto once(device_policy policy, F f)
{
    typedef decltype(f()) result;
    result *where, value;
    if ((cudaMalloc)((void **)&where, sizeof value) != cudaSuccess)
        throw ::std::bad_alloc();
    auto store = [=]() mutable { *where = f(); };
    ::emulated::launch_any("thrust", by_one_thread<decltype(store)>, dim3(1), dim3(1), 0,
                           policy.stream)(store);
    const cudaError_t error =
        cudaMemcpyAsync((void *)&value, where, sizeof value, cudaMemcpyDeviceToHost, policy.stream);
    cudaStreamSynchronize(policy.stream);
    cudaFree(where);
    if (error != cudaSuccess)
        throw ::std::runtime_error(cudaGetErrorString(error));
    return value;
}
#else /* host code, which knows vectors and copies */
template <class F> static inline void each(device_policy, size_t, F)
{
    static_assert(sizeof(F) == 0, "Thrust can work on the device only in a .cu file");
}
template <class F> static inline auto once(device_policy, F f)
{
    static_assert(sizeof(F) == 0, "Thrust can work on the device only in a .cu file");
    return f();
}
#endif
template <class... Its> static inline auto policy_of()
{
    return typename ::std::conditional<(false || ... || Raw<Its>::on_device), device_policy,
                                       host_policy>::type();
}
template <class P> struct IsPolicy {
    static const bool value =
        ::std::is_same<P, host_policy>::value || ::std::is_same<P, device_policy>::value;
};
template <class P> using if_policy = typename ::std::enable_if<IsPolicy<P>::value, int>::type;
template <class P> using unless_policy = typename ::std::enable_if<!IsPolicy<P>::value, int>::type;
template <class It> using value_of = typename ::std::iterator_traits<It>::value_type;
struct Same { /* for values of different types, unlike equal_to */
    template <class A, class B> EMULATED_INLINE bool operator()(const A &a, const B &b) const
    {
        return a == b;
    }
};
} // namespace emulated

/* Each algorithm with a policy; without one, below, its iterators tell where it runs. Bodies see
 * plain iterators. */
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It for_each(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    emulated::each(policy, (size_t)(last - first),
                   [=](size_t i) mutable { f(a[(::std::ptrdiff_t)i]); });
    return last;
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It for_each_n(P policy, It first, size_t n, F f)
{
    return thrust::for_each(policy, first, first + (::std::ptrdiff_t)n, f);
}
template <class P, class A, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out transform(P policy, A first, A last, Out out, F f)
{
    auto a = emulated::raw(first);
    auto o = emulated::raw(out);
    const size_t n = (size_t)(last - first);
    emulated::each(policy, n,
                   [=](size_t i) mutable { o[(::std::ptrdiff_t)i] = f(a[(::std::ptrdiff_t)i]); });
    return out + (::std::ptrdiff_t)n;
}
template <class P, class A, class B, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out transform(P policy, A first, A last, B second, Out out, F f)
{
    auto a = emulated::raw(first);
    auto b = emulated::raw(second);
    auto o = emulated::raw(out);
    const size_t n = (size_t)(last - first);
    emulated::each(policy, n, [=](size_t k) mutable {
        const ::std::ptrdiff_t i = (::std::ptrdiff_t)k;
        o[i] = f(a[i], b[i]);
    });
    return out + (::std::ptrdiff_t)n;
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void fill(P policy, It first, It last, const T &v)
{
    const emulated::value_of<It> value = v;
    auto a = emulated::raw(first);
    emulated::each(policy, (size_t)(last - first),
                   [=](size_t i) mutable { a[(::std::ptrdiff_t)i] = value; });
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void sequence(P policy, It first, It last, T begin, T step)
{
    auto a = emulated::raw(first);
    emulated::each(policy, (size_t)(last - first), [=](size_t i) mutable {
        a[(::std::ptrdiff_t)i] = (emulated::value_of<It>)(begin + (T)i * step);
    });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE void tabulate(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    emulated::each(policy, (size_t)(last - first),
                   [=](size_t i) mutable { a[(::std::ptrdiff_t)i] = f(i); });
}
template <class P, class M, class A, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out gather(P policy, M first, M last, A from, Out out)
{
    auto m = emulated::raw(first);
    auto a = emulated::raw(from);
    auto o = emulated::raw(out);
    const size_t n = (size_t)(last - first);
    emulated::each(policy, n,
                   [=](size_t i) mutable { o[(::std::ptrdiff_t)i] = a[m[(::std::ptrdiff_t)i]]; });
    return out + (::std::ptrdiff_t)n;
}
template <class P, class A, class M, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE void scatter(P policy, A first, A last, M map, Out out)
{
    auto a = emulated::raw(first);
    auto m = emulated::raw(map);
    auto o = emulated::raw(out);
    emulated::each(policy, (size_t)(last - first),
                   [=](size_t i) mutable { o[m[(::std::ptrdiff_t)i]] = a[(::std::ptrdiff_t)i]; });
}

template <class P, class It, class T, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE T reduce(P policy, It first, It last, T init, F f)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    return emulated::once(policy, [=]() mutable {
        T sum = init;
        for (::std::ptrdiff_t i = 0; i < n; i++)
            sum = f(sum, (T)a[i]);
        return sum;
    });
}
template <class P, class It, class U, class T, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE T transform_reduce(P policy, It first, It last, U unary, T init, F f)
{
    return thrust::reduce(policy, make_transform_iterator(emulated::raw(first), unary),
                          make_transform_iterator(emulated::raw(last), unary), init, f);
}
template <class P, class A, class B, class T, class Sum, class Product, emulated::if_policy<P> = 0>
static EMULATED_INLINE T inner_product(P policy, A first, A last, B second, T init, Sum add,
                                       Product times)
{
    auto a = emulated::raw(first);
    auto b = emulated::raw(second);
    const ::std::ptrdiff_t n = last - first;
    return emulated::once(policy, [=]() mutable {
        T sum = init;
        for (::std::ptrdiff_t i = 0; i < n; i++)
            sum = add(sum, times(a[i], b[i]));
        return sum;
    });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE ::std::ptrdiff_t count_if(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    return emulated::once(policy, [=]() mutable {
        ::std::ptrdiff_t found = 0;
        for (::std::ptrdiff_t i = 0; i < n; i++)
            found += f(a[i]) ? 1 : 0;
        return found;
    });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool is_sorted(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    return emulated::once(policy, [=]() mutable {
        for (::std::ptrdiff_t i = 1; i < n; i++)
            if (f(a[i], a[i - 1]))
                return false;
        return true;
    });
}
/* From the end, so that out may be first. */
template <class P, class It, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out adjacent_difference(P policy, It first, It last, Out out, F f)
{
    auto a = emulated::raw(first);
    auto to = emulated::raw(out);
    const ::std::ptrdiff_t n = last - first;
    emulated::once(policy, [=]() mutable {
        for (::std::ptrdiff_t i = n; i-- > 0;)
            to[i] = i ? f(a[i], a[i - 1]) : a[i];
        return n;
    });
    return out + n;
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It find_if(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    return first + emulated::once(policy, [=]() mutable {
               ::std::ptrdiff_t i = 0;
               while (i < n && !f(a[i]))
                   i++;
               return i;
           });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It max_element(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    return first + emulated::once(policy, [=]() mutable {
               ::std::ptrdiff_t best = 0;
               for (::std::ptrdiff_t i = 1; i < n; i++)
                   best = f(a[best], a[i]) ? i : best;
               return best;
           });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It min_element(P policy, It first, It last, F f)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    return first + emulated::once(policy, [=]() mutable {
               ::std::ptrdiff_t best = 0;
               for (::std::ptrdiff_t i = 1; i < n; i++)
                   best = f(a[i], a[best]) ? i : best;
               return best;
           });
}
template <class P, class It, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out inclusive_scan(P policy, It first, It last, Out out, F f)
{
    auto a = emulated::raw(first);
    auto o = emulated::raw(out);
    const ::std::ptrdiff_t n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               for (::std::ptrdiff_t i = 0; i < n; i++)
                   o[i] = i ? f(o[i - 1], a[i]) : (emulated::value_of<decltype(o)>)a[i];
               return n;
           });
}
template <class P, class It, class Out, class T, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out exclusive_scan(P policy, It first, It last, Out out, T init, F f)
{
    auto a = emulated::raw(first);
    auto o = emulated::raw(out);
    const ::std::ptrdiff_t n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               T sum = init;
               for (::std::ptrdiff_t i = 0; i < n; i++) {
                   const T next = f(sum, a[i]); /* out may be in */
                   o[i] = sum;
                   sum = next;
               }
               return n;
           });
}
template <class P, class It, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out copy_if(P policy, It first, It last, Out out, F f)
{
    auto a = emulated::raw(first);
    auto o = emulated::raw(out);
    const ::std::ptrdiff_t n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               ::std::ptrdiff_t kept = 0;
               for (::std::ptrdiff_t i = 0; i < n; i++)
                   if (f(a[i]))
                       o[kept++] = a[i];
               return kept;
           });
}
template <class P, class It, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out unique_copy(P policy, It first, It last, Out out, F same)
{
    auto a = emulated::raw(first);
    auto o = emulated::raw(out);
    const ::std::ptrdiff_t n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               ::std::ptrdiff_t kept = 0;
               for (::std::ptrdiff_t i = 0; i < n; i++)
                   if (i == 0 || !same(o[kept - 1], a[i]))
                       o[kept++] = a[i];
               return kept;
           });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It unique(P policy, It first, It last, F same)
{
    return thrust::unique_copy(policy, first, last, first, same);
}
template <class P, class K, class V, emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<K, V> unique_by_key(P policy, K first, K last, V values)
{
    auto k = emulated::raw(first);
    auto v = emulated::raw(values);
    const ::std::ptrdiff_t n = last - first, kept = emulated::once(policy, [=]() mutable {
                                                 ::std::ptrdiff_t kept = 0;
                                                 for (::std::ptrdiff_t i = 0; i < n; i++)
                                                     if (i == 0 || !(k[i] == k[kept - 1])) {
                                                         k[kept] = k[i];
                                                         v[kept++] = v[i];
                                                     }
                                                 return kept;
                                             });
    return {first + kept, values + kept};
}
template <class P, class It, class F, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void replace_if(P policy, It first, It last, F f, T value)
{
    auto a = emulated::raw(first);
    emulated::each(policy, (size_t)(last - first), [=](size_t k) mutable {
        const ::std::ptrdiff_t i = (::std::ptrdiff_t)k;
        if (f(a[i]))
            a[i] = value;
    });
}
template <class P, class K, class V, class KO, class VO, class S, class F,
          emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<KO, VO> reduce_by_key(P policy, K first, K last, V values, KO keys_out,
                                                  VO values_out, S same, F f)
{
    auto k = emulated::raw(first);
    auto v = emulated::raw(values);
    auto ko = emulated::raw(keys_out);
    auto vo = emulated::raw(values_out);
    const ::std::ptrdiff_t n = last - first;
    const ::std::ptrdiff_t groups = emulated::once(policy, [=]() mutable {
        ::std::ptrdiff_t group = -1;
        emulated::value_of<V> sum = {};
        emulated::value_of<K> key = {}; /* keys_out may be first */
        for (::std::ptrdiff_t i = 0; i < n; i++) {
            const bool goes_on = i && same(key, k[i]);
            sum = goes_on ? f(sum, v[i]) : (emulated::value_of<V>)v[i];
            key = k[i];
            if (!goes_on)
                ko[++group] = key;
            vo[group] = sum;
        }
        return group + 1;
    });
    return pair<KO, VO>(keys_out + groups, values_out + groups);
}

/* Merge sort, stable: the order comes first, then keys and values are put into it. */
namespace emulated
{
template <class K, class F>
static inline void order_of(K keys, ::std::ptrdiff_t *a, ::std::ptrdiff_t *b, ::std::ptrdiff_t n,
                            F less)
{
    for (::std::ptrdiff_t i = 0; i < n; i++)
        a[i] = i;
    for (::std::ptrdiff_t width = 1; width < n; width *= 2) {
        for (::std::ptrdiff_t begin = 0; begin < n; begin += 2 * width) {
            ::std::ptrdiff_t middle = begin + width < n ? begin + width : n,
                             end = begin + 2 * width < n ? begin + 2 * width : n, i = begin,
                             j = middle;
            for (::std::ptrdiff_t k = begin; k < end; k++)
                b[k] = i < middle && (j == end || !less(keys[a[j]], keys[a[i]])) ? a[i++] : a[j++];
        }
        for (::std::ptrdiff_t k = 0; k < n; k++)
            a[k] = b[k];
    }
}
template <class It>
static inline void put(It x, const ::std::ptrdiff_t *order, ::std::ptrdiff_t n, void *room)
{
    value_of<It> *copy = (value_of<It> *)room;
    for (::std::ptrdiff_t i = 0; i < n; i++)
        copy[i] = x[order[i]];
    for (::std::ptrdiff_t i = 0; i < n; i++)
        x[i] = copy[i];
}
struct NoValues {
};
static inline void put(NoValues, const ::std::ptrdiff_t *, ::std::ptrdiff_t, void *) {}
template <class It> struct BytesOf {
    static const size_t value = sizeof(value_of<It>);
};
template <> struct BytesOf<NoValues> {
    static const size_t value = 0;
};
static inline void *scratch(host_policy, size_t bytes) { return malloc(bytes); }
static inline void *scratch(device_policy, size_t bytes)
{
    void *p = nullptr;
    return (cudaMalloc)(&p, bytes) == cudaSuccess ? p : nullptr;
}
static inline void give_back(host_policy, void *p) { free(p); }
static inline void give_back(device_policy, void *p) { cudaFree(p); }
template <class P, class K, class V, class F>
static EMULATED_INLINE void sorted(P policy, K keys, V values, ::std::ptrdiff_t n, F less)
{
    const size_t indices = ((size_t)n * 2 * sizeof(::std::ptrdiff_t) + 255) / 256 * 256,
                 largest =
                     BytesOf<K>::value > BytesOf<V>::value ? BytesOf<K>::value : BytesOf<V>::value;
    if (n < 2)
        return;
    char *const all = (char *)scratch(policy, indices + (size_t)n * largest);
    if (!all)
        throw ::std::bad_alloc();
    once(policy, [=]() mutable {
        ::std::ptrdiff_t *a = (::std::ptrdiff_t *)all;
        order_of(keys, a, a + n, n, less);
        put(keys, a, n, all + indices);
        put(values, a, n, all + indices);
        return 0;
    });
    give_back(policy, all);
}
} // namespace emulated
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE void sort(P policy, It first, It last, F less)
{
    emulated::sorted(policy, emulated::raw(first), emulated::NoValues(), last - first, less);
}
template <class P, class K, class V, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE void sort_by_key(P policy, K first, K last, V values, F less)
{
    emulated::sorted(policy, emulated::raw(first), emulated::raw(values), last - first, less);
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE void stable_sort(P policy, It a, It b, F f)
{
    thrust::sort(policy, a, b, f);
}
template <class P, class It, class V, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE void stable_sort_by_key(P policy, It a, It b, V v, F f)
{
    thrust::sort_by_key(policy, a, b, v, f);
}

/* ---- with the usual operations ---- */
#define EMULATED_THRUST_DEFAULT(name, types, parameters, arguments)                                \
    template <class P, EMULATED_LIST types, emulated::if_policy<P> = 0>                            \
    static EMULATED_INLINE auto name(P policy, EMULATED_LIST parameters)                           \
    {                                                                                              \
        return thrust::name(policy, EMULATED_LIST arguments);                                      \
    }
#define EMULATED_LIST(...) __VA_ARGS__
EMULATED_THRUST_DEFAULT(reduce, (class It), (It a, It b),
                        (a, b, emulated::value_of<It>(), plus<>()))
EMULATED_THRUST_DEFAULT(reduce, (class It, class T), (It a, It b, T init), (a, b, init, plus<>()))
EMULATED_THRUST_DEFAULT(inner_product, (class It, class B, class T), (It a, It b, B c, T init),
                        (a, b, c, init, plus<>(), multiplies<>()))
EMULATED_THRUST_DEFAULT(max_element, (class It), (It a, It b), (a, b, less<>()))
EMULATED_THRUST_DEFAULT(min_element, (class It), (It a, It b), (a, b, less<>()))
EMULATED_THRUST_DEFAULT(inclusive_scan, (class It, class Out), (It a, It b, Out out),
                        (a, b, out, plus<>()))
EMULATED_THRUST_DEFAULT(exclusive_scan, (class It, class Out), (It a, It b, Out out),
                        (a, b, out, emulated::value_of<It>(), plus<>()))
EMULATED_THRUST_DEFAULT(exclusive_scan, (class It, class Out, class T),
                        (It a, It b, Out out, T init), (a, b, out, init, plus<>()))
EMULATED_THRUST_DEFAULT(is_sorted, (class It), (It a, It b), (a, b, less<>()))
EMULATED_THRUST_DEFAULT(adjacent_difference, (class It, class Out), (It a, It b, Out out),
                        (a, b, out, minus<>()))
EMULATED_THRUST_DEFAULT(sort, (class It), (It a, It b), (a, b, less<>()))
EMULATED_THRUST_DEFAULT(sort_by_key, (class It, class V), (It a, It b, V v), (a, b, v, less<>()))
EMULATED_THRUST_DEFAULT(stable_sort, (class It), (It a, It b), (a, b, less<>()))
EMULATED_THRUST_DEFAULT(stable_sort_by_key, (class It, class V), (It a, It b, V v),
                        (a, b, v, less<>()))
EMULATED_THRUST_DEFAULT(sequence, (class It), (It a, It b),
                        (a, b, emulated::value_of<It>(0), emulated::value_of<It>(1)))
EMULATED_THRUST_DEFAULT(sequence, (class It, class T), (It a, It b, T begin), (a, b, begin, T(1)))
EMULATED_THRUST_DEFAULT(unique, (class It), (It a, It b), (a, b, emulated::Same()))
EMULATED_THRUST_DEFAULT(reduce_by_key, (class K, class V, class KO, class VO),
                        (K a, K b, V v, KO ko, VO vo),
                        (a, b, v, ko, vo, emulated::Same(), plus<>()))
EMULATED_THRUST_DEFAULT(reduce_by_key, (class K, class V, class KO, class VO, class S),
                        (K a, K b, V v, KO ko, VO vo, S same), (a, b, v, ko, vo, same, plus<>()))
#undef EMULATED_THRUST_DEFAULT
#undef EMULATED_LIST
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE ::std::ptrdiff_t count(P policy, It a, It b, T value)
{
    return thrust::count_if(policy, a, b,
                            [=](const emulated::value_of<It> &x) { return x == value; });
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE It find(P policy, It a, It b, T value)
{
    return thrust::find_if(policy, a, b,
                           [=](const emulated::value_of<It> &x) { return x == value; });
}
/* Those that the other range, the stencil, selects */
template <class P, class It, class S, class F, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void replace_if(P policy, It first, It last, S stencil, F f, T value)
{
    auto a = emulated::raw(first);
    auto s = emulated::raw(stencil);
    emulated::each(policy, (size_t)(last - first), [=](size_t k) mutable {
        const ::std::ptrdiff_t i = (::std::ptrdiff_t)k;
        if (f(s[i]))
            a[i] = value;
    });
}
template <class P, class It, class S, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out copy_if(P policy, It first, It last, S stencil, Out out, F f)
{
    auto a = emulated::raw(first);
    auto s = emulated::raw(stencil);
    auto o = emulated::raw(out);
    const ::std::ptrdiff_t n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               ::std::ptrdiff_t kept = 0;
               for (::std::ptrdiff_t i = 0; i < n; i++)
                   if (f(s[i]))
                       o[kept++] = a[i];
               return kept;
           });
}
template <class P, class It, class S, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It remove_if(P policy, It first, It last, S stencil, F f)
{
    return thrust::copy_if(policy, first, last, stencil, first,
                           [=](const emulated::value_of<S> &x) mutable { return !f(x); });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It remove_if(P policy, It a, It b, F f)
{
    return thrust::copy_if(policy, a, b, a,
                           [=](const emulated::value_of<It> &x) mutable { return !f(x); });
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE It remove(P policy, It a, It b, T value)
{
    return thrust::remove_if(policy, a, b,
                             [=](const emulated::value_of<It> &x) { return x == value; });
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void replace(P policy, It a, It b, T old, T value)
{
    thrust::replace_if(
        policy, a, b, [=](const emulated::value_of<It> &x) { return x == old; }, value);
}
/* The first smallest and, unlike the C++ library's, the first largest element */
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<It, It> minmax_element(P policy, It a, It b, F f)
{
    return {thrust::min_element(policy, a, b, f), thrust::max_element(policy, a, b, f)};
}
template <class P, class It, emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<It, It> minmax_element(P policy, It a, It b)
{
    return thrust::minmax_element(policy, a, b, less<>());
}
template <class It> static inline ::std::ptrdiff_t distance(It a, It b) { return b - a; }
/* Some permutation, which depends on the engine alone */
template <class P, class It, class R, emulated::if_policy<P> = 0>
static EMULATED_INLINE void shuffle(P policy, It first, It last, R &&random)
{
    auto a = emulated::raw(first);
    const ::std::ptrdiff_t n = last - first;
    unsigned long long state = random();
    emulated::once(policy, [=]() mutable {
        for (::std::ptrdiff_t i = n - 1; i > 0; i--) {
            state = state * 6364136223846793005ull + 1442695040888963407ull; /* Knuth's MMIX */
            const ::std::ptrdiff_t k =
                (::std::ptrdiff_t)((state >> 33) % (unsigned long long)(i + 1));
            const emulated::value_of<It> x = a[i];
            a[i] = a[k];
            a[k] = x;
        }
        return 0;
    });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE void generate(P policy, It a, It b, F f)
{
    auto out = emulated::raw(a);
    emulated::each(policy, (size_t)(b - a),
                   [=](size_t i) mutable { out[(::std::ptrdiff_t)i] = f(); });
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void fill_n(P policy, It a, size_t n, T value)
{
    thrust::fill(policy, a, a + (::std::ptrdiff_t)n, value);
}

/* In a sorted range: how many elements come before the value, or, with `behind`, not after it. */
namespace emulated
{
template <class It, class T>
static EMULATED_INLINE ::std::ptrdiff_t place_in(It a, ::std::ptrdiff_t n, const T &value,
                                                 bool behind)
{
    ::std::ptrdiff_t begin = 0;
    while (n > 0) {
        const ::std::ptrdiff_t half = n / 2;
        const value_of<It> middle = a[begin + half];
        if (behind ? !(value < middle) : middle < value) {
            begin += half + 1;
            n -= half + 1;
        } else
            n = half;
    }
    return begin;
}
} // namespace emulated
#define EMULATED_THRUST_BOUND(name, behind)                                                        \
    template <class P, class It, class V, class Out, emulated::if_policy<P> = 0>                   \
    static EMULATED_INLINE Out name(P policy, It first, It last, V from, V to, Out out)            \
    {                                                                                              \
        auto a = emulated::raw(first);                                                             \
        auto v = emulated::raw(from);                                                              \
        auto o = emulated::raw(out);                                                               \
        const ::std::ptrdiff_t n = last - first, values = to - from;                               \
        emulated::each(policy, (size_t)values, [=](size_t k) mutable {                             \
            const ::std::ptrdiff_t i = (::std::ptrdiff_t)k;                                        \
            o[i] = emulated::place_in(a, n, (emulated::value_of<V>)v[i], behind);                  \
        });                                                                                        \
        return out + values;                                                                       \
    }                                                                                              \
    template <class P, class It, class T, emulated::if_policy<P> = 0>                              \
    static EMULATED_INLINE It name(P policy, It first, It last, T value)                           \
    {                                                                                              \
        auto a = emulated::raw(first);                                                             \
        const ::std::ptrdiff_t n = last - first;                                                   \
        return first + emulated::once(policy, [=]() mutable {                                      \
                   return emulated::place_in(a, n, value, behind);                                 \
               });                                                                                 \
    }
EMULATED_THRUST_BOUND(lower_bound, false)
EMULATED_THRUST_BOUND(upper_bound, true)
#undef EMULATED_THRUST_BOUND
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool binary_search(P policy, It first, It last, T value)
{
    return thrust::upper_bound(policy, first, last, value) -
               thrust::lower_bound(policy, first, last, value) >
           0;
}

/* Without a policy; thrust_ranges.h goes on */
#define EMULATED_THRUST_ANYWHERE(name)                                                             \
    template <class It, class... Rest, emulated::unless_policy<It> = 0>                            \
    static EMULATED_INLINE auto name(It first, Rest... rest)                                       \
    {                                                                                              \
        return thrust::name(emulated::policy_of<It, Rest...>(), first, rest...);                   \
    }
EMULATED_THRUST_ANYWHERE(for_each)
EMULATED_THRUST_ANYWHERE(for_each_n)
EMULATED_THRUST_ANYWHERE(transform)
EMULATED_THRUST_ANYWHERE(fill)
EMULATED_THRUST_ANYWHERE(fill_n)
EMULATED_THRUST_ANYWHERE(sequence)
EMULATED_THRUST_ANYWHERE(tabulate)
EMULATED_THRUST_ANYWHERE(generate)
EMULATED_THRUST_ANYWHERE(lower_bound)
EMULATED_THRUST_ANYWHERE(upper_bound)
EMULATED_THRUST_ANYWHERE(binary_search)
EMULATED_THRUST_ANYWHERE(gather)
EMULATED_THRUST_ANYWHERE(scatter)
EMULATED_THRUST_ANYWHERE(reduce)
EMULATED_THRUST_ANYWHERE(transform_reduce)
EMULATED_THRUST_ANYWHERE(inner_product)
EMULATED_THRUST_ANYWHERE(count)
EMULATED_THRUST_ANYWHERE(count_if)
EMULATED_THRUST_ANYWHERE(find)
EMULATED_THRUST_ANYWHERE(find_if)
EMULATED_THRUST_ANYWHERE(max_element)
EMULATED_THRUST_ANYWHERE(min_element)
EMULATED_THRUST_ANYWHERE(inclusive_scan)
EMULATED_THRUST_ANYWHERE(exclusive_scan)
EMULATED_THRUST_ANYWHERE(copy_if)
EMULATED_THRUST_ANYWHERE(remove_if)
EMULATED_THRUST_ANYWHERE(remove)
EMULATED_THRUST_ANYWHERE(is_sorted)
EMULATED_THRUST_ANYWHERE(adjacent_difference)
EMULATED_THRUST_ANYWHERE(minmax_element)
EMULATED_THRUST_ANYWHERE(replace)
EMULATED_THRUST_ANYWHERE(replace_if)
EMULATED_THRUST_ANYWHERE(shuffle)
EMULATED_THRUST_ANYWHERE(unique)
EMULATED_THRUST_ANYWHERE(unique_by_key)
EMULATED_THRUST_ANYWHERE(reduce_by_key)
EMULATED_THRUST_ANYWHERE(sort)
EMULATED_THRUST_ANYWHERE(sort_by_key)
EMULATED_THRUST_ANYWHERE(stable_sort)
EMULATED_THRUST_ANYWHERE(stable_sort_by_key)

/* ---- copies, also between host and device ---- */
template <class It, class Out, emulated::unless_policy<It> = 0>
static EMULATED_INLINE Out copy(It first, It last, Out out)
{
    const ::std::ptrdiff_t n = last - first;
    if constexpr (emulated::Raw<It>::on_device != emulated::Raw<Out>::on_device &&
                  !emulated::Raw<It>::anywhere) {
        if (n > 0)
            cudaMemcpy((void *)&*emulated::raw(out), (const void *)&*emulated::raw(first),
                       (size_t)n * sizeof(emulated::value_of<It>), cudaMemcpyDefault);
        return out + n;
    } else
        return thrust::transform(first, last, out,
                                 [](const emulated::value_of<It> &x) { return x; });
}
template <class P, class It, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out copy(P policy, It first, It last, Out out)
{
    return thrust::transform(policy, first, last, out,
                             [](const emulated::value_of<It> &x) { return x; });
}
template <class It, class Out> static EMULATED_INLINE Out copy_n(It first, size_t n, Out out)
{
    return thrust::copy(first, first + (::std::ptrdiff_t)n, out);
}

/* ---- vectors ---- */
template <class T> using device_allocator = ::std::allocator<T>; /* nobody asks it for memory */
template <class T, class Allocator = device_allocator<T>> class device_vector;
template <class T, class Allocator = ::std::allocator<T>>
class host_vector : public ::std::vector<T>
{
  public:
    using ::std::vector<T>::vector;
    host_vector() = default;
    template <class A> host_vector(const device_vector<T, A> &v) : ::std::vector<T>(v.size())
    {
        thrust::copy(v.begin(), v.end(), this->begin());
    }
    host_vector(const ::std::vector<T> &v) : ::std::vector<T>(v) {}
};
template <class T, class Allocator> class device_vector
{
    T *p_;
    size_t size_, room_;

    void make_room(size_t n)
    {
        if (n <= room_)
            return;
        T *p;
        // in parentheses, as all here: cudaMalloc(&p) would tell the program of a name p
        if ((cudaMalloc)((void **)&p, n * sizeof(T)) != cudaSuccess)
            throw ::std::bad_alloc();
        if (size_)
            cudaMemcpy((void *)p, p_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
        cudaFree(p_);
        p_ = p;
        room_ = n;
    }
    template <class It> void take(It first, It last)
    {
        size_ = 0;
        make_room((size_t)(last - first));
        size_ = (size_t)(last - first);
        thrust::copy(first, last, begin());
    }

  public:
    typedef T value_type;
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<const T> const_iterator;
    typedef device_reference<T> reference;
    device_vector() : p_(nullptr), size_(0), room_(0) {}
    explicit device_vector(size_t n, const T &value = T()) : device_vector() { resize(n, value); }
    device_vector(const device_vector &v) : device_vector() { take(v.begin(), v.end()); }
    device_vector(const ::std::vector<T> &v) : device_vector() { take(v.begin(), v.end()); }
    device_vector(::std::initializer_list<T> v) : device_vector() { take(v.begin(), v.end()); }
    template <class It, class = typename ::std::iterator_traits<It>::iterator_category>
    device_vector(It first, It last) : device_vector()
    {
        take(first, last);
    }
    ~device_vector() { cudaFree(p_); }
    device_vector &operator=(const device_vector &v)
    {
        if (this != &v)
            take(v.begin(), v.end());
        return *this;
    }
    device_vector &operator=(const ::std::vector<T> &v)
    {
        take(v.begin(), v.end());
        return *this;
    }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    iterator begin() { return iterator(p_); }
    iterator end() { return iterator(p_ + size_); }
    const_iterator begin() const { return const_iterator(p_); }
    const_iterator end() const { return const_iterator(p_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    pointer data() { return pointer(p_); }
    const_iterator data() const { return begin(); }
    reference operator[](size_t i) { return reference(p_ + i); }
    T operator[](size_t i) const { return reference(p_ + i); }
    reference front() { return (*this)[0]; }
    reference back() { return (*this)[size_ - 1]; }
    T front() const { return (*this)[0]; }
    T back() const { return (*this)[size_ - 1]; }
    template <class It, class = typename ::std::iterator_traits<It>::iterator_category>
    void assign(It first, It last)
    {
        take(first, last);
    }
    void assign(size_t n, const T &value)
    {
        clear();
        resize(n, value);
    }
    void pop_back() { size_--; }
    /* By way of the host, since elements move within the vector */
    iterator erase(iterator first, iterator last)
    {
        ::std::vector<T> rest((size_t)(end() - last));
        thrust::copy(last, end(), rest.begin());
        thrust::copy(rest.begin(), rest.end(), first);
        size_ -= (size_t)(last - first);
        return first;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    iterator insert(iterator at, const T &value)
    {
        const ::std::ptrdiff_t i = at - begin();
        ::std::vector<T> all(size_);
        thrust::copy(begin(), end(), all.begin());
        all.insert(all.begin() + i, value);
        *this = all;
        return begin() + i;
    }
    void resize(size_t n, const T &value = T())
    {
        const size_t before = size_;
        make_room(n);
        size_ = n;
        if (n > before)
            thrust::fill(begin() + (::std::ptrdiff_t)before, end(), value);
    }
    void reserve(size_t n) { make_room(n); }
    void clear() { size_ = 0; }
    size_t capacity() const { return room_; }
    void shrink_to_fit()
    {
        if (size_ < room_)
            device_vector(*this).swap(*this);
    }
    void push_back(const T &value)
    {
        make_room(size_ < room_ ? size_ + 1 : 2 * size_ + 1);
        size_++;
        back() = value;
    }
    void swap(device_vector &v)
    {
        ::std::swap(p_, v.p_);
        ::std::swap(size_, v.size_);
        ::std::swap(room_, v.room_);
    }
};
} // namespace thrust
#include "thrust_ranges.h"
#endif
