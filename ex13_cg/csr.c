/* TASK     read a Matrix Market file into CSR, and refuse, with the line, whatever the solver
 *          cannot use
 * TRAFFIC  the file once into memory, 24 bytes per stored entry while sorting
 * LIMIT    strtod */

#define _POSIX_C_SOURCE 200809L

#include "csr.h"
#include "matrix_market.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    int row, column;
    unsigned line; /* for complaints that show only after sorting */
    double value;
};

/* A little less than 32-bit indices can count, for kernels step past the end. */
enum { MOST_NONZEROS = INT_MAX - 65536 };

/* Places the entries by column, or by row, keeping the order among equals: twice of it sorts the
 * matrix. start has rows + 1 elements and afterwards says where each row (column) begins. */
static void distribute(struct entry *to, const struct entry *from, int count, int *start, int rows,
                       int byRow)
{
    int i, k;

    memset(start, 0, ((size_t)rows + 1) * sizeof *start);
    for (k = 0; k < count; ++k)
        ++start[byRow ? from[k].row : from[k].column];
    for (i = 0, k = 0; i <= rows; ++i) {
        const int here = start[i];
        start[i] = k;
        k += here;
    }
    for (k = 0; k < count; ++k)
        to[start[byRow ? from[k].row : from[k].column]++] = from[k];
    for (i = rows; i > 0; --i)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* The coordinate lines; a symmetric file's lower triangle is mirrored. Both arrays hold enough for
 * that. */
static int readEntries(struct mm_input *in, const struct mm_header *header, int rows,
                       long long stored, struct entry *entry, int *count)
{
    long long k, n = 0;

    for (k = 0; k < stored; ++k) {
        long long row, column;
        double value = 1.0;

        if (!mmNextLine(in))
            return mmComplain(in, in->line,
                              "the file ends after %lld of %lld entries: it is truncated", k,
                              stored);
        if (mmReadInteger(in, &row, "the row") != 0 ||
            mmReadInteger(in, &column, "the column") != 0)
            return -1;
        if (row < 1 || row > rows || column < 1 || column > rows)
            return mmComplain(in, in->line, "entry (%lld, %lld) lies outside the %d x %d matrix",
                              row, column, rows, rows);
        if (header->field != MM_PATTERN && mmReadReal(in, &value) != 0)
            return -1;
        if (mmEndOfLine(in) != 0)
            return -1;
        if (header->symmetric && column > row)
            return mmComplain(in, in->line,
                              "entry (%lld, %lld) lies above the diagonal of a symmetric file", row,
                              column);
        if (row == column && !(value > 0.0))
            return mmComplain(in, in->line,
                              "diagonal entry %lld is %g: the matrix is not positive definite", row,
                              value);
        if (n + (header->symmetric && row != column) >= MOST_NONZEROS)
            return mmComplain(in, in->line,
                              "2^31 non-zeros or more do not fit into 32-bit indices");
        entry[n].row = (int)row - 1;
        entry[n].column = (int)column - 1;
        entry[n].line = (unsigned)in->line;
        entry[n++].value = value;
        if (header->symmetric && row != column) {
            entry[n] = entry[n - 1];
            entry[n].row = (int)column - 1;
            entry[n++].column = (int)row - 1;
        }
    }
    if (mmNextLine(in))
        return mmComplain(in, in->line, "more than the announced %lld entries", stored);
    *count = (int)n;
    return 0;
}

/* byRow is sorted by row and column, byColumn by column and row: of a symmetric matrix they
 * are mirror images. */
static int checkStructure(struct mm_input *in, const struct entry *byRow,
                          const struct entry *byColumn, int count, const int *rowStart, int rows)
{
    int i, k;

    for (k = 1; k < count; ++k)
        if (byRow[k].row == byRow[k - 1].row && byRow[k].column == byRow[k - 1].column)
            return mmComplain(in, byRow[k].line, "entry (%d, %d) occurs twice, first in line %u",
                              byRow[k].row + 1, byRow[k].column + 1, byRow[k - 1].line);
    for (k = 0; k < count; ++k) {
        const struct entry *a = &byRow[k], *b = &byColumn[k];
        const double larger = fabs(a->value) > fabs(b->value) ? fabs(a->value) : fabs(b->value);
        if (a->row != b->column || a->column != b->row) {
            /* The sequences part at the entry that comes first of the two. */
            const struct entry *odd =
                a->row < b->column || (a->row == b->column && a->column < b->row) ? a : b;
            return mmComplain(
                in, odd->line,
                "entry (%d, %d) has no counterpart (%d, %d): the matrix is not symmetric",
                odd->row + 1, odd->column + 1, odd->column + 1, odd->row + 1);
        }
        /* Files with rounded decimals differ in the last digit. */
        if (!(fabs(a->value - b->value) <= 1e-12 * larger))
            return mmComplain(
                in, a->line,
                "entry (%d, %d) is %.17g but (%d, %d) is %.17g: the matrix is not symmetric",
                a->row + 1, a->column + 1, a->value, b->row + 1, b->column + 1, b->value);
    }
    for (i = 0; i < rows; ++i) {
        for (k = rowStart[i]; k < rowStart[i + 1] && byRow[k].column != i; ++k)
            continue;
        if (k == rowStart[i + 1])
            return mmComplain(
                in, 0, "row %d has no diagonal entry: the matrix is not positive definite", i + 1);
    }
    return 0;
}

static int allocate(struct csr_matrix *matrix, int rows, int nonzeros)
{
    matrix->rows = rows;
    matrix->nonzeros = nonzeros;
    matrix->rowStart = malloc(((size_t)rows + 1) * sizeof *matrix->rowStart);
    matrix->column = malloc(((size_t)nonzeros + 1) * sizeof *matrix->column);
    matrix->value = malloc(((size_t)nonzeros + 1) * sizeof *matrix->value);
    if (matrix->rowStart != NULL && matrix->column != NULL && matrix->value != NULL)
        return 0;
    csrFree(matrix);
    return -1;
}

/* The line with rows, columns and entries, and what it must satisfy. */
static int readShape(struct mm_input *in, long long *rows, long long *stored)
{
    long long columns;

    if (!mmNextLine(in))
        return mmComplain(in, in->line, "the line with rows, columns and entries is missing");
    if (mmReadInteger(in, rows, "the number of rows") != 0 ||
        mmReadInteger(in, &columns, "the number of columns") != 0 ||
        mmReadInteger(in, stored, "the number of entries") != 0 || mmEndOfLine(in) != 0)
        return -1;
    if (*rows != columns)
        return mmComplain(in, in->line, "%lld rows but %lld columns: not square", *rows, columns);
    if (*rows < 1)
        return mmComplain(in, in->line, "a matrix of %lld rows is empty", *rows);
    if (*stored >= MOST_NONZEROS)
        return mmComplain(in, in->line, "%lld non-zeros do not fit into 32-bit indices", *stored);
    /* These two also keep the memory within a small multiple of the file's size, whatever the file
     * claims. */
    if (*stored < *rows)
        return mmComplain(
            in, in->line,
            "%lld entries cannot fill the diagonal of %lld rows: not positive definite", *stored,
            *rows);
    if (*stored > (long long)(in->end - in->at) / 4 + 1)
        return mmComplain(
            in, in->line,
            "%lld entries are announced, more than the file can hold: it is truncated", *stored);
    return 0;
}

/* Sorts the entries in byColumn into the rows of the matrix, and checks it. byRow is room for as
 * many. */
static int assemble(struct mm_input *in, struct csr_matrix *matrix, struct entry *byRow,
                    struct entry *byColumn, int rows, int count)
{
    int status;

    if (allocate(matrix, rows, count) != 0)
        return mmComplain(in, 0, "not enough memory for %d non-zeros", count);
    /* Any order, then by column, then by row within it and the other way round. */
    distribute(byRow, byColumn, count, matrix->rowStart, rows, 1);
    distribute(byColumn, byRow, count, matrix->rowStart, rows, 0);
    distribute(byRow, byColumn, count, matrix->rowStart, rows, 1);
    status = checkStructure(in, byRow, byColumn, count, matrix->rowStart, rows);
    for (int k = 0; k < count && status == 0; ++k) {
        matrix->column[k] = byRow[k].column;
        matrix->value[k] = byRow[k].value;
    }
    if (status != 0)
        csrFree(matrix);
    return status;
}

int csrParse(struct csr_matrix *matrix, const char *text, size_t length, const char *name,
             char *message, size_t size)
{
    struct mm_input in = {text, text + length, name, 1, message, size};
    struct mm_header header;
    struct entry *byRow = NULL, *byColumn = NULL;
    long long rows, stored;
    size_t room;
    int count = 0, status = -1;

    memset(matrix, 0, sizeof *matrix);
    if (mmReadHeader(&in, &header) != 0)
        return -1;
    if (header.array)
        return mmComplain(&in, 1, "the matrix is dense (\"array\"): \"coordinate\" is needed");
    if (readShape(&in, &rows, &stored) != 0)
        return -1;
    room = (size_t)stored * (header.symmetric ? 2 : 1);
    byRow = malloc(room * sizeof *byRow);
    byColumn = malloc(room * sizeof *byColumn);
    if (byRow == NULL || byColumn == NULL)
        mmComplain(&in, 0, "not enough memory for %lld entries", stored);
    else if (readEntries(&in, &header, (int)rows, stored, byColumn, &count) == 0)
        status = assemble(&in, matrix, byRow, byColumn, (int)rows, count);
    free(byRow);
    free(byColumn);
    return status;
}

/* The shape of a right-hand side for n rows. */
static int readVectorShape(struct mm_input *in, const struct mm_header *header, int n,
                           long long *stored)
{
    long long rows, columns;

    if (header->symmetric || header->field == MM_PATTERN)
        return mmComplain(in, 1, "a right-hand side is real or integer, and general");
    if (!mmNextLine(in))
        return mmComplain(in, in->line, "the line with rows and columns is missing");
    if (mmReadInteger(in, &rows, "the number of rows") != 0 ||
        mmReadInteger(in, &columns, "the number of columns") != 0)
        return -1;
    *stored = rows;
    if (!header->array && mmReadInteger(in, stored, "the number of entries") != 0)
        return -1;
    if (mmEndOfLine(in) != 0)
        return -1;
    if (rows != n || columns != 1)
        return mmComplain(in, in->line, "%lld x %lld elements, but the matrix needs %d x 1", rows,
                          columns, n);
    if (*stored < 0 || *stored > rows)
        return mmComplain(in, in->line, "%lld entries for %d elements", *stored, n);
    return 0;
}

/* The elements of a right-hand side; seen[row] becomes 1 for each that is there. */
static int readElements(struct mm_input *in, const struct mm_header *header, int n,
                        long long stored, double *vector, char *seen)
{
    for (long long k = 0; k < stored; ++k) {
        long long row = k + 1, column = 1;
        double value;

        if (!mmNextLine(in))
            return mmComplain(in, in->line,
                              "the file ends after %lld of %lld elements: it is truncated", k,
                              stored);
        if (!header->array && (mmReadInteger(in, &row, "the row") != 0 ||
                               mmReadInteger(in, &column, "the column") != 0))
            return -1;
        if (mmReadReal(in, &value) != 0 || mmEndOfLine(in) != 0)
            return -1;
        if (row < 1 || row > n || column != 1 || seen[row - 1])
            return mmComplain(in, in->line, "element (%lld, %lld) is out of range or occurs twice",
                              row, column);
        seen[row - 1] = 1;
        vector[row - 1] = value;
    }
    if (mmNextLine(in))
        return mmComplain(in, in->line, "more than the announced %lld elements", stored);
    return 0;
}

int csrParseVector(double **vector, int n, const char *text, size_t length, const char *name,
                   char *message, size_t size)
{
    struct mm_input in = {text, text + length, name, 1, message, size};
    struct mm_header header;
    long long stored = 0;
    char *seen;
    int status = -1;

    *vector = NULL;
    if (mmReadHeader(&in, &header) != 0 || readVectorShape(&in, &header, n, &stored) != 0)
        return -1;
    *vector = calloc((size_t)n, sizeof **vector);
    seen = calloc((size_t)n, 1);
    if (*vector == NULL || seen == NULL)
        mmComplain(&in, 0, "not enough memory for %d elements", n);
    else
        status = readElements(&in, &header, n, stored, *vector, seen);
    free(seen);
    if (status != 0) {
        free(*vector);
        *vector = NULL;
    }
    return status;
}

/* All of a stream, terminated. Returns NULL with errno set. */
int csrRead(struct csr_matrix *matrix, const char *path, char *message, size_t size)
{
    size_t length = 0;
    char *text = mmReadFile(path, &length, message, size);
    int status = -1;

    memset(matrix, 0, sizeof *matrix);
    if (text != NULL)
        status = csrParse(matrix, text, length, path, message, size);
    free(text);
    return status;
}

int csrReadVector(double **vector, int n, const char *path, char *message, size_t size)
{
    size_t length = 0;
    char *text = mmReadFile(path, &length, message, size);
    int status = -1;

    *vector = NULL;
    if (text != NULL)
        status = csrParseVector(vector, n, text, length, path, message, size);
    free(text);
    return status;
}

int csrPoisson(struct csr_matrix *matrix, int nx, int ny, int nz, char *message, size_t size)
{
    struct mm_input in = {NULL, NULL, "Poisson", 0, message, size};
    const double points = (double)nx * ny * nz;
    const int offset[3] = {1, nx, nx * ny};
    const int extent[3] = {nx, ny, nz};
    int i, d, k = 0;

    memset(matrix, 0, sizeof *matrix);
    if (nx < 1 || ny < 1 || nz < 1)
        return mmComplain(&in, 0, "a grid of %d x %d x %d is empty", nx, ny, nz);
    if ((nz == 1 ? 5.0 : 7.0) * points >= MOST_NONZEROS)
        return mmComplain(
            &in, 0, "%d x %d x %d points: 2^31 non-zeros or more do not fit into 32-bit indices",
            nx, ny, nz);
    if (allocate(matrix, nx * ny * nz, (nz == 1 ? 5 : 7) * nx * ny * nz) != 0)
        return mmComplain(&in, 0, "not enough memory for %.0f points", points);
    for (i = 0; i < matrix->rows; ++i) {
        const int at[3] = {i % nx, i / nx % ny, i / nx / ny};
        matrix->rowStart[i] = k;
        for (d = 2; d >= 0; --d)
            if (at[d] > 0) {
                matrix->column[k] = i - offset[d];
                matrix->value[k++] = -1.0;
            }
        matrix->column[k] = i;
        matrix->value[k++] = nz == 1 ? 4.0 : 6.0;
        for (d = 0; d < 3; ++d)
            if (at[d] < extent[d] - 1) {
                matrix->column[k] = i + offset[d];
                matrix->value[k++] = -1.0;
            }
    }
    matrix->rowStart[matrix->rows] = k;
    matrix->nonzeros = k;
    return 0;
}

void csrFree(struct csr_matrix *matrix)
{
    free(matrix->rowStart);
    free(matrix->column);
    free(matrix->value);
    memset(matrix, 0, sizeof *matrix);
}
