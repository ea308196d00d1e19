/* Checks again the work that a student has handed in, for rollup --verify.
 *
 * The student's program is run, so it runs as another user, with its own copy of the templates and
 * a build of its own, as if that user were a student of an installation (student_folder.h); or as
 * this one, if there is nothing to lose. */
#ifndef RECHECK_H
#define RECHECK_H

#include "exercises.h"

/* Where and how long. */
struct recheck {
    const char *user;  /* "here": this one; otherwise a name, which only root may give */
    double limit;      /* s for each exercise */
    const char *place; /* the folder to do it in; NULL: that for temporary files */
    char *folder;      /* temporary, in there; recheckOpen() and recheckClose() see to it */
};

/* Checks that the claims can be verified, says how long this many claims of this many students
 * will take, and builds the objects that their programs are linked with. Ends the program if
 * this fails. */
void recheckOpen(struct recheck *r, const struct exercise_entry *const *wanted, size_t count,
                 size_t students, size_t claims);
/* Prepares for a student: texts[i] is the template of wanted[i]. Ends the program if that fails. */
void recheckStudent(const struct recheck *r, const struct exercise_entry *const *wanted,
                    char *const *texts, size_t count);
/* Checks one exercise of the student. Returns NULL if it passes, otherwise its verdict in a string
 * that the caller frees. */
char *recheckExercise(const struct recheck *r, const struct exercise_entry *e);
/* Removes the temporary folder. */
void recheckClose(struct recheck *r);

#endif
