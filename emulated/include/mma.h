/* mma.h: matrix products by a whole warp, nvcuda::wmma. */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include "emulated/fragment.h"
#include "library_types.h"

namespace nvcuda
{
namespace wmma
{

enum layout_t { mem_row_major, mem_col_major };
struct row_major {
};
struct col_major {
};
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
namespace precision
{
struct tf32 {
};
} // namespace precision

namespace emulated
{

/* The stored type of each element type, and the devices and shapes that have it */
template <class T> struct Element;
#define EMULATED_ELEMENT(T, stored, number, arch, tf)                                              \
    template <> struct Element<T> {                                                                \
        typedef stored type;                                                                       \
        static constexpr int data_type = number, needs = arch;                                     \
        static constexpr bool tf32 = tf;                                                           \
    };
EMULATED_ELEMENT(half, half, CUDA_R_16F, 700, false)
EMULATED_ELEMENT(__nv_bfloat16, __nv_bfloat16, CUDA_R_16BF, 800, false)
EMULATED_ELEMENT(precision::tf32, float, CUDA_R_32F, 800, true)
EMULATED_ELEMENT(float, float, CUDA_R_32F, 700, false)
EMULATED_ELEMENT(double, double, CUDA_R_64F, 800, false)
EMULATED_ELEMENT(signed char, signed char, CUDA_R_8I, 720, false)
EMULATED_ELEMENT(unsigned char, unsigned char, CUDA_R_8U, 720, false)
EMULATED_ELEMENT(int, int, CUDA_R_32I, 720, false)
#undef EMULATED_ELEMENT

template <int M, int N, int K> constexpr bool is_shape(int m, int n, int k)
{
    return M == m && N == n && K == k;
}
template <int M, int N, int K, class T> constexpr bool has_shape()
{
    const bool sixteen = is_shape<M, N, K>(16, 16, 16) || is_shape<M, N, K>(32, 8, 16) ||
                         is_shape<M, N, K>(8, 32, 16);
    return std::is_same<T, double>::value            ? is_shape<M, N, K>(8, 8, 4)
           : std::is_same<T, precision::tf32>::value ? is_shape<M, N, K>(16, 16, 8)
           : std::is_same<T, float>::value           ? sixteen || is_shape<M, N, K>(16, 16, 8)
                                                     : sixteen;
}

template <class Use, int M, int N, int K, class T, class Layout> struct Shape {
    static constexpr bool is_a = std::is_same<Use, matrix_a>::value,
                          is_c = std::is_same<Use, accumulator>::value;
    static constexpr int bytes = sizeof(typename Element<T>::type);
    static constexpr ::emulated::FragmentLayout layout = ::emulated::fragment_layout(
        is_a || is_c ? M : K, is_a ? K : N, !std::is_same<Layout, col_major>::value,
        is_c        ? 2
        : bytes < 4 ? 4 / bytes
                    : 1);
    /* Of half matrices a lane has 16 elements, whatever their shape. */
    static constexpr int elements = std::is_same<T, half>::value && !is_c ? 16 : layout.count;
};

} // namespace emulated

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment
{
    static_assert(emulated::has_shape<M, N, K, T>(), "wmma has no fragment of this shape and type");
    static_assert(EMULATED_ARCH >= emulated::Element<T>::needs,
                  "this wmma fragment needs a newer device: compile with -arch");

  public:
    typedef emulated::Shape<Use, M, N, K, T, Layout> Shape;
    typedef typename emulated::Element<T>::type element_type, storage_element_type;
    static constexpr int num_elements = Shape::elements, num_storage_elements = Shape::elements;
    element_type x[num_elements];
    /* These bytes mark a fragment that nothing has filled. */
    EMULATED_INLINE fragment() { __builtin_memset((void *)x, 0xfe, sizeof x); }

    EMULATED_INLINE ::emulated::Fragment described(const char *name) const /* not CUDA's */
    {
        return {Shape::layout,
                name,
                emulated::Element<T>::data_type,
                Shape::bytes,
                num_elements / Shape::layout.count,
                emulated::Element<T>::tf32,
                (void *)x};
    }
};

namespace emulated
{

/* A register's worth of neighbours in memory is one access. */
template <int bytes> struct Piece;
#define EMULATED_PIECE(bytes, T)                                                                   \
    template <> struct Piece<bytes> {                                                              \
        typedef T type;                                                                            \
    };
EMULATED_PIECE(1, unsigned char)
EMULATED_PIECE(2, unsigned short)
EMULATED_PIECE(4, unsigned int)
EMULATED_PIECE(8, unsigned long long)
EMULATED_PIECE(16, double2)
#undef EMULATED_PIECE

/* Reads or writes the fragment's elements, `width` neighbours at a time. */
template <int width, bool stores, class F, class T>
static EMULATED_INLINE void move_pieces(F &fragment, T *p, unsigned ldm, bool by_rows)
{
    typedef typename Piece<width *(int)sizeof(T)>::type piece;
    const int lane = (int)emulated_lane();
    for (int i = 0; i < F::Shape::layout.count; i += width) {
        const ::emulated::FragmentPlace at = ::emulated::fragment_place(F::Shape::layout, lane, i);
        piece *q = (piece *)(p + (by_rows ? (size_t)at.row * ldm + at.column
                                          : (size_t)at.column * ldm + at.row)),
              v;
        if (stores) {
            __builtin_memcpy((void *)&v, (void *)(fragment.x + i), sizeof v);
            *q = v;
            continue;
        }
        v = *q;
        for (int k = i; k < F::num_elements; k += F::Shape::layout.count)
            __builtin_memcpy((void *)(fragment.x + k), (void *)&v, sizeof v);
    }
}

} // namespace emulated

template <class Use, int M, int N, int K, class T, class Layout>
static EMULATED_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                                             const typename emulated::Element<T>::type *p,
                                             unsigned ldm)
{
    static_assert(!std::is_same<Use, accumulator>::value, "an accumulator is loaded with a layout");
    const ::emulated::Fragment described =
        f.described(std::is_same<Use, matrix_a>::value ? "a" : "b");
    emulated_fragment_access("load_matrix_sync", &described, p, ldm, 0);
    emulated::move_pieces<emulated::Shape<Use, M, N, K, T, Layout>::layout.width, false>(
        f, (typename emulated::Element<T>::type *)p, ldm, std::is_same<Layout, row_major>::value);
}
template <int M, int N, int K, class T>
static EMULATED_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *p,
                                             unsigned ldm, layout_t layout)
{
    const ::emulated::Fragment described = f.described("c");
    emulated_fragment_access("load_matrix_sync", &described, p, ldm, 0);
    if (layout == mem_row_major)
        emulated::move_pieces<2, false>(f, (T *)p, ldm, true);
    else
        emulated::move_pieces<1, false>(f, (T *)p, ldm, false);
}
template <int M, int N, int K, class T>
static EMULATED_INLINE void store_matrix_sync(T *p, const fragment<accumulator, M, N, K, T> &f,
                                              unsigned ldm, layout_t layout)
{
    const ::emulated::Fragment described = f.described("d");
    emulated_fragment_access("store_matrix_sync", &described, p, ldm, 1);
    if (layout == mem_row_major)
        emulated::move_pieces<2, true>(f, p, ldm, true);
    else
        emulated::move_pieces<1, true>(f, p, ldm, false);
}
template <class Use, int M, int N, int K, class T, class Layout, class Value>
static EMULATED_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, Value value)
{
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = (typename emulated::Element<T>::type)value;
}
template <int M, int N, int K, class A, class LayoutA, class LayoutB, class D, class C>
static EMULATED_INLINE void mma_sync(fragment<accumulator, M, N, K, D> &d,
                                     const fragment<matrix_a, M, N, K, A, LayoutA> &a,
                                     const fragment<matrix_b, M, N, K, A, LayoutB> &b,
                                     const fragment<accumulator, M, N, K, C> &c)
{
    typedef typename std::conditional<
        std::is_same<A, double>::value, double,
        typename std::conditional<sizeof(typename emulated::Element<A>::type) == 1, int,
                                  float>::type>::type wide;
    static_assert((std::is_same<D, wide>::value && std::is_same<C, wide>::value) ||
                      (std::is_same<A, half>::value && sizeof(D) <= 4 && sizeof(C) <= 4),
                  "wmma has no accumulator of this type for these matrices");
    const ::emulated::Fragment fd = d.described("d"), fa = a.described("a"), fb = b.described("b"),
                               fc = c.described("c");
    emulated_fragment_product(&fd, &fa, &fb, &fc);
}

/* To the nearest number with 10 bits of fraction, ties away from zero */
static EMULATED_INLINE float __float_to_tf32(float x)
{
    unsigned int bits = __float_as_uint(x);
    return (bits & 0x7f800000) == 0x7f800000 ? x : __uint_as_float((bits + 0x1000) & ~0x1fffu);
}

} // namespace wmma
} // namespace nvcuda
#endif
