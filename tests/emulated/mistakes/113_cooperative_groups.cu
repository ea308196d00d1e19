// Cooperative groups without their header and `namespace cg = cooperative_groups;`
// says: cg is to stand for cooperative_groups: #include <cooperative_groups.h>
__global__ void first(int *x)
{
    if (cg::this_thread_block().thread_rank() == 0) // <-- mistake
        *x = 1;
}
