/* Matrix Market files: see matrix_market.h. */
#define _POSIX_C_SOURCE 200809L
#include "matrix_market.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int mmComplain(struct mm_input *in, long line, const char *format, ...)
{
    size_t used = 0;
    va_list arguments;

    if (in->size > 0) {
        int n = line > 0 ? snprintf(in->message, in->size, "%s:%ld: ", in->name, line)
                         : snprintf(in->message, in->size, "%s: ", in->name);
        used = n < 0 ? 0 : (size_t)n;
    }
    if (used < in->size) {
        va_start(arguments, format);
        vsnprintf(in->message + used, in->size - used, format, arguments);
        va_end(arguments);
    }
    return -1;
}

static void skipBlanks(struct mm_input *in)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\r'))
        ++in->at;
}

int mmNextLine(struct mm_input *in)
{
    for (;;) {
        skipBlanks(in);
        if (in->at == in->end)
            return 0;
        if (*in->at == '%')
            while (in->at < in->end && *in->at != '\n')
                ++in->at;
        else if (*in->at != '\n')
            return 1;
        if (in->at < in->end) {
            ++in->at;
            ++in->line;
        }
    }
}

int mmEndOfLine(struct mm_input *in)
{
    skipBlanks(in);
    if (in->at < in->end && *in->at != '\n')
        return mmComplain(in, in->line, "unexpected text at the end of the line");
    return 0;
}

/* A number ends where a blank, a line or the file ends: "1.5x" and "3.7" for an index are
 * mistakes. */
static int ended(const struct mm_input *in, const char *stop)
{
    return stop == in->end || *stop == ' ' || *stop == '\t' || *stop == '\r' || *stop == '\n';
}

int mmReadInteger(struct mm_input *in, long long *number, const char *what)
{
    char *stop;

    skipBlanks(in);
    if (in->at == in->end || *in->at == '\n')
        return mmComplain(in, in->line, "%s is missing", what);
    errno = 0;
    *number = strtoll(in->at, &stop, 10);
    if (stop == in->at || !ended(in, stop))
        return mmComplain(in, in->line, "%s is not an integer", what);
    if (errno == ERANGE)
        return mmComplain(in, in->line, "%s is out of range", what);
    in->at = stop;
    return 0;
}

int mmReadReal(struct mm_input *in, double *number)
{
    char *stop;

    skipBlanks(in);
    if (in->at == in->end || *in->at == '\n')
        return mmComplain(in, in->line, "the value is missing");
    *number = strtod(in->at, &stop);
    if (stop == in->at || !ended(in, stop))
        return mmComplain(in, in->line, "the value is not a number");
    if (!isfinite(*number))
        return mmComplain(in, in->line, "the value is not finite");
    in->at = stop;
    return 0;
}

/* The next word of the first line, in lower case. */
static void readWord(struct mm_input *in, char word[16])
{
    size_t n = 0;

    skipBlanks(in);
    for (; in->at < in->end && !isspace((unsigned char)*in->at); ++in->at)
        if (n < 15)
            word[n++] = (char)tolower((unsigned char)*in->at);
    word[n] = 0;
}

int mmReadHeader(struct mm_input *in, struct mm_header *header)
{
    static const char banner[] = "%%MatrixMarket";
    char word[16];

    if (in->at == in->end)
        return mmComplain(in, 0, "the file is empty");
    if ((size_t)(in->end - in->at) < sizeof banner ||
        memcmp(in->at, banner, sizeof banner - 1) != 0)
        return mmComplain(in, 1, "not a Matrix Market file: the first line must begin with %s",
                          banner);
    in->at += sizeof banner - 1;
    readWord(in, word);
    if (strcmp(word, "matrix") != 0)
        return mmComplain(in, 1, "the object is \"%s\", not \"matrix\"", word);
    readWord(in, word);
    header->array = strcmp(word, "array") == 0;
    if (!header->array && strcmp(word, "coordinate") != 0)
        return mmComplain(in, 1, "the format is \"%s\", neither \"coordinate\" nor \"array\"",
                          word);
    readWord(in, word);
    if (strcmp(word, "real") == 0 || strcmp(word, "double") == 0)
        header->field = MM_REAL;
    else if (strcmp(word, "integer") == 0)
        header->field = MM_INTEGER;
    else if (strcmp(word, "pattern") == 0 && !header->array)
        header->field = MM_PATTERN;
    else
        return mmComplain(
            in, 1, "values of type \"%s\" are not supported, only real, integer and pattern", word);
    readWord(in, word);
    header->symmetric = strcmp(word, "symmetric") == 0;
    if (!header->symmetric && strcmp(word, "general") != 0)
        return mmComplain(in, 1, "the storage is \"%s\", neither \"general\" nor \"symmetric\"",
                          word);
    return mmEndOfLine(in);
}

