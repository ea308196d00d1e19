/* tensor_core.h: the instructions of tensor cores, the runtime's half as well as the program's. */
#ifndef EMULATED_TENSOR_CORE_H
#define EMULATED_TENSOR_CORE_H

namespace emulated
{
/* What one lane brings: where its sums go, its registers, a row of a matrix */
struct Registers {
    void *const *d;
    const unsigned *a, *b, *c;
    unsigned short row[8];
    bool done; /* by another lane */
};
struct WarpgroupProduct {
    int type;
    unsigned n;
    bool a_in_registers, transposed_a, transposed_b, adds;
    unsigned long long a, b; /* descriptors */
    int scale_a, scale_b;
};
} // namespace emulated

extern "C" {
/* `type`: half, bfloat16, TF32 with sums in float; half with sums in half; signed and unsigned
 * bytes with sums in int. `registers`: of a lane for the left factor */
void emulated_mma(int type, int registers, void *const *d, const unsigned *a, const unsigned *b,
                  const unsigned *c);
void emulated_ldmatrix(int count, int transposed, const void *row, unsigned *out);
void emulated_stmatrix(int count, int transposed, void *row, const unsigned *in);
void emulated_wgmma(const struct emulated::WarpgroupProduct *product, void *const *d,
                    const unsigned *a);
void emulated_wgmma_commit(void);
void emulated_wgmma_wait(int prior);
}
#endif
