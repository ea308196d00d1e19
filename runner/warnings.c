#include "warnings.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include "todo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
 * translation for the emulated device makes of a shared array. */
static int isWorth(const char *line, const char *end, const char *path, const char *text)
{
    const size_t length = strlen(path);
    const char *kind = strstr(line, ": warning: ");
    const char *parentheses = strstr(line, "unnecessary parentheses");

    return strncmp(line, path, length) == 0 && line[length] == ':' && kind != NULL && kind < end &&
           (parentheses == NULL || parentheses > end) && isStudents(text, atoi(line + length + 1));
}

/* The warnings in a compiler's output, each with the line of the source and the mark below it. One that comes again, for
 * another instance of a template, is shown once. Returns how many there are; MOST_WARNINGS are shown. */
static int printWarnings(const char *output, const char *path, const char *text)
{
    const char *begun[MOST_WARNINGS];
    int count = 0, showing = 0;

    for (const char *line = output, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (line[0] != ' ') {
            showing = isWorth(line, next, path, text);
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
    char *source = sourcePath(e, "template");
    char *compiler = textOf("%s/emulated-cc", sharedBuild());
    char *object = textOf("%s/warnings-%ld.o", buildFolder(), (long)getpid());
    char *folder = textOf("-I%s/%s", sourceFolder(), e->name);
    char *common = textOf("-I%s/common", sourceFolder());
    char *harness = textOf("-I%s/common/harness", sourceFolder());
    char *argv[] = {compiler, "-c",   "-Wall", "-Wno-unknown-pragmas",
                    folder,   common, harness, source,
                    "-o",     object, NULL};
    struct job job = {.argv = argv, .captured = 1};

    if (strcmp(source + strlen(source) - 3, ".cu") == 0 && access(compiler, X_OK) == 0) {
        char *text = readFile(source);

        jobRun(&job);
        if (printWarnings(job.output, source, text) > 0)
            printf("The compiler finds that suspicious, too.\n");
        remove(object);
        free(text);
        free(job.output);
    }
    free(harness);
    free(common);
    free(folder);
    free(object);
    free(compiler);
    free(source);
}
