// graph.cpp: graphs of operations, captured or built node by node.
//
// A node's operation is made by the runtime call that it stands for, given a stream that only
// records. A graph that is to run is cut into branches: a node goes on where one of its
// dependencies ended, and waits for the others.
#include "graph.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "emulated/graph_nodes.h"
#include "library.h"
#include "objects.h"

struct CUgraphNode_st {
    cudaGraph_t graph;
    cudaGraphNodeType type;
    emulated::Operation operation;             // of kernels, copies, memset and host functions
    std::vector<cudaGraphNode_t> dependencies; // within the same graph
    cudaGraph_t child;                         // its own copy; NULL: none
    cudaGraphNode_t original;                  // of which this one is a copy, or NULL
    bool disabled;
    emulated::Conditional conditional; // without its bodies as items
    std::vector<cudaGraph_t> bodies;   // of a conditional node
    void *memory;                      // of an allocation node
    std::vector<char> arguments;       // that cudaGraphKernelNodeGetParams() has shown
    std::vector<void *> pointers;
};
struct CUgraph_st {
    std::vector<cudaGraphNode_t> nodes;                    // in the order of their creation
    std::vector<std::pair<unsigned *, unsigned>> defaults; // of conditions, assigned at each launch
};
struct CUgraphExec_st {
    cudaGraph_t graph; // a copy
    emulated::Items items;
    std::vector<cudaStream_t> branches; // but for the first, which is the stream of the launch
    unsigned long long flags;
    emulated::Pc not_updated = nullptr; // a cudaGraphExecUpdate() that has failed
};

