/* Reading and writing files, and where the course's own lie. */
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
    char *full =
        value != NULL && value[0] != '\0' && value[0] != '/' ? realpath(value, NULL) : NULL;

    if (full != NULL && setenv(variable, full, 1) != 0)
        fail(EXIT_ERROR, "out of memory");
    if (full != NULL)
        value = getenv(variable);
    free(full);
    return value != NULL && value[0] != '\0' ? value : built;
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

char *readBytesIfThere(const char *path, size_t *length)
{
    FILE *file = openToRead(path);
    char *text = NULL;
    size_t size = 0, got;

    *length = 0;
    if (file == NULL && (errno == ENOENT || errno == ENOTDIR))
        return NULL;
    if (file == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(errno));
    do {
        if (size - *length < 4096)
            text = mustAllocate(text, size = 2 * size + 8192);
        got = fread(text + *length, 1, size - *length - 1, file);
        *length += got;
    } while (got > 0);
    if (ferror(file))
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(errno));
    fclose(file);
    text[*length] = '\0';
    return text;
}

char *readFileIfThere(const char *path)
{
    size_t length;

    return readBytesIfThere(path, &length);
}

char *readFile(const char *path)
{
    char *text = readFileIfThere(path);

    if (text == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(ENOENT));
    return text;
}

/* Opens a fresh file beside `path`, under an unpredictable name, which the caller frees. Ends the
 * program if it cannot. */
static FILE *openTemporary(const char *path, char **name)
{
    struct timespec now;
    FILE *file;
    int opened = -1;

    for (int i = 0; opened < 0 && i < 100; i++) {
        clock_gettime(CLOCK_REALTIME, &now);
        *name = formatString("%s.%ld-%09ld%d.new", path, (long)getpid(), now.tv_nsec, i);
        opened = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (opened < 0 && errno != EEXIST)
            fail(EXIT_ERROR, "cannot write %s: %s", path, strerror(errno));
        if (opened < 0)
            free(*name);
    }
    file = opened >= 0 ? fdopen(opened, "wb") : NULL;
    if (file == NULL)
        fail(EXIT_ERROR, "cannot write beside %s: %s", path, strerror(errno));
    return file;
}

int hasSpace(const char *folder)
{
    static char block[1 << 16];
    char *path = formatString("%s/space-%ld", folder, (long)getpid());
    FILE *file = fopen(path, "wbx");
    size_t blocks = 0;

    if (file != NULL) {
        while (blocks < 256 && fwrite(block, sizeof block, 1, file) == 1)
            blocks++;
        if (fclose(file) != 0)
            blocks = 0;
        remove(path);
    }
    free(path);
    return file == NULL || blocks == 256; /* if no file can be made, something else is wrong */
}

void replaceFile(const char *path, const char *text)
{
    char *target = realpath(path, NULL), *temporary;
    const char *name = target != NULL ? target : path; /* the file that a link leads to */
    FILE *file = openTemporary(name, &temporary);
    int failed = fputs(text, file) == EOF;

    failed |= fclose(file) != 0;
    if (failed || rename(temporary, name) != 0) {
        const int error = errno;

        remove(temporary);
        fail(EXIT_ERROR, "cannot write %s: %s", path, strerror(error));
    }
    free(temporary);
    free(target);
}

int lockInBuild(const char *name, const char *what)
{
    char *path = formatString("%s/%s", buildFolder(), name);
    const int lock = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (lock >= 0 && what != NULL && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        fprintf(stderr, "course: waiting for another %s in %s\n", what, buildFolder());
    while (lock >= 0 && flock(lock, LOCK_EX) != 0 && errno == EINTR)
        continue;
    free(path);
    return lock;
}

char *putAside(const char *path)
{
    char *saved = NULL, stamp[32];
    time_t now = time(NULL);

    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime(&now));
    for (int i = 0; saved == NULL || access(saved, F_OK) == 0; i++) {
        free(saved);
        saved =
            i == 0 ? formatString("%s.%s", path, stamp) : formatString("%s.%s-%d", path, stamp, i);
    }
    if (rename(path, saved) != 0)
        fail(EXIT_ERROR, "cannot put %s aside: %s", path, strerror(errno));
    return saved;
}

void removeMatching(const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            remove(found.gl_pathv[i]);
        globfree(&found);
    }
}

void removeFiles(const char *path)
{
    char *pattern = formatString("%s.*", path);

    remove(path);
    removeMatching(pattern);
    free(pattern);
}

int isEarlier(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}
