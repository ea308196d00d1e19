/* The tree over the bodies: who is in which node, before anything is summed. */
#ifndef TREE_H
#define TREE_H

#include "nbody.h"

/* Nodes that a tree over n bodies may have. */
static inline size_t mostNodes(size_t n) { return 2 * n; }

/* Puts the n bodies into sorted[] along a curve that goes through all space, the number of each
 * into order[], and the tree over them into nodes[mostNodes(n)]. Returns how many nodes it has. */
int buildTree(const struct body *at, size_t n, struct body *sorted, int *order, struct node *nodes);

#endif
