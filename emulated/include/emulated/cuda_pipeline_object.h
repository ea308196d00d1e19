/* cuda_pipeline_object.h: <cuda/pipeline>. A pipeline of one thread is the order of its own copies;
 * one of a block has two barriers for each stage: it is full, it is empty. */
#ifndef EMULATED_CUDA_PIPELINE_OBJECT_H
#define EMULATED_CUDA_PIPELINE_OBJECT_H
#include "cuda_barrier.h"

namespace cuda
{

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, int Stages> class pipeline_shared_state
{
  public:
    barrier<Scope> full[Stages], empty[Stages]; /* not CUDA's */
    pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
};

template <thread_scope Scope> class pipeline
{
    barrier<Scope> *full_, *empty_;
    int stages_;
    unsigned head_, tail_; /* stages acquired and consumed so far */
    bool produces_, consumes_;

  public:
    pipeline(barrier<Scope> *full, barrier<Scope> *empty, int stages, bool produces, bool consumes)
        : full_(full), empty_(empty), stages_(stages), head_(0), tail_(0), produces_(produces),
          consumes_(consumes)
    {
    }
    EMULATED_INLINE void producer_acquire() /* the first round finds every stage empty */
    {
        if (produces_ && head_ >= (unsigned)stages_)
            empty_[head_ % stages_].wait_parity(head_ / stages_ % 2 == 0);
    }
    EMULATED_INLINE void producer_commit()
    {
        if (produces_)
            (void)full_[head_++ % stages_].arrive();
    }
    EMULATED_INLINE void consumer_wait()
    {
        if (consumes_)
            full_[tail_ % stages_].wait_parity(tail_ / stages_ % 2);
    }
    EMULATED_INLINE void consumer_release()
    {
        if (consumes_)
            (void)empty_[tail_++ % stages_].arrive();
    }
    bool quit() { return true; }
};

template <> class pipeline<thread_scope_thread>
{
    int committed_, waited_;

  public:
    pipeline() : committed_(0), waited_(0) {}
    void producer_acquire() {}
    EMULATED_INLINE void producer_commit()
    {
        emulated_async_commit();
        committed_++;
    }
    EMULATED_INLINE void consumer_wait()
    {
        waited_++;
        emulated_async_wait(committed_ - waited_);
    }
    EMULATED_INLINE void wait_prior(int stages) /* not CUDA's */
    {
        waited_ = committed_ - stages;
        emulated_async_wait(stages);
    }
    void consumer_release() {}
    bool quit() { return true; }
};

static inline pipeline<thread_scope_thread> make_pipeline()
{
    return pipeline<thread_scope_thread>();
}

namespace emulated
{
template <class Group, thread_scope Scope, int Stages>
static EMULATED_INLINE pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, size_t producers,
              size_t consumers, bool produces, bool consumes)
{
    if (group.thread_rank() == 0)
        for (int i = 0; i < Stages; i++) {
            init(&state->full[i], (::std::ptrdiff_t)producers);
            init(&state->empty[i], (::std::ptrdiff_t)consumers);
        }
    group.sync();
    return pipeline<Scope>(state->full, state->empty, Stages, produces, consumes);
}
} // namespace emulated

template <class Group, thread_scope Scope, int Stages>
static EMULATED_INLINE pipeline<Scope> make_pipeline(const Group &group,
                                                     pipeline_shared_state<Scope, Stages> *state)
{
    return emulated::make_pipeline(group, state, group.size(), group.size(), true, true);
}
/* Some threads produce, the others consume: by their number, or each says for itself. */
template <class Group, thread_scope Scope, int Stages>
static EMULATED_INLINE pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, size_t producers)
{
    const bool produces = group.thread_rank() < producers;
    return emulated::make_pipeline(group, state, producers, group.size() - producers, produces,
                                   !produces);
}
template <class Group, thread_scope Scope, int Stages>
static EMULATED_INLINE pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, pipeline_role role)
{
    const bool produces = role == pipeline_role::producer;
    const size_t producers = (size_t)__syncthreads_count(produces);
    return emulated::make_pipeline(group, state, producers, group.size() - producers, produces,
                                   !produces);
}

template <int Prior>
static EMULATED_INLINE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe)
{
    pipe.wait_prior(Prior);
}

template <class Group, class T, class Size, thread_scope Scope>
static EMULATED_INLINE void memcpy_async(const Group &group, T *to, const T *from, Size bytes,
                                         pipeline<Scope> &)
{
    ::emulated::async_copy_together((char *)to, (const char *)from, (size_t)bytes,
                                    group.thread_rank(), group.size());
}
template <class T, class Size, thread_scope Scope>
static EMULATED_INLINE void memcpy_async(T *to, const T *from, Size bytes, pipeline<Scope> &)
{
    ::emulated::async_copy_together((char *)to, (const char *)from, (size_t)bytes, 0, 1);
}

} // namespace cuda
#endif
