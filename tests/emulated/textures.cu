/* Textures and surfaces: every address and filter mode, kinds of array, against values worked out
 * by hand. */
#include <stdio.h>
#include <string.h>

static int wrong;
static void expect(const char *what, int i, double got, double wanted)
{
    if (!(got == wanted)) {
        printf("FAILED: %s, %d: %.9g instead of %.9g\n", what, i, got, wanted);
        wrong = 1;
    }
}
#define CHECK(call) expect(#call, __LINE__, call, cudaSuccess)
#define EACH(name, results, ...)                                                                   \
    do {                                                                                           \
        const double wanted[] = {__VA_ARGS__};                                                     \
        for (int i = 0; i < (int)(sizeof wanted / sizeof *wanted); i++)                            \
            expect(name, i, (results)[i], wanted[i]);                                              \
    } while (0)

enum { MOST = 16 };
__global__ void read1D(cudaTextureObject_t t, const float *x, float *y)
{
    y[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]);
}
__global__ void read2D(cudaTextureObject_t t, const float *x, float *y)
{
    y[threadIdx.x] = tex2D<float>(t, x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
}
__global__ void read3D(cudaTextureObject_t t, float *y)
{
    y[0] = tex3D<float>(t, 1.5f, 0.5f, 1.5f);
    y[1] = tex3D<float>(t, 1.0f, 1.0f, 1.0f);
}
__global__ void readLayers(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, threadIdx.x);
}
__global__ void readCube(cudaTextureObject_t t, float *y)
{
    y[0] = texCubemap<float>(t, 1, 0.5f, 0.5f);
    y[1] = texCubemap<float>(t, -1, 0, 0);
    y[2] = texCubemap<float>(t, 0, 1, 0);
    y[3] = texCubemap<float>(t, 0, -2, 0);
    y[4] = texCubemap<float>(t, 0, 0, 1);
    y[5] = texCubemap<float>(t, 0, 0, -1);
}
__global__ void readBytes(cudaTextureObject_t normalised, cudaTextureObject_t plain, float *y)
{
    float4 a = tex2D<float4>(normalised, 1.5f, 0.5f);
    uchar4 b = tex2D<uchar4>(plain, 1.5f, 0.5f);
    y[0] = a.x;
    y[1] = a.w;
    y[2] = b.x;
    y[3] = b.w;
}
__global__ void readLinear(cudaTextureObject_t t, int *y)
{
    y[threadIdx.x] = tex1Dfetch<int>(t, (int)threadIdx.x - 1);
}
__global__ void gatherFour(cudaTextureObject_t t, float *y)
{
    float4 v = tex2Dgather<float4>(t, 1.0f, 1.0f);
    y[0] = v.x;
    y[1] = v.y;
    y[2] = v.z;
    y[3] = v.w;
}
__global__ void levels(cudaTextureObject_t t, float *y)
{
    y[0] = tex2DLod<float>(t, 0.1f, 0.1f, 0);
    y[1] = tex2DLod<float>(t, 0.1f, 0.1f, 1);
    y[2] = tex2DLod<float>(t, 0.1f, 0.1f, 0.25f);
}
__global__ void writeSurface(cudaSurfaceObject_t s, int width, int height)
{
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite((float)(10 * y + x), s, x * (int)sizeof(float), y);
    if (x == 0 && y == 0)
        surf2Dwrite(99.0f, s, -4, 0, cudaBoundaryModeZero);
}
__global__ void addSurface(cudaSurfaceObject_t s)
{
    float v = surf2Dread<float>(s, threadIdx.x * 4, threadIdx.y), w;
    surf2Dread(&w, s, -100, 0, cudaBoundaryModeClamp);
    surf2Dwrite(v + 100 + w, s, threadIdx.x * 4, threadIdx.y);
}

static cudaTextureObject_t make(const cudaResourceDesc &r, cudaTextureAddressMode address,
                                cudaTextureFilterMode filter, int normalised,
                                cudaTextureReadMode read)
{
    cudaTextureDesc d;
    cudaTextureObject_t t = 0;
    memset(&d, 0, sizeof d);
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = address;
    d.filterMode = filter;
    d.readMode = read;
    d.normalizedCoords = normalised;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}
