/* cub.h: the part of CUB that courses use: sums, scans and sorts of a warp, a block and the
 * device. */
#ifndef EMULATED_CUB_H
#define EMULATED_CUB_H
#include <cassert> /* this and the next come with the real one, and programs rely on that */
#include <chrono>
#include <limits>

#include "thrust.h"

namespace cub
{

struct Sum {
    template <class T> EMULATED_INLINE T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
    template <class T> EMULATED_INLINE T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T> EMULATED_INLINE T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};
template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    KeyValuePair() = default;
    EMULATED_INLINE KeyValuePair(K k, V v) : key(k), value(v) {}
    EMULATED_INLINE bool operator!=(const KeyValuePair &o) const
    {
        return value != o.value || key != o.key;
    }
};
/* Of two equal values that of the smaller key */
struct ArgMax {
    template <class K, class V>
    EMULATED_INLINE KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                                  const KeyValuePair<K, V> &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class K, class V>
    EMULATED_INLINE KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                                  const KeyValuePair<K, V> &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
template <class T> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class F, class It>
struct TransformInputIterator : thrust::transform_iterator<F, It> {
    TransformInputIterator(It it, F f) : thrust::transform_iterator<F, It>(it, f) {}
    typedef T value_type;
    EMULATED_INLINE T operator*() const { return (T)this->f(*this->base); }
    EMULATED_INLINE T operator[](::std::ptrdiff_t i) const { return (T)this->f(this->base[i]); }
    EMULATED_INLINE TransformInputIterator operator+(::std::ptrdiff_t i) const
    {
        return TransformInputIterator(this->base + i, this->f);
    }
};

/* ---- a warp: the result is lane 0's ---- */
namespace emulated
{
/* A shuffle of values of any size */
template <class T>
static __device__ EMULATED_INLINE T from(unsigned mask, int operation, T x, int lane,
                                         int lanes = 32)
{
    return ::emulated::exchange(mask, x, operation, lane, lanes);
}
} // namespace emulated
template <class T, int Lanes = 32> class WarpReduce
{
  public:
    struct TempStorage {
    };
    __device__ EMULATED_INLINE explicit WarpReduce(TempStorage &) {}
    template <class F> __device__ EMULATED_INLINE T Reduce(T x, F f)
    {
        for (int distance = Lanes / 2; distance > 0; distance /= 2)
            x = f(x, emulated::from(EMULATED_FULL, emulatedShuffleDown, x, distance, Lanes));
        return x;
    }
    template <class F> __device__ EMULATED_INLINE T Reduce(T x, F f, int valid)
    {
        const int lane = (int)(emulated_lane() % Lanes);
        for (int distance = 1; distance < Lanes; distance *= 2) {
            const T above = emulated::from(EMULATED_FULL, emulatedShuffleDown, x, distance, Lanes);
            if (lane + distance < valid)
                x = f(x, above);
        }
        return x;
    }
    __device__ EMULATED_INLINE T Sum(T x) { return Reduce(x, cub::Sum()); }
    __device__ EMULATED_INLINE T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
};
template <class T, int Lanes = 32> class WarpScan
{
  public:
    struct TempStorage {
    };
    __device__ EMULATED_INLINE explicit WarpScan(TempStorage &) {}
    template <class F> __device__ EMULATED_INLINE void InclusiveScan(T x, T &out, F f)
    {
        for (int distance = 1; distance < Lanes; distance *= 2) {
            const T below = emulated::from(EMULATED_FULL, emulatedShuffleUp, x, distance, Lanes);
            if ((int)(emulated_lane() % Lanes) >= distance)
                x = f(below, x);
        }
        out = x;
    }
    template <class F> __device__ EMULATED_INLINE void InclusiveScan(T x, T &out, F f, T &all)
    {
        InclusiveScan(x, out, f);
        all = emulated::from(EMULATED_FULL, emulatedShuffle, out, Lanes - 1, Lanes);
    }
    template <class F> __device__ EMULATED_INLINE void ExclusiveScan(T x, T &out, T init, F f)
    {
        InclusiveScan(x, x, f);
        const T below = emulated::from(EMULATED_FULL, emulatedShuffleUp, x, 1, Lanes);
        out = emulated_lane() % Lanes == 0 ? init : f(init, below);
    }
    __device__ EMULATED_INLINE void InclusiveSum(T x, T &out) { InclusiveScan(x, out, cub::Sum()); }
    __device__ EMULATED_INLINE void InclusiveSum(T x, T &out, T &all)
    {
        InclusiveScan(x, out, cub::Sum(), all);
    }
    __device__ EMULATED_INLINE void ExclusiveSum(T x, T &out)
    {
        T sum;
        InclusiveSum(x, sum);
        out = sum - x;
    }
    __device__ EMULATED_INLINE void ExclusiveSum(T x, T &out, T &all)
    {
        T sum;
        InclusiveSum(x, sum, all);
        out = sum - x;
    }
};

/* ---- a block. The memory may be used again after a __syncthreads(). ---- */
enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
namespace emulated
{
static __device__ EMULATED_INLINE int thread()
{
    return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
} // namespace emulated
/* The result is thread 0's. */
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
class BlockReduce
{
  public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ EMULATED_INLINE explicit BlockReduce(TempStorage &storage) : s_(storage) {}
    template <class F> __device__ EMULATED_INLINE T Reduce(T x, F f, int valid = X * Y * Z)
    {
        const int t = emulated::thread();
        s_.values[t] = x;
        __syncthreads();
        for (int i = 1; t == 0 && i < valid; i++)
            x = f(x, s_.values[i]);
        return x;
    }
    template <class F, int Items> __device__ EMULATED_INLINE T Reduce(T (&items)[Items], F f)
    {
        T x = items[0];
        for (int k = 1; k < Items; k++)
            x = f(x, items[k]);
        return Reduce(x, f);
    }
    __device__ EMULATED_INLINE T Sum(T x) { return Reduce(x, cub::Sum()); }
    __device__ EMULATED_INLINE T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
    template <int Items> __device__ EMULATED_INLINE T Sum(T (&items)[Items])
    {
        return Reduce(items, cub::Sum());
    }

