/* Where a result comes from: the words that the measured body has left, as a set. */
#include "result_provenance.h"
#include "counters.h"
#include "device.h"
#include "measure.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 64,
    LITTLE = 16, /* the host may finish less than this part: a tail, a border */
    FEW = 256,   /* bytes: a sum, or some */
    SLOTS = 24,  /* as a power of 2: few are taken at the sizes of the emulated device */
    BYTES = (1 << SLOTS) / 8
};

static unsigned char *taken;    /* a bit for each slot */
static size_t onDevice, onHost; /* bytes */
static const char *elsewhere;
static int isBroughtBack;
static double launches; /* when the watching began */
static struct {
    const char *begin, *end;
} expected[MOST];
static int expectedCount;

void provenanceReset(void)
{
    if (taken != NULL && onDevice + onHost > 0)
        memset(taken, 0, BYTES);
    onDevice = onHost = 0;
    elsewhere = NULL;
    expectedCount = 0;
    isBroughtBack = 0;
    deviceReadsForget();
}

void provenanceExpect(const void *result, size_t bytes)
{
    if (expectedCount < MOST) {
        expected[expectedCount].begin = result;
        expected[expectedCount++].end = (const char *)result + bytes;
    }
}

static int isExpected(const char *result)
{
    for (int i = 0; i < expectedCount; i++)
        if (result >= expected[i].begin && result < expected[i].end)
            return 1;
    return 0;
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

void provenanceNote(const void *memory, size_t bytes, int isOnHost)
{
    void *copy;

    if (!theDevice()->emulated || memory == NULL || bytes < FEW || deviceFindings() > 0)
        return;
    if (taken == NULL)
        memset(taken = mustAllocate(BYTES, "the words of a result"), 0, BYTES);
    if (isOnHost) {
        noteWords(memory, bytes / sizeof(uint32_t));
        onHost += bytes;
        return;
    }
    copy = mustAllocate(bytes, "a result");
    if (deviceRead(copy, memory, bytes)) {
        noteWords(copy, bytes / sizeof(uint32_t));
        onDevice += bytes;
    }
    free(copy);
}

void provenanceCompare(const char *name, const void *result, size_t bytes)
{
    const size_t words = bytes / sizeof(uint32_t);
    size_t foreign = 0;

    if (bytes < FEW || onDevice + onHost < bytes || !isExpected(result))
        return;
    for (size_t i = 0; i < words; i++) {
        const uint32_t slot = slotOf(result, i);

        foreign += !(taken[slot / 8] >> slot % 8 & 1);
    }
    if (foreign > words / LITTLE)
        elsewhere = name;
}

static double launchesNow(void)
{
    struct device_counters counters;

    deviceCountersGet(&counters);
    return counters.launches;
}

void provenanceWatch(const void *memory, size_t bytes, int isOnHost)
{
    if (!theDevice()->emulated)
        return;
    isBroughtBack |= isOnHost;
    deviceReadsOf(memory, bytes);
    launches = launchesNow();
}

void provenanceRest(void)
{
    isBroughtBack |= deviceReadsSeen();
    deviceReadsForget();
}

int provenanceIsBroughtBack(void)
{
    return isBroughtBack || deviceReadsSeen() || launchesNow() > launches;
}

const char *provenanceElsewhere(void) { return elsewhere; }

size_t provenanceOnDevice(void) { return onHost > 0 ? 0 : onDevice; }
