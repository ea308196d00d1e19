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
    unsigned long long hash;

    for (const char *line = records; *line != '\0'; line = nextLine(line))
        if (startsWith(line, e->name) && sscanf(line + strlen(e->name), " %llx", &hash) == 1)
            return hash;
    return 0;
}

/* Puts a template into the folder of its exercise, which may be new. */
static void copyTemplate(const struct exercise_entry *e, const char *path, const char *text)
{
    makeFolder(formatString("%s/%s", workFolder(), e->name), 0777, 1);
    replaceFile(path, text);
}

/* Compares the installation's template with the student's. Returns 1 if it was copied for the first
 * time. */
static int prepare(const struct exercise_entry *e, unsigned long long known,
                   unsigned long long *installed)
{
    const char *path = sourcePath(e, "template"), *own = readFileIfThere(path);
    const char *original = readFile(originalPath(e));
    int isChanged;

    *installed = hashOf(original);
    if (own == NULL) {
        copyTemplate(e, path, original);
        return 1;
    }
    isChanged = known != 0 && known != *installed;
    if (isChanged && hashOf(own) == known) {
        copyTemplate(e, path, original);
        fprintf(stderr,
                "course: %s: the installation has a new template; you had not edited yours, "
                "and have the new one\n",
                e->brief);
    } else if (isChanged && hashOf(own) != *installed) {
        fprintf(stderr,
                "course: %s: the installation has a new template; yours stays as it is "
                "(./course reset %s fetches the new one and keeps yours beside it)\n",
                e->brief, e->brief);
    }
    return 0;
}

/* Puts a link to the installation's script into the student's folder. The commands and the paths
 * in messages are right there. Returns 1 if one is there. */
static int linkScript(void)
{
    const char *link = formatString("%s/course", workFolder());

    if (exists(link))
        return 1;
    remove(link); /* the installation has moved */
    return symlink(formatString("%s/course", sourceFolder()), link) == 0;
}

void workPrepare(void)
{
    char *path, *old;
    struct text records = {0};
    size_t copied = 0;
    int isLinked;

    if (!isInstalled())
        return;
    makeFolder(workFolder(), 0777, 1);
    isLinked = linkScript();
    makeFolder(buildFolder(), 0777, 1);
    path = formatString("%s/templates.txt", buildFolder());
    old = readFileIfThere(path);
    appendText(&records, "");
    for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++) {
        unsigned long long installed;

        copied += (size_t)prepare(e, recordOf(old != NULL ? old : "", e), &installed);
        appendFormat(&records, "%s %016llx\n", e->name, installed);
    }
    if (copied > 0)
        fprintf(stderr, "course: copied %zu template%s to %s: edit them%s there\n", copied,
                copied == 1 ? "" : "s", workFolder(), isLinked ? " and call ./course" : "");
    if (old == NULL || !isSame(old, records.data))
        replaceFile(path, records.data);
}

char *workKept(const struct exercise_entry *e)
{
    return formatString("%s/.templates/%s%s", sourceFolder(), e->name,
                        strrchr(sourcePath(e, "template"), '.'));
}

void workKeep(void)
{
    if (isInstalled() || exists(formatString("%s/.git", sourceFolder())) ||
        access(sourceFolder(), W_OK) != 0)
        return;
    for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++) {
        const char *kept = workKept(e);
        const char *text = exists(kept) ? NULL : readIfReadable(sourcePath(e, "template"));
        const struct todos todos = todosOf(text != NULL ? text : "");

        if (todos.count > 0 && !todoAnyFilled(&todos)) {
            makeFolder(formatString("%s/.templates", sourceFolder()), 0777, 1);
            replaceFile(kept, text);
        }
    }
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
        if (startsWith(line, "-- GPU programs") || startsWith(line, "-- SKIPPED"))
            fprintf(stderr, "course: %s\n", line + 3);
}

int workConfigure(void)
{
    const char *build = quoted(buildFolder()),
               *log = formatString("%s/configure.log", buildFolder());
    const char *cache = formatString("%s/CMakeCache.txt", buildFolder());
    const char *settings = formatString("%s/settings.cmake", sharedBuild());
    char *command = formatString(
        "cmake -S %s -B %s -C %s -DCOURSE_INSTALLED=%s -DCOURSE_WORK=%s >%s 2>&1"
        " && rm -rf %s/CMakeFiles/*/CompilerId*", /* nvcc's takes 5 MB, and is not read again */
        quoted(sourceFolder()), build, quoted(settings), quoted(sharedBuild()),
        quoted(workFolder()), quoted(log), build);

    if (!isOlder(cache, settings))
        return 0;
    remove(cache); /* the settings may be others */
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "configuring ...\r");
    if (runCommand((char *[]){"sh", "-c", command, NULL}, 0) != 0) {
        buildErrors(log, NULL);
        return EXIT_ERROR;
    }
    showDevices(log);
    return 0;
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
    glob_t found;
    struct made *files;
    size_t count = 0;
    long long bytes = 0;

    if (!isInstalled())
        return;
    found = matching(formatString("%s/emulated/*", buildFolder()));
    glob(formatString("%s/gpu/*", buildFolder()), GLOB_APPEND, NULL, &found);
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
}
