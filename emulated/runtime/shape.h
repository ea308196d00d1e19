// shape.h: the relative addresses of a request. In a loop, an instruction often repeats the same
// shape at another base address. What depends only on the shape is then reused: which lanes share a
// word, how many passes over the banks and, by its offset in a line, how many sectors it takes.
#ifndef EMULATED_SHAPE_H
#define EMULATED_SHAPE_H
#include "emulator.h"

namespace emulated
{

struct Shape {
    u64 apart[kWarp] = {}; // from the first address
    int count = 0;
    u32 bytes = 0;
    Pattern pattern = kOther;
    bool seen = false; // twice in a row: the members below are valid
    int words;         // different addresses
    u8 first[kWarp];   // index in the request of the first lane that asks for each of them
    u32 several;       // bit mask of those that several lanes ask for
    u8 low, high;      // index of the lowest and of the highest address
    // in global memory by the offset of the first address in its line; sums[0] in shared memory
    Sums sums[4];
    // bit mask of the valid sums; offset of the first address in its sector or word
    u8 known, offset;

    // True if the shape is the same as last time. Otherwise stores the new one.
    bool again(const u64 *addresses, int n, u32 size)
    {
        u64 other = 0;
        if (n == kWarp)
            for (int i = 0; i < kWarp; i++)
                other |= (addresses[i] - addresses[0]) ^ apart[i];
        else
            for (int i = 0; i < n; i++)
                other |= (addresses[i] - addresses[0]) ^ apart[i];
        if (n == count && size == bytes && !other)
            return true;
        begin(addresses, n, size);
        return false;
    }
    void begin(const u64 *addresses, int n, u32 size);
    void learn(const u64 *addresses);
};
Shape &shape_of(u16 site);
void count_shaped(Site &s, const u64 *addresses, Shape &shape); // as count_request()

} // namespace emulated
#endif
