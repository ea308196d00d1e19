/* prelude.c: see prelude.h */
#define _GNU_SOURCE
#include "prelude.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "tokens.h"

struct part prelude_in(const char *text)
{
    const char *enter = strstr(text, "/emulated_prelude.h\" 1"),
               *begin = enter ? strchr(enter, '\n') : NULL,
               *leave = begin ? strstr(begin, "\"<command-line>\" 2\n") : NULL;
    if (!leave)
        return (struct part){0, 0};
    while (leave[-1] != '\n')
        leave--;
    return (struct part){(size_t)(begin + 1 - text), (size_t)(leave - text)};
}

struct part prelude_line(const char *text)
{
    const char *line = strstr(text, "\n#pragma GCC pch_preprocess "),
               *end = line ? strchr(line + 1, '\n') : NULL;
    if (!end)
        return (struct part){0, 0};
    return (struct part){(size_t)(line + 1 - text), (size_t)(end + 1 - text)};
}

char *prelude_read(const char *what, size_t *length)
{
    char *name = format("%s/%s", library_place(), what), *text = NULL, buffer[1 << 14];
    FILE *in = fopen(name, "r"), *out = need(open_memstream(&text, length));
    size_t got;
    if (!in) {
        tell("cannot read %s: %s", name, strerror(errno));
        exit(2);
    }
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, got, out);
    fclose(in);
    fclose(out);
    free(name);
    return need(text);
}

char *prelude_spelt_out(const char *text, const char *what, size_t *length)
{
    const struct part line = prelude_line(text);
    char *prelude = prelude_read(what, length),
         *whole = format("%.*s# 1 \"cuda_runtime.h\" 1\n%s# 0 \"<command-line>\" 2\n%s",
                         (int)line.begin, text, prelude, text + line.end);
    free(prelude);
    *length = strlen(whole);
    return whole;
}
