// findings.cpp: the mistakes that were found. The first finding of a kind is shown at once, the
// others are counted.
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <unistd.h>

#include "cuda_emulated.h"
#include "objects.h"
#include "streams.h"
#include "times.h"

namespace emulated
{

struct Record {
    const char *kind;
    std::string kernel, file, block, thread, object, message, text, hint;
    int line;
    unsigned long long times;
    bool may_be_right, both_write, between_blocks, of_unwritten;
};
static std::vector<Record> records EMULATED_EARLY;
static std::map<std::tuple<std::string, Pc, u64>, size_t> index_of EMULATED_EARLY;
static std::map<std::string, int> shown EMULATED_EARLY;
static std::map<size_t, Finding> late EMULATED_EARLY; // by their records
static size_t first;                                  // of those since the last reset
static bool silent;

Who::Who(const Lane *lane) : somebody(lane != nullptr), thread(), block()
{
    if (lane) {
        thread = lane->id;
        block = lane->warp->block->id;
    }
}

std::string triple(const uint3 &v)
{
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string thread_name(const Who &who)
{
    return "thread " + triple(who.thread) + " of block " + triple(who.block);
}

bool known(const char *kind, Pc pc, u64 key)
{
    auto it = index_of.find(std::make_tuple(std::string(kind), pc, key));
    if (it == index_of.end())
        return false;
    needs_one_core();
    records[it->second].times++;
    return true;
}

cudaError_t bad_call(Pc place, const std::string &message, cudaError_t error)
{
    report({"bad-call", place, nullptr, "", message, 0});
    return fail(error);
}

static void show(const Record &r)
{
    if (shown[r.kind]++ == 0)
        say(r.text + (r.hint.empty() ? "" : "\n    " + r.hint));
}

static std::string line_of(const Record &r) { return r.file + ":" + std::to_string(r.line); }

// What tells most comes first. A barrier that not all reach explains what is read too early behind
// it. What orders blocks orders the threads of one, too. Two writes of one element, and a value
// that was never written, often come of a wrong index. Where such a value may have led comes of
// that, as a race in an array that is left, or in the line that leaves it, comes of leaving it.
// That a kernel does not end, a block of a cluster has, or a barrier is not ready comes of
// anything.
class Ranks
{
    std::set<std::string> out_of_bounds, between_blocks; // arrays and lines of the kernels
    std::map<std::string, size_t> kernels;               // in their order

  public:
    Ranks(const std::vector<size_t> &some)
    {
        for (size_t k : some) {
            const Record &r = records[k];
            kernels.insert({r.kernel, k});
            if (strcmp(r.kind, "out-of-bounds") == 0) {
                out_of_bounds.insert(r.kernel + r.object);
                out_of_bounds.insert(r.kernel + line_of(r));
            }
            if (r.between_blocks && !r.both_write)
                between_blocks.insert(r.kernel + r.object);
        }
    }
    std::pair<size_t, int> of(size_t k) const
    {
        const Record &r = records[k];
        return {kernels.at(r.kernel), within_kernel(r)};
    }

  private:
    int within_kernel(const Record &r) const
    {
        const std::string kind = r.kind;
        if (kind == "barrier-divergence")
            return 0;
        if (kind == "cluster-lifetime" || kind == "bad-mbarrier" || kind == "endless-kernel")
            return 5;
        const bool goes_past = kind == "race" && (out_of_bounds.count(r.kernel + r.object) ||
                                                  out_of_bounds.count(r.kernel + line_of(r)));
        if (r.of_unwritten || goes_past)
            return 4;
        if (r.both_write || kind == "uninitialised-read")
            return 3;
        return kind == "race" && !r.between_blocks && between_blocks.count(r.kernel + r.object) ? 2
                                                                                                : 1;
    }
};

static void sort_by(const Ranks &ranks, std::vector<size_t> &some)
{
    std::stable_sort(some.begin(), some.end(),
                     [&](size_t a, size_t b) { return ranks.of(a) < ranks.of(b); });
}

// The finding states what was observed. What mends it depends on what the program is to do.
static std::string hint_of(const Finding &f)
{
    return f.remedy.empty() ? ""
                            : "if both are to use it: " + f.remedy +
                                  "; if not, an index, a pointer or a condition is wrong";
}

static Record record_of(const Finding &f)
{
    const Place &place = place_of(f.who.somebody ? in_program(f.pc) : f.pc);
    Record r = {f.kind,
                launch_now.kernel,
                place.line ? place.file : "",
                "",
                "",
                f.object,
                f.message,
                "",
                "",
                place.line,
                1,
                f.may_be_right,
                f.both_write,
                f.between_blocks,
                f.of_unwritten};
    if (f.who.somebody) {
        r.block = triple(f.who.block);
        r.thread = triple(f.who.thread);
    }
    if (place.line)
        r.text = place.file + ":" + std::to_string(place.line) + ": ";
    r.text += std::string(f.kind) + ": ";
    if (!r.kernel.empty())
        r.text += "kernel " + r.kernel + ", ";
    if (f.who.somebody)
        r.text += thread_name(f.who) + " ";
    r.text += f.message;
    if (!place.caller.empty())
        r.text += " (called at " + place.caller + ")";
    r.hint = hint_of(f);
    return r;
}

void report(const Finding &f)
{
    needs_one_core();
    if (known(f.kind, f.pc, f.key))
        return;
    if (!f.shown_late)
        find_cause(f);
    const Record r = record_of(f);
    index_of[std::make_tuple(std::string(f.kind), f.pc, f.key)] = records.size();
    records.push_back(r);
    if (f.shown_late)
        late.insert({records.size() - 1, f});
    else
        show(r);
}

static void put(size_t k, const Finding &f)
{
    const auto times = records[k].times;
    records[k] = record_of(f);
    records[k].times = times;
}

void replace_late(const Finding &f)
{
    const auto it = index_of.find(std::make_tuple(std::string(f.kind), f.pc, f.key));
    if (it == index_of.end() || !late.count(it->second))
        return;
    put(it->second, f);
    late.at(it->second) = f;
}

void show_late_findings()
{
    auto held = std::move(late);
    late.clear();
    std::vector<size_t> some;
    for (auto &entry : held) {
        some.push_back(entry.first);
        if (settle_order(&entry.second))
            put(entry.first, entry.second);
    }
    const Ranks ranks(some);
    sort_by(ranks, some);
    for (size_t k : some) {
        if (ranks.of(k) == ranks.of(some[0])) // the others may only follow from it
            find_cause(held.at(k));
        show(records[k]);
    }
}

void say(const std::string &line)
{
    if (silent)
        return;
    fflush(stdout);
    fprintf(stderr, "%s\n", line.c_str());
}

static void write_quoted(FILE *f, const std::string &s)
{
    if (s.find_first_of(",\"\n") == std::string::npos) {
        fputs(s.c_str(), f);
        return;
    }
    fputc('"', f);
    for (char c : s) {
        if (c == '"')
            fputc('"', f);
        fputc(c, f);
    }
    fputc('"', f);
}

static bool write_findings()
{
    std::string temporary = std::string(settings.findings_file) + ".part";
    FILE *f = fopen(temporary.c_str(), "w");
    if (!f) {
        perror(settings.findings_file);
        return false;
    }
    fprintf(f, "kind,kernel,file,line,block,thread,object,message,times\n");
    for (const Record &r : records) {
        fprintf(f, "%s,", r.kind);
        for (const std::string *s : {&r.kernel, &r.file}) {
            write_quoted(f, *s);
            fputc(',', f);
        }
        fprintf(f, "%d,", r.line);
        for (const std::string *s : {&r.block, &r.thread, &r.object}) {
            write_quoted(f, *s);
            fputc(',', f);
        }
        write_quoted(f, r.message);
        fprintf(f, ",%llu\n", r.times);
    }
    bool bad = ferror(f);
    if (fclose(f) != 0 || bad || rename(temporary.c_str(), settings.findings_file) != 0) {
        perror(settings.findings_file);
        unlink(temporary.c_str());
        return false;
    }
    return true;
}

// The first finding of a kind has been shown: how many there were.
static void print_count(const std::string &kind, int places)
{
    unsigned long long times = 0;
    for (const Record &r : records)
        times += kind == r.kind ? r.times : 0;
    if (places > 1)
        fprintf(stderr,
                "%s: %llu times in %d places (CUDA_EMULATED_FINDINGS=file.csv lists them)\n",
                kind.c_str(), times, places);
    else if (times > 1)
        fprintf(stderr, "%s: %llu times at this line\n", kind.c_str(), times);
}

void exit_report(int status)
{
    show_late_findings();
    if (status == 0) {
        finish_operations();
        if (records.empty() && !settings.fast && !settings.profile)
            make_remarks();
        report_leaks(true);
    }
    if (settings.profile && !settings.fast)
        settings.profile_source ? print_annotated_source() : print_profile();
    bool written = true;
    if (settings.counters_file)
        written &= write_counters();
    if (settings.trace_file)
        written &= write_trace();
    if (settings.times_file && counting_work)
        written &= write_times();
    if (settings.findings_file)
        written &= write_findings();
    if (silent && status != 0 && sticky_error() != cudaSuccess && !records.empty())
        // the cause of the kernel's end, and with it the program's
        fprintf(stderr, "%s\n", records.back().text.c_str());
    if (!silent)
        for (const auto &kind : shown)
            print_count(kind.first, kind.second);
    if (!records.empty() && settings.findings_fatal && !silent && status == 0) {
        fflush(nullptr);
        _exit(1);
    }
    if (!written && status == 0) {
        fflush(nullptr);
        _exit(2);
    }
}

} // namespace emulated

using namespace emulated;

extern "C" {

void emulatedFindingsReset(void)
{
    finish_operations();
    first = records.size();
    begin_objects();
    forget_causes();
    forget_host_copies(0, ~0ull);
    index_of.clear(); // what happens again is found again
}

void emulatedFindLeaks(void)
{
    finish_operations();
    report_leaks(false);
}

int emulatedFindings(void)
{
    finish_operations();
    return (int)(records.size() - first);
}

// Finding i, NULL: there is none
static const Record *finding(int i)
{
    std::vector<size_t> sorted;
    if (i < 0 || i >= emulatedFindings())
        return nullptr;
    for (size_t k = first; k < records.size(); k++)
        sorted.push_back(k);
    sort_by(Ranks(sorted), sorted);
    return &records[sorted[(size_t)i]];
}

const char *emulatedFindingLine(int i)
{
    const Record *r = finding(i);
    return r ? r->text.c_str() : nullptr;
}

const char *emulatedFindingHint(int i)
{
    const Record *r = finding(i);
    return r && !r->hint.empty() ? r->hint.c_str() : nullptr;
}

int emulatedFindingMayBeRight(int i)
{
    const Record *r = finding(i);
    return r && r->may_be_right;
}

const char *emulatedFindingKind(int i)
{
    const Record *r = finding(i);
    return r ? r->kind : nullptr;
}

void emulatedSilence(int on) { silent = on != 0; }

int emulatedFindingsFatal(void) { return settings.findings_fatal; }

} // extern "C"
