// pools.cpp: memory pools. All memory comes from the same place; a pool is a set of attributes that
// can be read again.
#include "emulator.h"

#include <map>
#include <set>

#include "objects.h"
#include "streams.h"

struct CUmemPoolHandle_st {
    int device;
    std::map<int, unsigned long long> attributes;
    std::map<int, cudaMemAccessFlags> access; // of other devices
};

namespace emulated
{

static CUmemPoolHandle_st defaults[64];
static cudaMemPool_t chosen[64]; // NULL: the default one
static std::set<cudaMemPool_t> created EMULATED_EARLY;

static bool is_device(int device) { return device >= 0 && device < settings.device_count; }
static bool is_pool(cudaMemPool_t pool)
{
    return (pool >= defaults && pool < defaults + 64) || created.count(pool);
}

// Switches are ints, sizes have 64 bits.
static bool is_switch(cudaMemPoolAttr attribute)
{
    return attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

} // namespace emulated

using namespace emulated;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (!is_device(device))
        return fail(cudaErrorInvalidDevice);
    defaults[device].device = device;
    *pool = &defaults[device];
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
    if (error == cudaSuccess && emulated::chosen[device])
        *pool = emulated::chosen[device];
    return error;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (!is_device(device) || !is_pool(pool))
        return fail(cudaErrorInvalidValue);
    emulated::chosen[device] = pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *props)
{
    if (!pool || !props || !is_device(props->location.id) ||
        props->allocType != cudaMemAllocationTypePinned)
        return fail(cudaErrorInvalidValue);
    DeviceLock lock;
    *pool = new CUmemPoolHandle_st{props->location.id, {}, {}};
    created.insert(*pool);
    object_created(kPool, *pool, __builtin_return_address(0));
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    DeviceLock lock;
    if (!created.erase(pool))
        return fail(cudaErrorInvalidValue);
    for (cudaMemPool_t &used : emulated::chosen)
        used = used == pool ? nullptr : used;
    object_ended(kPool, pool);
    delete pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    if (!is_pool(pool) || !value)
        return fail(cudaErrorInvalidValue);
    pool->attributes[attribute] = is_switch(attribute) ? (u64) * (int *)value : *(u64 *)value;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value)
{
    if (!is_pool(pool) || !value)
        return fail(cudaErrorInvalidValue);
    bool in_use = attribute == cudaMemPoolAttrUsedMemCurrent ||
                  attribute == cudaMemPoolAttrReservedMemCurrent;
    u64 now = in_use ? device_bytes_in_use(pool->device) : pool->attributes[attribute];
    if (is_switch(attribute))
        *(int *)value = (int)now;
    else
        *(u64 *)value = now;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t)
{
    return is_pool(pool) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
// Which devices may use the pool's memory. Its own always may.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *list, size_t count)
{
    if (!is_pool(pool) || (!list && count))
        return fail(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) {
        const cudaMemAccessFlags flags = list[i].flags;
        if (list[i].location.type != cudaMemLocationTypeDevice ||
            flags == cudaMemAccessFlagsProtRead)
            return fail(cudaErrorNotSupported);
        if (!is_device(list[i].location.id) ||
            (list[i].location.id == pool->device && flags != cudaMemAccessFlagsProtReadWrite))
            return fail(cudaErrorInvalidDevice);
        pool->access[list[i].location.id] = list[i].flags;
    }
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 cudaMemLocation *location)
{
    if (!is_pool(pool) || !flags || !location || location->type != cudaMemLocationTypeDevice ||
        !is_device(location->id))
        return fail(cudaErrorInvalidValue);
    *flags =
        location->id == pool->device ? cudaMemAccessFlagsProtReadWrite : pool->access[location->id];
    return cudaSuccess;
}

} // extern "C"
