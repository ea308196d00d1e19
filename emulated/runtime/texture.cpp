// texture.cpp: arrays, textures and surfaces.
//
// An array is an allocation with rows one after another; a GPU's layout is unknown, so reading one
// through a texture counts no sectors. A texture of plain memory counts like a load. Filtering
// follows the programming guide's appendix on texture fetching: weights have 8 fractional bits.
#include "emulator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "emulated/texture_fetch.h"
#include "objects.h"
#include "streams.h"
#include "texture_types.h"

#define RETURN_ADDRESS place_of_call(__builtin_return_address(0))
#define FRAME EMULATED_FRAME

struct cudaArray {
    char *data;
    size_t width, height, depth; // in elements, none of them 0; depth counts layers and faces too
    size_t pitch;                // bytes from row to row
    int element;                 // bytes
    bool has_height, has_depth;
    unsigned int flags;
    cudaChannelFormatDesc desc;
    char *at(size_t x, size_t y, size_t z) const
    {
        return data + (z * height + y) * pitch + x * (size_t)element;
    }
};
struct cudaMipmappedArray {
    std::vector<cudaArray_t> levels;
};

namespace emulated
{
void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame); // hooks.cpp

namespace
{

struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc texture;
    std::vector<cudaArray> levels; // one, but for a mipmapped array
    bool linear;                   // plain memory: its accesses are counted and checked like loads
};
struct Surface {
    cudaResourceDesc resource;
    cudaArray array;
};
std::map<unsigned long long, Texture> textures EMULATED_EARLY;
std::map<unsigned long long, Surface> surfaces EMULATED_EARLY;
unsigned long long next_object = 1;

int bytes_of(const cudaChannelFormatDesc &d) { return (d.x + d.y + d.z + d.w) / 8; }

bool valid(const cudaChannelFormatDesc &d)
{
    int bits[] = {d.x, d.y, d.z, d.w};
    for (int i = 0; i < 4; i++)
        if ((bits[i] && bits[i] != bits[0]) || (bits[i] && i && !bits[i - 1]))
            return false;
    return (d.x == 8 || d.x == 16 || d.x == 32) && d.f <= cudaChannelFormatKindFloat &&
           (d.f != cudaChannelFormatKindFloat || d.x > 8);
}

cudaError_t new_array(cudaArray_t *out, const cudaChannelFormatDesc *desc, cudaExtent extent,
                      unsigned flags, Pc place)
{
    if (!out || !desc || !valid(*desc) || extent.width == 0)
        return fail(cudaErrorInvalidValue);
    DeviceLock lock;
    cudaArray a = {};
    a.width = extent.width;
    a.height = std::max<size_t>(extent.height, 1);
    a.depth = std::max<size_t>(extent.depth, 1);
    a.has_height = extent.height > 0;
    a.has_depth = extent.depth > 0;
    a.element = bytes_of(*desc);
    a.pitch = a.width * (size_t)a.element;
    a.flags = flags;
    a.desc = *desc;
    a.data = (char *)allocate(a.pitch * a.height * a.depth, Allocation::device, place);
    if (!a.data)
        return fail(cudaErrorMemoryAllocation);
    *out = new cudaArray(a);
    return cudaSuccess;
}

cudaError_t make_array(cudaArray_t *out, const cudaChannelFormatDesc *desc, cudaExtent extent,
                       unsigned flags, Pc place)
{
    const cudaError_t error = new_array(out, desc, extent, flags, place);
    if (error == cudaSuccess)
        object_created(kArray, *out, place);
    return error;
}

cudaError_t free_array(cudaArray_t array)
{
    if (!array)
        return cudaSuccess;
    cudaError_t error = cudaFree(array->data);
    object_ended(kArray, array);
    delete array;
    return error;
}

float half_to_float(u16 h)
{
    int exponent = h >> 10 & 31, fraction = h & 1023;
    float value = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction + 1024), exponent - 25);
    return h & 0x8000 ? -value : value;
}

struct Texel {
    float f[4]; // as floats, where the read mode or the format says so
    int i[4];
};

bool gives_floats(const Texture &t, const cudaArray &a)
{
    return a.desc.f == cudaChannelFormatKindFloat ||
           (t.texture.readMode == cudaReadModeNormalizedFloat && a.desc.x <= 16);
}

