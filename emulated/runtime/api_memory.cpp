// api_memory.cpp: allocation, copies, and mistakes in them.
#include "emulator.h"

#include <cstring>
#include <set>
#include <sys/uio.h>
#include <unistd.h>

#include "objects.h"
#include "streams.h"
#include "times.h"

#define RETURN_ADDRESS place_of_call(__builtin_return_address(0))

namespace emulated
{

void atomic_access(u64 address, u32 bytes, u8 flags, Pc pc, u64 frame); // hooks.cpp

// The name of this host thread's next allocation.
static thread_local struct {
    const char *name;
    u32 element;
} next_name;

static cudaError_t allocate_for(void **p, size_t bytes, Allocation::Kind kind, Pc place,
                                size_t pitch = 0)
{
    if (const cudaError_t error = refuse_in_host_function(place, "an allocation"))
        return error;
    DeviceLock lock;
    const auto name = next_name;
    next_name = {};
    if (!p)
        return bad_call(place,
                        "the first argument is NULL: the address of the pointer is wanted, (void "
                        "**)&pointer, not the pointer itself",
                        cudaErrorInvalidValue);
    if (sticky_error() != cudaSuccess)
        return fail(sticky_error());
    if (device_only((u64)p))
        host_access((u64)p, sizeof *p, kWrite, place);
    *p = nullptr;
    if (bytes == 0)
        return cudaSuccess;
    *p = allocate(bytes, kind, place);
    note_allocated(bytes, place, !*p);
    if (!*p)
        return fail(cudaErrorMemoryAllocation);
    Allocation &a = *allocation_at(*p);
    a.pitch = pitch;
    if (name.name) {
        a.name = name.name;
        a.element = name.element;
    }
    object_created(a);
    return cudaSuccess;
}

static cudaError_t free_checked(void *p, Pc place, const char *call, bool pinned)
{
    DeviceLock lock;
    if (!p)
        return cudaSuccess;
    Allocation *a = allocation_at(p);
    const char *wrong =
        !a         ? "is given an address that no allocation starts at"
        : a->freed ? "frees what has been freed before"
        : a->kind == Allocation::heap
            ? "is given memory of malloc() in a kernel, which only a kernel can free"
        : (a->kind == Allocation::pinned) != pinned
            ? pinned ? "frees memory of the host by cudaMallocHost(), not of the device"
                     : "frees memory of the device, not of the host (cudaFreeHost)"
            : nullptr;
    if (wrong) {
        report({"invalid-address", place, nullptr, object_name((u64)p),
                std::string(call) + " " + wrong + ": " + describe((u64)p) +
                    (a || !pinned ? "" : " (cudaMallocHost allocates what it frees)"),
                0});
        return fail(pinned ? cudaErrorInvalidHostPointer : cudaErrorInvalidDevicePointer);
    }
    release(*a, place);
    return sticky_error();
}

// As the real calls do, it waits.
static cudaError_t free_now(void *p, Pc place, const char *call, bool pinned)
{
    if (const cudaError_t error = refuse_in_host_function(place, call))
        return error;
    wait_for_every_device();
    return free_checked(p, place, call, pinned);
}

// cudaMalloc() in a kernel takes memory of the device's heap.
static cudaError_t allocate_in_kernel(void **p, size_t bytes, Pc place)
{
    const auto name = next_name;
    next_name = {};
    void *const block = bytes ? new_on_device(bytes, place) : nullptr;
    if (block && name.name) {
        Allocation &a = *allocation_at(block);
        a.name = name.name;
        a.element = name.element;
    }
    if (!on_fiber((u64)p))
        atomic_access((u64)p, sizeof *p, kWrite, place, EMULATED_FRAME);
    *p = block;
    return block || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}

bool is_variable(u64 p)
{
    Region *r = region_of(p);
    return r == &regions[kDeviceVariables] || r == &regions[kConstants] ||
           r == &regions[kManagedVariables];
}

static cudaError_t bad_copy(Pc place, u64 address, const std::string &message, cudaError_t error)
{
    std::string text = message;
    if (source_of(place).find("thrust::") != std::string::npos && text.compare(0, 4, "cuda") == 0)
        text.replace(0, text.find_first_of("' "), "the copy");
    report({"bad-copy", place, nullptr, object_name(address), text, 0});
    return fail(error);
}

// A size that was computed as a negative number of bytes: size_t has no sign.
std::string size_text(u64 bytes)
{
    const std::string number = std::to_string(bytes) + " bytes";
    return (long long)bytes < 0
               ? number + ", which is " + std::to_string((long long)bytes) + " as a signed number"
               : number;
}

// Does [p, p + bytes) of the host's memory lie within one array that we know?
static std::string host_range_problem(u64 p, size_t bytes)
{
    u64 begin, size;
    if (host_block_around(p, &begin, &size)) {
        if (bytes <= begin + size - p)
            return "";
        return "runs past the end of host memory: " + size_text(bytes) + " at byte " +
               std::to_string(p - begin) + " of an array of " + std::to_string(size);
    }
    const Symbol *s = symbol_at(p);
    if (!s || s->function || bytes <= s->address + s->size - p)
        return "";
    return "runs past the end of the host variable " + demangled_name(s->name) + ": " +
           size_text(bytes) + " at byte " + std::to_string(p - s->address) + " of its " +
           std::to_string(s->size);
}

// Does [p, p + bytes) lie within one live allocation (or in host memory that we know nothing
// about)?
static std::string range_problem(u64 p, size_t bytes)
{
    if (bytes == 0)
        return "";
    if (is_variable(p)) {
        const Symbol *s = symbol_at(p);
        return !s || bytes <= s->address + s->size - p
                   ? ""
                   : "runs past the end: " + size_text(bytes) + " at " + describe(p);
    }
    if (!in_arena(p))
        return p < 4096 ? "is a null pointer" : host_range_problem(p, bytes);
    Allocation *a = allocation_around(p);
    u64 offset = p - (u64)regions[kArena].begin;
    if (!a || offset >= a->offset + a->size || a->freed)
        return "is " + describe(p);
    if (a->kind == Allocation::heap)
        return "is " + describe(p) + ", by malloc() in a kernel: only kernels can use that";
    if (bytes > a->offset + a->size - offset)
        return "runs past the end: " + size_text(bytes) + " at " + describe(p) +
               (offset == a->offset && is_size_in_elements(*a, bytes)
                    ? ": it was allocated with the number of elements, where bytes are wanted"
                    : "");
    return "";
}

// The bytes from the first to the last row; too many for any memory when the numbers wrap.
static size_t rows_extent(size_t pitch, size_t width, size_t height)
{
    size_t all;
    if (__builtin_mul_overflow(pitch, height - 1, &all) || __builtin_add_overflow(all, width, &all))
        return ~(size_t)0;
    return all;
}

// Symbols whose address the program has asked for. To copy from or to another one by its name is a
// mistake: in host code the name is a variable of the host.
static std::set<u64> address_asked EMULATED_EARLY;

std::string symbol_problem(u64 p, const char *call)
{
    Region *r = region_of(p);
    const Symbol *s =
        r == &regions[kDeviceVariables] || r == &regions[kConstants] ? symbol_at(p) : nullptr;
    if (!s || strstr(call, "Symbol") || address_asked.count(s->address))
        return "";
    return demangled_name(s->name) +
           " is a device variable: in host code its name is another variable, of the host. ";
}

// Says so if host memory holds a pointer to device memory: then its address was passed.
static std::string pointer_there(u64 address)
{
    u64 value = 0;
    iovec here = {&value, sizeof value}, there = {(void *)address, sizeof value};
    if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != sizeof value || !device_only(value))
        return "";
    const Allocation *a = allocation_at((void *)value);
    return a && a->name ? std::string(" that holds the pointer ") + a->name + ": pass " + a->name +
                              ", not its address"
                        : "";
}