static char *readAll(FILE *file, size_t *length)
{
    size_t room = 1 << 16, used = 0;
    char *text = malloc(room);

    while (text != NULL) {
        used += fread(text + used, 1, room - used - 1, file);
        if (ferror(file) || used < room - 1)
            break;
        char *larger = room > SIZE_MAX / 2 ? NULL : realloc(text, room *= 2);
        if (larger == NULL) {
            free(text);
            errno = ENOMEM;
            return NULL;
        }
        text = larger;
    }
    if (text != NULL && ferror(file)) {
        free(text);
        return NULL;
    }
    if (text != NULL)
        text[used] = 0;
    *length = used;
    return text;
}

/* gzip is on every system that has such files; linking zlib would be one more thing to install. */
static char *readGzip(struct mm_input *in, const char *path, size_t *length)
{
    int end[2], status = 0;
    char *text = NULL;
    FILE *file;
    pid_t child;

    if (pipe(end) != 0) {
        mmComplain(in, 0, "cannot make a pipe to gzip: %s", strerror(errno));
        return NULL;
    }
    child = fork();
    if (child == 0) {
        if (freopen(path, "rb", stdin) == NULL || dup2(end[1], STDOUT_FILENO) < 0 ||
            freopen("/dev/null", "w", stderr) == NULL)
            _exit(126);
        close(end[0]);
        close(end[1]);
        execlp("gzip", "gzip", "-dc", (char *)NULL);
        _exit(127);
    }
    close(end[1]);
    file = child < 0 ? NULL : fdopen(end[0], "rb");
    if (file != NULL) {
        text = readAll(file, length);
        fclose(file);
    } else {
        close(end[0]);
    }
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    if (text != NULL && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return text;
    free(text);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        mmComplain(in, 0,
                   "compressed, and the program gzip is not installed: unpack the file first");
    else
        mmComplain(in, 0, "cannot be decompressed: it is damaged or truncated, or memory ran out");
    return NULL;
}

char *mmReadFile(const char *path, size_t *length, char *message, size_t size)
{
    struct mm_input in = {NULL, NULL, path, 0, message, size};
    char *text = NULL;
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        mmComplain(&in, 0, "%s", strerror(errno));
        return NULL;
    }
    errno = 0;
    text = readAll(file, length);
    if (text == NULL)
        mmComplain(&in, 0, "cannot be read: %s", strerror(errno));
    fclose(file);
    if (text != NULL && *length >= 2 && (unsigned char)text[0] == 0x1f &&
        (unsigned char)text[1] == 0x8b) {
        free(text);
        return readGzip(&in, path, length);
    }
    return text;
}

/* The line with rows, columns and, in a coordinate file, entries. */
static int readDenseShape(struct mm_input *in, const struct mm_header *header, int most,
                          long long *rows, long long *stored)
{
    long long columns;

    if (!mmNextLine(in))
        return mmComplain(in, in->line, "the line with rows and columns is missing");
    if (mmReadInteger(in, rows, "the number of rows") != 0 ||
        mmReadInteger(in, &columns, "the number of columns") != 0)
        return -1;
    if (*rows != columns)
        return mmComplain(in, in->line, "%lld rows but %lld columns: not square", *rows, columns);
    if (*rows < 1 || *rows > most)
        return mmComplain(in, in->line, "%lld rows: 1 to %d are possible", *rows, most);
    *stored = header->symmetric ? *rows * (*rows + 1) / 2 : *rows * *rows;
    if (!header->array && mmReadInteger(in, stored, "the number of entries") != 0)
        return -1;
    if (mmEndOfLine(in) != 0)
        return -1;
    /* Keeps the time within what the file's size allows, whatever the file claims. */
    if (*stored < 0 || *stored > (long long)(in->end - in->at) / 2 + 1)
        return mmComplain(in, in->line, "%lld entries cannot be in a file of this size: truncated?",
                          *stored);
    return 0;
}

