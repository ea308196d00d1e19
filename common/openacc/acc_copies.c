/* Counts the copies of an OpenACC program: see acc_copies.h. */
#include "acc_copies.h"
#include "harness.h"
#include "measure.h"
#include <openacc.h>
#if defined __has_include
#if __has_include(<acc_prof.h>)
#include <acc_prof.h>
#define HAVE_ACC_PROF
#endif
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ARRAY = 1024,
    MOST_PRESENT = 256,
    MOST_REGIONS = 64,
    MOST_QUEUES = 64,
    MOST_RANGES = 64
};

static struct acc_copies counted, reported;

/* Memory of the host that was copied in one direction: each piece once, however often it
 * travels. */
struct travelled {
    int count;
    struct {
        const char *from;
        size_t size;
    } range[MOST_RANGES];
};

static struct travelled arrived, returned;

/* 1 if the copied pieces cover all of the array. */
static int isWhole(const struct travelled *t, const void *array, double bytes)
{
    const char *at = array, *end = at + (size_t)bytes;

    for (int i = 0; i < t->count && at < end; i++)
        if (t->range[i].from <= at && at < t->range[i].from + t->range[i].size) {
            at = t->range[i].from + t->range[i].size;
            i = -1; /* the piece after it may have been copied before it */
        }
    return at >= end;
}

#if defined __GNUC__ && !defined __clang__ && !defined __NVCOMPILER

/* The low byte of a mapping's kind, as gcc's runtime defines it (include/gomp-constants.h). */
enum {
    KIND_TO = 1,
    KIND_FROM = 2,
    KIND_LAST_PLAIN = 3,
    KIND_PRESENT = 6,
    KIND_DELETE = 7,
    KIND_DEVICEPTR = 8,
    KIND_FIRSTPRIVATE = 12,
    KIND_FIRSTPRIVATE_INT = 13,
    KIND_USE_DEVICE = 14,
    KIND_FORCE = 0x80
};
/* Releasing kinds have these low bytes in an exit-data directive. */
enum { KIND_RELEASE = 0x17 };

/* An array that is on the device, and how often it was entered. */
struct present {
    char *from;
    size_t size;
    int entered, copyBack;
};

static struct present present[MOST_PRESENT];
static int presentCount;

/* The open data regions: what each of them entered. */
static struct {
    size_t count;
    void *address[32];
} regions[MOST_REGIONS];
static int regionCount;

/* Memory of acc_malloc(), as far as it was copied to. */
static struct travelled ofDevice;

static struct present *find(const void *address)
{
    for (int i = 0; i < presentCount; i++)
        if ((const char *)address >= present[i].from &&
            (const char *)address < present[i].from + present[i].size)
            return &present[i];
    return NULL;
}

static void note(struct travelled *t, const void *from, size_t size)
{
    for (int i = 0; i < t->count; i++)
        if (t->range[i].from == from && t->range[i].size >= size)
            return;
    if (t->count == MOST_RANGES)
        return;
    t->range[t->count].from = from;
    t->range[t->count++].size = size;
}

static void up(const void *from, size_t bytes)
{
    counted.toDevice++;
    counted.bytesToDevice += (double)bytes;
    note(&arrived, from, bytes);
}

static void down(const void *to, size_t bytes)
{
    counted.toHost++;
    counted.bytesToHost += (double)bytes;
    note(&returned, to, bytes);
}

/* 1 if the mapping is of an array, by one of the clauses copy, copyin, copyout, create. */
static int isArray(size_t size, unsigned short kind)
{
    return size >= LEAST_ARRAY && ((kind & 0xff) & ~KIND_FORCE) <= KIND_LAST_PLAIN;
}

/* 1 if the mapping passes a value and returns none. */
static int isValue(unsigned short kind)
{
    kind &= 0xff;
    return kind == KIND_TO || kind == KIND_FIRSTPRIVATE || kind == KIND_FIRSTPRIVATE_INT;
}

static void enter(void *address, size_t size, unsigned short kind)
{
    struct present *there = find(address);

    if (there != NULL) {
        there->entered++;
        return;
    }
    if (presentCount == MOST_PRESENT)
        return;
    there = &present[presentCount++];
    there->from = address;
    there->size = size;
    there->entered = 1;
    there->copyBack = (kind & KIND_FROM) != 0;
    if (kind & KIND_TO)
        up(address, size);
}