static bool on_device(u64 address) { return device_only(address) || is_variable(address); }

static cudaError_t check_copy(u64 to, u64 from, size_t bytes, int kind, Pc place, const char *call)
{
    bool to_device = on_device(to), from_device = on_device(from);
    bool to_host = !to_device, from_host = !from_device;
    bool to_either = in_arena(to) || registered_host(to),
         from_either = in_arena(from) || registered_host(from);
    if (kind < 0 || kind > cudaMemcpyDefault)
        return fail(cudaErrorInvalidMemcpyDirection);
    if (bytes == 0)
        return cudaSuccess;
    if ((long long)bytes < 0)
        return bad_copy(place, to, std::string(call) + " is asked for " + size_text(bytes),
                        cudaErrorInvalidValue);
    if (!to || !from)
        return bad_copy(
            place, 0,
            std::string(call) + "'s " + (to ? "source" : "destination") +
                " is a null pointer (no allocation has filled it in, or that has failed)",
            cudaErrorInvalidValue);
    const std::string symbol_to = symbol_problem(to, call),
                      symbol_from = symbol_problem(from, call);
    if (!symbol_to.empty())
        return bad_copy(
            place, to, std::string(call) + "'s destination " + symbol_to + "Use cudaMemcpyToSymbol",
            cudaErrorInvalidValue);
    if (!symbol_from.empty())
        return bad_copy(place, from,
                        std::string(call) + "'s source " + symbol_from + "Use cudaMemcpyFromSymbol",
                        cudaErrorInvalidValue);
    const char *wrong = nullptr;
    if ((kind == cudaMemcpyHostToDevice && from_device && to_host && !to_either) ||
        (kind == cudaMemcpyDeviceToHost && to_device && from_host && !from_either))
        return bad_copy(place, to,
                        std::string(call) + " is told " +
                            (kind == cudaMemcpyHostToDevice
                                 ? "cudaMemcpyHostToDevice, but the source is device memory and "
                                   "the destination host memory"
                                 : "cudaMemcpyDeviceToHost, but the source is host memory and the "
                                   "destination device memory") +
                            ": either they are exchanged (the destination comes first), or the "
                            "direction is wrong",
                        cudaErrorInvalidValue);
    if ((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) && to_host &&
        !to_either)
        wrong = "copies to the device, but the destination is host memory";
    else if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) && from_host &&
             !from_either)
        wrong = "copies from the device, but the source is host memory";
    else if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) && to_device)
        wrong = "copies to the host, but the destination is device memory";
    else if ((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) && from_device)
        wrong = "copies from the host, but the source is device memory";
    if (wrong)
        return bad_copy(place, to_device || (to_host && !to_either) ? to : from,
                        std::string(call) + " " + wrong +
                            (!strstr(call, "Symbol") ? pointer_there(to_host ? to : from)
                             : bytes == sizeof(void *)
                                 ? " (of a pointer that is to be stored itself, pass the address)"
                                 : " (the fourth argument is an offset, the fifth the direction)"),
                        cudaErrorInvalidValue);
    std::string problem = range_problem(to, bytes);
    if (!problem.empty())
        return bad_copy(place, to, std::string(call) + "'s destination " + problem,
                        cudaErrorInvalidValue);
    problem = range_problem(from, bytes);
    if (!problem.empty())
        return bad_copy(place, from, std::string(call) + "'s source " + problem,
                        cudaErrorInvalidValue);
    if (to != from && to < from + bytes && from < to + bytes)
        return bad_copy(place, to,
                        std::string(call) + ": source and destination overlap (" +
                            std::to_string(bytes) + " bytes, " +
                            std::to_string(to > from ? to - from : from - to) +
                            " apart): the result is undefined. Copy to a third place first",
                        cudaSuccess);
    return cudaSuccess;
}

