/* read, hint, answer, diff, reset and cc: commands for a student who works on a template. */
#include "build.h"
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "markdown.h"
#include "process.h"
#include "terminal.h"
#include "text.h"
#include "tool.h"
#include "student_folder.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints a piece of Markdown as text; on a terminal, a long one through a pager, if there is
 * one. */
static void printMarkdown(const char *text, int paged)
{
    char *plain = markdownRead(text, terminalWidth());
    const char *pager = getenv("PAGER");
    FILE *out = NULL;

    fflush(stdout);
    if (paged && isatty(STDOUT_FILENO) && (pager == NULL || pager[0] != '\0'))
        out = popen("${PAGER:-less -FRX} 2>/dev/null || cat", "w");
    fputs(plain, out != NULL ? out : stdout);
    if (out != NULL)
        pclose(out);
    free(plain);
}

/* The part of a README from the line that starts with `heading` to the next heading that is not
 * deeper, in a string that the caller frees; NULL if there is none. */
static char *sectionOf(const char *text, const char *heading)
{
    const size_t depth = strspn(heading, "#");
    struct text section = {0};
    int inside = 0;

    for (const char *line = text, *next; *line != '\0'; line = next) {
        const size_t hashes = strspn(line, "#");

        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (strncmp(line, heading, strlen(heading)) == 0 &&
            strchr(" \n:(", line[strlen(heading)]) != NULL)
            inside = 1;
        else if (inside && hashes > 0 && hashes <= depth && line[hashes] == ' ')
            inside = 0;
        if (inside)
            append(&section, line, (size_t)(next - line));
    }
    return section.data;
}

/* The item "N. ..." of a list in the section of a TODO: a tier of hints. In a string that the
 * caller frees; NULL if there is none. */
static char *tierOf(const char *text, long todo, long tier)
{
    char *heading = formatString("### TODO %ld", todo), *section = sectionOf(text, heading);
    struct text item = {0};
    int inside = 0;

    for (const char *line = section, *next; line != NULL && *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (line[0] >= '1' && line[0] <= '9' && line[1] == '.')
            inside = atoi(line) == tier;
        if (inside)
            append(&item, line, (size_t)(next - line));
    }
    free(section);
    free(heading);
    return item.data;
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
    char *path = formatString("%s/%s/README.md", sourceFolder(), e->name);
    char *text = readFile(path), *part;
    const long todo = argc > 2 ? wholeNumber(argv[2]) : 0;
    const long tier = argc > 3 ? wholeNumber(argv[3]) : 1;

    part = todo == 0 ? sectionOf(text, "## Task") : tierOf(text, todo, tier);
    if (part != NULL)
        printMarkdown(part, 0);
    else if (todo != 0)
        fail(EXIT_USAGE, "there is no hint %ld for TODO %ld of %s", tier, todo, e->brief);
    else
        printf("See %s\n", path);
    if (todo == 0)
        printf("\n./course hint %s N tells more about TODO N; ./course hint %s N 2 and 3 still "
               "more.\n",
               e->brief, e->brief);
    free(part);
    free(text);
    free(path);
    return EXIT_PASS;
}

/* Prints a document of an exercise. */
static int readDocument(char *path)
{
    char *text = readFile(path);

    printMarkdown(text, 1);
    free(text);
    free(path);
    return EXIT_PASS;
}

/* A README without the second and third hint of each TODO, which nobody should read by accident, in
 * a string that the caller frees. */
static char *withoutFurtherHints(const char *text, const char *brief)
{
    struct text out = {0};
    int isTodo = 0, isFurther = 0;

    for (const char *line = text, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (line[0] == '#')
            isTodo = strncmp(line, "### TODO", 8) == 0;
        if (line[0] == '#')
            isFurther = 0;
        else if (isTodo && line[0] >= '1' && line[0] <= '9' && line[1] == '.')
            isFurther = line[0] > '1';
        if (!isFurther || line[0] == '\n')
            append(&out, line, (size_t)(next - line));
        if (strncmp(line, "## Hints", 8) == 0)
            appendFormat(&out,
                         "\nHere is the first hint of each TODO. `./course hint %s N 2` and `3` "
                         "tell more about TODO N; `./course read %s --hints` shows all hints.\n",
                         brief, brief);
    }
    return out.data;
}

/* The path of a lesson that belongs to no exercise, lessons/NAME.md, in a string that the caller
 * frees; NULL if there is none. */
