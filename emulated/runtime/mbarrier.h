// mbarrier.h: copies that the device makes by itself (bulk copies), and the barriers that count
// them.
#ifndef EMULATED_MBARRIER_RUNTIME_H
#define EMULATED_MBARRIER_RUNTIME_H
#include "emulator.h"

namespace emulated
{

// A copy by pieces: of `bytes` each, from or to global memory, and of 16 in shared memory
struct Bulk {
    std::vector<u64> shared; // where each 16 bytes lie
    std::vector<u64> global; // all pieces, in any order
    u32 bytes;
    std::vector<u8> data; // 16 bytes for each of `shared`
};
// Reads or writes: the checks, as if the lane did it
void use_pieces(Lane *lane, const std::vector<u64> &pieces, u32 bytes, u8 flags, Pc pc);
// From global memory, whose bytes are in `data`
void begin_load(Lane *lane, const Bulk &bulk, u64 barrier, u32 blocks, Pc pc);
struct Target { // `bytes` of global memory get what lies at `from` in data
    u64 to;
    u32 from, bytes;
};
void begin_store(Lane *lane, const Bulk &bulk, const std::vector<Target> &targets, Pc pc);
// Ends the kernel if the address is no multiple of so many bytes
void must_be_aligned(Lane *lane, u64 address, u32 bytes, const char *what, Pc pc);
void forget_products();                                 // matrix.cpp
Lane *calling_lane(const char *call, Pc pc, u64 frame); // all it has done before is done

} // namespace emulated
#endif
