/* The Matrix Market reader: it accepts these files, and refuses all others with the line. */
#include "csr.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static void expect(int ok, const char *what, const char *got)
{
    ok ? passed++ : failed++;
    if (!ok)
        printf("FAILED: %s\n  got: %s\n", what, got);
}

#define BANNER "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"

/* A file, and a part of the expected message; NULL: must be accepted. */
static const struct {
    const char *text, *message;
} cases[] = {
    {BANNER "2 2 4\n1 1 4\n1 2 -1\n2 1 -1\n2 2 4\n", NULL},
    {SYMMETRIC "% a comment\n\n2 2 3\n1 1 4\n\n% another\n2 1 -1\n2 2 4\n", NULL},
    {"%%MatrixMarket MATRIX Coordinate Integer Symmetric\n1 1 1\n1 1 3", NULL},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n", NULL},
    {"%%MatrixMarket matrix coordinate real symmetric\r\n1 1 1\r\n1 1 3.5\r\n", NULL},
    {BANNER "2 2 4\n2 2 4e0\n1 2 -1.0000000000000\n2 1 -1\n1 1 4\n\n\n", NULL},
    {"", "empty"},
    {"%%Matrix", "f:1: not a Matrix Market file"},
    {"1 1 1\n1 1 3\n", "f:1: not a Matrix Market file"},
    {"%%MatrixMarket vector coordinate real general\n", "f:1: the object is \"vector\""},
    {"%%MatrixMarket matrix array real general\n1 1\n1\n", "f:1: the matrix is dense"},
    {"%%MatrixMarket matrix elemental real general\n1 1\n1\n", "f:1: the format is \"elemental\""},
    {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
     "\"complex\" are not supported"},
    {"%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n",
     "f:1: the storage is \"hermitian\""},
    {"%%MatrixMarket matrix coordinate real\n1 1 1\n1 1 1\n", "f:1: the storage is \"\""},
    {"%%MatrixMarket matrix coordinate real general extra\n", "f:1: unexpected text"},
    {BANNER, "f:2: the line with rows, columns and entries is missing"},
    {BANNER "2 2\n", "f:2: the number of entries is missing"},
    {BANNER "2 two 3\n", "f:2: the number of columns is not an integer"},
    {BANNER "2.0 2 3\n", "f:2: the number of rows is not an integer"},
    {BANNER "99999999999999999999 2 3\n", "f:2: the number of rows is out of range"},
    {BANNER "0 0 0\n", "f:2: a matrix of 0 rows is empty"},
    {BANNER "-2 -2 3\n", "f:2: a matrix of -2 rows is empty"},
    {BANNER "2 3 3\n", "f:2: 2 rows but 3 columns: not square"},
    {BANNER "5 5 2147483648\n", "f:2: 2147483648 non-zeros do not fit"},
    {BANNER "2000000000 2000000000 2000000000\n1 1 1\n", "it is truncated"},
    {BANNER "2000000000 2000000000 1\n1 1 1\n", "cannot fill the diagonal"},
    {BANNER "2 2 4\n1 1 4\n1 2 -1\n2 1 -1\n",
     "f:6: the file ends after 3 of 4 entries: it is truncated"},
    {BANNER "2 2 2\n1 1 4\n2 2", "f:4: the value is missing"},
    {BANNER "2 2 2\n1 1 4\n2 2 4\n1 2 1\n", "f:5: more than the announced 2 entries"},
    {BANNER "2 2 2\n1 1 4\n3 2 4\n", "f:4: entry (3, 2) lies outside"},
    {BANNER "2 2 2\n1 1 4\n2 0 4\n", "f:4: entry (2, 0) lies outside"},
    {BANNER "2 2 2\n1 1 4\n2 -1 4\n", "f:4: entry (2, -1) lies outside"},
    {BANNER "2 2 2\n1 1 4\n2 4294967298 4\n", "f:4: entry (2, 4294967298) lies outside"},
    {BANNER "2 2 2\n1 1 4\n2 x 4\n", "f:4: the column is not an integer"},
    {BANNER "2 2 2\n1 1 4\n2 2 abc\n", "f:4: the value is not a number"},
    {BANNER "2 2 2\n1 1 4\n2 2 4.0.0\n", "f:4: the value is not a number"},
    {BANNER "2 2 2\n1 1 4\n2 2 4 4\n", "f:4: unexpected text"},
    {BANNER "2 2 2\n1 1 nan\n2 2 4\n", "f:3: the value is not finite"},
    {BANNER "2 2 2\n1 1 4\n2 2 inf\n", "f:4: the value is not finite"},
    {BANNER "2 2 2\n1 1 4\n2 2 1e999\n", "f:4: the value is not finite"},
    {BANNER "2 2 3\n1 1 4\n2 2 4\n1 1 4\n", "f:5: entry (1, 1) occurs twice, first in line 3"},
    {SYMMETRIC "2 2 4\n1 1 4\n2 2 4\n2 1 1\n2 1 1\n",
     "f:6: entry (1, 2) occurs twice, first in line 5"},
    {SYMMETRIC "2 2 3\n1 1 4\n2 2 4\n1 2 1\n", "f:5: entry (1, 2) lies above the diagonal"},
    {BANNER "2 2 3\n1 1 4\n1 2 1\n2 2 4\n", "f:4: entry (1, 2) has no counterpart (2, 1)"},
    {BANNER "2 2 3\n1 1 4\n2 1 1\n2 2 4\n", "f:4: entry (2, 1) has no counterpart (1, 2)"},
    {BANNER "2 2 4\n1 1 4\n1 2 1\n2 1 2\n2 2 4\n",
     "f:4: entry (1, 2) is 1 but (2, 1) is 2: the matrix is not symmetric"},
    {BANNER "2 2 2\n1 1 4\n2 2 -4\n",
     "f:4: diagonal entry 2 is -4: the matrix is not positive definite"},
    {BANNER "2 2 2\n1 1 4\n2 2 0\n",
     "f:4: diagonal entry 2 is 0: the matrix is not positive definite"},
    {BANNER "2 2 3\n1 1 4\n1 2 1\n2 1 1\n", "row 2 has no diagonal entry"},
};

