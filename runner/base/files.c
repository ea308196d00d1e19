/* Reading and writing files, and where the course's own lie. */
#define _GNU_SOURCE /* mkostemps */
#include "files.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder that a variable names, otherwise the one that was built in. A relative name is made
 * absolute at once, since some programs start elsewhere. */
static const char *folder(const char *variable, const char *built)
{
    const char *value = getenv(variable);
    char *full;

    if (value == NULL || value[0] == '\0')
        return built;
    if (value[0] != '/' && (full = realpath(value, NULL)) != NULL) {
        setVariable(variable, full);
        return full;
    }
    return value;
}

const char *sourceFolder(void) { return folder("COURSE_SOURCE", COURSE_SOURCE_FOLDER); }

const char *buildFolder(void) { return folder("COURSE_BUILD", COURSE_BUILD_FOLDER); }

int isInstalled(void)
{
    const char *value = getenv("COURSE_INSTALLED");

    return value != NULL && value[0] != '\0';
}

const char *workFolder(void)
{
    return isInstalled() ? folder("COURSE_WORK", sourceFolder()) : sourceFolder();
}

const char *sharedBuild(void) { return folder("COURSE_INSTALLED", buildFolder()); }

/* NULL, and errno, if that fails. Opening a named pipe would wait until somebody writes into it. */
static FILE *openToRead(const char *path)
{
    const int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;

    if (opened >= 0 && fstat(opened, &status) == 0 && S_ISFIFO(status.st_mode))
        fail(EXIT_ERROR, "cannot read %s: it is a named pipe, not a file", path);
    return opened >= 0 ? fdopen(opened, "rb") : NULL;
}

char *readStream(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t size = 0, got;

    *length = 0;
    do {
        if (size - *length < 4096)
            text = mustAllocate(text, size = 2 * size + 8192);
        got = fread(text + *length, 1, size - *length - 1, file);
        *length += got;
    } while (got > 0);
    text[*length] = '\0';
    return text;
}

char *readBytesIfThere(const char *path, size_t *length)
{
    FILE *file = openToRead(path);
    char *text;

    *length = 0;
    if (file == NULL && (errno == ENOENT || errno == ENOTDIR))
        return NULL;
    if (file == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(errno));
    text = readStream(file, length);
    if (ferror(file))
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    return text;
}

char *readFileIfThere(const char *path)
{
    size_t length;

    return readBytesIfThere(path, &length);
}

char *readIfReadable(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0
               ? readFileIfThere(path)
               : NULL;
}

char *readFile(const char *path)
{
    char *text = readFileIfThere(path);

    if (text == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(ENOENT));
    return text;
}

void makeFolder(const char *path, mode_t mode, int mayExist)
{
    if (mkdir(path, mode) != 0 && !(mayExist && errno == EEXIST))
        fail(EXIT_ERROR, "cannot make the folder %s: %s", path, strerror(errno));
}

char *writableFolder(const char *path)
{
    char *full = realpath(path, NULL);

    if (full == NULL || access(full, W_OK) != 0)
        fail(EXIT_ERROR, "cannot write to %s: %s", path, strerror(errno));
    return full;
}

int hasSpace(const char *folder)
{
    char *path = formatString("%s/space-XXXXXX", folder);
    const int file = mkstemp(path);
    int error;

    if (file < 0) /* something else is wrong */
        return 1;
    error = posix_fallocate(file, 0, 16 << 20);
    close(file);
    remove(path);
    return error != ENOSPC && error != EDQUOT && error != EFBIG;
}

void replaceFile(const char *path, const char *text)
{
    char *target = realpath(path, NULL); /* the file that a link leads to */
    const char *name = target != NULL ? target : path;
    char *temporary = formatString("%s.XXXXXX.new", name);
    const mode_t mask = umask(0);
    struct stat there;
    FILE *file;
    int opened, failed;

    umask(mask);
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) /* root would replace a device, too */
        fail(EXIT_ERROR, "cannot write %s: it is not a file", path);
    opened = mkostemps(temporary, (int)strlen(".new"), O_CLOEXEC);
    file = opened >= 0 ? fdopen(opened, "wb") : NULL;
    if (file == NULL)
        fail(EXIT_ERROR, "cannot write %s: %s", path, strerror(errno));
    failed = fputs(text, file) == EOF || fchmod(opened, 0666 & ~mask) != 0;
    failed |= fclose(file) != 0;
    if (failed || rename(temporary, name) != 0) {
        const int error = errno;

        remove(temporary);
        fail(EXIT_ERROR, "cannot write %s: %s", path, strerror(error));
    }
}

int lockInBuild(const char *name, const char *what)
{
    char *path = formatString("%s/%s", buildFolder(), name);
    const int lock = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (lock >= 0 && what != NULL && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        fprintf(stderr, "course: waiting for another %s in %s\n", what, buildFolder());
    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return lock;
}

char *putAside(const char *path)
{
    time_t now = time(NULL);
    char *saved, stamp[32];

    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime(&now));
    saved = formatString("%s.%s", path, stamp);
    for (int i = 1; exists(saved); i++)
        saved = formatString("%s.%s-%d", path, stamp, i);
    if (rename(path, saved) != 0)
        fail(EXIT_ERROR, "cannot put %s aside: %s", path, strerror(errno));
    return saved;
}

int exists(const char *path) { return access(path, F_OK) == 0; }

glob_t matching(const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) != 0)
        found = (glob_t){0};
    return found;
}

void removeMatching(const char *pattern)
{
    const glob_t found = matching(pattern);

    for (size_t i = 0; i < found.gl_pathc; i++)
        remove(found.gl_pathv[i]);
}

void removeFiles(const char *path)
{
    remove(path);
    removeMatching(formatString("%s.*", path));
}

int isEarlier(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}
