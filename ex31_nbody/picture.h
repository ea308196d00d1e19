/* A picture of the galaxies over time. */
#ifndef PICTURE_H
#define PICTURE_H

#include "nbody.h"

/* Draws the bodies, seen from above the plane of x and y, into panel number `panel` of `panels`,
 * three in a row. The first call makes the picture. */
void drawPanel(int panel, int panels, const struct body *at, size_t n, int isOfGalaxies);
/* Writes the picture into the .png file of that name. */
void writePanels(const char *name);

#endif
