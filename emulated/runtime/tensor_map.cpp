// tensor_map.cpp: boxes of arrays, copied by the device itself between global and shared memory.
//
// A box lies densely in shared memory, its first dimension inside. With a swizzle a row takes as
// many bytes as the swizzle spans, however short it is, and the pieces of 16 bytes change places,
// by bits of the address in shared memory.
#include <cstring>

#include "cuda.h"
#include "cuda_emulated.h"
#include "mbarrier.h"

extern "C" unsigned long long emulated_shared_offset(const void *p);

namespace emulated
{

const u64 kMagic = 0x746d6170656d75ull;
struct TensorMap { // what a CUtensorMap holds here
    u64 magic, address;
    u64 strides[4]; // of dimension 1 and up, in bytes
    u32 dimensions[5];
    u16 box[5];
    u8 rank, bytes, swizzle, nan;
};
static_assert(sizeof(TensorMap) <= sizeof(CUtensorMap), "it fits");

static u32 size_of(CUtensorMapDataType type)
{
    static const u8 sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return (u32)type < sizeof sizes ? sizes[type] : 0;
}

static std::string dimension(const char *what, u32 i)
{
    return std::string(what) + " " + std::to_string(i);
}

// What cuTensorMapEncodeTiled() refuses; "": nothing
static std::string refuse(u32 bytes, u32 rank, u64 address, const cuuint64_t *dimensions,
                          const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
                          CUtensorMapSwizzle swizzle)
{
    if (bytes == 0)
        return "there is no such data type";
    if (rank < 1 || rank > 5)
        return std::to_string(rank) + " dimensions: from 1 to 5 are possible";
    if (address % 16)
        return "the global address must be a multiple of 16";
    for (u32 i = 0; i < rank; i++) {
        if (dimensions[i] == 0 || dimensions[i] > 1ull << 32)
            return dimension("dimension", i) + " has " + std::to_string(dimensions[i]) +
                   " elements: from 1 to 2^32 are possible";
        if (box[i] == 0 || box[i] > 256)
            return dimension("dimension", i) + " of the box has " + std::to_string(box[i]) +
                   " elements: from 1 to 256 are possible";
        if (steps[i] != 1)
            return dimension("element stride", i) + " is not 1: the emulated device has no other";
        if (i + 1 < rank && (strides[i] % 16 || strides[i] >= 1ull << 40))
            return dimension("stride", i) + " is " + std::to_string(strides[i]) +
                   " bytes: it must be a multiple of 16 below 2^40";
    }
    const u32 inner = box[0] * bytes, most = 16u << swizzle;
    if (inner % 16)
        return "a row of the box has " + std::to_string(inner) +
               " bytes: it must be a multiple of 16";
    if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && inner > most)
        return "a row of the box has " + std::to_string(inner) +
               " bytes: with this swizzle at most " + std::to_string(most) + " are possible";
    return "";
}

// Where in shared memory the pieces of 16 bytes of a box of `bytes` lie, from `box` on
static void place(const TensorMap &map, const void *box, u32 bytes, std::vector<u64> *pieces)
{
    const u32 row = map.box[0] * map.bytes, pitch = map.swizzle ? 16u << map.swizzle : row;
    for (u32 i = 0; i < bytes; i += 16) {
        const u64 address = (u64)box + i / row * pitch + i % row;
        const u64 line = emulated_shared_offset((const void *)address) >> 7;
        pieces->push_back(address ^ (line & ((1u << map.swizzle) - 1)) << 4);
    }
}

// What a copy of the box at `at` has against it. For the last two an H200 ends the kernel by an
// illegal instruction.
static std::string what_forbids(const TensorMap &map, int rank, const int *at, bool is_store)
{
    if (map.magic != kMagic)
        return "uses a tensor map that cuTensorMapEncodeTiled() has not filled";
    if (map.rank != rank)
        return "copies a box of " + std::to_string(rank) + " dimensions by a tensor map of " +
               std::to_string(map.rank);
    if (at[0] * (long long)map.bytes % 16 != 0)
        return "copies a box from element " + std::to_string(at[0]) + " of a row on, byte " +
               std::to_string(at[0] * (long long)map.bytes) + ": it must be a multiple of 16";
    for (int i = 0; is_store && i < rank; i++)
        if (at[i] < 0)
            return "stores a box at coordinate " + std::to_string(at[i]) +
                   ": only a load may begin before the array";
    return "";
}

static const TensorMap &map_at(Lane *lane, const void *p, int rank, const int *at,
                               const void *shared, bool is_store, Pc pc)
{
    const TensorMap &map = *(const TensorMap *)p;
    const std::string why = what_forbids(map, rank, at, is_store);
    if (!why.empty()) {
        report({"bad-call", pc, lane, "tensor map", why, 0});
        kill_kernel(cudaErrorIllegalInstruction);
    }
    must_be_aligned(lane, (u64)shared, 128, "the box in shared memory", pc);
    return map;
}

