/* cooperative_groups/scan.h: prefix sums over a group. */
#ifndef COOPERATIVE_GROUPS_SCAN_H
#define COOPERATIVE_GROUPS_SCAN_H
#include "../cooperative_groups.h"
#include "../emulated/group_operations.h"

namespace cooperative_groups
{

template <class Group, class T, class Operation>
static inline T inclusive_scan(const Group &group, T value, Operation operation)
{
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        T below = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance)
            value = operation(below, value);
    }
    return value;
}
template <class Group, class T> static inline T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
/* The first thread gets T(), as in CUDA for sums. */
template <class Group, class T, class Operation>
static inline T exclusive_scan(const Group &group, T value, Operation operation)
{
    T below = group.shfl_up(inclusive_scan(group, value, operation), 1);
    return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T> static inline T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