static void leave(void *address)
{
    struct present *there = find(address);

    if (there == NULL || --there->entered > 0)
        return;
    if (there->copyBack)
        down(there->from, there->size);
    *there = present[--presentCount];
}

/* Counts the passed value if it is the address of an array: the host's, which is another one on the
 * device, or the device's. */
static void countBarePointer(void *address, size_t size, unsigned short kind)
{
    void *value = address;

    if (size != sizeof value)
        return;
    if ((kind & 0xff) != KIND_FIRSTPRIVATE_INT)
        memcpy(&value, address, sizeof value);
    counted.unnamed += find(value) != NULL;
    counted.bare += isWhole(&ofDevice, value, 1.0);
}

/* Enters all arrays of a directive and remembers them for the end of its region. Returns how many
 * arrays the directive names. */
static size_t openRegion(size_t count, void **addresses, size_t *sizes, unsigned short *kinds)
{
    size_t entered = 0, named = 0;
    long scalars = 0;

    if (regionCount == MOST_REGIONS)
        return 1;
    for (size_t i = 0; i < count && entered < 32; i++)
        if (isArray(sizes[i], kinds[i])) {
            enter(addresses[i], sizes[i], kinds[i]);
            regions[regionCount].address[entered++] = addresses[i];
            named++;
        } else if ((kinds[i] & 0xff) == KIND_PRESENT) {
            counted.missing += sizes[i] >= LEAST_ARRAY && find(addresses[i]) == NULL;
            named++;
        } else if ((kinds[i] & 0xff) == KIND_DEVICEPTR) {
            named++; /* the program is responsible for it */
        } else if ((kinds[i] & 0xff) == KIND_USE_DEVICE) {
            counted.handedOver += find(addresses[i]) != NULL;
        } else if (sizes[i] <= sizeof(double) && isValue(kinds[i])) {
            scalars++;
            countBarePointer(addresses[i], sizes[i], kinds[i]);
        }
    if (scalars > counted.mostScalars)
        counted.mostScalars = scalars;
    regions[regionCount++].count = entered;
    return named;
}

static void closeRegion(void)
{
    if (regionCount == 0)
        return;
    regionCount--;
    for (size_t i = regions[regionCount].count; i > 0; i--)
        leave(regions[regionCount].address[i - 1]);
}

/* The arguments that describe a launch, as gcc's runtime packs them (include/gomp-constants.h). */
enum { LAUNCH_END = 0, LAUNCH_SIZES = 1, LAUNCH_ASYNC = 2, LAUNCH_WAIT = 3, LAUNCH_MORE = 0xffff };

static char isBusy[MOST_QUEUES]; /* by the queue's number, modulo */

static void countQueues(void)
{
    counted.queues = 0;
    for (int i = 0; i < MOST_QUEUES; i++)
        counted.queues += isBusy[i];
    if (counted.queues > counted.mostQueues)
        counted.mostQueues = counted.queues;
}

static void queueBusy(int queue)
{
    if (queue != acc_async_sync)
        isBusy[(unsigned)queue % MOST_QUEUES] = 1;
    countQueues();
}

static void queueWaited(int queue) { isBusy[(unsigned)queue % MOST_QUEUES] = 0; }

static void allWaited(void) { memset(isBusy, 0, sizeof isBusy); }

/* Notes the queue that a launch is for. */
static void readLaunch(va_list list)
{
    unsigned tag;

    while ((tag = va_arg(list, unsigned)) != LAUNCH_END) {
        const unsigned operand = tag & 0xffff;

        switch (tag >> 28) {
        case LAUNCH_SIZES:
            for (unsigned rest = operand; rest != 0; rest &= rest - 1)
                (void)va_arg(list, unsigned);
            break;
        case LAUNCH_ASYNC:
            queueBusy(operand == LAUNCH_MORE ? va_arg(list, int) : (int)operand);
            break;
        case LAUNCH_WAIT:
            for (unsigned i = 0; i < operand; i++)
                queueWaited(va_arg(list, int));
            break;
        default: return;
        }
    }
}

/* Wrappers of the calls that gcc makes (the linker's --wrap). Those with a variable number of
 * arguments are passed on unchanged. */