Texel decode(const cudaArray &a, const char *p)
{
    Texel texel = {};
    bool is_signed = a.desc.f == cudaChannelFormatKindSigned;
    for (int k = 0; k < 4 && k * a.desc.x / 8 < a.element; k++, p += a.desc.x / 8) {
        u32 bits = 0;
        memcpy(&bits, p, (size_t)a.desc.x / 8);
        if (a.desc.f == cudaChannelFormatKindFloat) {
            memcpy(&texel.f[k], &bits, 4);
            if (a.desc.x == 16)
                texel.f[k] = half_to_float((u16)bits);
            continue;
        }
        texel.i[k] = a.desc.x == 8 && is_signed    ? (signed char)bits
                     : a.desc.x == 16 && is_signed ? (short)bits
                                                   : (int)bits;
        float largest = (float)((1ll << (a.desc.x - is_signed)) - 1);
        texel.f[k] =
            std::max((float)(is_signed ? (long long)texel.i[k] : (long long)bits) / largest, -1.0f);
    }
    return texel;
}

// The index in 0 ... n-1 to which i maps, or -1 for the border.
long long address(long long i, long long n, cudaTextureAddressMode mode)
{
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case cudaAddressModeWrap: return (i % n + n) % n;
    case cudaAddressModeMirror: {
        long long k = (i % (2 * n) + 2 * n) % (2 * n);
        return k < n ? k : 2 * n - 1 - k;
    }
    case cudaAddressModeBorder: return -1;
    default: return i < 0 ? 0 : n - 1;
    }
}

struct Reader {
    const Texture &t;
    const cudaArray &a;
    Pc pc;
    u64 frame;

    bool is_unknown(const char *p) const
    {
        if (!wholly_unknown((u64)p, (u64)a.element))
            return false;
        settle(pc, frame); // this thread may have written it just now
        return wholly_unknown((u64)p, (u64)a.element);
    }

    Texel at(long long x, long long y, long long z) const
    {
        if (x < 0 || y < 0 || z < 0) {
            Texel border = {};
            for (int k = 0; k < 4; k++) {
                border.f[k] = t.texture.borderColor[k];
                border.i[k] = (int)t.texture.borderColor[k];
            }
            return border;
        }
        char *p = a.at((size_t)x, (size_t)y, (size_t)z);
        if (t.linear)
            atomic_access((u64)p, (u32)a.element, kRead, pc, frame);
        else if (!settings.fast && is_unknown(p) && !known("uninitialised-read", pc, 0))
            report({"uninitialised-read", pc, current, object_name((u64)p),
                    "reads an element of an array through a texture or surface that nothing has "
                    "written: " +
                        describe((u64)p),
                    0});
        return decode(a, p);
    }
};

struct Axis { // where a coordinate lies along one dimension
    long long low, high;
    float weight; // of high
};

Axis place(float c, long long n, cudaTextureAddressMode mode, const cudaTextureDesc &d,
           bool normalised)
{
    bool can_repeat = normalised && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror);
    if (!can_repeat && mode != cudaAddressModeBorder)
        mode = cudaAddressModeClamp;
    if (!(std::fabs(c) < 1e9f))
        c = c > 0 ? 1e9f : c < 0 ? -1e9f : 0;
    double x = normalised ? (double)c * (double)n : c;
    if (d.filterMode == cudaFilterModePoint) {
        long long i = address((long long)std::floor(x), n, mode);
        return {i, i, 0};
    }
    x -= 0.5;
    double low = std::floor(x);
    float weight = (float)(std::floor((x - low) * 256 + 0.5) / 256);
    return {address((long long)low, n, mode), address((long long)low + 1, n, mode), weight};
}

// The weight of a corner, whose bit d tells whether it is the upper one in dimension d. In two
// dimensions as an H200 does it, found by looking at all 256 x 256 pairs of weights: the product of
// the upper ones is rounded to 8 fractional bits (a tie goes up), and the other three are what is
// left of the upper ones and of 1.
float weight_of(int corner, int dimensions, float x, float y, float z)
{
    if (dimensions == 2) {
        float both = std::floor(x * y * 256 + 0.5f) / 256;
        const float weights[] = {1 - x - y + both, x - both, y - both, both};
        return weights[corner];
    }
    return (corner & 1 ? x : 1 - x) *
           (dimensions < 2 ? 1
            : corner & 2   ? y
                           : 1 - y) *
           (dimensions < 3 ? 1
            : corner & 4   ? z
                           : 1 - z);
}

