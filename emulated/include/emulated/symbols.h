/* symbols.h: __device__ and __constant__ variables as arguments of runtime calls. */
#ifndef EMULATED_SYMBOLS_H
#define EMULATED_SYMBOLS_H
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t n,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return emulatedCopySymbol((void *)&symbol, (void *)from, n, offset, 1, kind, 0);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t n, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return emulatedCopySymbol((void *)&symbol, to, n, offset, 0, kind, 0);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t n,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t stream = 0)
{
    return emulatedCopySymbol((void *)&symbol, (void *)from, n, offset, 1, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, T &symbol, size_t n, size_t offset,
                                                    cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return emulatedCopySymbol((void *)&symbol, to, n, offset, 0, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **p, T &symbol)
{
    emulatedAddressAsked(&symbol);
    *p = (void *)&symbol;
    return cudaSuccess;
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *n, T &)
{
    *n = sizeof(T);
    return cudaSuccess;
}
#endif