typedef void any_function(void);
extern void __real_GOACC_parallel_keyed(void);
extern void __real_GOACC_data_start(int, size_t, void **, size_t *, unsigned short *);
extern void __real_GOACC_data_end(void);
extern void __real_GOACC_update(void);
extern void __real_GOACC_enter_data(void);
extern void __real_GOACC_exit_data(void);
extern void __real_GOACC_wait(void);
extern void __real_acc_wait(int);
extern void __real_acc_wait_all(void);
extern void __real_acc_memcpy_to_device(void *, void *, size_t);
extern void __real_acc_memcpy_from_device(void *, void *, size_t);

void __wrap_GOACC_parallel_keyed(int flags, void (*body)(void *), size_t count, void **addresses,
                                 size_t *sizes, unsigned short *kinds, ...);
void __wrap_GOACC_data_start(int flags, size_t count, void **addresses, size_t *sizes,
                             unsigned short *kinds);
void __wrap_GOACC_data_end(void);
void __wrap_GOACC_update(int flags, size_t count, void **addresses, size_t *sizes,
                         unsigned short *kinds, int async, int waits, ...);
void __wrap_GOACC_enter_data(int flags, size_t count, void **addresses, size_t *sizes,
                             unsigned short *kinds, int async, int waits, ...);
void __wrap_GOACC_exit_data(int flags, size_t count, void **addresses, size_t *sizes,
                            unsigned short *kinds, int async, int waits, ...);

void __wrap_GOACC_wait(int async, int waits, ...);
void __wrap_acc_wait(int queue);
void __wrap_acc_wait_all(void);
void __wrap_acc_memcpy_to_device(void *device, void *host, size_t bytes);
void __wrap_acc_memcpy_from_device(void *host, void *device, size_t bytes);

void __wrap_GOACC_wait(int async, int waits, ...)
{
    void *arguments = __builtin_apply_args();
    va_list list;

    va_start(list, waits);
    if (waits == 0)
        allWaited();
    for (int i = 0; i < waits; i++)
        queueWaited(va_arg(list, int));
    va_end(list);
    (void)async;
    __builtin_apply((any_function *)__real_GOACC_wait, arguments, 256);
}

void __wrap_acc_wait(int queue)
{
    queueWaited(queue);
    __real_acc_wait(queue);
}

void __wrap_acc_wait_all(void)
{
    allWaited();
    __real_acc_wait_all();
}

/* The runtime library's own copies. */
void __wrap_acc_memcpy_to_device(void *device, void *host, size_t bytes)
{
    if (bytes >= LEAST_ARRAY)
        up(host, bytes);
    note(&ofDevice, device, bytes);
    __real_acc_memcpy_to_device(device, host, bytes);
}

void __wrap_acc_memcpy_from_device(void *host, void *device, size_t bytes)
{
    if (bytes >= LEAST_ARRAY)
        down(host, bytes);
    __real_acc_memcpy_from_device(host, device, bytes);
}

void __wrap_GOACC_parallel_keyed(int flags, void (*body)(void *), size_t count, void **addresses,
                                 size_t *sizes, unsigned short *kinds, ...)
{
    void *arguments = __builtin_apply_args();
    va_list list;

    va_start(list, kinds);
    readLaunch(list);
    va_end(list);
    (void)flags;
    (void)body;
    counted.loops++;
    counted.unnamed += openRegion(count, addresses, sizes, kinds) == 0;
    __builtin_apply((any_function *)__real_GOACC_parallel_keyed, arguments, 256);
    closeRegion();
}

void __wrap_GOACC_data_start(int flags, size_t count, void **addresses, size_t *sizes,
                             unsigned short *kinds)
{
    openRegion(count, addresses, sizes, kinds);
    __real_GOACC_data_start(flags, count, addresses, sizes, kinds);
}

void __wrap_GOACC_data_end(void)
{
    __real_GOACC_data_end();
    closeRegion();
}

