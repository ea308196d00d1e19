/* install: the course for many, in one folder: one checkout and one build, which students only read
 * (student_folder.h). */
#include "build.h"
#include "commands.h"
#include "files.h"
#include "request.h"
#include "selection.h"
#include "text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int isInstalledFile(const char *path, const struct selection *s)
{
    return !isOfAnother(path, s) && !isIn(path, ".ci") && !isIn(path, ".github");
}

/* The absolute path of the folder: a new one, or an older installation. */
static char *openFolder(const char *name)
{
    char *full;

    makeFolder(name, 0755, exists(formatString("%s/installed.txt", name)));
    full = writableFolder(name);
    if (isSame(full, sourceFolder()))
        fail(EXIT_USAGE, "install needs another folder than the course's own");
    return full;
}

/* Removes the files of an older installation that the new one lacks. */
static void removeOthers(const char *old, const char *files, const char *folder)
{
    const char *all = formatString("\n%s", files);
    char *rest = formatString("%s", old), *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        const char *path = formatString("%s/%s", folder, line);

        if (line[0] != '\0' && line[0] != '/' && strstr(line, "..") == NULL &&
            strstr(all, formatString("\n%s\n", line)) == NULL && remove(path) != 0 &&
            errno != ENOENT)
            fail(EXIT_ERROR, "cannot remove %s: %s", path, strerror(errno));
    }
}

/* Configures the installation as this build is configured. Ends the program if that fails. */
static void configure(const char *folder, const char *target, const struct selection *s)
{
    struct text only = {0};

    for (size_t i = 0; i < s->count; i++)
        appendFormat(&only, "%s%s", i > 0 ? ";" : "", s->list[i]->brief);
    makeFolder(target, 0755, 1);
    mustRun(formatString(
        "cmake -S %s -B %s -DCOURSE_AUTHOR=OFF -DCOURSE_ONLY='%s' -C %s/settings.cmake"
        " >%s/configure.log 2>&1",
        quoted(folder), quoted(target), only.data, quoted(buildFolder()), quoted(target)));
}

int commandInstall(int argc, char **argv)
{
    int without = 0;
    const struct known_option known[] = {{"--without-solutions", .flag = &without}, {0}};
    const int words = takeOptions(known, argc, argv);
    const char *folder, *target, *files, *list, *old;
    struct selection s;

    if (words < 2 || argv[1][0] == '-')
        fail(EXIT_USAGE, "install needs a folder, and may name exercises");
    s = selectionOf(words - 2, argv + 2);
    mustBeUnsolved(&s);
    files = trackedFiles(&s, without ? isForStudents : isInstalledFile);
    folder = openFolder(argv[1]);
    target = formatString("%s/build", folder);
    list = formatString("%s/installed.txt", folder);
    old = readFileIfThere(list);
    if (old != NULL)
        removeOthers(old, files, folder);
    copyTracked(files, folder);
    printf("Building in %s: all programs, which takes minutes\n", folder);
    fflush(stdout);
    configure(folder, target, &s);
    setVariable("COURSE_SOURCE", folder);
    setVariable("COURSE_BUILD", target);
    if (buildTargets("all") != 0)
        return EXIT_ERROR;
    replaceFile(list, files);
    mustRun(formatString("chmod -R a+rX,go-w %s", quoted(folder)));
    printf("Installed: %zu exercise%s%s for all who can read %s\n"
           "Students call %s/course; their templates and builds are in ~/cuda-course, or in "
           "COURSE_WORK.\n",
           s.count, s.count == 1 ? "" : "s", without ? " without solutions" : "", folder, folder);
    return EXIT_PASS;
}
