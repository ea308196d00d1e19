/* The traits of a variant are a field of its row: nothing is ever judged by its name. */
#ifndef TRAITS_H
#define TRAITS_H

enum variant_trait {
    WRONG_ON_PURPOSE = 1, /* its result shows a mistake: shown, not judged */
    PART_OF_SIZE = 2,     /* too slow for the whole size: main.c gives it the first part only */
    ASKS_FOR_MORE = 4,    /* requests many times the bytes that must move: that is its lesson */
    MAY_SKIP = 8,         /* rowSkip() is legal: not every device or machine can run it */
    NOT_EMULATED = 256,   /* with MAY_SKIP: the emulated device need not run it at its usual size */
    SAVES_TRAFFIC = 16,   /* moves fewer bytes than its rate counts: may beat the limit */
    OTHER_WORK = 32,      /* not the work of the CPU's rows: no speed-up is stated */
    NO_KERNEL = 64,       /* its work is copies: no kernel need run in MEASURE */
    SENDS_INSIDE = 128,   /* copies from the host in MEASURE, too: that is its lesson */
    /* this bit and those above it are the exercise's own, named in its header */
    EXERCISE_TRAIT = 512
};

#endif
