/* handout, release: the course for students without solutions, and the solutions later. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "selection.h"
#include "text.h"
#include "tool.h"
#include <stdio.h>
#include <string.h>

/* git for a handout's history, under no user's name. */
#define HISTORY "git -c commit.gpgsign=false -c user.name=course -c user.email=course"

int commandHandout(int argc, char **argv)
{
    const int packs = argc > 1 && endsWith(argv[1], ".tar.gz");
    struct selection s;
    const char *folder, *files;

    if (argc < 2 || argv[1][0] == '-')
        fail(EXIT_USAGE, "handout needs a new folder, or a .tar.gz, and may name exercises");
    s = selectionOf(argc - 2, argv + 2);
    folder =
        formatString("%.*s", (int)(strlen(argv[1]) - (packs ? strlen(".tar.gz") : 0)), argv[1]);
    mustBeUnsolved(&s);
    files = trackedFiles(&s, isForStudents);
    madeForOthers();
    makeFolder(folder, 0777, 0);
    copyTracked(files, folder);
    /* a history of its own, so that ./course reset works */
    mustRun(formatString("cd %s && git init -q && git add -A && " HISTORY
                         " commit -q -m 'The course as it was handed out'",
                         quoted(folder)));
    if (packs)
        mustRun(formatString(
            "d=%s; tar -C \"$(dirname \"$d\")\" -czf %s \"$(basename \"$d\")\" && rm -rf \"$d\"",
            quoted(folder), quoted(argv[1])));
    printf("Handed out: %s, %zu exercise%s without solutions\n", argv[1], s.count,
           s.count == 1 ? "" : "s");
    return EXIT_PASS;
}

/* Copies a file into a handout, unless another one is there, and adds its quoted name to
 * `files`. */
static void release(const char *file, const char *folder, struct text *files)
{
    const char *to = formatString("%s/%s", folder, file);
    const char *text = readFileIfThere(formatString("%s/%s", sourceFolder(), file)),
               *old = readFileIfThere(to);

    if (text == NULL)
        return;
    if (old != NULL && !isSame(text, old))
        fail(EXIT_ERROR, "%s is there already, with other contents", to);
    if (old == NULL)
        replaceFile(to, text);
    appendFormat(files, " %s", quoted(file));
}

/* 1 if the handout has a history. Ends the program if git does not work with it: it may be another
 * account's. */
static int hasHistory(const char *folder)
{
    char *argv[] = {"git", "-C", (char *)folder, "rev-parse", "--git-dir", NULL};
    const char *said;
    int status;

    if (!exists(formatString("%s/.git", folder)))
        return 0;
    said = toolSaysAnyway(argv, &status);
    if (status != 0)
        fail(EXIT_ERROR, "the account that owns %s must release there, since git says: %.*s",
             folder, (int)strcspn(said, "\n"), said);
    return 1;
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

        if (!exists(formatString("%s/%s", argv[1], e->name)))
            fail(EXIT_ERROR, "%s has not been handed out to %s", e->brief, argv[1]);
        if (!hasSolution(e))
            fail(EXIT_ERROR, "the solution of %s is not here", e->brief);
        release(formatString("%s/%s", e->name, strrchr(sourcePath(e, "solution"), '/') + 1),
                argv[1], &files);
        release(formatString("solutions/%s.md", e->brief), argv[1], &files);
        printf("Released: the solution and the answers of %s\n", e->brief);
    }
    if (isRecorded) /* so that students can pull them */
        mustRun(
            formatString("cd %s && git add -- %s && { git diff --cached --quiet -- %s || " HISTORY
                         " commit -q -m 'Solutions and answers' -- %s; }",
                         quoted(argv[1]), files.data, files.data, files.data));
    return EXIT_PASS;
}
