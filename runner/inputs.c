/* Whether a program was built from what its sources say now. */
#define _GNU_SOURCE /* memmem */
#include "inputs.h"
#include "build.h"
#include "process.h"
#include "files.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* FNV-1a */
unsigned long long hashOf(const char *text)
{
    unsigned long long hash = 14695981039346656037ULL;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211ULL;
    return hash;
}

/* What the program is made from, as far as an exercise, the course's headers and the harness go: paths, "\n" after each. The
 * first is its template or solution. */
static char *sourcesOf(const struct exercise_entry *e, const char *kind)
{
    static const char *const patterns[] = {"%s/%s/*.h", "%s/%s/*.cuh", "%s/%s/*.c", "%s/%s/*.cu",
                                           "%s/%s/further/*.*"};
    static const char *const shared[] = {"%s/common/*.h", "%s/common/harness/*.h",
                                         "%s/common/harness/*.c", "%s/common/harness/*.cu"};
    char *own = sourcePath(e, kind);
    struct text list = {0};
    glob_t found = {0};

    appendFormat(&list, "%s\n", own);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char *pattern = textOf(patterns[i], sourceFolder(), e->name);

        glob(pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found);
        free(pattern);
    }
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        char *pattern = textOf(shared[i], sourceFolder());

        glob(pattern, GLOB_APPEND, NULL, &found);
        free(pattern);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *slash = strrchr(found.gl_pathv[i], '/') + 1;

        if (strcmp(found.gl_pathv[i], own) != 0 && strncmp(slash, "template.", 9) != 0 &&
            strncmp(slash, "solution.", 9) != 0)
            appendFormat(&list, "%s\n", found.gl_pathv[i]);
    }
    globfree(&found);
    free(own);
    return list.data;
}

/* The lines that name what a source includes. */
static unsigned long long hashOfIncludes(const char *text)
{
    struct text lines = {0};
    unsigned long long hash;

    appendText(&lines, "");
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        if (line[strspn(line, " \t")] == '#' && memmem(line, length, "include", 7) != NULL)
            append(&lines, line, length);
        line += length + (line[length] == '\n');
    }
    hash = hashOf(lines.data);
    free(lines.data);
    return hash;
}

static unsigned long long courseHash; /* of what nftw() has visited */

static int visit(const char *path, const struct stat *s, int type, struct FTW *where)
{
    char *line = textOf("%s %lld.%09ld %lld", path, (long long)s->st_mtim.tv_sec,
                        s->st_mtim.tv_nsec, (long long)s->st_size);

    (void)where;
    if (type == FTW_F)
        courseHash += hashOf(line); /* in whatever order */
    free(line);
    return 0;
}

/* The course's own part of every program, the settings of the build included: names, dates and sizes. */
static unsigned long long hashOfCourse(void)
{
    static const char *const folders[] = {"%s/common", "%s/emulated", "%s/CMakeLists.txt"};
    char *cache = textOf("%s/CMakeCache.txt", buildFolder());

    courseHash = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *folder = textOf(folders[i], sourceFolder());

        nftw(folder, visit, 16, FTW_PHYS);
        free(folder);
    }
    nftw(cache, visit, 16, FTW_PHYS);
    free(cache);
    return courseHash;
}

static char *recordPath(const char *program)
{
    return textOf("%s.inputs", program);
}

/* Tells this program file from any other that stood or will stand there. "" if there is none. */
static char *identity(const char *program)
{
    struct stat s;

    if (stat(program, &s) != 0)
        return textOf("%s", "");
    return textOf("%llu %lld.%09ld", (unsigned long long)s.st_ino, (long long)s.st_mtim.tv_sec,
                  s.st_mtim.tv_nsec);
}

/* The hash that the record has for a path; 0 if none. */
static unsigned long long recorded(const char *record, const char *path)
{
    for (const char *line = record; line != NULL && *line != '\0';) {
        const char *next = strchr(line, '\n');
        int length = 0;
        unsigned long long hash;

        if (sscanf(line, "%llx %n", &hash, &length) == 1 && next != NULL && length > 0 &&
            (size_t)(next - line - length) == strlen(path) &&
            strncmp(line + length, path, strlen(path)) == 0)
            return hash;
        line = next != NULL ? next + 1 : NULL;
    }
    return 0;
}

/* The record that was made of this very program, in a string that the caller frees; NULL if there is none. */
static char *recordOf(const char *program)
{
    char *path = recordPath(program), *record = readFileIfThere(path), *now = identity(program);
    const size_t length = strlen(now);

    if (record != NULL &&
        (length == 0 || strncmp(record, now, length) != 0 || record[length] != '\n')) {
        free(record);
        record = NULL;
    }
    free(now);
    free(path);
    return record;
}