static void readerCases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct csr_matrix matrix;
        char message[256] = "accepted";
        const int status =
            csrParse(&matrix, cases[i].text, strlen(cases[i].text), "f", message, sizeof message);
        const int ok = cases[i].message == NULL
                           ? status == 0
                           : status != 0 && strstr(message, cases[i].message) != NULL;

        expect(ok && strchr(message, '\n') == NULL, cases[i].text, message);
        expect(status == 0 || matrix.rowStart == NULL, "nothing is allocated after an error",
               message);
        csrFree(&matrix);
    }
}

/* An embedded 0 byte must not end the file early, nor a message run over. */
static void readerEdges(void)
{
    static const char zero[] = BANNER "1 1 1\n1 1 \0 3\n";
    struct csr_matrix matrix;
    char message[16];

    expect(csrParse(&matrix, zero, sizeof zero - 1, "f", message, sizeof message) != 0, "a 0 byte",
           "accepted");
    expect(strlen(message) == sizeof message - 1, "a long message is cut", message);
    expect(csrParse(&matrix, zero, sizeof zero - 1, "f", NULL, 0) != 0, "no room for a message",
           "accepted");
}

/* The five-point matrix from a file in any order must be the built-in one. */
static void readerOrder(void)
{
    struct csr_matrix want, got;
    char message[256] = "", *text = malloc(100000);
    size_t used = 0;

    if (text == NULL || csrPoisson(&want, 7, 5, 1, message, sizeof message) != 0) {
        expect(0, "Poisson", message);
        free(text);
        return;
    }
    used += (size_t)sprintf(text + used, "%s35 35 %d\n", BANNER, want.nonzeros);
    for (int step = 0; step < want.nonzeros; step++) {
        const int k =
            step * 53 % want.nonzeros; /* every entry once: the count is no multiple of 53 */
        int row = 0;

        while (want.rowStart[row + 1] <= k)
            row++;
        used +=
            (size_t)sprintf(text + used, "%d %d %g\n", row + 1, want.column[k] + 1, want.value[k]);
    }
    expect(csrParse(&got, text, used, "f", message, sizeof message) == 0, "shuffled Poisson",
           message);
    expect(got.nonzeros == want.nonzeros &&
               memcmp(got.rowStart, want.rowStart, 36 * sizeof(int)) == 0 &&
               memcmp(got.column, want.column, (size_t)want.nonzeros * sizeof(int)) == 0 &&
               memcmp(got.value, want.value, (size_t)want.nonzeros * sizeof(double)) == 0,
           "shuffled Poisson: the same matrix", "another");
    csrFree(&got);
    csrFree(&want);
    free(text);
}