static cudaResourceDesc of(cudaArray_t a)
{
    cudaResourceDesc r;
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

static float *d_x, *d_y, h[MOST];
static float *results(void)
{
    CHECK(cudaMemcpy(h, d_y, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

#if defined __CUDA_EMULATED__ ||                                                                   \
    CUDART_VERSION < 12000 /* nvcc 12 has no texture references any more */
texture<float, 2> oldTexture;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> oldBytes;
__global__ void readOld(float *y)
{
    y[threadIdx.x] = tex2D(oldTexture, threadIdx.x + 0.5f, 1.5f);
    y[4 + threadIdx.x] = tex1Dfetch(oldBytes, threadIdx.x);
}
surface<void, cudaSurfaceType2D> oldSurface;
__global__ void readOldSurface(float *y)
{
    y[threadIdx.x] = surf2Dread<float>(oldSurface, 4 * threadIdx.x, 2);
}
static void references(cudaArray_t a)
{
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    const unsigned char bytes[] = {0, 255, 51, 102};
    unsigned char *d_bytes;
    CHECK(cudaBindTextureToArray(oldTexture, a));
    CHECK(cudaMalloc(&d_bytes, 4));
    CHECK(cudaMemcpy(d_bytes, bytes, 4, cudaMemcpyHostToDevice));
    CHECK(cudaBindTexture(NULL, oldBytes, d_bytes, 4));
    readOld<<<1, 4>>>(d_y);
    EACH("texture references", results(), 10, 11, 12, 13, 0, 1, 0.2f, 0.4f);
    CHECK(cudaUnbindTexture(oldTexture));
    CHECK(cudaUnbindTexture(oldTexture)); /* which is not bound any more */
    CHECK(cudaBindTextureToArray(oldTexture, a));
    CHECK(cudaBindTexture(NULL, &oldBytes, d_bytes, &desc, 3));
    readOld<<<1, 3>>>(d_y);
    EACH("a texture reference's address", results() + 4, 0, 1, 0.2f);
    CHECK(cudaUnbindTexture(&oldBytes));
    CHECK(cudaUnbindTexture(&oldTexture));
    CHECK(cudaFree(d_bytes));
}
static void surfaceReference(cudaArray_t a)
{
    CHECK(cudaBindSurfaceToArray(oldSurface, a));
    readOldSurface<<<1, 4>>>(d_y);
    EACH("a surface reference", results(), 20, 21, 22, 23);
}
#else
static void references(cudaArray_t) {}
static void surfaceReference(cudaArray_t) {}
#endif

static float *try1D(cudaArray_t a, cudaTextureAddressMode address, cudaTextureFilterMode filter,
                    int normalised, const float *x, int n)
{
    cudaTextureObject_t t = make(of(a), address, filter, normalised, cudaReadModeElementType);
    CHECK(cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice));
    read1D<<<1, n>>>(t, d_x, d_y);
    results();
    CHECK(cudaDestroyTextureObject(t));
    return h;
}

static void oneDimension(void)
{
    const float values[] = {10, 20, 40, 80};
    const float x[] = {-1, 0, 0.5f, 1, 1.25f, 3.5f, 4, 6};
    const float u[] = {-0.125f, 0.125f, 0.625f, 1.125f, 1.375f, 2.625f};
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&a, &f, 4));
    CHECK(cudaMemcpyToArray(a, 0, 0, values, sizeof values, cudaMemcpyHostToDevice));
    EACH("clamp, point", try1D(a, cudaAddressModeClamp, cudaFilterModePoint, 0, x, 8), 10, 10, 10,
         20, 20, 80, 80, 80);
    EACH("clamp, linear", try1D(a, cudaAddressModeClamp, cudaFilterModeLinear, 0, x, 8), 10, 10, 10,
         15, 17.5, 80, 80, 80);
    EACH("border, point", try1D(a, cudaAddressModeBorder, cudaFilterModePoint, 0, x, 8), 0, 10, 10,
         20, 20, 80, 0, 0);
    EACH("border, linear", try1D(a, cudaAddressModeBorder, cudaFilterModeLinear, 0, x, 8), 0, 2.5,
         5, 7.5, 8.75, 40, 20, 0);
    EACH("wrap, point", try1D(a, cudaAddressModeWrap, cudaFilterModePoint, 1, u, 6), 80, 10, 40, 10,
         20, 40);
    EACH("wrap, linear", try1D(a, cudaAddressModeWrap, cudaFilterModeLinear, 1, x + 1, 2), 45,
         40 * 0.5 + 20 * 0.5);
    EACH("mirror, point", try1D(a, cudaAddressModeMirror, cudaFilterModePoint, 1, u, 6), 10, 10, 40,
         80, 40, 40);
    EACH("wrap without normalised coordinates",
         try1D(a, cudaAddressModeWrap, cudaFilterModePoint, 0, x, 8), 10, 10, 10, 20, 20, 80, 80,
         80);
    /* weights have 8 bits: 0.5 + 1/1000 becomes 128/256 */
    const float fine[] = {1.001f, 1.003f};
    EACH("9 bits", try1D(a, cudaAddressModeClamp, cudaFilterModeLinear, 0, fine, 2), 15,
         15 + 10.0 / 256);
    CHECK(cudaFreeArray(a));
}

static void twoDimensions(void)
{
    const float values[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
    const float x[] = {1.5f, 0.5f, 1, 1, 2.25f, 1.5f, 9, 9};
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), found;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaMallocArray(&a, &f, 4, 2, cudaArrayTextureGather));
    CHECK(cudaMemcpy2DToArray(a, 0, 0, values, sizeof *values, sizeof *values, 2,
                              cudaMemcpyHostToDevice));
    CHECK(cudaArrayGetInfo(&found, &extent, &flags, a));
    expect("width", 0, extent.width, 4);
    expect("depth", 0, extent.depth, 0);
    expect("bits", 0, found.x, 32);
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    cudaTextureObject_t point =
        make(of(a), cudaAddressModeClamp, cudaFilterModePoint, 0, cudaReadModeElementType);
    cudaTextureObject_t linear =
        make(of(a), cudaAddressModeClamp, cudaFilterModeLinear, 0, cudaReadModeElementType);
    read2D<<<1, 4>>>(point, d_x, d_y);
    EACH("2D, point", results(), 1, 11, 12, 13);
    read2D<<<1, 4>>>(linear, d_x, d_y);
    EACH("2D, linear", results(), 1, 5.5, 11.75, 13);
    /* 100/256 of the way to the right, 37/256 upwards: the product 14.45/256 is rounded to
     * 14/256 */
    const float part[] = {0.5f + 100 / 256.0f, 0.5f + 37 / 256.0f};
    CHECK(cudaMemcpy(d_x, part, sizeof part, cudaMemcpyHostToDevice));
    read2D<<<1, 1>>>(linear, d_x, d_y);
    EACH("2D, rounded weights", results(), (86 * 1 + 23 * 10 + 14 * 11) / 256.0);
    gatherFour<<<1, 1>>>(point, d_y);
    EACH("gather", results(), 10, 11, 1, 0);
    CHECK(cudaDestroyTextureObject(point));
    CHECK(cudaDestroyTextureObject(linear));
    references(a);
    CHECK(cudaFreeArray(a));
}

