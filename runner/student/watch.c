/* watch: checks a template each time it is saved. The files are read again and again, not only
 * their dates looked up: a network file system notices a change when a file is opened. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "process.h"
#include "check_record.h"
#include "terminal.h"
#include "text.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WATCHED = 64 };

static const struct timespec moment = {0, 200000000};

/* An exercise under watch, and the last contents of its files. */
struct watched {
    const struct exercise_entry *e;
    unsigned long long seen;
};

/* The text of a file; NULL if it cannot be read at present, which is no reason to end the watch. */
static char *textIfReadable(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || access(path, R_OK) != 0)
        return NULL;
    return readFileIfThere(path);
}

/* A hash of the files that the student can change in an exercise: the template and the headers
 * beside it. 0 while the template is missing: an editor may be about to replace it. */
static unsigned long long contentsOf(const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template"), *text = textIfReadable(path);
    char *pattern = formatString("%s/%s/*.[hc]*", workFolder(), e->name);
    unsigned long long hash = text != NULL ? hashOf(text) : 0;
    glob_t found;

    if (text != NULL && glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            char *other = textIfReadable(found.gl_pathv[i]);

            hash = hash * 31 + (other != NULL ? hashOf(other) : 0);
            free(other);
        }
        globfree(&found);
    }
    free(pattern);
    free(text);
    free(path);
    return hash;
}

/* Waits until the files stay as they are: an editor may write in several pieces. */
static unsigned long long settled(const struct exercise_entry *e)
{
    unsigned long long before, now = contentsOf(e);

    do {
        before = now;
        nanosleep(&moment, NULL);
        now = contentsOf(e);
    } while (now != before);
    return now;
}

/* Checks one exercise in a separate process, so that the end of the check does not end the
 * watch. */
static void checkNow(const struct exercise_entry *e, const char *self)
{
    char *argv[] = {(char *)self, "check", (char *)e->brief, NULL};
    const struct todo *next;
    time_t now = time(NULL);
    char clock[16];
    const char *verdict;
    int code;

    if (isatty(STDOUT_FILENO))
        printf("\033[H\033[2J");
    strftime(clock, sizeof clock, "%H:%M:%S", localtime(&now));
    printf("%s%s  %s%s\n", colour("\033[1m"), clock, e->name, colour("\033[0m"));
    code = runCommand(argv, 0);
    next = progressNext(e, &verdict);
    if (next != NULL && (code == EXIT_PASS || code == EXIT_UNFILLED)) { /* no mistake comes first */
        char *place = todoPlace(e, next);

        printf("Next: TODO %d%s at %s: %s\n", next->number, next->advanced ? " (advanced)" : "",
               place, next->task);
        free(place);
    }
    fflush(stdout);
}

/* The path of this program. */
static char *ownPath(void)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    return length > 0 ? formatString("%.*s", (int)length, path)
                      : formatString("%s/course", sharedBuild());
}

int commandWatch(int argc, char **argv)
{
    struct watched watched[WATCHED];
    size_t count = 0, all;
    const struct exercise_entry *list = exercises(&all);
    char *self = ownPath();

    if (setenv("COURSE_WATCH", "1", 1) != 0)
        fail(EXIT_ERROR, "out of memory");
    for (int i = 1; i < argc && count < WATCHED; i++) {
        if (argv[i][0] == '-')
            fail(EXIT_USAGE, "watch: '%s' is not understood; see ./course watch --help", argv[i]);
        watched[count++].e = exerciseNamed(argv[i]);
    }
    for (size_t i = 0; argc < 2 && i < all && count < WATCHED; i++)
        watched[count++].e = &list[i];
    if (count == 1) /* one is checked at once; of many, each that changes */
        checkNow(watched[0].e, self);
    else
        commandOverview();
    for (size_t i = 0; i < count; i++)
        watched[i].seen = contentsOf(watched[i].e);
    printf("Watching; Ctrl-C ends it.\n");
    fflush(stdout);
    for (;; nanosleep(&moment, NULL))
        for (size_t i = 0; i < count; i++) {
            const unsigned long long now = contentsOf(watched[i].e);

            if (now == 0 || now == watched[i].seen)
                continue;
            watched[i].seen = settled(watched[i].e);
            checkNow(watched[i].e, self);
        }
}
