// graph.h: the interface between streams, which record and run graphs (api_stream.cpp), and graphs
// (graph.cpp).
#ifndef EMULATED_GRAPH_H
#define EMULATED_GRAPH_H
#include <map>

#include "streams.h"

namespace emulated
{

// The operations of a graph in an order that its dependencies allow. Each stream that takes part is
// a branch; branch 0 is the stream that the graph is launched into.
struct Conditional;
struct GraphItem {
    enum { kOperation, kRecord, kWait, kCondition } what;
    int branch, event;
    Operation operation;
    // after its operation, which reads the condition
    std::shared_ptr<const Conditional> conditional;
};
struct Items {
    std::vector<GraphItem> list;
    int branches, events;
    int first; // index of its branch 1 among the branches of the whole graph
};
struct Conditional {
    const unsigned *condition; // in device memory
    cudaGraphConditionalNodeType type;
    std::vector<Items> bodies;
};
struct Recording {
    std::vector<GraphItem> items;
    std::map<cudaStream_t, int> branches;
    cudaStream_t origin;
    int events;
    cudaGraph_t graph; // that the operations are added to, after these nodes; NULL: to a new one
    std::vector<cudaGraphNode_t> after;
};

// ---- api_stream.cpp Records the work that the call submits to the given stream. Returns the
// call's error.
cudaError_t record_call(Operation *operation, const std::function<cudaError_t(cudaStream_t)> &call);
cudaStream_t make_branch();
void end_branch(cudaStream_t branch);
cudaError_t run_items(const Items &items, const std::vector<cudaStream_t> &branches,
                      cudaStream_t handle);

// ---- graph.cpp
cudaGraph_t graph_of(const Recording &recording);
bool can_be_added_to(cudaGraph_t graph, const cudaGraphNode_t *before, size_t n);

} // namespace emulated
#endif
