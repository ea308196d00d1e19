/* The work per second that a speed-up compares. */
#ifndef WORK_RATE_H
#define WORK_RATE_H

/* Work per second of a run: bytes or, without these, floating-point operations or, without these,
 * runs. Compare values of the same problem only. 0 if there is no time. */
static inline double workRate(double bytes, double flops, double seconds)
{
    const double work = bytes > 0.0 ? bytes : flops > 0.0 ? flops : 1.0;

    return seconds > 0.0 ? work / seconds : 0.0;
}

#endif
