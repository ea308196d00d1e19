/* The parts of ./course picture that text and SVG share: the words and figures for a place in a
 * trace. */
#ifndef PICTURE_H
#define PICTURE_H

#include "trace.h"

/* Rows of sectors, passes or paths of one place that are drawn; the rest is counted. */
enum { MOST_ROWS = 8 };

/* The bytes of a request, sector by sector. */
struct touched {
    long sector[2 * WARP];        /* ascending */
    char owner[2 * WARP][SECTOR]; /* of each byte: the lane's sign, SEVERAL, or NOBODY */
    int sectors, used;            /* used: bytes that somebody asked for */
};

#define LANE_SIGNS "0123456789abcdefghijklmnopqrstuv"
enum { SEVERAL = '*', NOBODY = '.' };

struct touched touchedBy(const struct request_drawn *r, int bytes);
/* Bytes that one sign or box stands for, where a lane's access has `bytes`. */
int cellOf(int bytes);

/* The words beside a picture, in strings that the caller frees: the place, the amount, the
 * efficiency. */
char *titleOf(const struct place_traced *p);
char *summaryOf(const struct place_traced *p);
char *usedOf(const struct touched *t);
/* The enum trace_event of "load" and the like; -1 if there is none of this name. */
int eventNamed(const char *name);
/* The line of the source, without the blanks around it; "" if the file is not found in the
 * folder. */
char *sourceOf(const struct place_traced *p, const char *folder);

void drawText(const struct place_traced *const *places, int count, const char *folder);
/* The file must end in .svg; it is replaced as a whole. Ends the program if that is impossible. */
void drawSvg(const struct place_traced *const *places, int count, const char *folder,
             const char *path);

#endif
