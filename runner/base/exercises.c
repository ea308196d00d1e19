/* The exercises of this build, from the list that CMake wrote. */
#include "exercises.h"
#include "files.h"
#include "text.h"
#include <ctype.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The short name of an exercise: the first four letters and digits of its folder's. */
static void abbreviate(const char *name, char *brief)
{
    int length = 0;

    for (; *name != '\0' && length < 4; name++)
        if (*name != '_')
            brief[length++] = *name;
    brief[length] = '\0';
}

void notUnderstood(const char *command, const char *word)
{
    fail(EXIT_USAGE, "%s: '%s' is not understood; see ./course %s --help", command, word, command);
}

const struct exercise_entry *exercises(void)
{
    static struct exercise_entry *list;

    if (list == NULL) {
        char *text = readFileIfThere(formatString("%s/exercises.txt", sharedBuild()));
        size_t length = 0;

        if (text == NULL)
            fail(EXIT_ERROR, "%s is damaged, or not configured to its end: remove that folder",
                 sharedBuild());
        list = mustAllocate(NULL, sizeof *list);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            char *bar = strchr(line, '|');
            struct exercise_entry *entry;

            if (bar == NULL)
                continue;
            *bar = '\0';
            list = mustAllocate(list, (length + 2) * sizeof *list);
            entry = &list[length++];
            snprintf(entry->name, sizeof entry->name, "%s", line);
            abbreviate(line, entry->brief);
            snprintf(entry->title, sizeof entry->title, "%s", bar + 1);
        }
        list[length].name[0] = '\0';
    }
    return list;
}

size_t exerciseCount(void)
{
    size_t count = 0;

    while (exercises()[count].name[0] != '\0')
        count++;
    return count;
}

/* The number in "ex03" and "3"; -1 if the word has another form. */
static long numberIn(const char *word)
{
    const char *digits = strncasecmp(word, "ex", 2) == 0 ? word + 2 : word;
    char *end;
    const long number = strtol(digits, &end, 10);

    return isdigit((unsigned char)digits[0]) && *end == '\0' ? number : -1;
}

const struct exercise_entry labToRead = {"lab_building", "labb", "From a source to a program"};

static int isCalled(const struct exercise_entry *e, const char *word)
{
    const long number = numberIn(word);

    return strcasecmp(word, e->name) == 0 || strcasecmp(word, e->brief) == 0 ||
           (number >= 0 && number == numberIn(e->brief));
}

/* The exercise of that name or number, or the lab to read; NULL if there is none. */
static const struct exercise_entry *find(const char *word)
{
    for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++)
        if (isCalled(e, word))
            return e;
    return isCalled(&labToRead, word) ? &labToRead : NULL;
}

/* The same for a path to its folder or template, as a shell completes it, or ".". */
static const struct exercise_entry *findPath(const char *path)
{
    char *full = realpath(path, NULL), *name;

    if (full == NULL)
        full = formatString("%s", path);
    name = basename(full); /* without a slash at its end */
    if (isSame(name, "template.cu") || isSame(name, "template.c"))
        name = basename(dirname(full));
    return find(name);
}

int isLikeExercise(const char *word)
{
    return (strncasecmp(word, "ex", 2) == 0 && isdigit((unsigned char)word[2])) ||
           strncasecmp(word, "lab_", 4) == 0 ||
           (strncasecmp(word, "lab", 3) == 0 && strlen(word) == 4);
}

/* Exercises that have no folder of their own. */
static const struct {
    long number, of;
} parts[] = {{2, 1}, {7, 6}};

const struct exercise_entry *lessonNamed(const char *text)
{
    const struct exercise_entry *e = find(text);

    if (e == NULL)
        e = findPath(text);
    if (e != NULL)
        return e;
    if (text[0] == '-')
        fail(EXIT_USAGE, "'%s' is not understood; see ./course COMMAND --help", text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (numberIn(text) == parts[i].number)
            fail(EXIT_USAGE, "exercise %ld is part of ex%02ld", parts[i].number, parts[i].of);
    fprintf(stderr, "course: there is no exercise '%s'; there are", text);
    for (e = exercises(); e->name[0] != '\0'; e++)
        fprintf(stderr, " %s", e->brief);
    fputc('\n', stderr);
    exit(EXIT_USAGE);
}

const struct exercise_entry *exerciseNamed(const char *text)
{
    const struct exercise_entry *e = lessonNamed(text);

    if (e == &labToRead)
        fail(EXIT_USAGE, "%s has no template; ./course read %s shows its lesson", e->name,
             e->brief);
    return e;
}

/* Ends the program unless the command has one word, and at most `most` with its own name. */
static void mustNameOne(const char *command, int argc, char **argv, int most)
{
    const char *unknown = argc > most ? argv[most] : argc > 1 && argv[1][0] == '-' ? argv[1] : NULL;

    if (unknown != NULL)
        notUnderstood(command, unknown);
    if (argc < 2)
        fail(EXIT_USAGE, "%s needs an exercise, such as ./course %s ex03", command, command);
}

const struct exercise_entry *oneExercise(const char *command, int argc, char **argv, int most)
{
    mustNameOne(command, argc, argv, most);
    return exerciseNamed(argv[1]);
}

const struct exercise_entry *oneLesson(const char *command, int argc, char **argv)
{
    mustNameOne(command, argc, argv, 2);
    return lessonNamed(argv[1]);
}

char *sourcePath(const struct exercise_entry *e, const char *kind)
{
    const char *folder = formatString("%s/%s", sourceFolder(), e->name);
    const int openAcc = exists(formatString("%s/template.c", folder)) ||
                        exists(formatString("%s/solution.c", folder));

    return formatString("%s/%s/%s.%s", isSame(kind, "template") ? workFolder() : sourceFolder(),
                        e->name, kind, openAcc ? "c" : "cu");
}

char *originalPath(const struct exercise_entry *e)
{
    return formatString("%s/%s/%s", sourceFolder(), e->name,
                        strrchr(sourcePath(e, "template"), '/') + 1);
}

int hasSolution(const struct exercise_entry *e) { return exists(sourcePath(e, "solution")); }

void mustHaveSolution(const struct exercise_entry *e)
{
    if (!hasSolution(e))
        fail(EXIT_SKIPPED,
             "SKIPPED: the solution of %s is not here: this course was handed out without it",
             e->brief);
}

char *programPath(const char *device, const char *brief, const char *kind)
{
    return formatString("%s/%s/%s_%s", isSame(kind, "template") ? buildFolder() : sharedBuild(),
                        device, brief, kind);
}