  private:
    TempStorage &s_;
};
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan
{
    enum { kThreads = X * Y * Z, kWarps = (kThreads + 31) / 32 };

  public:
    struct TempStorage {
        T values[kWarps];
    };
    __device__ EMULATED_INLINE explicit BlockScan(TempStorage &storage) : s_(storage) {}
    template <class F> __device__ EMULATED_INLINE void InclusiveScan(T x, T &out, F f, T &all)
    {
        T below = x;
        scan(x, below, all, f);
        out = emulated::thread() ? f(below, x) : x;
    }
    template <class F>
    __device__ EMULATED_INLINE void ExclusiveScan(T x, T &out, T init, F f, T &all)
    {
        T below = x;
        scan(x, below, all, f);
        out = emulated::thread() ? f(init, below) : init;
    }
    template <class F, int Items>
    __device__ EMULATED_INLINE void InclusiveScan(T (&x)[Items], T (&out)[Items], F f, T &all)
    {
        T mine = x[0], below = x[0];
        for (int k = 1; k < Items; k++)
            mine = f(mine, x[k]);
        scan(mine, below, all, f);
        for (int k = 0; k < Items; k++)
            out[k] = below = k || emulated::thread() ? f(below, x[k]) : x[k];
    }
    template <class F, int Items>
    __device__ EMULATED_INLINE void ExclusiveScan(T (&x)[Items], T (&out)[Items], T init, F f,
                                                  T &all)
    {
        T mine = x[0], below = x[0];
        for (int k = 1; k < Items; k++)
            mine = f(mine, x[k]);
        scan(mine, below, all, f);
        below = emulated::thread() ? f(init, below) : init;
        for (int k = 0; k < Items; k++) {
            const T next = f(below, x[k]); /* out may be x */
            out[k] = below;
            below = next;
        }
    }
#define EMULATED_CUB_SCAN(X, OUT)                                                                  \
    template <class F, int Items = 1> __device__ EMULATED_INLINE void InclusiveScan(X, OUT, F f)   \
    {                                                                                              \
        T all;                                                                                     \
        InclusiveScan(x, out, f, all);                                                             \
    }                                                                                              \
    template <class F, int Items = 1>                                                              \
    __device__ EMULATED_INLINE void ExclusiveScan(X, OUT, T init, F f)                             \
    {                                                                                              \
        T all;                                                                                     \
        ExclusiveScan(x, out, init, f, all);                                                       \
    }                                                                                              \
    template <int Items = 1> __device__ EMULATED_INLINE void InclusiveSum(X, OUT, T &all)          \
    {                                                                                              \
        InclusiveScan(x, out, cub::Sum(), all);                                                    \
    }                                                                                              \
    template <int Items = 1> __device__ EMULATED_INLINE void ExclusiveSum(X, OUT, T &all)          \
    {                                                                                              \
        ExclusiveScan(x, out, T(), cub::Sum(), all);                                               \
    }                                                                                              \
    template <int Items = 1> __device__ EMULATED_INLINE void InclusiveSum(X, OUT)                  \
    {                                                                                              \
        InclusiveScan(x, out, cub::Sum());                                                         \
    }                                                                                              \
    template <int Items = 1> __device__ EMULATED_INLINE void ExclusiveSum(X, OUT)                  \
    {                                                                                              \
        ExclusiveScan(x, out, T(), cub::Sum());                                                    \
    }
    EMULATED_CUB_SCAN(T x, T &out)
    EMULATED_CUB_SCAN(T (&x)[Items], T (&out)[Items])
#undef EMULATED_CUB_SCAN

  private:
    TempStorage &s_;

    /* `below`: the combined value of the threads before this one, unless this is thread 0 */
    template <class F> __device__ EMULATED_INLINE void scan(T x, T &below, T &all, F f)
    {
        const int t = emulated::thread(), warp = t / 32, lane = t % 32;
        const int lanes = kThreads - 32 * warp < 32 ? kThreads - 32 * warp : 32;
        const unsigned mask = 0xffffffffu >> (32 - lanes);
        for (int distance = 1; distance < 32; distance *= 2) {
            const T left = emulated::from(mask, emulatedShuffleUp, x, distance);
            if (lane >= distance)
                x = f(left, x);
        }
        const T left = emulated::from(mask, emulatedShuffleUp, x, 1);
        if (lane == lanes - 1)
            s_.values[warp] = x;
        __syncthreads();
        T sum = s_.values[0];
        for (int w = 1; w < kWarps; w++) {
            if (w == warp)
                below = sum;
            sum = f(sum, s_.values[w]);
        }
        all = sum;
        if (lane)
            below = warp ? f(below, left) : left;
    }
};

/* Items of a block's threads: thread 0 holds the first ones (blocked), or each the one behind its
 * neighbour's (striped) */
template <int Threads, class T, class It, int Items>
static __device__ EMULATED_INLINE void LoadDirectStriped(int t, It in, T (&items)[Items],
                                                         int valid = INT_MAX)
{
    for (int k = 0; k < Items; k++)
        if (t + k * Threads < valid)
            items[k] = in[t + k * Threads];
}
template <int Threads, class T, class It, int Items>
static __device__ EMULATED_INLINE void StoreDirectStriped(int t, It out, T (&items)[Items],
                                                          int valid = INT_MAX)
{
    for (int k = 0; k < Items; k++)
        if (t + k * Threads < valid)
            out[t + k * Threads] = items[k];
}
template <class T, class It, int Items>
static __device__ EMULATED_INLINE void LoadDirectBlocked(int t, It in, T (&items)[Items],
                                                         int valid = INT_MAX)
{
    for (int k = 0; k < Items; k++)
        if (t * Items + k < valid)
            items[k] = in[t * Items + k];
}
template <class T, class It, int Items>
static __device__ EMULATED_INLINE void StoreDirectBlocked(int t, It out, T (&items)[Items],
                                                          int valid = INT_MAX)
{
    for (int k = 0; k < Items; k++)
        if (t * Items + k < valid)
            out[t * Items + k] = items[k];
}
/* The items that are not valid become `otherwise`. */
template <int Threads, class T, class It, int Items, class D>
static __device__ EMULATED_INLINE void LoadDirectStriped(int t, It in, T (&items)[Items], int valid,
                                                         D otherwise)
{
    for (int k = 0; k < Items; k++)
        items[k] = otherwise;
    LoadDirectStriped<Threads>(t, in, items, valid);
}
template <class T, class It, int Items, class D>
static __device__ EMULATED_INLINE void LoadDirectBlocked(int t, It in, T (&items)[Items], int valid,
                                                         D otherwise)
{
    for (int k = 0; k < Items; k++)
        items[k] = otherwise;
    LoadDirectBlocked(t, in, items, valid);
}
template <class T, int X, int Items, bool TimeSlicing = false, int Y = 1, int Z = 1>
class BlockExchange
{
  public:
    struct TempStorage {
        T values[X * Y * Z * Items];
    };
    __device__ EMULATED_INLINE explicit BlockExchange(TempStorage &storage) : s_(storage) {}
#define EMULATED_CUB_EXCHANGE(name, TO, FROM)                                                      \
    __device__ EMULATED_INLINE void name(T(&in)[Items], T(&out)[Items])                            \
    {                                                                                              \
        const int t = emulated::thread();                                                          \
        for (int k = 0; k < Items; k++)                                                            \
            s_.values[TO] = in[k];                                                                 \
        __syncthreads();                                                                           \
        for (int k = 0; k < Items; k++)                                                            \
            out[k] = s_.values[FROM];                                                              \
    }                                                                                              \
    __device__ EMULATED_INLINE void name(T(&items)[Items]) { name(items, items); }
    EMULATED_CUB_EXCHANGE(StripedToBlocked, t + k * X * Y * Z, t *Items + k)
    EMULATED_CUB_EXCHANGE(BlockedToStriped, t *Items + k, t + k * X * Y * Z)
#undef EMULATED_CUB_EXCHANGE

