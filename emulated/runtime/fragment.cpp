// fragment.cpp: the warp's part of wmma: all its lanes must arrive, agree, and have filled
// fragments.
//
// A product takes elements of all lanes, which hold them in local variables. The first lane that
// goes on computes it, while the others still wait at the call.
#include "emulated/fragment.h"

#include <algorithm>
#include <cmath>

#include "emulator.h"
#include "tensor.h"

namespace emulated
{

// One lane's part
struct Visit {
    const void *p;
    unsigned leading_dimension;
    const Fragment *d, *a, *b, *c;
    bool done; // by another lane
};

static Visit &visit_of(const Lane &lane) { return *(Visit *)lane.value; }

static u32 all_come(const char *call, Visit *visit, Pc pc)
{
    Lane *lane = current;
    const u32 came = meet_warp(call, (u64)visit, pc);
    if (came != ~0u && !visit->done)
        report({"shuffle-inactive", pc, lane, call,
                std::string("calls ") + call + "() with " +
                    std::to_string(__builtin_popcount(came)) +
                    " lanes: it takes all 32 of the warp",
                2});
    return came;
}

static bool has_values(const Fragment &f)
{
    const u8 *x = (const u8 *)f.x;
    for (int i = 0; i < f.layout.count * f.bytes; i++)
        if (x[i] != 0xfe)
            return true;
    return false;
}

// Has a lane of the warp put something into this fragment? For 8-bit integers this is unknown.
static void must_be_filled(const char *call, Lane *lanes, const Fragment *Visit::*which, Pc pc)
{
    const Fragment &mine = *(visit_of(*current).*which);
    if (mine.bytes == 1)
        return;
    for (int i = 0; i < kWarp; i++)
        if (has_values(*(visit_of(lanes[i]).*which)))
            return;
    report({"uninitialised-read", pc, current, mine.name,
            std::string(call) + "() reads its argument " + mine.name +
                ", a fragment that nothing has filled (fill_fragment, load_matrix_sync)",
            (u64)mine.name[0]});
}

static void check_access(const char *call, const Fragment &f, const Visit &visit, bool stores,
                         Lane *lanes, Pc pc)
{
    Lane *lane = current;
    const u64 row = (u64)visit.leading_dimension * (u64)f.bytes;
    const u64 alignment = f.bytes == 1 ? 16 : 32; // a row of a fragment, in practice
    if ((u64)visit.p % alignment)
        report({"misaligned", pc, lane, object_name((u64)visit.p),
                std::string(call) + "() of " + describe((u64)visit.p) +
                    ": the address must be a multiple of " + std::to_string(alignment) + " bytes",
                0});
    if (row % 16)
        report({"misaligned", pc, lane, object_name((u64)visit.p),
                std::string(call) + "() with a leading dimension of " +
                    std::to_string(visit.leading_dimension) + " elements, " + std::to_string(row) +
                    " bytes, which must be a multiple of 16 bytes",
                1});
    for (int i = 0; i < kWarp; i++) {
        const Visit &other = visit_of(lanes[i]);
        if (other.p == visit.p && other.leading_dimension == visit.leading_dimension)
            continue;
        report({"shuffle-inactive", pc, lane, call,
                std::string(call) + "(): lane " + std::to_string(lanes[i].index) +
                    " passes another pointer or leading dimension than lane " +
                    std::to_string(lane->index) + "; all lanes of the warp must pass the same",
                3});
        break;
    }
    if (stores)
        must_be_filled(call, lanes, &Visit::d, pc);
}

// ---- the product --------------------------------------------------------------------------------

static double element(const Fragment &f, int i)
{
    if (!f.tf32)
        return number_at(f.x, (cudaDataType)f.type, i);
    u32 bits = ((const u32 *)f.x)[i] & ~0x1fffu; // the tensor cores look at no more
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

const int kMost = 32 * 16; // elements of the largest fragment
static void gather(double *matrix, Lane *lanes, const Fragment *Visit::*which)
{
    for (int lane = 0; lane < kWarp; lane++) {
        const Fragment &f = *(visit_of(lanes[lane]).*which);
        for (int i = 0; i < f.layout.count; i++) {
            const FragmentPlace at = fragment_place(f.layout, lane, i);
            matrix[at.row * f.layout.columns + at.column] = element(f, i);
        }
    }
}

static void multiply(Lane *lanes, const Visit &visit)
{
    double a[kMost], b[kMost], c[kMost];
    gather(a, lanes, &Visit::a);
    gather(b, lanes, &Visit::b);
    gather(c, lanes, &Visit::c);
    const int k = visit.a->layout.columns, n = visit.b->layout.columns;
    for (int lane = 0; lane < kWarp; lane++) {
        const Fragment &d = *visit_of(lanes[lane]).d;
        for (int i = 0; i < d.layout.count; i++) {
            const FragmentPlace at = fragment_place(d.layout, lane, i);
            double sum = c[at.row * n + at.column];
            for (int p = 0; p < k; p++)
                sum += a[at.row * k + p] * b[p * n + at.column];
            set_number(d.x, (cudaDataType)d.type, i, sum);
        }
    }
}

} // namespace emulated

using namespace emulated;

extern "C" {

void emulated_fragment_access(const char *call, const Fragment *fragment, const void *p,
                              unsigned leading_dimension, int stores)
{
    const Pc pc = __builtin_return_address(0);
    Visit visit = {p, leading_dimension, fragment, nullptr, nullptr, nullptr, false};
    const u32 came = all_come(call, &visit, pc);
    if (visit.done || came != ~0u)
        return;
    Lane *lanes = current->warp->lanes;
    for (int i = 0; i < kWarp; i++)
        visit_of(lanes[i]).done = true;
    check_access(call, *fragment, visit, stores, lanes, pc);
}

void emulated_fragment_product(const Fragment *d, const Fragment *a, const Fragment *b,
                               const Fragment *c)
{
    const Pc pc = __builtin_return_address(0);
    Visit visit = {nullptr, 0, d, a, b, c, false};
    const u32 came = all_come("mma_sync", &visit, pc);
    if (visit.done || came != ~0u)
        return;
    Lane *lanes = current->warp->lanes;
    for (int i = 0; i < kWarp; i++)
        visit_of(lanes[i]).done = true;
    must_be_filled("mma_sync", lanes, &Visit::a, pc);
    must_be_filled("mma_sync", lanes, &Visit::b, pc);
    must_be_filled("mma_sync", lanes, &Visit::c, pc);
    multiply(lanes, visit);
}

} // extern "C"
