/* MEASURE: how often to run a body, and the median of its times. */
#include "internal.h"
#include "measure.h"
#include "cuda_utils.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SAMPLES = 100000, MOST_RESULTS = 8 };
enum { WARM_UP, TRIAL, SAMPLES }; /* the phases of a measurement */

static const double shortestSample = 500e-6; /* s: far above the resolution of timers and events */
static const double patience = 1.5;          /* s: a row's samples stop here, or after 3 of them */

static double *samples; /* seconds of one run */
static int sampleCount, sampleTarget;
static struct {
    void *memory;
    size_t bytes;
} results[MOST_RESULTS]; /* what wipeBeforeRuns() has named */
static int resultCount;
static long runsPerSample, runsLeft;
static double total; /* seconds spent measuring, warm-up included */
static Timer wall;
static Timer host;
static long bodyRuns; /* of the last measurement, warm-up included */
static int blockUsed; /* what blockSize() gave last: names "the first block" in a diagnosis */

static void start(void)
{
    if (theRanks != NULL)
        theRanks->largest(0.0); /* all start together, and the slowest one counts */
    if (openRow != NULL && openRow->place != ON_CPU)
        deviceTimerStart();
    else
        initTimer(&host);
}

static double stop(void)
{
    double seconds =
        openRow != NULL && openRow->place != ON_CPU ? deviceTimerStop() : getTimer(&host);

    return theRanks != NULL ? theRanks->largest(seconds) : seconds;
}

void measureReset(void)
{
    sampleCount = 0;
    total = 0.0;
    blockUsed = 0;
    resultCount = 0;
}

struct measurement measureBegin(void)
{
    struct measurement run = {0, WARM_UP};

    bodyRuns = 0;
    if (samples == NULL && (samples = malloc(MOST_SAMPLES * sizeof *samples)) == NULL)
        courseFail(EXIT_USAGE, "no memory for the measurement");
    sampleCount = 0;
    initTimer(&wall);
    return run;
}

/* How many samples, and how many runs in each, given the seconds of one run. The emulated device has
 * no time worth measuring: it repeats once, to show a body that is not repeatable. */
static void plan(double seconds)
{
    int onDevice = openRow != NULL && openRow->place != ON_CPU;

    runsPerSample = 1;
    if (onDevice && theDevice.emulated) {
        sampleTarget = settings.repeat > 0 ? settings.repeat : 1;
        return;
    }
    sampleTarget = settings.repeat > 0 ? settings.repeat : settings.quick ? 5 : 21;
    if (seconds < shortestSample)
        runsPerSample = (long)(shortestSample / (seconds > 1e-7 ? seconds : 1e-7)) + 1;
    if (settings.repeat == 0)
        while (sampleTarget > 3 && sampleTarget * runsPerSample * seconds > patience)
            sampleTarget--;
}

void wipeBeforeRuns(void *d_result, size_t bytes)
{
    if (resultCount == MOST_RESULTS)
        courseFail(EXIT_USAGE, "wipeBeforeRuns() is called for more than %d arrays", MOST_RESULTS);
    results[resultCount].memory = d_result;
    results[resultCount++].bytes = bytes;
}

/* Starts a sample of the timed phase. */
static int sample(void)
{
    runsLeft = runsPerSample;
    for (int i = 0; i < resultCount; i++)
        deviceWipe(results[i].memory, results[i].bytes);
    start();
    return 1;
}

long measureRuns(void)
{
    return bodyRuns;
}

static int nextPhase(struct measurement *run)
{
    double seconds;

    if (run->phase == WARM_UP) {
        run->warm = 1;
        run->phase = TRIAL;
        start();
        return 1;
    }
    if (run->phase == TRIAL) {
        seconds = stop();
        /* The first run loads the kernel, so a short one is tried once more before planning. */
        if (run->warm && seconds < 0.05 && !theDevice.emulated) {
            run->warm = 0;
            start();
            return 1;
        }
        run->warm = 0;
        run->phase = SAMPLES;
        plan(seconds);
        if (theDevice.emulated)
            deviceCountersReset();
        return sample();
    }
    if (--runsLeft > 0)
        return 1;
    samples[sampleCount++] = stop() / (double)runsPerSample;
    if (sampleCount < sampleTarget)
        return sample();
    if (theDevice.emulated && openRow != NULL) {
        deviceCountersGet(&openRow->counters);
        openRow->counters.requests /= (double)sampleCount;
        openRow->counters.bytesAsked /= (double)sampleCount;
    }
    total += getTimer(&wall);
    resultCount = 0; /* a second measurement of the row names its own */
    return 0;
}

int measureNext(struct measurement *run)
{
    const int again = nextPhase(run);

    bodyRuns += again;
    return again;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double measureMedian(void)
{
    if (sampleCount == 0)
        return 0.0;
    qsort(samples, (size_t)sampleCount, sizeof *samples, ascending);
    return 0.5 * (samples[(sampleCount - 1) / 2] + samples[sampleCount / 2]);
}

double measureLeast(void)
{
    if (sampleCount == 0)
        return 0.0;
    measureMedian(); /* sorts */
    return samples[0];
}

double measureMost(void)
{
    if (sampleCount == 0)
        return 0.0;
    measureMedian(); /* sorts */
    return samples[sampleCount - 1];
}

long measureSamples(void)
{
    return sampleCount;
}

double measureTotal(void)
{
    return total;
}

int blockSize(int own)
{
    blockUsed = settings.block > 0 ? settings.block : own;
    return blockUsed;
}

int blockSizeUsed(void)
{
    return blockUsed;
}

size_t gridSize(size_t own)
{
    return settings.grid > 0 ? settings.grid : own;
}

int multiprocessors(void)
{
    return theDevice.multiprocessors > 0 ? theDevice.multiprocessors : 1;
}

int threadsPerMultiprocessor(void)
{
    return theDevice.threadsPerMultiprocessor > 0 ? theDevice.threadsPerMultiprocessor : 1024;
}

size_t maxGrid(void)
{
    return theDevice.maxBlocks > 0.0 ? (size_t)theDevice.maxBlocks : 65535;
}

int todoIsUnfilled(int todo, const char *file, int line)
{
    if (openRow != NULL && openRow->todo == 0) {
        const char *name = strrchr(file, '/');

        while (name != NULL && name > file &&
               name[-1] != '/') /* keep the folder: exNN/template.cu */
            name--;
        openRow->todo = todo;
        openRow->todoLine = line;
        snprintf(openRow->todoFile, sizeof openRow->todoFile, "%s", name != NULL ? name : file);
    }
    return 1;
}
