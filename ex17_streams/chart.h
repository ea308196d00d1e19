/* The evaluation of a timeline: how much of it overlaps, and a picture. */
#ifndef CHART_H
#define CHART_H

#include "timeline.h"

/* The parts of the time, from 0 to 1, with each kind of work. */
struct overlap {
    double span;             /* from the first begin to the last end: seconds, or steps */
    double busy[ACTIVITIES]; /* at least one of this kind */
    double bothWays;         /* copies in both directions at once */
    int kernels;             /* most kernels at once */
};

/* Intervals that timelineTake() has got since the last chartForget(). */
size_t chartCount(void);
void chartForget(void);
struct overlap chartOverlap(void);
/* Draws the timeline in characters, as remarks under the present row: a line for each stream. */
void chartText(void);
/* Adds the timeline to the picture, under this title. */
void chartAdd(const char *title, int inSteps);
/* Writes the picture as SVG; nothing if file is NULL. */
void chartWrite(const char *file);

#endif
