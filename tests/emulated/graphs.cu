/* Graphs built node by node: their results, their changes, and the messages on missing edges. */
#include "cases.h"

#if CUDART_VERSION >= 13000
#define EDGE_DATA NULL, /* since CUDA 13 */
#else
#define EDGE_DATA
#endif
enum { N = 256 };
static float *d_x, *d_y, *d_z;
static float h_in[N], h_out[N];
static cudaStream_t stream;

/* Declared before it is defined, with other names; of another one there are two. */
__global__ void scale(float *, const float *from, float by);
__global__ void twoOfThem(float *y, const float *x);
__global__ void twoOfThem(float *y, int n) { y[threadIdx.x] = (float)n; }
__global__ void scale(float *y, const float *x, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = factor * x[i];
}
template <class T> __global__ void add(T *z, const T *x, const T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    z[i] = x[i] + y[i];
}

static void prepare(void)
{
    for (int i = 0; i < N; i++)
        h_in[i] = (float)i;
    CHECK(cudaMalloc(&d_x, sizeof h_in));
    CHECK(cudaMalloc(&d_y, sizeof h_in));
    CHECK(cudaMalloc(&d_z, sizeof h_in));
    CHECK(cudaMemcpy(d_x, h_in, sizeof h_in, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_z, 0, sizeof h_in));
    CHECK(cudaStreamCreate(&stream));
}

static cudaGraphNode_t kernelNode(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n,
                                  void *kernel, void **arguments)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams p = {0};
    p.func = kernel;
    p.gridDim = dim3(N / 64);
    p.blockDim = dim3(64);
    p.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, before, n, &p));
    return node;
}
static cudaGraphNode_t scaleNode(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n,
                                 float *y, float *x, float factor)
{
    void *arguments[] = {&y, &x, &factor}; /* the node keeps their values */
    return kernelNode(graph, before, n, (void *)scale, arguments);
}
static cudaGraphNode_t addNode(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n, float *z,
                               float *x, float *y)
{
    void *arguments[] = {&z, &x, &y};
    return kernelNode(graph, before, n, (void *)add<float>, arguments);
}

static cudaGraphExec_t instantiated(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}
static void launch(cudaGraphExec_t exec)
{
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
}
static void expect(const float *d, float factor)
{
    CHECK(cudaMemcpy(h_out, d, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        if (h_out[i] != factor * i) {
            printf("FAILED: element %d is %g instead of %g\n", i, (double)h_out[i],
                   (double)(factor * i));
            exit(2);
        }
}

/* y = 2 x; z = 3 x beside it; then z = y + z. With `edges` less, the sum does not wait for the
 * second one. */
static cudaGraph_t diamond(cudaGraphNode_t *node, size_t edges)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    node[0] = scaleNode(graph, NULL, 0, d_y, d_x, 2);
    node[1] = scaleNode(graph, NULL, 0, d_z, d_x, 3);
    node[2] = addNode(graph, node, edges, d_z, d_y, d_z);
    return graph;
}
static void run(size_t edges)
{
    cudaGraphNode_t node[3];
    cudaGraph_t graph = diamond(node, edges);
    cudaGraphExec_t exec = instantiated(graph);
    launch(exec);
    if (edges == 2)
        expect(d_z, 5);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}
static void built(void) { run(2); }
static void missingEdge(void) { run(1); }

static int calls;
static void count(void *data) { calls += *(int *)data; }
static int weight = 3;

/* Copy in, a kernel, memset of the rest, a host function, copy out, and an empty node in the
 * middle. */
static void everyKind(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t in, work, out, fill, middle, host;
    cudaMemsetParams set = {d_z, 0, 0x3f800000, 4, N, 1}; /* 1.0f */
    cudaHostNodeParams f = {count, &weight};
    calls = 0;
    CHECK(cudaMemset(d_x, 0, sizeof h_in));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&in, graph, NULL, 0, d_x, h_in, sizeof h_in,
                                   cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &set));
    const cudaGraphNode_t both[] = {in, fill};
    CHECK(cudaGraphAddEmptyNode(&middle, graph, both, 2));
    work = addNode(graph, &middle, 1, d_y, d_x, d_z);
    CHECK(cudaGraphAddHostNode(&host, graph, &work, 1, &f));
    CHECK(cudaGraphAddMemcpyNode1D(&out, graph, NULL, 0, h_out, d_y, sizeof h_out,
                                   cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddDependencies(graph, &work, &out, EDGE_DATA 1));
    cudaGraphExec_t exec = instantiated(graph);
    for (int k = 0; k < 2; k++)
        launch(exec);
    for (int i = 0; i < N; i++)
        must(h_out[i] == (float)i + 1, "the copy out");
    must(calls == 6, "the host function ran twice");

    size_t nodes, roots, edges, before;
    enum cudaGraphNodeType type;
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphGetRootNodes(graph, NULL, &roots));
    CHECK(cudaGraphGetEdges(graph, NULL, NULL, EDGE_DATA & edges));
    CHECK(cudaGraphNodeGetDependencies(middle, NULL, EDGE_DATA & before));
    CHECK(cudaGraphNodeGetType(fill, &type));
    must(nodes == 6 && roots == 2 && edges == 5 && before == 2 && type == cudaGraphNodeTypeMemset,
         "what a graph shows");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

