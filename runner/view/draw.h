/* The few shapes that the course's pictures are made of, written as SVG: those of the lessons, and
 * those of ./course picture. One picture is open at a time. Colours are classes, so that each
 * picture suits a light and a dark page. Lengths are in pixels. */
#ifndef DRAW_H
#define DRAW_H

#include <stdio.h>

/* Begins a picture in a file that is open for writing. A screen reader reads the title and the
 * description. */
void beginDrawing(FILE *file, int width, int height, const char *title, const char *description);
/* Ends it. The caller closes the file and checks for write errors. */
void endDrawing(void);

/* A rectangle. Classes: a, b, c (three colours), none (empty), waste (hatched), frame (a border
 * only). */
void box(int x, int y, int width, int height, const char *kind);

/* Text with its baseline at y. Classes: t (plain), m (monospaced), s (small), h (heading); also mid
 * or end for its alignment at x, and dim for less important text. */
__attribute__((format(printf, 4, 5))) void label(int x, int y, const char *kind, const char *format,
                                                 ...);

/* Lines: l (plain), dash, strong. */
void line(int x1, int y1, int x2, int y2, const char *kind);
void arrow(int x1, int y1, int x2, int y2);

#endif
