/* The provenance of a result: the words that the measured body has left, as a set. */
#include "result_provenance.h"
#include "counters.h"
#include "device.h"
#include "measure.h"
#include "row.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 256,
    LITTLE = 16, /* the host may finish one in so many words: a tail, a border */
    FEW = 256,   /* bytes: a smaller result, such as a sum, is not judged */
    SMALL = 16,  /* a result with fewer than one in so many bytes of the work is not judged */
    SLOTS = 24,  /* as a power of 2: few are taken at the sizes of the emulated device */
    BYTES = (1 << SLOTS) / 8
};

static unsigned char *taken;       /* a bit for each slot */
static size_t onDevice, onHost;    /* bytes */
static int isInHostsSight;         /* 1: some of it in memory that the host reads without a copy */
static int isLost;                 /* 1: the last run has not written what one before it had */
static const char *elsewhere;      /* a right result that is not what was noted; NULL: none */
static size_t percent;             /* of it, at least */
static const char *ready;          /* one that an allocation held before the measurement began */
static int isLeaked;               /* 1: an earlier row has left an allocation */
static double bytesRead, launches; /* when the last sample began; when it had ended */
static double launchesBefore;      /* when the measurement began */

/* Memory that a body may write: an allocation, or a host array that will hold a result. */
struct memory {
    void *begin;
    size_t bytes;
    uint64_t sum; /* of its contents when the measurement began */
    int before;   /* 1: the run before had written it, and it was wiped */
    int isHosts;  /* 1: an allocation that the host can read, too */
};
static struct memory allocations[MOST]; /* when the measurement began */
static int allocationCount;
static struct memory expected[MOST];
static int expectedCount;

void provenanceReset(void)
{
    size_t bytes;
    int isHosts;

    isLeaked = deviceMemory(0, &bytes, &isHosts) != NULL;
    if (taken != NULL && onDevice + onHost > 0)
        memset(taken, 0, BYTES);
    onDevice = onHost = 0;
    isInHostsSight = isLost = 0;
    elsewhere = ready = NULL;
    expectedCount = 0;
}

void provenanceExpect(void *result, size_t bytes)
{
    if (expectedCount < MOST)
        expected[expectedCount++] = (struct memory){.begin = result, .bytes = bytes};
}

static const struct memory *expectedAt(const char *result)
{
    for (int i = 0; i < expectedCount; i++)
        if (result >= (char *)expected[i].begin &&
            result < (char *)expected[i].begin + expected[i].bytes)
            return &expected[i];
    return NULL;
}

/* Fowler, Noll and Vo's hash, by words of 64 bits and then by bytes; a shift mixes the upper bits
 * of a word into the lower ones of the sum. */
