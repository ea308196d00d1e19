// distinct.cpp: the sectors of global memory that a launch touches, each counted once, however many
// warps ask for it. They must all pass between cache and memory, except for those that a cache
// still holds from before the launch.
#include "emulator.h"

#include <cstring>
#include <unordered_map>

namespace emulated
{

const u64 kSectorsOfPage = 32768; // 1 MB

struct Page {
    u64 launch = 0; // of which the bits are
    u32 in[kSectorsOfPage / 32], out[kSectorsOfPage / 32];
};
static std::unordered_map<u64, Page> pages EMULATED_EARLY;
static Distinct now; // of the launch under way
static u64 launches = 1;

static Page &page_of(u64 sector)
{
    static u64 number = ~(u64)0;
    static Page *page;
    if (sector / kSectorsOfPage != number) {
        number = sector / kSectorsOfPage;
        page = &pages[number]; // references into an unordered_map stay valid
    }
    if (page->launch != launches) {
        memset(page->in, 0, sizeof page->in);
        memset(page->out, 0, sizeof page->out);
        page->launch = launches;
    }
    return *page;
}

static void touch(u64 sector, u8 flags)
{
    Page &page = page_of(sector);
    u32 &in = page.in[sector % kSectorsOfPage / 32], &out = page.out[sector % kSectorsOfPage / 32];
    const u32 bit = 1u << (sector & 31);
    // the launch's own writes need not be read
    if (!(flags & kWrite) || (flags & kAtomic)) {
        now.in += !((in | out) & bit);
        in |= ~out & bit;
    }
    if (flags & (kWrite | kAtomic)) {
        now.out += !(out & bit);
        out |= bit;
    }
}

void distinct_request(const u64 *addresses, int count, u32 bytes, u8 flags, Pattern pattern)
{
    if (pattern != kOther) { // neighbours, or all equal
        for (u64 sector = addresses[0] / 32; sector <= (addresses[count - 1] + bytes - 1) / 32;
             sector++)
            touch(sector, flags);
        return;
    }
    for (int i = 0; i < count; i++)
        for (u64 sector = addresses[i] / 32; sector <= (addresses[i] + bytes - 1) / 32; sector++)
            touch(sector, flags);
}

// The memory that a part of the launch has touched, counted from zero: the number of pages, then
// the pages.
u64 pack_distinct(char *to, u64 room)
{
    u64 count = 0;
    char *at = to + sizeof count;
    for (const auto &entry : pages) {
        const Page &page = entry.second;
        if (page.launch != launches)
            continue;
        if (at + sizeof entry.first + sizeof page > to + room)
            return 0;
        memcpy(at, &entry.first, sizeof entry.first);
        memcpy(at + sizeof entry.first, &page, sizeof page);
        at += sizeof entry.first + sizeof page;
        count++;
    }
    memcpy(to, &count, sizeof count);
    return (u64)(at - to);
}

static u64 bits_in(u32 bits) { return bits == ~0u ? 32 : (u64)__builtin_popcount(bits); }

// As if the part followed everything that this process has counted.
void unpack_distinct(const char *from)
{
    u64 count, number;
    memcpy(&count, from, sizeof count);
    from += sizeof count;
    for (; count > 0; count--) {
        Page part;
        memcpy(&number, from, sizeof number);
        memcpy((void *)&part, from + sizeof number, sizeof part);
        from += sizeof number + sizeof part;
        Page &page = page_of(number * kSectorsOfPage);
        for (u64 i = 0; i < kSectorsOfPage / 32; i++) {
            const u32 in = part.in[i] & ~(page.in[i] | page.out[i]),
                      out = part.out[i] & ~page.out[i];
            if (in | out) { // most are empty, or full
                now.in += bits_in(in);
                now.out += bits_in(out);
                page.in[i] |= in;
                page.out[i] |= out;
            }
        }
    }
}

Distinct distinct_end_launch()
{
    const Distinct sum = now;
    now = Distinct();
    launches++;
    return sum;
}

} // namespace emulated
