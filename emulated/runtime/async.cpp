// async.cpp: copies into shared memory that are on their way.
//
// A copy reads its source when it starts, and the destination loses its value then: for the checks
// that is a store, so a reader of the old value that nothing orders before it is a race. When the
// thread waits, the bytes arrive by a second store, which later readers must be ordered after.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lockstep.h"
#include "times.h"

namespace emulated
{

void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame); // hooks.cpp

struct Copy {
    u64 to;
    u32 bytes;
    u8 data[16];
    u32 group;
};
struct Copies {
    std::vector<Copy> on_their_way; // in order
    u32 group = 0;                  // of the next one
    Copy started;                   // by the read, until the write names its destination
};

int lanes_with_copies;

void delete_copies(Lane *lane)
{
    lanes_with_copies--;
    delete lane->copies;
    lane->copies = nullptr;
}

static Copies &copies_of(Lane *lane)
{
    if (!lane->copies) {
        lane->copies = new Copies;
        lanes_with_copies++;
    }
    return *lane->copies;
}

bool arriving;

bool copy_on_its_way(const Lane *lane, u64 address)
{
    if (load_on_its_way(lane, address))
        return true;
    for (const Lane &other : lane->warp->block->lanes)
        for (size_t i = 0; other.copies && i < other.copies->on_their_way.size(); i++)
            if (address - other.copies->on_their_way[i].to < other.copies->on_their_way[i].bytes)
                return true;
    return false;
}

static void empty(u64 address, u32 bytes)
{
    memset((void *)address, 0xff, bytes);
    Region *r = region_of(address);
    if (!settings.fast && r)
        mark(*r, address - (u64)r->begin, bytes, 0, kInitialised);
}

// The store that the copy makes when it arrives. It has been counted when the copy started.
static void arrive(Lane *lane, const Copy &copy, Pc pc)
{
    if (!settings.fast) {
        Site &s = site(site_of(pc));
        const Site before = s;
        arriving = true;
        check_request(&lane, &copy.to, 1, copy.bytes, kWrite, pc);
        site(site_of(pc)) = before;
        if (launch_now.killed) {
            arriving = false;
            leave_forever(lane);
        }
        if (lane->watching)
            begin_watch(lane);
    }
    memcpy((void *)copy.to, copy.data, copy.bytes);
    changed(copy.to);
    if (lane->watching)
        end_watch(lane);
    arriving = false;
}

static Lane *caller(const char *call)
{
    if (!current) {
        fprintf(stderr, "%s is called from host code: it can only be used in a kernel\n", call);
        exit(2);
    }
    return current;
}

} // namespace emulated

using namespace emulated;

extern "C" {

void emulated_async_read(const void *from, size_t bytes, size_t all)
{
    Lane *lane = caller("an asynchronous copy");
    const Pc pc = __builtin_return_address(0);
    if ((all != 4 && all != 8 && all != 16) || bytes > all) {
        report({"misaligned", pc, lane, object_name((u64)from),
                "copies " + std::to_string(all) + " bytes asynchronously: only 4, 8 or 16 can be",
                0});
        kill_kernel(cudaErrorMisalignedAddress);
        return;
    }
    if (is_shared((u64)from)) {
        report({"invalid-address", pc, lane, object_name((u64)from),
                "copies asynchronously from shared memory: the source must be in global memory",
                0});
        kill_kernel(cudaErrorIllegalAddress);
        return;
    }
    site(site_of(pc)).ahead = true;
    if (bytes == all)
        atomic_access((u64)from, (u32)all, kRead, pc, EMULATED_FRAME);
    else if ((u64)from % all)
        report_alignment(lane, (u64)from, (u32)all, kRead, pc);
    else
        for (u64 i = 0; i < bytes; i++) // the rest does not exist
            atomic_access((u64)from + i, 1, kRead, pc, EMULATED_FRAME);
    Copy &copy = copies_of(lane).started;
    memset(copy.data, 0, sizeof copy.data);
    memcpy(copy.data, from, bytes);
}

void emulated_async_write(void *to, size_t bytes)
{
    Lane *lane = caller("an asynchronous copy");
    const Pc pc = __builtin_return_address(0);
    if (!is_shared((u64)to)) {
        report({"invalid-address", pc, lane, object_name((u64)to),
                "copies asynchronously to " + describe((u64)to) +
                    ": the destination must be in shared memory",
                0});
        kill_kernel(cudaErrorIllegalAddress);
        return;
    }
    settle(pc, EMULATED_FRAME, true);
    atomic_access((u64)to, (u32)bytes, kWrite, pc, EMULATED_FRAME);
    Copies &copies = copies_of(lane);
    copies.started.to = (u64)to;
    copies.started.bytes = (u32)bytes;
    copies.started.group = copies.group;
    copies.on_their_way.push_back(copies.started);
    empty((u64)to, (u32)bytes);
}

void emulated_async_commit(void) { copies_of(caller("an asynchronous copy")).group++; }

void emulated_async_wait(int prior)
{
    Lane *lane = caller("waiting for an asynchronous copy");
    const Pc pc = __builtin_return_address(0);
    pause(lane, pc, EMULATED_FRAME); // its reads come before
    if (!lane->copies)
        return;
    Copies &copies = *lane->copies;
    std::vector<Copy> rest;
    for (const Copy &copy : copies.on_their_way)
        if (prior < 0 || (long long)copy.group < (long long)copies.group - prior)
            arrive(lane, copy, pc);
        else
            rest.push_back(copy);
    if (counting_work && rest.size() < copies.on_their_way.size())
        work_arrival(*lane->warp, rest.empty());
    copies.on_their_way.swap(rest);
}

} // extern "C"
