// matrix.cpp: the instructions of tensor cores: ldmatrix, stmatrix, mma, wgmma.
//
// All lanes of the warp bring their registers; the first that goes on computes for all, while the
// others still wait. Sums are made in double and rounded once, as in fragment.cpp.
#include "emulated/tensor_core.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "mbarrier.h"
#include "tensor.h"

extern "C" void *emulated_shared_pointer(unsigned offset);
extern "C" unsigned long long emulated_shared_offset(const void *p);

namespace emulated
{

void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame); // hooks.cpp

static Registers &registers_of(const Lane &lane) { return *(Registers *)lane.value; }

// True for the one lane that is to do the work.
static bool comes_first(const char *call, Registers *v, Pc pc)
{
    Lane *lane = current;
    const u32 came = meet_warp(call, (u64)v, pc);
    if (came != ~0u && !v->done)
        report({"shuffle-inactive", pc, lane, call,
                std::string("executes ") + call + " with " +
                    std::to_string(__builtin_popcount(came)) +
                    " lanes: it takes all 32 of the warp",
                2});
    if (v->done || came != ~0u)
        return false;
    for (int i = 0; i < kWarp; i++)
        registers_of(lane->warp->lanes[i]).done = true;
    return true;
}

// ---- products -----------------------------------------------------------------------------------

struct Kind {
    cudaDataType factor, sum;
    u32 each; // factors in a register
    bool tf32;
};
static const Kind &kind_of(int type)
{
    static const Kind kinds[] = {
        {CUDA_R_16F, CUDA_R_32F, 2, false}, {CUDA_R_16BF, CUDA_R_32F, 2, false},
        {CUDA_R_32F, CUDA_R_32F, 1, true},  {CUDA_R_16F, CUDA_R_16F, 2, false},
        {CUDA_R_8I, CUDA_R_32I, 4, false},  {CUDA_R_8U, CUDA_R_32I, 4, false},
    };
    return kinds[type];
}

static double factor_at(const Kind &kind, const void *p, u32 i)
{
    if (!kind.tf32)
        return number_at(p, kind.factor, i);
    u32 bits;
    memcpy(&bits, (const u32 *)p + i, 4);
    bits &= ~0x1fffu; // the tensor cores look at no more
    float x;
    memcpy(&x, &bits, 4);
    return (double)x;
}

const u32 kMostDepth = 32; // of one instruction
typedef double Rows[16][kMostDepth];

// A's 16 rows, from the registers of a warp
static void gather_rows(Rows &a, const Lane *lanes, const Kind &kind, u32 registers)
{
    for (u32 l = 0; l < kWarp; l++)
        for (u32 r = 0; r < registers; r++)
            for (u32 j = 0; j < kind.each; j++)
                a[l / 4 + 8 * (r & 1)][l % 4 * kind.each + j + (r >> 1) * 4 * kind.each] =
                    factor_at(kind, &registers_of(lanes[l]).a[r], j);
}

// Where element i of a lane's part of a sum of 16 rows lies
static u32 row_of_sum(u32 lane, u32 i) { return lane / 4 + 8 * (i / 2 % 2); }
static u32 column_of_sum(u32 lane, u32 i) { return i / 4 * 8 + lane % 4 * 2 + i % 2; }

static void multiply(Lane *lanes, const Kind &kind, u32 registers)
{
    Rows a;
    double b[kMostDepth][8];
    const u32 depth = registers / 2 * 4 * kind.each;
    gather_rows(a, lanes, kind, registers);
    for (u32 l = 0; l < kWarp; l++)
        for (u32 r = 0; r < registers / 2; r++)
            for (u32 j = 0; j < kind.each; j++)
                b[l % 4 * kind.each + j + r * 4 * kind.each][l / 4] =
                    factor_at(kind, &registers_of(lanes[l]).b[r], j);
    const u32 together = kind.sum == CUDA_R_16F ? 2 : 1; // in a register
    for (u32 l = 0; l < kWarp; l++)
        for (u32 i = 0; i < 4; i++) {
            Registers &v = registers_of(lanes[l]);
            double sum = number_at(&v.c[i / together], kind.sum, i % together);
            for (u32 k = 0; k < depth; k++)
                sum += a[row_of_sum(l, i)][k] * b[k][column_of_sum(l, i)];
            set_number(v.d[i / together], kind.sum, (long long)(i % together), sum);
        }
}

// ---- products of warpgroups ---------------------------------------------------------------------

