// causes.cpp: the mistake behind a finding, in terms of the program. A rule names it only where
// what was observed leaves no other.
#include "emulator.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "cuda_emulated.h"

namespace emulated
{

// How far from its start an allocation was used past its end, and what has filled it from its start
// on: by the allocation's offset.
struct Copied {
    Pc place;
    u64 bytes;
    const char *call, *does, *side; // "copies ... to"
};
struct Reach {
    u64 end;
    Pc first;  // that went past the end
    u32 bytes; // of that access
};
static std::map<u64, Reach> reached EMULATED_EARLY;
static std::map<u64, Copied> copied EMULATED_EARLY;
// Copies of what had no value, by their destination
struct UnknownCopy {
    Pc place;
    u64 bytes, from;
    const char *call;
};
static std::map<u64, UnknownCopy> unknown_copies EMULATED_EARLY;
static std::map<u64, Copied> copied_constants EMULATED_EARLY; // by address
static Copied refused;                                        // the last allocation that failed
struct CopiedRows {
    Pc place;
    u64 width, pitch; // bytes from row to row, in the source
    const char *call;
};
static std::map<u64, CopiedRows> copied_rows EMULATED_EARLY;
static std::vector<u64> last_arguments EMULATED_EARLY;         // of the last launch that has ended
static std::map<u64, std::string> short_copies EMULATED_EARLY; // by the host's array
static std::string cause, same_element;

// The elements of an array that no kernel has used, by the array's offset, and one that several
// blocks have read.
struct Use {
    std::vector<bool> unused; // empty: all are used, or that is not known
    u64 count;                // of these
    u64 shared;               // an element, kNone if there is none
    int launches;
    std::string name;
};
static std::map<u64, Use> uses EMULATED_EARLY;
static std::string use;
const u64 kMostElements = 1 << 18, kNone = ~0ull;
const int kMostLaunches = 64;

// In device or managed memory: what copies are checked for
static Allocation *device_array(u64 address)
{
    Allocation *a = allocation_around(address);
    return a && a->kind != Allocation::pinned ? a : nullptr;
}

// The host's name of the array, unless a kernel's shared variable has the same.
static std::string name_of(const Allocation &a)
{
    bool is_clear = a.name != nullptr;
    for (const Symbol &s : shared_symbols())
        is_clear = is_clear && demangled_name(s.name) != a.name;
    return is_clear ? a.name : "the array allocated at " + place_name(a.place);
}

void forget_causes()
{
    reached.clear();
    copied.clear();
    copied_rows.clear();
    unknown_copies.clear();
    short_copies.clear();
    refused = {};
    cause.clear();
    same_element.clear();
    uses.clear();
}

void note_reach(u64 address, u32 bytes, Pc pc)
{
    const Allocation *a = allocation_around(address);
    if (!a || a->freed)
        return;
    Reach &r = reached.insert({a->offset, {0, pc, bytes}}).first->second;
    r.end = std::max(r.end, address + bytes - (u64)regions[kArena].begin - a->offset);
}

void note_allocated(u64 bytes, Pc place, bool refuses)
{
    if (refuses)
        refused = {place, bytes, "", "", ""};
    else if (refused.place == place) // it tried with less
        refused = {};
}

// The source there computes a size in bytes, so it has not been given elements by mistake.
static bool mentions_bytes(Pc place)
{
    const std::string text = source_of(place);
    return text.find("sizeof") != std::string::npos || text.find("ytes") != std::string::npos;
}

bool is_size_in_elements(const Allocation &a, u64 bytes)
{
    return a.element > 1 && bytes == a.size * a.element && !mentions_bytes(a.place);
}

// A copy of as many bytes as the array has elements.
static bool counts_elements(const Allocation &a, u64 address, u64 bytes, Pc place)
{
    return a.element > 1 && bytes * a.element == a.size && !mentions_bytes(place) &&
           address - (u64)regions[kArena].begin == a.offset;
}

static std::string sentence(const std::string &name, const Copied &copy, const char *side)
{
    return place_name(copy.place) + ": " + copy.call + copy.does + std::to_string(copy.bytes) +
           " bytes " + side + " " + name + ", which has ";
}
static std::string sentence(const Allocation &a, const Copied &copy, const char *side)
{
    return sentence(name_of(a), copy, side);
}

static std::string rest_is_missing(u64 size)
{
    return std::to_string(size) + ": the rest has not been written";
}

static std::string copies_elements(const Allocation &a, const Copied &copy, const char *side)
{
    return sentence(a, copy, side) + std::to_string(copy.bytes) +
           " elements: the size is in bytes, elements * sizeof the element";
}

void note_copy(u64 to, u64 from, u64 bytes, u64 known, Pc place, const char *call)
{
    const Allocation *a = device_array(to), *b = device_array(from);
    const Copied copy = {place, bytes, call, " copies ", "to"};
    if (leave_rest_unwritten(to, bytes))
        copied_constants[to] = copy;
    else if (const Symbol *s = copied_constants.empty() ? nullptr : symbol_at(to))
        copied_constants.erase(s->address); // there is more than one copy
    if (known < bytes)
        unknown_copies[to] = {place, bytes, from, call};
    else
        unknown_copies.erase(to);
    if (a && to - (u64)regions[kArena].begin == a->offset)
        copied[a->offset] = copy;
    else if (b && counts_elements(*b, from, bytes, place)) {
        short_copies[to] = copies_elements(*b, copy, "from");
        note_short_copy(to, bytes, b->size, place, short_copies[to]);
    } else
        short_copies.erase(to);
}

void note_rows(u64 to, u64 width, u64 pitch, Pc place, const char *call)
{
    const Allocation *a = device_array(to);
    if (a && to - (u64)regions[kArena].begin == a->offset)
        copied_rows[a->offset] = {place, width, pitch, call};
}

void note_set(u64 to, u64 bytes, Pc place)
{
    const Allocation *a = device_array(to);
    if (a && to - (u64)regions[kArena].begin == a->offset)
        copied[a->offset] = {place, bytes, "cudaMemset", " sets ", "of"};
}

// The array that two arguments of this launch point to, NULL if these do.
static const Allocation *passed_twice(u64 address)
{
    const Allocation *a = allocation_around(address);
    std::map<u64, int> times;
    if (!a)
        return nullptr;
    for (const u64 value : words_of(launch_now.arguments, launch_now.arguments_size))
        if (value - (u64)regions[kArena].begin - a->offset < a->size && ++times[value] == 2)
            return a;
    return nullptr;
}

// The elements of an array that a thread uses, as kernels of one dimension number them.
struct Index {
    u64 element, thread, block, of_grid;
};

static bool is_index(const Finding &f, const Allocation &a, Index *i)
{
    const uint3 &b = launch_now.block, &g = launch_now.grid;
    if (!f.who.somebody || a.element < 2 || b.y * b.z * g.y * g.z != 1)
        return false;
    *i = {(f.address - (u64)regions[kArena].begin - a.offset) / a.element, f.who.thread.x,
          f.who.block.x, f.who.block.x * (u64)b.x + f.who.thread.x};
    return true;
}

// 1 if so many threads, in blocks of that many, are what a size needs.
static bool covers(u64 threads, u64 size, u64 block)
{
    return threads >= size && threads - size < block;
}

// A race of two blocks at one line for elements whose numbers show how they are computed.
static std::string wrong_index(const Finding &f, const Allocation &a)
{
    Index i;
    if (!f.neighbours || !is_index(f, a, &i) || i.block == 0 || i.element == i.of_grid ||
        place_name(f.pc) != place_name((Pc)(f.key + code_base())))
        return "";
    const u64 threads = launch_now.block.x, blocks = launch_now.grid.x;
    if (i.element == i.thread && f.other != ~0ull && f.other % threads == i.thread)
        return place_name(f.pc) + ": thread " + std::to_string(i.thread) +
               " of several blocks uses element " + std::to_string(i.thread) + " of " + name_of(a) +
               ": the block's part of the index is missing, or 0" +
               (covers(threads * blocks, a.size / a.element, threads) ? ": blockIdx.x * blockDim.x"
                                                                      : "") +
               " (or an atomicAdd(), if all blocks are to add to it)";
    if (i.element == i.block * blocks + i.thread && f.other != ~0ull &&
        i.element == f.other / threads * blocks + f.other % threads)
        return place_name(f.pc) + ": the index into " + name_of(a) + " is blockIdx.x * " +
               std::to_string(blocks) + " + threadIdx.x (" + std::to_string(blocks) +
               " is gridDim.x): blocks overlap, for a block has " + std::to_string(threads) +
               " threads";
    return "";
}

// Two blocks at one line: a thread of the one has gone on, in steps of a block, to what a thread of
// the other begins with, and has written it.
static std::string step_of_a_block(const Finding &f, const Allocation &a)
{
    const u64 threads = launch_now.block.x;
    Index i;
    if (f.other == ~0ull || !is_index(f, a, &i) || i.of_grid == f.other ||
        place_name(f.pc) != place_name((Pc)(f.key + code_base())) ||
        !(i.element == i.of_grid ? f.other_writes : f.writes))
        return "";
    const u64 first = std::min(i.of_grid, f.other), last = std::max(i.of_grid, f.other);
    if (i.element != last || (last - first) % threads != 0)
        return "";
    return place_name(f.pc) + ": threads " + std::to_string(first) + " and " +
           std::to_string(last) + " of the grid both use element " + std::to_string(i.element) +
           " of " + name_of(a) +
           ": a loop over all blocks goes on by gridDim.x * blockDim.x, not by blockDim.x; one "
           "over a block's own part must add where that begins";
}

void note_same_value(const Finding &f)
{
    const Allocation *a = allocation_around(f.address);
    Index i;
    if (!same_element.empty() || !a || f.other == ~0ull || !is_index(f, *a, &i) ||
        i.of_grid == f.other)
        return;
    same_element = wrong_index(f, *a);
    if (same_element.empty())
        same_element = step_of_a_block(f, *a);
    if (same_element.empty())
        same_element =
            place_name(f.pc) + ": threads " + std::to_string(std::min(f.other, i.of_grid)) +
            " and " + std::to_string(std::max(f.other, i.of_grid)) +
            " of the grid both write element " + std::to_string(i.element) + " of " + name_of(*a);
}

static std::string grid_and_elements(u64 threads, const Allocation &a)
{
    return "the grid has " + std::to_string(threads) + " threads, " + name_of(a) + " has " +
           std::to_string(a.size / a.element) + " elements: ";
}

// 1 if an argument of the launch has this value.
static bool is_given(u64 number)
{
    for (const u64 word : words_of(launch_now.arguments, launch_now.arguments_size))
        if (word == number || (u32)word == number || word >> 32 == number)
            return true;
    return false;
}

// "", or another array of the launch, which is as long as the grid.
static std::string array_of_grid(u64 threads)
{
    for (const u64 value : words_of(launch_now.arguments, launch_now.arguments_size)) {
        const Allocation *a = allocation_around(value);
        if (a && a->element && a->size == threads * a->element)
            return "; or else it is too small: " + name_of(*a) + " has " + std::to_string(threads);
    }
    return is_given(threads)
               ? "; or else it is too small: the kernel is given " + std::to_string(threads)
               : "";
}

// The array ends, and threads of its last block go on, in the first line that has gone past: all of
// them, or one.
static std::string missing_guard(const Finding &f, const Allocation &a)
{
    const u64 threads = (u64)launch_now.grid.x * launch_now.block.x;
    const Reach &r = reached[a.offset];
    Index i;
    if (!is_index(f, a, &i) || i.element != i.of_grid || r.first != f.pc)
        return "";
    const u64 elements = a.size / a.element;
    if (threads <= elements || threads - elements >= launch_now.block.x)
        return "";
    if (r.end == a.size + a.element && threads > elements + 1)
        return place_name(f.pc) + ": thread " + std::to_string(elements) +
               " of the grid uses element " + std::to_string(elements) + " of " + name_of(a) +
               ", whose last one is " + std::to_string(elements - 1);
    if (r.end != threads * a.element)
        return "";
    return place_name(f.pc) + ": " + grid_and_elements(threads, a) +
           "threads beyond them must not use it, if (i < " + std::to_string(elements) + ")" +
           array_of_grid(threads);
}

// An array of rows, by a grid of two dimensions: the threads below the last row go on, or the index
// takes the column for the row. A square, or nearly one, does not tell which.
static std::string wrong_row(const Finding &f, const Allocation &a)
{
    const uint3 &b = launch_now.block, &g = launch_now.grid;
    if (!f.who.somebody || a.element < 2 || a.pitch || b.z * g.z != 1 || b.y * g.y == 1)
        return "";
    const u64 x = f.who.block.x * (u64)b.x + f.who.thread.x,
              y = f.who.block.y * (u64)b.y + f.who.thread.y, elements = a.size / a.element,
              element = (f.address - (u64)regions[kArena].begin - a.offset) / a.element;
    auto fits = [&](u64 width) {
        return width > 0 && width < elements && elements % width == 0 &&
               covers((u64)g.x * b.x, width, b.x) && covers((u64)g.y * b.y, elements / width, b.y);
    };
    const u64 by_rows = y && element >= x && (element - x) % y == 0 ? (element - x) / y : 0,
              by_columns = x && element >= y && (element - y) % x == 0 ? (element - y) / x : 0;
    if (fits(by_rows) && y >= elements / by_rows)
        return place_name(f.pc) + ": the grid has " + std::to_string((u64)g.y * b.y) +
               " rows of threads, " + name_of(a) + " has " + std::to_string(elements / by_rows) +
               " rows of " + std::to_string(by_rows) +
               " elements: threads beyond them must not use it, if (y < height)" +
               (by_rows * by_rows == elements ? "; or else rows and columns are exchanged" : "");
    // in a transposing kernel x may come of blockIdx.x and threadIdx.y
    if (f.who.thread.x != f.who.thread.y && fits(by_columns) &&
        !covers((u64)g.y * b.y, by_columns, b.y))
        return place_name(f.pc) + ": the index into " + name_of(a) + " is x * " +
               std::to_string(by_columns) + " + y: rows of " + std::to_string(by_columns) +
               " elements lie one behind the other, y * " + std::to_string(by_columns) +
               " + x; or else the grid has x and y exchanged";
    return "";
}

// Rows that lie as many times too far apart as an element has bytes.
static std::string pitch_for_elements(const Finding &f, const Allocation &a)
{
    if (!a.pitch || a.element < 2 || !f.who.somebody)
        return "";
    const u64 row = (f.address - (u64)regions[kArena].begin - a.offset) / a.pitch,
              y = f.who.block.y * (u64)launch_now.block.y + f.who.thread.y;
    if (row == 0 || (row != y * a.element && row != f.who.block.x * (u64)a.element) ||
        is_used_in_launch((u64)regions[kArena].begin + a.offset + a.pitch)) // row 1
        return "";
    return place_name(f.pc) + ": the pitch of " + name_of(a) +
           " counts bytes: a row begins at (char *)" + (a.name ? a.name : "pointer") +
           " + y * pitch";
}

// Each thread has its element of dynamic shared memory, and there are as many bytes as threads.
static std::string shared_for_elements(const Finding &f)
{
    const u64 threads = (u64)launch_now.block.x * launch_now.block.y * launch_now.block.z,
              bytes = launch_now.dynamic_shared,
              offset = f.address - (u64)regions[kDynamicShared].begin, t = f.who.thread.x;
    if (f.object != "dynamic shared memory")
        return "";
    if (bytes == 0)
        return place_name(launch_now.place) +
               ": the launch gives no bytes of dynamic shared memory: they are the third value of "
               "<<<>>>; or else the array is one of constant size, without extern";
    if (bytes != threads || t == 0 || offset % t != 0 || (offset / t != 4 && offset / t != 8) ||
        mentions_bytes(launch_now.place))
        return "";
    return place_name(launch_now.place) + ": the launch gives " + std::to_string(bytes) +
           " bytes of dynamic shared memory, and the kernel uses as many elements of " +
           std::to_string(offset / t) + " bytes: the third value of <<<>>> counts bytes";
}

// Kernels use as many elements as the array has bytes.
static std::string elements_for_bytes(const Finding &f, const Allocation &a)
{
    const auto r = reached.find(a.offset);
    if (r == reached.end() || !is_size_in_elements(a, r->second.end) ||
        r->second.bytes != a.element)
        return "";
    return place_name(a.place) + ": " + name_of(a) + " is " + std::to_string(a.size) +
           " bytes long, and the kernel uses as many elements of " + std::to_string(a.element) +
           " bytes: cudaMalloc takes bytes, elements * sizeof the element" +
           (is_given(a.size) ? "; or else the kernel is given bytes for elements" : "") +
           (missing_guard(f, a).empty() ? "" : "; or else if (i < n) is missing in the kernel");
}

// The copy begins where the array does, and the launch passes an address further on.
static std::string copied_to_the_start(const Finding &f, const Allocation &a, const Copied &copy)
{
    const u64 begin = (u64)regions[kArena].begin + a.offset;
    for (const u64 value : words_of(launch_now.arguments, launch_now.arguments_size))
        if (a.element && value > begin && value < begin + std::min(a.size, copy.bytes) &&
            f.address < value + copy.bytes)
            return sentence(a, copy, copy.side) + "its first element at " + name_of(a) + " + " +
                   std::to_string((value - begin) / a.element) + " for the launch at " +
                   place_name(launch_now.place) + ": copy to there";
    return "";
}

// A read beyond what the last copy has brought, after which nothing is written.
static std::string short_copy(const Finding &f, const Allocation &a)
{
    const auto copy = copied.find(a.offset);
    if (copy == copied.end())
        return "";
    const u64 begin = (u64)regions[kArena].begin + a.offset, bytes = copy->second.bytes;
    if (bytes >= a.size || f.address < begin + bytes || reached.count(a.offset) ||
        !wholly_unknown((begin + bytes + 3) / 4 * 4, begin + a.size - (begin + bytes + 3) / 4 * 4))
        return "";
    if (counts_elements(a, begin, bytes, copy->second.place))
        return copies_elements(a, copy->second, copy->second.side);
    const std::string start = copied_to_the_start(f, a, copy->second);
    if (!start.empty())
        return start;
    if (a.size % 16 == 0 && a.size - bytes < 16) // room for whole vectors?
        return "";
    if (strstr(copy->second.call, "Async")) // a piece of several?
        return "";
    return sentence(a, copy->second, copy->second.side) + rest_is_missing(a.size);
}

static std::string short_constant(u64 address)
{
    const Symbol *s = symbol_at(address);
    const auto copy = s ? copied_constants.find(s->address) : copied_constants.end();
    if (copy == copied_constants.end())
        return "";
    return sentence(demangled_name(s->name), copy->second, "to") + rest_is_missing(s->size);
}

// A read beyond what a copy of rows has brought of each, as many bytes as a row has elements.
static std::string short_rows(const Finding &, const Allocation &a)
{
    const auto copy = copied_rows.find(a.offset);
    if (copy == copied_rows.end() || a.element < 2 ||
        copy->second.width * a.element != copy->second.pitch)
        return "";
    return place_name(copy->second.place) + ": " + copy->second.call + " copies " +
           std::to_string(copy->second.width) + " bytes of each row to " + name_of(a) + ", of " +
           std::to_string(copy->second.pitch) +
           " in the source: the width is in bytes, elements * sizeof the element";
}

// The last launch was given the array, which begins with as many written elements as the grid, or
// one of its blocks, had threads.
static std::string short_grid(const Finding &f, const Allocation &a)
{
    const uint3 &b = launch_now.block, &g = launch_now.grid;
    const u64 threads = (u64)g.x * b.x, begin = (u64)regions[kArena].begin + a.offset;
    const u64 written = a.element ? (f.address - begin) / a.element : 0;
    if (!written || (written != threads && written != b.x) || b.y * b.z * g.y * g.z != 1 ||
        !std::count(last_arguments.begin(), last_arguments.end(), begin) ||
        wholly_unknown(begin, a.element) || wholly_unknown(f.address - a.element, a.element) ||
        !wholly_unknown(f.address, begin + a.size - f.address))
        return "";
    return place_name(launch_now.place) + ": " + grid_and_elements(threads, a) +
           (written == threads
                ? "nothing writes the last " + std::to_string(a.size / a.element - threads)
                : "only the first " + std::to_string(written) +
                      " are written, as many as a block has threads");
}

// The grid has as many whole blocks as the array holds, so that the kernel leaves the values at its
// end alone.
static bool leaves_rest_alone(const Allocation &a)
{
    const uint3 &b = launch_now.block, &g = launch_now.grid;
    const u64 elements = a.element ? a.size / a.element : 0;
    const u64 begin = (u64)regions[kArena].begin + a.offset, end = begin + a.size;
    u64 rest = begin + (u64)g.x * b.x * a.element;
    if (b.y * b.z * g.y * g.z != 1 || g.x != elements / b.x || elements % b.x == 0 ||
        !is_used_in_launch(rest - a.element) || wholly_unknown(rest, a.element))
        return false;
    while (rest < end && !is_used_in_launch(rest))
        rest += a.element;
    return rest >= end;
}

// By the array's offset; no text: another launch was given it, and may have done the rest.
static std::map<u64, SmallGrid> small_grids EMULATED_EARLY;

SmallGrid small_grid()
{
    for (const auto &entry : small_grids)
        if (!entry.second.text.empty())
            return entry.second;
    return {};
}

static void note_grid(const Allocation &a)
{
    const auto known = small_grids.find(a.offset);
    if (known != small_grids.end()) {
        if (!known->second.text.empty() && !leaves_rest_alone(a))
            known->second.text.clear();
        return;
    }
    const u64 threads = (u64)launch_now.grid.x * launch_now.block.x;
    SmallGrid &grid = small_grids[a.offset];
    grid.place = launch_now.place;
    if (leaves_rest_alone(a))
        grid.text = grid_and_elements(threads, a) + "kernel " + launch_now.kernel +
                    " leaves the last " + std::to_string(a.size / a.element - threads) +
                    " as they are";
}

static void note_use(const Allocation &a)
{
    const u64 begin = (u64)regions[kArena].begin + a.offset,
              elements = a.element >= 4 ? a.size / a.element : 0;
    const bool is_new = !uses.count(a.offset);
    Use &u = uses[a.offset];
    if (is_new)
        u = {std::vector<bool>(elements <= kMostElements ? elements : 0, true), elements, kNone, 0,
             name_of(a)};
    if (launch_now.spread || launch_now.every > 1 || u.launches++ == kMostLaunches)
        u.unused.clear();
    for (u64 i = 0; i < u.unused.size(); i++) {
        const u64 address = begin + i * a.element;
        if (u.unused[i] && (is_used_in_launch(address) || wholly_unknown(address, 1))) {
            u.unused[i] = false;
            u.count--;
        }
        if (u.shared == kNone && is_read_by_blocks(address))
            u.shared = i;
    }
    if (u.count == 0)
        u.unused.clear();
}

void keep_arguments()
{
    last_arguments = words_of(launch_now.arguments, launch_now.arguments_size);
    launch_now.arguments_size = 0; // they go with the launch
    for (const u64 value : last_arguments) {
        const Allocation *a = allocation_around(value);
        if (a && !settings.fast) {
            note_grid(*a);
            note_use(*a);
        }
    }
}

// What is read has come by a copy, whose source had no value either.
static std::string unknown_copy(const Finding &f, const Allocation &a)
{
    auto copy = unknown_copies.upper_bound(f.address);
    if (copy == unknown_copies.begin())
        return "";
    const u64 offset = f.address - (--copy)->first;
    if (offset >= copy->second.bytes || !wholly_unknown(copy->second.from + offset, 1))
        return "";
    return place_name(copy->second.place) + ": " + copy->second.call + " copies to " + name_of(a) +
           " what nothing has written: " + describe(copy->second.from + offset);
}

std::string cause_of(const Finding &f)
{
    const Allocation *a = allocation_around(f.address);
    auto is = [&](const char *kind) { return strcmp(f.kind, kind) == 0; };
    if (is("invalid-address") && f.object == "null" && refused.place)
        return place_name(refused.place) + ": cudaMalloc has failed, asked for " +
               size_text(refused.bytes) + ": the program has gone on all the same";
    if (is("out-of-bounds") && !a)
        return shared_for_elements(f);
    if (!a)
        return is("uninitialised-read") ? short_constant(f.address) : "";
    if (is("race") && !f.both_write && passed_twice(f.address))
        return place_name(launch_now.place) + ": two arguments of kernel " + launch_now.kernel +
               " are the same array, " + name_of(*a) +
               ": its threads overwrite what others have yet to read";
    if (is("race")) {
        const std::string index = wrong_index(f, *a);
        return index.empty() ? step_of_a_block(f, *a) : index;
    }
    if (is("uninitialised-read")) {
        for (const auto rule : {short_copy, short_rows, short_grid, unknown_copy}) {
            const std::string found = rule(f, *a);
            if (!found.empty())
                return found;
        }
        return "";
    }
    if (!is("out-of-bounds"))
        return "";
    for (const auto rule : {elements_for_bytes, missing_guard, wrong_row, pitch_for_elements}) {
        const std::string found = rule(f, *a);
        if (!found.empty())
            return found;
    }
    return "";
}

void find_cause(const Finding &f)
{
    if (!cause.empty())
        return;
    cause = f.cause.empty() ? cause_of(f) : f.cause;
    if (!cause.empty())
        say(cause);
}

} // namespace emulated

using namespace emulated;

extern "C" const char *emulatedCause(void) { return cause.empty() ? nullptr : cause.c_str(); }

extern "C" const char *emulatedSameElement(void)
{
    return same_element.empty() ? nullptr : same_element.c_str();
}

extern "C" const char *emulatedUseOfArrays(void)
{
    use.clear();
    for (const auto &entry : uses) {
        const Use &u = entry.second;
        const u64 all = u.unused.size(),
                  first =
                      (u64)(std::find(u.unused.begin(), u.unused.end(), true) - u.unused.begin());
        if (all && u.count < all) {
            use = "of the " + std::to_string(all) + " elements of " + u.name + " the kernels use " +
                  std::to_string(all - u.count) + ", and leave " + u.name + "[" +
                  std::to_string(first) + "]" + (u.count > 1 ? " and others" : "") + " out";
            break;
        }
        if (u.shared != kNone && use.empty())
            use = "several blocks read " + u.name + "[" + std::to_string(u.shared) + "]";
    }
    return use.empty() ? nullptr : use.c_str();
}

extern "C" const char *emulatedShortCopy(const void *array)
{
    const auto found = short_copies.find((u64)array);
    return found != short_copies.end() ? found->second.c_str() : nullptr;
}
