/* Facts of the machine that a comparison of two results needs. */
#ifndef MACHINE_H
#define MACHINE_H

struct machine {
    char cpu[128];     /* "Intel(R) Xeon(R) Processor" */
    int sockets;       /* 0: unknown */
    int cores;         /* of the whole machine, a core with two threads counted once; 0: unknown */
    int threads;       /* that this program's parallel loops use */
    char host[128];    /* the machine's name */
    char compiler[64]; /* "gcc 12.2.0" */
    char date[32];     /* when the program started: "2026-01-31T23:59:59Z" */
    char run[32];      /* names this run of the program among all others */
};

/* Reads the facts at the first call. */
const struct machine *machine(void);
/* The commit of the sources, "-dirty" added if they were changed; "" outside a git repository.
 * Starts git, unless COURSE_COMMIT says it. */
const char *machineCommit(void);
/* Bytes of host memory that are available without swapping. */
double machineFreeBytes(void);

#endif
