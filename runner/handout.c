/* handout, release: the course for students without solutions, and the solutions later. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include "todo.h"
#include "tool.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The exercises that were asked for; all if none was. */
struct selection {
    const struct exercise_entry **list;
    size_t count;
};

static struct selection selectionOf(int argc, char **argv)
{
    struct selection s = {0};
    const struct exercise_entry *all;
    size_t count;

    all = exercises(&count);
    s.list = mustAllocate(NULL, (count + (size_t)argc + 1) * sizeof *s.list);
    for (int i = 0; i < argc; i++)
        s.list[s.count++] = exerciseNamed(argv[i]);
    for (size_t i = 0; argc == 0 && i < count; i++)
        s.list[s.count++] = &all[i];
    return s;
}

/* 1 if the path begins with the folder. */
static int isIn(const char *path, const char *folder)
{
    const size_t length = strlen(folder);

    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* 1 if the path is of an exercise that is not handed out. */
static int isOfAnother(const char *path, const struct selection *s)
{
    if (!(strncmp(path, "ex", 2) == 0 && isdigit((unsigned char)path[2]) && path[4] == '_'))
        return 0;
    for (size_t i = 0; i < s->count; i++)
        if (isIn(path, s->list[i]->name))
            return 0;
    return 1;
}

/* 1 if a file of the course belongs into a handout: no solutions, no answers, nothing that gives them away. */
static int isHandedOut(const char *path, const struct selection *s)
{
    static const char *const kept[] = {"solutions/timings", "solutions/slurm"};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;

    if (strncmp(name, "solution.", 9) == 0 || strstr(path, "/mutants/") != NULL ||
        isIn(path, ".ci") || isIn(path, ".github") || strcmp(path, "TEACHING.md") == 0 ||
        isOfAnother(path, s))
        return 0;
    if (!isIn(path, "solutions") || strcmp(path, "solutions/recordings.txt") == 0)
        return 1;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (isIn(path, kept[i]))
            return 1;
    return 0;
}

/* Ends the program if a template is not as students should get it. */
static void mustBeUnsolved(const struct selection *s)
{
    for (size_t i = 0; i < s->count; i++) {
        char *path = sourcePath(s->list[i], "template"), *text = readFile(path);
        const struct todos todos = todosOf(text);

        if (todoFilled(&todos, 0) + todoFilled(&todos, 1) > 0)
            fail(EXIT_ERROR, "%s is solved in part: ./course reset %s brings back the empty one",
                 path, s->list[i]->brief);
        free(text);
        free(path);
    }
}

/* The files to hand out, a line each, in a string that the caller frees. */
static char *filesOf(const struct selection *s)
{
    char *argv[] = {"git", "-C", (char *)sourceFolder(), "ls-files", NULL};
    char *list = toolSays(argv), *rest = list, *line;
    struct text files = {0};

    if (list == NULL)
        fail(EXIT_ERROR, "handout needs the course's git checkout: %s is none", sourceFolder());
    appendText(&files, "");
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *path = textOf("%s/%s", sourceFolder(), line);

        if (line[0] != '\0' && isHandedOut(line, s) && access(path, F_OK) == 0)
            appendFormat(&files, "%s\n", line);
        free(path);
    }
    free(list);
    return files.data;
}

static void mustRun(char *command)
{
    char *argv[] = {"sh", "-c", command, NULL};

    if (runCommand(argv, 0) != 0)
        fail(EXIT_ERROR, "handout: this failed: %s", command);
    free(command);
}

/* Makes the folder, which must be new. */
static void makeFolder(const char *folder)
{
    if (mkdir(folder, 0777) != 0)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", folder, strerror(errno));
}

/* Copies the files, and begins a history of its own with them, so that ./course reset works. */
static void copyFiles(const char *files, const char *folder)
{
    char *source = quoted(sourceFolder()), *target = quoted(folder);
    char *list = textOf("%s/.files", folder), *quotedList = quoted(list);

    replaceFile(list, files);
    mustRun(textOf("tar -C %s -T %s -cf - | tar -C %s -xf -", source, quotedList, target));
    remove(list);
    mustRun(textOf(
        "cd %s && git init -q && git add -A && git -c commit.gpgsign=false -c user.name=course "
        "-c user.email=course "
        "commit -q -m 'The course as it was handed out'",
        target));
    free(quotedList);
    free(list);
    free(target);
    free(source);
}

int commandHandout(int argc, char **argv)
{
    static const char ending[] = ".tar.gz";
    struct selection s;
    const size_t length = argc > 1 ? strlen(argv[1]) : 0;
    const int packs =
        length > strlen(ending) && strcmp(argv[1] + length - strlen(ending), ending) == 0;
    char *folder, *files;

    if (argc < 2 || argv[1][0] == '-')
        fail(EXIT_USAGE, "handout needs a new folder, or a .tar.gz, and may name exercises");
    s = selectionOf(argc - 2, argv + 2);
    folder =
        packs ? textOf("%.*s", (int)(length - strlen(ending)), argv[1]) : textOf("%s", argv[1]);
    mustBeUnsolved(&s);
    files = filesOf(&s);
    makeFolder(folder);
    copyFiles(files, folder);
    if (packs) {
        char *quotedFolder = quoted(folder), *quotedFile = quoted(argv[1]);

        mustRun(textOf(
            "d=%s; tar -C \"$(dirname \"$d\")\" -czf %s \"$(basename \"$d\")\" && rm -rf \"$d\"",
            quotedFolder, quotedFile));
        free(quotedFile);
        free(quotedFolder);
    }
    printf("Handed out: %s, %zu exercises without solutions\n", argv[1], s.count);
    free(files);
    free(folder);
    free(s.list);
    return EXIT_PASS;
}

/* Copies a file into a handout, unless another one is there. */
static void release(const char *file, const char *folder)
{
    char *from = textOf("%s/%s", sourceFolder(), file), *to = textOf("%s/%s", folder, file);
    char *text = readFileIfThere(from), *old = readFileIfThere(to);

    if (text != NULL && old != NULL && strcmp(text, old) != 0)
        fail(EXIT_ERROR, "%s is there already, and is another one", to);
    if (text != NULL && old == NULL)
        replaceFile(to, text);
    free(old);
    free(text);
    free(to);
    free(from);
}

int commandRelease(int argc, char **argv)
{
    struct selection s;

    if (argc < 3 || argv[1][0] == '-')
        fail(EXIT_USAGE, "release needs the folder of a handout and the exercises");
    s = selectionOf(argc - 2, argv + 2);
    for (size_t i = 0; i < s.count; i++) {
        const struct exercise_entry *e = s.list[i];
        char *folder = textOf("%s/%s", argv[1], e->name), *solution = sourcePath(e, "solution");
        char *file = textOf("%s/%s", e->name, strrchr(solution, '/') + 1);
        char *answers = textOf("solutions/%s.md", e->brief);

        if (access(folder, F_OK) != 0)
            fail(EXIT_ERROR, "%s has not been handed out to %s", e->brief, argv[1]);
        if (!hasSolution(e))
            fail(EXIT_ERROR, "the solution of %s is not here", e->brief);
        release(file, argv[1]);
        release(answers, argv[1]);
        printf("Released: the solution and the answers of %s\n", e->brief);
        free(answers);
        free(file);
        free(solution);
        free(folder);
    }
    free(s.list);
    return EXIT_PASS;
}