static void children(void)
{
    cudaGraphNode_t node[3], child, after;
    cudaGraph_t part = diamond(node, 2), whole;
    CHECK(cudaGraphCreate(&whole, 0));
    CHECK(cudaGraphAddChildGraphNode(&child, whole, NULL, 0, part));
    CHECK(cudaGraphDestroy(part)); /* the node has its own copy */
    after = scaleNode(whole, &child, 1, d_y, d_z, 2);
    (void)after;
    cudaGraphExec_t exec = instantiated(whole);
    launch(exec);
    expect(d_y, 10);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(whole));
}

/* Other arguments for one node, another graph of the same shape, and one of another shape, which is
 * refused. */
static void updates(void)
{
    cudaGraphNode_t node[3], other[3];
    cudaGraph_t graph = diamond(node, 2), changed = diamond(other, 2), smaller;
    cudaGraphExec_t exec = instantiated(graph);
    cudaKernelNodeParams p;
    CHECK(cudaGraphKernelNodeGetParams(node[0], &p));
    must(p.func == (void *)scale && p.blockDim.x == 64 && *(float *)p.kernelParams[2] == 2,
         "a node's parameters");
    float factor = 7;
    p.kernelParams[2] = &factor;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, node[0], &p));
    launch(exec);
    expect(d_z, 10);
    CHECK(cudaGraphKernelNodeSetParams(other[1], &p)); /* y = 7 x, now there */
    CHECK(cudaGraphDestroyNode(other[0]));
    cudaGraphNode_t first;
    cudaGraphExecUpdateResultInfo info;
    must(cudaGraphExecUpdate(exec, changed, &info) == cudaErrorGraphExecUpdateFailure &&
             info.result == cudaGraphExecUpdateErrorTopologyChanged,
         "a graph of another shape");
    (void)cudaGetLastError();
    CHECK(cudaGraphDestroy(changed));
    changed = diamond(other, 2);
    factor = 11;
    CHECK(cudaGraphKernelNodeSetParams(other[0], &p));
    CHECK(cudaGraphExecUpdate(exec, changed, &info));
    launch(exec);
    expect(d_z, 14);
    must(cudaGraphNodeSetEnabled(exec, other[2], 0) == cudaErrorInvalidValue,
         "a node of the graph that it was updated by");
    (void)cudaGetLastError();
    CHECK(cudaGraphNodeSetEnabled(exec, node[2], 0));
    launch(exec);
    expect(d_z, 3);

    CHECK(cudaGraphClone(&smaller, graph));
    CHECK(cudaGraphNodeFindInClone(&first, node[0], smaller));
    const cudaGraphNode_t circle[] = {node[2], node[0]};
    CHECK(cudaGraphAddDependencies(graph, &circle[0], &circle[1], EDGE_DATA 1));
    cudaGraphExec_t none;
    must(cudaGraphInstantiate(&none, graph, 0) == cudaErrorInvalidValue,
         "a graph that goes round in a circle");
    (void)cudaGetLastError();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(smaller));
    CHECK(cudaGraphDestroy(changed));
    CHECK(cudaGraphDestroy(graph));
}

