#include "warnings.h"
#include "files.h"
#include "text.h"
#include "todo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 3 };

/* 1 if that line of a template is the student's, inside a TODO region. */
static int isStudents(const char *text, int number)
{
    int inside = 0;

    for (int n = 1; text != NULL && n <= number; n++) {
        if (todoMarker(text, "begin") != 0)
            inside = 1;
        else if (todoMarker(text, "end") != 0)
            inside = 0;
        text = strchr(text, '\n') != NULL ? strchr(text, '\n') + 1 : NULL;
    }
    return inside;
}

/* 1 if the line of output begins a warning of the file that is worth showing: in a TODO region, and not about what the
 * translation for the emulated device makes of a shared array. `file` is the end of the file's path, and a colon: what
 * stands before it may be written in several ways. */
static int isWorth(const char *line, const char *end, const char *file, const char *text)
{
    const char *place = strstr(line, file), *kind = strstr(line, ": warning: ");
    const char *parentheses = strstr(line, "unnecessary parentheses");

    return place != NULL && kind != NULL && place < kind && kind < end &&
           (parentheses == NULL || parentheses > end) &&
           isStudents(text, atoi(place + strlen(file)));
}

/* The warnings in a compiler's output, each with the line of the source and the mark below it. One that comes again, for
 * another instance of a template, is shown once. Returns how many there are; MOST_WARNINGS are shown. */
static int printWarnings(const char *output, const char *file, const char *text)
{
    const char *begun[MOST_WARNINGS];
    int count = 0, showing = 0;

    for (const char *line = output, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (line[0] != ' ') {
            showing = isWorth(line, next, file, text);
            for (int i = 0; i < count && i < MOST_WARNINGS; i++)
                showing = showing && strncmp(begun[i], line, (size_t)(next - line)) != 0;
            if (showing && count < MOST_WARNINGS)
                begun[count] = line;
            count += showing;
        }
        if (showing && count <= MOST_WARNINGS)
            printf("  %.*s", (int)(next - line), line);
    }
    return count;
}

void warningsShow(const struct exercise_entry *e)
{
    char *path = textOf("%s/warnings/%s_template", buildFolder(), e->brief);
    char *output = readFileIfThere(path), *source = sourcePath(e, "template");

    if (output != NULL) {
        char *text = readFile(source), *file = textOf("/%s%s:", e->name, strrchr(source, '/'));

        if (printWarnings(output, file, text) > 0)
            printf("The compiler finds that suspicious, too.\n");
        free(file);
        free(text);
    }
    free(source);
    free(output);
    free(path);
}