// The texel at the coordinates, or the weighted mean of its neighbours.
Texel sample(const Reader &r, const emulated_fetch &f, float cx, float cy, float cz,
             long long layer)
{
    const cudaTextureDesc &d = r.t.texture;
    const cudaArray &a = r.a;
    bool normalised = d.normalizedCoords || f.is_cube;
    Axis x = place(cx, (long long)a.width, d.addressMode[0], d, normalised), y = {0, 0, 0},
         z = {layer, layer, 0};
    // A line is a plane of one row to the hardware, read at 0, which is half outside (found on an
    // H200).
    const bool has_border = f.dimensions == 1 && !(a.flags & cudaArrayLayered) &&
                            d.filterMode == cudaFilterModeLinear &&
                            d.addressMode[1] == cudaAddressModeBorder;
    const int dimensions = has_border ? 2 : f.dimensions;
    if (f.dimensions > 1)
        y = place(cy, (long long)a.height, d.addressMode[1], d, normalised);
    else if (has_border)
        y = place(0, 1, cudaAddressModeBorder, d, false);
    if (f.dimensions > 2)
        z = place(cz, (long long)a.depth, d.addressMode[2], d, normalised);
    if (d.filterMode == cudaFilterModePoint || !gives_floats(r.t, a))
        return r.at(x.low, y.low, z.low);
    Texel sum = {};
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        float w = weight_of(corner, dimensions, x.weight, y.weight, z.weight);
        if (w == 0)
            continue;
        Texel one = r.at(corner & 1 ? x.high : x.low, corner & 2 ? y.high : y.low,
                         corner & 4 ? z.high : z.low);
        for (int k = 0; k < 4; k++)
            sum.f[k] += w * one.f[k];
    }
    return sum;
}

// One component of the four texels that a linear filter would use, counterclockwise from the lower
// left.
Texel gather(const Reader &r, const emulated_fetch &f)
{
    cudaTextureDesc linear = r.t.texture;
    linear.filterMode = cudaFilterModeLinear;
    Axis x =
        place(f.x, (long long)r.a.width, linear.addressMode[0], linear, linear.normalizedCoords);
    Axis y =
        place(f.y, (long long)r.a.height, linear.addressMode[1], linear, linear.normalizedCoords);
    const long long xs[] = {x.low, x.high, x.high, x.low}, ys[] = {y.high, y.high, y.low, y.low};
    Texel four = {};
    for (int k = 0; k < 4; k++) {
        Texel one = r.at(xs[k], ys[k], 0);
        four.f[k] = one.f[(f.gather - 1) & 3];
        four.i[k] = one.i[(f.gather - 1) & 3];
    }
    return four;
}

// The face of a cube that a direction points at, and where on it.
int face_of(float x, float y, float z, float *s, float *t)
{
    float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z), m;
    int face;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1;
        m = ax;
        *s = x >= 0 ? -z : z;
        *t = -y;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3;
        m = ay;
        *s = x;
        *t = y >= 0 ? z : -z;
    } else {
        face = z >= 0 ? 4 : 5;
        m = az;
        *s = z >= 0 ? x : -x;
        *t = -y;
    }
    *s = (*s / m + 1) / 2;
    *t = (*t / m + 1) / 2;
    return face;
}

[[noreturn]] void refuse(const char *what, Pc pc)
{
    settle(pc, FRAME);
    report({"invalid-address", pc, current, "", what, 0});
    kill_kernel(cudaErrorIllegalAddress);
    leave_forever(current);
}

