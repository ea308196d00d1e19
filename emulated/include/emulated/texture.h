/* texture.h: reading textures and surfaces in kernels, and the typed host calls. The runtime
 * computes addresses, filters and checks (runtime/texture.cpp); here its four components become the
 * type that the program asks for. */
#ifndef EMULATED_TEXTURE_H
#define EMULATED_TEXTURE_H

#include "../channel_descriptor.h"
#include "texture_fetch.h"

extern "C" {
/* Four components as numbers; returns non-zero when they are floats. */
int emulated_texture(unsigned long long texture, const struct emulated_fetch *fetch,
                     union emulated_component *out);
/* `bytes` of a surface, at byte x of row y of slice z; boundary: a cudaSurfaceBoundaryMode */
void emulated_surface(unsigned long long surface, void *value, int bytes, int dimensions,
                      long long x, long long y, long long z, int boundary, int write);
/* a global variable of the host */
unsigned long long emulated_bound(const unsigned long long *reference);
/* that a reference is bound to, which nobody need unbind: no leak */
void emulated_keep(unsigned long long object);
}

namespace emulated
{

template <class C> static EMULATED_INLINE C component(const emulated_component &c, int)
{
    return (C)c.i;
}
template <> EMULATED_INLINE float component<float>(const emulated_component &c, int) { return c.f; }

template <class C> static EMULATED_INLINE int wanted() { return EMULATED_INTEGERS; }
template <> EMULATED_INLINE int wanted<float>() { return EMULATED_FLOATS; }

template <class T>
static EMULATED_INLINE T fetch(unsigned long long texture, const emulated_fetch &f)
{
    typedef typename texel<T>::component C;
    emulated_component four[4];
    emulated_fetch asked = f;
    asked.wants = wanted<C>();
    emulated_texture(texture, &asked, four);
    T result;
    C *parts = (C *)&result;
    for (unsigned i = 0; i < sizeof(T) / sizeof(C) && i < 4; i++)
        parts[i] = component<C>(four[i], 0);
    return result;
}

} // namespace emulated

/* Each function by value, and with a pointer to the result. */
#define EMULATED_TEXTURE(name, parameters, ...)                                                    \
    template <class T> static EMULATED_INLINE T name parameters                                    \
    {                                                                                              \
        return ::emulated::fetch<T>(object, emulated_fetch{__VA_ARGS__, 0});                       \
    }
#define EMULATED_ARGUMENTS(...) (cudaTextureObject_t object, __VA_ARGS__)
EMULATED_TEXTURE(tex1Dfetch, EMULATED_ARGUMENTS(int i), 0, 0, 0, i, 0, 0, 1, 0, 1, 0)
EMULATED_TEXTURE(tex1D, EMULATED_ARGUMENTS(float x), x, 0, 0, 0, 0, 0, 1, 0, 0, 0)
EMULATED_TEXTURE(tex2D, EMULATED_ARGUMENTS(float x, float y), x, y, 0, 0, 0, 0, 2, 0, 0, 0)
EMULATED_TEXTURE(tex3D, EMULATED_ARGUMENTS(float x, float y, float z), x, y, z, 0, 0, 0, 3, 0, 0, 0)
EMULATED_TEXTURE(tex1DLayered, EMULATED_ARGUMENTS(float x, int layer), x, 0, 0, 0, 0, layer, 1, 0,
                 0, 0)
EMULATED_TEXTURE(tex2DLayered, EMULATED_ARGUMENTS(float x, float y, int layer), x, y, 0, 0, 0,
                 layer, 2, 0, 0, 0)
EMULATED_TEXTURE(texCubemap, EMULATED_ARGUMENTS(float x, float y, float z), x, y, z, 0, 0, 0, 2, 0,
                 0, 1)
EMULATED_TEXTURE(texCubemapLayered, EMULATED_ARGUMENTS(float x, float y, float z, int layer), x, y,
                 z, 0, 0, layer, 2, 0, 0, 1)
EMULATED_TEXTURE(tex1DLod, EMULATED_ARGUMENTS(float x, float level), x, 0, 0, 0, level, 0, 1, 0, 0,
                 0)
EMULATED_TEXTURE(tex2DLod, EMULATED_ARGUMENTS(float x, float y, float level), x, y, 0, 0, level, 0,
                 2, 0, 0, 0)
EMULATED_TEXTURE(tex3DLod, EMULATED_ARGUMENTS(float x, float y, float z, float level), x, y, z, 0,
                 level, 0, 3, 0, 0, 0)
EMULATED_TEXTURE(tex2Dgather, EMULATED_ARGUMENTS(float x, float y, int component = 0), x, y, 0, 0,
                 0, 0, 2, component + 1, 0, 0)
