/* The scene: its spheres, the tree over them, and the camera. */
#ifndef SCENE_H
#define SCENE_H

#include "ray_tracer.h"

/* Nodes that a tree over n spheres may have. */
int mostNodes(int n);

/* Puts n spheres, from --seed, into spheres[]. */
void placeSpheres(struct sphere *spheres, int n);

/* Builds the tree over the n spheres, whose order it changes, into nodes[mostNodes(n)]. Returns how
 * many nodes it has. Of two children the one nearer to `eye` comes first: rays from there find the
 * nearest hit early. */
int buildTree(struct sphere *spheres, int n, struct vec eye, struct node *nodes);

/* A camera that has gone `turn` of the way around the scene (0 to 1), for a picture of this
 * size. */
struct view viewFrom(double turn, int width, int height);

#endif
