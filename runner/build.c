/* Building targets of the build tree. */
#include "build.h"
#include "files.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* The start of the line that holds p. */
static char *lineOf(char *text, char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

/* The log from the first error on: 20 lines, without what make says about itself. */
static void printErrors(const char *path)
{
    static const char *const signs[] = {
        "error:", "undefined reference", "CMake Error", "No rule", "error", "warning"};
    char *text = readFile(path), *from = NULL;
    int lines = 0;

    for (size_t i = 0; i < sizeof signs / sizeof *signs && from == NULL; i++)
        from = strstr(text, signs[i]);
    if (from == NULL)
        from = text;
    for (char *line = strtok(lineOf(text, from), "\n"); line != NULL && lines < 20;
         line = strtok(NULL, "\n"))
        if ((strncmp(line, "gmake", 5) != 0 && strncmp(line, "make", 4) != 0) ||
            strstr(line, "No rule") != NULL) {
            fprintf(stderr, "%s\n", line);
            lines++;
        }
    free(text);
}

/* One build at a time in this folder, ./course's own configuring included. Returns what to close. */
static int lockBuild(void)
{
    char *path = textOf("%s/lock", buildFolder());
    const int lock = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        fprintf(stderr, "course: waiting for another build in %s\n", buildFolder());
        while (flock(lock, LOCK_EX) != 0 && errno == EINTR)
            continue;
    }
    free(path);
    return lock; /* a file system without locks: go on without */
}

int buildTargets(const char *targets)
{
    char *log = textOf("%s/build.log", buildFolder()), *folder = quoted(buildFolder());
    char *command =
        textOf("cmake --build %s --parallel $(getconf _NPROCESSORS_ONLN) --target %s 2>&1", folder,
               targets);
    const int onTerminal = isatty(STDERR_FILENO);
    const int lock = lockBuild();
    FILE *file = fopen(log, "w"), *build;
    char line[4096];
    int percent, status;

    if (file == NULL)
        fail(EXIT_ERROR, "cannot write %s: %s", log, strerror(errno));
    build = popen(command, "r");
    if (build == NULL)
        fail(EXIT_ERROR, "cannot start cmake: %s", strerror(errno));
    while (fgets(line, sizeof line, build) != NULL) {
        fputs(line, file);
        if (onTerminal && sscanf(line, "[ %d%%]", &percent) == 1)
            fprintf(stderr, "building ... %3d %%\r", percent);
    }
    status = pclose(build);
    if (onTerminal)
        fprintf(stderr, "                    \r");
    if (fclose(file) != 0)
        fail(EXIT_ERROR, "cannot write %s: %s", log, strerror(errno));
    if (lock >= 0)
        close(lock);
    if (status != 0) {
        printErrors(log);
        fprintf(stderr, "course: the build failed; the whole log is %s\n", log);
    }
    free(command);
    free(folder);
    free(log);
    return status == 0 ? 0 : EXIT_ERROR;
}
