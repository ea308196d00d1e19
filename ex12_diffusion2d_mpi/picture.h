/* The field as a picture. */
#ifndef PICTURE_H
#define PICTURE_H

#include "diffusion2d.h"

/* Writes the whole field (rows as in variant_fn, values 0 to 1) as a PPM file of at most 512 x 512
 * pixels, each the value of one point: rank 0 gathers and writes. All ranks of the slab's
 * communicator call it. Ends the program, exit status 2, if the file cannot be written. */
void pictureWrite(const char *file, const struct slab *slab, const float *field);

#endif
