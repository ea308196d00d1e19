/* MEASURE: how often to run a body, and the median of its times. */
#include "cuda_utils.h"
#include "device.h"
#include "fail.h"
#include "measure.h"
#include "measure_internal.h"
#include "options.h"
#include "result_provenance.h"
#include "progress.h"
#include "ranks.h"
#include "row.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SAMPLES = 100000,
    ENOUGH = 7 /* samples that hardly differ */
};
enum { WARM_UP, TRIAL, SAMPLES }; /* the phases of a measurement */

static const double minSample = 500e-6;   /* s: far above the resolution of timers and events */
static const double patience = 0.5;       /* s: a row's samples stop here, or after 3 of them */
static const double littlePatience = 0.1; /* s: the same if a user waits for the verdict */
static const double agreeAfter = 0.3;     /* s: those that agree stop here */
static const double agreement = 0.01; /* samples agree that differ by this part of the shortest */
static const double likeness = 0.03;  /* ... and by this, if there are ENOUGH, however short */
static const double isLong = 1.0;     /* s: a body that takes this long has one sample */
static const double tooLong = 2.0;    /* s: ... and this long no run before it */

static double *samples; /* seconds of one run */
static int sampleCount, sampleTarget;
static long runsPerSample, runsLeft;
static double total; /* seconds the row has spent measuring, warm-up included */
static Timer wall, host, whole;
static int wholeStopped;
static long bodyRuns;         /* of the last measurement, warm-up included */
static int underWay, wasLeft; /* a loop has begun and not ended; a loop was left */
static int workWasLeft;       /* in streams that the body has not waited for */
static long steps, waits;     /* of the last sample: deviceSteps(), deviceWaits() */
static double bytesRead;      /* by its copies: deviceBytesRead() */
static int measurements;      /* that came to their end */
static int blockUsed;   /* what blockSize() gave last: names "the first block" in a diagnosis */
static size_t gridUsed; /* likewise gridSize() */
static int blockAsked;  /* harnessLaunch() */
static size_t gridAsked;

static void start(void)
{
    rankBarrier(); /* all start together, and the slowest one counts */
    if (rowIsOnDevice())
        deviceTimerStart();
    else
        initTimer(&host);
    steps = deviceSteps();
    waits = deviceWaits();
    bytesRead = deviceBytesRead();
}

static double stop(void)
{
    double seconds;

    waits = deviceWaits() - waits; /* the harness waits, too */
    bytesRead = deviceBytesRead() - bytesRead;
    seconds = rowIsOnDevice() ? deviceTimerStop() : getTimer(&host);
    steps = deviceSteps() - steps;
    workWasLeft |= rowIsOnDevice() && deviceWorkIsLeft();
    return rankMax(seconds);
}

void measureReset(void)
{
    sampleCount = 0;
    total = 0.0;
    blockUsed = 0;
    gridUsed = 0;
    underWay = wasLeft = workWasLeft = 0;
    measurements = 0;
    provenanceReset();
}

/* 1 if the row has a time worth measuring: not on the emulated device. */
static int isTimed(void) { return !(rowIsOnDevice() && theDevice()->emulated); }

struct measurement measureBegin(void)
{
    struct measurement run = {0, WARM_UP};

    wasLeft |= underWay;
    underWay = 1;
    bodyRuns = 0;
    if (samples == NULL)
        samples = mustAllocate(MAX_SAMPLES * sizeof *samples, "the measurement");
    sampleCount = 0;
    if (!isTimed()) {
        deviceSynchronise(); /* earlier work has then written its results */
        provenanceBegin();
    } else {
        deviceCountersReset();
    }
    initTimer(&wall);
    return run;
}

int measureWasLeft(void) { return wasLeft || underWay; }

int measureLeftWork(void) { return workWasLeft; }

int measureCount(void) { return measurements; }

/* How many samples of a row, at most. */
static int usualSamples(void) { return settings->quick ? 5 : isWaitedFor() ? 7 : 21; }

/* How many samples, and how many runs in each, given the seconds of one run. The emulated device
 * has no time worth measuring: its one sample, before which the results are wiped, shows whether
 * the body is repeatable. */
static void plan(double seconds)
{
    runsPerSample = 1;
    if (!isTimed()) {
        sampleTarget = settings->repeat > 0 ? settings->repeat : 1;
        return;
    }
    if (settings->repeat == 0 && seconds > isLong) {
        sampleTarget = 1;
        return;
    }
    sampleTarget = settings->repeat > 0 ? settings->repeat : usualSamples();
    if (seconds < minSample)
        runsPerSample = (long)(minSample / (seconds > 1e-7 ? seconds : 1e-7)) + 1;
    if (settings->repeat == 0)
        while (sampleTarget > 3 && (double)(sampleTarget * runsPerSample) * seconds >
                                       (isWaitedFor() ? littlePatience : patience))
            sampleTarget--;
}

/* Starts a sample of the timed phase. */
static int sample(void)
{
    runsLeft = runsPerSample;
    progressSample(sampleCount + 1, sampleTarget);
    if (!isTimed()) {
        deviceSynchronise();
        provenanceWipe();
    }
    start();
    return 1;
}

long measureRuns(void) { return bodyRuns; }

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* 1 if the samples have taken a while and hardly differ, so that more of them would change nothing.
 * On all ranks alike. */
static int samplesAgree(void)
{
    double all = 0.0, least = samples[0], most = samples[0];

    if (settings->repeat > 0 || !isTimed())
        return 0;
    for (int i = 0; i < sampleCount; i++) {
        all += samples[i];
        least = samples[i] < least ? samples[i] : least;
        most = samples[i] > most ? samples[i] : most;
    }
    if (sampleCount >= ENOUGH && most - least <= likeness * least)
        return 1;
    return sampleCount >= (samples[0] > agreeAfter ? 2 : 3) &&
           all * (double)runsPerSample >= agreeAfter && most - least <= agreement * least;
}

