/* channel_descriptor.h: the format of a texture's elements from their type, in C++. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__
#include "texture_types.h"
#include "vector_types.h"

#ifdef __cplusplus
namespace emulated
{

/* A texel type: one, two or four components of one type. */
template <class T> struct texel {
    typedef T component;
};
#define EMULATED_TEXEL(name, type)                                                                 \
    template <> struct texel<name##1> {                                                            \
        typedef type component;                                                                    \
    };                                                                                             \
    template <> struct texel<name##2> {                                                            \
        typedef type component;                                                                    \
    };                                                                                             \
    template <> struct texel<name##3> {                                                            \
        typedef type component;                                                                    \
    };                                                                                             \
    template <> struct texel<name##4> {                                                            \
        typedef type component;                                                                    \
    };
EMULATED_TEXEL(char, signed char)
EMULATED_TEXEL(uchar, unsigned char)
EMULATED_TEXEL(short, short)
EMULATED_TEXEL(ushort, unsigned short)
EMULATED_TEXEL(int, int)
EMULATED_TEXEL(uint, unsigned int)
EMULATED_TEXEL(float, float)
#undef EMULATED_TEXEL

} // namespace emulated

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename ::emulated::texel<T>::component C;
    int bits = 8 * (int)sizeof(C), n = (int)(sizeof(T) / sizeof(C));
    cudaChannelFormatKind kind = (C)0.5f != (C)0 ? cudaChannelFormatKindFloat
                                 : (C)-1 < (C)0  ? cudaChannelFormatKindSigned
                                                 : cudaChannelFormatKindUnsigned;
    return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
#endif
#endif
