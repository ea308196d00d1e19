// distinct.cpp: the sectors of global memory that a launch touches, each counted once, however many warps ask for it.
// No cache can spare these their way from or to memory, but for what it still holds from before the launch.
#include "emulator.h"

#include <cstring>
#include <unordered_map>

namespace emulated {

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
    if (!(flags & kWrite) || (flags & kAtomic)) { // what the launch itself has written need not come in
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
    if (pattern != kOther) { // neighbours, or all the same
        for (u64 sector = addresses[0] / 32; sector <= (addresses[count - 1] + bytes - 1) / 32; sector++)
            touch(sector, flags);
        return;
    }
    for (int i = 0; i < count; i++)
        for (u64 sector = addresses[i] / 32; sector <= (addresses[i] + bytes - 1) / 32; sector++)
            touch(sector, flags);
}

Distinct distinct_end_launch()
{
    const Distinct sum = now;
    now = Distinct();
    launches++;
    return sum;
}

} // namespace emulated
