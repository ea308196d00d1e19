/* cub.h: the part of CUB that courses use: sums, scans and sorts of a warp, a block and the device. */
#ifndef EMULATED_CUB_H
#define EMULATED_CUB_H
#include <limits>

#include "thrust.h"

namespace cub {

struct Sum {
    template <class T> EMULATED_INLINE T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
    template <class T> EMULATED_INLINE T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> EMULATED_INLINE T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

/* ---- a warp: the result is lane 0's ---- */
template <class T, int Lanes = 32> class WarpReduce {
  public:
    struct TempStorage {};
    __device__ EMULATED_INLINE explicit WarpReduce(TempStorage &) {}
    template <class F> __device__ EMULATED_INLINE T Reduce(T x, F f)
    {
        for (int distance = Lanes / 2; distance > 0; distance /= 2)
            x = f(x, __shfl_down_sync(EMULATED_FULL, x, distance, Lanes));
        return x;
    }
    __device__ EMULATED_INLINE T Sum(T x) { return Reduce(x, cub::Sum()); }
};
template <class T, int Lanes = 32> class WarpScan {
  public:
    struct TempStorage {};
    __device__ EMULATED_INLINE explicit WarpScan(TempStorage &) {}
    __device__ EMULATED_INLINE void InclusiveSum(T x, T &out)
    {
        for (int distance = 1; distance < Lanes; distance *= 2) {
            const T below = __shfl_up_sync(EMULATED_FULL, x, distance, Lanes);
            if ((int)(emulated_lane() % Lanes) >= distance)
                x = below + x;
        }
        out = x;
    }
    __device__ EMULATED_INLINE void ExclusiveSum(T x, T &out)
    {
        T all;
        InclusiveSum(x, all);
        out = all - x;
    }
};

/* ---- a block. The memory may be used again after a __syncthreads(). ---- */
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
namespace emulated {
static __device__ EMULATED_INLINE int thread()
{
    return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
} // namespace emulated
/* The result is thread 0's. */
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
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
    __device__ EMULATED_INLINE T Sum(T x) { return Reduce(x, cub::Sum()); }
    __device__ EMULATED_INLINE T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }

  private:
    TempStorage &s_;
};
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> class BlockScan {
  public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ EMULATED_INLINE explicit BlockScan(TempStorage &storage) : s_(storage) {}
    __device__ EMULATED_INLINE void InclusiveSum(T x, T &out, T &all)
    {
        const int t = emulated::thread();
        s_.values[t] = x;
        __syncthreads();
        T sum = T(), whole = T();
        for (int i = 0; i < X * Y * Z; i++) {
            whole = whole + s_.values[i];
            if (i == t)
                sum = whole;
        }
        out = sum;
        all = whole;
    }
    __device__ EMULATED_INLINE void InclusiveSum(T x, T &out)
    {
        T all;
        InclusiveSum(x, out, all);
    }
    __device__ EMULATED_INLINE void ExclusiveSum(T x, T &out, T &all)
    {
        T sum;
        InclusiveSum(x, sum, all);
        out = sum - x;
    }
    __device__ EMULATED_INLINE void ExclusiveSum(T x, T &out)
    {
        T all;
        ExclusiveSum(x, out, all);
    }

  private:
    TempStorage &s_;
};

/* ---- the device: asked without memory, a call says how much it wants ---- */
namespace emulated {
template <class F> static EMULATED_INLINE cudaError_t run(void *room, size_t &bytes, cudaStream_t stream, F f)
{
    if (!room) {
        bytes = 1;
        return cudaSuccess;
    }
    ::emulated::launch_any("cub", thrust::emulated::by_one_thread<F>, dim3(1), dim3(1), 0, stream)(f);
    return cudaPeekAtLastError();
}
} // namespace emulated

struct DeviceReduce {
    template <class In, class Out, class F, class T>
    static EMULATED_INLINE cudaError_t Reduce(void *room, size_t &bytes, In in, Out out, int n, F f, T init,
                                              cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            T sum = init;
            for (int i = 0; i < n; i++)
                sum = f(sum, (T)in[i]);
            *out = sum;
        });
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t Sum(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0)
    {
        typedef thrust::emulated::value_of<In> T;
        return Reduce(room, bytes, in, out, n, cub::Sum(), T(), stream);
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t Max(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0)
    {
        typedef thrust::emulated::value_of<In> T;
        return Reduce(room, bytes, in, out, n, cub::Max(), ::std::numeric_limits<T>::lowest(), stream);
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t Min(void *room, size_t &bytes, In in, Out out, int n, cudaStream_t stream = 0)
    {
        typedef thrust::emulated::value_of<In> T;
        return Reduce(room, bytes, in, out, n, cub::Min(), ::std::numeric_limits<T>::max(), stream);
    }
    /* Of each run of equal keys the key and the sum of its values; how many runs there are goes to `runs`. */
    template <class Keys, class Unique, class Values, class Sums, class Count, class F>
    static EMULATED_INLINE cudaError_t ReduceByKey(void *room, size_t &bytes, Keys keys, Unique unique, Values values,
                                                   Sums sums, Count runs, F f, int n, cudaStream_t stream = 0)
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
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t InclusiveSum(void *room, size_t &bytes, In in, Out out, int n,
                                                    cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            thrust::emulated::value_of<In> sum = {};
            for (int i = 0; i < n; i++)
                out[i] = sum = sum + in[i];
        });
    }
    template <class In, class Out>
    static EMULATED_INLINE cudaError_t ExclusiveSum(void *room, size_t &bytes, In in, Out out, int n,
                                                    cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            thrust::emulated::value_of<In> sum = {};
            for (int i = 0; i < n; i++) {
                const thrust::emulated::value_of<In> next = sum + in[i]; /* out may be in */
                out[i] = sum;
                sum = next;
            }
        });
    }
};
/* Stable, by the bits of the keys from `begin` up to `end` */
struct DeviceRadixSort {
  private:
    template <class K> static __device__ EMULATED_INLINE unsigned long long bits_of(K key, int begin, int end)
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
    template <class K, class V>
    static EMULATED_INLINE cudaError_t sort(void *room, size_t &bytes, const K *in, K *out, const V *vin, V *vout,
                                            int n, int begin, int end, cudaStream_t stream, bool descending)
    {
        if (!room) {
            bytes = 2 * sizeof(::std::ptrdiff_t) * (size_t)(n > 0 ? n : 1);
            return cudaSuccess;
        }
        return emulated::run(room, bytes, stream, [=]() mutable {
            ::std::ptrdiff_t *a = (::std::ptrdiff_t *)room;
            thrust::emulated::order_of(in, a, a + n, n, [=](K x, K y) {
                const unsigned long long bx = bits_of(x, begin, end), by = bits_of(y, begin, end);
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
#define EMULATED_CUB_SORT(Keys, Pairs, descending)                                                                     \
    template <class K>                                                                                                 \
    static EMULATED_INLINE cudaError_t Keys(void *room, size_t &bytes, const K *in, K *out, int n, int begin = 0,      \
                                            int end = 8 * sizeof(K), cudaStream_t stream = 0)                          \
    {                                                                                                                  \
        return sort(room, bytes, in, out, (const char *)nullptr, (char *)nullptr, n, begin, end, stream, descending);  \
    }                                                                                                                  \
    template <class K, class V>                                                                                        \
    static EMULATED_INLINE cudaError_t Pairs(void *room, size_t &bytes, const K *in, K *out, const V *vin, V *vout,    \
                                             int n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t stream = 0)   \
    {                                                                                                                  \
        return sort(room, bytes, in, out, vin, vout, n, begin, end, stream, descending);                               \
    }
    EMULATED_CUB_SORT(SortKeys, SortPairs, false)
    EMULATED_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef EMULATED_CUB_SORT
};

} // namespace cub
#endif