// The feature that the kind of texture lacks, NULL if none: a GPU then returns any value.
const char *mismatch(const Texture &t, const emulated_fetch &f)
{
    const bool plain = t.resource.resType == cudaResourceTypeLinear;
    if (f.is_fetch && !plain)
        return "reads an array, or rows of memory, with tex1Dfetch(), which is for plain memory "
               "(cudaResourceTypeLinear) only";
    if (!f.is_fetch && plain)
        return "reads a texture of plain memory by coordinates: it has but an index, and "
               "tex1Dfetch() takes that";
    if (f.wants == EMULATED_FLOATS && !gives_floats(t, t.levels[0]))
        return "reads floats from a texture whose elements are integers (cudaChannelFormatDesc)";
    if (f.wants == EMULATED_INTEGERS && gives_floats(t, t.levels[0]))
        return "reads integers from a texture that gives floats (cudaChannelFormatDesc, readMode)";
    return nullptr;
}

Texel fetch_level(const Texture &t, const cudaArray &a, const emulated_fetch &f, Pc pc, u64 frame)
{
    Reader r = {t, a, pc, frame};
    if (f.is_fetch)
        return f.index >= 0 && f.index < (long long)a.width ? r.at(f.index, 0, 0) : Texel();
    if (f.gather)
        return gather(r, f);
    long long layer = f.layer < 0 ? 0 : f.layer;
    float x = f.x, y = f.y;
    if (f.is_cube)
        layer = 6 * layer + face_of(f.x, f.y, f.z, &x, &y);
    return sample(r, f, x, y, f.z, std::min<long long>(layer, (long long)a.depth - 1));
}

cudaArray linear_array(const void *p, const cudaChannelFormatDesc &desc, size_t width,
                       size_t height, size_t pitch)
{
    cudaArray a = {};
    a.data = (char *)p;
    a.desc = desc;
    a.element = bytes_of(desc);
    a.width = width;
    a.height = height;
    a.depth = 1;
    a.pitch = pitch;
    return a;
}