namespace emulated
{

static std::set<cudaGraph_t> graphs EMULATED_EARLY;
static std::set<cudaGraphNode_t> nodes EMULATED_EARLY;
static std::set<cudaGraphExec_t> execs EMULATED_EARLY;

// ---- kernels known by their address -------------------------------------------------------------

struct KernelEntry {
    emulated_launcher launch;
    void (*addresses)(void *call, void **arguments);
    int count;
};
static std::map<const void *, KernelEntry> &kernel_entries()
{
    static std::map<const void *, KernelEntry> entries;
    return entries;
}

// ---- nodes --------------------------------------------------------------------------------------

static cudaGraph_t new_graph()
{
    cudaGraph_t graph = new CUgraph_st();
    graphs.insert(graph);
    return graph;
}

static cudaGraphNode_t new_node(cudaGraph_t graph, cudaGraphNodeType type)
{
    cudaGraphNode_t node = new CUgraphNode_st();
    several_streams = true; // nodes without an order between them run side by side
    node->graph = graph;
    node->type = type;
    nodes.insert(node);
    graph->nodes.push_back(node);
    return node;
}

static void delete_graph(cudaGraph_t graph);
static void delete_parts(cudaGraphNode_t node)
{
    if (node->child)
        delete_graph(node->child);
    for (cudaGraph_t body : node->bodies)
        delete_graph(body);
}
static void delete_graph(cudaGraph_t graph)
{
    for (cudaGraphNode_t node : graph->nodes) {
        delete_parts(node);
        nodes.erase(node);
        delete node;
    }
    graphs.erase(graph);
    delete graph;
}

static cudaGraph_t copy_of(cudaGraph_t graph)
{
    cudaGraph_t copy = new_graph();
    copy->defaults = graph->defaults;
    std::map<cudaGraphNode_t, cudaGraphNode_t> of;
    for (cudaGraphNode_t node : graph->nodes) {
        cudaGraphNode_t twin = of[node] = new_node(copy, node->type);
        *twin = *node;
        twin->graph = copy;
        twin->original = node;
        twin->child = node->child ? copy_of(node->child) : nullptr;
        for (cudaGraph_t &body : twin->bodies)
            body = copy_of(body);
    }
    for (cudaGraphNode_t node : copy->nodes)
        for (cudaGraphNode_t &dependency : node->dependencies)
            dependency = of[dependency];
    return copy;
}

static cudaGraphNodeType type_of(const Operation &operation)
{
    auto begins = [&](const char *word) {
        return operation.name.compare(0, strlen(word), word) == 0;
    };
    return operation.engine == kKernels ? cudaGraphNodeTypeKernel
           : begins("cudaMemset")       ? cudaGraphNodeTypeMemset
           : begins("cudaMallocAsync")  ? cudaGraphNodeTypeMemAlloc
           : begins("cudaFreeAsync")    ? cudaGraphNodeTypeMemFree
           : begins("the function of ") ? cudaGraphNodeTypeHost
                                        : cudaGraphNodeTypeMemcpy;
}

cudaGraph_t graph_of(const Recording &recording)
{
    cudaGraph_t graph = recording.graph ? recording.graph : new_graph();
    typedef std::vector<cudaGraphNode_t> Nodes;
    std::vector<Nodes> last(recording.branches.size()), recorded((size_t)recording.events);
    last[0] = recording.after; // the branch of the first stream
    for (const GraphItem &item : recording.items) {
        Nodes &here = last[(size_t)item.branch];
        if (item.what == GraphItem::kRecord)
            recorded[(size_t)item.event] = here;
        else if (item.what == GraphItem::kWait) {
            for (cudaGraphNode_t node : recorded[(size_t)item.event])
                if (std::find(here.begin(), here.end(), node) == here.end())
                    here.push_back(node);
        } else {
            cudaGraphNode_t node = new_node(graph, type_of(item.operation));
            node->operation = item.operation;
            node->dependencies = here;
            here = {node};
        }
    }
    return graph;
}

// ---- from nodes to branches ---------------------------------------------------------------------

struct Step {
    cudaGraphNode_t node;
    std::vector<int> after; // steps
};

// The nodes in an order that their dependencies allow; false when they go round in a circle.
static bool in_order(cudaGraph_t graph, std::vector<cudaGraphNode_t> *order)
{
    std::set<cudaGraphNode_t> done;
    bool more = true;
    while (more && done.size() < graph->nodes.size()) {
        more = false;
        for (cudaGraphNode_t node : graph->nodes) {
            if (done.count(node))
                continue;
            const auto &before = node->dependencies;
            if (!std::all_of(before.begin(), before.end(),
                             [&](cudaGraphNode_t d) { return done.count(d) != 0; }))
                continue;
            done.insert(node);
            order->push_back(node);
            more = true;
        }
    }
    return done.size() == graph->nodes.size();
}

// Appends the graph's steps, which come after `begin`; *ends: those that nothing in it comes after.
static bool flatten(cudaGraph_t graph, const std::vector<int> &begin, std::vector<Step> *steps,
                    std::vector<int> *ends)
{
    std::vector<cudaGraphNode_t> order;
    if (!in_order(graph, &order))
        return false;
    std::map<cudaGraphNode_t, std::vector<int>> done_by; // the steps after which a node has ended
    std::set<int> open;
    for (cudaGraphNode_t node : order) {
        std::vector<int> after = node->dependencies.empty() ? begin : std::vector<int>();
        for (cudaGraphNode_t dependency : node->dependencies)
            for (int step : done_by[dependency])
                if (std::find(after.begin(), after.end(), step) == after.end())
                    after.push_back(step);
        std::vector<int> &done = done_by[node];
        if (node->child) {
            if (!flatten(node->child, after, steps, &done))
                return false;
        } else if (node->type == cudaGraphNodeTypeEmpty || node->disabled)
            done = after;
        else {
            steps->push_back({node, after});
            done = {(int)steps->size() - 1};
        }
        for (int step : after)
            open.erase(step);
        open.insert(done.begin(), done.end());
    }
    ends->assign(open.begin(), open.end());
    if (order.empty())
        *ends = begin;
    return true;
}

// *first: how many branches the graphs around this one have, but for their first
static bool lower(cudaGraph_t graph, Items *items, int *first)
{
    std::vector<Step> steps;
    std::vector<int> ends;
    if (!flatten(graph, {}, &steps, &ends))
        return false;
    *items = {{}, 0, (int)steps.size(), 0};
    std::vector<int> branch_of, last; // of each step; the last step of each branch
    for (int i = 0; i < (int)steps.size(); i++) {
        int branch = -1;
        for (int before : steps[(size_t)i].after)
            if (branch < 0 && last[(size_t)branch_of[(size_t)before]] == before)
                branch = branch_of[(size_t)before];
        if (branch < 0) {
            branch = (int)last.size();
            last.push_back(-1);
        }
        for (int before : steps[(size_t)i].after)
            if (branch_of[(size_t)before] != branch)
                items->list.push_back({GraphItem::kWait, branch, before, {}, {}});
        const cudaGraphNode_t node = steps[(size_t)i].node;
        GraphItem item = {GraphItem::kOperation, branch, 0, node->operation, {}};
        if (node->type == cudaGraphNodeTypeConditional) {
            auto conditional = std::make_shared<Conditional>(node->conditional);
            for (cudaGraph_t body : node->bodies) {
                conditional->bodies.emplace_back();
                if (!lower(body, &conditional->bodies.back(), first))
                    return false;
            }
            item.what = GraphItem::kCondition;
            item.conditional = conditional;
        }
        items->list.push_back(item);
        items->list.push_back({GraphItem::kRecord, branch, i, {}, {}});
        branch_of.push_back(branch);
        last[(size_t)branch] = i;
    }
    items->branches = (int)last.size();
    items->first = *first;
    *first += std::max(items->branches - 1, 0);
    return true;
}

static cudaError_t prepare(cudaGraphExec_t exec)
{
    int branches = 0;
    if (!lower(exec->graph, &exec->items, &branches))
        return fail(cudaErrorInvalidValue); // a circle
    while ((int)exec->branches.size() < branches)
        exec->branches.push_back(make_branch());
    return cudaSuccess;
}

// ---- shared by the calls ------------------------------------------------------------------------

// Gives the recorded operations the line of the program.
struct AtPlace {
    AtPlace(Pc place) { node_place = place; }
    ~AtPlace() { node_place = nullptr; }
};

static bool good_dependencies(cudaGraph_t graph, const cudaGraphNode_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!list || !nodes.count(list[i]) || list[i]->graph != graph)
            return false;
    return true;
}

