/* The scenes: which bodies there are, and how they move at the beginning. */
#ifndef SCENE_H
#define SCENE_H

#include "nbody.h"

/* A round cluster of stars in equilibrium (Plummer's model), of mass 1 and radius 1. The masses
 * differ by up to a factor of 3. */
void placeCluster(struct body *at, struct body *velocity, size_t n);

/* Two disks of stars, each in a halo of dark bodies, on orbits that pass each other. Of every four
 * bodies the first is dark; of every eight the first four belong to the first galaxy. */
void placeGalaxies(struct body *at, struct body *velocity, size_t n);
static inline int isDark(size_t i) { return i % 4 == 0; }
static inline int isOfSecond(size_t i) { return i / 4 % 2 == 1; }

#endif
