/* A sparse matrix in compressed sparse rows (CSR), read from a Matrix Market file or built in.
 * Format of the files: "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935, 1996. */
#ifndef CSR_H
#define CSR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Row i holds the entries rowStart[i] <= k < rowStart[i + 1], by ascending column[k]. Rows and
 * columns count from 0. Both triangles are stored. Whoever fills it owns the arrays and frees them
 * with csrFree. */
struct csr_matrix {
    int rows; /* the matrix is square */
    int nonzeros;
    int *rowStart; /* rows + 1 */
    int *column;   /* nonzeros */
    double *value; /* nonzeros */
};

/* All return 0, or -1 with one line of text in message (size bytes, always terminated) and nothing
 * allocated. */

/* Reads a symmetric positive definite matrix: "coordinate", real, integer or pattern, general or
 * symmetric storage. The file may be compressed with gzip. Refuses a matrix that can be seen to be
 * wrong without a factorisation: see csr.c. */
int csrRead(struct csr_matrix *matrix, const char *path, char *message, size_t size);

/* Reads a vector of n elements, "array" or "coordinate" of n x 1, into *vector, which the caller
 * frees. */
int csrReadVector(double **vector, int n, const char *path, char *message, size_t size);

/* The same from length bytes in memory; name stands in the messages. text[length] must be 0. */
int csrParse(struct csr_matrix *matrix, const char *text, size_t length, const char *name,
             char *message, size_t size);
int csrParseVector(double **vector, int n, const char *text, size_t length, const char *name,
                   char *message, size_t size);

/* The negative Laplacian on an nx x ny x nz grid of inner points, zero outside, spacing 1: 5 points
 * if nz is 1, else 7. Its eigenvalues: the sum over the dimensions of 4 sin^2(k pi / (2 (n + 1))),
 * k = 1 ... n. */
int csrPoisson(struct csr_matrix *matrix, int nx, int ny, int nz, char *message, size_t size);

void csrFree(struct csr_matrix *matrix);

#ifdef __cplusplus
}
#endif

#endif