void __wrap_GOACC_update(int flags, size_t count, void **addresses, size_t *sizes,
                         unsigned short *kinds, int async, int waits, ...)
{
    void *arguments = __builtin_apply_args();

    (void)flags;
    (void)async;
    (void)waits;
    for (size_t i = 0; i < count; i++)
        if (isArray(sizes[i], kinds[i]) && (kinds[i] & KIND_TO))
            up(addresses[i], sizes[i]);
        else if (isArray(sizes[i], kinds[i]) && (kinds[i] & KIND_FROM))
            down(addresses[i], sizes[i]);
    __builtin_apply((any_function *)__real_GOACC_update, arguments, 256);
}

void __wrap_GOACC_enter_data(int flags, size_t count, void **addresses, size_t *sizes,
                             unsigned short *kinds, int async, int waits, ...)
{
    void *arguments = __builtin_apply_args();

    (void)flags;
    (void)async;
    (void)waits;
    for (size_t i = 0; i < count; i++)
        if (isArray(sizes[i], kinds[i]))
            enter(addresses[i], sizes[i], kinds[i]);
    __builtin_apply((any_function *)__real_GOACC_enter_data, arguments, 256);
}

void __wrap_GOACC_exit_data(int flags, size_t count, void **addresses, size_t *sizes,
                            unsigned short *kinds, int async, int waits, ...)
{
    void *arguments = __builtin_apply_args();

    (void)flags;
    (void)async;
    (void)waits;
    for (size_t i = 0; i < count; i++) {
        struct present *there = find(addresses[i]);
        int kind = kinds[i] & 0xff;

        if (there == NULL || sizes[i] < LEAST_ARRAY)
            continue;
        if ((kind & ~KIND_FORCE) == KIND_FROM)
            there->copyBack = 1;
        else if (kind == KIND_RELEASE || kind == KIND_DELETE)
            there->copyBack = 0;
        leave(addresses[i]);
    }
    __builtin_apply((any_function *)__real_GOACC_exit_data, arguments, 256);
}

static void forget(void)
{
    presentCount = regionCount = 0;
    arrived.count = returned.count = ofDevice.count = 0;
    allWaited();
    memset(&counted, 0, sizeof counted);
}

#else

static void countQueues(void) {}

static void forget(void) { counted.toDevice = counted.toHost = -1; }

#endif

#ifdef HAVE_ACC_PROF

static int haveReport;

static void copied(acc_prof_info *info, acc_event_info *event, acc_api_info *api)
{
    const size_t bytes = event->data_event.bytes;

    (void)api;
    if (bytes < LEAST_ARRAY)
        return;
    if (info->event_type == acc_ev_enqueue_upload_start) {
        reported.toDevice++;
        reported.bytesToDevice += (double)bytes;
    } else {
        reported.toHost++;
        reported.bytesToHost += (double)bytes;
    }
}

static void watch(void)
{
    if (haveReport)
        return;
    haveReport = 1;
    acc_prof_register(acc_ev_enqueue_upload_start, copied, acc_reg);
    acc_prof_register(acc_ev_enqueue_download_start, copied, acc_reg);
}

#else

static const int haveReport = 0;

static void watch(void) {}

#endif

void accCopiesReset(void)
{
    forget();
    watch();
    memset(&reported, 0, sizeof reported);
}

struct acc_copies accCopies(void) { return counted; }

struct acc_copies accCopiesReported(void)
{
    if (!haveReport)
        reported.toDevice = reported.toHost = -1;
    return reported;
}

/* The first line with a loop that the compiler runs in one thread; 0: none, or there is no
 * report. */
static long sequentialLine(void)
{
    long found = 0;
#ifdef COURSE_ACC_LOOPS
    FILE *report = fopen(COURSE_ACC_LOOPS, "r"); /* gcc's -fopt-info-omp */
    char line[4096];

    while (report != NULL && found == 0 && fgets(line, sizeof line, report) != NULL) {
        const char *at = strstr(line, ".c:");

        if (at != NULL && strstr(line, "assigned OpenACC seq loop") != NULL)
            found = atol(at + 3);
    }
    if (report != NULL)
        fclose(report);
#endif
    return found;
}

