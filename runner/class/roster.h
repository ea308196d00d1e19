/* The students of a class and their records, from progress.txt (check_record.h).
 *
 * A student can forge this file: lines that cannot be true are reported, the others are claims. */
#ifndef ROSTER_H
#define ROSTER_H

#include "exercises.h"

/* A student's record of one exercise. */
struct claim {
    const struct exercise_entry *exercise; /* NULL behind the last one */
    /* "PASS", "WRONG", "UNFILLED", "error", "SKIPPED"; "" if there is none */
    char verdict[24];
    int advanced, advancedOf;
    char date[32], hash[32];
    const char *template; /* the student's; NULL if it is not there */
    /* The hash of the work for a PASS or WRONG: of the template without its blanks or, if that is
     * missing, `hash`; 0 if the template is unchanged. */
    unsigned long long fingerprint;
    const char *doubt; /* why it cannot be true and does not count; NULL if it may be true */
    const char *flag;  /* the reason to look at the template; NULL if there is none */
    int again;         /* 1: it is checked again (recheck.h) */
    int verified;      /* 1: and it passed */
};

struct student {
    char *name;
    const char *folder;   /* the checkout; NULL if only the file is there */
    struct claim *claims; /* one for each exercise */
    size_t again;         /* claims that are checked again */
    const char *problem;  /* why there is nothing to read; NULL if there is */
};

struct roster {
    struct student *students;
    size_t count, exercises;
    const char *verified; /* the result of checking again, in words; NULL if nothing was checked */
};

/* Reads the students' folders, or their progress.txt. Reports on stderr records that cannot be
 * read, cannot be true, or are worth a look. anonymous: students are called "student 1" and so on,
 * in an arbitrary order. */
struct roster rosterRead(char **paths, size_t count, int anonymous);

/* Notes and reports why a claim is not true. */
void claimDoubt(const struct student *s, struct claim *c, const char *why);
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