  private:
    TempStorage &s_;
};
template <class T, int Items, int Lanes = 32> class WarpExchange
{
  public:
    struct TempStorage {
        T values[Lanes * Items];
    };
    __device__ EMULATED_INLINE explicit WarpExchange(TempStorage &storage) : s_(storage) {}
#define EMULATED_CUB_EXCHANGE(name, TO, FROM)                                                      \
    __device__ EMULATED_INLINE void name(const T(&in)[Items], T(&out)[Items])                      \
    {                                                                                              \
        const int lane = (int)(emulated_lane() % Lanes);                                           \
        for (int k = 0; k < Items; k++)                                                            \
            s_.values[TO] = in[k];                                                                 \
        __syncwarp(0xffffffffu >> (32 - Lanes) << (emulated_lane() / Lanes * Lanes));              \
        for (int k = 0; k < Items; k++)                                                            \
            out[k] = s_.values[FROM];                                                              \
    }
    EMULATED_CUB_EXCHANGE(StripedToBlocked, lane + k * Lanes, lane *Items + k)
    EMULATED_CUB_EXCHANGE(BlockedToStriped, lane *Items + k, lane + k * Lanes)
#undef EMULATED_CUB_EXCHANGE

  private:
    TempStorage &s_;
};
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
/* A transposing one reads or writes side by side, and exchanges through shared memory. */
template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
class BlockLoad
{
    typedef BlockExchange<T, X, Items, false, Y, Z> Exchange;
    static const bool kStriped =
        Algorithm >= BLOCK_LOAD_TRANSPOSE || Algorithm == BLOCK_LOAD_STRIPED;