cudaError_t copy_block(char *to, size_t to_pitch, size_t to_slice, const char *from,
                       size_t from_pitch, size_t from_slice, size_t width, size_t height,
                       size_t depth, cudaMemcpyKind kind, cudaStream_t stream)
{
    for (size_t z = 0; z < depth; z++) {
        cudaError_t error = cudaMemcpy2DAsync(to + z * to_slice, to_pitch, from + z * from_slice,
                                              from_pitch, width, height, kind, stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

// Elements one after another from (x, y) on, over the ends of rows.
cudaError_t copy_run(cudaArray_const_t a, size_t x, size_t y, size_t bytes, bool to_array,
                     void *other, cudaMemcpyKind kind, cudaStream_t stream)
{
    size_t start = y * a->pitch + x;
    if (start + bytes > a->pitch * a->height * a->depth)
        return fail(cudaErrorInvalidValue);
    void *in_array = a->data + start;
    return to_array ? cudaMemcpyAsync(in_array, other, bytes, kind, stream)
                    : cudaMemcpyAsync(other, in_array, bytes, kind, stream);
}

} // namespace
} // namespace emulated

using namespace emulated;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f)
{
    return {x, y, z, w, f};
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned int flags)
{
    return make_array(array, desc, {width, height, 0}, flags, RETURN_ADDRESS);
}
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                              cudaExtent extent, unsigned int flags)
{
    return make_array(array, desc, extent, flags, RETURN_ADDRESS);
}
cudaError_t cudaFreeArray(cudaArray_t array) { return free_array(array); }

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned int *flags,
                             cudaArray_t a)
{
    if (!a)
        return fail(cudaErrorInvalidResourceHandle);
    if (desc)
        *desc = a->desc;
    if (extent)
        *extent = {a->width, a->has_height ? a->height : 0, a->has_depth ? a->depth : 0};
    if (flags)
        *flags = a->flags;
    return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t a)
{
    if (!a || !desc)
        return fail(cudaErrorInvalidValue);
    *desc = a->desc;
    return cudaSuccess;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const cudaChannelFormatDesc *desc,
                                     cudaExtent extent, unsigned int levels, unsigned int flags)
{
    *out = new cudaMipmappedArray;
    for (unsigned i = 0; i < std::max(levels, 1u); i++) {
        cudaExtent size = {std::max<size_t>(extent.width >> i, 1),
                           extent.height ? std::max<size_t>(extent.height >> i, 1) : 0,
                           flags & (cudaArrayLayered | cudaArrayCubemap) ? extent.depth
                           : extent.depth ? std::max<size_t>(extent.depth >> i, 1)
                                          : 0};
        cudaArray_t level;
        cudaError_t error = new_array(&level, desc, size, flags, RETURN_ADDRESS);
        if (error != cudaSuccess) {
            cudaFreeMipmappedArray(*out);
            return error;
        }
        (*out)->levels.push_back(level);
    }
    object_created(kMipmappedArray, *out, RETURN_ADDRESS);
    return cudaSuccess;
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t array,
                                       unsigned int number)
{
    if (!array || number >= array->levels.size())
        return fail(cudaErrorInvalidValue);
    *level = array->levels[number];
    return cudaSuccess;
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; array && i < array->levels.size(); i++)
        error = free_array(array->levels[i]);
    object_ended(kMipmappedArray, array);
    delete array;
    return error;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent e)
{
    size_t pitch = (e.width + 511) / 512 * 512;
    DeviceLock lock;
    if (!p)
        return fail(cudaErrorInvalidValue);
    *p = {nullptr, pitch, e.width, e.height};
    if (pitch * e.height * e.depth == 0)
        return cudaSuccess;
    p->ptr = allocate(pitch * e.height * e.depth, Allocation::device, RETURN_ADDRESS);
    if (!p->ptr)
        return fail(cudaErrorMemoryAllocation);
    object_created(*allocation_at(p->ptr));
    return cudaSuccess;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int value, cudaExtent e, cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < e.depth && error == cudaSuccess; z++)
        error = cudaMemset2DAsync((char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, e.width,
                                  e.height, stream);
    return error;
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int value, cudaExtent e)
{
    return cudaMemset3DAsync(p, value, e, 0);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream)
{
    const OuterCall call("cudaMemcpy3DAsync", __builtin_return_address(0));
    if (!p || (!p->srcArray && !p->srcPtr.ptr) || (!p->dstArray && !p->dstPtr.ptr))
        return fail(cudaErrorInvalidValue);
    const cudaArray *any = p->srcArray ? p->srcArray : p->dstArray;
    size_t element = any ? (size_t)any->element : 1, width = p->extent.width * element;
    size_t depth = std::max<size_t>(p->extent.depth, 1),
           height = std::max<size_t>(p->extent.height, 1);
    struct Side {
        char *begin;
        size_t pitch, slice;
    };
    auto side = [&](cudaArray *a, const cudaPos &pos, const cudaPitchedPtr &ptr) -> Side {
        if (!a)
            return {(char *)ptr.ptr + pos.z * ptr.pitch * ptr.ysize + pos.y * ptr.pitch + pos.x,
                    ptr.pitch, ptr.pitch * ptr.ysize};
        bool inside = pos.x + p->extent.width <= a->width && pos.y + height <= a->height &&
                      pos.z + depth <= a->depth;
        return {inside ? a->at(pos.x, pos.y, pos.z) : nullptr, a->pitch, a->pitch * a->height};
    };
    Side to = side(p->dstArray, p->dstPos, p->dstPtr),
         from = side(p->srcArray, p->srcPos, p->srcPtr);
    if (!to.begin || !from.begin)
        return fail(cudaErrorInvalidValue);
    return copy_block(to.begin, to.pitch, to.slice, from.begin, from.pitch, from.slice, width,
                      height, depth, p->kind, stream);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    const OuterCall call("cudaMemcpy3D", __builtin_return_address(0));
    cudaError_t error = cudaMemcpy3DAsync(p, 0);
    return error == cudaSuccess ? cudaStreamSynchronize(0) : error;
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t size, cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_run(to, x, y, size, true, (void *)from, kind, stream);
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              cudaMemcpyKind kind)
{
    return copy_run(to, x, y, size, true, (void *)from, kind, 0);
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                cudaMemcpyKind kind)
{
    cudaError_t error = copy_run(from, x, y, size, false, to, kind, 0);
    return error == cudaSuccess ? cudaStreamSynchronize(0) : error;
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    const OuterCall call("cudaMemcpy2DToArrayAsync", __builtin_return_address(0));
    if (!to || x + width > to->pitch || y + height > to->height)
        return fail(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height,
                             kind, stream);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    const OuterCall call("cudaMemcpy2DToArray", __builtin_return_address(0));
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, 0);
}
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind)
{
    const OuterCall call("cudaMemcpy2DFromArray", __builtin_return_address(0));
    if (!from || x + width > from->pitch || y + height > from->height)
        return fail(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height,
                        kind);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind)
{
    const OuterCall call("cudaMemcpy2DArrayToArray", __builtin_return_address(0));
    if (!from || from_x + width > from->pitch || from_y + height > from->height)
        return fail(cudaErrorInvalidValue);
    return cudaMemcpy2DToArray(to, to_x, to_y, from->data + from_y * from->pitch + from_x,
                               from->pitch, width, height, kind);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture, const cudaResourceViewDesc *)
{
    if (!object || !resource || !texture)
        return fail(cudaErrorInvalidValue);
    const std::pair<const char *, bool> members[] = {
        {"resType", (unsigned)resource->resType <= cudaResourceTypePitch2D},
        {"readMode", (unsigned)texture->readMode <= cudaReadModeNormalizedFloat},
        {"filterMode", (unsigned)texture->filterMode <= cudaFilterModeLinear},
        {"addressMode[0]", (unsigned)texture->addressMode[0] <= cudaAddressModeBorder},
        {"addressMode[1]", (unsigned)texture->addressMode[1] <= cudaAddressModeBorder},
        {"normalizedCoords", (unsigned)texture->normalizedCoords <= 1}};
    for (const auto &member : members)
        if (!member.second)
            return bad_call(RETURN_ADDRESS,
                            std::string("cudaCreateTextureObject: nothing has given ") +
                                member.first +
                                " a value: fill both structures with zeros before you set their "
                                "members (memset)",
                            cudaErrorInvalidValue);
    Texture t = {*resource, *texture, {}, false};
    switch (resource->resType) {
    case cudaResourceTypeArray:
        if (!resource->res.array.array)
            return fail(cudaErrorInvalidValue);
        t.levels.push_back(*resource->res.array.array);
        break;
    case cudaResourceTypeMipmappedArray:
        if (!resource->res.mipmap.mipmap)
            return fail(cudaErrorInvalidValue);
        for (cudaArray_t level : resource->res.mipmap.mipmap->levels)
            t.levels.push_back(*level);
        break;
    case cudaResourceTypeLinear: {
        const auto &l = resource->res.linear;
        if (!l.devPtr || !valid(l.desc) || (u64)l.devPtr % 512)
            return fail(cudaErrorInvalidValue);
        t.linear = true;
        t.levels.push_back(linear_array(l.devPtr, l.desc, l.sizeInBytes / (size_t)bytes_of(l.desc),
                                        1, l.sizeInBytes));
        break;
    }
    default: {
        const auto &l = resource->res.pitch2D;
        if (!l.devPtr || !valid(l.desc) || l.pitchInBytes % 32 ||
            l.pitchInBytes < l.width * (size_t)bytes_of(l.desc))
            return fail(cudaErrorInvalidValue);
        t.linear = true;
        t.levels.push_back(linear_array(l.devPtr, l.desc, l.width, l.height, l.pitchInBytes));
    }
    }
    // Integers are filtered only as fractions between 0 and 1.
    if (texture->filterMode == cudaFilterModeLinear && !gives_floats(t, t.levels[0]))
        return fail(cudaErrorInvalidFilterSetting);
    DeviceLock lock;
    *object = next_object++;
    textures.emplace(*object, t);
    object_created(kTexture, *object, RETURN_ADDRESS);
    return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    DeviceLock lock;
    object_ended(kTexture, object);
    return textures.erase(object) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object)
{
    auto found = textures.find(object);
    if (found == textures.end())
        return fail(cudaErrorInvalidValue);
    *resource = found->second.resource;
    return cudaSuccess;
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, cudaTextureObject_t object)
{
    auto found = textures.find(object);
    if (found == textures.end())
        return fail(cudaErrorInvalidValue);
    *texture = found->second.texture;
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource)
{
    if (!object || !resource || resource->resType != cudaResourceTypeArray ||
        !resource->res.array.array)
        return fail(cudaErrorInvalidValue);
    if (!(resource->res.array.array->flags & cudaArraySurfaceLoadStore))
        return bad_call(RETURN_ADDRESS,
                        "cudaCreateSurfaceObject: the array was allocated without "
                        "cudaArraySurfaceLoadStore, the last "
                        "argument of cudaMallocArray",
                        cudaErrorInvalidValue);
    DeviceLock lock;
    *object = next_object++;
    surfaces[*object] = {*resource, *resource->res.array.array};
    object_created(kSurface, *object, RETURN_ADDRESS);
    return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    DeviceLock lock;
    object_ended(kSurface, object);
    return surfaces.erase(object) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

unsigned long long emulated_bound(const unsigned long long *reference) { return *reference; }
void emulated_keep(unsigned long long object)
{
    object_ended(kTexture, object);
    object_ended(kSurface, object);
}

int emulated_texture(unsigned long long object, const emulated_fetch *fetch,
                     emulated_component *out)
{
    Pc pc = RETURN_ADDRESS;
    auto found = textures.find(object);
    if (found == textures.end())
        refuse("reads a texture that has not been created or bound, or has been destroyed", pc);
    const Texture &t = found->second;
    if (const char *what = mismatch(t, *fetch))
        refuse(what, pc);
    const int last = (int)t.levels.size() - 1;
    float level = std::min(std::max(fetch->level + t.texture.mipmapLevelBias, 0.0f), (float)last);
    int low = t.texture.mipmapFilterMode == cudaFilterModeLinear ? (int)level
                                                                 : (int)std::floor(level + 0.5f);
    Texel texel = fetch_level(t, t.levels[(size_t)low], *fetch, pc, FRAME);
    float weight = std::floor((level - (float)low) * 256 + 0.5f) / 256;
    if (t.texture.mipmapFilterMode == cudaFilterModeLinear && weight > 0 && low < last) {
        Texel next = fetch_level(t, t.levels[(size_t)low + 1], *fetch, pc, FRAME);
        for (int k = 0; k < 4; k++)
            texel.f[k] = (1 - weight) * texel.f[k] + weight * next.f[k];
    }
    bool floats = gives_floats(t, t.levels[0]);
    for (int k = 0; k < 4; k++)
        if (floats)
            out[k].f = texel.f[k];
        else
            out[k].i = texel.i[k];
    return floats;
}

void emulated_surface(unsigned long long object, void *value, int bytes, int dimensions,
                      long long x, long long y, long long z, int boundary, int write)
{
    Pc pc = RETURN_ADDRESS;
    auto found = surfaces.find(object);
    if (found == surfaces.end())
        refuse("uses a surface that has not been created, or has been destroyed", pc);
    const cudaArray &a = found->second.array;
    bool inside = x >= 0 && x + bytes <= (long long)a.pitch && y >= 0 && y < (long long)a.height &&
                  z >= 0 && z < (long long)a.depth;
    if (!inside && boundary == cudaBoundaryModeTrap) {
        settle(pc, FRAME);
        report({"out-of-bounds", pc, current, object_name((u64)a.data),
                "byte " + std::to_string(x) +
                    (dimensions > 1 ? " of row " + std::to_string(y) : std::string()) +
                    " lies outside the surface of " + std::to_string(a.pitch) + " bytes by " +
                    std::to_string(a.height) + " rows (the first coordinate counts bytes)",
                0});
        kill_kernel(cudaErrorIllegalAddress);
        leave_forever(current);
    }
    if (!inside && boundary == cudaBoundaryModeZero) {
        if (!write)
            memset(value, 0, (size_t)bytes);
        return;
    }
    x = std::min(std::max(x, 0ll), (long long)a.pitch - bytes);
    y = std::min(std::max(y, 0ll), (long long)a.height - 1);
    z = std::min(std::max(z, 0ll), (long long)a.depth - 1);
    char *p = a.at(0, (size_t)y, (size_t)z) + x;
    if (write) // reading through a texture is not noted
        needs_one_core();
    atomic_access((u64)p, (u32)bytes, write ? kWrite : kRead, pc, FRAME);
    if (write)
        memcpy(p, value, (size_t)bytes);
    else
        memcpy(value, p, (size_t)bytes);
}

} // extern "C"
