/* hint, answer, diff, reset and cc: what a student asks for while working on a template. */
#include "build.h"
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints the part of a README from the line that starts with `heading` to the next heading that is not
 * deeper. Returns 0 if there is none. */
static int printSection(const char *text, const char *heading)
{
    const char *line = text, *next;
    size_t depth = strspn(heading, "#");
    int inside = 0, printed = 0;

    for (; *line != '\0'; line = next) {
        size_t hashes = strspn(line, "#");

        next = strchr(line, '\n');
        next = next != NULL ? next + 1 : line + strlen(line);
        if (strncmp(line, heading, strlen(heading)) == 0 &&
            strchr(" \n:(", line[strlen(heading)]) != NULL) {
            inside = printed = 1;
        } else if (inside && hashes > 0 && hashes <= depth && line[hashes] == ' ') {
            inside = 0;
        }
        if (inside)
            fwrite(line, 1, (size_t)(next - line), stdout);
    }
    return printed;
}

/* The item "N. ..." of a list in a section; a tier of hints. */
static int printTier(const char *text, const char *heading, long tier)
{
    const char *line = strstr(text, heading), *next;
    int inside = 0, printed = 0;

    while (line != NULL && line[strlen(heading)] >= '0' && line[strlen(heading)] <= '9')
        line = strstr(line + 1, heading); /* TODO 1 is not TODO 10 */
    if (line == NULL)
        return 0;
    for (line = strchr(line, '\n'); line != NULL && *++line != '\0' && *line != '#'; line = next) {
        next = strchr(line, '\n');
        if (line[0] >= '1' && line[0] <= '9' && line[1] == '.')
            inside = atoi(line) == tier;
        if (inside) {
            printed = 1;
            printf("%.*s\n", next != NULL ? (int)(next - line) : (int)strlen(line), line);
        }
    }
    return printed;
}

static long wholeNumber(const char *text)
{
    char *end;
    const long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < 1 || value > 1000)
        fail(EXIT_USAGE, "hint: '%s': expected a number, as in ./course hint ex03 2 1", text);
    return value;
}

int commandHint(int argc, char **argv)
{
    const struct exercise_entry *e = oneExercise("hint", argc, argv, 4);
    char *path = textOf("%s/%s/README.md", sourceFolder(), e->name);
    char *text = readFile(path);
    const long todo = argc > 2 ? wholeNumber(argv[2]) : 0;
    const long tier = argc > 3 ? wholeNumber(argv[3]) : 1;

    if (todo == 0) {
        if (!printSection(text, "## Task"))
            printf("See %s\n", path);
        printf("\n./course hint %s N tells more about TODO N; ./course hint %s N 2 and 3 still "
               "more.\n",
               e->brief, e->brief);
    } else {
        char *heading = textOf("### TODO %ld", todo);

        if (!printTier(text, heading, tier))
            fail(EXIT_USAGE, "there is no hint %ld for TODO %ld of %s", tier, todo, e->brief);
        free(heading);
    }
    free(text);
    free(path);
    return EXIT_PASS;
}

int commandAnswer(int argc, char **argv)
{
    const struct exercise_entry *e = oneExercise("answer", argc, argv, 2);
    char *path = textOf("%s/solutions/%s.md", sourceFolder(), e->brief);
    char *text = readFile(path);

    fputs(text, stdout);
    free(text);
    free(path);
    return EXIT_PASS;
}

int commandReset(int argc, char **argv)
{
    const struct exercise_entry *e = oneExercise("reset", argc, argv, 2);
    char *path = sourcePath(e, "template");
    const int there = access(path, F_OK) == 0;
    char *same[] = {"git", "-C", (char *)sourceFolder(), "diff", "--quiet", "HEAD", "--",
                    path,  NULL};
    char *git[] = {"git", "-C", (char *)sourceFolder(), "checkout", "-q", "HEAD", "--", path, NULL};
    char *saved = NULL;

    if (there && runCommand(same, 1) == 0) {
        printf("%s is as git last recorded it already\n", path);
        free(path);
        return EXIT_PASS;
    }
    if (there)
        saved = putAside(path);
    if (runCommand(git, 0) != 0) {
        if (saved != NULL && rename(saved, path) != 0)
            fail(EXIT_ERROR, "git could not bring back %s; yours is kept in %s", path, saved);
        fail(EXIT_ERROR, "git could not bring back %s%s", path,
             there ? "; yours is as it was" : "");
    }
    printf("%s is as git last recorded it", path);
    printf(saved != NULL ? "; yours is kept in %s\n" : "\n", saved);
    free(saved);
    free(path);
    return EXIT_PASS;
}

int commandCc(int argc, char **argv)
{
    char **arguments = mustAllocate(NULL, ((size_t)argc + 1) * sizeof *arguments);
    int status;

    if (argc < 2)
        fail(EXIT_USAGE, "cc needs a file, such as ./course cc mine.cu -o mine");
    if (buildTargets("emulated-cc") != 0)
        return EXIT_ERROR;
    arguments[0] = textOf("%s/emulated-cc", buildFolder());
    for (int i = 1; i < argc; i++)
        arguments[i] = argv[i];
    arguments[argc] = NULL;
    status = runCommand(arguments, 0);
    free(arguments[0]);
    free(arguments);
    return status;
}

int commandDiff(int argc, char **argv)
{
    const struct exercise_entry *e = NULL;
    char *left, *right;
    int cpu = 0, status;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--cpu") == 0)
            cpu = 1;
        else if (e == NULL && argv[i][0] != '-')
            e = exerciseNamed(argv[i]);
        else
            fail(EXIT_USAGE, "diff: '%s' is not understood; see ./course diff --help", argv[i]);
    if (e == NULL)
        fail(EXIT_USAGE, "diff needs an exercise, such as ./course diff ex03");
    left = sourcePath(e, "template");
    right = cpu ? textOf("%s/%s/cpu.c", sourceFolder(), e->name) : sourcePath(e, "solution");
    {
        char *arguments[] = {"diff", "-u",  isatty(STDOUT_FILENO) ? "--color=auto" : "-u",
                             left,   right, NULL};

        status = runCommand(arguments, 0);
    }
    free(left);
    free(right);
    return status > 1 ? EXIT_ERROR : EXIT_PASS;
}
