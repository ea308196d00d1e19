/* The plan of a bench, step by step, and its progress, so that an interrupted bench can go on. */
#ifndef PLAN_H
#define PLAN_H

#include "exercises.h"
#include <stddef.h>

/* One results file and the runs that fill it. */
struct piece {
    char *name;                     /* "ex03_sweep": the file is NAME.csv */
    const struct exercise_entry *e; /* NULL: ./course device --measure */
    double seconds;                 /* on an H200, for the time left; 0: unknown */
    char **options;                 /* one line of options for each run */
    size_t runs;
    int code; /* how it ended; -1: not yet */
};

struct plan {
    struct piece *pieces;
    size_t count;
    const char *folder; /* where the files lie */
    size_t resumed;     /* pieces that were done before an interruption */
    double started;     /* when the pieces of this session began, by clockSeconds() */
};

/* One piece for each of the exercises, without options. */
struct plan planOf(const struct exercise_entry *const *chosen, size_t count, const char *folder);
/* The pieces of solutions/recordings.txt that belong to these exercises; device: and those of the
 * device. emulated: only pieces that are short on the emulated device: each exercise and its
 * sweeps, at the default sizes there. */
struct plan planRecorded(const struct exercise_entry *const *chosen, size_t count, int device,
                         int emulated, const char *folder);
/* The path of a piece's results file. */
char *pieceFile(const struct plan *plan, const struct piece *piece);
/* Seconds that are left, judging by the pieces of this session; 0: unknown. */
double planLeft(const struct plan *plan);
/* The expected seconds of a piece here, likewise. */
double planExpects(const struct plan *plan, const struct piece *piece);
/* 1 if the piece is not an exercise's table ("ex03"), but one of its sweeps and variations
 * ("ex03_sweep"). */
int pieceIsSweep(const struct piece *piece);

/* Notes in the build folder that the bench with these words has begun, and which pieces are
 * done. */
void planSave(const struct plan *plan, int argc, char **argv);
/* The words of the bench that was interrupted; *argc becomes their number. Ends the program if
 * there is none. */
char **planInterrupted(int *argc);
/* Marks the pieces that were done before the interruption. */
void planResume(struct plan *plan);
/* The bench has come to its end. */
void planDone(void);

#endif
