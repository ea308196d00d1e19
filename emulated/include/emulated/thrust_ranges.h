/* thrust_ranges.h: Thrust's algorithms on whole ranges: parts, merged and compared ranges, sets,
 * scans and reductions by key. Each is one thread that goes through them. */
#ifndef EMULATED_THRUST_RANGES_H
#define EMULATED_THRUST_RANGES_H
#include "thrust.h"

namespace thrust
{

/* ---- iterators ---- */
/* Takes all that is written, and keeps nothing */
struct discard_iterator {
    struct nothing {
        template <class T> EMULATED_INLINE const nothing &operator=(const T &) const
        {
            return *this;
        }
    };
    typedef nothing reference, value_type;
    typedef ::std::ptrdiff_t difference_type;
    typedef nothing *pointer;
    typedef ::std::random_access_iterator_tag iterator_category;
    ::std::ptrdiff_t at;
    explicit discard_iterator(::std::ptrdiff_t i = 0) : at(i) {}
    EMULATED_INLINE nothing operator*() const { return {}; }
    EMULATED_INLINE nothing operator[](::std::ptrdiff_t) const { return {}; }
    EMULATED_INLINE discard_iterator operator+(::std::ptrdiff_t i) const
    {
        return discard_iterator(at + i);
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const discard_iterator &o) const
    {
        return at - o.at;
    }
};
static inline discard_iterator make_discard_iterator() { return discard_iterator(); }
template <class It> struct reverse_iterator {
    It base_;
    typedef typename ::std::iterator_traits<It>::reference reference;
    typedef typename ::std::iterator_traits<It>::value_type value_type;
    typedef typename ::std::iterator_traits<It>::pointer pointer;
    typedef ::std::ptrdiff_t difference_type;
    typedef ::std::random_access_iterator_tag iterator_category;
    explicit reverse_iterator(It it) : base_(it) {}
    EMULATED_INLINE It base() const { return base_; }
    EMULATED_INLINE reference operator*() const { return *(base_ - 1); }
    EMULATED_INLINE reference operator[](::std::ptrdiff_t i) const { return *(base_ - (i + 1)); }
    EMULATED_INLINE reverse_iterator operator+(::std::ptrdiff_t i) const
    {
        return reverse_iterator(base_ - i);
    }
    EMULATED_INLINE reverse_iterator operator-(::std::ptrdiff_t i) const
    {
        return reverse_iterator(base_ + i);
    }
    EMULATED_INLINE ::std::ptrdiff_t operator-(const reverse_iterator &o) const
    {
        return o.base_ - base_;
    }
    EMULATED_INLINE reverse_iterator &operator++() { return *this = *this + 1; }
    EMULATED_INLINE bool operator==(const reverse_iterator &o) const { return base_ == o.base_; }
    EMULATED_INLINE bool operator!=(const reverse_iterator &o) const { return base_ != o.base_; }
};
template <class It> static inline reverse_iterator<It> make_reverse_iterator(It it)
{
    return reverse_iterator<It>(it);
}
namespace emulated
{
template <> struct Raw<discard_iterator> {
    static const bool on_device = false, anywhere = true;
    static discard_iterator of(discard_iterator it) { return it; }
};
template <class It> struct Raw<reverse_iterator<It>> {
    static const bool on_device = Raw<It>::on_device, anywhere = true;
    static auto of(reverse_iterator<It> it)
    {
        return reverse_iterator<decltype(Raw<It>::of(it.base_))>(Raw<It>::of(it.base_));
    }
};
typedef ::std::ptrdiff_t Place;
} // namespace emulated

/* ---- parts: those that f selects, first ---- */
namespace emulated
{
/* The selected elements go to `yes`, the others to `no`; how many were selected */
template <class P, class A, class S, class Yes, class No, class F>
static EMULATED_INLINE Place part_of(P policy, A a, S stencil, Place n, Yes yes, No no, F f)
{
    return once(policy, [=]() mutable {
        Place selected = 0, others = 0;
        for (Place i = 0; i < n; i++)
            if (f(stencil[i]))
                yes[selected++] = a[i];
            else
                no[others++] = a[i];
        return selected;
    });
}
template <class P, class A, class S, class F>
static EMULATED_INLINE Place part_in_place(P policy, A a, S stencil, Place n, F f)
{
    value_of<A> *rest = (value_of<A> *)scratch(policy, (size_t)(n + 1) * sizeof(value_of<A>));
    const Place selected = part_of(policy, a, stencil, n, a, rest, f);
    once(policy, [=]() mutable {
        for (Place i = selected; i < n; i++)
            a[i] = rest[i - selected];
        return 0;
    });
    give_back(policy, rest);
    return selected;
}
} // namespace emulated
#define EMULATED_THRUST_PARTITION(name)                                                            \
    template <class P, class It, class F, emulated::if_policy<P> = 0>                              \
    static EMULATED_INLINE It name(P policy, It first, It last, F f)                               \
    {                                                                                              \
        auto a = emulated::raw(first);                                                             \
        return first + emulated::part_in_place(policy, a, a, last - first, f);                     \
    }                                                                                              \
    template <class P, class It, class S, class F, emulated::if_policy<P> = 0>                     \
    static EMULATED_INLINE It name(P policy, It first, It last, S stencil, F f)                    \
    {                                                                                              \
        return first + emulated::part_in_place(policy, emulated::raw(first),                       \
                                               emulated::raw(stencil), last - first, f);           \
    }                                                                                              \
    template <class P, class It, class Yes, class No, class F, emulated::if_policy<P> = 0>         \
    static EMULATED_INLINE pair<Yes, No> name##_copy(P policy, It first, It last, Yes yes, No no,  \
                                                     F f)                                          \
    {                                                                                              \
        auto a = emulated::raw(first);                                                             \
        const emulated::Place n = last - first,                                                    \
                              selected = emulated::part_of(policy, a, a, n, emulated::raw(yes),    \
                                                           emulated::raw(no), f);                  \
        return {yes + selected, no + (n - selected)};                                              \
    }
