/* Results against recorded ones: of the same device, or of the nearest that was recorded. */
#ifndef COMPARE_H
#define COMPARE_H

#include "table_columns.h"
#include "results.h"

/* Recorded results to compare with. */
struct reference {
    struct results rows;
    const char *title; /* "NVIDIA H200 (solutions/timings/h200)", and what sets it apart */
    int sameDevice;    /* 1: the recorded times can be compared as well, not the fractions alone */
};

/* A row and its recorded counterpart. */
struct difference {
    const struct result *here, *recorded;
    int byTime;      /* 1: of times, since there is no fraction */
    double relative; /* 0.1: 10 % faster than recorded */
    int slow;        /* 1: so much slower that there must be a reason */
    int brief; /* 1: mostly its launch, which depends on the host and its driver: never slow */
};

/* The columns of a comparison. */
enum { COMPARE_HEADS = 3 };
extern const struct table_head compareHeads[COMPARE_HEADS];

/* A row that is slower by more than this is named. */
extern const double compareTolerance;
/* The seconds for each launch below which a row is brief. In two runs on H200s, whose launches took
 * 3.5 and 4.7 us, 4 of 10 rows below 20 us differed by more than 5 %, and 1 of 25 above. */
extern const double compareBrief;

/* Ends the program unless `which` names results: a file, a folder, or a folder of
 * solutions/timings. NULL stands for the nearest. */
void compareMustFind(const char *which);
/* Reads the reference. Returns NULL, or why there is none. */
const char *referenceRead(struct reference *reference, const char *which,
                          const struct results *here);
/* All rows of the device that have a recorded counterpart. */
struct difference *compareRows(const struct results *here, const struct reference *reference,
                               size_t *count);
/* 1 if a row is named: it is not brief, and differs by more than compareTolerance. */
int compareDiffers(const struct difference *d);
/* The compared value as text: "0.98" or "12.3 us". */
char *compareValue(const struct result *row, int byTime);

/* 1 if a row that was read from this file is slow. */
int compareFindsSlow(const char *which, const struct results *here, const char *file);
/* Prints the comparison. Returns EXIT_WRONG if a row is much slower than recorded, EXIT_ERROR if
 * there is nothing to compare with. */
int compareWith(const char *which, const struct results *here);

#endif