static void verifyLoops(const struct acc_expected *expected, long units, const char *unit)
{
    const long loops = expected->loopsOnce + units * expected->loops, line = sequentialLine();

    verifyThat(
        counted.bare == 0,
        "a loop uses memory of the device (acc_malloc()) and does not say so: deviceptr(...)");
    verifyThat(counted.unnamed == 0, "a loop uses an array that no clause names: a GPU finds none "
                                     "(a pointer has no length: write a[0:n])");
    verifyThat(counted.missing == 0, "an array is called present, but no data region holds it");
    verifyThat(counted.loops == loops, "%ld parallel loops in %ld %s: %s", counted.loops, units,
               unit, counted.loops > loops ? "too many" : "a loop has stayed on the host");
    verifyThat(
        expected->scalars == 0 || counted.mostScalars <= expected->scalars,
        "a loop takes %ld values from outside where %ld are enough: a variable in which each "
        "thread keeps something of its own must be private",
        counted.mostScalars, expected->scalars);
    countQueues();
    verifyThat(counted.mostQueues >= expected->queues,
               "work on at most %ld queue%s at a time: nothing runs at the same time (async(...) "
               "with a number for each part, and no wait before all have begun)",
               counted.mostQueues, counted.mostQueues == 1 ? "" : "s");
    verifyThat(counted.queues == 0,
               "work on %ld queue%s is never waited for: the host goes on before it is done "
               "(#pragma acc wait)",
               counted.queues, counted.queues == 1 ? "" : "s");
    verifyThat(line == 0, "the loop at line %ld runs in one thread (seq)", line);
}

static void verifyCopies(const struct acc_expected *expected, long units, const char *unit,
                         const struct acc_arrays *arrays)
{
    const double bytes = arrays->bytes;
    const long up = expected->toDeviceOnce + units * expected->toDevice;
    const long down = expected->toHostOnce + units * expected->toHost;
    const double piece = bytes / (double)expected->pieces;

    verifyThat(counted.toDevice == up && counted.toHost == down,
               "%ld copies to the device and %ld back in %ld %s: too %s", counted.toDevice,
               counted.toHost, units, unit,
               counted.toDevice > up || counted.toHost > down ? "many" : "few");
    verifyThat(counted.bytesToDevice == (double)up * piece &&
                   counted.bytesToHost == (double)down * piece,
               "%.6g MB to the device and %.6g MB back in %ld copies of arrays of %.6g MB: a "
               "[first:length] is wrong",
               counted.bytesToDevice * 1e-6, counted.bytesToHost * 1e-6,
               counted.toDevice + counted.toHost, bytes * 1e-6);
    verifyThat(
        isWhole(&arrived, arrays->in, bytes),
        "not all of the input is copied to the device: a clause or a [first:length] is wrong");
    verifyThat(isWhole(&returned, arrays->out, bytes),
               "not all of the result is copied back: a clause or a [first:length] is wrong");
    verifyThat(counted.handedOver == units * expected->handedOver,
               "%ld arrays in %ld %s are handed to other code as addresses on the device, of %ld: "
               "without host_data use_device(...) it gets those of the host",
               counted.handedOver, units, unit, units * expected->handedOver);
}

void accVerify(const struct acc_expected *expected, long units, const char *unit,
               const struct acc_arrays *arrays)
{
    const struct acc_copies report = accCopiesReported();

    if (counted.toDevice >= 0) {
        verifyLoops(expected, units, unit);
        verifyCopies(expected, units, unit, arrays);
    }
    if (rowVerdict() == EXIT_PASS)
        harnessRemark("%ld + %ld copies a %.*s, %ld + %ld a call", expected->toDevice,
                      expected->toHost, (int)strlen(unit) - 1, unit, expected->toDeviceOnce,
                      expected->toHostOnce);
    if (report.toDevice > 0)
        harnessRemark("the runtime reports %ld copies there, %ld back in %ld %s", report.toDevice,
                      report.toHost, units, unit);
}

const char *accDevice(int *onGpu)
{
    static char text[256];
    const acc_device_t type = acc_get_device_type();
    const char *name = NULL;

    *onGpu = type != acc_device_host && type != acc_device_none;
    if (!*onGpu)
        return "the host: no GPU, or no compiler that offloads";
#if defined __NVCOMPILER || (defined __GNUC__ && __GNUC__ >= 10) /* OpenACC 2.6 */
    name = acc_get_property_string(acc_get_device_num(type), type, acc_property_name);
#endif
    snprintf(text, sizeof text, "GPU %d%s%s", acc_get_device_num(type), name != NULL ? ", " : "",
             name != NULL ? name : "");
    return text;
}