bool is_managed(u64 p)
{
    const Allocation *a = device_only(p) ? nullptr : allocation_around(p);
    return (a && a->kind == Allocation::managed) || region_of(p) == &regions[kManagedVariables];
}

static bool is_pageable(u64 p) { return !in_arena(p) && !is_variable(p) && !registered_host(p); }

static void count_copy(u64 to, u64 from, size_t bytes)
{
    const bool to_device = on_device(to), from_device = on_device(from);
    if (to_device && !from_device)
        counters_from_host(bytes);
    else if (from_device && !to_device)
        note_results_for_host();
    if (counting_work && to_device != from_device)
        work_of_copy(bytes, to_device,
                     is_pageable(to_device ? from : to) ? COPY_pageable_copy
                                                        : COPY_page_locked_copy);
}

static cudaError_t copy(void *to, const void *from, size_t bytes, int kind, Pc place,
                        const char *call)
{
    DeviceLock lock;
    if (sticky_error() != cudaSuccess)
        return fail(sticky_error());
    cudaError_t error = check_copy((u64)to, (u64)from, bytes, kind, place, call);
    if (error != cudaSuccess || bytes == 0)
        return error;
    learn_host_writes((u64)from, bytes);
    touch((u64)from, bytes, kRead);
    touch((u64)to, bytes, kWrite);
    memmove(to, from, bytes);
    const u64 known = copy_initialised((u64)to, (u64)from, bytes);
    note_copy((u64)to, (u64)from, bytes, known, place, call);
    note_host_copy((u64)to, (u64)from, bytes, place, call);
    count_copy((u64)to, (u64)from, bytes);
    return cudaSuccess;
}

