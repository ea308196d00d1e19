/* prelude.c: see prelude.h */
#define _GNU_SOURCE
#include "prelude.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "places.h"
#include "tokens.h"

struct part prelude_in(const char *text)
{
    const char *enter = strstr(text, "/cuda_runtime.h\" 1"),
               *begin = enter ? strchr(enter, '\n') : NULL,
               *leave = begin ? strstr(begin, "\"<command-line>\" 2\n") : NULL;
    if (!leave)
        return (struct part){0, 0};
    while (leave[-1] != '\n')
        leave--;
    return (struct part){(size_t)(begin + 1 - text), (size_t)(leave - text)};
}

struct part with_markers(const char *text, struct part part)
{
    if (part.end == 0)
        return part;
    for (part.begin--; part.begin > 0 && text[part.begin - 1] != '\n';)
        part.begin--;
    part.end += strcspn(text + part.end, "\n") + 1;
    return part;
}

char *prelude_compiled(const char *text, struct part part)
{
    const size_t length = part.end - part.begin;
    char *file = format("%s/cuda_runtime.ii", library_place()), *header = format("%s.gch", file),
         *saved = malloc(length + 1);
    FILE *in = fopen(file, "r");
    const int same = length > 0 && saved && in && fread(saved, 1, length + 1, in) == length &&
                     memcmp(saved, text + part.begin, length) == 0 && access(header, R_OK) == 0;
    if (in)
        fclose(in);
    free(saved);
    free(file);
    if (same)
        return header;
    free(header);
    return NULL;
}