  public:
    typedef typename ::std::conditional<(Algorithm >= BLOCK_LOAD_TRANSPOSE),
                                        typename Exchange::TempStorage,
                                        typename WarpReduce<T>::TempStorage>::type TempStorage;
    __device__ EMULATED_INLINE explicit BlockLoad(TempStorage &storage) : s_(storage) {}
    /* The items that are not valid stay as they are, or become `otherwise`. */
    template <class It, class... D>
    __device__ EMULATED_INLINE void Load(It in, T (&items)[Items], int valid = X * Y * Z * Items,
                                         D... otherwise)
    {
        if constexpr (kStriped)
            LoadDirectStriped<X * Y * Z>(emulated::thread(), in, items, valid, otherwise...);
        else
            LoadDirectBlocked(emulated::thread(), in, items, valid, otherwise...);
        if constexpr (Algorithm >= BLOCK_LOAD_TRANSPOSE)
            Exchange(s_).StripedToBlocked(items);
    }

  private:
    TempStorage &s_;
};
template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
class BlockStore
{
    typedef BlockExchange<T, X, Items, false, Y, Z> Exchange;
    static const bool kStriped =
        Algorithm >= BLOCK_STORE_TRANSPOSE || Algorithm == BLOCK_STORE_STRIPED;

  public:
    typedef typename ::std::conditional<(Algorithm >= BLOCK_STORE_TRANSPOSE),
                                        typename Exchange::TempStorage,
                                        typename WarpReduce<T>::TempStorage>::type TempStorage;
    __device__ EMULATED_INLINE explicit BlockStore(TempStorage &storage) : s_(storage) {}
    template <class It>
    __device__ EMULATED_INLINE void Store(It out, T (&items)[Items], int valid = X * Y * Z * Items)
    {
        if constexpr (Algorithm >= BLOCK_STORE_TRANSPOSE)
            Exchange(s_).BlockedToStriped(items);
        if constexpr (kStriped)
            StoreDirectStriped<X * Y * Z>(emulated::thread(), out, items, valid);
        else
            StoreDirectBlocked(emulated::thread(), out, items, valid);
    }

