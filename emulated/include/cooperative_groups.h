/* cooperative_groups.h: thread blocks, tiles, coalesced groups and the whole grid as objects. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#include "cuda_runtime.h"

#include "emulated/async.h"

namespace cooperative_groups
{

static inline __device__ unsigned emulated_thread_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
static inline __device__ unsigned emulated_block_in_grid()
{
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

class thread_block
{
  public:
    static void sync(EMULATED_HERE) { __syncthreads(line); }
    static unsigned thread_rank() { return emulated_thread_in_block(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_dim() { return dim3(blockDim); }
    static dim3 dim_threads() { return dim3(blockDim); }
};

class grid_group
{
  public:
    static bool is_valid() { return true; }
    static void sync(EMULATED_HERE) { emulated_grid_barrier(line); }
    static unsigned long long thread_rank()
    {
        return (unsigned long long)emulated_block_in_grid() * thread_block::size() +
               emulated_thread_in_block();
    }
    static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long block_rank() { return emulated_block_in_grid(); }
    static dim3 group_dim() { return dim3(gridDim); }
    static dim3 dim_blocks() { return dim3(gridDim); }
    static dim3 block_index() { return dim3(blockIdx); }
};

#if EMULATED_ARCH >= 900
/* The blocks that were launched as one cluster */
class cluster_group
{
  public:
    struct arrival_token {
    };
    static void barrier_arrive_relaxed() { emulated_cluster_arrive(1); }
    [[nodiscard]] static arrival_token barrier_arrive()
    {
        emulated_cluster_arrive(0);
        return {};
    }
    static void barrier_wait(EMULATED_HERE) { emulated_cluster_wait(line); }
    static void barrier_wait(arrival_token &&, EMULATED_HERE) { emulated_cluster_wait(line); }
    static void sync(EMULATED_HERE)
    {
        emulated_cluster_arrive(0);
        emulated_cluster_wait(line);
    }
    template <class T> static T *map_shared_rank(T *p, unsigned rank)
    {
        return (T *)emulated_map_shared((const void *)p, rank);
    }
    static unsigned query_shared_rank(const void *p) { return emulated_shared_rank(p); }
    static dim3 block_index() { return dim3(emulated_block_in_cluster); }
    static dim3 dim_blocks() { return dim3(emulated_cluster_dim); }
    static unsigned num_blocks() { return emulated_cluster_size; }
    static unsigned block_rank() { return emulated_block_rank; }
    static dim3 thread_index()
    {
        const dim3 b = block_index(), t = thread_block::thread_index();
        return dim3(b.x * blockDim.x + t.x, b.y * blockDim.y + t.y, b.z * blockDim.z + t.z);
    }
    static dim3 dim_threads()
    {
        const dim3 d = dim_blocks();
        return dim3(d.x * blockDim.x, d.y * blockDim.y, d.z * blockDim.z);
    }
    static unsigned num_threads() { return num_blocks() * thread_block::size(); }
    static unsigned size() { return num_threads(); }
    static unsigned thread_rank()
    {
        return block_rank() * thread_block::size() + emulated_thread_in_block();
    }
};
static inline cluster_group this_cluster() { return cluster_group(); }
#endif

/* Lanes of one warp, by mask: rank r is the r-th lane of it. */
class coalesced_group
{
  protected:
    unsigned mask_;
    int lane_of(unsigned rank) const
    {
        for (int lane = 0; lane < 32; lane++)
            if (mask_ >> lane & 1 && rank-- == 0)
                return lane;
        return (int)emulated_lane();
    }
    template <class T> T from(T value, int lane) const
    {
        static_assert(sizeof(T) <= 32, "groups exchange objects of up to 32 bytes");
        return ::emulated::exchange(mask_, value, emulatedShuffle, lane, 32);
    }

  public:
    explicit coalesced_group(unsigned mask) : mask_(mask) {}
    unsigned lanes() const { return mask_; } /* not CUDA's */
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
    unsigned size() const { return (unsigned)__popc(mask_); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return (unsigned)__popc(mask_ & ((1u << emulated_lane()) - 1)); }
    void sync() const { __syncwarp(mask_); }
    int any(int p) const { return __any_sync(mask_, p); }
    int all(int p) const { return __all_sync(mask_, p); }
    unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
    template <class T> unsigned match_any(T value) const
    {
        return packed(__match_any_sync(mask_, value));
    }
    template <class T> T shfl(T value, unsigned rank) const { return from(value, lane_of(rank)); }
    template <class T> T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank() + delta;
        return from(value, rank < size() ? lane_of(rank) : (int)emulated_lane());
    }
    template <class T> T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return from(value, rank >= delta ? lane_of(rank - delta) : (int)emulated_lane());
    }
    template <class T> T shfl_xor(T value, unsigned bits) const
    {
        return from(value, lane_of(thread_rank() ^ bits));
    }

  private:
    unsigned packed(unsigned lanes) const
    {
        unsigned bits = 0;
        for (int lane = 0, rank = 0; lane < 32; lane++)
            if (mask_ >> lane & 1)
                bits |= (lanes >> lane & 1) << rank++;
        return bits;
    }
};

/* A part of 1, 2, 4 ... 32 neighbouring lanes */
class thread_group_tile : public coalesced_group
{
    unsigned width_;
    template <class T> T exchange(T value, int operation, int argument) const
    {
        static_assert(sizeof(T) <= 32, "groups exchange objects of up to 32 bytes");
        return ::emulated::exchange(mask_, value, operation, argument, (int)width_);
    }
    static unsigned mask_of(unsigned width)
    {
        unsigned first = emulated_lane() / width * width;
        return (width >= 32 ? EMULATED_FULL : (1u << width) - 1) << first;
    }

