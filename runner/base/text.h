/* Strings, memory and the end of the program: what every file of ./course uses. */
#ifndef TEXT_H
#define TEXT_H

#include "exit_codes.h"
#include <stddef.h>

/* Prints "course: message" to stderr and ends the program. */
void fail(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* realloc() that ends the program if there is no memory. */
void *mustAllocate(void *pointer, size_t size);
/* printf into a fresh string that the caller frees. */
char *formatString(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A pattern for mkstemp() and mkdtemp(): the name, then "-XXXXXX", in the folder for such files
 * (TMPDIR, or /tmp if nothing can be written there). The caller frees it. */
char *temporaryPattern(const char *name);
/* A time as a table shows it, "1.234 ms", "-" if it is not positive, in a string that the caller
 * frees. micro: the unit of microseconds, "us" where columns are counted in bytes, otherwise
 * "µs". */
char *textOfSeconds(double seconds, const char *micro);
/* A hash of the text (FNV-1a). */
unsigned long long hashOf(const char *text);
/* The text as one word of a shell command, in a string that the caller frees. */
char *quoted(const char *text);

/* Text that grows. Starts as {0}; the caller frees data, which is NULL until something is added. */
struct text {
    char *data;
    size_t length;
};

void append(struct text *t, const char *more, size_t length);
void appendText(struct text *t, const char *more);
void appendFormat(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How many lines a text has. */
int linesIn(const char *text);

#endif
