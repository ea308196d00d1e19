// library.cpp: see library.h
#include "library.h"

#include "streams.h"

namespace emulated
{

bool device_array(const void *p, u64 bytes, const char *call, const char *name, Pc place)
{
    if (bytes == 0)
        return true;
    Region *r = region_of((u64)p);
    bool ours = r && r->space != kShared;
    if (ours && r == &regions[kArena]) {
        Allocation *a = allocation_around((u64)p);
        u64 offset = (u64)p - (u64)r->begin;
        ours = a && !a->freed && offset + bytes <= a->offset + a->size;
    }
    if (ours || registered_host((u64)p))
        return true;
    report({"bad-copy", place, nullptr, object_name((u64)p),
            std::string(call) + ": " + std::to_string(bytes) + " bytes of " + name + " begin at " +
                describe((u64)p) + ", which is not that much device memory",
            0});
    return false;
}

bool scalar_argument(const void *p, u64 bytes, bool on_device, const char *call, const char *name,
                     Pc place)
{
    if (on_device && p && !region_of((u64)p) && !registered_host((u64)p)) {
        report({"host-dereference", place, nullptr, name,
                std::string(call) + ": " + name + " is " + describe((u64)p) +
                    ", but the pointer mode is CUBLAS_POINTER_MODE_DEVICE",
                0});
        return false;
    }
    if (on_device)
        return device_array(p, bytes, call, name, place);
    if (p && !device_only((u64)p))
        return true;
    report({"host-dereference", place, nullptr, name,
            std::string(call) + ": " + name +
                " is a device pointer, but the pointer mode is CUBLAS_POINTER_MODE_HOST",
            0});
    return false;
}

void now_initialised(const void *p, u64 bytes)
{
    touch((u64)p, bytes, kWrite);
    if (Region *r = region_of((u64)p))
        mark(*r, (u64)p - (u64)r->begin, bytes, kInitialised, 0);
}

void must_have_values(const void *p, u64 bytes, u32 element, const char *call, Pc place)
{
    if (settings.fast)
        return;
    for (u64 a = (u64)p; a < (u64)p + bytes; a += element) {
        const Region *r = region_of(a);
        if (!r || !wholly_unknown(a, element))
            continue;
        Allocation *allocation = r == &regions[kArena] ? allocation_around(a) : nullptr;
        report({"uninitialised-read", place, nullptr, object_name(a),
                std::string(call) + " reads " + describe(a) + ", which nothing has written yet",
                allocation ? allocation->offset : 0});
        return;
    }
}

} // namespace emulated
