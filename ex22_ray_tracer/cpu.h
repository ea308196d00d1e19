/* The pictures of the CPU, which are the reference. */
#ifndef CPU_H
#define CPU_H

#include "ray_tracer.h"
#include <stddef.h>

/* PRIMARY: rays end where they first hit something. FULL: with shadows and reflections.
 * ANTIALIASED: the same as the mean of four rays per pixel. */
enum picture { PRIMARY, FULL, ANTIALIASED };

/* Rays sent, and boxes and spheres tested for them. */
struct effort {
    double rays, tests;
};

/* Renders the view by all cores. tests, unless NULL, gets the number of boxes and spheres that were
 * tested for each pixel. */
struct effort renderByTree(const struct scene *scene, const struct view *view, enum picture picture,
                           int *image, int *tests);

#endif
