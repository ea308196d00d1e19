/* The references of main.c. */
#ifndef CPU_H
#define CPU_H

#include "textures.h"

/* Each fills in all of y. */
void sumsExactly(const struct work *work, float *y);
void nearestExactly(const struct work *work, float *y);
void linearExactly(const struct work *work, float *y); /* in double, rounded once */
void linearEightBits(const struct work *work,
                     float *y); /* in integers: nothing is rounded but the weights */

#endif
