// shape.h: how the addresses of a request lie to each other. In a loop an instruction asks for the same shape again and
// again, only further on, and what depends on the shape alone need not be worked out anew: which lanes want the same word,
// how many passes over the banks and, by where it begins within a line, how many sectors that takes.
#ifndef EMULATED_SHAPE_H
#define EMULATED_SHAPE_H
#include "emulator.h"

namespace emulated {

struct Shape {
    u64 apart[kWarp] = {}; // from the first address
    int count = 0;
    u32 bytes = 0;
    Pattern pattern = kOther;
    bool seen = false; // twice in a row: the rest is known
    int words;         // different addresses
    u8 first[kWarp];   // lane, or rather place in the request, that asks for each of them first
    u32 several;       // bits: others do so, too
    u8 low, high;      // place of the lowest and of the highest address
    Sums sums[4];      // in global memory by where the first address lies in its line; sums[0] in shared memory
    u8 known, offset;  // bits: of these, and where it lies in its sector, or in its word

    // The same as the last time? Otherwise it is from now on.
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
