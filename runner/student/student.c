/* read, hint, answer, diff, reset and cc: commands for a student who works on a template. */
#include "build.h"
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "markdown.h"
#include "process.h"
#include "request.h"
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
}

/* The part of a README from the line that starts with `heading` to the next heading that is not
 * deeper; NULL if there is none. */
static char *sectionOf(const char *text, const char *heading)
{
    const size_t depth = strspn(heading, "#");
    struct text section = {0};
    int inside = 0;

    for (const char *line = text; *line != '\0'; line = nextLine(line)) {
        const size_t hashes = strspn(line, "#");

        if (startsWith(line, heading) && strchr(" \n:(", line[strlen(heading)]) != NULL)
            inside = 1;
        else if (inside && hashes > 0 && hashes <= depth && line[hashes] == ' ')
            inside = 0;
        if (inside)
            appendLine(&section, line);
    }
    return section.data;
}

/* 1 if the line begins an item "N. ..." of a list. */
static int isItem(const char *line) { return line[0] >= '1' && line[0] <= '9' && line[1] == '.'; }

/* The item "N. ..." of a list in the section of a TODO: a tier of hints; NULL if there is none. */
static char *tierOf(const char *text, long todo, long tier)
{
    char *heading = formatString("### TODO %ld", todo), *section = sectionOf(text, heading);
    struct text item = {0};
    int inside = 0;

    for (const char *line = section; line != NULL && *line != '\0'; line = nextLine(line)) {
        if (isItem(line))
            inside = atoi(line) == tier;
        if (inside)
            appendLine(&item, line);
    }
    return item.data;
}

static char *readmePath(const struct exercise_entry *e)
{
    return formatString("%s/%s/README.md", sourceFolder(), e->name);
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
    const char *path = readmePath(e), *text = readFile(path), *part;
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
    return EXIT_PASS;
}

/* A README without the second and third hint of each TODO, which nobody should read by accident. */
static char *withoutFurtherHints(const char *text, const char *brief)
{
    struct text out = {0};
    int isTodo = 0, isFurther = 0;

    for (const char *line = text; *line != '\0'; line = nextLine(line)) {
        if (line[0] == '#') {
            isTodo = startsWith(line, "### TODO");
            isFurther = 0;
        } else if (isTodo && isItem(line)) {
            isFurther = line[0] > '1';
        }
        if (!isFurther || line[0] == '\n')
            appendLine(&out, line);
        if (startsWith(line, "## Hints"))
            appendFormat(&out,
                         "\nHere is the first hint of each TODO. `./course hint %s N 2` and `3` "
                         "tell more about TODO N; `./course read %s --hints` shows all hints.\n",
                         brief, brief);
    }
    return out.data;
}

int commandRead(int argc, char **argv)
{
    int all = 0;
    const struct known_option known[] = {{"--hints", .flag = &all}, {0}};
    const struct exercise_entry *e;
    const char *lesson; /* one that belongs to no exercise */

    argc = takeOptions(known, argc, argv);
    lesson = formatString("%s/lessons/%s.md", sourceFolder(), argc == 2 ? argv[1] : "");
    if (argc == 2 && strchr(argv[1], '/') == NULL && access(lesson, R_OK) == 0) {
        printMarkdown(readFile(lesson), 1);
        return EXIT_PASS;
    }
    e = oneLesson("read", argc, argv);
    lesson = readFile(readmePath(e));
    printMarkdown(all ? lesson : withoutFurtherHints(lesson, e->brief), 1);
    return EXIT_PASS;
}

int commandAnswer(int argc, char **argv)
{
    const struct exercise_entry *e = oneLesson("answer", argc, argv);
    const char *path = formatString("%s/solutions/%s.md", sourceFolder(), e->brief);

    if (!exists(path) && !hasSolution(e))
        fail(EXIT_SKIPPED,
             "SKIPPED: the answers of %s are not here: this course was handed out without them",
             e->brief);
    printMarkdown(readFile(path), 1);
    return EXIT_PASS;
}

