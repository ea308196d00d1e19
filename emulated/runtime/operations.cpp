// operations.cpp: decides which of two operations certainly came first, and notes which memory each
// has touched.
//
// An operation comes after those before it in its stream, those that the host had waited for when
// it was submitted, and those behind the events that its stream waited for: its history. Nothing
// else counts, not even the order in which they run. Each word of global memory remembers the
// operations that wrote it and read it last; an access by one whose history lacks one of them is a
// race. An access by the host counts alike.
//
// A word names a team: one operation, or several that nothing orders (that read the word, or
// updated it by atomics).
#include "streams.h"

#include "cuda_emulated.h"

#include <algorithm>
#include <map>
#include <set>
#include <sys/mman.h>
#include <thread>

namespace emulated
{

void History::learn(u32 track, u32 operation)
{
    if (track >= last.size())
        last.resize(track + 1);
    last[track] = std::max(last[track], operation);
}

void History::learn(const History &other)
{
    if (other.last.size() > last.size())
        last.resize(other.last.size());
    for (size_t i = 0; i < other.last.size(); i++)
        last[i] = std::max(last[i], other.last[i]);
}

bool History::knows(const History &other) const
{
    for (size_t i = 0; i < other.last.size(); i++)
        if (other.last[i] && !knows((u32)i, other.last[i]))
            return false;
    return true;
}

// ---- operations that may still be running -------------------------------------------------------

struct Issued {
    u32 track;
    Pc place;
    const std::string *name;
    bool kernel;
    End end;
};
// of the operations from first_trace on; older ones are known to all
static std::vector<Issued> traces EMULATED_EARLY;
static u32 first_trace = 1;
static std::set<std::string> names EMULATED_EARLY;
static std::vector<u32> last_of_track EMULATED_EARLY, free_tracks EMULATED_EARLY,
    retired EMULATED_EARLY;
static History host EMULATED_EARLY;

const History &host_history() { return host; }
bool host_knows(u32 track, u32 operation)
{
    return operation < first_trace || host.knows(track, operation);
}

// Places that the host has claimed by compare-and-swap, while operations wait that will be compared
// with its reads
static std::set<u64> claimed EMULATED_EARLY;

// Other threads of the host may have learned what a host function in a stream knows: it starts
// them, or wakes them up. Indexed by the thread that submitted the function, which can only have
// waited.
static std::map<std::thread::id, History> told_by EMULATED_EARLY;

static std::set<u32> branches EMULATED_EARLY; // tracks of graphs

void note_branch(u32 track) { branches.insert(track); }

u32 new_track()
{
    if (last_of_track.empty())
        last_of_track.push_back(0); // the host's
    if (free_tracks.empty()) {
        last_of_track.push_back(0);
        return (u32)last_of_track.size() - 1;
    }
    u32 track = free_tracks.back();
    free_tracks.pop_back();
    branches.erase(track);
    return track;
}

void retire_track(u32 track) { retired.push_back(track); }

static const Issued &trace(u32 operation) { return traces[operation - first_trace]; }

// Steps are a clock without time: a copy or a kernel takes one. It begins when all that it depends
// on has ended; a copy also waits for earlier ones of its engine, one for each direction. Here: the
// last step of the operations before first_trace; of an engine's last one
static End end_of_known;
static u32 end_of_engine[kEngines];
// of all; that the host knows of; how often it has waited for one
static u32 last_step, last_step_of_host, waits;

static void move_back(End &end, const End &other)
{
    end.step = std::max(end.step, other.step);
    end.seconds = std::max(end.seconds, other.seconds);
}

End end_after(const History &history)
{
    End end = end_of_known;
    for (u32 operation : history.last)
        if (operation >= first_trace)
            move_back(end, trace(operation).end);
    return end;
}

void operation_ends_at(u32 number, double seconds)
{
    if (number >= first_trace) // otherwise the host has already learned of its end
        traces[number - first_trace].end.seconds = seconds;
}

u32 number_operation(u32 track, Pc place, const std::string &name, Engine engine,
                     const History &before)
{
    u32 end = end_after(before).step;
    if (engine == kCopyIn || engine == kCopyOut)
        end = end_of_engine[engine] = std::max(end, end_of_engine[engine]) + 1;
    else if (engine == kKernels)
        end++;
    last_step = std::max(last_step, end);
    traces.push_back({track, place, &*names.insert(name).first, engine == kKernels, {end, 0}});
    const u32 number = first_trace + (u32)traces.size() - 1;
    last_of_track[track] = number;
    note_submitted(name, place, number, track, engine == kKernels);
    return number;
}

// ---- teams --------------------------------------------------------------------------------------

typedef std::vector<u32> Team;
// from first_team on; all of an older team is known to all
static std::vector<Team> teams EMULATED_EARLY;
static u32 first_team = 1;
static std::map<std::pair<u32, u32>, u32> joined EMULATED_EARLY; // team and newcomer

static u32 new_team(const Team &team)
{
    teams.push_back(team);
    return first_team + (u32)teams.size() - 1;
}

// While operations wait to be run, the host's accesses leave marks, too: the host then counts as an
// operation.
static Operation host_operation EMULATED_EARLY;
static const u32 kHostTrack = 0;

// Who touches memory now: an operation, or the host (NULL).
static struct {
    const Operation *operation;
    const History *history;
    u32 team; // of this operation alone
    struct {
        u32 team, stranger;
    } cache[64];
} toucher = {nullptr, &host, 0, {}};

static void set_toucher(const Operation *operation)
{
    toucher.operation = operation;
    toucher.history = operation && operation != &host_operation ? &operation->before : &host;
    toucher.team = operation ? new_team({operation->number}) : 0;
    for (auto &entry : toucher.cache)
        entry.team = 0;
}

static bool is_stranger(u32 operation)
{
    return !(toucher.operation && toucher.operation->number == operation) &&
           !toucher.history->knows(trace(operation).track, operation);
}

// A member of the team that is not known to come before the toucher; 0: none.
static u32 stranger_in(u32 team)
{
    if (team < first_team || team == toucher.team)
        return 0;
    auto &entry = toucher.cache[team & 63];
    if (entry.team != team) {
        entry.team = team;
        entry.stranger = 0;
        for (u32 member : teams[team - first_team])
            if (is_stranger(member))
                entry.stranger = member;
    }
    return entry.stranger;
}

// The team and the toucher, without those that certainly come before it: an operation after the
// toucher is after them, too.
static u32 join(u32 team)
{
    u32 &sum = joined[std::make_pair(team, toucher.operation->number)];
    if (!sum) {
        Team members = {toucher.operation->number};
        for (u32 member : teams[team - first_team])
            if (is_stranger(member))
                members.push_back(member);
        sum = new_team(members);
    }
    return sum;
}

const Operation *operation_now() { return toucher.operation; }
void begin_operation(const Operation &operation) { set_toucher(&operation); }
void end_operation() { set_toucher(nullptr); }

static bool work_is_left()
{
    for (u32 track = kHostTrack + 1; track < last_of_track.size(); track++)
        if (!host_knows(track, last_of_track[track]))
            return true;
    return false;
}

void host_learns(const History &history)
{
    const u32 step = end_after(history).step;
    waits += step > last_step_of_host;
    last_step_of_host = std::max(last_step_of_host, step);
    report_held_reads();
    host.learn(history);
    set_toucher(toucher.operation);
    if (work_is_left() || toucher.operation) // a host function that waits
        return;
    // Everything submitted so far has ended, so no further query is needed.
    told_by.clear();
    claimed.clear();
    for (const Issued &t : traces)
        move_back(end_of_known, t.end);
    first_trace += (u32)traces.size();
    first_team += (u32)teams.size();
    traces.clear();
    teams.clear();
    joined.clear();
    free_tracks.insert(free_tracks.end(), retired.begin(), retired.end());
    retired.clear();
}

// ---- one word -----------------------------------------------------------------------------------

// The lowest four bits of a mark tell which bytes are meant, the next one whether all accesses were
// atomic or volatile, the others the team.
struct Marks {
    u32 write, read;
};
enum : u32 { kBytes = 15, kAllStrong = 16, kTeamShift = 5 };
static Marks *marks_of_region[kRegions];

static Marks *marks_at(u64 address, Region **region)
{
    Region *r = *region = region_of(address);
    if (!r || r->space != kGlobal)
        return nullptr;
    Marks *&marks = marks_of_region[r - regions];
    if (!marks) {
        void *p = mmap(nullptr, (r->size / 4 + 1) * sizeof(Marks), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return nullptr; // no room to look for such races
        marks = (Marks *)p;
    }
    return marks + (address - (u64)r->begin) / 4;
}

static inline u32 conflict(u32 mark, u32 part, bool strong)
{
    return (mark & part) && !(strong && (mark & kAllStrong)) ? stranger_in(mark >> kTeamShift) : 0;
}

static inline void leave_mark(u32 &mark, u32 part, bool strong)
{
    if (mark >> kTeamShift == toucher.team)
        mark |= part;
    else if (stranger_in(mark >> kTeamShift))
        mark =
            join(mark >> kTeamShift) << kTeamShift | ((mark | part) & kBytes) | (mark & kAllStrong);
    else
        mark = toucher.team << kTeamShift | part | kAllStrong;
    if (!strong)
        mark &= ~(u32)kAllStrong;
}

struct Conflict {
    u32 operation;
    bool wrote;
    bool strong; // by atomic or volatile accesses alone
};

static inline Conflict touch_word(Marks &m, u32 part, u8 flags)
{
    const bool strong = flags & kStrong;
    Conflict found = {conflict(m.write, part, strong), true, (m.write & kAllStrong) != 0};
    if ((flags & kWrite) && !found.operation)
        found = {conflict(m.read, part, strong), false, (m.read & kAllStrong) != 0};
    if (!toucher.operation) // the host leaves no marks: what is submitted later comes after it
        return found;
    leave_mark(flags & kWrite ? m.write : m.read, part, strong);
    return found;
}

// ---- findings -----------------------------------------------------------------------------------

static std::string described(const Issued &t, bool of_graph)
{
    const char *how = of_graph ? ", launched or made a node at " : ", launched at ";
    return (t.kernel ? "kernel " + *t.name + how : *t.name + " at ") + place_name(t.place);
}

void host_function_begins(std::thread::id submitter)
{
    told_by[submitter].learn(operation_now()->before);
}

static bool told_by_function(u32 operation)
{
    for (const auto &entry : told_by)
        if (entry.first != std::this_thread::get_id() &&
            entry.second.knows(trace(operation).track, operation))
            return true;
    return false;
}

// The host looks at a word before it claims it by compare-and-swap, while a kernel updates it by
// atomics: as between threads of a kernel, that is known when the claim comes.
struct HeldRead {
    u64 address;
    Finding finding;
};
static std::vector<HeldRead> held_reads EMULATED_EARLY;
static std::set<Pc> reads_before_claims EMULATED_EARLY;

void host_claims(u64 address)
{
    if (traces.empty() || !try_device_lock())
        return;
    if (operations_wait())
        claimed.insert(address);
    for (size_t i = held_reads.size(); i-- > 0;)
        if (held_reads[i].address == address) {
            reads_before_claims.insert(held_reads[i].finding.pc);
            held_reads.erase(held_reads.begin() + (std::ptrdiff_t)i);
        }
    unlock_device();
}

void report_held_reads()
{
    for (const HeldRead &held : held_reads)
        if (!reads_before_claims.count(held.finding.pc))
            report(held.finding);
    held_reads.clear();
}

static const std::string the_host = "the host";
static const std::string *host_call = &the_host; // a finding's words for the reader or writer

static void report_conflict(Lane *lane, Pc pc, u64 address, u8 flags, const Conflict &found)
{
    const Issued &other = trace(found.operation);
    const bool by_host = !toucher.operation || toucher.operation == &host_operation;
    const u64 key = (u64)other.place - code_base();
    const bool of_claimed =
        other.track == kHostTrack && !found.wrote && (flags & kStrong) && claimed.count(address);
    if (of_claimed ||
        (by_host && (reads_before_claims.count(pc) || told_by_function(found.operation))) ||
        known("race", pc, key))
        return;
    const bool frees = !lane && !by_host && toucher.operation->name == "cudaFreeAsync",
               was_freed = *other.name == "cudaFreeAsync",
               was_made = *other.name == "cudaMallocAsync";
    const char *verb = frees             ? "frees "
                       : flags & kAtomic ? "updates "
                       : flags & kWrite  ? "writes "
                                         : "reads ";
    const bool of_graph = branches.count(other.track) ||
                          (toucher.operation && branches.count(toucher.operation->track));
    const char *waits = "(cudaDeviceSynchronize, cudaStreamSynchronize, an event)";
    std::string remedy, message = lane      ? ""
                                  : by_host ? *host_call + " "
                                            : toucher.operation->name + " ";
    message += verb + describe(address) + ", which " + described(other, of_graph) +
               (was_freed     ? ", frees"
                : was_made    ? ", allocates"
                : found.wrote ? ", writes"
                              : ", reads");
    if (by_host)
        message += std::string(": the host has not waited for that ") + waits;
    else if (other.track == kHostTrack)
        message += std::string(" without having waited for this ") + waits;
    else {
        message += std::string(" in another stream") + (of_graph ? " or branch of a graph" : "") +
                   ": nothing orders the two";
        remedy = std::string("an event that the stream waits for, or a synchronisation") +
                 (of_graph ? ", or a dependency between nodes" : "");
        if (frees || was_freed || was_made) { // no other element can have been meant
            message += " (" + remedy + ")";
            remedy.clear();
        }
    }
    Finding finding = {"race", pc, lane, object_name(address), message, key};
    finding.remedy = remedy;
    if (!by_host || flags != kRead || !found.wrote || !found.strong || held_reads.size() > 100) {
        report(finding);
        return;
    }
    for (const HeldRead &held : held_reads)
        if (held.address == address && held.finding.pc == pc)
            return;
    held_reads.push_back({address, finding});
}

static void touch_at(Lane *lane, Pc pc, u64 address, u64 bytes, u8 flags)
{
    Region *r;
    Marks *m = marks_at(address, &r);
    if (!m || address + bytes > (u64)r->begin + r->size)
        return;
    const u64 end = address + bytes;
    for (u64 a = address; a < end; m++) {
        const u64 next = std::min<u64>(end, (a & ~3ull) + 4);
        const u32 part = ((1u << (next - a)) - 1) << (a & 3);
        Conflict found = touch_word(*m, part, flags);
        if (__builtin_expect(found.operation != 0, 0))
            report_conflict(lane, pc, a, flags, found);
        a = next;
    }
}

bool several_streams;

static u64 bytes_read; // of memory that kernels write, by copies and libraries

static void notice_read(u64 address, u64 bytes)
{
    if (device_only(address) || is_variable(address) || is_managed(address))
        bytes_read += bytes;
}

void touch(u64 address, u64 bytes, u8 flags)
{
    if (flags & kRead)
        notice_read(address, bytes);
    if (toucher.operation && !settings.fast && watched(address))
        touch_at(nullptr, toucher.operation->place, address, bytes, flags);
}

void touch_by_lanes(Lane **lanes, const u64 *addresses, int count, u32 bytes, u8 flags, Pc pc)
{
    if (!toucher.operation)
        return;
    for (int i = 0; i < count; i++)
        touch_at(lanes[i], pc, addresses[i], bytes, flags);
}

// The host as an operation: after all that it has waited for, before all that is submitted from now
// on.
static void begin_host_operation(Pc pc)
{
    // of this operation, by place, since something was last submitted
    static std::map<Pc, u32> numbers;
    static u32 newest;
    const u32 last = first_trace + (u32)traces.size() - 1;
    if (newest != last)
        numbers.clear();
    u32 &number = numbers[pc];
    if (!number) {
        number = newest = number_operation(kHostTrack, pc, "the host", kNoEngine, host);
        host.learn(kHostTrack, number);
    }
    if (toucher.operation == &host_operation && host_operation.number == number)
        return;
    host_operation.number = number;
    host_operation.place = pc;
    set_toucher(&host_operation);
}

// The host reads a place by a volatile access, which may carry a message of the kernel that has
// written it so. Before, some waiting work is done, or the host would poll for ever.
static void host_polls(u64 address)
{
    if (operations_wait())
        run_some_operation();
    Region *r;
    const Marks *m = marks_at(address, &r);
    const u32 writer = m && (m->write & kAllStrong) ? stranger_in(m->write >> kTeamShift) : 0;
    if (!writer)
        return;
    History seen;
    seen.learn(trace(writer).track, writer);
    host_learns(seen);
}

static void order_host_access(u64 address, u64 bytes, u8 flags, Pc pc)
{
    if (!toucher.operation && (flags & kStrong) && !(flags & kWrite))
        host_polls(address);
    const bool marks = !toucher.operation && operations_wait();
    if (marks)
        begin_host_operation(pc);
    touch_at(nullptr, pc, address, bytes, flags);
    if (marks)
        set_toucher(nullptr);
}

void touch_by_host(u64 address, u64 bytes, u8 flags, Pc pc)
{
    const bool brings = (flags & kWrite) && in_arena(address);
    const bool may_race = !settings.fast && !traces.empty();
    if (!brings && !may_race)
        return;
    if (!try_device_lock())
        return; // another host thread uses the device: what it has seen by now is unknown
    if (brings)
        counters_from_host(bytes);
    if (may_race)
        order_host_access(address, bytes, flags, pc);
    unlock_device();
}

} // namespace emulated

extern "C" int emulatedWorkIsLeft(void) { return emulated::work_is_left(); }

extern "C" long emulatedLastStep(void) { return emulated::last_step; }

extern "C" long emulatedWaits(void) { return emulated::waits; }

extern "C" unsigned long long emulatedBytesRead(void) { return emulated::bytes_read; }

extern "C" void emulatedHostAccess(const char *call, const void *data, size_t bytes, int writes,
                                   const void *place)
{
    using namespace emulated;
    const std::string name = call;
    DeviceLock lock;
    host_call = &name;
    if (!writes)
        notice_read((u64)data, bytes);
    touch_by_host((u64)data, bytes, writes ? kWrite : kRead, (Pc)place);
    host_call = &the_host;
}
