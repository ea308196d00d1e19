/* Checks again the work that students have handed in, for rollup --verify.
 *
 * A student's program is run, so it runs as another user, with its own copy of the templates and a
 * build of its own, as if that user were a student of an installation (student_folder.h); or as
 * this one, if there is nothing to lose. */
#ifndef RECHECK_H
#define RECHECK_H

#include "roster.h"

/* Where and how long. */
struct recheck {
    const char *user;  /* "here": this one; otherwise a name, which only root may give */
    double limit;      /* s for each exercise */
    const char *place; /* the folder to do it in; NULL: that for temporary files */
    char *folder;      /* temporary, in there */
};

/* Checks again each PASS whose template is there and unchanged, and says beforehand how long that
 * will take. Ends the program if claims cannot be verified. */
void rosterVerify(struct roster *roster, struct recheck *r);

#endif
