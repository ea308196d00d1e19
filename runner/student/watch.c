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
#include <time.h>
#include <unistd.h>

enum { WATCHED = 64 };

static const struct timespec moment = {0, 200000000};

/* An exercise under watch, and the last contents of its files. */
struct watched {
    const struct exercise_entry *e;
    const char *template, *headers; /* its path, and a pattern of those beside it */
    unsigned long long seen;
};

/* The hash of a file; 0 if it cannot be read at present, which is no reason to end the watch. */
static unsigned long long hashOfFile(const char *path)
{
    char *text = readIfReadable(path);
    const unsigned long long hash = text != NULL ? hashOf(text) : 0;

    free(text);
    return hash;
}

/* A hash of the files that the student can change in an exercise: the template and the headers
 * beside it. 0 while the template is missing: an editor may be about to replace it. */
static unsigned long long contentsOf(const struct watched *w)
{
    unsigned long long hash = hashOfFile(w->template);
    glob_t found = matching(w->headers);

    for (size_t i = 0; hash != 0 && i < found.gl_pathc; i++)
        hash = hash * 31 + hashOfFile(found.gl_pathv[i]);
    globfree(&found);
    return hash;
}

static struct watched watchOf(const struct exercise_entry *e)
{
    return (struct watched){e, sourcePath(e, "template"),
                            formatString("%s/%s/*.[hc]*", workFolder(), e->name), 0};
}

/* Waits until the files stay as they are: an editor may write in several pieces. */
static unsigned long long settled(const struct watched *w)
{
    unsigned long long before, now = contentsOf(w);

    do {
        before = now;
        nanosleep(&moment, NULL);
        now = contentsOf(w);
    } while (now != before);
    return now;
}

/* Checks one exercise in a separate process, so that the end of the check does not end the
 * watch. */
static void checkNow(const struct watched *w)
{
    const struct exercise_entry *e = w->e;
    char *argv[] = {"/proc/self/exe", "check", (char *)e->brief, NULL};
    const struct todo *next = NULL;
    time_t now = time(NULL);
    char clock[16];
    const char *verdict;
    int code;

    if (isatty(STDOUT_FILENO))
        printf("\033[H\033[2J");
    strftime(clock, sizeof clock, "%H:%M:%S", localtime(&now));
    printf("%s%s  %s%s\n", colour("\033[1m"), clock, e->name, colour("\033[0m"));
    code = runCommand(argv, 0);
    if (contentsOf(w) != 0)
        next = recordsNext(e, &verdict);
    if (next != NULL && (code == EXIT_PASS || code == EXIT_UNFILLED)) { /* no mistake comes first */
        printf("Next: TODO %d%s at %s: %s\n", next->number, next->advanced ? " (advanced)" : "",
               todoPlace(e, next), next->task);
    }
    fflush(stdout);
}

int commandWatch(int argc, char **argv)
{
    struct watched watched[WATCHED];
    size_t count = 0;

    setVariable("COURSE_WATCH", "1");
    for (int i = 1; i < argc && count < WATCHED; i++) {
        if (argv[i][0] == '-')
            notUnderstood("watch", argv[i]);
        watched[count++] = watchOf(exerciseNamed(argv[i]));
    }
    for (const struct exercise_entry *e = exercises();
         argc < 2 && e->name[0] != '\0' && count < WATCHED; e++)
        watched[count++] = watchOf(e);
    if (count == 1) /* one is checked at once; of many, each that changes */
        checkNow(&watched[0]);
    else
        commandOverview();
    for (size_t i = 0; i < count; i++)
        watched[i].seen = contentsOf(&watched[i]);
    printf("Watching; Ctrl-C ends it.\n");
    fflush(stdout);
    for (;; nanosleep(&moment, NULL))
        for (size_t i = 0; i < count; i++) {
            const unsigned long long now = contentsOf(&watched[i]);

            if (now == 0 || now == watched[i].seen)
                continue;
            watched[i].seen = settled(&watched[i]);
            checkNow(&watched[i]);
        }
}
