// trace.cpp: CUDA_EMULATED_TRACE=FILE writes, for a picture, the accesses of the first block in
// each kernel's first launch: a row for each request of a warp, for each way that a divided warp
// takes, and for each warp at a barrier.
#include "emulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <unistd.h>

namespace emulated
{

static FILE *file;
static std::string temporary EMULATED_EARLY;
static std::set<std::string> traced EMULATED_EARLY; // kernels whose launch has ended
static const int kMostRows = 200000;
static int rows;
static bool failed;

bool trace_wanted(const Warp &warp)
{
    return warp.block->linear == 0 && rows < kMostRows && !failed &&
           !traced.count(launch_now.kernel);
}

void trace_end_launch() { traced.insert(launch_now.kernel); }

static bool open_trace()
{
    if (file || failed)
        return file;
    temporary = std::string(settings.trace_file) + ".part";
    file = fopen(temporary.c_str(), "w");
    if (file)
        fprintf(file,
                "kernel,file,line,column,warp,event,space,bytes,lanes,units,object,addresses\n");
    else
        perror(settings.trace_file);
    failed = !file;
    return file;
}

static void begin_row(Pc pc, const Warp &warp, const char *event)
{
    const Place &p = place_of(pc);
    rows++;
    fprintf(file, "\"%s\",\"%s\",%d,%d,%u,%s,", launch_now.kernel.c_str(), p.file.c_str(), p.line,
            p.column, warp.index, event);
}

static u32 mask_of(Lane **lanes, int count)
{
    u32 mask = 0;
    for (int i = 0; i < count; i++)
        mask |= 1u << lanes[i]->index;
    return mask;
}

// Addresses count from the begin of an allocation, which is a multiple of 512, or of a shared
// variable, as if it began in bank 0; elsewhere from a multiple of 128. So sectors and banks can be
// worked out from them.
static u64 origin_of(u64 address)
{
    const Region *r = region_of(address);
    const Allocation *a = allocation_around(address);
    if (const u64 variable = shared_variable_begin(address))
        return variable;
    return a ? (u64)r->begin + a->offset : r ? (u64)r->begin & ~127ull : 0;
}

void trace_request(Lane **lanes, const u64 *addresses, int count, const Site &s, u64 units)
{
    static const char *const spaces[] = {"global", "shared", "constant"};
    if (!open_trace())
        return;
    begin_row(s.pc, *lanes[0]->warp,
              s.flags & kAtomic  ? "atomic"
              : s.flags & kWrite ? "store"
                                 : "load");
    fprintf(file, "%s,%u,%08x,%llu,\"%s\",", spaces[s.space], s.bytes, mask_of(lanes, count),
            (unsigned long long)units, object_name(addresses[0]).c_str());
    const u64 origin = origin_of(addresses[0]);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%lld", i ? " " : "", (long long)(addresses[i] - origin));
    fputc('\n', file);
}

void trace_lanes(Lane **lanes, int count, const char *event, Pc pc)
{
    if (!open_trace())
        return;
    begin_row(pc, *lanes[0]->warp, event);
    fprintf(file, ",,%08x,,,\n", mask_of(lanes, count));
}

bool write_trace()
{
    if (!open_trace())
        return false;
    const bool bad = ferror(file);
    if (fclose(file) != 0 || bad || rename(temporary.c_str(), settings.trace_file) != 0) {
        perror(settings.trace_file);
        unlink(temporary.c_str());
        return false;
    }
    if (rows >= kMostRows)
        fprintf(stderr, "%s: ends after %d rows; there was more\n", settings.trace_file, kMostRows);
    return true;
}

} // namespace emulated