bool can_be_added_to(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n)
{
    return graphs.count(graph) && good_dependencies(graph, before, n);
}

typedef std::function<cudaError_t(cudaStream_t)> Recorded;

static cudaError_t add_node(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
                            size_t n, cudaGraphNodeType type, Pc place, const Recorded &call)
{
    if (!node || !graphs.count(graph) || !good_dependencies(graph, before, n))
        return fail(cudaErrorInvalidValue);
    Operation operation = {};
    if (call) {
        AtPlace here(place);
        const cudaError_t error = record_call(&operation, call);
        if (error != cudaSuccess)
            return error;
    }
    *node = new_node(graph, type);
    (*node)->operation = operation;
    (*node)->dependencies.assign(before, before + n);
    return cudaSuccess;
}

static cudaError_t set_node(cudaGraphNode_t node, cudaGraphNodeType type, Pc place,
                            const Recorded &call)
{
    if (!nodes.count(node) || node->type != type)
        return fail(cudaErrorInvalidValue);
    AtPlace here(place);
    return record_call(&node->operation, call);
}

// The exec's own copy of a node
static cudaGraphNode_t twin(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    if (execs.count(exec))
        for (cudaGraphNode_t copy : exec->graph->nodes)
            if (copy->original == node)
                return copy;
    return nullptr;
}

static cudaError_t set_in_exec(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                               Pc place, const Recorded &call)
{
    const cudaError_t error = set_node(twin(exec, node), type, place, call);
    return error == cudaSuccess ? prepare(exec) : error;
}

// CUDA takes an address that is no kernel's for a handle, an invalid one.
static cudaError_t no_kernel(const void *function)
{
    return fail(function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction);
}