/* A captured graph has nodes, too. */
static void captured(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t nodes[4];
    size_t count = 4;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(d_z, 0, sizeof h_in, stream));
    scale<<<N / 64, 64, 0, stream>>>(d_y, d_x, 2);
    add<<<N / 64, 64, 0, stream>>>(d_z, d_y, d_z);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    enum cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(nodes[0], &type));
    must(count == 3 && type == cudaGraphNodeTypeMemset, "captured nodes");
    cudaGraphExec_t exec = instantiated(graph);
    launch(exec);
    expect(d_z, 2);
    cudaKernelNodeParams p;
    CHECK(cudaGraphKernelNodeGetParams(nodes[1], &p));
    float factor = 4;
    p.kernelParams[2] = &factor;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &p));
    launch(exec);
    expect(d_z, 4);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* A kernel by its address alone */
static void byAddress(void)
{
    float factor = 3;
    void *arguments[] = {&d_y, &d_x, &factor};
    const void *kernel = (const void *)scale;
    CHECK(cudaLaunchKernel(kernel, dim3(N / 64), dim3(64), arguments, 0, 0));
    expect(d_y, 3);
}
static void badArguments(void)
{
    cudaGraph_t graph;
    cudaGraphNode_t node, stranger;
    cudaKernelNodeParams p = {0};
    p.func = (void *)&calls;
    p.gridDim = p.blockDim = dim3(1);
    CHECK(cudaGraphCreate(&graph, 0));
    must(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p) == cudaErrorInvalidResourceHandle,
         "a kernel that is none");
    p.func = (void *)count;
    must(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p) == cudaErrorInvalidResourceHandle,
         "a host function");
    must(cudaLaunchKernel((const void *)&calls, dim3(1), dim3(1), NULL, 0, 0) ==
             cudaErrorInvalidResourceHandle,
         "a launch of what is no kernel");
    p.func = NULL;
    must(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p) == cudaErrorInvalidDeviceFunction,
         "no kernel");
    p.func = (void *)scale;
    must(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p) == cudaErrorInvalidValue,
         "a kernel without its arguments");
    (void)cudaGetLastError();
    cudaGraph_t another;
    CHECK(cudaGraphCreate(&another, 0));
    CHECK(cudaGraphAddEmptyNode(&stranger, another, NULL, 0));
    must(cudaGraphAddEmptyNode(&node, graph, &stranger, 1) == cudaErrorInvalidValue,
         "another graph's node");
    (void)cudaGetLastError();
    CHECK(cudaGraphDestroy(another));
    CHECK(cudaGraphDestroy(graph));
}
static void pastTheEnd(void)
{
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    (void)scaleNode(graph, NULL, 0, d_y + 1, d_x, 2);
    cudaGraphExec_t exec = instantiated(graph);
    CHECK(cudaGraphLaunch(exec, stream));
    (void)cudaStreamSynchronize(stream);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* A capture into which a second stream forks, and which it joins again, or does not. */
static void fork(int joins)
{
    cudaGraph_t graph = NULL;
    cudaStream_t second;
    cudaEvent_t event;
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaStreamWaitEvent(second, event, 0));
    scale<<<N / 64, 64, 0, stream>>>(d_y, d_x, 2);
    scale<<<N / 64, 64, 0, second>>>(d_z, d_x, 2);
    CHECK(cudaEventRecord(event, second));
    if (joins)
        CHECK(cudaStreamWaitEvent(stream, event, 0));
    const cudaError_t error = cudaStreamEndCapture(stream, &graph);
    must(error == (joins ? cudaSuccess : cudaErrorStreamCaptureUnjoined), "the end of the capture");
    (void)cudaGetLastError();
    if (graph != NULL)
        CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(second));
}
static void joined(void) { fork(1); }
static void notJoined(void) { fork(0); }