  private:
    TempStorage &s_;
};
/* f of each item and the one to its left or right; the outermost item stays as it is */
template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference
{
  public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ EMULATED_INLINE explicit BlockAdjacentDifference(TempStorage &storage) : s_(storage)
    {
    }
    template <int Items, class Out, class F>
    __device__ EMULATED_INLINE void SubtractLeftPartialTile(T (&in)[Items], Out (&out)[Items], F f,
                                                            int valid)
    {
        const int t = emulated::thread(), first = t * Items;
        s_.values[t] = in[Items - 1];
        __syncthreads();
        for (int k = Items - 1; k >= 0; k--)
            if (first + k > 0 && first + k < valid)
                out[k] = f(in[k], k ? in[k - 1] : s_.values[t - 1]);
            else
                out[k] = in[k];
    }
    template <int Items, class Out, class F>
    __device__ EMULATED_INLINE void SubtractLeft(T (&in)[Items], Out (&out)[Items], F f)
    {
        SubtractLeftPartialTile(in, out, f, X * Y * Z * Items);
    }
    template <int Items, class Out, class F> // before: the item to the left of the block's
    __device__ EMULATED_INLINE void SubtractLeft(T (&in)[Items], Out (&out)[Items], F f, T before)
    {
        const T first = in[0];
        SubtractLeft(in, out, f);
        if (emulated::thread() == 0)
            out[0] = f(first, before);
    }
    template <int Items, class Out, class F>
    __device__ EMULATED_INLINE void SubtractRightPartialTile(T (&in)[Items], Out (&out)[Items], F f,
                                                             int valid)
    {
        const int t = emulated::thread(), first = t * Items;
        s_.values[t] = in[0];
        __syncthreads();
        for (int k = 0; k < Items; k++)
            if (first + k + 1 < valid)
                out[k] = f(in[k], k < Items - 1 ? in[k + 1] : s_.values[t + 1]);
            else
                out[k] = in[k];
    }
    template <int Items, class Out, class F>
    __device__ EMULATED_INLINE void SubtractRight(T (&in)[Items], Out (&out)[Items], F f)
    {
        SubtractRightPartialTile(in, out, f, X * Y * Z * Items);
    }
    template <int Items, class Out, class F> // after: the item to the right of the block's
    __device__ EMULATED_INLINE void SubtractRight(T (&in)[Items], Out (&out)[Items], F f, T after)
    {
        const T last = in[Items - 1];
        SubtractRight(in, out, f);
        if (emulated::thread() == X * Y * Z - 1)
            out[Items - 1] = f(last, after);
    }

  private:
    TempStorage &s_;
};

/* ---- the device: asked without memory, a call says how much it wants ---- */
namespace emulated
{
/* The type of the sum of two elements: bytes add up to an int */
template <class In>
using sum_of =
    typename ::std::decay<decltype(::std::declval<thrust::emulated::value_of<In>>() +
                                   ::std::declval<thrust::emulated::value_of<In>>())>::type;
template <class F>
static EMULATED_INLINE cudaError_t run(void *room, size_t &bytes, cudaStream_t stream, F f)
{
    if (!room) {
        bytes = 1;
        return cudaSuccess;
    }
    ::emulated::launch_any("cub", thrust::emulated::by_one_thread<F>, dim3(1), dim3(1), 0,
                           stream)(f);
    return cudaPeekAtLastError();
}
} // namespace emulated

struct DeviceReduce {
    template <class In, class Out, class F, class T>
    static EMULATED_INLINE cudaError_t Reduce(void *room, size_t &bytes, In in, Out out, int n, F f,
                                              T init, cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            T sum = init;
            for (int i = 0; i < n; i++)
                sum = f(sum, (T)in[i]);
            *out = sum;
        });
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t Sum(void *room, size_t &bytes, In in, Out out, int n,
                                           cudaStream_t stream = 0)
    {
        typedef thrust::emulated::value_of<Out> T; /* so that bytes do not overflow */
        return Reduce(room, bytes, in, out, n, cub::Sum(), T(), stream);
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t Max(void *room, size_t &bytes, In in, Out out, int n,
                                           cudaStream_t stream = 0)
    {
        typedef thrust::emulated::value_of<In> T;
        return Reduce(room, bytes, in, out, n, cub::Max(), ::std::numeric_limits<T>::lowest(),
                      stream);
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t Min(void *room, size_t &bytes, In in, Out out, int n,
                                           cudaStream_t stream = 0)
    {
        typedef thrust::emulated::value_of<In> T;
        return Reduce(room, bytes, in, out, n, cub::Min(), ::std::numeric_limits<T>::max(), stream);
    }
    /* The smallest or largest item and its place */
#define EMULATED_CUB_ARG(name)                                                                     \
    template <class In, class Out>                                                                 \
    static EMULATED_INLINE cudaError_t name(void *room, size_t &bytes, In in, Out out, int n,      \
                                            cudaStream_t stream = 0)                               \
    {                                                                                              \
        typedef KeyValuePair<int, thrust::emulated::value_of<In>> Item;                            \
        return emulated::run(room, bytes, stream, [=]() mutable {                                  \
            Item best(0, in[0]);                                                                   \
            for (int i = 1; i < n; i++)                                                            \
                best = cub::name()(best, Item(i, in[i]));                                          \
            *out = best;                                                                           \
        });                                                                                        \
    }
    EMULATED_CUB_ARG(ArgMin)
    EMULATED_CUB_ARG(ArgMax)
#undef EMULATED_CUB_ARG
    /* Of each run of equal keys the key and the sum of its values; how many runs there are goes to
     * `runs`. */
    template <class Keys, class Unique, class Values, class Sums, class Count, class F>
    static EMULATED_INLINE cudaError_t ReduceByKey(void *room, size_t &bytes, Keys keys,
                                                   Unique unique, Values values, Sums sums,
                                                   Count runs, F f, int n, cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            int last = -1;
            for (int i = 0; i < n; i++)
                if (last >= 0 && unique[last] == keys[i])
                    sums[last] = f(sums[last], values[i]);
                else {
                    unique[++last] = keys[i];
                    sums[last] = values[i];
                }
            *runs = last + 1;
        });
    }
};
struct DeviceScan {
    template <class In, class Out, class F>
    static EMULATED_INLINE cudaError_t InclusiveScan(void *room, size_t &bytes, In in, Out out, F f,
                                                     int n, cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            thrust::emulated::value_of<In> sum = {};
            for (int i = 0; i < n; i++)
                out[i] = sum = i ? f(sum, in[i]) : (thrust::emulated::value_of<In>)in[i];
        });
    }
    template <class In, class Out, class F, class T>
    static EMULATED_INLINE cudaError_t ExclusiveScan(void *room, size_t &bytes, In in, Out out, F f,
                                                     T init, int n, cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            T sum = init;
            for (int i = 0; i < n; i++) {
                const T next = f(sum, in[i]); /* out may be in */
                out[i] = sum;
                sum = next;
            }
        });
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t InclusiveSum(void *room, size_t &bytes, In in, Out out,
                                                    int n, cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            emulated::sum_of<In> sum = {};
            for (int i = 0; i < n; i++)
                out[i] = sum = sum + in[i];
        });
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t ExclusiveSum(void *room, size_t &bytes, In in, Out out,
                                                    int n, cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            emulated::sum_of<In> sum = {};
            for (int i = 0; i < n; i++) {
                const emulated::sum_of<In> next = sum + in[i]; /* out may be in */
                out[i] = sum;
                sum = next;
            }
        });
    }
};
/* The selected items, in order; their number goes to `count`. */
struct DeviceSelect {
    template <class In, class Flags, class Out, class Count>
    static EMULATED_INLINE cudaError_t Flagged(void *room, size_t &bytes, In in, Flags flags,
                                               Out out, Count count, int n, cudaStream_t stream = 0)
    {
        return select(room, bytes, in, out, count, n, stream,
                      [=](int i) { return (bool)flags[i]; });
    }
    template <class In, class Out, class Count, class F>
    static EMULATED_INLINE cudaError_t If(void *room, size_t &bytes, In in, Out out, Count count,
                                          int n, F f, cudaStream_t stream = 0)
    {
        return select(room, bytes, in, out, count, n, stream,
                      [=](int i) { return (bool)f(in[i]); });
    }
    template <class In, class Out, class Count>
    static EMULATED_INLINE cudaError_t Unique(void *room, size_t &bytes, In in, Out out,
                                              Count count, int n, cudaStream_t stream = 0)
    {
        return select(room, bytes, in, out, count, n, stream,
                      [=](int i) { return i == 0 || in[i] != in[i - 1]; });
    }

