#include "times.h"
#include "process.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void timesNote(const char *format, ...)
{
    static double begun, last;
    const double now = clockSeconds();
    va_list arguments;

    if (getenv("COURSE_TIMES") == NULL)
        return;
    if (begun == 0.0)
        begun = last = now;
    fflush(stdout);
    fprintf(stderr, "times: %7.3f s, %7.3f s in all: ", now - last, now - begun);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    last = now;
}