  public:
    explicit thread_group_tile(unsigned width) : coalesced_group(mask_of(width)), width_(width) {}
    unsigned size() const { return width_; }
    unsigned num_threads() const { return width_; }
    unsigned thread_rank() const { return emulated_lane() % width_; }
    unsigned meta_group_rank() const { return emulated_thread_in_block() / width_; }
    unsigned meta_group_size() const { return (thread_block::size() + width_ - 1) / width_; }
    template <class T> T shfl(T value, int rank) const
    {
        return exchange(value, emulatedShuffle, rank);
    }
    template <class T> T shfl_down(T value, unsigned delta) const
    {
        return exchange(value, emulatedShuffleDown, (int)delta);
    }
    template <class T> T shfl_up(T value, unsigned delta) const
    {
        return exchange(value, emulatedShuffleUp, (int)delta);
    }
    template <class T> T shfl_xor(T value, int bits) const
    {
        return exchange(value, emulatedShuffleXor, bits);
    }
};

/* A part of the block of 64 threads and more: whole warps. */
template <unsigned Size> class tile_of_warps
{
  public:
    explicit tile_of_warps(unsigned) {}
    static void sync() { emulated_named_barrier((int)(Size * 64 + meta_group_rank()), Size, 1); }
    static unsigned size() { return Size; }
    static unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return emulated_thread_in_block() % Size; }
    static unsigned meta_group_rank() { return emulated_thread_in_block() / Size; }
    static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
};
/* What CUDA needs for them */
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
    char bytes[MaxBlockSize];
};

template <unsigned Size, class Parent = void>
class thread_block_tile
    : public std::conditional<(Size > 32), tile_of_warps<Size>, thread_group_tile>::type
{
    typedef
        typename std::conditional<(Size > 32), tile_of_warps<Size>, thread_group_tile>::type base;

  public:
    thread_block_tile() : base(Size) {}
    template <class Other> thread_block_tile(const thread_block_tile<Size, Other> &) : base(Size) {}
};

/* Any of the groups within a block, for functions that take them all. */
class thread_group
{
    bool whole_block_;
    coalesced_group lanes_;

  public:
    thread_group(const thread_block &) : whole_block_(true), lanes_(EMULATED_FULL) {}
    thread_group(const coalesced_group &group) : whole_block_(false), lanes_(group) {}
    void sync(EMULATED_HERE) const
    {
        if (whole_block_)
            __syncthreads(line);
        else
            lanes_.sync();
    }
    unsigned size() const { return whole_block_ ? thread_block::size() : lanes_.size(); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const
    {
        return whole_block_ ? thread_block::thread_rank() : lanes_.thread_rank();
    }
    bool is_valid() const { return true; }
};

static inline thread_block this_thread_block() { return thread_block(); }
template <unsigned Size> static inline thread_block this_thread_block(block_tile_memory<Size> &)
{
    return thread_block();
}
static inline grid_group this_grid() { return grid_group(); }
static EMULATED_INLINE coalesced_group coalesced_threads()
{
    return coalesced_group(emulated_active_mask());
}
template <unsigned Size, class Parent>
static inline thread_block_tile<Size, Parent> tiled_partition(const Parent &)
{
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4 ... 1024 threads");
    return thread_block_tile<Size, Parent>();
}
template <class Parent>
static inline thread_group_tile tiled_partition(const Parent &, unsigned size)
{
    return thread_group_tile(size);
}
/* The lanes of the group that bring the same value */
template <class Group>
static inline coalesced_group binary_partition(const Group &group, bool predicate)
{
    unsigned all = group.lanes(), yes = __ballot_sync(all, predicate);
    return coalesced_group(predicate ? yes & all : all & ~yes);
}
#if EMULATED_ARCH >= 700
template <class Group, class Label>
static inline coalesced_group labeled_partition(const Group &group, Label label)
{
    return coalesced_group(__match_any_sync(group.lanes(), label));
}
#endif
template <class Group> static inline unsigned long long thread_rank(const Group &group)
{
    return group.thread_rank();
}
template <class Group> static inline unsigned long long group_size(const Group &group)
{
    return group.size();
}

/* cooperative_groups/memcpy_async.h: the group copies together. The elements are there for all when
 * all have waited. */
template <class Group, class T, class Size>
static EMULATED_INLINE void memcpy_async(const Group &group, T *to, const T *from, Size bytes)
{
    ::emulated::async_copy_together((char *)to, (const char *)from, (size_t)bytes,
                                    group.thread_rank(), group.size());
    emulated_async_commit();
}
/* As many elements as both have room for */
template <class Group, class T, class Size>
static EMULATED_INLINE void memcpy_async(const Group &group, T *to, Size room, const T *from,
                                         Size there)
{
    memcpy_async(group, to, from, (size_t)(there < room ? there : room) * sizeof(T));
}
template <class Group> static EMULATED_INLINE void wait(const Group &group)
{
    emulated_async_wait(-1);
    group.sync();
}
template <unsigned Stages, class Group> static EMULATED_INLINE void wait_prior(const Group &group)
{
    emulated_async_wait((int)Stages);
    group.sync();
}
template <class Group> static EMULATED_INLINE void sync(const Group &group) { group.sync(); }

template <class Group, class F> static inline void invoke_one(const Group &group, F f)
{
    if (group.thread_rank() == 0)
        f();
}

} // namespace cooperative_groups
#endif