  private:
    template <class In, class Out, class Count, class F>
    static EMULATED_INLINE cudaError_t select(void *room, size_t &bytes, In in, Out out,
                                              Count count, int n, cudaStream_t stream, F chosen)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            int last = 0;
            for (int i = 0; i < n; i++)
                if (chosen(i))
                    out[last++] = in[i];
            *count = last;
        });
    }
};
struct DeviceRunLengthEncode {
    template <class In, class Unique, class Lengths, class Count>
    static EMULATED_INLINE cudaError_t Encode(void *room, size_t &bytes, In in, Unique unique,
                                              Lengths lengths, Count runs, int n,
                                              cudaStream_t stream = 0)
    {
        return DeviceReduce::ReduceByKey(room, bytes, in, unique, thrust::constant_iterator<int>(1),
                                         lengths, runs, cub::Sum(), n, stream);
    }
};
namespace emulated
{
/* The bits of a key from `begin` up to `end`, as a number that grows with the key */
template <class K>
static __device__ EMULATED_INLINE unsigned long long bits_of(K key, int begin, int end)
{
    const int bits = 8 * sizeof(K);
    unsigned long long all = 0;
    __builtin_memcpy(&all, &key, sizeof key);
    const unsigned long long sign = 1ull << (bits - 1);
    if (::std::is_floating_point<K>::value)
        all = all & sign ? ~all : all | sign;
    else if (::std::is_signed<K>::value)
        all ^= sign;
    if (bits < 64)
        all &= (1ull << bits) - 1;
    all >>= begin;
    return end - begin < 64 ? all & ((1ull << (end - begin)) - 1) : all;
}
} // namespace emulated
/* The array with the newest values, and another one of that size */
template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer(T *current = nullptr, T *alternate = nullptr)
        : d_buffers{current, alternate}, selector(0)
    {
    }
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};
/* Stable, by the bits of the keys from `begin` up to `end` */
struct DeviceRadixSort {
  private:
    template <class K, class V>
    static EMULATED_INLINE cudaError_t sort(void *room, size_t &bytes, const K *in, K *out,
                                            const V *vin, V *vout, int n, int begin, int end,
                                            cudaStream_t stream, bool descending)
    {
        if (!room) {
            bytes = 2 * sizeof(::std::ptrdiff_t) * (size_t)(n > 0 ? n : 1);
            return cudaSuccess;
        }
        return emulated::run(room, bytes, stream, [=]() mutable {
            ::std::ptrdiff_t *a = (::std::ptrdiff_t *)room;
            thrust::emulated::order_of(in, a, a + n, n, [=](K x, K y) {
                const unsigned long long bx = emulated::bits_of(x, begin, end),
                                         by = emulated::bits_of(y, begin, end);
                return descending ? by < bx : bx < by;
            });
            for (int i = 0; i < n; i++) {
                out[i] = in[a[i]];
                if (vin)
                    vout[i] = vin[a[i]];
            }
        });
    }