// What a lane's sums become when it waits. Until then they hold a NaN of our own.
const u32 kUnknown = 0x7fd1e5ed;
struct Pending {
    u32 group, bits;
};
struct Pendings {
    u32 group = 0;
    std::map<u32 *, Pending> sums;
};
static std::map<const Lane *, Pendings> pending EMULATED_EARLY;

void forget_products() { pending.clear(); }

struct Descriptor {
    u32 start, leading, stride, swizzle; // swizzle: bits that change
    explicit Descriptor(u64 bits)
        : start((u32)(bits & 0x3fff) << 4), leading((u32)(bits >> 16 & 0x3fff) << 4),
          stride((u32)(bits >> 32 & 0x3fff) << 4), swizzle((4 - (u32)(bits >> 62)) % 4)
    {
    }
    // Of element (row, k), `along_rows`: rows lie side by side in memory. The layouts are CUTLASS's
    // canonical ones.
    u32 offset(u32 row, u32 k, u32 bytes, bool along_rows) const
    {
        const u32 width = 16u << swizzle, byte = (along_rows ? row : k) * bytes;
        if (swizzle == 0)
            return along_rows ? byte % 16 + byte / 16 * stride + k % 8 * 16 + k / 8 * leading
                              : byte % 16 + byte / 16 * leading + row % 8 * 16 + row / 8 * stride;
        return along_rows ? byte % width + byte / width * leading + k % 8 * width + k / 8 * stride
                          : byte + row % 8 * width + row / 8 * stride;
    }
    // As a pointer; an address has 18 bits here
    u64 address(u32 row, u32 k, u32 bytes, bool along_rows) const
    {
        u32 at = start + offset(row, k, bytes, along_rows);
        at ^= swizzle ? (at >> 7 & ((1u << swizzle) - 1)) << 4 : 0;
        const bool dynamic = at >= 1024 && at - 1024 < launch_now.dynamic_shared;
        const u64 begin = emulated_shared_offset(regions[kStaticShared].begin);
        if (!dynamic)
            while (at < begin)
                at += 1u << 18;
        return (u64)emulated_shared_pointer(at);
    }
};

// Reads a factor from shared memory: the elements (row, k), which also tells what has been read.
template <class F>
static void read_factor(Lane *lane, const Kind &kind, u64 bits, bool along_rows, u32 first,
                        u32 rows, u32 depth, bool checks, Pc pc, F element)
{
    const Descriptor d(bits);
    const u32 bytes = 4 / kind.each;
    std::vector<u64> pieces;
    for (u32 r = first; r < first + rows; r++)
        for (u32 k = 0; k < depth; k++) {
            const u64 address = d.address(r, k, bytes, along_rows);
            pieces.push_back(address & ~15ull);
            element(r - first, k, factor_at(kind, (const void *)address, 0));
        }
    if (!checks)
        return;
    std::sort(pieces.begin(), pieces.end());
    pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
    use_pieces(lane, pieces, 16, kRead, pc);
    for (u64 piece : pieces)
        must_be_fenced(lane, piece, 16, pc, "wgmma");
}

static u32 sum_bits(Pendings &p, u32 *at)
{
    u32 bits;
    memcpy(&bits, at, 4);
    const auto found = bits == kUnknown ? p.sums.find(at) : p.sums.end();
    return found == p.sums.end() ? bits : found->second.bits;
}

static void multiply_by_group(Lane *lane, const WarpgroupProduct &g, Pc pc)
{
    const Kind &kind = kind_of(g.type);
    const u32 depth = 8 * kind.each, warp = lane->warp->index % 4;
    Lane *lanes = lane->warp->lanes;
    Rows a;
    std::vector<double> b((size_t)g.n * depth);
    if (g.a_in_registers)
        gather_rows(a, lanes, kind, 4);
    else
        read_factor(lane, kind, g.a, g.transposed_a, 16 * warp, 16, depth, true, pc,
                    [&](u32 r, u32 k, double x) { a[r][k] = x; });
    read_factor(lane, kind, g.b, g.transposed_b, 0, g.n, depth, warp == 0, pc,
                [&](u32 c, u32 k, double x) { b[(size_t)c * depth + k] = x; });
    const u32 together = kind.sum == CUDA_R_16F ? 2 : 1;
    for (u32 l = 0; l < kWarp; l++) {
        Registers &v = registers_of(lanes[l]);
        Pendings &mine = pending[&lanes[l]];
        for (u32 i = 0; i < g.n / 2; i += together) {
            u32 *at = (u32 *)v.d[i / together];
            u64 bits = sum_bits(mine, at);
            for (u32 j = i; j < i + together; j++) {
                const double *right = &b[(size_t)column_of_sum(l, j) * depth],
                             *left = a[row_of_sum(l, j)];
                double sum = 0;
                for (u32 k = 0; k < depth; k++)
                    sum += left[k] * right[k];
                sum *= g.scale_a * g.scale_b;
                if (g.adds)
                    sum += number_at(&bits, kind.sum, j - i);
                set_number(&bits, kind.sum, j - i, sum);
            }
            mine.sums[at] = {mine.group, (u32)bits};
            memcpy(at, &kUnknown, 4);
        }
    }
}

} // namespace emulated

