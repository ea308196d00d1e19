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

/* The bracket that opens the link text before `close`, at or behind `from`; NULL if none does. */
static const char *openingBracket(const char *from, const char *close)
{
    int depth = 1;

    for (const char *p = close; p > from;) {
        p--;
        depth += (*p == ']') - (*p == '[');
        if (depth == 0)
            return p;
    }
    return NULL;
}

/* A document without the links that lead from its folder to no file: their text stays. */
static char *withoutDeadLinks(const char *document, const char *folder)
{
    const char *copied = document; /* up to here */
    int quoted = 0;
    struct text alive = {0};

    for (const char *line = document; *line != '\0'; line = nextLine(line)) {
        int code = 0;

        quoted ^= startsWith(line, "```");
        for (const char *p = line; !quoted && !startsWith(line, "    ") && *p != '\0' && *p != '\n';
             p++) {
            const int length = (int)strcspn(p + 1, " #:)\n") - 1;
            const char *end = p + strcspn(p, ")\n"), *open;

            code ^= *p == '`';
            if (code || !startsWith(p, "](") || *end != ')' || length < 1 || p[2 + length] == ':' ||
                exists(formatString("%s/%.*s", folder, length, p + 2)) ||
                (open = openingBracket(copied, p)) == NULL)
                continue;
            append(&alive, copied, (size_t)(open - copied));
            append(&alive, open + 1, (size_t)(p - open - 1));
            copied = end + 1;
        }
    }
    appendText(&alive, copied);
    return alive.data;
}

/* Exercises that are not handed out are named in the documents, but not linked. */
static void removeDeadLinks(const char *files, const char *folder)
{
    for (const char *line = files; *line != '\0'; line = nextLine(line)) {
        const char *path = formatString("%s/%.*s", folder, (int)strcspn(line, "\n"), line);
        const char *text = endsWith(path, ".md") ? readFile(path) : NULL, *alive;

        if (text == NULL)
            continue;
        alive =
            withoutDeadLinks(text, formatString("%.*s", (int)(strrchr(path, '/') - path), path));
        if (!isSame(text, alive))
            replaceFile(path, alive);
    }
}

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
    removeDeadLinks(files, folder);
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