static void vectors(void)
{
    static const struct {
        const char *text, *message;
    } files[] = {
        {"%%MatrixMarket matrix array real general\n3 1\n1\n-2.5\n3e1\n", NULL},
        {"%%MatrixMarket matrix coordinate real general\n3 1 1\n2 1 7\n", NULL},
        {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n",
         "f:2: 2 x 1 elements, but the matrix needs 3 x 1"},
        {"%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n",
         "f:2: 3 x 2 elements"},
        {"%%MatrixMarket matrix array real general\n3 1\n1\n2\n",
         "f:5: the file ends after 2 of 3"},
        {"%%MatrixMarket matrix array real general\n3 1\n1\nnan\n3\n",
         "f:4: the value is not finite"},
        {"%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n4\n",
         "f:6: more than the announced 3"},
        {"%%MatrixMarket matrix coordinate real general\n3 1 2\n2 1 7\n2 1 7\n",
         "f:4: element (2, 1) is out of range"},
        {"%%MatrixMarket matrix coordinate real general\n3 1 1\n4 1 7\n",
         "f:3: element (4, 1) is out of range"},
        {"%%MatrixMarket matrix array real symmetric\n3 1\n",
         "f:1: a right-hand side is real or integer"},
    };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char message[256] = "accepted";
        double *v = NULL;
        const int status = csrParseVector(&v, 3, files[i].text, strlen(files[i].text), "f", message,
                                          sizeof message);

        expect(files[i].message == NULL
                   ? status == 0 && v != NULL
                   : status != 0 && v == NULL && strstr(message, files[i].message) != NULL,
               files[i].text, message);
        if (i == 0 && v != NULL)
            expect(v[0] == 1.0 && v[1] == -2.5 && v[2] == 30.0, "vector", "other elements");
        if (i == 1 && v != NULL)
            expect(v[0] == 0.0 && v[1] == 7.0 && v[2] == 0.0, "sparse vector", "other elements");
        free(v);
    }
}

/* Files given on the command line must be read: ROWS NONZEROS FILE, or - - FILE for one that must
 * not. */
static void files(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3) {
        struct csr_matrix matrix;
        char message[512] = "accepted";
        const int status = csrRead(&matrix, argv[i + 2], message, sizeof message);

        if (argv[i][0] == '-')
            expect(status != 0, argv[i + 2], message);
        else
            expect(status == 0 && matrix.rows == atoi(argv[i]) &&
                       matrix.nonzeros == atoi(argv[i + 1]),
                   argv[i + 2], message);
        printf("%s: %s\n", argv[i + 2], message);
        csrFree(&matrix);
    }
}

int main(int argc, char **argv)
{
    struct csr_matrix matrix;
    char message[256] = "";

    readerCases();
    readerEdges();
    readerOrder();
    vectors();
    files(argc, argv);
    expect(csrPoisson(&matrix, 40000, 40000, 1, message, sizeof message) != 0 &&
               strstr(message, "2^31") != NULL,
           "2^31 non-zeros", message);
    expect(csrPoisson(&matrix, 0, 5, 1, message, sizeof message) != 0, "an empty grid", message);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
