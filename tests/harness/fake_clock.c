/* Loaded before the C library (LD_PRELOAD): a clock that advances by a microsecond at each reading,
 * and by the time of each sleep, which returns at once. So times depend only on the program,
 * however busy the machine is. */
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
