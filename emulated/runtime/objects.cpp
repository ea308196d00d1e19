// objects.cpp: objects that the program creates and must destroy: memory, streams, plans, handles.
// The calls that create and destroy one report it here; an object that is left is a leak.
#include "objects.h"

#include <map>

#include "streams.h"

namespace emulated
{

static const struct {
    const char *what, *made, *ended, *call;
} words[] = {
#define OBJECT(kind, what, made, ended, call) {what, made, ended, call},
    OBJECTS(OBJECT)
#undef OBJECT
};

struct Made {
    Pc place;
    int device;
    u64 bytes, number; // of memory, otherwise 0; of the creation, counted on and on
};
typedef std::map<std::pair<Object, u64>, Made> Register;
static Register live EMULATED_EARLY;
static u64 count, begin; // so many were created; and before the findings were reset

void object_created(Object kind, u64 object, Pc caller, u64 bytes)
{
    DeviceLock lock;
    if (kind != kDeviceMemory && (kind <= kRegisteredMemory || kind >= kBlas))
        note_results_for_host(); // in memory that it can read, or by a library's call
    live[{kind, object}] = {place_of_call(caller), current_device(), bytes, ++count};
}

void object_ended(Object kind, u64 object)
{
    DeviceLock lock;
    live.erase({kind, object});
}

// Memory; that of kernels' own allocations ends with the program.
static Object kind_of(const Allocation &a)
{
    return a.kind == Allocation::device   ? kDeviceMemory
           : a.kind == Allocation::pinned ? kPageLockedMemory
                                          : kManagedMemory;
}
static u64 address_of(const Allocation &a) { return (u64)regions[kArena].begin + a.offset; }

void object_created(const Allocation &a)
{
    object_created(kind_of(a), address_of(a), a.place, a.size);
}
void object_ended(const Allocation &a)
{
    if (a.kind != Allocation::heap)
        object_ended(kind_of(a), address_of(a));
}

void forget_objects(int device)
{
    for (auto it = live.begin(); it != live.end();)
        it = it->second.device == device ? live.erase(it) : std::next(it);
}

void begin_objects() { begin = count; }

static void report_left(Object kind, const std::vector<Register::value_type> &left)
{
    u64 bytes = 0;
    for (const auto &entry : left)
        bytes += entry.second.bytes;
    const auto &w = words[kind];
    const bool one = left.size() == 1 && !bytes;
    const std::string what = w.what,
                      much = bytes ? std::to_string(bytes) + " bytes of " + what
                                   : std::to_string(left.size()) + " " + what + (one ? "" : "s");
    report({"leak", left[0].second.place, nullptr, bytes ? object_name(left[0].first.second) : what,
            much + " " + w.made + " here " + (one ? "is" : "are") + " never " + w.ended + " (" +
                w.call + ")",
            0});
}

// A reported object is forgotten, so that it is reported once.
void report_leaks(bool all)
{
    // a line may have several calls
    std::map<std::pair<std::string, Object>, std::vector<Register::value_type>> places;
    for (auto it = live.begin(); it != live.end();)
        if (it->second.number > (all ? 0 : begin)) {
            places[{place_name(it->second.place), it->first.first}].push_back(*it);
            it = live.erase(it);
        } else
            it++;
    for (const auto &entry : places)
        report_left(entry.first.second, entry.second);
}

} // namespace emulated