/* The template as it was before the student edited it; *words say where it comes from. Ends the
 * program if there is none. */
static const char *originalOf(const struct exercise_entry *e, const char **words)
{
    const char *path = originalPath(e), *original;
    char *revision = formatString("HEAD:./%s/%s", e->name, strrchr(path, '/') + 1), *shown;
    int status;

    *words = "the installation has it";
    if (isInstalled())
        return readFile(path);
    *words = "git last recorded it";
    shown = gitSays("show", revision, &status);
    if (status == 0)
        return shown;
    *words = "it was when it came"; /* the course came as an archive */
    original = readFileIfThere(workKept(e));
    if (original == NULL)
        fail(EXIT_ERROR, "git cannot bring back %s: %.*s; yours is as it was", path,
             (int)strcspn(shown, "\n"), shown);
    return original;
}

int commandReset(int argc, char **argv)
{
    const struct exercise_entry *e = oneExercise("reset", argc, argv, 2);
    const char *path = sourcePath(e, "template"), *own = readFileIfThere(path), *words;
    const char *original = originalOf(e, &words), *saved = NULL;
    const int same = own != NULL && isSame(own, original);

    if (own != NULL && !same)
        saved = putAside(path);
    if (!same)
        replaceFile(path, original);
    printf("%s is as %s%s%s%s\n", path, words, same ? " already" : "",
           saved != NULL ? "; yours is kept in " : "", saved != NULL ? saved : "");
    return EXIT_PASS;
}

int commandCc(int argc, char **argv)
{
    char **words = mustAllocate(NULL, ((size_t)argc + 2) * sizeof *words);

    if (argc < 2)
        fail(EXIT_USAGE, "cc needs a file, such as ./course cc mine.cu -o mine");
    if (buildShared("emulated-cc emulated_cuda_libraries") != 0)
        return EXIT_ERROR;
    memcpy(words, argv, (size_t)argc * sizeof *words);
    words[0] = formatString("%s/emulated-cc", sharedBuild());
    words[argc] = formatString("-I%s/common", sourceFolder()); /* cuda_utils.h */
    words[argc + 1] = NULL;
    return runCommand(words, 0);
}

/* Names the rungs in separate files, which the solution and in part the template include. */
static void nameFurther(const struct exercise_entry *e)
{
    const glob_t found = matching(formatString("%s/%s/advanced/*.cu*", sourceFolder(), e->name));

    if (found.gl_pathc > 0)
        printf("\nFurther rungs, to read:\n");
    for (size_t i = 0; i < found.gl_pathc; i++)
        printf("  %s\n", found.gl_pathv[i] + strlen(sourceFolder()) + 1);
}

int commandDiff(int argc, char **argv)
{
    int cpu = 0, status;
    const struct known_option known[] = {{"--cpu", .flag = &cpu}, {0}};
    const struct exercise_entry *e = oneExercise("diff", takeOptions(known, argc, argv), argv, 2);
    char *template = sourcePath(e, "template");
    const int fromWindows = strstr(readFile(template), "\r\n") != NULL;
    char *diff[] = {"diff",
                    "-u",
                    fromWindows ? "--strip-trailing-cr" : "-u",
                    isatty(STDOUT_FILENO) ? "--color=auto" : "-u",
                    template,
                    cpu ? formatString("%s/%s/cpu.c", sourceFolder(), e->name)
                        : sourcePath(e, "solution"),
                    NULL};

    if (!cpu && !hasSolution(e))
        fail(EXIT_SKIPPED,
             "SKIPPED: the solution of %s is not here: this course was handed out without it; "
             "./course diff %s --cpu compares with the CPU baseline",
             e->brief, e->brief);
    status = runCommand(diff, 0);
    if (!cpu && status <= 1)
        nameFurther(e);
    return status > 1 ? EXIT_ERROR : EXIT_PASS;
}
