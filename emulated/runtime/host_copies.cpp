// host_copies.cpp: what a copy has brought to the host although nothing had written it, and what a
// copy of elements for bytes has not brought. The copy as such is no mistake, since an array need
// not be full: the host's use of it is. Its memory is not followed, so a word counts only while it
// holds the bits that it had after the copy.
#include "emulator.h"
#include "streams.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

namespace emulated
{

struct HostCopy {
    u64 bytes;
    std::vector<bool> unwritten; // by words
    std::vector<u32> words;      // their bits
    Finding finding;             // for the host's use of it
};
static std::map<u64, HostCopy> host_copies EMULATED_EARLY; // by address
Extent unwritten_on_host;

static void find_limits()
{
    Extent all = {};
    if (!host_copies.empty())
        all.begin = host_copies.begin()->first;
    for (const auto &copy : host_copies)
        all.end = std::max(all.end, copy.first + copy.second.bytes);
    unwritten_on_host = all;
}

void forget_host_copies(u64 begin, u64 end)
{
    if (begin >= unwritten_on_host.end || end <= unwritten_on_host.begin)
        return;
    unwritten_on_host = {}; // what the map frees is none of them
    auto it = host_copies.lower_bound(begin);
    if (it != host_copies.begin() && std::prev(it)->first + std::prev(it)->second.bytes > begin)
        --it;
    while (it != host_copies.end() && it->first < end)
        it = host_copies.erase(it);
    find_limits();
}

void forget_host_block(u64 begin, u64 size)
{
    if (!try_device_lock())
        return;
    forget_host_copies(begin, begin + size);
    unlock_device();
}

void note_host_copy(u64 to, u64 from, u64 bytes, Pc place, const char *call)
{
    const Region *source = region_of(from);
    if (region_of(to))
        return;
    forget_host_copies(to, to + bytes);
    if (settings.fast || !source || (to | from) % 4)
        return;
    const u8 *const first = source->meta + (from - (u64)source->begin) / 4;
    const auto is_unwritten = [](u8 meta) { return !(meta & kInitialised); };
    const u64 words = bytes / 4, word = std::find_if(first, first + words, is_unwritten) - first;
    if (word == words)
        return;
    std::vector<bool> unwritten(words);
    std::transform(first, first + words, unwritten.begin(), is_unwritten);
    Finding f = {"uninitialised-read",
                 place,
                 nullptr,
                 object_name(from + 4 * word),
                 "host code reads what nothing has written. " + std::string(call) + " at " +
                     place_name(place) + " has copied it; its first unwritten word is " +
                     describe(from + 4 * word),
                 0,
                 false,
                 from + 4 * word};
    f.cause = cause_of(f);
    f.address = 0; // the array may be freed before
    host_copies.insert({to, {bytes, unwritten, std::vector<u32>(words, ~0u), f}});
    find_limits();
}

void note_short_copy(u64 to, u64 bytes, u64 whole, Pc place, const std::string &cause)
{
    const u64 first = (to + bytes + 3) / 4 * 4;
    u64 block, size, end = to + whole;
    if (host_block_around(to, &block, &size))
        end = std::min(end, block + size);
    if (settings.fast || region_of(to) || end < first + 4 || !is_mapped(end - 1))
        return; // nor is the host's array as long as the device's
    const std::vector<u32> words((u32 *)first, (u32 *)first + (end - first) / 4);
    Finding f = {"uninitialised-read",
                 place,
                 nullptr,
                 "host memory",
                 "host code reads what the copy at " + place_name(place) + " has not brought",
                 0};
    f.cause = cause;
    forget_host_copies(first, end);
    host_copies.insert(
        {first, {4 * words.size(), std::vector<bool>(words.size(), true), words, f}});
    find_limits();
}

void host_uses_copy(u64 address, u64 bytes, u8 flags, Pc pc)
{
    if (!try_device_lock())
        return;
    auto it = host_copies.upper_bound(address);
    if (it != host_copies.begin() && address < (--it)->first + it->second.bytes / 4 * 4) {
        HostCopy &copy = it->second;
        const u64 first = (address - it->first) / 4, end = (address + bytes - it->first + 3) / 4;
        bool unwritten = end <= copy.unwritten.size();
        for (u64 w = first; w < end && unwritten; w++) {
            u32 word;
            memcpy(&word, (const void *)(it->first + 4 * w), sizeof word);
            unwritten = copy.unwritten[w] && word == copy.words[w];
        }
        if (flags & kWrite)
            for (u64 w = first; w < end && w < copy.unwritten.size(); w++)
                copy.unwritten[w] = false;
        else if (unwritten) {
            copy.finding.pc = place_of(pc).line ? pc : copy.finding.pc;
            report(copy.finding);
            forget_host_copies(it->first, it->first + 1); // once is enough
        }
    }
    unlock_device();
}

} // namespace emulated
