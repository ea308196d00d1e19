/* How a program ends for another reason than its verdict. */
#include "fail.h"
#include "harness.h"
#include "ranks.h"
#include "measure.h"
#include "start_gate.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *name = "course";
static int together = 1, isFailing;

void failName(const char *program) { name = program; }

void failTogether(int all) { together = all; }

int hasFailed(void) { return isFailing; }

/* Prints why the program ends: when its turn has come, or never if it does not come. */
static void say(enum exit_code code, const char *format, va_list arguments)
{
    if (!gateOpens())
        _exit(code);
    fflush(stdout);
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void courseFail(enum exit_code code, const char *format, ...)
{
    va_list arguments;

    isFailing = 1;
    if (!together || rankNumber() == 0) {
        va_start(arguments, format);
        say(code, format, arguments);
        va_end(arguments);
    }
    if (together)
        rankFinish(); /* otherwise the first rank that ends would cut off the others' messages */
    exit(code);
}

void courseFailAlike(enum exit_code code, const char *format, ...)
{
    va_list arguments;

    isFailing = 1;
    if (rankNumber() == 0) {
        va_start(arguments, format);
        say(code, format, arguments);
        va_end(arguments);
    }
    rankFinish();
    exit(code);
}

void *mustAllocate(size_t bytes, const char *what)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);

    if (memory == NULL)
        courseFail(EXIT_ERROR, "no memory for %s (%.3g MB); try a smaller --size", what,
                   (double)bytes * 1e-6);
    return memory;
}
