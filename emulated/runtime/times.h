// times.h: what the model of a GPU's time needs to know of each kernel.
#ifndef EMULATED_TIMES_H
#define EMULATED_TIMES_H
#include "emulator.h"
#include "streams.h"
#include "time_model.h"

namespace emulated
{
extern bool counting_work; // otherwise nothing below is called, but for the last ones
void work_begin_launch();
void work_begin_block();
void work_request(Warp &warp, u16 id, Site &s, const u64 *addresses, int count, Pattern pattern,
                  bool repeats); // the same shape of addresses as before
void work_barrier(Block &block);
void work_grid_barrier(Block &block);
void work_end_block(Block &block);
void work_fence(Warp &warp);
void work_arrival(Warp &warp, bool is_last); // of a copy that a lane has waited for
void work_update(u64 address, bool is_swap); // a sum of floating-point numbers, or one that swapped
void work_exchange();
void work_matched_value();                       // one of those that the lanes of a match have
void work_site(const Site &s);                   // its sums over the launch
void work_path(Pc pc, u64 times, bool branches); // a basic block, for warps
void work_end_launch(u64 blocks, u64 threads, const Distinct &distinct, u64 busiest);
void work_of_copy(u64 bytes, bool to_device, copy_way way);
void work_of_prefetch(u64 address, u64 bytes, bool to_device);
void work_end_operation(const Operation &operation); // of a stream: what has run beside others?
kernel_work &work_of_part();                         // of a launch that several processes share
void work_add_part(const kernel_work &part);
void work_reset();

void times_init();  // reads CUDA_EMULATED_TIMES_OF
bool write_times(); // as write_counters()

} // namespace emulated
#endif