/* The calls that a capture forbids, and those that it allows. */
static void whileCaptured(unsigned flags, void call(cudaStream_t captured))
{
    cudaGraph_t graph;
    cudaStream_t captured;
    CHECK(cudaStreamCreateWithFlags(&captured, flags));
    CHECK(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
    scale<<<N / 64, 64, 0, captured>>>(d_y, d_x, 2);
    call(captured);
    (void)cudaGetLastError();
    CHECK(cudaStreamEndCapture(captured, &graph));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(captured));
}
static void waits(cudaStream_t captured)
{
    must(cudaStreamSynchronize(captured) == cudaErrorStreamCaptureUnsupported,
         "waiting for a captured stream");
}
static void waitsForAll(cudaStream_t)
{
    must(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported, "waiting for all streams");
}
static void launches(cudaStream_t) { scale<<<N / 64, 64>>>(d_z, d_x, 2); }
static void waitsInCapture(void) { whileCaptured(cudaStreamNonBlocking, waits); }
static void waitsForAllInCapture(void) { whileCaptured(cudaStreamNonBlocking, waitsForAll); }
static void beside(void) { whileCaptured(cudaStreamDefault, launches); }
static void besideNonBlocking(void) { whileCaptured(cudaStreamNonBlocking, launches); }

/* ---- memory that a launch allocates ---- */
static cudaGraphNode_t allocateNode(cudaGraph_t graph, float **memory)
{
    cudaGraphNode_t node;
    cudaMemAllocNodeParams p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = sizeof h_in;
    CHECK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &p));
    *memory = (float *)p.dptr;
    return node;
}
/* d_y = 6 d_x by way of memory of the graph */
static void graphMemory(int frees, int launches, int writes)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *d_own;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t there = allocateNode(graph, &d_own), gone;
    cudaGraphNode_t first = scaleNode(graph, &there, 1, writes ? d_own : d_z, d_x, 2),
                    second = scaleNode(graph, &first, 1, d_y, d_own, 3);
    if (frees)
        CHECK(cudaGraphAddMemFreeNode(&gone, graph, &second, 1, d_own));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < launches; launch++) {
        CHECK(cudaMemset(d_y, 0, sizeof h_in));
        if (launch && !frees)
            must(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue,
                 "memory that was not freed");
        else
            CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    (void)cudaGetLastError();
    CHECK(cudaMemcpy(h_out, d_y, sizeof h_out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N && writes; i++)
        must(h_out[i] == (!frees && launches > 1 ? 0 : 6 * h_in[i]),
             "by way of memory of the graph");
    if (!frees)
        CHECK(cudaFree(d_own)); /* the program frees the memory that the graph has left */
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}
static void ownMemory(void) { graphMemory(1, 3, 1); }
static void leftMemory(void) { graphMemory(0, 1, 1); }
static void leftMemoryTwice(void) { graphMemory(0, 2, 1); }
static void freshMemory(void) { graphMemory(1, 1, 0); }
static void usedAfterItsNode(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *d_own;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t there = allocateNode(graph, &d_own), gone;
    cudaGraphNode_t first = scaleNode(graph, &there, 1, d_own, d_x, 2);
    CHECK(cudaGraphAddMemFreeNode(&gone, graph, &first, 1, d_own));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    scale<<<N / 64, 64, 0, stream>>>(d_y, d_own, 3);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}
/* Captured allocations are the graph's, too. */
static void capturedMemory(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *d_own;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMallocAsync((void **)&d_own, sizeof h_in, stream));
    scale<<<N / 64, 64, 0, stream>>>(d_own, d_x, 2);
    scale<<<N / 64, 64, 0, stream>>>(d_y, d_own, 3);
    CHECK(cudaFreeAsync(d_own, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 2; launch++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpy(h_out, d_y, sizeof h_out, cudaMemcpyDeviceToHost));
    must(h_out[N - 1] == 6 * h_in[N - 1], "captured memory");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* ---- conditional nodes ---- */
#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 12080
__global__ void countDown(int *count, cudaGraphConditionalHandle again)
{
    if (--*count == 0)
        cudaGraphSetConditional(again, 0);
}
__global__ void addTo(int *sum, int what) { *sum += what; }
__global__ void choose(cudaGraphConditionalHandle handle, const int *from)
{
    cudaGraphSetConditional(handle, *from);
}
__global__ void allChoose(cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, threadIdx.x);
}

static cudaGraphNode_t conditional(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n,
                                   cudaGraphConditionalHandle handle,
                                   cudaGraphConditionalNodeType type, unsigned bodies,
                                   cudaGraph_t *body)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = type;
    p.conditional.size = bodies;
    CHECK(cudaGraphAddNode(&node, graph, before, EDGE_DATA n, &p));
    memcpy(body, p.conditional.phGraph_out, bodies * sizeof *body);
    return node;
}
static cudaGraphNode_t addToNode(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n,
                                 int *sum, int what)
{
    cudaGraphNode_t node;
    void *arguments[] = {&sum, &what};
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = (void *)addTo;
    p.kernel.gridDim.x = p.kernel.gridDim.y = p.kernel.gridDim.z = 1;
    p.kernel.blockDim = p.kernel.gridDim;
    p.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, graph, before, EDGE_DATA n, &p));
    return node;
}
static int resultOf(cudaGraph_t graph, int *d_ints, const int (&values)[3])
{
    cudaGraphExec_t exec;
    int got[3];
    CHECK(cudaMemcpy(d_ints, values, sizeof values, cudaMemcpyHostToDevice));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(got, d_ints, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphExecDestroy(exec));
    return got[1];
}

