/* fragment.h: which lane holds which element of a matrix fragment (mma.h), the runtime's half as
 * well as the program's.
 *
 * A fragment is dealt out in registers of 4 bytes, as the tensor cores have it: where the matrix is
 * contiguous, four lanes side by side hold four registers, and eight such rows make the 32
 * lanes. */
#ifndef EMULATED_FRAGMENT_H
#define EMULATED_FRAGMENT_H

namespace emulated
{

struct FragmentLayout {
    int rows, columns;
    /* neighbours in a register, and lanes, follow a row of the matrix */
    bool along_rows;
    int width;                        /* elements of a register */
    int lanes_along, registers_along; /* that a row takes */
    int count;                        /* elements of a lane, each of them once */
};

constexpr FragmentLayout fragment_layout(int rows, int columns, bool along_rows, int width)
{
    FragmentLayout f = {rows, columns, along_rows, width, 4, 0, rows * columns / 32};
    const int along = along_rows ? columns : rows, across = along_rows ? rows : columns;
    if (across < 8)
        f.lanes_along = 32 / across;
    while (f.width * f.lanes_along > along)
        f.width /= 2;
    f.registers_along = along / (f.width * f.lanes_along);
    return f;
}

/* Where element i of a lane lies. A lane may hold its elements several times. */
struct FragmentPlace {
    int row, column;
};
inline FragmentPlace fragment_place(const FragmentLayout &f, int lane, int i)
{
    i %= f.count;
    const int piece = i / f.width;
    const int along =
        (piece % f.registers_along * f.lanes_along + lane % f.lanes_along) * f.width + i % f.width;
    const int across = piece / f.registers_along * (32 / f.lanes_along) + lane / f.lanes_along;
    return f.along_rows ? FragmentPlace{across, along} : FragmentPlace{along, across};
}

/* The description of a fragment for the runtime */
struct Fragment {
    FragmentLayout layout;
    const char *name;  /* "a", "b", "c" */
    int type;          /* cudaDataType */
    int bytes, copies; /* of one element; how often a lane holds each */
    bool tf32;         /* floats of which the lower 13 bits do not count */
    void *x;
};

} // namespace emulated

extern "C" {
/* All lanes of the warp must come here, with the same pointer and leading dimension. */
void emulated_fragment_access(const char *call, const struct emulated::Fragment *fragment,
                              const void *p, unsigned leading_dimension, int stores);
/* d = a b + c, by the whole warp */
void emulated_fragment_product(const struct emulated::Fragment *d,
                               const struct emulated::Fragment *a,
                               const struct emulated::Fragment *b,
                               const struct emulated::Fragment *c);
}
#endif