// Calls element(address, offset in the box) for each that exists.
template <class F> static void for_box(const TensorMap &map, const int *at, u32 *bytes, F element)
{
    u32 index[5] = {}, offset = 0;
    for (;;) {
        bool exists = true;
        u64 address = map.address;
        for (u32 i = 0; i < map.rank; i++) {
            const long long c = (long long)at[i] + index[i];
            exists &= c >= 0 && c < (long long)map.dimensions[i] + 1;
            address += (u64)c * (i ? map.strides[i - 1] : map.bytes);
        }
        if (exists)
            element(address, offset);
        offset += map.bytes;
        u32 i = 0;
        while (i < map.rank && ++index[i] == map.box[i])
            index[i++] = 0;
        if (i == map.rank)
            break;
    }
    *bytes = offset;
}

} // namespace emulated

using namespace emulated;

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap *to, CUtensorMapDataType type, cuuint32_t rank,
                                void *address, const cuuint64_t *dimensions,
                                const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill fill)
{
    const u32 bytes = size_of(type);
    std::string why =
        interleave != CU_TENSOR_MAP_INTERLEAVE_NONE
            ? "the emulated device has no interleaved layouts"
        : (u32)swizzle > CU_TENSOR_MAP_SWIZZLE_128B
            ? "the emulated device has no such swizzle"
            : refuse(bytes, rank, (u64)address, dimensions, strides, box, steps, swizzle);
    if (!why.empty()) {
        bad_call(__builtin_return_address(0), "cuTensorMapEncodeTiled(): " + why,
                 cudaErrorInvalidValue);
        return CUDA_ERROR_INVALID_VALUE;
    }
    TensorMap map = {};
    map.magic = kMagic;
    map.address = (u64)address;
    map.rank = (u8)rank;
    map.bytes = (u8)bytes;
    map.swizzle = (u8)swizzle;
    map.nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    for (u32 i = 0; i < rank; i++) {
        map.dimensions[i] = (u32)(dimensions[i] - 1);
        map.box[i] = (u16)box[i];
        if (i)
            map.strides[i - 1] = strides[i - 1];
    }
    memset(to, 0, sizeof *to);
    memcpy(to, &map, sizeof map);
    return CUDA_SUCCESS;
}

cudaError_t emulatedDriverEntryPoint(const char *name, void **function,
                                     enum cudaDriverEntryPointQueryResult *found)
{
    const bool known = strcmp(name, "cuTensorMapEncodeTiled") == 0;
    *function = known ? (void *)cuTensorMapEncodeTiled : nullptr;
    if (found)
        *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return known || found ? cudaSuccess : fail(cudaErrorSymbolNotFound);
}

void emulated_tensor_load(void *to, const void *p, int rank, const int *at, void *barrier,
                          unsigned blocks)
{
    const Pc pc = __builtin_return_address(0);
    Lane *lane = calling_lane("cp.async.bulk.tensor", pc, EMULATED_FRAME);
    const TensorMap &map = map_at(lane, p, rank, at, to, false, pc);
    must_be_aligned(lane, (u64)barrier, 8, "an mbarrier", pc);
    Bulk bulk;
    u32 bytes;
    std::vector<u32> offsets;
    for_box(map, at, &bytes, [&](u64 address, u32 offset) {
        bulk.global.push_back(address);
        offsets.push_back(offset);
    });
    use_pieces(lane, bulk.global, map.bytes, kRead, pc);
    bulk.data.assign(bytes, map.nan ? 0xff : 0);
    for (size_t i = 0; i < offsets.size(); i++)
        memcpy(&bulk.data[offsets[i]], (const void *)bulk.global[i], map.bytes);
    place(map, to, bytes, &bulk.shared);
    begin_load(lane, bulk, (u64)barrier, blocks, pc);
}

void emulated_tensor_store(const void *from, const void *p, int rank, const int *at)
{
    const Pc pc = __builtin_return_address(0);
    Lane *lane = calling_lane("cp.async.bulk.tensor", pc, EMULATED_FRAME);
    const TensorMap &map = map_at(lane, p, rank, at, from, true, pc);
    Bulk bulk;
    std::vector<Target> targets;
    u32 bytes;
    for_box(map, at, &bytes, [&](u64 address, u32 offset) {
        targets.push_back({address, offset, map.bytes});
    });
    place(map, from, bytes, &bulk.shared);
    bulk.data.resize(bytes);
    begin_store(lane, bulk, targets, pc);
}

} // extern "C"