/* d_ints[1] counts how often the body runs; another loop within it counts by 100. */
static void loops(void)
{
    int *d_ints;
    cudaGraph_t graph, body, inner;
    cudaGraphConditionalHandle outer_again, inner_again;
    CHECK(cudaMalloc(&d_ints, 3 * sizeof *d_ints));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&outer_again, graph, 1, cudaGraphCondAssignDefault));
    conditional(graph, NULL, 0, outer_again, cudaGraphCondTypeWhile, 1, &body);
    cudaGraphNode_t adds = addToNode(body, NULL, 0, d_ints + 1, 1);
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, &adds, NULL, 1,
                                        cudaStreamCaptureModeThreadLocal));
    countDown<<<1, 1, 0, stream>>>(d_ints, outer_again);
    CHECK(cudaStreamEndCapture(stream, NULL));
    for (int launch = 0; launch < 2; launch++) {
        const int values[3] = {7 + launch, 0, 0};
        must(resultOf(graph, d_ints, values) == 7 + launch, "a loop");
    }
    CHECK(cudaGraphConditionalHandleCreate(&inner_again, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t nested =
        conditional(body, &adds, 1, inner_again, cudaGraphCondTypeIf, 1, &inner);
    addToNode(inner, NULL, 0, d_ints + 1, 100);
    (void)nested;
    const int values[3] = {3, 0, 0};
    must(resultOf(graph, d_ints, values) == 303, "a condition within a loop");
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(d_ints));
}

static void choices(void)
{
    int *d_ints;
    cudaGraph_t bodies[3];
    CHECK(cudaMalloc(&d_ints, 3 * sizeof *d_ints));
    for (int kind = 0; kind < 2; kind++)
        for (int value = 0; value < 5; value++) {
            const unsigned n = kind ? 3 : 2;
            cudaGraph_t graph;
            cudaGraphConditionalHandle handle;
            CHECK(cudaGraphCreate(&graph, 0));
            CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
            void *arguments[] = {&handle, &d_ints};
            cudaKernelNodeParams p = {0};
            p.func = (void *)choose;
            p.gridDim = p.blockDim = dim3(1);
            p.kernelParams = arguments;
            cudaGraphNode_t sets;
            CHECK(cudaGraphAddKernelNode(&sets, graph, NULL, 0, &p));
            cudaGraphNode_t chosen =
                conditional(graph, &sets, 1, handle,
                            kind ? cudaGraphCondTypeSwitch : cudaGraphCondTypeIf, n, bodies);
            for (unsigned i = 0; i < n; i++)
                addToNode(bodies[i], NULL, 0, d_ints + 1, 10 + (int)i);
            addToNode(graph, &chosen, 1, d_ints + 1, 100);
            const int values[3] = {value, 0, 0};
            const int wanted = 100 + (kind ? value < 3 ? 10 + value : 0 : value ? 10 : 11);
            must(resultOf(graph, d_ints, values) == wanted, kind ? "a switch" : "if and else");
            CHECK(cudaGraphDestroy(graph));
        }
    CHECK(cudaFree(d_ints));
}

