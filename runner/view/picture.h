/* The parts of ./course picture that text and SVG share: the rows of signs and the words for a
 * place in a trace. */
#ifndef PICTURE_H
#define PICTURE_H

#include "trace.h"

/* Rows of one place that are drawn; the rest is counted. */
enum { MOST_ROWS = 8 };

/* A row's signs: the lane that asked for a word, SEVERAL, or NOBODY. */
#define LANE_SIGNS "0123456789abcdefghijklmnopqrstuv"
enum { SEVERAL = '*', NOBODY = '.' };

enum kind { SECTORS, PASSES, PATHS, NO_ROWS };

/* The rows of a place: sectors of memory side by side, passes over the banks, or the paths of a
 * branch. */
struct rows {
    enum kind kind;
    struct {
        long number; /* of the pass or path, or of the first sector */
        char sign[4 * SECTOR + 1];
    } row[MOST_ROWS];
    int count, left; /* left: sectors or passes that are not drawn */
    int units;       /* all sectors or passes */
    int cell, cells; /* the bytes of a sign, and the signs of a sector */
    char *used;      /* in words, how many bytes of the sectors were asked for */
};

/* across: sectors in a row, at most 4; 0: as many as the terminal has room for. */
struct rows rowsOf(const struct place_traced *p, int across);

/* The words beside a picture: the place, the amount. */
char *titleOf(const struct place_traced *p);
char *summaryOf(const struct place_traced *p);
/* The line of the source, without the blanks around it; "" if the file is not found in the
 * folder. */
char *sourceOf(const struct place_traced *p, const char *folder);

void drawText(const struct place_traced *const *places, int count, const char *folder);
/* The file must end in .svg; it is replaced as a whole. Ends the program if that is impossible. */
void drawSvg(const struct place_traced *const *places, int count, const char *folder,
             const char *path);

#endif
