/* The tree on the device, and what its kernels need. The host has built it: it knows which bodies
 * are in which node, but not yet where the centres of mass are. */
#ifndef TREE_CUH
#define TREE_CUH

struct device_tree {
    const float4 *bodies; /* in the order of the leaves */
    const int *order;     /* the number of each in the galaxy */
    const int4 *nodes;    /* a struct node each, to be loaded at once */
    float4 *centres;      /* of mass, of the nodes, with their masses */
    int *arrived;         /* counters, of the nodes */
    int nodeCount;
};

static struct device_tree treeOnDevice(const struct tree *tree, size_t n)
{
    const size_t count = tree->nodeCount;
    struct device_tree d;

    d.bodies = onDevice<float4>(tree->bodies, n);
    d.order = onDevice<int>(tree->order, n);
    d.nodes = onDevice<int4>(tree->nodes, count);
    d.nodeCount = tree->nodeCount;
    cudaVerify(cudaMalloc((void **)&d.centres, count * sizeof *d.centres));
    cudaVerify(cudaMalloc((void **)&d.arrived, count * sizeof *d.arrived));
    return d;
}

static void freeTree(struct device_tree d)
{
    cudaVerify(cudaFree((void *)d.bodies));
    cudaVerify(cudaFree((void *)d.order));
    cudaVerify(cudaFree((void *)d.nodes));
    cudaVerify(cudaFree(d.centres));
    cudaVerify(cudaFree(d.arrived));
}

static __device__ __forceinline__ struct node nodeAt(const struct device_tree *tree, int i)
{
    const int4 bits = tree->nodes[i];
    const struct node node = {__int_as_float(bits.x), bits.y, bits.z, bits.w};

    return node;
}

/* Two bodies as one: their mass at their centre of mass. */
static __device__ __forceinline__ float4 together(float4 p, float4 q)
{
    const float mass = p.w + q.w;

    return make_float4((p.w * p.x + q.w * q.x) / mass, (p.w * p.y + q.w * q.y) / mass,
                       (p.w * p.z + q.w * q.z) / mass, mass);
}

/* The bodies of a leaf as one. */
static __device__ float4 centreOfLeaf(const struct device_tree *tree, int leaf)
{
    const float4 *bodies = tree->bodies + leaf / LEAF_ROOM;
    float4 centre = bodies[0];

    for (int k = 1; k < leaf % LEAF_ROOM; k++)
        centre = together(centre, bodies[k]);
    return centre;
}

/* A centre that another block may have stored just now: volatile, since Fermi would look for it in
 * the L1 cache, whose lines may be older. */
static __device__ __forceinline__ float4 freshCentre(const struct device_tree *tree, int i)
{
    const volatile float4 *centre = tree->centres + i;

    return make_float4(centre->x, centre->y, centre->z, centre->w);
}

#endif
