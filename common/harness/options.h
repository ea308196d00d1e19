/* The command line, read once. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "harness.h"

struct settings {
    const char *program; /* "ex03_solution" */
    size_t size;         /* with sizeGiven */
    int sizeGiven;
    unsigned long seed;
    int repeat; /* timed samples; 0: as the device suits */
    int block;  /* 0: each variant's own choice */
    size_t grid;
    int ordinal; /* which GPU */
    int only;    /* the places, 1 << ON_CPU and so on; -1: all */
    int list, quick;
    unsigned special; /* enum special; 0 without --special */
    int isArranged;   /* 1: --block, --grid or another option may distribute the work differently */
    int isUsual;      /* 1: no option or variable changes the problem or the device */
    int count, half;  /* each body runs once, for its counters; at half the usual size */
    const char *advanced; /* "5,6": TODOs that may stay unfilled; NULL: none */
    char given[384];      /* the options of rows that are not as usual: " seed=2  type=double " */
    const char *variant, *csv, *verdict, *cache; /* NULL: not given */
};

extern const struct settings *const settings;

/* 1 in ./course check on a GPU, which leaves out the CPU: the user is waiting for the verdict, so a
 * few samples and smaller copies are enough. */
int isWaitedFor(void);

/* Reads the command line. Ends the program on --help or a bad option. */
void optionsRead(const struct exercise *exercise, int argc, char **argv);
/* The values of the exercise's own options, as text: " steps=16  alpha=0.25 ". */
void optionsText(const struct exercise *exercise, char *text, size_t size);

#endif
