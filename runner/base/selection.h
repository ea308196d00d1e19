/* Choosing and copying the files of the course, for handout and install. */
#ifndef SELECTION_H
#define SELECTION_H

#include "exercises.h"

/* The exercises on the command line; all if there is none. */
struct selection {
    const struct exercise_entry **list;
    size_t count;
};

struct selection selectionOf(int argc, char **argv);
/* The same, the lab without a template included. */
struct selection lessonsOf(int argc, char **argv);
/* 1 if the path begins with the folder. */
int isIn(const char *path, const char *folder);
/* 1 if the path, from the course's folder on, is of an exercise that is not selected. */
int isOfAnother(const char *path, const struct selection *s);
/* 1 if a student may have the file before the solutions are released. */
int isForStudents(const char *path, const struct selection *s);
/* Ends the program if a template is not as students should get it. */
void mustBeUnsolved(const struct selection *s);
/* The wanted files among those that git tracks and that exist, a line each. Ends the program if
 * this is no git checkout. */
char *trackedFiles(const struct selection *s,
                   int (*isWanted)(const char *path, const struct selection *s));
/* Copies these files of the course into a folder; they get the present date. */
void copyTracked(const char *files, const char *folder);
/* From here on, everybody can read the files that this program makes, whatever the umask. */
void madeForOthers(void);
/* Runs a shell command; ends the program if it fails. */
void mustRun(char *command);

#endif
