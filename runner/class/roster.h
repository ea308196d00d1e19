/* The students of a class and their records, from progress.txt (check_record.h).
 *
 * A student can forge this file: lines that cannot be true are reported, the others are claims. */
#ifndef ROSTER_H
#define ROSTER_H

#include "exercises.h"

/* A student's record of one exercise. */
struct claim {
    char verdict[24]; /* "PASS", "WRONG", "UNFILLED", "error", "SKIPPED"; "" if there is none */
    int advanced, advancedOf;
    char date[32], hash[32];
    /* The hash of the work for a PASS or WRONG: of the template without its blanks or, if that is
     * missing, `hash`; 0 if the template is unchanged. */
    unsigned long long fingerprint;
    char *doubt;  /* why it cannot be true and does not count; NULL if it may be true */
    char *flag;   /* the reason to look at the template; NULL if there is none */
    int verified; /* 1: it passed when it was checked again */
};

struct student {
    char *name;
    char *folder;         /* the checkout; NULL if only the file is there */
    struct claim *claims; /* one for each exercise */
    const char *problem;  /* why there is nothing to read; NULL if there is */
};

struct roster {
    struct student *students;
    size_t count;
    char *verified; /* the result of checking again, in words; NULL if nothing was checked */
};

/* Reads the students' folders, or their progress.txt. Reports on stderr records that cannot be
 * read, cannot be true, or are worth a look. anonymous: students are called "student 1" and so on,
 * in an arbitrary order. */
struct roster rosterRead(char **paths, size_t count, int anonymous);
void rosterFree(struct roster *roster);

/* The text of a student's template; NULL if it is not there. The caller frees it. */
char *rosterTemplate(const struct student *s, const struct exercise_entry *e);
/* Notes and reports why a claim is not true; the claim owns `why` from here on. */
void rosterDoubt(const struct student *s, const struct exercise_entry *e, char *why);

/* One sign for a claim, and what the signs mean. */
extern const char claimSigns[];
char claimSign(const struct claim *c);
/* The students with one of these signs in their claim of exercise i. */
size_t rosterSigns(const struct roster *roster, size_t i, const char *signs);
/* How many of the exercises a student has passed. */
size_t studentPassed(const struct student *s);
/* The date of the student's last check; "" if there is none. */
const char *studentLast(const struct student *s);

#endif