static cudaArray_t filled(cudaExtent extent, unsigned flags)
{
    float values[24];
    cudaArray_t a;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms p;
    for (int i = 0; i < 24; i++)
        values[i] = i;
    CHECK(cudaMalloc3DArray(&a, &f, extent, flags));
    memset(&p, 0, sizeof p);
    p.srcPtr =
        make_cudaPitchedPtr(values, extent.width * sizeof(float), extent.width, extent.height);
    p.dstArray = a;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    return a;
}

static void moreDimensions(void)
{
    cudaArray_t a = filled(make_cudaExtent(2, 3, 4), cudaArrayDefault);
    cudaTextureObject_t t =
        make(of(a), cudaAddressModeClamp, cudaFilterModeLinear, 0, cudaReadModeElementType);
    read3D<<<1, 1>>>(t, d_y);
    EACH("3D, linear", results(), 7, (0 + 1 + 2 + 3 + 6 + 7 + 8 + 9) / 8.0);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
    a = filled(make_cudaExtent(2, 3, 4), cudaArrayLayered);
    t = make(of(a), cudaAddressModeClamp, cudaFilterModeLinear, 0, cudaReadModeElementType);
    readLayers<<<1, 4>>>(t, d_y);
    EACH("layers", results(), 1, 7, 13, 19);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
    a = filled(make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    t = make(of(a), cudaAddressModeClamp, cudaFilterModePoint, 1, cudaReadModeElementType);
    readCube<<<1, 1>>>(t, d_y);
    EACH("cube", results(), 0, 7, 11, 15, 19, 23);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeArray(a));
}

