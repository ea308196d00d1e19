/* Strings, memory and the end of the program: what every file of ./course uses.
 *
 * A command ends soon, and leaves its memory to the system: strings and lists that functions return
 * need not be freed. Only a loop that waits frees what it reads again and again. */
#ifndef TEXT_H
#define TEXT_H

#include "exit_codes.h"
#include <stddef.h>

/* Prints "course: message" to stderr and ends the program. */
void fail(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* realloc() that ends the program if there is no memory. */
void *mustAllocate(void *pointer, size_t size);
/* setenv() that ends the program if there is no memory. */
void setVariable(const char *name, const char *value);
/* printf into a fresh string. */
char *formatString(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A pattern for mkstemp() and mkdtemp(): the name, then "-XXXXXX", in the folder for such files
 * (TMPDIR, or /tmp if nothing can be written there). */
char *temporaryPattern(const char *name);
/* A time as a table shows it, "1.234 ms", "-" if it is not positive. micro: the unit of
 * microseconds, "us" where columns are counted in bytes, otherwise "µs". */
char *textOfSeconds(double seconds, const char *micro);
/* A hash of the text (FNV-1a). */
unsigned long long hashOf(const char *text);
/* The text as one word of a shell command. */
char *quoted(const char *text);

/* Text that grows. Starts as {0}; data is NULL until something is added. */
struct text {
    char *data;
    size_t length;
};

void append(struct text *t, const char *more, size_t length);
void appendText(struct text *t, const char *more);
/* The first line of a text, its end included. */
void appendLine(struct text *t, const char *line);
void appendFormat(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How many lines a text has. */
int linesIn(const char *text);
/* The line that follows in a text; its end if there is none. */
const char *nextLine(const char *line);
int startsWith(const char *text, const char *start);
int endsWith(const char *text, const char *end);
/* 1 if one of the strings in a list that ends with NULL begins the text, or is in it. */
int startsWithOne(const char *text, const char *const *starts);
int containsOne(const char *text, const char *const *parts);
int isSame(const char *a, const char *b);

#endif