static Recorded kernel_call(const cudaKernelNodeParams &p)
{
    return [=](cudaStream_t stream) {
        auto entry = kernel_entries().find(p.func);
        if (entry == kernel_entries().end())
            return no_kernel(p.func);
        if (p.extra)
            return fail(cudaErrorInvalidDeviceFunction);
        if (!p.kernelParams && entry->second.count > 0)
            return fail(cudaErrorInvalidValue);
        entry->second.launch(p.func, p.gridDim, p.blockDim, p.sharedMemBytes, stream, 0,
                             dim3(0, 0, 0), p.kernelParams);
        return cudaPeekAtLastError();
    };
}
static Recorded copy_call(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return [=](cudaStream_t stream) {
        const OuterCall name("the copy node", node_place);
        return cudaMemcpyAsync(to, from, bytes, kind, stream);
    };
}
static Recorded copy_call(const cudaMemcpy3DParms &p)
{
    return [=](cudaStream_t stream) { return cudaMemcpy3DAsync(&p, stream); };
}
static Recorded host_call(const cudaHostNodeParams &p)
{
    return [=](cudaStream_t stream) { return cudaLaunchHostFunc(stream, p.fn, p.userData); };
}
static Recorded memset_call(const cudaMemsetParams &p)
{
    return [=](cudaStream_t stream) {
        const size_t width = p.width * p.elementSize, pitch = p.height > 1 ? p.pitch : width;
        if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
            return fail(cudaErrorInvalidValue);
        return emulatedMemsetElements(p.dst, pitch, p.value, p.elementSize, width, p.height,
                                      stream);
    };
}

static cudaError_t hand_out(const std::vector<cudaGraphNode_t> &list, cudaGraphNode_t *to,
                            size_t *count)
{
    if (!count)
        return fail(cudaErrorInvalidValue);
    for (size_t i = 0; to && i < *count; i++)
        to[i] = i < list.size() ? list[i] : nullptr;
    *count = to ? std::min(*count, list.size()) : list.size();
    return cudaSuccess;
}

static size_t index_of(cudaGraphNode_t node)
{
    const auto &all = node->graph->nodes;
    return (size_t)(std::find(all.begin(), all.end(), node) - all.begin());
}

static bool same_dependencies(cudaGraphNode_t a, cudaGraphNode_t b)
{
    std::set<size_t> of_a, of_b;
    for (cudaGraphNode_t d : a->dependencies)
        of_a.insert(index_of(d));
    for (cudaGraphNode_t d : b->dependencies)
        of_b.insert(index_of(d));
    return of_a == of_b;
}

// The reason why the graph cannot replace the other one, node by node; *node: the first that does
// not fit
static cudaGraphExecUpdateResult compare(cudaGraph_t old, cudaGraph_t now, cudaGraphNode_t *node)
{
    if (old->nodes.size() != now->nodes.size())
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < now->nodes.size(); i++) {
        cudaGraphNode_t a = old->nodes[i], b = *node = now->nodes[i];
        if (a->type != b->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (!same_dependencies(a, b))
            return cudaGraphExecUpdateErrorTopologyChanged;
        std::vector<std::pair<cudaGraph_t, cudaGraph_t>> parts;
        if (a->child)
            parts.push_back({a->child, b->child});
        if (a->bodies.size() != b->bodies.size())
            return cudaGraphExecUpdateErrorParametersChanged;
        for (size_t body = 0; body < a->bodies.size(); body++)
            parts.push_back({a->bodies[body], b->bodies[body]});
        for (const auto &part : parts) {
            const cudaGraphExecUpdateResult result = compare(part.first, part.second, node);
            if (result != cudaGraphExecUpdateSuccess)
                return result;
        }
    }
    *node = nullptr;
    return cudaGraphExecUpdateSuccess;
}

static void take_over(cudaGraph_t old, cudaGraph_t now)
{
    for (size_t i = 0; i < now->nodes.size(); i++) {
        old->nodes[i]->operation = now->nodes[i]->operation;
        if (now->nodes[i]->child)
            take_over(old->nodes[i]->child, now->nodes[i]->child);
        old->nodes[i]->conditional = now->nodes[i]->conditional;
        for (size_t body = 0; body < now->nodes[i]->bodies.size(); body++)
            take_over(old->nodes[i]->bodies[body], now->nodes[i]->bodies[body]);
    }
    old->defaults = now->defaults;
}

} // namespace emulated

