/* CUDA arrays; texture and surface objects, which devices from Kepler on have; texture references,
 * which all have. */
#ifndef LEGACY_TEXTURE_H
#define LEGACY_TEXTURE_H

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
typedef struct cudaArray *cudaArray_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum { cudaArrayDefault = 0, cudaArraySurfaceLoadStore = 2 };

enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB, normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct cudaResourceViewDesc;

extern "C" {
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t = 0,
                            unsigned int = 0);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                                cudaMemcpyKind);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *,
                                    const cudaTextureDesc *, const cudaResourceViewDesc *);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_t, size_t, size_t, size_t, size_t,
                                  cudaMemcpyKind);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc(void);

#ifdef __clang__ /* lets kernels name such a variable of the host */
#define LEGACY_REFERENCE __attribute__((device_builtin_texture_type))
#else
#define LEGACY_REFERENCE
#endif
struct textureReference {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    int normalized;
};
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct LEGACY_REFERENCE texture : textureReference {
};
struct surfaceReference {
    cudaChannelFormatDesc channelDesc;
};
template <class T, int dimensions = 1> struct surface : surfaceReference {
};
template <class T> LEGACY T tex1Dfetch(texture<T, 1>, int);
template <class T> LEGACY T tex2D(texture<T, 2>, float, float);
template <class T>
cudaError_t cudaBindTexture(size_t *, const texture<T, 1> &, const void *, size_t);
template <class T, int dimensions>
cudaError_t cudaBindTextureToArray(const texture<T, dimensions> &, cudaArray_t);
template <class T, int dimensions> cudaError_t cudaUnbindTexture(const texture<T, dimensions> &);

#ifdef LEGACY_KEPLER
template <class T> LEGACY T tex1Dfetch(cudaTextureObject_t, int);
template <class T> LEGACY T tex2D(cudaTextureObject_t, float, float);
template <class T> LEGACY void surf2Dwrite(T, cudaSurfaceObject_t, int, int);
#endif

#endif