static void bytesAndLinear(void)
{
    const unsigned char values[2][4] = {{0, 1, 2, 3}, {255, 51, 0, 102}};
    const int numbers[] = {5, -6, 7};
    void *p;
    size_t pitch;
    cudaResourceDesc r;
    CHECK(cudaMallocPitch(&p, &pitch, sizeof values, 1));
    CHECK(cudaMemcpy2D(p, pitch, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    r.res.pitch2D.width = 2;
    r.res.pitch2D.height = 1;
    r.res.pitch2D.pitchInBytes = pitch;
    cudaTextureObject_t a =
        make(r, cudaAddressModeClamp, cudaFilterModePoint, 0, cudaReadModeNormalizedFloat);
    cudaTextureObject_t b =
        make(r, cudaAddressModeClamp, cudaFilterModePoint, 0, cudaReadModeElementType);
    readBytes<<<1, 1>>>(a, b, d_y);
    EACH("bytes", results(), 1, 0.4f, 255, 102);
    CHECK(cudaDestroyTextureObject(a));
    CHECK(cudaDestroyTextureObject(b));
    cudaTextureDesc d;
    memset(&d, 0, sizeof d);
    d.filterMode = cudaFilterModeLinear;
    expect("integers are not filtered", 0, cudaCreateTextureObject(&a, &r, &d, NULL),
           cudaErrorInvalidFilterSetting);
    CHECK(cudaFree(p));

    int *d_numbers, *d_out, out[5];
    CHECK(cudaMalloc(&d_numbers, sizeof numbers));
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = d_numbers;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof numbers;
    a = make(r, cudaAddressModeClamp, cudaFilterModePoint, 0, cudaReadModeElementType);
    readLinear<<<1, 5>>>(a, d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    EACH("linear memory", out, 0, 5, -6, 7, 0);
    CHECK(cudaDestroyTextureObject(a));
    CHECK(cudaFree(d_numbers));
    CHECK(cudaFree(d_out));
}

static void mipmaps(void)
{
    float values[16], small[4] = {100, 100, 100, 100};
    cudaMipmappedArray_t m;
    cudaArray_t level;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r;
    cudaTextureDesc d;
    cudaTextureObject_t t;
    for (int i = 0; i < 16; i++)
        values[i] = 20;
    CHECK(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(4, 4, 0), 2));
    CHECK(cudaGetMipmappedArrayLevel(&level, m, 0));
    CHECK(cudaMemcpy2DToArray(level, 0, 0, values, 16, 16, 4, cudaMemcpyHostToDevice));
    CHECK(cudaGetMipmappedArrayLevel(&level, m, 1));
    CHECK(cudaMemcpy2DToArray(level, 0, 0, small, 8, 8, 2, cudaMemcpyHostToDevice));
    memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    memset(&d, 0, sizeof d);
    d.normalizedCoords = 1;
    d.mipmapFilterMode = cudaFilterModeLinear;
    d.maxMipmapLevelClamp = 1;
    CHECK(cudaCreateTextureObject(&t, &r, &d, NULL));
    levels<<<1, 1>>>(t, d_y);
    EACH("levels", results(), 20, 100, 40);
    CHECK(cudaDestroyTextureObject(t));
    CHECK(cudaFreeMipmappedArray(m));
}

static void surfacesAndPitch(void)
{
    cudaArray_t a;
    cudaSurfaceObject_t s;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaResourceDesc r;
    CHECK(cudaMallocArray(&a, &f, 4, 3, cudaArraySurfaceLoadStore));
    r = of(a);
    CHECK(cudaCreateSurfaceObject(&s, &r));
    writeSurface<<<1, dim3(4, 3)>>>(s, 4, 3);
    surfaceReference(a);
    float back[12];
    CHECK(cudaMemcpy2DFromArray(back, 16, a, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
    EACH("surface", back, 0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23);
    addSurface<<<1, dim3(1, 1)>>>(s);
    CHECK(cudaMemcpy2DFromArray(back, 16, a, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
    EACH("surface, read and written", back, 100, 1);
    CHECK(cudaDestroySurfaceObject(s));
    CHECK(cudaFreeArray(a));

    cudaPitchedPtr p;
    CHECK(cudaMalloc3D(&p, make_cudaExtent(20, 2, 2)));
    CHECK(cudaMemset3D(p, 0, make_cudaExtent(20, 2, 2)));
    expect("pitch", 0, p.pitch % 512, 0);
    char bytes[80];
    cudaMemcpy3DParms c;
    memset(&c, 0, sizeof c);
    memset(bytes, 1, sizeof bytes);
    c.srcPtr = p;
    c.dstPtr = make_cudaPitchedPtr(bytes, 20, 20, 2);
    c.extent = make_cudaExtent(20, 2, 2);
    c.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&c));
    expect("copied from pitched memory", 0, bytes[0] + bytes[39] + bytes[79], 0);
    CHECK(cudaFree(p.ptr));
}

int main(void)
{
    CHECK(cudaMalloc(&d_x, MOST * sizeof(float)));
    CHECK(cudaMalloc(&d_y, MOST * sizeof(float)));
    CHECK(cudaMemset(d_y, 0, MOST * sizeof(float)));
    oneDimension();
    twoDimensions();
    moreDimensions();
    bytesAndLinear();
    mipmaps();
    surfacesAndPitch();
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaDeviceSynchronize());
    return wrong;
}