using namespace emulated;
#define RETURN_ADDRESS __builtin_return_address(0)

extern "C" {

void emulatedRegisterKernel(const void *kernel, emulated_launcher launch,
                            void (*addresses)(void *, void **), int count)
{
    kernel_entries()[kernel] = {launch, addresses, count};
}

void emulatedTakeArguments(void **arguments, int count)
{
    for (int i = 0; i < count; i++)
        if (device_only((u64)arguments[i]))
            end_program({"host-dereference", place_of_call(RETURN_ADDRESS), nullptr,
                         object_name((u64)arguments[i]),
                         "the launch is to read argument " + std::to_string(i) + " at " +
                             describe((u64)arguments[i]) +
                             ", which is device memory: give the address of the pointer (&), not "
                             "the pointer. A real run ends here with a segmentation fault",
                         0});
}

cudaError_t emulatedLaunchByAddress(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream, int cooperative,
                                    dim3 cluster)
{
    auto entry = kernel_entries().find(kernel);
    if (entry == kernel_entries().end())
        return no_kernel(kernel);
    AtPlace here(RETURN_ADDRESS);
    entry->second.launch(kernel, grid, block, shared, stream, cooperative, cluster, arguments);
    return cudaPeekAtLastError();
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int)
{
    DeviceLock lock;
    *graph = new_graph();
    object_created(kGraph, *graph, RETURN_ADDRESS);
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph)
{
    DeviceLock lock;
    if (!graphs.count(graph))
        return fail(cudaErrorInvalidValue);
    *copy = copy_of(graph);
    object_created(kGraph, *copy, RETURN_ADDRESS);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    DeviceLock lock;
    if (!graphs.count(graph))
        return fail(cudaErrorInvalidValue);
    delete_graph(graph);
    object_ended(kGraph, graph);
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t n,
                                   const struct cudaKernelNodeParams *p)
{
    return p ? add_node(node, graph, before, n, cudaGraphNodeTypeKernel, RETURN_ADDRESS,
                        kernel_call(*p))
             : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t n,
                                   const struct cudaMemcpy3DParms *p)
{
    return p ? add_node(node, graph, before, n, cudaGraphNodeTypeMemcpy, RETURN_ADDRESS,
                        copy_call(*p))
             : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t n, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return add_node(node, graph, before, n, cudaGraphNodeTypeMemcpy, RETURN_ADDRESS,
                    copy_call(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t n,
                                   const struct cudaMemsetParams *p)
{
    return p ? add_node(node, graph, before, n, cudaGraphNodeTypeMemset, RETURN_ADDRESS,
                        memset_call(*p))
             : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *before, size_t n,
                                 const struct cudaHostNodeParams *p)
{
    return p && p->fn ? add_node(node, graph, before, n, cudaGraphNodeTypeHost, RETURN_ADDRESS,
                                 host_call(*p))
                      : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *before, size_t n)
{
    return add_node(node, graph, before, n, cudaGraphNodeTypeEmpty, RETURN_ADDRESS, nullptr);
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *before, size_t n, cudaGraph_t child)
{
    if (!graphs.count(child))
        return fail(cudaErrorInvalidValue);
    const cudaError_t error =
        add_node(node, graph, before, n, cudaGraphNodeTypeGraph, RETURN_ADDRESS, nullptr);
    if (error == cudaSuccess)
        (*node)->child = copy_of(child);
    return error;
}
// The address is known before the memory is there.
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t n,
                                     struct cudaMemAllocNodeParams *p)
{
    if (!p || p->bytesize == 0 || p->poolProps.allocType != cudaMemAllocationTypePinned ||
        p->poolProps.location.type != cudaMemLocationTypeDevice)
        return fail(cudaErrorInvalidValue);
    const cudaError_t error = add_node(
        node, graph, before, n, cudaGraphNodeTypeMemAlloc, RETURN_ADDRESS,
        [=](cudaStream_t stream) { return cudaMallocAsync(&p->dptr, p->bytesize, stream); });
    if (error == cudaSuccess)
        (*node)->memory = p->dptr;
    return error;
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *before, size_t n, void *memory)
{
    Allocation *a = memory ? allocation_at(memory) : nullptr;
    if (!a || !a->of_graph)
        return fail(cudaErrorInvalidValue);
    return add_node(node, graph, before, n, cudaGraphNodeTypeMemFree, RETURN_ADDRESS,
                    [=](cudaStream_t stream) { return cudaFreeAsync(memory, stream); });
}
cudaError_t cudaDeviceGraphMemTrim(int device)
{
    return device >= 0 && device < settings.device_count ? cudaSuccess
                                                         : fail(cudaErrorInvalidDevice);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags)
{
    DeviceLock lock;
    if (!handle || !graphs.count(graph) || flags > cudaGraphCondAssignDefault)
        return fail(cudaErrorInvalidValue);
    // ours: no leak
    unsigned *condition = (unsigned *)allocate(sizeof *condition, Allocation::device, nullptr);
    if (!condition)
        return fail(cudaErrorMemoryAllocation);
    allocation_at(condition)->name = "the condition";
    if (flags)
        graph->defaults.push_back({condition, initial});
    *handle = (cudaGraphConditionalHandle)condition;
    return cudaSuccess;
}

static cudaError_t add_conditional(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *before, size_t n,
                                   cudaConditionalNodeParams *p, Pc place)
{
    const unsigned *condition = (const unsigned *)p->handle;
    Allocation *a = condition ? allocation_at((void *)condition) : nullptr;
    const bool fits = p->type == cudaGraphCondTypeIf ? p->size == 1 || p->size == 2
                      : p->type == cudaGraphCondTypeWhile
                          ? p->size == 1
                          : p->type == cudaGraphCondTypeSwitch && p->size > 0;
    if (!a || a->place || !fits)
        return fail(cudaErrorInvalidValue);
    const cudaError_t error = add_node(
        node, graph, before, n, cudaGraphNodeTypeConditional, place, [=](cudaStream_t stream) {
            return submit(stream, place, "the conditional node", [=] {
                must_have_values(condition, sizeof *condition, sizeof *condition,
                                 "the conditional node", place);
                touch((u64)condition, sizeof *condition, kRead);
                return cudaSuccess;
            });
        });
    if (error != cudaSuccess)
        return error;
    (*node)->conditional.condition = condition;
    (*node)->conditional.type = p->type;
    for (unsigned i = 0; i < p->size; i++)
        (*node)->bodies.push_back(new_graph());
    p->phGraph_out = (*node)->bodies.data();
    return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *before, size_t n, struct cudaGraphNodeParams *p)
{
    const Pc place = RETURN_ADDRESS;
    if (!p)
        return fail(cudaErrorInvalidValue);
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return add_node(node, graph, before, n, p->type, place, kernel_call(p->kernel));
    case cudaGraphNodeTypeMemcpy:
        return add_node(node, graph, before, n, p->type, place, copy_call(p->memcpy.copyParams));
    case cudaGraphNodeTypeMemset:
        return add_node(node, graph, before, n, p->type, place, memset_call(p->memset));
    case cudaGraphNodeTypeHost:
        return add_node(node, graph, before, n, p->type, place, host_call(p->host));
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(node, graph, before, n, p->graph.graph);
    case cudaGraphNodeTypeEmpty: return add_node(node, graph, before, n, p->type, place, nullptr);
    case cudaGraphNodeTypeConditional:
        return add_conditional(node, graph, before, n, &p->conditional, place);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(node, graph, before, n, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(node, graph, before, n, p->free.dptr);
    default: return fail(cudaErrorNotSupported);
    }
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n)
{
    if (!graphs.count(graph) || !good_dependencies(graph, from, n) ||
        !good_dependencies(graph, to, n))
        return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++)
        to[i]->dependencies.push_back(from[i]);
    return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n)
{
    if (!graphs.count(graph) || !good_dependencies(graph, from, n) ||
        !good_dependencies(graph, to, n))
        return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) {
        auto &list = to[i]->dependencies;
        list.erase(std::remove(list.begin(), list.end(), from[i]), list.end());
    }
    return cudaSuccess;
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    if (!nodes.count(node))
        return fail(cudaErrorInvalidValue);
    auto &all = node->graph->nodes;
    for (cudaGraphNode_t other : all) {
        auto &list = other->dependencies;
        list.erase(std::remove(list.begin(), list.end(), node), list.end());
    }
    all.erase(std::find(all.begin(), all.end(), node));
    delete_parts(node);
    nodes.erase(node);
    delete node;
    return cudaSuccess;
}

