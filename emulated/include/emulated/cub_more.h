/* cub_more.h: sorts, histograms and neighbours of a block; histograms, segments and partitions of
 * the device. */
#ifndef EMULATED_CUB_MORE_H
#define EMULATED_CUB_MORE_H
#include "cub.h"

namespace cub
{

struct Equality {
    template <class A, class B> EMULATED_INLINE bool operator()(const A &a, const B &b) const
    {
        return a == b;
    }
};
struct Inequality {
    template <class A, class B> EMULATED_INLINE bool operator()(const A &a, const B &b) const
    {
        return a != b;
    }
};
template <class T> struct CastOp {
    template <class A> EMULATED_INLINE T operator()(const A &a) const { return (T)a; }
};

/* ---- a block ---- */
struct NullType {
};
/* Stable. Each item goes to the place behind those that are smaller, or equal and before it. */
template <class K, int X, int Items, class V = NullType, int Bits = 4, bool Memoize = true,
          BlockScanAlgorithm Algorithm = BLOCK_SCAN_WARP_SCANS, int Bank = 0, int Y = 1, int Z = 1>
class BlockRadixSort
{
    enum { kItems = X * Y * Z * Items };

  public:
    struct TempStorage {
        K keys[kItems], sorted[kItems];
        V values[kItems];
    };
    __device__ EMULATED_INLINE explicit BlockRadixSort(TempStorage &storage) : s_(storage) {}
#define EMULATED_CUB_SORT(name, descending, striped)                                               \
    __device__ EMULATED_INLINE void name(K(&keys)[Items], int begin = 0, int end = 8 * sizeof(K))  \
    {                                                                                              \
        V values[Items];                                                                           \
        sort(keys, values, begin, end, descending, striped);                                       \
    }                                                                                              \
    __device__ EMULATED_INLINE void name(K(&keys)[Items], V(&values)[Items], int begin = 0,        \
                                         int end = 8 * sizeof(K))                                  \
    {                                                                                              \
        sort(keys, values, begin, end, descending, striped);                                       \
    }
    EMULATED_CUB_SORT(Sort, false, false)
    EMULATED_CUB_SORT(SortDescending, true, false)
    EMULATED_CUB_SORT(SortBlockedToStriped, false, true)
    EMULATED_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef EMULATED_CUB_SORT

  private:
    TempStorage &s_;
    __device__ EMULATED_INLINE void sort(K (&keys)[Items], V (&values)[Items], int begin, int end,
                                         bool descending, bool striped)
    {
        const int t = emulated::thread();
        for (int k = 0; k < Items; k++)
            s_.keys[t * Items + k] = keys[k];
        __syncthreads();
        for (int k = 0; k < Items; k++) {
            const unsigned long long mine = emulated::bits_of(keys[k], begin, end);
            int place = 0;
            for (int i = 0; i < kItems; i++) {
                const unsigned long long other = emulated::bits_of(s_.keys[i], begin, end);
                const bool before = descending ? mine < other : other < mine;
                place += before || (other == mine && i < t * Items + k) ? 1 : 0;
            }
            s_.sorted[place] = keys[k];
            if (!::std::is_same<V, NullType>::value)
                s_.values[place] = values[k];
        }
        __syncthreads();
        for (int k = 0; k < Items; k++) {
            const int i = striped ? t + k * X * Y * Z : t * Items + k;
            keys[k] = s_.sorted[i];
            if (!::std::is_same<V, NullType>::value)
                values[k] = s_.values[i];
        }
    }
};
/* Where f says that an item differs from the one before or behind it */
template <class T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity
{
  public:
    struct TempStorage {
        T values[X * Y * Z];
    };
    __device__ EMULATED_INLINE explicit BlockDiscontinuity(TempStorage &storage) : s_(storage) {}
    template <int Items, class Flag, class F>
    __device__ EMULATED_INLINE void FlagHeads(Flag (&flags)[Items], T (&in)[Items], F f)
    {
        const int t = emulated::thread();
        s_.values[t] = in[Items - 1];
        __syncthreads();
        flags[0] = t ? f(s_.values[t - 1], in[0]) : 1;
        for (int k = 1; k < Items; k++)
            flags[k] = f(in[k - 1], in[k]);
    }
    template <int Items, class Flag, class F>
    __device__ EMULATED_INLINE void FlagTails(Flag (&flags)[Items], T (&in)[Items], F f)
    {
        const int t = emulated::thread();
        s_.values[t] = in[0];
        __syncthreads();
        for (int k = 0; k < Items - 1; k++)
            flags[k] = f(in[k], in[k + 1]);
        flags[Items - 1] = t < X * Y * Z - 1 ? f(in[Items - 1], s_.values[t + 1]) : 1;
    }

  private:
    TempStorage &s_;
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int Items, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT,
          int Y = 1, int Z = 1>
class BlockHistogram
{
  public:
    struct TempStorage {
    };
    __device__ EMULATED_INLINE explicit BlockHistogram(TempStorage &) {}
    template <class Count> __device__ EMULATED_INLINE void InitHistogram(Count (&bins)[Bins])
    {
        for (int b = emulated::thread(); b < Bins; b += X * Y * Z)
            bins[b] = 0;
    }
    template <class Count>
    __device__ EMULATED_INLINE void Composite(T (&items)[Items], Count (&bins)[Bins])
    {
        for (int k = 0; k < Items; k++)
            atomicAdd(&bins[items[k]], (Count)1);
    }
    template <class Count>
    __device__ EMULATED_INLINE void Histogram(T (&items)[Items], Count (&bins)[Bins])
    {
        InitHistogram(bins);
        __syncthreads();
        Composite(items, bins);
    }

  private:
};

/* ---- the device ---- */
struct DeviceHistogram {
    /* Bins of equal width, levels - 1 of them, from `low` up to `high` */
    template <class In, class Count, class Level>
    static EMULATED_INLINE cudaError_t HistogramEven(void *room, size_t &bytes, In in, Count *bins,
                                                     int levels, Level low, Level high, int n,
                                                     cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            for (int b = 0; b < levels - 1; b++)
                bins[b] = 0;
            for (int i = 0; i < n; i++)
                if (!((Level)in[i] < low) && (Level)in[i] < high) {
                    const double share =
                        (double)((Level)in[i] - low) * (levels - 1) / (double)(high - low);
                    bins[(int)share]++;
                }
        });
    }
    /* Bin b: from levels[b] up to levels[b + 1] */
    template <class In, class Count, class Level>
    static EMULATED_INLINE cudaError_t HistogramRange(void *room, size_t &bytes, In in, Count *bins,
                                                      int count, const Level *levels, int n,
                                                      cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            for (int b = 0; b < count - 1; b++) {
                bins[b] = 0;
                for (int i = 0; i < n; i++)
                    if (!((Level)in[i] < levels[b]) && (Level)in[i] < levels[b + 1])
                        bins[b]++;
            }
        });
    }
};
/* Segment s: from begins[s] up to ends[s] */
struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class F, class T>
    static EMULATED_INLINE cudaError_t Reduce(void *room, size_t &bytes, In in, Out out,
                                              int segments, Begin begins, End ends, F f, T init,
                                              cudaStream_t stream = 0)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            for (int s = 0; s < segments; s++) {
                T sum = init;
                for (auto i = begins[s]; i < ends[s]; i++)
                    sum = f(sum, (T)in[i]);
                out[s] = sum;
            }
        });
    }
