/* install: the course for many, in one folder: one checkout and one build, which students only read
 * (student_folder.h). */
#include "build.h"
#include "commands.h"
#include "files.h"
#include "process.h"
#include "selection.h"
#include "text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int isInstalledFile(const char *path, const struct selection *s)
{
    return !isOfAnother(path, s) && !isIn(path, ".ci") && !isIn(path, ".github");
}

/* The absolute path of the folder, in a string that the caller frees: a new one, or an older
 * installation. */
static char *openFolder(const char *name)
{
    char *list = formatString("%s/installed.txt", name), *full;
    const int isOlder = access(list, F_OK) == 0;

    if (mkdir(name, 0755) != 0 && !(errno == EEXIST && isOlder))
        fail(EXIT_ERROR, "cannot make the folder %s: %s", name, strerror(errno));
    full = realpath(name, NULL);
    if (full == NULL || access(full, W_OK) != 0)
        fail(EXIT_ERROR, "cannot write to %s: %s", name, strerror(errno));
    if (strcmp(full, sourceFolder()) == 0)
        fail(EXIT_USAGE, "install needs another folder than the course's own");
    free(list);
    return full;
}

/* Removes the files of an older installation that the new one lacks. */
static void removeOthers(const char *old, const char *files, const char *folder)
{
    char *all = formatString("\n%s", files), *copy = formatString("%s", old), *rest = copy, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        char *entry = formatString("\n%s\n", line), *path = formatString("%s/%s", folder, line);

        if (line[0] != '\0' && line[0] != '/' && strstr(line, "..") == NULL &&
            strstr(all, entry) == NULL && remove(path) != 0 && errno != ENOENT)
            fail(EXIT_ERROR, "cannot remove %s: %s", path, strerror(errno));
        free(path);
        free(entry);
    }
    free(copy);
    free(all);
}

/* Configures the installation as this build is configured. Ends the program if that fails. */
static void configure(const char *folder, const struct selection *s)
{
    char *settings = formatString("%s/settings.cmake", buildFolder());
    char *target = formatString("%s/build", folder),
         *log = formatString("%s/configure.log", target);
    char *words[] = {quoted(folder), quoted(settings), quoted(log)};
    struct text only = {0};

    for (size_t i = 0; i < s->count; i++)
        appendFormat(&only, "%s%s", i > 0 ? ";" : "", s->list[i]->brief);
    if (mkdir(target, 0755) != 0 && errno != EEXIST)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", target, strerror(errno));
    mustRun(formatString(
        "cmake -S %s -B %s/build -DCOURSE_AUTHOR=OFF -DCOURSE_ONLY='%s' -C %s >%s 2>&1", words[0],
        words[0], only.data, words[1], words[2]));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        free(words[i]);
    free(only.data);
    free(log);
    free(target);
    free(settings);
}

/* Builds everything in the installation. Returns 0 or, after a message, EXIT_ERROR. */
static int build(const char *folder)
{
    char *path = formatString("%s/build", folder);

    if (setenv("COURSE_SOURCE", folder, 1) != 0 || setenv("COURSE_BUILD", path, 1) != 0)
        fail(EXIT_ERROR, "out of memory");
    free(path);
    return buildTargets("all");
}

int commandInstall(int argc, char **argv)
{
    struct selection s;
    char *folder, *files, *list, *old, *word;
    int count = 1, withSolutions = 1;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--without-solutions") == 0)
            withSolutions = 0;
        else
            argv[count++] = argv[i];
    if (count < 2 || argv[1][0] == '-')
        fail(EXIT_USAGE, "install needs a folder, and may name exercises");
    s = selectionOf(count - 2, argv + 2);
    mustBeUnsolved(&s);
    files = trackedFiles(&s, withSolutions ? isInstalledFile : isForStudents);
    folder = openFolder(argv[1]);
    list = formatString("%s/installed.txt", folder);
    old = readFileIfThere(list);
    if (old != NULL)
        removeOthers(old, files, folder);
    copyTracked(files, folder);
    printf("Building in %s: all programs, which takes minutes\n", folder);
    fflush(stdout);
    configure(folder, &s);
    if (build(folder) != 0)
        return EXIT_ERROR;
    replaceFile(list, files);
    word = quoted(folder);
    mustRun(formatString("chmod -R a+rX,go-w %s", word));
    printf("Installed: %zu exercise%s%s for all who can read %s\n"
           "Students call %s/course; their templates and builds are in ~/cuda-course, or in "
           "COURSE_WORK.\n",
           s.count, s.count == 1 ? "" : "s", withSolutions ? "" : " without solutions", folder,
           folder);
    free(word);
    free(old);
    free(list);
    free(folder);
    free(files);
    free(s.list);
    return EXIT_PASS;
}