/* The last sample is taken: gives the row its times and counters. Returns 0, the end of the
 * loop. */
static int finish(void)
{
    struct timing time = {0};
    struct device_counters counters;

    qsort(samples, (size_t)sampleCount, sizeof *samples, ascending);
    time.median = 0.5 * (samples[(sampleCount - 1) / 2] + samples[sampleCount / 2]);
    time.min = samples[0];
    time.max = samples[sampleCount - 1];
    time.samples = sampleCount;
    time.once = sampleCount == 1 && settings->repeat == 0 && !settings->count && isTimed();
    rowHasTime(&time);
    deviceCountersGet(&counters);
    if (isTimed()) {
        counters.launches /= (double)bodyRuns;
    } else {
        counters.requests /= (double)sampleCount;
        counters.launches /= (double)sampleCount;
        counters.threads /= (double)sampleCount;
        counters.bytesAsked /= (double)sampleCount;
        counters.bytesIn /= (double)sampleCount;
        counters.bytesOut /= (double)sampleCount;
        counters.bytesSent /= (double)sampleCount;
        counters.oneLane /= (double)sampleCount;
        counters.steps = (double)steps;
        counters.waits = (double)waits;
        counters.bytesRead = bytesRead;
    }
    if (rowIsOnDevice())
        rowHasCounters(&counters);
    total += getTimer(&wall);
    if (!isTimed())
        provenanceNote(workWasLeft);
    underWay = 0;
    measurements++;
    return 0;
}

static int nextPhase(struct measurement *run)
{
    double seconds;

    if (run->phase == WARM_UP && settings->count) {
        run->warm = 1; /* a kernel without its lines is noticed then */
        run->phase = SAMPLES;
        runsPerSample = sampleTarget = 1;
        deviceCountersReset();
        return sample();
    }
    if (run->phase == WARM_UP) {
        run->warm = 1;
        run->phase = TRIAL;
        start();
        return 1;
    }
    if (run->phase == TRIAL) {
        seconds = stop();
        /* The first run loads the kernel, so a short one is tried once more before planning. */
        if (run->warm && seconds < 0.05 && !theDevice()->emulated) {
            run->warm = 0;
            start();
            return 1;
        }
        run->warm = 0;
        run->phase = SAMPLES;
        if (seconds > tooLong && settings->repeat == 0 && !theDevice()->emulated) {
            samples[sampleCount++] = seconds;
            return finish();
        }
        plan(seconds);
        if (theDevice()->emulated)
            deviceCountersReset();
        return sample();
    }
    if (--runsLeft > 0)
        return 1;
    samples[sampleCount++] = stop() / (double)runsPerSample;
    return sampleCount < sampleTarget && !samplesAgree() ? sample() : finish();
}

int measureNext(struct measurement *run)
{
    const int again = nextPhase(run);

    bodyRuns += again;
    return again;
}

void wholeStart(void)
{
    initTimer(&whole);
    wholeStopped = 0;
}

void wholeStop(void)
{
    const struct row *row = rowNow();

    if (row == NULL || wholeStopped)
        return;
    wholeStopped = 1;
    rowHasWhole(getTimer(&whole) - total + row->time.median);
}

void measureLaunch(int block, size_t grid)
{
    blockAsked = block;
    gridAsked = grid;
}

int blockSize(int usual)
{
    blockUsed = blockAsked > 0 ? blockAsked : settings->block > 0 ? settings->block : usual;
    return blockUsed;
}

int blockSizeUsed(void) { return blockUsed; }

size_t gridSize(size_t usual)
{
    gridUsed = gridAsked > 0 ? gridAsked : settings->grid > 0 ? settings->grid : usual;
    return gridUsed;
}

size_t threadsUsed(void) { return gridUsed * (size_t)blockUsed; }

int multiprocessors(void)
{
    return theDevice()->multiprocessors > 0 ? theDevice()->multiprocessors : 1;
}

double clockRate(void) { return theDevice()->clockHz; }

int threadsPerMultiprocessor(void)
{
    return theDevice()->threadsPerMultiprocessor > 0 ? theDevice()->threadsPerMultiprocessor : 1024;
}

size_t maxGrid(void)
{
    return theDevice()->maxBlocks > 0.0 ? (size_t)theDevice()->maxBlocks : 65535;
}

int todoIsUnfilled(int todo, const char *file, int line)
{
    rowIsUnfilled(todo, file, line);
    return 1;
}

double cpuCopyRate(double bytes)
{
    enum { COPIES = 5, CHUNK = 1 << 20 };
    const long chunks = (long)(bytes / CHUNK);
    char *from = malloc((size_t)chunks * CHUNK), *to = malloc((size_t)chunks * CHUNK);
    double seconds[COPIES];
    Timer timer;

    if (chunks == 0 || from == NULL || to == NULL) {
        free(from);
        free(to);
        return 0.0;
    }
#pragma omp parallel for schedule(static)
    for (long i = 0; i < chunks; i++) {
        memset(from + i * CHUNK, 1, CHUNK);
        memset(to + i * CHUNK, 2, CHUNK);
    }
    for (int k = 0; k < COPIES; k++) {
        initTimer(&timer);
#pragma omp parallel for schedule(static)
        for (long i = 0; i < chunks; i++)
            memcpy(to + i * CHUNK, from + i * CHUNK, CHUNK);
        seconds[k] = getTimer(&timer);
    }
    qsort(seconds, COPIES, sizeof *seconds, ascending);
    free(from);
    free(to);
    return 2.0 * (double)chunks * CHUNK / seconds[COPIES / 2];
}