static int later(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec > b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

/* Gives the file a date after the program's: the present one, if that will do. A program from the future goes: what is
 * compiled now would look older than it, and would not be linked. Returns 0 if that is not allowed. */
static int makeNewer(const char *path, const char *program)
{
    struct stat source, built;
    struct timespec dates[2] = {{0, UTIME_OMIT}, {0, 0}};

    if (stat(path, &source) != 0 || stat(program, &built) != 0 || later(&source, &built))
        return 1;
    clock_gettime(CLOCK_REALTIME, &dates[1]);
    if (dates[1].tv_sec <= built.st_mtim.tv_sec) { /* the clock was moved back, or all is quick */
        dates[1].tv_sec = built.st_mtim.tv_sec + 1;
        dates[1].tv_nsec = 0;
        if (built.st_mtim.tv_sec > time(NULL))
            remove(program);
    }
    return utimensat(AT_FDCWD, path, dates, 0) == 0;
}

/* Configures anew if the solution has come after the build folder was configured: a handout's, released later. */
static void noticeSolution(const struct exercise_entry *e)
{
    char *path = textOf("%s/solutions.txt", buildFolder()), *known = readFileIfThere(path);
    char *line = textOf("%s\n", e->name);
    char *argv[] = {"cmake", (char *)buildFolder(), NULL};

    if (known != NULL && strstr(known, line) == NULL && runCmake(argv, 1) != 0)
        fail(EXIT_ERROR, "the build folder cannot be configured anew; remove it: rm -r '%s'",
             buildFolder());
    free(line);
    free(known);
    free(path);
}

/* The text of a source. Ends the program if it is none that could be compiled, which a compiler says in many words. */
static char *sourceText(const struct exercise_entry *e, const char *path, int isOwn)
{
    size_t length;
    char *text = readBytesIfThere(path, &length);

    if (text == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(ENOENT));
    if (strlen(text) < length)
        fail(EXIT_ERROR, "%s is no plain text, it has a byte 0: save it as UTF-8", path);
    if (isOwn && text[strspn(text, " \t\r\n")] == '\0')
        fail(EXIT_ERROR, "%s is empty; ./course reset %s brings back the template", path, e->brief);
    return text;
}

char *inputsBeforeBuild(const struct exercise_entry *e, const char *device, const char *kind)
{
    char *program = programPath(device, e->brief, kind), *record = recordOf(program);
    char *own = sourcePath(e, kind), *list = sourcesOf(e, kind);
    unsigned long long includes = 0;
    struct text fresh = {0};

    if (strcmp(kind, "solution") == 0) {
        mustHaveSolution(e);
        noticeSolution(e);
    }
    if (access(own, F_OK) != 0)
        fail(EXIT_ERROR, "cannot find %s; ./course reset %s brings it back", own, e->brief);
    for (char *path = strtok(list, "\n"); path != NULL; path = strtok(NULL, "\n")) {
        char *text = sourceText(e, path, strcmp(path, own) == 0);
        const unsigned long long hash = hashOf(text);

        if (record != NULL && recorded(record, path) != hash && !makeNewer(path, program))
            fail(EXIT_ERROR, "%s has changed, but its date cannot be: %s", path, strerror(errno));
        if (record == NULL && strcmp(path, own) == 0)
            makeNewer(path,
                      program); /* a program from elsewhere: only the file that is worked on */
        appendFormat(&fresh, "%016llx %s\n", hash, path);
        if (strcmp(path, own) == 0)
            includes = hashOfIncludes(text);
        free(text);
    }
    appendFormat(&fresh, "%016llx its #include lines\n%016llx the course\n", includes,
                 hashOfCourse());
    free(list);
    free(own);
    free(record);
    free(program);
    return fresh.data;
}

static int linesOf(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

enum change inputsChange(const struct exercise_entry *e, const char *device, const char *kind,
                         const char *sources)
{
    char *program = programPath(device, e->brief, kind), *record = recordOf(program);
    char *own = sourcePath(e, kind), *lines = textOf("%s", sources);
    enum change change = record != NULL ? NOTHING : ANYTHING;

    for (char *line = strtok(lines, "\n"); line != NULL && change != ANYTHING;
         line = strtok(NULL, "\n")) {
        const char *path = strchr(line, ' ') + 1;

        if (recorded(record, path) != strtoull(line, NULL, 16))
            change = strcmp(path, own) == 0 ? OWN_FILE : ANYTHING;
    }
    if (record != NULL && linesOf(record) != linesOf(sources) + 1) /* and the program's own */
        change = ANYTHING; /* a file was there that is gone */
    free(lines);
    free(own);
    free(record);
    free(program);
    return change;
}

void inputsAfterBuild(const struct exercise_entry *e, const char *device, const char *kind,
                      const char *sources)
{
    char *program = programPath(device, e->brief, kind), *record = recordOf(program);
    char *own = sourcePath(e, kind), *now = identity(program), *path = recordPath(program);
    char *fresh = textOf("%s\n%s", now, sources);

    if (record != NULL && recorded(record, own) != recorded(fresh, own))
        fail(EXIT_ERROR, "%s has changed, but the build has left %s as it was; remove %s", own,
             program, buildFolder());
    if (record == NULL || strcmp(record, fresh) != 0)
        replaceFile(path, fresh);
    free(fresh);
    free(path);
    free(now);
    free(own);
    free(record);
    free(program);
}

int inputsAreOf(const struct exercise_entry *e, const char *device, const char *kind,
                const char *text)
{
    char *program = programPath(device, e->brief, kind), *record = recordOf(program);
    char *own = sourcePath(e, kind);
    const int same = record == NULL || recorded(record, own) == hashOf(text);

    free(own);
    free(record);
    free(program);
    return same;
}
