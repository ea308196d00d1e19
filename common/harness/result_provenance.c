/* Where a result comes from: the words that the measured body has left, as a set. */
#include "result_provenance.h"
#include "counters.h"
#include "device.h"
#include "measure.h"
#include "row.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 64,
    LITTLE = 16, /* the host may finish less than this part: a tail, a border */
    FEW = 256,   /* bytes: a sum, or some */
    SMALL = 16,  /* a result is too small to judge by if the work needs more than these times */
    SLOTS = 24,  /* as a power of 2: few are taken at the sizes of the emulated device */
    BYTES = (1 << SLOTS) / 8
};

static unsigned char *taken;       /* a bit for each slot */
static size_t onDevice, onHost;    /* bytes */
static const char *elsewhere;      /* a right result that is not what was noted; NULL: none */
static int cannotTell;             /* where results lie: none of this was fresh device memory */
static double bytesRead, launches; /* when the last sample began; when it had ended */
static struct {
    char *begin;
    size_t bytes;
    int isFresh; /* when the measurement began */
} expected[MOST];
static int expectedCount;

void provenanceReset(void)
{
    if (taken != NULL && onDevice + onHost > 0)
        memset(taken, 0, BYTES);
    onDevice = onHost = 0;
    elsewhere = NULL;
    expectedCount = 0;
    cannotTell = 1;
}

void provenanceExpect(void *result, size_t bytes)
{
    if (expectedCount < MOST) {
        expected[expectedCount].begin = result;
        expected[expectedCount++].bytes = bytes;
    }
}

static int isExpected(const char *result)
{
    for (int i = 0; i < expectedCount; i++)
        if (result >= expected[i].begin && result < expected[i].begin + expected[i].bytes)
            return 1;
    return 0;
}

static int isPoisoned(const char *memory, size_t bytes)
{
    return bytes == 0 || (memory[0] == (char)0xFF && memcmp(memory, memory + 1, bytes - 1) == 0);
}

void provenanceBegin(void)
{
    deviceFindFresh();
    for (int i = 0; i < expectedCount; i++)
        expected[i].isFresh = isPoisoned(expected[i].begin, expected[i].bytes);
}

void provenanceWipe(void)
{
    deviceMakeFresh();
    for (int i = 0; i < expectedCount; i++)
        if (expected[i].isFresh)
            memset(expected[i].begin, 0xFF, expected[i].bytes);
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

static double launchesNow(void)
{
    struct device_counters counters;

    deviceCountersGet(&counters);
    return counters.launches;
}

void provenanceNote(int workIsLeft)
{
    const void *memory;
    size_t bytes;

    launches = launchesNow();
    if (workIsLeft || deviceFindings() > 0)
        return;
    if (taken == NULL)
        memset(taken = mustAllocate(BYTES, "the words of a result"), 0, BYTES);
    for (int i = 0; (memory = deviceFresh(i, &bytes)) != NULL; i++) {
        noteWords(memory, bytes / sizeof(uint32_t));
        onDevice += bytes;
        cannotTell = 0;
    }
    for (int i = 0; i < expectedCount; i++)
        if (expected[i].isFresh && !isPoisoned(expected[i].begin, expected[i].bytes)) {
            noteWords(expected[i].begin, expected[i].bytes / sizeof(uint32_t));
            onHost += expected[i].bytes;
        }
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

void provenanceJudge(void)
{
    const struct row *row = rowNow();
    size_t result = 0;

    for (int i = 0; i < expectedCount && onHost == 0; i++)
        result += expected[i].bytes >= FEW ? expected[i].bytes : 0;
    if (elsewhere != NULL)
        rowIsWrong("%s is right, but most of it is not what the body of MEASURE has left on the "
                   "device: was the work done on the host, or afterwards?",
                   elsewhere);
    else if (!(row->traits & SENDS_INSIDE) && result > 0 && SMALL * (double)result >= row->bytes &&
             2.0 * row->counters.bytesSent >= (double)result)
        rowIsWrong("the body of MEASURE copies %.0f bytes from the host to the device, where the "
                   "result has %zu: is the work done on the host, or does it go through there?",
                   row->counters.bytesSent, result);
    else if (!cannotTell && onHost == 0 && deviceBytesRead() == bytesRead &&
             launchesNow() == launches)
        rowIsWrong("the result is right, but nothing of it was copied from the device to the host: "
                   "was it computed there once more?");
}