static uint64_t sumOf(const struct memory *m)
{
    const unsigned char *bytes = m->begin;
    uint64_t sum = 14695981039346656037u, word;
    size_t i = 0;

    for (; i + sizeof word <= m->bytes; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        sum = (sum ^ word) * 1099511628211u;
        sum ^= sum >> 32;
    }
    for (; i < m->bytes; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static int isWritten(const struct memory *m) { return sumOf(m) != m->sum; }

static double launchesNow(void)
{
    struct device_counters counters;

    deviceCountersGet(&counters);
    return counters.launches;
}

void provenanceBegin(void)
{
    struct memory next = {.begin = NULL};

    launchesBefore = launchesNow();
    deviceFindFresh();
    for (allocationCount = 0; allocationCount < MOST; allocationCount++) {
        next.begin = deviceMemory(allocationCount, &next.bytes, &next.isHosts);
        if (next.begin == NULL)
            break;
        next.sum = sumOf(&next);
        allocations[allocationCount] = next;
    }
    for (int i = 0; i < expectedCount; i++)
        expected[i].sum = sumOf(&expected[i]);
}

void provenanceWipe(void)
{
    for (int i = 0; i < allocationCount; i++)
        allocations[i].before = isWritten(&allocations[i]);
    deviceMakeFresh();
    for (int i = 0; i < allocationCount; i++)
        allocations[i].before = allocations[i].before && !isWritten(&allocations[i]);
    for (int i = 0; i < expectedCount; i++) {
        expected[i].before = isWritten(&expected[i]);
        if (expected[i].before)
            memset(expected[i].begin, 0xFF, expected[i].bytes);
    }
    bytesRead = deviceBytesRead();
}

/* The slot of word i of this memory. */
static uint32_t slotOf(const void *memory, size_t i)
{
    uint32_t word;

    memcpy(&word, (const char *)memory + i * sizeof word, sizeof word);
    word ^= word >> 15;
    word *= 2654435761u;
    word ^= word >> 13;
    word *= 2246822519u;
    return word >> (32 - SLOTS);
}

static void noteWords(const void *memory, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        const uint32_t slot = slotOf(memory, i);

        taken[slot / 8] |= (unsigned char)(1u << slot % 8);
    }
}

/* Notes the words of those places that the body has written; returns their bytes. */
static size_t noteWritten(const struct memory *memory, int count)
{
    size_t bytes = 0;

    for (int i = 0; i < count; i++)
        if (isWritten(&memory[i])) {
            noteWords(memory[i].begin, memory[i].bytes / sizeof(uint32_t));
            bytes += memory[i].bytes;
            isInHostsSight |= memory[i].isHosts;
        } else if (memory[i].before) {
            isLost = 1;
        }
    return bytes;
}

void provenanceNote(int workIsLeft)
{
    launches = launchesNow();
    if (workIsLeft || deviceFindings() > 0)
        return;
    if (taken == NULL)
        memset(taken = mustAllocate(BYTES, "the words of a result"), 0, BYTES);
    onDevice += noteWritten(allocations, allocationCount);
    onHost += noteWritten(expected, expectedCount);
}

int provenanceIsLost(void) { return isLost; }

int provenanceIsWiped(const void *result)
{
    const struct memory *m = expectedAt(result);

    return m != NULL && m->before;
}

/* 1 if an allocation of its size held the result when the measurement began, and no kernel had run:
 * the host put it there. */
static int wasReady(const void *result, size_t bytes)
{
    const uint64_t sum = sumOf(&(struct memory){.begin = (void *)result, .bytes = bytes});

    for (int i = 0; i < allocationCount; i++)
        if (allocations[i].bytes == bytes && allocations[i].sum == sum)
            return launchesBefore == 0.0;
    return 0;
}

void provenanceCompare(const char *name, const void *result, size_t bytes)
{
    const size_t words = bytes / sizeof(uint32_t);
    size_t foreign = 0;

    if (bytes < FEW || onDevice + onHost < bytes || expectedAt(result) == NULL)
        return;
    for (size_t i = 0; i < words; i++) {
        const uint32_t slot = slotOf(result, i);

        foreign += !(taken[slot / 8] >> slot % 8 & 1);
    }
    if (foreign > words / LITTLE) {
        elsewhere = name;
        percent = 100 * foreign / words;
    }
    if (!isLeaked && wasReady(result, bytes))
        ready = name;
}

void provenanceJudge(void)
{
    const struct row *row = rowNow();
    size_t result = 0;

    for (int i = 0; i < expectedCount && onHost == 0; i++)
        result += expected[i].bytes >= FEW ? expected[i].bytes : 0;
    if (elsewhere != NULL)
        rowIsWrong(
            "%s is right, but at least %zu %% of it is not what the body of MEASURE has left "
            "on the device: the rest was made on the host, before MEASURE, or afterwards",
            elsewhere, percent);
    else if (ready != NULL && row->flops > 0.0) /* what is only moved may be its own result */
        rowIsWrong("%s is right, but the device held it before MEASURE began, when no kernel had "
                   "run: the host has made it",
                   ready);
    else if (!(row->traits & SENDS_INSIDE) && result > 0 && SMALL * (double)result >= row->bytes &&
             2.0 * row->counters.bytesSent >= (double)result)
        rowIsWrong(
            "the body of MEASURE brings %.0f bytes from the host to the device, where the "
            "result has %zu: copy the input before MEASURE; or else the work is done on the host, "
            "or goes through there, or a copy has the wrong direction",
            row->counters.bytesSent, result);
    else if (onDevice > 0 && onHost == 0 && !isInHostsSight && row->bytes > 0.0 &&
             deviceBytesRead() == bytesRead && launchesNow() == launches)
        rowIsWrong("the result is right, but nothing of it was copied from the device to the host: "
                   "the host has it from elsewhere");
}
