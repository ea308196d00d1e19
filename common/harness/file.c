/* Files that take their name only once they are complete. */
#include "fail.h"
#include "harness.h"
#include "file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void randomName(char *name, size_t size)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
    static unsigned calls;
    unsigned char bits[32];
    FILE *random = fopen("/dev/urandom", "r");
    size_t got = random != NULL ? fread(bits, 1, sizeof bits, random) : 0;

    if (random != NULL)
        fclose(random);
    if (got < sizeof bits) { /* no such device: different, if not unforeseeable */
        struct timespec now = {0, 0};
        unsigned long long seed;

        clock_gettime(CLOCK_REALTIME, &now);
        seed = (unsigned long long)now.tv_nsec * 1000003u + (unsigned long long)now.tv_sec +
               ((unsigned long long)getpid() << 32) + ++calls;
        for (size_t i = 0; i < sizeof bits; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bits[i] = (unsigned char)(seed >> 56);
        }
    }
    for (size_t i = 0; i + 1 < size; i++)
        name[i] = digits[bits[i % sizeof bits] % 32];
    name[size - 1] = '\0';
}

struct new_file newFile(const char *target)
{
    char name[17];
    struct new_file file = {NULL, strdup(target), malloc(strlen(target) + 32)};
    int descriptor = -1;

    if (file.target == NULL || file.partial == NULL)
        courseFail(EXIT_ERROR, "no memory for a file's name");
    for (int i = 0; i < 100 && descriptor < 0; i++) {
        randomName(name, sizeof name);
        sprintf(file.partial, "%s.partial-%s", target, name);
        descriptor = open(file.partial, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    if (descriptor < 0 || (file.stream = fdopen(descriptor, "w")) == NULL)
        courseFail(EXIT_ERROR, "cannot write %s: %s", file.partial, strerror(errno));
    return file;
}

static void forget(struct new_file *file)
{
    free(file->target);
    free(file->partial);
    memset(file, 0, sizeof *file);
}

const char *newFileKeep(struct new_file *file)
{
    int error = 0;

    errno = 0;
    if (fflush(file->stream) != 0 || ferror(file->stream))
        error = errno != 0 ? errno : EIO;
    if (fclose(file->stream) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(file->partial, file->target) != 0)
        error = errno;
    if (error != 0)
        unlink(file->partial);
    forget(file);
    return error != 0 ? strerror(error) : NULL;
}

void newFileMustKeep(struct new_file *file, const char *name)
{
    const char *wrong = newFileKeep(file);

    if (wrong != NULL)
        courseFail(EXIT_ERROR, "cannot write %s: %s", name, wrong);
}

void newFileDrop(struct new_file *file)
{
    fclose(file->stream);
    unlink(file->partial);
    forget(file);
}
