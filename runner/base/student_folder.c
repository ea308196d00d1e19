/* A student's own folder with copies of the templates.
 *
 * build/templates.txt has a line for each exercise: its name, and the hash of the installation's
 * template that the student has, or has been informed of. */
#include "student_folder.h"
#include "build.h"
#include "exercises.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include "todo.h"
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KEPT = 24 << 20 }; /* bytes of programs and objects: with all else less than 30 MB */

/* The hash that the records have for an exercise; 0 if none. */
static unsigned long long recordOf(const char *records, const struct exercise_entry *e)
{
    const size_t length = strlen(e->name);
    unsigned long long hash;

    for (const char *line = records; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, e->name, length) == 0 && sscanf(line + length, " %llx", &hash) == 1)
            return hash;
    }
    return 0;
}

static void makeFolder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", path, strerror(errno));
}

/* Puts a template into the folder of its exercise, which may be new. */
static void copyTemplate(const struct exercise_entry *e, const char *path, const char *text)
{
    char *folder = formatString("%s/%s", workFolder(), e->name);

    makeFolder(folder);
    replaceFile(path, text);
    free(folder);
}

/* Compares the installation's template with the student's. Returns 1 if it was copied for the first
 * time. */
static int prepare(const struct exercise_entry *e, unsigned long long known,
                   unsigned long long *installed)
{
    char *from = originalPath(e), *path = sourcePath(e, "template");
    char *original = readFile(from), *own = readFileIfThere(path);
    const int isNew = own == NULL;

    *installed = hashOf(original);
    if (isNew) {
        copyTemplate(e, path, original);
    } else if (known != 0 && known != *installed && hashOf(own) == known) {
        copyTemplate(e, path, original);
        fprintf(stderr,
                "course: %s: the installation has a new template; you had not edited yours, "
                "and have the new one\n",
                e->brief);
    } else if (known != 0 && known != *installed && hashOf(own) != *installed) {
        fprintf(stderr,
                "course: %s: the installation has a new template; yours stays as it is "
                "(./course reset %s fetches the new one and keeps yours beside it)\n",
                e->brief, e->brief);
    }
    free(own);
    free(original);
    free(path);
    free(from);
    return isNew;
}

void workPrepare(void)
{
    char *path, *old;
    struct text records = {0};
    const struct exercise_entry *list;
    size_t count, copied = 0;

    if (!isInstalled())
        return;
    list = exercises(&count);
    makeFolder(workFolder());
    makeFolder(buildFolder());
    path = formatString("%s/templates.txt", buildFolder());
    old = readFileIfThere(path);
    appendText(&records, "");
    for (size_t i = 0; i < count; i++) {
        unsigned long long installed;

        copied += (size_t)prepare(&list[i], recordOf(old, &list[i]), &installed);
        appendFormat(&records, "%s %016llx\n", list[i].name, installed);
    }
    if (copied > 0)
        fprintf(stderr, "course: copied %zu template%s to %s: edit them there\n", copied,
                copied == 1 ? "" : "s", workFolder());
    if (old == NULL || strcmp(old, records.data) != 0)
        replaceFile(path, records.data);
    free(records.data);
    free(old);
    free(path);
}

char *workKept(const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template");
    char *kept = formatString("%s/.templates/%s%s", sourceFolder(), e->name, strrchr(path, '.'));

    free(path);
    return kept;
}

void workKeep(void)
{
    char *history = formatString("%s/.git", sourceFolder()), *folder;
    const int download =
        !isInstalled() && access(history, F_OK) != 0 && access(sourceFolder(), W_OK) == 0;
    const struct exercise_entry *list;
    size_t count;

    free(history);
    if (!download)
        return;
    folder = formatString("%s/.templates", sourceFolder());
    list = exercises(&count);
    for (size_t i = 0; i < count; i++) {
        char *kept = workKept(&list[i]), *path = sourcePath(&list[i], "template");
        char *text = access(kept, F_OK) != 0 && access(path, R_OK) == 0 ? readFile(path) : NULL;
        const struct todos todos = todosOf(text != NULL ? text : "");

        if (todos.count > 0 && todoFilled(&todos, 0) + todoFilled(&todos, 1) == 0) {
            makeFolder(folder);
            replaceFile(kept, text);
        }
        free(text);
        free(path);
        free(kept);
    }
    free(folder);
}

/* 1 if the first file is not there, or older than the second. */
static int isOlder(const char *path, const char *than)
{
    struct stat a, b;

    return stat(path, &a) != 0 || stat(than, &b) != 0 || isEarlier(&a.st_mtim, &b.st_mtim);
}

/* Shows the messages of the configuration on the devices. */
static void showDevices(const char *log)
{
    char *text = readFile(log), *rest = text, *line;

    while ((line = strsep(&rest, "\n")) != NULL)
        if (strncmp(line, "-- GPU programs", 15) == 0 || strncmp(line, "-- SKIPPED", 10) == 0)
            fprintf(stderr, "course: %s\n", line + 3);
    free(text);
}

int workConfigure(void)
{
    char *cache = formatString("%s/CMakeCache.txt", buildFolder());
    char *settings = formatString("%s/settings.cmake", sharedBuild());
    char *log = formatString("%s/configure.log", buildFolder());
    char *words[] = {quoted(sourceFolder()), quoted(buildFolder()), quoted(settings),
                     quoted(sharedBuild()),  quoted(workFolder()),  quoted(log)};
    char *command = formatString(
        "cmake -S %s -B %s -C %s -DCOURSE_INSTALLED=%s -DCOURSE_WORK=%s >%s 2>&1"
        " && rm -rf %s/CMakeFiles/*/CompilerId*", /* nvcc's takes 5 MB, and is not read again */
        words[0], words[1], words[2], words[3], words[4], words[5], words[1]);
    char *argv[] = {"sh", "-c", command, NULL};
    int status = 0;

    if (isOlder(cache, settings)) {
        remove(cache); /* the settings may be others */
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "configuring ...\r");
        status = runCommand(argv, 0) == 0 ? 0 : EXIT_ERROR;
        if (status != 0)
            buildErrors(log, NULL);
        else
            showDevices(log);
    }
    free(command);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        free(words[i]);
    free(log);
    free(settings);
    free(cache);
    return status;
}

/* A file of the student's build. */
struct made {
    const char *path;
    struct stat status;
};

static int byDate(const void *a, const void *b)
{
    const struct timespec *x = &((const struct made *)a)->status.st_mtim;
    const struct timespec *y = &((const struct made *)b)->status.st_mtim;

    return isEarlier(y, x) - isEarlier(x, y);
}

void workTidy(void)
{
    static const char *const patterns[] = {"%s/emulated/*", "%s/gpu/*"};
    glob_t found = {0};
    struct made *files;
    size_t count = 0;
    long long bytes = 0;

    if (!isInstalled())
        return;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char *pattern = formatString(patterns[i], buildFolder());

        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
        free(pattern);
    }
    files = mustAllocate(NULL, (found.gl_pathc + 1) * sizeof *files);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        files[count].path = found.gl_pathv[i];
        if (lstat(files[count].path, &files[count].status) == 0 &&
            S_ISREG(files[count].status.st_mode))
            bytes += files[count++].status.st_size;
    }
    qsort(files, count, sizeof *files, byDate);
    for (size_t i = 0; i < count && bytes > MOST_KEPT; i++)
        if (remove(files[i].path) == 0)
            bytes -= files[i].status.st_size;
    free(files);
    globfree(&found);
}
