/* What the compiler thinks of a student's file. */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "exercises.h"
#include "process.h"

/* The template compiled once more, with warnings; its members belong to warnings.c. */
struct warnings {
    struct job job;
    int started;
    char *argv[12], *source, *object;
};

/* Starts the compiler, unless the exercise has no kernels. */
void warningsStart(struct warnings *w, const struct exercise_entry *e);
/* Waits for it and shows the first warnings. For after a WRONG: what is suspicious is then worth a look. */
void warningsShow(struct warnings *w);
/* Ends it and frees what it holds. */
void warningsEnd(struct warnings *w);

#endif
