/* memory.h: loads and stores with cache hints, which the emulated device ignores. */
#ifndef EMULATED_MEMORY_H
#define EMULATED_MEMORY_H
#include "async.h"

#define EMULATED_LOAD(name)                                                                        \
    template <class T> static EMULATED_INLINE T name(const T *p) { return *p; }
/* A launch must not write what it reads by __ldg(): this tells the runtime which reads these
 * are. */
extern "C" {
struct emulated_pair {
    unsigned long long first, second;
};
unsigned char emulated_read_only1(const void *p) __attribute__((pure));
unsigned short emulated_read_only2(const void *p) __attribute__((pure));
unsigned emulated_read_only4(const void *p) __attribute__((pure));
unsigned long long emulated_read_only8(const void *p) __attribute__((pure));
struct emulated_pair emulated_read_only16(const void *p) __attribute__((pure));
}
namespace emulated
{
template <size_t bytes> struct read_only;
#define EMULATED_READ_ONLY(bytes, type)                                                            \
    template <> struct read_only<bytes> {                                                          \
        static EMULATED_INLINE type get(const void *p) { return emulated_read_only##bytes(p); }    \
    };
EMULATED_READ_ONLY(1, unsigned char)
EMULATED_READ_ONLY(2, unsigned short)
EMULATED_READ_ONLY(4, unsigned)
EMULATED_READ_ONLY(8, unsigned long long)
EMULATED_READ_ONLY(16, emulated_pair)
#undef EMULATED_READ_ONLY
} // namespace emulated
#if EMULATED_ARCH >= 350
template <class T> static EMULATED_INLINE T __ldg(const T *p)
{
    const auto bits = emulated::read_only<sizeof(T)>::get(p);
    T value;
    __builtin_memcpy((void *)&value, &bits, sizeof value);
    return value;
}
#else
EMULATED_NEEDS(__ldg, "3.5")
#endif
EMULATED_LOAD(__ldca)
EMULATED_LOAD(__ldcg)
EMULATED_LOAD(__ldcs)
EMULATED_LOAD(__ldlu)
#undef EMULATED_LOAD
template <class T> static EMULATED_INLINE T __ldcv(const T *p) { return *(const volatile T *)p; }

#define EMULATED_STORE(name)                                                                       \
    template <class T> static EMULATED_INLINE void name(T *p, T value) { *p = value; }
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stwt)
#undef EMULATED_STORE

static EMULATED_INLINE size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)emulated_shared_offset(p);
}
static EMULATED_INLINE void *__cvta_shared_to_generic(size_t p)
{
    return emulated_shared_pointer((unsigned)p);
}
extern "C" int emulated_is_in(int space, const void *p);
static EMULATED_INLINE unsigned __isGlobal(const void *p) { return emulated_is_in(0, p); }
static EMULATED_INLINE unsigned __isShared(const void *p) { return emulated_is_in(1, p); }
static EMULATED_INLINE unsigned __isConstant(const void *p) { return emulated_is_in(2, p); }
static EMULATED_INLINE unsigned __isLocal(const void *p) { return emulated_is_in(3, p); }
static EMULATED_INLINE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
/* Replace memcpy() and the like in a .cu file (translate.c): the same functions, but seen by the
 * checks. */
extern "C" {
void *emulated_memcpy(void *to, const void *from, size_t n);
void *emulated_memmove(void *to, const void *from, size_t n);
void *emulated_memset(void *to, int byte, size_t n);
void emulated_free(void *p);
}

/* Replaces the argument &d_x of cudaMalloc() (translate.c). */
extern "C" void emulated_name_allocation(const char *name, size_t element);
namespace emulated
{
/* An array of one byte more than an element has; of one where that is unknown, as of void * */
template <class T> char (&element(T **))[sizeof(T) + 1];
char (&element(void **))[1];
char (&element(...))[1];
template <class T> static EMULATED_INLINE T named(T p, const char *name, size_t element)
{
    emulated_name_allocation(name, element);
    return p;
}
} // namespace emulated

/* cudaMemset(d_x, 1.0f, bytes) and cudaMemset(d_x, 1, bytes) compile, and set bytes of 1. */
namespace emulated
{
__attribute__((
    noinline,
    warning("cudaMemset() sets each byte to a number from 0 to 255, not each element to a value: "
            "write a kernel that does"))) static inline cudaError_t
set_bytes(void *p, int value, size_t size)
{
    return cudaMemset(p, value, size);
}
} // namespace emulated
template <class T, class V>
static EMULATED_INLINE typename std::enable_if<std::is_arithmetic<V>::value, cudaError_t>::type
cudaMemset(T *p, V value, size_t size)
{
    const bool is_byte = std::is_void<T>::value || sizeof *p == 1;
    if (std::is_floating_point<V>::value ||
        (!is_byte && __builtin_constant_p(value) && value > 0 && value < 10))
        return emulated::set_bytes(p, (int)value, size);
    return cudaMemset((void *)p, (int)value, size);
}
/* Put around sizeof x, where x is what cudaMemcpy() copies (translate.c) */
namespace emulated
{
template <class T>
__attribute__((noinline, warning("sizeof a pointer is 8, however long the array is: its bytes are "
                                 "elements * sizeof(element)"))) size_t
size_of_pointer(size_t bytes)
{
    return bytes;
}
template <class T> static EMULATED_INLINE size_t size_of(size_t bytes)
{
    return std::is_pointer<T>::value ? size_of_pointer<T>(bytes) : bytes;
}
} // namespace emulated
#endif
