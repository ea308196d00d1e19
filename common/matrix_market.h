/* Matrix Market files: the parts that every reader of them needs, and dense matrices.
 * Format: "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935, 1996. */
#ifndef MATRIX_MARKET_H
#define MATRIX_MARKET_H

#include <stddef.h>

/* Where a parser stands, and where its complaint goes. */
struct mm_input {
    const char *at, *end;
    const char *name;
    long line;
    char *message;
    size_t size;
};

enum mm_field { MM_REAL, MM_INTEGER, MM_PATTERN };

struct mm_header {
    int array, symmetric;
    enum mm_field field;
};

/* Functions that return int return 0, or -1 with one line of text in the message (size bytes,
 * always terminated), except mmNextLine(). */

/* Reads a real n x n matrix, n <= most, into *elements, n * n floats by rows, which the caller
 * frees: "array" or "coordinate", general or symmetric. Elements that a coordinate file does not
 * have are 0. The file may be compressed with gzip. */
int mmReadDense(float **elements, int *n, int most, const char *path, char *message, size_t size);

/* The same from length bytes in memory; name stands in the messages. text[length] must be 0. */
int mmParseDense(float **elements, int *n, int most, const char *text, size_t length,
                 const char *name, char *message, size_t size);

/* The whole file, unpacked, and a 0 behind it; the caller frees it. NULL with a message if that
 * fails. */
char *mmReadFile(const char *path, size_t *length, char *message, size_t size);

/* Writes "name:line: ..." (without the line if that is 0) as the message, and returns -1. */
int mmComplain(struct mm_input *in, long line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int mmReadHeader(struct mm_input *in, struct mm_header *header); /* the first line */
/* Moves to the first word of the next line that is neither empty nor a comment. Returns 0 at the
 * end of the file. */
int mmNextLine(struct mm_input *in);
int mmReadInteger(struct mm_input *in, long long *number, const char *what);
int mmReadReal(struct mm_input *in, double *number);
int mmEndOfLine(struct mm_input *in); /* nothing may follow on the line */

#endif