static char *lessonPath(const char *name)
{
    char *path = formatString("%s/lessons/%s.md", sourceFolder(), name);

    if (strchr(name, '/') == NULL && access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

int commandRead(int argc, char **argv)
{
    const struct exercise_entry *e;
    int all = 0, left = 1;
    char *path, *text, *shown;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--hints") == 0)
            all = 1;
        else
            argv[left++] = argv[i];
    path = left == 2 ? lessonPath(argv[1]) : NULL;
    if (path != NULL)
        return readDocument(path);
    e = oneExercise("read", left, argv, 2);
    path = formatString("%s/%s/README.md", sourceFolder(), e->name);
    if (all)
        return readDocument(path);
    text = readFile(path);
    shown = withoutFurtherHints(text, e->brief);
    printMarkdown(shown, 1);
    free(shown);
    free(text);
    free(path);
    return EXIT_PASS;
}

int commandAnswer(int argc, char **argv)
{
    const struct exercise_entry *e = oneExercise("answer", argc, argv, 2);

    char *path = formatString("%s/solutions/%s.md", sourceFolder(), e->brief);

    if (access(path, F_OK) != 0 && !hasSolution(e))
        fail(EXIT_SKIPPED,
             "SKIPPED: the answers of %s are not here: this course was handed out without them",
             e->brief);
    return readDocument(path);
}

/* The template as it was before the student edited it, which the caller frees; *words say where it
 * comes from. Ends the program if there is none. */
static char *originalOf(const struct exercise_entry *e, const char **words)
{
    char *path = originalPath(e), *kept = workKept(e);
    char *revision = formatString("HEAD:./%s/%s", e->name, strrchr(path, '/') + 1);
    char *git[] = {"git", "-C", (char *)sourceFolder(), "show", revision, NULL};
    int status = 0;
    char *original = isInstalled() ? readFile(path) : toolSaysAnyway(git, &status);

    *words = isInstalled() ? "the installation has it" : "git last recorded it";
    if (status != 0) { /* the course came as an archive */
        char *why = original;

        *words = "it was when it came";
        original = readFileIfThere(kept);
        if (original == NULL)
            fail(EXIT_ERROR, "git cannot bring back %s: %.*s; yours is as it was", path,
                 (int)strcspn(why, "\n"), why);
        free(why);
    }
    free(revision);
    free(kept);
    free(path);
    return original;
}

int commandReset(int argc, char **argv)
{
    const struct exercise_entry *e = oneExercise("reset", argc, argv, 2);
    char *path = sourcePath(e, "template"), *own = readFileIfThere(path), *saved = NULL;
    const char *words;
    char *original = originalOf(e, &words);
    const int same = own != NULL && strcmp(own, original) == 0;

    if (own != NULL && !same)
        saved = putAside(path);
    if (!same)
        replaceFile(path, original);
    printf("%s is as %s%s%s%s\n", path, words, same ? " already" : "",
           saved != NULL ? "; yours is kept in " : "", saved != NULL ? saved : "");
    free(saved);
    free(original);
    free(own);
    free(path);
    return EXIT_PASS;
}

int commandCc(int argc, char **argv)
{
    char **arguments = mustAllocate(NULL, ((size_t)argc + 1) * sizeof *arguments);
    int status;

    if (argc < 2)
        fail(EXIT_USAGE, "cc needs a file, such as ./course cc mine.cu -o mine");
    if (buildShared("emulated-cc emulated_cuda_libraries") != 0)
        return EXIT_ERROR;
    arguments[0] = formatString("%s/emulated-cc", sharedBuild());
    for (int i = 1; i < argc; i++)
        arguments[i] = argv[i];
    arguments[argc] = NULL;
    status = runCommand(arguments, 0);
    free(arguments[0]);
    free(arguments);
    return status;
}

/* Names the rungs in separate files, which the solution and in part the template include. */
static void nameFurther(const struct exercise_entry *e)
{
    char *pattern = formatString("%s/%s/advanced/*.cu*", sourceFolder(), e->name);
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        printf("\nFurther rungs, to read:\n");
        for (size_t i = 0; i < found.gl_pathc; i++)
            printf("  %s\n", found.gl_pathv[i] + strlen(sourceFolder()) + 1);
        globfree(&found);
    }
    free(pattern);
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
    if (!cpu && !hasSolution(e))
        fail(EXIT_SKIPPED,
             "SKIPPED: the solution of %s is not here: this course was handed out without it; "
             "./course diff %s --cpu compares with the CPU baseline",
             e->brief, e->brief);
    left = sourcePath(e, "template");
    right = cpu ? formatString("%s/%s/cpu.c", sourceFolder(), e->name) : sourcePath(e, "solution");
    {
        char *text = readFile(left);
        char *fromWindows = strstr(text, "\r\n") != NULL ? "--strip-trailing-cr" : "-u";
        char *arguments[] = {
            "diff", "-u",  fromWindows, isatty(STDOUT_FILENO) ? "--color=auto" : "-u",
            left,   right, NULL};

        free(text);
        status = runCommand(arguments, 0);
    }
    if (!cpu && status <= 1)
        nameFurther(e);
    free(left);
    free(right);
    return status > 1 ? EXIT_ERROR : EXIT_PASS;
}
