/* The reader of dense matrices: the place of each element, and the line in the message for each bad
 * file. */
#include "matrix_market.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed;

static void expect(int ok, const char *text, const char *got)
{
    ok ? passed++ : failed++;
    if (!ok)
        printf("FAILED: %s\n  got: %s\n", text, got);
}

#define ARRAY "%%MatrixMarket matrix array real general\n"
#define LOWER "%%MatrixMarket matrix array integer symmetric\n"
#define ENTRIES "%%MatrixMarket matrix coordinate real general\n"
#define LOWER_ENTRIES "%%MatrixMarket matrix coordinate real symmetric\n"

static const struct {
    const char *text;
    int n;
    float elements[9];
} right[] = {
    {ARRAY "1 1\n-2.5\n", 1, {-2.5f}},
    {ARRAY "% comment\n2 2\n1\n2\n\n3\n4\n", 2, {1, 3, 2, 4}},
    {ARRAY "3 3\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", 3, {1, 4, 7, 2, 5, 8, 3, 6, 9}},
    {LOWER "3 3\n1\n2\n3\n4\n5\n6\n", 3, {1, 2, 3, 2, 4, 5, 3, 5, 6}},
    {ENTRIES "2 2 2\n1 2 7\n2 1 -1e-1\n", 2, {0, 7, -0.1f, 0}},
    {ENTRIES "2 2 0\n", 2, {0}},
    {LOWER_ENTRIES "3 3 2\r\n3 1 5\r\n2 2 -4\r\n", 3, {0, 0, 5, 0, -4, 0, 5, 0, 0}},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", 2, {0, 1, 0, 0}},
};

static const struct {
    const char *text, *message;
} wrong[] = {
    {"", "f: the file is empty"},
    {"3 3\n", "f:1: not a Matrix Market file"},
    {"%%MatrixMarket matrix array complex general\n1 1\n1 0\n", "\"complex\" are not supported"},
    {"%%MatrixMarket matrix array real skew-symmetric\n", "f:1: the storage is \"skew-symmetric\""},
    {ARRAY, "f:2: the line with rows and columns is missing"},
    {ARRAY "2 3\n", "f:2: 2 rows but 3 columns: not square"},
    {ARRAY "0 0\n", "f:2: 0 rows: 1 to 100 are possible"},
    {ARRAY "101 101\n1\n", "f:2: 101 rows: 1 to 100 are possible"},
    {ARRAY "2 2 4\n", "f:2: unexpected text at the end of the line"},
    {ARRAY "90 90\n1\n2\n", "f:2: 8100 entries cannot be in a file of this size"},
    {ARRAY "2 2\n1   \n2   \n3   \n", "f:6: the file ends after 3 of 4 entries"},
    {LOWER "2 2\n1\n2\n3\n4\n", "f:6: more than the announced 3 entries"},
    {ARRAY "2 2\n1\nx\n3\n4\n", "f:4: the value is not a number"},
    {ARRAY "1 1\nnan\n", "f:3: the value is not finite"},
    {ARRAY "1 1\n1e39\n", "f:3: 1e+39 is too large for a float"},
    {ENTRIES "2 2\n", "f:2: the number of entries is missing"},
    {ENTRIES "2 2 -1\n", "f:2: -1 entries"},
    {ENTRIES "2 2 1\n3 1 5\n", "f:3: entry (3, 1) lies outside the 2 x 2 matrix"},
    {ENTRIES "2 2 1\n1 0 5\n", "f:3: entry (1, 0) lies outside the 2 x 2 matrix"},
    {ENTRIES "2 2 2\n1 2 5\n1 2 5\n", "f:4: entry (1, 2) occurs twice"},
    {LOWER_ENTRIES "2 2 1\n1 2 5\n", "f:3: entry (1, 2) lies above the diagonal"},
};

int main(void)
{
    char message[200];
    float *elements;
    int n;

    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        const char *text = right[i].text;
        const size_t length = strlen(text),
                     bytes = sizeof(float) * (size_t)(right[i].n * right[i].n);

        message[0] = '\0';
        expect(mmParseDense(&elements, &n, 100, text, length, "f", message, sizeof message) == 0 &&
                   n == right[i].n && memcmp(elements, right[i].elements, bytes) == 0,
               text, message);
        free(elements);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *text = wrong[i].text;

        message[0] = '\0';
        expect(mmParseDense(&elements, &n, 100, text, strlen(text), "f", message, sizeof message) !=
                       0 &&
                   elements == NULL && strstr(message, wrong[i].message) != NULL &&
                   strchr(message, '\n') == NULL,
               wrong[i].message, message);
        free(elements);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}