  public:
#define EMULATED_CUB_SORT(Keys, Pairs, descending)                                                 \
    template <class K>                                                                             \
    static EMULATED_INLINE cudaError_t Keys(void *room, size_t &bytes, const K *in, K *out, int n, \
                                            int begin = 0, int end = 8 * sizeof(K),                \
                                            cudaStream_t stream = 0)                               \
    {                                                                                              \
        return sort(room, bytes, in, out, (const char *)nullptr, (char *)nullptr, n, begin, end,   \
                    stream, descending);                                                           \
    }                                                                                              \
    template <class K, class V>                                                                    \
    static EMULATED_INLINE cudaError_t Pairs(void *room, size_t &bytes, const K *in, K *out,       \
                                             const V *vin, V *vout, int n, int begin = 0,          \
                                             int end = 8 * sizeof(K), cudaStream_t stream = 0)     \
    {                                                                                              \
        return sort(room, bytes, in, out, vin, vout, n, begin, end, stream, descending);           \
    }                                                                                              \
    template <class K>                                                                             \
    static EMULATED_INLINE cudaError_t Keys(void *room, size_t &bytes, DoubleBuffer<K> &k, int n,  \
                                            int begin = 0, int end = 8 * sizeof(K),                \
                                            cudaStream_t stream = 0)                               \
    {                                                                                              \
        k.selector ^= room ? 1 : 0;                                                                \
        return Keys(room, bytes, (const K *)k.Alternate(), k.Current(), n, begin, end, stream);    \
    }                                                                                              \
    template <class K, class V>                                                                    \
    static EMULATED_INLINE cudaError_t Pairs(void *room, size_t &bytes, DoubleBuffer<K> &k,        \
                                             DoubleBuffer<V> &v, int n, int begin = 0,             \
                                             int end = 8 * sizeof(K), cudaStream_t stream = 0)     \
    {                                                                                              \
        k.selector ^= room ? 1 : 0;                                                                \
        v.selector ^= room ? 1 : 0;                                                                \
        return Pairs(room, bytes, (const K *)k.Alternate(), k.Current(), (const V *)v.Alternate(), \
                     v.Current(), n, begin, end, stream);                                          \
    }
    EMULATED_CUB_SORT(SortKeys, SortPairs, false)
    EMULATED_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef EMULATED_CUB_SORT
};

} // namespace cub
#include "cub_more.h"
#endif