static bool is_page_locked(u64 p)
{
    if (registered_host(p))
        return true;
    const Allocation *a = allocation_around(p);
    return a && a->kind == Allocation::pinned;
}

static cudaError_t copy_in_stream(void *to, const void *from, size_t bytes, int kind, Pc place,
                                  const char *call)
{
    bool late = runs_at_once() && bytes && !device_only((u64)to) && is_page_locked((u64)to) &&
                on_device((u64)from);
    deliver_overlapping(to, bytes);
    deliver_overlapping(from, bytes);
    cudaError_t error = late ? check_copy((u64)to, (u64)from, bytes, kind, place, call)
                             : copy(to, from, bytes, kind, place, call);
    if (late && error == cudaSuccess && sticky_error() == cudaSuccess) {
        touch((u64)from, bytes, kRead);
        touch((u64)to, bytes, kWrite);
        count_copy((u64)to, (u64)from, bytes);
        copy_later(to, from, bytes);
    }
    return error;
}

thread_local const char *outer_call;

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, int kind, Pc place, const char *call)
{
    DeviceLock lock;
    if (sticky_error() != cudaSuccess)
        return fail(sticky_error());
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (width > to_pitch || width > from_pitch)
        return bad_copy(place, (u64)to,
                        std::string(call) + ": rows of " + std::to_string(width) +
                            " bytes do not fit a pitch of " +
                            std::to_string(width > to_pitch ? to_pitch : from_pitch),
                        cudaErrorInvalidPitchValue);
    cudaError_t error = check_copy((u64)to, (u64)from, 1, kind, place, call);
    if (error != cudaSuccess)
        return error;
    std::string problem = range_problem((u64)to, rows_extent(to_pitch, width, height));
    if (!problem.empty())
        return bad_copy(place, (u64)to, std::string(call) + "'s destination " + problem,
                        cudaErrorInvalidValue);
    problem = range_problem((u64)from, rows_extent(from_pitch, width, height));
    if (!problem.empty())
        return bad_copy(place, (u64)from, std::string(call) + "'s source " + problem,
                        cudaErrorInvalidValue);
    learn_host_writes((u64)from, from_pitch * (height - 1) + width);
    for (size_t row = 0; row < height; row++) {
        touch((u64)from + row * from_pitch, width, kRead);
        touch((u64)to + row * to_pitch, width, kWrite);
        memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
        copy_initialised((u64)to + row * to_pitch, (u64)from + row * from_pitch, width);
    }
    note_rows((u64)to, width, from_pitch, place, call);
    count_copy((u64)to, (u64)from, width * height);
    return cudaSuccess;
}

