/* Strings, memory and the end of the program. */
#define _GNU_SOURCE /* vasprintf */
#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fail(enum exit_code code, const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fputs("course: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(code);
}

void *mustAllocate(void *pointer, size_t size)
{
    pointer = realloc(pointer, size);
    if (pointer == NULL)
        fail(EXIT_ERROR, "out of memory");
    return pointer;
}

void setVariable(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        fail(EXIT_ERROR, "out of memory");
}

/* vasprintf into a fresh string. */
static char *formatted(const char *format, va_list arguments)
{
    char *text;

    if (vasprintf(&text, format, arguments) < 0)
        fail(EXIT_ERROR, "a text cannot be formatted: %s", format);
    return text;
}

char *formatString(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = formatted(format, arguments);
    va_end(arguments);
    return text;
}

char *temporaryPattern(const char *name)
{
    const char *folder = getenv("TMPDIR");

    if (folder == NULL || folder[0] == '\0' || access(folder, W_OK | X_OK) != 0)
        folder = "/tmp";
    return formatString("%s/%s-XXXXXX", folder, name);
}

char *textOfSeconds(double seconds, const char *micro)
{
    return seconds <= 0.0    ? formatString("-")
           : seconds >= 1.0  ? formatString("%.3f s", seconds)
           : seconds >= 1e-3 ? formatString("%.3f ms", seconds * 1e3)
                             : formatString("%.2f %s", seconds * 1e6, micro);
}

unsigned long long hashOf(const char *text)
{
    unsigned long long hash = 14695981039346656037ULL;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211ULL;
    return hash;
}

char *quoted(const char *text)
{
    struct text word = {0};

    for (appendText(&word, "'"); *text != '\0'; text++)
        appendFormat(&word, *text == '\'' ? "'\\''" : "%c", *text);
    appendText(&word, "'");
    return word.data;
}

void append(struct text *t, const char *more, size_t length)
{
    t->data = mustAllocate(t->data, t->length + length + 1);
    memcpy(t->data + t->length, more, length);
    t->data[t->length += length] = '\0';
}

void appendText(struct text *t, const char *more) { append(t, more, strlen(more)); }

void appendFormat(struct text *t, const char *format, ...)
{
    va_list arguments;
    char *more;

    va_start(arguments, format);
    more = formatted(format, arguments);
    va_end(arguments);
    appendText(t, more);
    free(more);
}

void appendLine(struct text *t, const char *line)
{
    append(t, line, (size_t)(nextLine(line) - line));
}

const char *nextLine(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

int startsWith(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

int endsWith(const char *text, const char *end)
{
    const size_t length = strlen(text), of = strlen(end);

    return length >= of && isSame(text + length - of, end);
}

int startsWithOne(const char *text, const char *const *starts)
{
    while (*starts != NULL && !startsWith(text, *starts))
        starts++;
    return *starts != NULL;
}

int containsOne(const char *text, const char *const *parts)
{
    while (*parts != NULL && strstr(text, *parts) == NULL)
        parts++;
    return *parts != NULL;
}

int isSame(const char *a, const char *b) { return strcmp(a, b) == 0; }

int linesIn(const char *text)
{
    int lines = 0;

    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}
