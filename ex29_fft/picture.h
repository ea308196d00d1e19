/* The use: an image with stripes, of which two points of the spectrum are the stripes. */
#ifndef PICTURE_H
#define PICTURE_H

#include "fft.h"

/* side * side points, row by row; the image is their real part. */
void drawScene(struct point *x, size_t side);
/* y = x transposed. */
void turnOver(const struct point *x, struct point *y, size_t side);
/* In the transposed spectrum: sets the stripes to 0, and prepares the transform back by the same
 * transform forward: that of the conjugate is the conjugate of the transform back. */
void removeStripes(struct point *spectrum, size_t side);
/* Three panels of `side` pixels: the scene, its spectrum, and what is left after the stripes. */
void drawPanels(const char *file, const float *panels, size_t side);
/* One of these panels, from 0 to 1: real parts times factor; or the spectrum, on a logarithmic
 * scale, with frequency 0 in the middle. */
void keepImage(const struct point *x, float *panel, size_t side, double factor);
void keepSpectrum(const struct point *x, float *panel, size_t side);

#endif