/* Where the next element of the file belongs: an array is stored by columns, a symmetric one from
 * the diagonal down. */
static int readPlace(struct mm_input *in, const struct mm_header *header, long long n,
                     long long *row, long long *column)
{
    if (header->array) {
        if (++*row > n)
            *row = header->symmetric ? ++*column : (++*column, 1);
        return 0;
    }
    if (mmReadInteger(in, row, "the row") != 0 || mmReadInteger(in, column, "the column") != 0)
        return -1;
    if (*row < 1 || *row > n || *column < 1 || *column > n)
        return mmComplain(in, in->line, "entry (%lld, %lld) lies outside the %lld x %lld matrix",
                          *row, *column, n, n);
    if (header->symmetric && *column > *row)
        return mmComplain(in, in->line,
                          "entry (%lld, %lld) lies above the diagonal of a symmetric file", *row,
                          *column);
    return 0;
}

/* seen has a bit for each element, 0 to begin with. */
static int readDenseElements(struct mm_input *in, const struct mm_header *header, size_t n,
                             long long stored, float *elements, unsigned char *seen)
{
    long long row = 0, column = 1;

    for (long long k = 0; k < stored; k++) {
        double value = 1.0;
        size_t at;

        if (!mmNextLine(in))
            return mmComplain(in, in->line,
                              "the file ends after %lld of %lld entries: it is truncated", k,
                              stored);
        if (readPlace(in, header, (long long)n, &row, &column) != 0 ||
            (header->field != MM_PATTERN && mmReadReal(in, &value) != 0) || mmEndOfLine(in) != 0)
            return -1;
        if (!isfinite((float)value))
            return mmComplain(in, in->line, "%g is too large for a float", value);
        at = (size_t)(row - 1) * n + (size_t)(column - 1);
        if (seen[at / 8] & 1 << at % 8)
            return mmComplain(in, in->line, "entry (%lld, %lld) occurs twice", row, column);
        seen[at / 8] = (unsigned char)(seen[at / 8] | 1 << at % 8);
        elements[at] = (float)value;
        if (header->symmetric)
            elements[(size_t)(column - 1) * n + (size_t)(row - 1)] = (float)value;
    }
    if (mmNextLine(in))
        return mmComplain(in, in->line, "more than the announced %lld entries", stored);
    return 0;
}

int mmParseDense(float **elements, int *n, int most, const char *text, size_t length,
                 const char *name, char *message, size_t size)
{
    struct mm_input in = {text, text + length, name, 1, message, size};
    struct mm_header header;
    long long rows, stored;
    unsigned char *seen;
    int status = -1;

    *elements = NULL;
    if (mmReadHeader(&in, &header) != 0 || readDenseShape(&in, &header, most, &rows, &stored) != 0)
        return -1;
    *n = (int)rows;
    *elements = calloc((size_t)rows * (size_t)rows, sizeof **elements);
    seen = calloc((size_t)rows * (size_t)rows / 8 + 1, 1);
    if (*elements == NULL || seen == NULL)
        mmComplain(&in, 0, "not enough memory for %lld x %lld elements", rows, rows);
    else
        status = readDenseElements(&in, &header, (size_t)rows, stored, *elements, seen);
    free(seen);
    if (status != 0) {
        free(*elements);
        *elements = NULL;
    }
    return status;
}

int mmReadDense(float **elements, int *n, int most, const char *path, char *message, size_t size)
{
    size_t length = 0;
    char *text = mmReadFile(path, &length, message, size);
    int status = -1;

    *elements = NULL;
    if (text != NULL)
        status = mmParseDense(elements, n, most, text, length, path, message, size);
    free(text);
    return status;
}