#undef EMULATED_TEXTURE
#undef EMULATED_ARGUMENTS
template <class T> static EMULATED_INLINE void tex1Dfetch(T *out, cudaTextureObject_t t, int i)
{
    *out = tex1Dfetch<T>(t, i);
}
template <class T> static EMULATED_INLINE void tex1D(T *out, cudaTextureObject_t t, float x)
{
    *out = tex1D<T>(t, x);
}
template <class T>
static EMULATED_INLINE void tex2D(T *out, cudaTextureObject_t t, float x, float y)
{
    *out = tex2D<T>(t, x, y);
}
template <class T>
static EMULATED_INLINE void tex3D(T *out, cudaTextureObject_t t, float x, float y, float z)
{
    *out = tex3D<T>(t, x, y, z);
}

/* Surfaces: x is in bytes */
#define EMULATED_SURFACE(name, dimensions, y, z, ...)                                              \
    template <class T>                                                                             \
    static EMULATED_INLINE T name##read(cudaSurfaceObject_t surface, int x, ##__VA_ARGS__,         \
                                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)       \
    {                                                                                              \
        T value;                                                                                   \
        emulated_surface(surface, &value, sizeof value, dimensions, x, y, z, mode, 0);             \
        return value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    static EMULATED_INLINE void name##read(T *out, cudaSurfaceObject_t surface, int x,             \
                                           ##__VA_ARGS__,                                          \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)    \
    {                                                                                              \
        T value;                                                                                   \
        emulated_surface(surface, &value, sizeof value, dimensions, x, y, z, mode, 0);             \
        *out = value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    static EMULATED_INLINE void name##write(T value, cudaSurfaceObject_t surface, int x,           \
                                            ##__VA_ARGS__,                                         \
                                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)   \
    {                                                                                              \
        emulated_surface(surface, &value, sizeof value, dimensions, x, y, z, mode, 1);             \
    }
EMULATED_SURFACE(surf1D, 1, 0, 0)
EMULATED_SURFACE(surf2D, 2, y, 0, int y)
EMULATED_SURFACE(surf3D, 3, y, z, int y, int z)
EMULATED_SURFACE(surf1DLayered, 1, 0, layer, int layer)
EMULATED_SURFACE(surf2DLayered, 2, y, layer, int y, int layer)
EMULATED_SURFACE(surfCubemap, 2, y, face, int y, int face)
#undef EMULATED_SURFACE

/* Texture references, as up to CUDA 11: a global variable that holds a texture object while it is
 * bound. */
enum {
    cudaTextureType1D = 1,
    cudaTextureType2D = 2,
    cudaTextureType3D = 3,
    cudaTextureTypeCubemap = 0x0c,
    cudaTextureType1DLayered = 0xf1,
    cudaTextureType2DLayered = 0xf2,
    cudaSurfaceType1D = 1,
    cudaSurfaceType2D = 2,
    cudaSurfaceType3D = 3,
    cudaSurfaceTypeCubemap = 0x0c,
    cudaSurfaceType1DLayered = 0xf1,
    cudaSurfaceType2DLayered = 0xf2
};
/* References: emulated-cc defines it for programs that have some. */
#ifdef EMULATED_REFERENCES
struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    cudaTextureReadMode emulated_read_mode;
    cudaTextureObject_t emulated_object;
};
template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference {
    texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
    {
        normalized = norm;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = cudaCreateChannelDesc<T>();
        sRGB = 0;
        emulated_read_mode = mode;
        emulated_object = 0;
    }
};

namespace emulated
{
/* what reading gives: T, or floats */
template <class T, cudaTextureReadMode mode> struct texture_result {
    typedef T type;
};
#define EMULATED_RESULT(name)                                                                      \
    template <> struct texture_result<name##1, cudaReadModeNormalizedFloat> {                      \
        typedef float1 type;                                                                       \
    };                                                                                             \
    template <> struct texture_result<name##2, cudaReadModeNormalizedFloat> {                      \
        typedef float2 type;                                                                       \
    };                                                                                             \
    template <> struct texture_result<name##4, cudaReadModeNormalizedFloat> {                      \
        typedef float4 type;                                                                       \
    };
EMULATED_RESULT(char)
EMULATED_RESULT(uchar)
EMULATED_RESULT(short)
EMULATED_RESULT(ushort)
#undef EMULATED_RESULT
#define EMULATED_RESULT(name)                                                                      \
    template <> struct texture_result<name, cudaReadModeNormalizedFloat> {                         \
        typedef float type;                                                                        \
    };
EMULATED_RESULT(char)
EMULATED_RESULT(signed char)
EMULATED_RESULT(unsigned char)
EMULATED_RESULT(short)
EMULATED_RESULT(unsigned short)
#undef EMULATED_RESULT

