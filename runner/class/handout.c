/* handout, release: the course for students without solutions, and the solutions later. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "selection.h"
#include "text.h"
#include "tool.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* git for a handout's history, under no user's name. */
#define HISTORY "git -c commit.gpgsign=false -c user.name=course -c user.email=course"

/* Makes the folder, which must be new. */
static void makeFolder(const char *folder)
{
    if (mkdir(folder, 0777) != 0)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", folder, strerror(errno));
}

/* Copies the files, and begins a history of its own with them, so that ./course reset works. */
static void copyFiles(const char *files, const char *folder)
{
    char *target = quoted(folder);

    copyTracked(files, folder);
    mustRun(formatString("cd %s && git init -q && git add -A && " HISTORY
                         " commit -q -m 'The course as it was handed out'",
                         target));
    free(target);
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
    folder = packs ? formatString("%.*s", (int)(length - strlen(ending)), argv[1])
                   : formatString("%s", argv[1]);
    mustBeUnsolved(&s);
    files = trackedFiles(&s, isForStudents);
    madeForOthers();
    makeFolder(folder);
    copyFiles(files, folder);
    if (packs) {
        char *quotedFolder = quoted(folder), *quotedFile = quoted(argv[1]);

        mustRun(formatString(
            "d=%s; tar -C \"$(dirname \"$d\")\" -czf %s \"$(basename \"$d\")\" && rm -rf \"$d\"",
            quotedFolder, quotedFile));
        free(quotedFile);
        free(quotedFolder);
    }
    printf("Handed out: %s, %zu exercise%s without solutions\n", argv[1], s.count,
           s.count == 1 ? "" : "s");
    free(files);
    free(folder);
    free(s.list);
    return EXIT_PASS;
}

/* Copies a file into a handout, unless another one is there, and adds its quoted name to
 * `files`. */
static void release(const char *file, const char *folder, struct text *files)
{
    char *name = quoted(file);
    char *from = formatString("%s/%s", sourceFolder(), file),
         *to = formatString("%s/%s", folder, file);
    char *text = readFileIfThere(from), *old = readFileIfThere(to);

    if (text != NULL && old != NULL && strcmp(text, old) != 0)
        fail(EXIT_ERROR, "%s is there already, with other contents", to);
    if (text != NULL && old == NULL)
        replaceFile(to, text);
    if (text != NULL)
        appendFormat(files, " %s", name);
    free(name);
    free(old);
    free(text);
    free(to);
    free(from);
}

/* 1 if the handout has a history. Ends the program if git does not work with it: it may be another
 * account's. */
static int hasHistory(const char *folder)
{
    char *argv[] = {"git", "-C", (char *)folder, "rev-parse", "--git-dir", NULL};
    char *git = formatString("%s/.git", folder), *said;
    const int has = access(git, F_OK) == 0;
    int status = 0;

    if (has) {
        said = toolSaysAnyway(argv, &status);
        if (status != 0)
            fail(EXIT_ERROR, "the account that owns %s must release there, since git says: %.*s",
                 folder, (int)strcspn(said, "\n"), said);
        free(said);
    }
    free(git);
    return has;
}

/* Adds the files to the handout's history, so that students can pull them. */
static void recordRelease(const char *folder, const char *files)
{
    char *target = quoted(folder);

    mustRun(formatString("cd %s && git add -- %s && { git diff --cached --quiet -- %s || " HISTORY
                         " commit -q -m 'Solutions and answers' -- %s; }",
                         target, files, files, files));
    free(target);
}

int commandRelease(int argc, char **argv)
{
    struct text files = {0};
    struct selection s;
    int isRecorded;

    if (argc < 3 || argv[1][0] == '-')
        fail(EXIT_USAGE, "release needs the folder of a handout and the exercises");
    s = selectionOf(argc - 2, argv + 2);
    isRecorded = hasHistory(argv[1]);
    madeForOthers();
    for (size_t i = 0; i < s.count; i++) {
        const struct exercise_entry *e = s.list[i];
        char *folder = formatString("%s/%s", argv[1], e->name),
             *solution = sourcePath(e, "solution");
        char *file = formatString("%s/%s", e->name, strrchr(solution, '/') + 1);
        char *answers = formatString("solutions/%s.md", e->brief);

        if (access(folder, F_OK) != 0)
            fail(EXIT_ERROR, "%s has not been handed out to %s", e->brief, argv[1]);
        if (!hasSolution(e))
            fail(EXIT_ERROR, "the solution of %s is not here", e->brief);
        release(file, argv[1], &files);
        release(answers, argv[1], &files);
        printf("Released: the solution and the answers of %s\n", e->brief);
        free(answers);
        free(file);
        free(solution);
        free(folder);
    }
    if (isRecorded)
        recordRelease(argv[1], files.data);
    free(files.data);
    free(s.list);
    return EXIT_PASS;
}
