/* How many blocks a launch needs. For .cu files of any toolkit. */
#ifndef GRID_H
#define GRID_H

#include <stddef.h>

/* The blocks that hold `count` things, `perBlock` to each; the last block may not be full. 0 for
 * none. */
static inline unsigned int blocksFor(size_t count, size_t perBlock)
{
    return (unsigned int)((count + perBlock - 1) / perBlock);
}

#endif
