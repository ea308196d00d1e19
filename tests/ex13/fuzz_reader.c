/* Throws mutated files at the Matrix Market readers: fuzz_reader COUNT [SEED]. Meant to be built
 * with AddressSanitizer and UBSan. Each file that the reader accepts must be a symmetric CSR matrix
 * with a positive diagonal; each that it refuses must get a message of one line. */
#include "csr.h"
#include "matrix_market.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 2048 };

static const char *const seeds[] = {
    "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n1 2 -1\n2 1 -1\n2 2 4\n",
    "%%MatrixMarket matrix coordinate real symmetric\n% comment\n3 3 5\n1 1 4.5\n2 1 -1e-3\n2 2 "
    "4\n3 2 -1\n3 3 2\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 5\n1 1\n2 2\n3 3\n4 4\n4 1\n",
    "%%MatrixMarket matrix coordinate integer general\r\n1 1 1\r\n1 1 7\r\n",
    "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n",
    "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
    "%%MatrixMarket matrix coordinate real general\n3 1 2\n1 1 4\n3 1 5\n",
};
static const char *const words[] = {
    "nan",     "inf",  "-1",    "0",          "2147483647", "2147483648", "99999999999999999999",
    "1e999",   "%",    "\n",    " ",          "\r\n",       "general",    "symmetric",
    "pattern", "real", "array", "coordinate", "0x10",       "-",          "+",
    "1e",      ".",    "\t",    "5 5 5\n",
};

static uint64_t state;

static uint64_t next(uint64_t most) /* 0 ... most - 1; xorshift64* */
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545F4914F6CDD1Du >> 16) % most;
}

static size_t replace(char *text, size_t length, size_t at, size_t cut, const char *by, size_t size)
{
    if (at > length || cut > length - at || length - cut + size >= LONGEST)
        return length;
    memmove(text + at + size, text + at + cut, length - at - cut);
    memcpy(text + at, by, size);
    return length - cut + size;
}

static size_t mutate(char *text, size_t length)
{
    const char *word = words[next(sizeof words / sizeof *words)];
    const size_t at = next(length + 1);
    char piece[64];
    size_t size, from;

    switch (next(7)) {
    case 0: /* another byte */
        piece[0] = (char)next(256);
        return replace(text, length, at, at < length, piece, 1);
    case 1: /* a digit, so that much stays valid */
        piece[0] = (char)('0' + next(10));
        while (at < length && (text[at] < '0' || text[at] > '9'))
            return length;
        return replace(text, length, at, at < length, piece, 1);
    case 2: return replace(text, length, at, 0, word, strlen(word));
    case 3: return replace(text, length, at, next(8), word, strlen(word));
    case 4: /* a piece from elsewhere: duplicate entries */
        from = next(length + 1);
        size = next(sizeof piece);
        size = size < length - from ? size : length - from;
        memcpy(piece, text + from, size);
        return replace(text, length, at, 0, piece, size);
    case 5: /* something less */
        size = next(8);
        return replace(text, length, at, size < length - at ? size : length - at, "", 0);
    default: /* truncated */ return next(4) == 0 ? at : length;
    }
}

static void check(int ok, const char *what, const char *text, size_t length)
{
    if (ok)
        return;
    printf("fuzz_reader: %s, for this file of %zu bytes:\n", what, length);
    fwrite(text, 1, length, stdout);
    putchar('\n');
    exit(1);
}

static int isSymmetricPositive(const struct csr_matrix *a)
{
    int ok = a->rows >= 1 && a->rowStart[0] == 0 && a->rowStart[a->rows] == a->nonzeros;

    for (int i = 0; ok && i < a->rows; i++) {
        int diagonal = 0;

        for (int k = a->rowStart[i]; ok && k < a->rowStart[i + 1]; k++) {
            const int j = a->column[k];
            int mirror = 0;

            ok = j >= 0 && j < a->rows && isfinite(a->value[k]) &&
                 (k == a->rowStart[i] || a->column[k - 1] < j);
            diagonal |= ok && j == i && a->value[k] > 0.0;
            for (int m = ok ? a->rowStart[j] : 0; ok && m < a->rowStart[j + 1]; m++)
                mirror |=
                    a->column[m] == i && fabs(a->value[m] - a->value[k]) <=
                                             1e-12 * fmax(fabs(a->value[m]), fabs(a->value[k]));
            ok = ok && mirror;
        }
        ok = ok && diagonal;
    }
    return ok;
}

/* The reader of dense matrices, ex20's. Returns 1 if it accepts the file. */
static int checkDense(const char *text, size_t length)
{
    char message[200] = "";
    float *elements;
    int n, ok = mmParseDense(&elements, &n, 64, text, length, "fuzz", message, sizeof message) == 0;

    if (ok)
        for (int i = 0; i < n * n; i++)
            check(isfinite(elements[i]), "accepted what is no dense matrix", text, length);
    else
        check(elements == NULL && message[0] != '\0' && strchr(message, '\n') == NULL,
              "refused without one line", text, length);
    free(elements);
    return ok;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 100000;
    long accepted = 0, vectors = 0, dense = 0;

    state = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 0x9E3779B97F4A7C15u + 1;
    for (long i = 0; i < count; i++) {
        const char *seed = seeds[next(sizeof seeds / sizeof *seeds)];
        size_t length = strlen(seed);
        char text[LONGEST], message[200] = "";
        struct csr_matrix matrix;
        double *vector = NULL;
        char *exact; /* of the file's very length, so that a byte too far is seen */

        memcpy(text, seed, length);
        for (int changes = (int)next(5); changes > 0; changes--)
            length = mutate(text, length);
        exact = malloc(length + 1);
        if (exact == NULL)
            return 2;
        memcpy(exact, text, length);
        exact[length] = '\0';

        if (csrParse(&matrix, exact, length, "fuzz", message, sizeof message) == 0) {
            accepted++;
            check(isSymmetricPositive(&matrix), "accepted what is no such matrix", text, length);
        } else {
            check(matrix.rowStart == NULL && message[0] != '\0' && strchr(message, '\n') == NULL,
                  "refused without one line", text, length);
        }
        csrFree(&matrix);
        message[0] = '\0';
        if (csrParseVector(&vector, 3, exact, length, "fuzz", message, sizeof message) == 0) {
            vectors++;
            check(vector != NULL && isfinite(vector[0]) && isfinite(vector[1]) &&
                      isfinite(vector[2]),
                  "accepted what is no such vector", text, length);
        } else {
            check(vector == NULL && message[0] != '\0' && strchr(message, '\n') == NULL,
                  "refused without one line", text, length);
        }
        free(vector);
        dense += checkDense(exact, length);
        free(exact);
    }
    printf("%ld files, %ld matrices, %ld vectors and %ld dense matrices accepted\n", count,
           accepted, vectors, dense);
    return 0;
}