// ---- looking at a graph -------------------------------------------------------------------------

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *list, size_t *count)
{
    return graphs.count(graph) ? hand_out(graph->nodes, list, count) : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *list, size_t *count)
{
    if (!graphs.count(graph))
        return fail(cudaErrorInvalidValue);
    std::vector<cudaGraphNode_t> roots;
    for (cudaGraphNode_t node : graph->nodes)
        if (node->dependencies.empty())
            roots.push_back(node);
    return hand_out(roots, list, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count)
{
    if (!graphs.count(graph) || !from != !to)
        return fail(cudaErrorInvalidValue);
    std::vector<cudaGraphNode_t> begins, ends;
    for (cudaGraphNode_t node : graph->nodes)
        for (cudaGraphNode_t before : node->dependencies) {
            begins.push_back(before);
            ends.push_back(node);
        }
    size_t same = count ? *count : 0;
    const cudaError_t error = hand_out(begins, from, count);
    return error == cudaSuccess && to ? hand_out(ends, to, &same) : error;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    if (!nodes.count(node))
        return fail(cudaErrorInvalidValue);
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *list, size_t *count)
{
    return nodes.count(node) ? hand_out(node->dependencies, list, count)
                             : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *list,
                                           size_t *count)
{
    if (!nodes.count(node))
        return fail(cudaErrorInvalidValue);
    std::vector<cudaGraphNode_t> later;
    for (cudaGraphNode_t other : node->graph->nodes)
        if (std::count(other->dependencies.begin(), other->dependencies.end(), node))
            later.push_back(other);
    return hand_out(later, list, count);
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t copy)
{
    if (graphs.count(copy))
        for (cudaGraphNode_t candidate : copy->nodes)
            if (candidate->original == original) {
                *node = candidate;
                return cudaSuccess;
            }
    return fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child)
{
    if (!nodes.count(node) || !node->child)
        return fail(cudaErrorInvalidValue);
    *child = node->child;
    return cudaSuccess;
}
// The arguments belong to the node, and stay until it shows them again.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p)
{
    if (!nodes.count(node) || node->type != cudaGraphNodeTypeKernel || !p)
        return fail(cudaErrorInvalidValue);
    const KernelCall &call = *node->operation.call;
    auto entry = kernel_entries().find(call.kernel);
    if (entry == kernel_entries().end())
        // an instance of a template whose address the program never takes
        return fail(cudaErrorNotSupported);
    node->arguments = call.arguments;
    node->pointers.resize((size_t)entry->second.count);
    entry->second.addresses(node->arguments.data(), node->pointers.data());
    *p = {(void *)call.kernel,   call.grid, call.block, (unsigned)call.shared,
          node->pointers.data(), nullptr};
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p)
{
    return set_node(node, cudaGraphNodeTypeKernel, RETURN_ADDRESS, kernel_call(*p));
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *p)
{
    return set_node(node, cudaGraphNodeTypeMemset, RETURN_ADDRESS, memset_call(*p));
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *p)
{
    return set_node(node, cudaGraphNodeTypeMemcpy, RETURN_ADDRESS, copy_call(*p));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                           size_t bytes, enum cudaMemcpyKind kind)
{
    return set_node(node, cudaGraphNodeTypeMemcpy, RETURN_ADDRESS,
                    copy_call(to, from, bytes, kind));
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *p)
{
    return set_node(node, cudaGraphNodeTypeHost, RETURN_ADDRESS, host_call(*p));
}

// ---- what runs ----------------------------------------------------------------------------------

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    DeviceLock lock;
    if (!graphs.count(graph))
        return fail(cudaErrorInvalidValue);
    *exec = new CUgraphExec_st{copy_of(graph), {}, {}, flags};
    execs.insert(*exec);
    object_created(kGraphExec, *exec, RETURN_ADDRESS);
    const cudaError_t error = prepare(*exec);
    if (error != cudaSuccess)
        cudaGraphExecDestroy(*exec);
    return error;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    DeviceLock lock;
    if (!execs.count(exec))
        return fail(cudaErrorInvalidValue);
    if (exec->not_updated)
        (void)bad_call(RETURN_ADDRESS,
                       "launches the executable graph as it was: the cudaGraphExecUpdate() at " +
                           place_name(exec->not_updated) +
                           " has failed, so it must be instantiated again",
                       cudaSuccess);
    // The last launch's allocations must have been freed, or are freed now.
    for (cudaGraphNode_t node : exec->graph->nodes) {
        if (!node->memory)
            continue;
        run_stream(stream);
        Allocation *a = allocation_at(node->memory);
        if (a && !a->freed && !(exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
            return fail(cudaErrorInvalidValue);
    }
    for (const auto &condition : exec->graph->defaults) {
        const cudaError_t error = submit(stream, RETURN_ADDRESS, "cudaGraphLaunch", [=] {
            *condition.first = condition.second;
            now_initialised(condition.first, sizeof *condition.first);
            return cudaSuccess;
        });
        if (error != cudaSuccess)
            return error;
    }
    return run_items(exec->items, exec->branches, stream);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t)
{
    return execs.count(exec) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    DeviceLock lock;
    if (!execs.erase(exec))
        return fail(cudaErrorInvalidValue);
    for (cudaStream_t branch : exec->branches)
        end_branch(branch);
    object_ended(kGraphExec, exec);
    delete_graph(exec->graph);
    delete exec;
    return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p)
{
    return set_in_exec(exec, node, cudaGraphNodeTypeKernel, RETURN_ADDRESS, kernel_call(*p));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p)
{
    return set_in_exec(exec, node, cudaGraphNodeTypeMemset, RETURN_ADDRESS, memset_call(*p));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *p)
{
    return set_in_exec(exec, node, cudaGraphNodeTypeMemcpy, RETURN_ADDRESS, copy_call(*p));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    return set_in_exec(exec, node, cudaGraphNodeTypeMemcpy, RETURN_ADDRESS,
                       copy_call(to, from, bytes, kind));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p)
{
    return set_in_exec(exec, node, cudaGraphNodeTypeHost, RETURN_ADDRESS, host_call(*p));
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    cudaGraphNode_t copy = twin(exec, node), wrong;
    if (!copy || !copy->child || !graphs.count(child) ||
        compare(copy->child, child, &wrong) != cudaGraphExecUpdateSuccess)
        return fail(cudaErrorInvalidValue);
    take_over(copy->child, child);
    return prepare(exec);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled)
{
    cudaGraphNode_t copy = twin(exec, node);
    if (!copy || copy->child)
        return fail(cudaErrorInvalidValue);
    copy->disabled = !enabled;
    return prepare(exec);
}
cudaError_t emulatedGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                    cudaGraphExecUpdateResultInfo *info)
{
    if (!execs.count(exec) || !graphs.count(graph))
        return fail(cudaErrorInvalidValue);
    cudaGraphNode_t node = nullptr;
    const cudaGraphExecUpdateResult result = compare(exec->graph, graph, &node);
    *info = {result, node, nullptr};
    exec->not_updated = result == cudaGraphExecUpdateSuccess ? nullptr : RETURN_ADDRESS;
    if (result != cudaGraphExecUpdateSuccess)
        return fail(cudaErrorGraphExecUpdateFailure);
    // its nodes still go by the names that they had in the graph it was made from
    take_over(exec->graph, graph);
    return prepare(exec);
}

} // extern "C"
