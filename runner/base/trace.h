/* The trace that CUDA_EMULATED_TRACE writes: the requests of block 0, grouped by the place in the
 * source that made them. */
#ifndef TRACE_H
#define TRACE_H

#include <stddef.h>

enum { WARP = 32, SECTOR = 32, BANKS = 32, MOST_PATHS = 8, MOST_WARPS = 32 };

enum trace_event { TRACE_LOAD, TRACE_STORE, TRACE_ATOMIC, TRACE_BRANCH, TRACE_BARRIER };
enum trace_space { TRACE_GLOBAL, TRACE_SHARED, TRACE_CONSTANT };
/* Their words in a trace. */
extern const char *const traceEvents[], *const traceSpaces[];
/* The enum trace_event of "load" and the like; -1 if there is none of this name. */
int eventNamed(const char *name);

/* One request of a warp, as far as a picture needs it. */
struct request_drawn {
    unsigned lanes;     /* those that take part, lane 0 lowest */
    long address[WARP]; /* bytes, of each lane that takes part; from a multiple of 128 */
    int units;          /* sectors, or passes over the banks, as the device has counted them */
    int warp;
};

/* All requests of one access, one branch or one barrier in the source. */
struct place_traced {
    char *kernel, *file,
        *object;      /* object: the pointer or variable, "" for branches and barriers */
    int line, column; /* column 0: all columns together */
    enum trace_event event;
    enum trace_space space;
    int bytes; /* of one lane's access */
    long requests;
    double units;    /* of all requests */
    int worst, best; /* most and fewest units of one request */
    /* the first request with the most lanes; of these the one with the most units */
    struct request_drawn shown;
    unsigned path[MOST_PATHS]; /* branch: the lanes of each path of the first warp that divides */
    int pathWarp, paths;
    unsigned warps; /* barrier: the warps that waited at its first release, warp 0 lowest */
};

struct trace {
    struct place_traced *place;
    size_t count;
};

/* Reads a trace; ends the program, with a line that says why, if that is none. */
struct trace traceRead(const char *path);

/* Lanes that take part. */
int lanesOf(unsigned lanes);
/* The lanes of part `part` of a shared request that is served at once: all 32 up to 4 bytes, half
 * of those that take part for 8 bytes, a quarter for 16. 0 when there is no such part. */
unsigned lanesServed(const struct request_drawn *r, int bytes, int part);
/* Which word each bank serves in each pass, for the lanes of one part: lane[pass][bank] is the
 * first lane that wants it, or -1. Returns the number of passes, at most WARP. */
int passesOver(const struct request_drawn *r, int bytes, unsigned lanes, int lane[WARP][BANKS]);

#endif