static inline cudaError_t bind(textureReference &t, const cudaResourceDesc &resource)
{
    cudaTextureDesc d = {};
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = t.addressMode[i];
    d.filterMode = t.filterMode;
    d.readMode = t.emulated_read_mode;
    d.normalizedCoords = t.normalized;
    if (t.emulated_object)
        cudaDestroyTextureObject(t.emulated_object);
    t.emulated_object = 0;
    const cudaError_t error = cudaCreateTextureObject(&t.emulated_object, &resource, &d, 0);
    emulated_keep(t.emulated_object);
    return error;
}
} // namespace emulated

#define EMULATED_REFERENCE(name, ...)                                                              \
    template <class T, int type, cudaTextureReadMode mode>                                         \
    static EMULATED_INLINE typename ::emulated::texture_result<T, mode>::type name(                \
        const texture<T, type, mode> &t, EMULATED_PARAMETERS)                                      \
    {                                                                                              \
        return name<typename ::emulated::texture_result<T, mode>::type>(                           \
            emulated_bound(&t.emulated_object), __VA_ARGS__);                                      \
    }
#define EMULATED_PARAMETERS int i
EMULATED_REFERENCE(tex1Dfetch, i)
#undef EMULATED_PARAMETERS
#define EMULATED_PARAMETERS float x
EMULATED_REFERENCE(tex1D, x)
#undef EMULATED_PARAMETERS
#define EMULATED_PARAMETERS float x, float y
EMULATED_REFERENCE(tex2D, x, y)
#undef EMULATED_PARAMETERS
#define EMULATED_PARAMETERS float x, float y, float z
EMULATED_REFERENCE(tex3D, x, y, z)
EMULATED_REFERENCE(texCubemap, x, y, z)
#undef EMULATED_PARAMETERS
#define EMULATED_PARAMETERS float x, float y, int layer
EMULATED_REFERENCE(tex2DLayered, x, y, layer)
#undef EMULATED_PARAMETERS
#undef EMULATED_REFERENCE

template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, texture<T, type, mode> &t, const void *p,
                                          const cudaChannelFormatDesc &desc, size_t size = UINT_MAX)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = (void *)p;
    r.res.linear.desc = desc;
    r.res.linear.sizeInBytes = size;
    if (offset)
        *offset = 0;
    return ::emulated::bind(t, r);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, texture<T, type, mode> &t, const void *p,
                                          size_t size = UINT_MAX)
{
    return cudaBindTexture(offset, t, p, t.channelDesc, size);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, texture<T, type, mode> &t,
                                            const void *p, const cudaChannelFormatDesc &desc,
                                            size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = (void *)p;
    r.res.pitch2D.desc = desc;
    r.res.pitch2D.width = width;
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    if (offset)
        *offset = 0;
    return ::emulated::bind(t, r);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, texture<T, type, mode> &t,
                                            const void *p, size_t width, size_t height,
                                            size_t pitch)
{
    return cudaBindTexture2D(offset, t, p, t.channelDesc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(texture<T, type, mode> &t, cudaArray_const_t array)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = (cudaArray_t)array;
    return ::emulated::bind(t, r);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(texture<T, type, mode> &t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &)
{
    return cudaBindTextureToArray(t, array);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(texture<T, type, mode> &t)
{
    if (!t.emulated_object) // nothing is bound, which is no error
        return cudaSuccess;
    cudaError_t error = cudaDestroyTextureObject(t.emulated_object);
    t.emulated_object = 0;
    return error;
}
/* The same calls for C, with the reference's address */
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, texture<T, type, mode> *t, const void *p,
                                          const cudaChannelFormatDesc *desc, size_t size = UINT_MAX)
{
    return cudaBindTexture(offset, *t, p, *desc, size);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, texture<T, type, mode> *t,
                                            const void *p, const cudaChannelFormatDesc *desc,
                                            size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, *t, p, *desc, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(texture<T, type, mode> *t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *)
{
    return cudaBindTextureToArray(*t, array);
}
template <class T, int type, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(texture<T, type, mode> *t)
{
    return cudaUnbindTexture(*t);
}

template <class T, int type = cudaSurfaceType1D> struct surface {
    cudaSurfaceObject_t emulated_object = 0;
    EMULATED_INLINE operator cudaSurfaceObject_t() const
    {
        return emulated_bound(&emulated_object);
    }
};
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(surface<T, type> &s, cudaArray_const_t array)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = (cudaArray_t)array;
    if (s.emulated_object)
        cudaDestroySurfaceObject(s.emulated_object);
    s.emulated_object = 0;
    const cudaError_t error = cudaCreateSurfaceObject(&s.emulated_object, &r);
    emulated_keep(s.emulated_object);
    return error;
}
template <class T, int type>
static inline cudaError_t cudaBindSurfaceToArray(surface<T, type> &s, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &)
{
    return cudaBindSurfaceToArray(s, array);
}
#endif
#endif