static cudaError_t set_rows(void *p, size_t pitch, int value, size_t width, size_t height, Pc place)
{
    DeviceLock lock;
    if (sticky_error() != cudaSuccess)
        return fail(sticky_error());
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (!in_arena((u64)p) && !is_variable((u64)p) && !registered_host((u64)p))
        return bad_copy(place, (u64)p,
                        "cudaMemset's destination is " + describe((u64)p) + ", not device memory",
                        cudaErrorInvalidValue);
    std::string problem = range_problem((u64)p, rows_extent(pitch, width, height));
    if (!problem.empty())
        return bad_copy(place, (u64)p, "cudaMemset's destination " + problem,
                        cudaErrorInvalidValue);
    for (size_t row = 0; row < height; row++) {
        touch((u64)p + row * pitch, width, kWrite);
        memset((char *)p + row * pitch, value, width);
        if (Region *r = region_of((u64)p))
            mark(*r, (u64)p + row * pitch - (u64)r->begin, width, kInitialised, 0);
    }
    if (height == 1)
        note_set((u64)p, width, place);
    return cudaSuccess;
}

// A memset is the work of its stream's device, which must be able to use the memory.
static cudaError_t check_memset(const void *p, cudaStream_t stream, Pc place, const char *call)
{
    const std::string symbol = symbol_problem((u64)p, call);
    if (!symbol.empty())
        return bad_copy(place, (u64)p,
                        std::string(call) + "'s destination " + symbol +
                            "cudaGetSymbolAddress() gives the device's address",
                        cudaErrorInvalidValue);
    const int owner = owner_of((u64)p), of_stream = device_of_stream(stream);
    const int device = of_stream < 0 ? current_device() : of_stream;
    if (owner < 0 || may_use_memory_of(device, owner))
        return cudaSuccess;
    return bad_copy(place, (u64)p,
                    std::string(call) + "'s destination is memory of device " +
                        std::to_string(owner) + ", and " +
                        (of_stream < 0 ? "the active device is " : "the stream is one of device ") +
                        std::to_string(device) + ", which has no peer access to it",
                    cudaErrorInvalidValue);
}

// The host waits for a copy. Then the copy has run, and its error is known.
enum Waiter { kNobody, kDevice, kHost };

static cudaError_t submit_copy(cudaStream_t stream, Pc place, const char *call, Work work,
                               Waiter waiter, Engine engine = kNoEngine)
{
    if (waiter == kNobody || is_captured(stream))
        return submit(stream, place, call, work, engine);
    auto result = std::make_shared<cudaError_t>(cudaSuccess);
    const cudaError_t error = submit(
        stream, place, call, [=] { return *result = work(); }, engine);
    if (error != cudaSuccess)
        return error;
    if (waiter == kHost)
        wait_for_stream(stream);
    else
        run_stream(stream);
    return *result;
}

// The host waits until pageable memory has arrived, and until it has been read: then it may be used
// again, but the copy need not have reached the device. Between two places on the device, nobody
// waits.
static Waiter waiter_of_copy(const void *to, const void *from, bool synchronous)
{
    if (synchronous)
        return device_only((u64)to) && device_only((u64)from) ? kDevice : kHost;
    return is_pageable((u64)to) ? kHost : is_pageable((u64)from) ? kDevice : kNobody;
}

static Engine engine_of_copy(const void *to, const void *from)
{
    const bool to_device = on_device((u64)to), from_device = on_device((u64)from);
    return to_device == from_device ? kNoEngine : to_device ? kCopyIn : kCopyOut;
}