EMULATED_THRUST_PARTITION(partition)
EMULATED_THRUST_PARTITION(stable_partition)
#undef EMULATED_THRUST_PARTITION
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It find_if_not(P policy, It first, It last, F f)
{
    return thrust::find_if(policy, first, last,
                           [=](const emulated::value_of<It> &x) mutable { return !f(x); });
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE It partition_point(P policy, It first, It last, F f)
{
    return thrust::find_if_not(policy, first, last, f);
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool is_partitioned(P policy, It first, It last, F f)
{
    return thrust::count_if(policy, first, last, f) ==
           thrust::partition_point(policy, first, last, f) - first;
}
template <class P, class It, class Out, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out remove_copy_if(P policy, It first, It last, Out out, F f)
{
    return thrust::copy_if(policy, first, last, out,
                           [=](const emulated::value_of<It> &x) mutable { return !f(x); });
}
template <class P, class It, class Out, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out remove_copy(P policy, It first, It last, Out out, T value)
{
    return thrust::remove_copy_if(policy, first, last, out,
                                  [=](const emulated::value_of<It> &x) { return x == value; });
}
/* ---- only where the stencil says so ---- */
template <class P, class It, class S, class Out, class F, class G, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out transform_if(P policy, It first, It last, S stencil, Out out, F f, G g)
{
    auto a = emulated::raw(first);
    auto s = emulated::raw(stencil);
    auto o = emulated::raw(out);
    emulated::each(policy, (size_t)(last - first), [=](size_t k) mutable {
        const emulated::Place i = (emulated::Place)k;
        if (g(s[i]))
            o[i] = f(a[i]);
    });
    return out + (last - first);
}
template <class P, class It, class Out, class F, class G, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out transform_if(P policy, It first, It last, Out out, F f, G g)
{
    return thrust::transform_if(policy, first, last, first, out, f, g);
}
template <class P, class It, class M, class S, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE void scatter_if(P policy, It first, It last, M map, S stencil, Out out)
{
    thrust::transform_if(policy, first, last, stencil, thrust::make_permutation_iterator(out, map),
                         identity<emulated::value_of<It>>(), identity<emulated::value_of<S>>());
}
template <class P, class M, class S, class It, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out gather_if(P policy, M first, M last, S stencil, It from, Out out)
{
    return thrust::transform_if(policy, thrust::make_permutation_iterator(from, first),
                                thrust::make_permutation_iterator(from, last), stencil, out,
                                identity<emulated::value_of<It>>(),
                                identity<emulated::value_of<S>>());
}

/* ---- two ranges compared ---- */
template <class P, class A, class B, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<A, B> mismatch(P policy, A first, A last, B second, F same)
{
    auto a = emulated::raw(first);
    auto b = emulated::raw(second);
    const emulated::Place n = last - first, at = emulated::once(policy, [=]() mutable {
                                                emulated::Place i = 0;
                                                while (i < n && same(a[i], b[i]))
                                                    i++;
                                                return i;
                                            });
    return {first + at, second + at};
}
template <class P, class A, class B, emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<A, B> mismatch(P policy, A first, A last, B second)
{
    return thrust::mismatch(policy, first, last, second, emulated::Same());
}
template <class P, class A, class B, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool equal(P policy, A first, A last, B second, F same)
{
    return thrust::mismatch(policy, first, last, second, same).first - first == last - first;
}
template <class P, class A, class B, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool equal(P policy, A first, A last, B second)
{
    return thrust::equal(policy, first, last, second, emulated::Same());
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool all_of(P policy, It first, It last, F f)
{
    return thrust::count_if(policy, first, last, f) == last - first;
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool any_of(P policy, It first, It last, F f)
{
    return thrust::count_if(policy, first, last, f) > 0;
}
template <class P, class It, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE bool none_of(P policy, It first, It last, F f)
{
    return thrust::count_if(policy, first, last, f) == 0;
}

/* ---- sorted ranges put together. What is taken: from both, where they have the same; from one
 * alone. ---- */
namespace emulated
{
enum { kFirst = 1, kSecond = 2, kCommon = 4, kTwice = 8 };
template <class P, class A, class B, class Out, class F>
static EMULATED_INLINE Out united(P policy, A a_first, A a_last, B b_first, B b_last, Out out,
                                  F less, int taken)
{
    auto a = raw(a_first);
    auto b = raw(b_first);
    auto o = raw(out);
    const Place n = a_last - a_first, m = b_last - b_first;
    return out + once(policy, [=]() mutable {
               Place i = 0, j = 0, k = 0;
               while (i < n || j < m) {
                   const bool second = i == n || (j < m && less(b[j], a[i]));
                   const bool common = !second && j < m && !less(a[i], b[j]);
                   if (second ? taken & kSecond : common ? taken & kCommon : taken & kFirst) {
                       if (second)
                           o[k] = b[j];
                       else
                           o[k] = a[i];
                       k++;
                   }
                   if (second || (common && !(taken & kTwice)))
                       j++;
                   if (!second)
                       i++;
               }
               return k;
           });
}
} // namespace emulated
#define EMULATED_THRUST_SET(name, taken)                                                           \
    template <class P, class A, class B, class Out, class F, emulated::if_policy<P> = 0>           \
    static EMULATED_INLINE Out name(P policy, A a, A a_end, B b, B b_end, Out out, F less)         \
    {                                                                                              \
        return emulated::united(policy, a, a_end, b, b_end, out, less, taken);                     \
    }                                                                                              \
    template <class P, class A, class B, class Out, emulated::if_policy<P> = 0>                    \
    static EMULATED_INLINE Out name(P policy, A a, A a_end, B b, B b_end, Out out)                 \
    {                                                                                              \
        return emulated::united(policy, a, a_end, b, b_end, out, less<>(), taken);                 \
    }
EMULATED_THRUST_SET(merge,
                    emulated::kFirst | emulated::kSecond | emulated::kCommon | emulated::kTwice)
EMULATED_THRUST_SET(set_union, emulated::kFirst | emulated::kSecond | emulated::kCommon)
EMULATED_THRUST_SET(set_intersection, emulated::kCommon)
EMULATED_THRUST_SET(set_difference, emulated::kFirst)
EMULATED_THRUST_SET(set_symmetric_difference, emulated::kFirst | emulated::kSecond)
#undef EMULATED_THRUST_SET
template <class P, class A, class B, class AV, class BV, class Out, class OV,
          emulated::if_policy<P> = 0>
static EMULATED_INLINE pair<Out, OV> merge_by_key(P policy, A a_first, A a_last, B b_first,
                                                  B b_last, AV a_values, BV b_values, Out out,
                                                  OV out_values)
{
    auto a = emulated::raw(a_first);
    auto b = emulated::raw(b_first);
    auto av = emulated::raw(a_values);
    auto bv = emulated::raw(b_values);
    auto o = emulated::raw(out);
    auto ov = emulated::raw(out_values);
    const emulated::Place n = a_last - a_first, m = b_last - b_first;
    emulated::once(policy, [=]() mutable {
        for (emulated::Place i = 0, j = 0; i < n || j < m;)
            if (i == n || (j < m && b[j] < a[i])) {
                o[i + j] = b[j];
                ov[i + j] = bv[j];
                j++;
            } else {
                o[i + j] = a[i];
                ov[i + j] = av[i];
                i++;
            }
        return 0;
    });
    return {out + (n + m), out_values + (n + m)};
}

/* ---- exchanged elements ---- */
template <class P, class A, class B, emulated::if_policy<P> = 0>
static EMULATED_INLINE B swap_ranges(P policy, A first, A last, B second)
{
    auto a = emulated::raw(first);
    auto b = emulated::raw(second);
    emulated::each(policy, (size_t)(last - first), [=](size_t k) mutable {
        const emulated::Place i = (emulated::Place)k;
        const emulated::value_of<A> x = a[i];
        a[i] = b[i];
        b[i] = x;
    });
    return second + (last - first);
}
template <class P, class It, emulated::if_policy<P> = 0>
static EMULATED_INLINE void reverse(P policy, It first, It last)
{
    thrust::swap_ranges(policy, first, first + (last - first) / 2,
                        thrust::make_reverse_iterator(last));
}
template <class P, class It, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out reverse_copy(P policy, It first, It last, Out out)
{
    return thrust::copy(policy, thrust::make_reverse_iterator(last),
                        thrust::make_reverse_iterator(first), out);
}
template <class T, class A> static inline void swap(device_vector<T, A> &a, device_vector<T, A> &b)
{
    a.swap(b);
}
using ::std::swap;
/* ---- scans and sums of runs of equal keys, and of what a function makes of the elements ---- */
template <class P, class K, class V, class Out, class S, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out inclusive_scan_by_key(P policy, K first, K last, V values, Out out,
                                                 S same, F f)
{
    auto k = emulated::raw(first);
    auto v = emulated::raw(values);
    auto o = emulated::raw(out);
    const emulated::Place n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               emulated::value_of<V> sum = {};
               for (emulated::Place i = 0; i < n; i++)
                   o[i] = sum =
                       i && same(k[i - 1], k[i]) ? f(sum, v[i]) : (emulated::value_of<V>)v[i];
               return n;
           });
}
template <class P, class K, class V, class Out, class T, class S, class F,
          emulated::if_policy<P> = 0>
static EMULATED_INLINE Out exclusive_scan_by_key(P policy, K first, K last, V values, Out out,
                                                 T init, S same, F f)
{
    auto k = emulated::raw(first);
    auto v = emulated::raw(values);
    auto o = emulated::raw(out);
    const emulated::Place n = last - first;
    return out + emulated::once(policy, [=]() mutable {
               T sum = init;
               for (emulated::Place i = 0; i < n; i++) {
                   if (i && !same(k[i - 1], k[i]))
                       sum = init;
                   const T next = f(sum, v[i]); /* out may be values */
                   o[i] = sum;
                   sum = next;
               }
               return n;
           });
}
template <class P, class It, class Out, class U, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out transform_inclusive_scan(P policy, It first, It last, Out out, U unary,
                                                    F f)
{
    return thrust::inclusive_scan(policy, make_transform_iterator(first, unary),
                                  make_transform_iterator(last, unary), out, f);
}
template <class P, class It, class Out, class U, class T, class F, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out transform_exclusive_scan(P policy, It first, It last, Out out, U unary,
                                                    T init, F f)
{
    return thrust::exclusive_scan(policy, make_transform_iterator(first, unary),
                                  make_transform_iterator(last, unary), out, init, f);
}
template <class P, class It, class T, emulated::if_policy<P> = 0>
static EMULATED_INLINE void uninitialized_fill(P policy, It first, It last, const T &value)
{
    thrust::fill(policy, first, last, value);
}
template <class P, class It, class Out, emulated::if_policy<P> = 0>
static EMULATED_INLINE Out uninitialized_copy(P policy, It first, It last, Out out)
{
    return thrust::copy(policy, first, last, out);
}

/* ---- with the usual operations ---- */
#define EMULATED_LIST(...) __VA_ARGS__
#define EMULATED_THRUST_DEFAULT(name, types, parameters, arguments)                                \
    template <class P, EMULATED_LIST types, emulated::if_policy<P> = 0>                            \
    static EMULATED_INLINE auto name(P policy, EMULATED_LIST parameters)                           \
    {                                                                                              \
        return thrust::name(policy, EMULATED_LIST arguments);                                      \
    }
EMULATED_THRUST_DEFAULT(unique_copy, (class It, class Out), (It a, It b, Out out),
                        (a, b, out, emulated::Same()))
EMULATED_THRUST_DEFAULT(inclusive_scan_by_key, (class K, class V, class Out),
                        (K a, K b, V v, Out out), (a, b, v, out, emulated::Same(), plus<>()))
EMULATED_THRUST_DEFAULT(inclusive_scan_by_key, (class K, class V, class Out, class S),
                        (K a, K b, V v, Out out, S same), (a, b, v, out, same, plus<>()))
EMULATED_THRUST_DEFAULT(exclusive_scan_by_key, (class K, class V, class Out),
                        (K a, K b, V v, Out out),
                        (a, b, v, out, emulated::value_of<V>(), emulated::Same(), plus<>()))
EMULATED_THRUST_DEFAULT(exclusive_scan_by_key, (class K, class V, class Out, class T),
                        (K a, K b, V v, Out out, T init),
                        (a, b, v, out, init, emulated::Same(), plus<>()))
EMULATED_THRUST_DEFAULT(exclusive_scan_by_key, (class K, class V, class Out, class T, class S),
                        (K a, K b, V v, Out out, T init, S same),
                        (a, b, v, out, init, same, plus<>()))
#undef EMULATED_THRUST_DEFAULT
#undef EMULATED_LIST

/* Without a policy */
EMULATED_THRUST_ANYWHERE(partition)
EMULATED_THRUST_ANYWHERE(stable_partition)
EMULATED_THRUST_ANYWHERE(partition_copy)
EMULATED_THRUST_ANYWHERE(stable_partition_copy)
EMULATED_THRUST_ANYWHERE(partition_point)
EMULATED_THRUST_ANYWHERE(is_partitioned)
EMULATED_THRUST_ANYWHERE(find_if_not)
EMULATED_THRUST_ANYWHERE(remove_copy_if)
EMULATED_THRUST_ANYWHERE(remove_copy)
EMULATED_THRUST_ANYWHERE(unique_copy)
EMULATED_THRUST_ANYWHERE(transform_if)
EMULATED_THRUST_ANYWHERE(scatter_if)
EMULATED_THRUST_ANYWHERE(gather_if)
EMULATED_THRUST_ANYWHERE(mismatch)
EMULATED_THRUST_ANYWHERE(equal)
EMULATED_THRUST_ANYWHERE(all_of)
EMULATED_THRUST_ANYWHERE(any_of)
EMULATED_THRUST_ANYWHERE(none_of)
EMULATED_THRUST_ANYWHERE(merge)
EMULATED_THRUST_ANYWHERE(merge_by_key)
EMULATED_THRUST_ANYWHERE(set_union)
EMULATED_THRUST_ANYWHERE(set_intersection)
EMULATED_THRUST_ANYWHERE(set_difference)
EMULATED_THRUST_ANYWHERE(set_symmetric_difference)
EMULATED_THRUST_ANYWHERE(swap_ranges)
EMULATED_THRUST_ANYWHERE(reverse)
EMULATED_THRUST_ANYWHERE(reverse_copy)
EMULATED_THRUST_ANYWHERE(inclusive_scan_by_key)
EMULATED_THRUST_ANYWHERE(exclusive_scan_by_key)
EMULATED_THRUST_ANYWHERE(transform_inclusive_scan)
EMULATED_THRUST_ANYWHERE(transform_exclusive_scan)
EMULATED_THRUST_ANYWHERE(uninitialized_fill)
EMULATED_THRUST_ANYWHERE(uninitialized_copy)

template <class T, class A>
static inline bool operator==(const device_vector<T, A> &a, const device_vector<T, A> &b)
{
    return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}
template <class T, class A>
static inline bool operator!=(const device_vector<T, A> &a, const device_vector<T, A> &b)
{
    return !(a == b);
}

/* ---- memory without a vector ---- */
template <class T> static inline device_ptr<T> device_malloc(size_t n)
{
    return device_ptr<T>((T *)emulated::scratch(device_policy(), n * sizeof(T)));
}
template <class T> static inline void device_free(device_ptr<T> p) { cudaFree((void *)p.get()); }

} // namespace thrust
#endif
