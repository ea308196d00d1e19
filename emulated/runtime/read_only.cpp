// read_only.cpp: memory that a kernel reads by __ldg() must stay as it is for the whole launch,
// since the cache of these reads is not coherent with the others. A write is wrong before and
// after, whoever makes it.
#include "emulator.h"

#include <cstring>
#include <unordered_map>

namespace emulated
{

const u64 kWordsOfPage = 4096;

struct ReadOnlyPage {
    u64 launch;             // of which these are
    u16 site[kWordsOfPage]; // of the last such read of each word
    u8 bytes[kWordsOfPage]; // which of its bytes have been read so
};
static std::unordered_map<u64, ReadOnlyPage> pages EMULATED_EARLY;
static u64 launches;
static u32 first_interval; // of the launch: launch_now.first_interval rises at a grid barrier
bool read_only_loads;

void read_only_begin_launch()
{
    launches++;
    first_interval = launch_now.first_interval;
}

void read_only_load(Pc pc)
{
    site(site_of(pc)).read_only = true;
    read_only_loads = true;
}

// The page's sites in this launch; NULL: none, unless one is wanted.
static ReadOnlyPage *page_of(u64 word, bool wanted)
{
    static u64 number = ~(u64)0;
    static ReadOnlyPage *page;
    if (word / kWordsOfPage != number || !page) {
        const auto found = pages.find(word / kWordsOfPage);
        if (found == pages.end() && !wanted)
            return nullptr;
        number = word / kWordsOfPage;
        page = &pages[number]; // references into an unordered_map stay valid
    }
    if (page->launch != launches) {
        if (!wanted)
            return nullptr;
        memset(page->bytes, 0, sizeof page->bytes);
        page->launch = launches;
    }
    return page;
}

static void report_both(Lane *lane, u64 address, u16 here, u16 other)
{
    needs_one_core();
    const Pc pc = site(here).pc, there = site(other).pc;
    const u64 key = (u64)there - code_base();
    if (known("read-only", pc, key))
        return;
    const bool reads = site(here).read_only;
    report({"read-only", pc, lane, object_name(address),
            (reads ? "reads " : "writes ") + describe(address) +
                (reads ? " by __ldg(), and this kernel writes there, at "
                       : ", and this kernel reads that by __ldg(), at ") +
                place_name(there) +
                ": the cache of such reads need not follow. Read it plainly, or write elsewhere",
            key});
}

// The site that has last written one of these bytes in this launch; 0: none.
static u16 writer_of(const Region &r, u64 word, u8 bytes)
{
    const Cell &c = r.cells[word];
    if (c.write.interval != kSplit)
        return c.write.interval >= first_interval && (c.write.bytes & bytes) ? c.write.site : 0;
    for (int i = 0; i < 4 && c.read.interval >= first_interval; i++) {
        const Stamp &byte = r.byte_cells[4 * word + (u64)i].write;
        if ((bytes >> i & 1) && byte.interval >= first_interval)
            return byte.site;
    }
    return 0;
}

static void check_word(Lane *lane, const Region &r, u64 address, u8 bytes, const Site &s, u16 here)
{
    ReadOnlyPage *page = page_of(address / 4, s.read_only);
    if (!page)
        return;
    const u64 i = address / 4 % kWordsOfPage;
    if (s.read_only) {
        page->site[i] = here;
        page->bytes[i] |= bytes;
        if (const u16 writer = writer_of(r, (address - (u64)r.begin) / 4, bytes))
            report_both(lane, address, here, writer);
    } else if (page->bytes[i] & bytes)
        report_both(lane, address, here, page->site[i]);
}

void check_read_only(Lane **lanes, const u64 *addresses, int count, const Site &s)
{
    if (!s.read_only && !(s.flags & kWrite))
        return;
    const u16 here = site_of(s.pc);
    for (int i = 0; i < count; i++) {
        const Region *r = region_of(addresses[i]);
        const u64 end = addresses[i] + s.bytes;
        if (!r || r->space != kGlobal)
            continue;
        for (u64 a = addresses[i] & ~3ull; a < end && a - (u64)r->begin < r->size; a += 4) {
            const u8 bytes = s.bytes >= 4 ? 15 : (u8)(((1u << s.bytes) - 1) << addresses[i] % 4);
            check_word(lanes[i], *r, a, bytes, s, here);
        }
    }
}

} // namespace emulated
