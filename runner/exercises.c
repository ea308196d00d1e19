/* The exercises of this build, from the list that CMake wrote. */
#include "exercises.h"
#include "files.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct exercise_entry *exercises(size_t *count)
{
    static struct exercise_entry *list;
    static size_t length;

    if (list == NULL) {
        char *path = textOf("%s/exercises.txt", sharedBuild());
        char *text = readFileIfThere(path);

        if (text == NULL)
            fail(EXIT_ERROR, "%s is damaged, or not configured to its end: remove that folder",
                 sharedBuild());
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            char *bar = strchr(line, '|');
            struct exercise_entry *entry;

            if (bar == NULL)
                continue;
            *bar = '\0';
            list = mustAllocate(list, (length + 1) * sizeof *list);
            entry = &list[length++];
            snprintf(entry->name, sizeof entry->name, "%s", line);
            snprintf(entry->brief, sizeof entry->brief, "%.4s", line);
            snprintf(entry->title, sizeof entry->title, "%s", bar + 1);
        }
        free(text);
        free(path);
    }
    *count = length;
    return list;
}

const struct exercise_entry *exerciseNamed(const char *text)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    const char *digits = strncmp(text, "ex", 2) == 0 ? text + 2 : text;
    char *end;
    long number = strtol(digits, &end, 10);
    const char *name = strrchr(text, '/');

    if (name != NULL && name[1] == '\0') /* ex03_vector_add/, as the shell completes it */
        fail(EXIT_USAGE, "'%s': leave out the '/'", text);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, list[i].name) == 0)
            return &list[i];
        if (isdigit((unsigned char)digits[0]) && *end == '\0' && number == atol(list[i].brief + 2))
            return &list[i];
    }
    fprintf(stderr, "course: there is no exercise '%s', there are", text);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", list[i].brief);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}

const struct exercise_entry *oneExercise(const char *command, int argc, char **argv, int most)
{
    if (argc > most)
        fail(EXIT_USAGE, "%s: '%s' is not understood; see ./course %s --help", command, argv[most],
             command);
    if (argc < 2 || argv[1][0] == '-')
        fail(EXIT_USAGE, "%s needs an exercise, such as ./course %s ex03", command, command);
    return exerciseNamed(argv[1]);
}

char *sourcePath(const struct exercise_entry *e, const char *kind)
{
    char *plain = textOf("%s/%s/template.c", sourceFolder(), e->name);
    char *solution = textOf("%s/%s/solution.c", sourceFolder(), e->name);
    const int openAcc = access(plain, F_OK) == 0 || access(solution, F_OK) == 0;
    const char *extension = openAcc ? "c" : "cu";

    free(solution);
    free(plain);
    return textOf("%s/%s/%s.%s", strcmp(kind, "template") == 0 ? workFolder() : sourceFolder(),
                  e->name, kind, extension);
}

char *originalPath(const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template");
    char *original = textOf("%s/%s/%s", sourceFolder(), e->name, strrchr(path, '/') + 1);

    free(path);
    return original;
}

int hasSolution(const struct exercise_entry *e)
{
    char *path = sourcePath(e, "solution");
    const int there = access(path, F_OK) == 0;

    free(path);
    return there;
}

void mustHaveSolution(const struct exercise_entry *e)
{
    if (!hasSolution(e))
        fail(EXIT_SKIPPED,
             "SKIPPED: the solution of %s is not here: this course was handed out without it",
             e->brief);
}

char *programPath(const char *device, const char *brief, const char *kind)
{
    return textOf("%s/%s/%s_%s", strcmp(kind, "template") == 0 ? buildFolder() : sharedBuild(),
                  device, brief, kind);
}
