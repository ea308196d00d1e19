/* The matrix in slices (sliced ELLPACK): SLICE rows side by side, padded to the longest of them. */
#ifndef SLICES_H
#define SLICES_H

#include "arrays.h"

enum { SLICE = 32 };

/* Slice i begins at entry start[i], and ends before start[i + 1]. The first entries of its rows
 * stand side by side, then their second entries, and so on: entry k of row r of the matrix is
 * number start[r / SLICE] + k SLICE + r % SLICE. Padding has the value 0 and the column r. */
template <typename real> struct slices {
    int *start, *column;
    real *value;
};

/* A in slices, made on the device from d; 0, and the row is skipped, if padding would burst 32-bit
 * indices. */
template <typename real>
int sliceMatrix(const struct csr_matrix *matrix, struct arrays<real> d, struct slices<real> *a);
template <typename real> void freeSlices(struct slices<real> *a);

#endif