static void conditions(int set)
{
    cudaGraph_t graph, body;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    conditional(graph, NULL, 0, handle, cudaGraphCondTypeIf, 1, &body);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    if (set)
        allChoose<<<1, 64, 0, stream>>>(handle);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* A loop whose body goes on as before (which: 0), goes back and forth (1), or adds up and ends late
 * (2) */
__global__ void flip(int *x) { *x = 1 - *x; }
__global__ void countUp(int *count, int end, cudaGraphConditionalHandle again)
{
    cudaGraphSetConditional(again, ++*count < end);
}
static void loopOf(int which)
{
    int *d_int;
    cudaGraph_t graph, body;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle again;
    CHECK(cudaMalloc(&d_int, sizeof *d_int));
    CHECK(cudaMemset(d_int, 0, sizeof *d_int));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    conditional(graph, NULL, 0, again, cudaGraphCondTypeWhile, 1, &body);
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0,
                                        cudaStreamCaptureModeThreadLocal));
    if (which == 2)
        countUp<<<1, 1, 0, stream>>>(d_int, 1 << 15, again);
    else if (which == 1)
        flip<<<1, 1, 0, stream>>>(d_int);
    CHECK(cudaStreamEndCapture(stream, NULL));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    const cudaError_t error = cudaGraphLaunch(exec, stream);
    if (which == 2) {
        CHECK(error);
        CHECK(cudaStreamSynchronize(stream)); /* a GPU is at work still, and needs both */
    } else
        must(error == cudaErrorLaunchTimeout, "an endless loop");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    if (which == 2)
        CHECK(cudaFree(d_int));
}
static void nothingChanges(void) { loopOf(0); }
static void backAndForth(void) { loopOf(1); }
static void endsLate(void) { loopOf(2); }
static void unsetCondition(void) { conditions(0); }
static void racingCondition(void) { conditions(1); }
static void badConditions(void)
{
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 2;
    must(cudaGraphAddNode(&node, graph, NULL, EDGE_DATA 0, &p) == cudaErrorInvalidValue,
         "a loop of two bodies");
    p.conditional.handle = 0;
    p.conditional.size = 1;
    must(cudaGraphAddNode(&node, graph, NULL, EDGE_DATA 0, &p) == cudaErrorInvalidValue,
         "no condition");
    CHECK(cudaGraphDestroy(graph));
    (void)cudaGetLastError();
}
#endif

static const struct test tests[] = {
    CLEAN(built),
    FINDS(missingEdge, "race", "in another stream or branch of a graph: nothing orders the two"),
    CLEAN(everyKind),
    CLEAN(children),
    CLEAN(updates),
    CLEAN(captured),
    CLEAN(byAddress),
    CLEAN(badArguments),
    CLEAN(joined),
    FINDS(notJoined, "bad-call", "another stream has joined"),
    FINDS(waitsInCapture, "bad-call",
          "cudaStreamSynchronize waits for a stream that is being captured"),
    FINDS(waitsForAllInCapture, "bad-call", "cudaDeviceSynchronize waits for all streams"),
    FINDS(beside, "bad-call", "kernel scale goes into stream 0"),
    CLEAN(besideNonBlocking),
    FINDS(pastTheEnd, "out-of-bounds", "past the end"),
    CLEAN(ownMemory),
    CLEAN(leftMemory),
    CLEAN(leftMemoryTwice),
    CLEAN(capturedMemory),
    FINDS(freshMemory, "uninitialised-read", "kernel scale"),
    FINDS(usedAfterItsNode, "out-of-bounds", "which has been freed"),
#if defined __CUDA_EMULATED__ || CUDART_VERSION >= 12080
    CLEAN(loops),
    CLEAN(choices),
    CLEAN(badConditions),
#ifdef __CUDA_EMULATED__
    FINDS(nothingChanges, "endless-kernel", "device memory is what it was"),
    FINDS(backAndForth, "endless-kernel", "device memory is what it was"),
#endif
    CLEAN(endsLate),
    FINDS(unsetCondition, "uninitialised-read", "the conditional node reads the condition"),
    FINDS(racingCondition, "race", "kernel allChoose"),
#endif
};

int main(int argc, char **argv)
{
    return runCases(tests, sizeof tests / sizeof *tests, prepare, argc, argv);
}