using namespace emulated;
#define CALLER(call)                                                                               \
    const Pc pc = __builtin_return_address(0);                                                     \
    Lane *lane = calling_lane(call, pc, EMULATED_FRAME)

extern "C" {

void emulated_mma(int type, int registers, void *const *d, const unsigned *a, const unsigned *b,
                  const unsigned *c)
{
    const Pc pc = __builtin_return_address(0);
    Registers v = {d, a, b, c, {}, false};
    if (comes_first("mma.sync", &v, pc))
        multiply(current->warp->lanes, kind_of(type), (u32)registers);
}

void emulated_ldmatrix(int count, int transposed, const void *row, unsigned *out)
{
    CALLER("ldmatrix");
    Registers v = {nullptr, nullptr, nullptr, nullptr, {}, false};
    if (lane->index < 8 * count) {
        must_be_aligned(lane, (u64)row, 16, "a row of ldmatrix", pc);
        atomic_access((u64)row, 16, kRead, pc, EMULATED_FRAME);
        memcpy(v.row, row, sizeof v.row);
    }
    if (!comes_first("ldmatrix", &v, pc) && !v.done)
        return;
    const Lane *lanes = lane->warp->lanes;
    // what the others hold is theirs until all have taken it
    for (int m = 0; m < count; m++) {
        u16 pair[2];
        for (int j = 0; j < 2; j++) {
            const int r = transposed ? lane->index % 4 * 2 + j : lane->index / 4,
                      k = transposed ? lane->index / 4 : lane->index % 4 * 2 + j;
            pair[j] = registers_of(lanes[8 * m + r]).row[k];
        }
        memcpy(&out[m], pair, sizeof pair);
    }
    (void)meet_warp("ldmatrix", (u64)&v, pc);
}

void emulated_stmatrix(int count, int transposed, void *row, const unsigned *in)
{
    CALLER("stmatrix");
    Registers v = {nullptr, in, nullptr, nullptr, {}, false};
    if (!comes_first("stmatrix", &v, pc) && !v.done)
        return;
    const Lane *lanes = lane->warp->lanes;
    if (lane->index < 8 * count) {
        const int m = lane->index / 8, r = lane->index % 8;
        for (int k = 0; k < 8; k++) {
            const int holder = transposed ? k * 4 + r / 2 : r * 4 + k / 2;
            const u32 bits = registers_of(lanes[holder]).a[m];
            v.row[k] = (u16)(bits >> 16 * ((transposed ? r : k) % 2));
        }
    }
    (void)meet_warp("stmatrix", (u64)&v, pc);
    if (lane->index < 8 * count) {
        must_be_aligned(lane, (u64)row, 16, "a row of stmatrix", pc);
        atomic_access((u64)row, 16, kWrite, pc, EMULATED_FRAME);
        memcpy(row, v.row, sizeof v.row);
    }
}

void emulated_wgmma(const WarpgroupProduct *g, void *const *d, const unsigned *a)
{
    CALLER("wgmma.mma_async");
    Registers v = {d, a, nullptr, nullptr, {}, false};
    if (comes_first("wgmma.mma_async", &v, pc))
        multiply_by_group(lane, *g, pc);
}

void emulated_wgmma_commit(void)
{
    CALLER("wgmma.commit_group");
    pending[lane].group++;
}

void emulated_wgmma_wait(int prior)
{
    CALLER("wgmma.wait_group");
    Pendings &p = pending[lane];
    for (auto it = p.sums.begin(); it != p.sums.end();) {
        if ((long long)it->second.group >= (long long)p.group - prior) {
            ++it;
            continue;
        }
        if (memcmp(it->first, &kUnknown, 4) == 0) // nobody has put anything else there
            memcpy(it->first, &it->second.bits, 4);
        it = p.sums.erase(it);
    }
}

} // extern "C"