// Is each place on the device that the call names? With unified addresses the copy is still made.
static cudaError_t check_peers(const void *to, int to_device, const void *from, int from_device,
                               Pc place, const char *call)
{
    const struct {
        const void *p;
        int device;
        const char *what;
    } ends[2] = {{to, to_device, "destination"}, {from, from_device, "source"}};
    for (const auto &end : ends) {
        if (end.device < 0 || end.device >= settings.device_count)
            return fail(cudaErrorInvalidDevice);
        const int owner = owner_of((u64)end.p);
        if (owner >= 0 && owner != end.device)
            bad_copy(place, (u64)end.p,
                     std::string(call) + "'s " + end.what + " is said to be on device " +
                         std::to_string(end.device) + ", but is " + describe((u64)end.p) +
                         ", on device " + std::to_string(owner),
                     cudaSuccess);
    }
    return cudaSuccess;
}

} // namespace emulated

using namespace emulated;

extern "C" {

void emulated_name_allocation(const char *name, size_t element)
{
    next_name = {name, (u32)element};
}

cudaError_t cudaMalloc(void **p, size_t bytes)
{
    if (on_fiber(EMULATED_FRAME))
        return allocate_in_kernel(p, bytes, RETURN_ADDRESS);
    return allocate_for(p, bytes, Allocation::device, RETURN_ADDRESS);
}
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream)
{
    Pc place = place_of_call(RETURN_ADDRESS);
    const cudaError_t error = allocate_for(p, bytes, Allocation::device, place);
    if (error != cudaSuccess || bytes == 0)
        return error;
    const u64 begin = (u64)*p;
    Allocation &a = *allocation_at(*p);
    a.of_graph = is_captured(stream); // each launch of the graph allocates it
    if (a.of_graph)
        release(a, nullptr);
    return submit(stream, place, "cudaMallocAsync", [=] { // there for what comes after this
        touch(begin, bytes, kWrite);
        Allocation *again = allocation_at((void *)begin);
        if (again && again->of_graph)
            allocate_again(*again);
        return cudaSuccess;
    });
}
cudaError_t cudaMallocHost(void **p, size_t bytes)
{
    return allocate_for(p, bytes, Allocation::pinned, RETURN_ADDRESS);
}
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned int)
{
    return allocate_for(p, bytes, Allocation::pinned, RETURN_ADDRESS);
}
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned int)
{
    if (!settings.device.managedMemory)
        return fail(cudaErrorNotSupported);
    return allocate_for(p, bytes, Allocation::managed, RETURN_ADDRESS);
}
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return allocate_for(p, *pitch * height, Allocation::device, RETURN_ADDRESS, *pitch);
}

