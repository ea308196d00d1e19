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

void warningsStart(struct warnings *w, const struct exercise_entry *e)
{
    char *words[] = {textOf("%s/emulated-cc", sharedBuild()),
                     textOf("-c"),
                     textOf("-Wall"),
                     textOf("-Wno-unknown-pragmas"),
                     textOf("-I%s/%s", sourceFolder(), e->name),
                     textOf("-I%s/common", sourceFolder()),
                     textOf("-I%s/common/harness", sourceFolder()),
                     sourcePath(e, "template"),
                     textOf("-o"),
                     textOf("%s/warnings-%ld.o", buildFolder(), (long)getpid()),
                     NULL};

    memset(w, 0, sizeof *w);
    memcpy(w->argv, words, sizeof words);
    w->source = words[7];
    w->object = words[9];
    w->job.argv = w->argv;
    w->job.captured = 1;
    if (strcmp(w->source + strlen(w->source) - 3, ".cu") == 0 && access(w->argv[0], X_OK) == 0) {
        jobStart(&w->job);
        w->started = 1;
    }
}

void warningsShow(struct warnings *w)
{
    struct job *job = &w->job;

    while (job->process != 0 && jobsWait(&job, 1, 1.0) < 0)
        continue;
    if (w->started) {
        char *text = readFile(w->source);

        if (printWarnings(job->output, w->source, text) > 0)
            printf("The compiler finds that suspicious, too.\n");
        free(text);
    }
}

void warningsEnd(struct warnings *w)
{
    if (w->job.process != 0)
        jobEnd(&w->job);
    if (w->started)
        remove(w->object);
    free(w->job.output);
    for (char **word = w->argv; *word != NULL; word++)
        free(*word);
}
