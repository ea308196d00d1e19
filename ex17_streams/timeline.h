/* The timeline of one run: the beginning and the end of each copy and each kernel, by the events
 * around it. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <stddef.h>

enum activity { COPY_IN, KERNEL, COPY_OUT, ACTIVITIES };

struct interval {
    enum activity activity;
    int stream;        /* number of its stream, from 0, in the order of their first use */
    double begin, end; /* seconds since the first event; on the emulated device steps */
};

#ifdef __cplusplus
extern "C" {
#endif
/* Takes the intervals of a run, in the order of their submission; copies them. */
void timelineTake(const struct interval *intervals, size_t count);
#ifdef __cplusplus
}
#endif

#endif