cudaError_t cudaFree(void *p)
{
    if (on_fiber(EMULATED_FRAME)) {
        free_on_device(p, RETURN_ADDRESS, true);
        return cudaSuccess;
    }
    return free_now(p, RETURN_ADDRESS, "cudaFree", false);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream)
{
    Pc place = place_of_call(RETURN_ADDRESS);
    return submit_copy(
        stream, place, "cudaFreeAsync",
        [=] {
            Allocation *a = allocation_at(p);
            if (a && !a->freed)
                touch((u64)p, a->size, kWrite);
            return free_checked(p, place, "cudaFreeAsync", false);
        },
        kDevice);
}
cudaError_t cudaFreeHost(void *p) { return free_now(p, RETURN_ADDRESS, "cudaFreeHost", true); }

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int)
{
    if (!p || bytes == 0)
        return fail(cudaErrorInvalidValue);
    if (registered_host((u64)p))
        return fail(cudaErrorHostMemoryAlreadyRegistered);
    register_host(p, bytes, true);
    object_created(kRegisteredMemory, (u64)p, RETURN_ADDRESS, bytes);
    return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *p)
{
    if (!registered_host((u64)p))
        return fail(cudaErrorHostMemoryNotRegistered);
    wait_for_every_device();
    register_host(p, 0, false);
    object_ended(kRegisteredMemory, p);
    return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void **p, void *host, unsigned int)
{
    *p = host;
    return in_arena((u64)host) || registered_host((u64)host) ? cudaSuccess
                                                             : fail(cudaErrorInvalidValue);
}
cudaError_t cudaHostGetFlags(unsigned int *flags, void *)
{
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    *total = settings.device.totalGlobalMem;
    *free_bytes = *total - device_bytes_in_use(current_device());
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    Pc place = RETURN_ADDRESS;
    return submit_copy(
        nullptr, place, "cudaMemcpy",
        [=] { return copy(to, from, bytes, kind, place, "cudaMemcpy"); },
        waiter_of_copy(to, from, true), engine_of_copy(to, from));
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    const char *call = outer_call ? outer_call : "cudaMemcpyAsync";
    if (!runs_at_once()) {
        const cudaError_t error = check_copy((u64)to, (u64)from, bytes, kind, place, call);
        if (error != cudaSuccess)
            return error;
    }
    return submit_copy(
        stream, place, call, [=] { return copy_in_stream(to, from, bytes, kind, place, call); },
        waiter_of_copy(to, from, false), engine_of_copy(to, from));
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    Pc place = RETURN_ADDRESS;
    const char *call = outer_call ? outer_call : "cudaMemcpy2D";
    return submit_copy(
        nullptr, place, call,
        [=] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, place, call); },
        waiter_of_copy(to, from, true), engine_of_copy(to, from));
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    const char *call = outer_call ? outer_call : "cudaMemcpy2DAsync";
    return submit_copy(
        stream, place, call,
        [=] {
            deliver_overlapping(from, from_pitch * height);
            deliver_overlapping(to, to_pitch * height);
            return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, place, call);
        },
        waiter_of_copy(to, from, false), engine_of_copy(to, from));
}
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    Pc place = RETURN_ADDRESS;
    const cudaError_t error =
        check_peers(to, to_device, from, from_device, place, "cudaMemcpyPeer");
    if (error != cudaSuccess)
        return error;
    return submit_between(to_device, from_device, place, "cudaMemcpyPeer", [=] {
        return copy(to, from, bytes, cudaMemcpyDeviceToDevice, place, "cudaMemcpyPeer");
    });
}
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    const cudaError_t error =
        check_peers(to, to_device, from, from_device, place, "cudaMemcpyPeerAsync");
    if (error != cudaSuccess)
        return error;
    return submit(stream, place, "cudaMemcpyPeerAsync", [=] {
        return copy(to, from, bytes, cudaMemcpyDeviceToDevice, place, "cudaMemcpyPeerAsync");
    });
}
cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
    Pc place = RETURN_ADDRESS;
    const cudaError_t error = check_memset(p, nullptr, place, "cudaMemset");
    if (error != cudaSuccess)
        return error;
    return submit_copy(
        nullptr, place, "cudaMemset", [=] { return set_rows(p, bytes, value, bytes, 1, place); },
        device_only((u64)p) ? kDevice : kHost);
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    const cudaError_t error = check_memset(p, stream, place, "cudaMemsetAsync");
    if (error != cudaSuccess)
        return error;
    return submit(stream, place, "cudaMemsetAsync",
                  [=] { return set_rows(p, bytes, value, bytes, 1, place); });
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    Pc place = RETURN_ADDRESS;
    const cudaError_t error = check_memset(p, nullptr, place, "cudaMemset2D");
    if (error != cudaSuccess)
        return error;
    return submit_copy(
        nullptr, place, "cudaMemset2D",
        [=] { return set_rows(p, pitch, value, width, height, place); },
        device_only((u64)p) ? kDevice : kHost);
}
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    const cudaError_t error = check_memset(p, stream, place, "cudaMemset2DAsync");
    if (error != cudaSuccess)
        return error;
    return submit(stream, place, "cudaMemset2DAsync",
                  [=] { return set_rows(p, pitch, value, width, height, place); });
}

cudaError_t emulatedMemsetElements(void *p, size_t pitch, unsigned int value, size_t element,
                                   size_t width, size_t height, cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    return submit(stream, place, "cudaMemsetAsync", [=] {
        const cudaError_t error = set_rows(p, pitch, (int)value, width, height, place);
        for (size_t row = 0; error == cudaSuccess && row < height; row++)
            for (size_t i = 0; i < width; i += element)
                memcpy((char *)p + row * pitch + i, &value, element); // its lowest bytes
        return error;
    });
}

