/* cooperative_groups/reduce.h: not part of cooperative_groups.h, since programs have functions of
 * their own by this name. */
#ifndef COOPERATIVE_GROUPS_REDUCE_H
#define COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"
#include "../emulated/group_operations.h"

namespace cooperative_groups
{

template <class Group, class T, class Operation>
static inline T reduce(const Group &group, T value, Operation operation)
{
    T sum = group.shfl(value, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        sum = operation(sum, group.shfl(value, rank));
    return sum;
}

template <class Group, class T> static inline T reduce(const Group &group, T value)
{
    return reduce(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
