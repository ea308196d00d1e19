/* The problem size: the given one if there is room for it, otherwise one that suits the device. */
#include "size.h"
#include "device.h"
#include "fail.h"
#include "machine.h"
#include "options.h"
#include "ranks.h"
#include <math.h>
#include <stdint.h>

static size_t size;

size_t harnessSize(void) { return size; }

void sizeSet(size_t s) { size = s; }

/* The largest size for which a thread per element fits into a grid: Fermi has 65535 blocks. */
static double maxForGrid(const struct exercise *e)
{
    const double threads = settings->block > 0 ? settings->block : 256;

    return theDevice()->maxBlocks > 0.0 && !e->gridsFold ? threads * theDevice()->maxBlocks
                                                         : HUGE_VAL;
}

/* The default size, halved until memory and grid are large enough for it. */
static size_t usualSize(const struct exercise *e, double device, double host)
{
    size_t s = theDevice()->emulated ? e->emulatedSize : e->size;

    if (settings->cache != NULL && e->checkSize > 0 && e->checkSize < s)
        s = e->checkSize;
    if (settings->quick && e->quickSize < s)
        s = e->quickSize;
    while (s / 2 >= e->minSize && s > 1 &&
           ((device > 0.0 && e->deviceBytes(s) > device) || e->hostBytes(s) > 0.8 * host))
        s /= 2;
    while ((double)s > maxForGrid(e))
        s /= 2;
    if (settings->half && s / 2 >= e->minSize)
        s /= 2;
    return s;
}

void sizeChoose(const struct exercise *e, double available)
{
    const double device = 0.9 * available, host = 0.9 * rankMin(machineFreeBytes());

    if (e->sizeByOptions != NULL && e->sizeByOptions() != SIZE_MAX)
        size = e->sizeByOptions();
    else if (settings->sizeGiven)
        size = settings->size;
    else
        size = usualSize(e, device, host);
    if (available > 0.0 && e->deviceBytes(size) > device)
        courseFail(EXIT_ERROR, "size %zu needs %.3g GB on the device, %.3g GB are free", size,
                   e->deviceBytes(size) * 1e-9, available * 1e-9);
    if (e->hostBytes(size) > host)
        courseFail(EXIT_ERROR, "size %zu needs %.3g GB on the host, %.3g GB are free", size,
                   e->hostBytes(size) * 1e-9, host / 0.9 * 1e-9);
    if ((double)size > maxForGrid(e))
        courseFail(EXIT_ERROR,
                   "size %zu: a grid of this device has at most %.0f blocks, which is "
                   "room for a size of %.0f",
                   size, theDevice()->maxBlocks, maxForGrid(e));
}