void emulatedAddressAsked(const void *symbol)
{
    DeviceLock lock;
    address_asked.insert((u64)symbol);
}

cudaError_t emulatedPrefetch(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    const Pc place = RETURN_ADDRESS;
    const bool to_device = device != cudaCpuDeviceId;
    if (!is_managed((u64)p))
        return bad_call(
            place,
            "cudaMemPrefetchAsync moves managed memory (cudaMallocManaged), and this is " +
                describe((u64)p),
            cudaErrorInvalidValue);
    return submit(
        stream, place, "cudaMemPrefetchAsync",
        [=] {
            if (counting_work && bytes)
                work_of_prefetch((u64)p, bytes, to_device);
            return cudaSuccess;
        },
        to_device ? kCopyIn : kCopyOut);
}

cudaError_t emulatedCopySymbol(void *symbol, void *host, size_t bytes, size_t offset, int to_symbol,
                               enum cudaMemcpyKind kind, cudaStream_t stream)
{
    Pc place = RETURN_ADDRESS;
    const char *call = to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
    if (!is_variable((u64)symbol) && !in_executable_constants((u64)symbol, 1))
        return bad_copy(place, (u64)symbol,
                        std::string(call) +
                            ": the symbol is no __device__ or __constant__ variable",
                        cudaErrorInvalidSymbol);
    const Symbol *s = symbol_at((u64)symbol);
    if (s && (u64)symbol + offset + bytes > s->address + s->size)
        return bad_copy(place, (u64)symbol,
                        std::string(call) + ": " + std::to_string(bytes) + " bytes at offset " +
                            std::to_string(offset) + " of " + demangled_name(s->name) +
                            ", which has " + std::to_string(s->size),
                        cudaErrorInvalidValue);
    char *there = (char *)symbol + offset;
    return submit_copy(
        stream, place, call,
        [=] {
            return to_symbol ? copy(there, host, bytes, kind, place, call)
                             : copy(host, there, bytes, kind, place, call);
        },
        stream ? waiter_of_copy(to_symbol ? there : host, to_symbol ? host : there, false) : kHost);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *p)
{
    memset(attributes, 0, sizeof *attributes);
    Allocation *a = allocation_around((u64)p);
    if (!a || a->freed) {
        attributes->type =
            registered_host((u64)p) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
        attributes->device = -2;
        attributes->hostPointer = (void *)p;
        return cudaSuccess;
    }
    attributes->type = a->kind == Allocation::device   ? cudaMemoryTypeDevice
                       : a->kind == Allocation::pinned ? cudaMemoryTypeHost
                                                       : cudaMemoryTypeManaged;
    attributes->device = a->owner;
    attributes->devicePointer = (void *)p;
    attributes->hostPointer = a->kind == Allocation::device ? nullptr : (void *)p;
    return cudaSuccess;
}

// Memory of one process cannot be shown to another here.
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *)
{
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int)
{
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaIpcCloseMemHandle(void *) { return fail(cudaErrorNotSupported); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t)
{
    return fail(cudaErrorNotSupported);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t)
{
    return fail(cudaErrorNotSupported);
}

} // extern "C"

// In the namespace, by which memory.cpp knows those variables of a thread that are the runtime's
namespace emulated
{
static const char *range_problem_at(const char *call, u64 address, size_t bytes, Pc place)
{
    static thread_local std::string line;
    DeviceLock lock;
    const std::string problem = range_problem(address, bytes);
    if (problem.empty())
        return nullptr;
    line = place_name(place) + ": the memory that " + call + " uses " + problem;
    return line.c_str();
}
} // namespace emulated

extern "C" const char *emulatedRangeProblem(const char *call, const void *data, size_t bytes,
                                            const void *place)
{
    return emulated::range_problem_at(call, (u64)data, bytes, (Pc)place);
}
