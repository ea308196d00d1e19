/* Shows on the terminal what the program is doing. */
#include "progress.h"
#include "cuda_utils.h"
#include "ranks.h"
#include "start_gate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char what[256];
static Timer timer;
static double shown;
static int isShown;

static int isWatched(void)
{
    return rankNumber() == 0 && !gateIsClosed() && isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
}

/* With COURSE_TIMES in the environment: prints the seconds of the activity until now, or keeps them
 * until the program's turn. */
static void tellTime(void)
{
    static char kept[1024];
    const size_t length = strlen(kept);

    if (getenv("COURSE_TIMES") == NULL || rankNumber() != 0)
        return;
    if (what[0] != '\0')
        snprintf(kept + length, sizeof kept - length, "times: %7.3f s: %s\n", getTimer(&timer),
                 what);
    what[0] = '\0';
    if (gateIsClosed())
        return;
    fflush(stdout);
    fputs(kept, stderr);
    kept[0] = '\0';
}

void progressBegin(const char *doing, const char *name)
{
    tellTime();
    snprintf(what, sizeof what, "%s%s%s", doing, name[0] != '\0' ? ": " : "", name);
    initTimer(&timer);
    if (!isWatched())
        return;
    shown = 0.0;
    isShown = 1;
    fprintf(stderr, "\r\033[K  %s\r", what);
}

void progressSample(long done, long all)
{
    const double now = isShown ? getTimer(&timer) : 0.0;

    if (now < 2.0 || now < shown + 0.5)
        return;
    shown = now;
    fprintf(stderr, "\r\033[K  %s, %.0f s, run %ld of %ld\r", what, now, done, all);
}

void progressWipe(void)
{
    tellTime();
    if (isShown)
        fprintf(stderr, "\r\033[K");
    isShown = 0;
}
