/* Choosing and copying the files of the course, for handout and install. */
#include "selection.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include "todo.h"
#include "tool.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Those that `named` finds by the words on the command line; all if there is none. */
static struct selection chosen(int argc, char **argv,
                               const struct exercise_entry *(*named)(const char *text))
{
    struct selection s = {0};

    s.list = mustAllocate(NULL, (exerciseCount() + (size_t)argc + 1) * sizeof *s.list);
    for (int i = 0; i < argc; i++)
        s.list[s.count++] = named(argv[i]);
    for (const struct exercise_entry *e = exercises(); argc == 0 && e->name[0] != '\0'; e++)
        s.list[s.count++] = e;
    return s;
}

struct selection selectionOf(int argc, char **argv) { return chosen(argc, argv, exerciseNamed); }

struct selection lessonsOf(int argc, char **argv)
{
    struct selection s = chosen(argc, argv, lessonNamed);

    if (argc == 0)
        s.list[s.count++] = &labToRead;
    return s;
}

int isIn(const char *path, const char *folder)
{
    const size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

int isOfAnother(const char *path, const struct selection *s)
{
    const char *folder = formatString("%s/%.*s", sourceFolder(), (int)strcspn(path, "/"), path);
    const int isExercise = exists(formatString("%s/template.cu", folder)) ||
                           exists(formatString("%s/template.c", folder));

    for (size_t i = 0; i < s->count; i++)
        if (isIn(path, s->list[i]->name))
            return 0;
    return isExercise;
}

int isForStudents(const char *path, const struct selection *s)
{
    /* Solutions, answers, and files for authors and teachers, most of which reveal answers. */
    static const char *const kept[] = {
        "*/solution.*",    "solutions/ex*.md",  "solutions/lab*.md", "TEACHING.md",
        "CONTRIBUTING.md", "KNOWN-LIMITS.md",   "WORKSHOP.md",       ".ci/*",
        ".github/*",       "tests/*/mutants/*", "tests/cmake/*",     "tests/emulated/*",
        "tests/handout/*", "tests/harness/*",   "tests/legacy/*",    "tests/lessons/*",
        "tests/slurm/*"};

    if (isIn(path, "tests/emulated/mistakes")) /* MISTAKES.md shows them */
        return 1;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (fnmatch(kept[i], path, 0) == 0)
            return 0;
    return !isOfAnother(path, s);
}

void mustBeUnsolved(const struct selection *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const char *path = originalPath(s->list[i]);
        const struct todos todos = todosOf(readFile(path));

        if (todoAnyFilled(&todos))
            fail(EXIT_ERROR, "%s is solved in part: ./course reset %s brings back the empty one",
                 path, s->list[i]->brief);
    }
}

char *trackedFiles(const struct selection *s,
                   int (*isWanted)(const char *path, const struct selection *s))
{
    struct text files = {0};
    int status;
    char *list = gitSays("ls-files", NULL, &status), *rest, *line;

    if (toolPath("git") == NULL)
        fail(EXIT_ERROR, "this needs git, which is not on the PATH");
    if (status != 0)
        fail(EXIT_ERROR, "this needs a git checkout of the course; of %s git says: %.*s",
             sourceFolder(), (int)strcspn(list, "\n"), list);
    rest = list;
    appendText(&files, "");
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] != '\0' && isWanted(line, s) &&
            exists(formatString("%s/%s", sourceFolder(), line)))
            appendFormat(&files, "%s\n", line);
    }
    return files.data;
}

void madeForOthers(void) { umask(umask(0) & ~(mode_t)(S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH)); }

void mustRun(char *command)
{
    char *argv[] = {"sh", "-c", command, NULL};

    if (runCommand(argv, 0) != 0)
        fail(EXIT_ERROR, "this failed: %s", command);
}

void copyTracked(const char *files, const char *folder)
{
    const char *list = formatString("%s/.files", folder);

    replaceFile(list, files);
    mustRun(formatString("tar -C %s -T %s -cf - | tar -C %s -xmf -", quoted(sourceFolder()),
                         quoted(list), quoted(folder)));
    remove(list);
}