#define EMULATED_CUB_REDUCE(name, T, init)                                                         \
    template <class In, class Out, class Begin, class End>                                         \
    static EMULATED_INLINE cudaError_t name(void *room, size_t &bytes, In in, Out out,             \
                                            int segments, Begin begins, End ends,                  \
                                            cudaStream_t stream = 0)                               \
    {                                                                                              \
        typedef thrust::emulated::value_of<T> value;                                               \
        return Reduce(room, bytes, in, out, segments, begins, ends, cub::name(), init, stream);    \
    }
    EMULATED_CUB_REDUCE(Sum, Out, value())
    EMULATED_CUB_REDUCE(Max, In, ::std::numeric_limits<value>::lowest())
    EMULATED_CUB_REDUCE(Min, In, ::std::numeric_limits<value>::max())
#undef EMULATED_CUB_REDUCE
};
/* The selected items first, in order, then the others from the last one to the first */
struct DevicePartition {
    template <class In, class Flags, class Out, class Count>
    static EMULATED_INLINE cudaError_t Flagged(void *room, size_t &bytes, In in, Flags flags,
                                               Out out, Count count, int n, cudaStream_t stream = 0)
    {
        return part(room, bytes, in, out, count, n, stream, [=](int i) { return (bool)flags[i]; });
    }
    template <class In, class Out, class Count, class F>
    static EMULATED_INLINE cudaError_t If(void *room, size_t &bytes, In in, Out out, Count count,
                                          int n, F f, cudaStream_t stream = 0)
    {
        return part(room, bytes, in, out, count, n, stream, [=](int i) { return (bool)f(in[i]); });
    }

  private:
    template <class In, class Out, class Count, class F>
    static EMULATED_INLINE cudaError_t part(void *room, size_t &bytes, In in, Out out, Count count,
                                            int n, cudaStream_t stream, F chosen)
    {
        return emulated::run(room, bytes, stream, [=]() mutable {
            int first = 0, last = n;
            for (int i = 0; i < n; i++)
                if (chosen(i))
                    out[first++] = in[i];
                else
                    out[--last] = in[i];
            *count = first;
        });
    }
};
/* Gives out the device's memory; this one keeps nothing for later. */
struct CachingDeviceAllocator {
    explicit CachingDeviceAllocator(bool = false) {}
    explicit CachingDeviceAllocator(unsigned, unsigned = 1, unsigned = ~0u, size_t = ~(size_t)0,
                                    bool = false)
    {
    }
    cudaError_t SetMaxCachedBytes(size_t) { return cudaSuccess; }
    cudaError_t DeviceAllocate(void **p, size_t bytes, cudaStream_t = 0)
    {
        return cudaMalloc(p, bytes);
    }
    cudaError_t DeviceFree(void *p) { return cudaFree(p); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
};

} // namespace cub
#endif
