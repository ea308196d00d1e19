/* Loaded before the C library (LD_PRELOAD): a clock that goes on by a microsecond each time it is
 * read, and by what a program sleeps, which returns at once. So times are what the program makes
 * them, however busy the machine is. */
#define _GNU_SOURCE
#include <time.h>

static long long nanoseconds;

int clock_gettime(clockid_t clock, struct timespec *now)
{
    (void)clock;
    nanoseconds += 1000;
    now->tv_sec = (time_t)(nanoseconds / 1000000000);
    now->tv_nsec = (long)(nanoseconds % 1000000000);
    return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)left;
    nanoseconds += wanted->tv_sec * 1000000000LL + wanted->tv_nsec;
    return 0;
}
