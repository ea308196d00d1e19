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
/* The phases of a measurement: not begun; the first run, and a second one if the first was short,
 * from which the samples are planned; the samples. */
enum { START, WARM_UP, TRIAL, SAMPLES };

static const double minSample = 500e-6;   /* s: far above the resolution of timers and events */
static const double patience = 0.5;       /* s: a row's samples stop here, or after 3 of them */
static const double littlePatience = 0.1; /* s: the same if a user waits for the verdict */
static const double agreeAfter = 0.3;     /* s: those that agree stop here */
static const double agreement = 0.01; /* samples agree that differ by this part of the shortest */
static const double likeness = 0.03;  /* ... and by this, if there are ENOUGH, however short */
static const double isLong = 1.0;     /* s: a body that takes this long has one sample */
static const double tooLong = 2.0;    /* s: ... and this long no run before it */

static double *samples; /* seconds of one run */
static int blockAsked;  /* harnessLaunch() */
static size_t gridAsked;

/* The measurements of the present row. */
static struct {
    int sampleCount, sampleTarget;
    long runsPerSample, runsLeft;
    long bodyRuns; /* of the last measurement, warm-up included */
    double total;  /* seconds spent measuring, warm-up included */
    Timer wall, host, whole;
    int wholeStopped;
    int underWay, wasLeft; /* a loop has begun and not ended; a loop was left */
    int workWasLeft;       /* in streams that the body has not waited for */
    long steps, waits;     /* of the last sample: deviceSteps(), deviceWaits() */
    double bytesRead;      /* by its copies: deviceBytesRead() */
    int count;             /* that came to their end */
    int blockUsed;         /* what blockSize() gave last: names "the first block" in a diagnosis */
    size_t gridUsed;       /* likewise gridSize() */
} now;

static void start(void)
{
    rankBarrier(); /* all start together, and the slowest one counts */
    if (rowIsOnDevice())
        deviceTimerStart();
    else
        initTimer(&now.host);
    now.steps = deviceSteps();
    now.waits = deviceWaits();
    now.bytesRead = deviceBytesRead();
}

static double stop(void)
{
    double seconds;

    now.waits = deviceWaits() - now.waits; /* the harness waits, too */
    now.bytesRead = deviceBytesRead() - now.bytesRead;
    seconds = rowIsOnDevice() ? deviceTimerStop() : getTimer(&now.host);
    now.steps = deviceSteps() - now.steps;
    now.workWasLeft |= rowIsOnDevice() && deviceWorkIsLeft();
    return rankMax(seconds);
}

void measureReset(void)
{
    memset(&now, 0, sizeof now);
    provenanceReset();
}

/* 1 if the row has a time worth measuring: not on the emulated device. */
static int isTimed(void) { return !(rowIsOnDevice() && theDevice()->emulated); }

struct measurement measureBegin(void)
{
    struct measurement run = {0, START};

    now.wasLeft |= now.underWay;
    now.underWay = 1;
    now.bodyRuns = 0;
    if (samples == NULL)
        samples = mustAllocate(MAX_SAMPLES * sizeof *samples, "the measurement");
    now.sampleCount = 0;
    if (!isTimed()) {
        deviceSynchronise(); /* earlier work has then written its results */
        provenanceBegin();
    } else {
        deviceCountersReset();
    }
    initTimer(&now.wall);
    return run;
}

int measureWasLeft(void) { return now.wasLeft || now.underWay; }

int measureLeftWork(void) { return now.workWasLeft; }

int measureCount(void) { return now.count; }

/* How many samples of a row, at most. */
static int usualSamples(void) { return settings->quick ? 5 : isWaitedFor() ? 7 : 21; }

/* How many samples, and how many runs in each, given the seconds of one run. The emulated device
 * has no time worth measuring: its one sample, before which the results are wiped, shows whether
 * the body is repeatable. */
static void plan(double seconds)
{
    now.runsPerSample = 1;
    if (!isTimed()) {
        now.sampleTarget = settings->repeat > 0 ? settings->repeat : 1;
        return;
    }
    if (settings->repeat == 0 && seconds > isLong) {
        now.sampleTarget = 1;
        return;
    }
    now.sampleTarget = settings->repeat > 0 ? settings->repeat : usualSamples();
    if (seconds < minSample)
        now.runsPerSample = (long)(minSample / (seconds > 1e-7 ? seconds : 1e-7)) + 1;
    if (settings->repeat == 0)
        while (now.sampleTarget > 3 && (double)(now.sampleTarget * now.runsPerSample) * seconds >
                                           (isWaitedFor() ? littlePatience : patience))
            now.sampleTarget--;
}

/* Starts a sample of the timed phase. */
static int sample(void)
{
    now.runsLeft = now.runsPerSample;
    progressSample(now.sampleCount + 1, now.sampleTarget);
    if (!isTimed()) {
        deviceSynchronise();
        provenanceWipe();
    }
    start();
    return 1;
}

long measureRuns(void) { return now.bodyRuns; }

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
    for (int i = 0; i < now.sampleCount; i++) {
        all += samples[i];
        least = samples[i] < least ? samples[i] : least;
        most = samples[i] > most ? samples[i] : most;
    }
    if (now.sampleCount >= ENOUGH && most - least <= likeness * least)
        return 1;
    return now.sampleCount >= (samples[0] > agreeAfter ? 2 : 3) &&
           all * (double)now.runsPerSample >= agreeAfter && most - least <= agreement * least;
}

/* The last sample is taken: gives the row its times and counters. Returns 0, the end of the
 * loop. */
static int finish(void)
{
    struct timing time = {0};
    struct device_counters counters;

    qsort(samples, (size_t)now.sampleCount, sizeof *samples, ascending);
    time.median = 0.5 * (samples[(now.sampleCount - 1) / 2] + samples[now.sampleCount / 2]);
    time.min = samples[0];
    time.max = samples[now.sampleCount - 1];
    time.samples = now.sampleCount;
    time.once = now.sampleCount == 1 && settings->repeat == 0 && !settings->count && isTimed();
    rowHasTime(&time);
    deviceCountersGet(&counters);
    if (isTimed()) {
        counters.launches /= (double)now.bodyRuns;
    } else {
        counters.requests /= (double)now.sampleCount;
        counters.sharedRequests /= (double)now.sampleCount;
        counters.launches /= (double)now.sampleCount;
        counters.threads /= (double)now.sampleCount;
        counters.bytesAsked /= (double)now.sampleCount;
        counters.bytesIn /= (double)now.sampleCount;
        counters.bytesOut /= (double)now.sampleCount;
        counters.bytesSent /= (double)now.sampleCount;
        counters.oneLane /= (double)now.sampleCount;
        counters.steps = (double)now.steps;
        counters.waits = (double)now.waits;
        counters.bytesRead = now.bytesRead;
    }
    if (rowIsOnDevice())
        rowHasCounters(&counters);
    now.total += getTimer(&now.wall);
    if (!isTimed())
        provenanceNote(now.workWasLeft);
    now.underWay = 0;
    now.count++;
    return 0;
}

static int nextPhase(struct measurement *run)
{
    double seconds;

    switch (run->phase) {
    case START:
        run->warm = 1; /* a kernel without its lines is noticed after this run */
        if (settings->count) {
            run->phase = SAMPLES;
            now.runsPerSample = now.sampleTarget = 1;
            deviceCountersReset();
            return sample();
        }
        run->phase = WARM_UP;
        start();
        return 1;
    case WARM_UP:
    case TRIAL:
        seconds = stop();
        run->warm = 0;
        /* The first run loads the kernel, so a short one is tried once more before planning. */
        if (run->phase == WARM_UP && seconds < 0.05 && isTimed()) {
            run->phase = TRIAL;
            start();
            return 1;
        }
        run->phase = SAMPLES;
        if (seconds > tooLong && settings->repeat == 0 && isTimed()) {
            samples[now.sampleCount++] = seconds;
            return finish();
        }
        plan(seconds);
        if (!isTimed())
            deviceCountersReset();
        return sample();
    default:
        if (--now.runsLeft > 0)
            return 1;
        samples[now.sampleCount++] = stop() / (double)now.runsPerSample;
        return now.sampleCount < now.sampleTarget && !samplesAgree() ? sample() : finish();
    }
}

int measureNext(struct measurement *run)
{
    const int again = nextPhase(run);

    now.bodyRuns += again;
    return again;
}

void wholeStart(void)
{
    initTimer(&now.whole);
    now.wholeStopped = 0;
}

void wholeStop(void)
{
    const struct row *row = rowNow();

    if (row == NULL || now.wholeStopped)
        return;
    now.wholeStopped = 1;
    rowHasWhole(getTimer(&now.whole) - now.total + row->time.median);
}

void measureLaunch(int block, size_t grid)
{
    blockAsked = block;
    gridAsked = grid;
}

int blockSize(int usual)
{
    now.blockUsed = blockAsked > 0 ? blockAsked : settings->block > 0 ? settings->block : usual;
    return now.blockUsed;
}

int blockSizeUsed(void) { return now.blockUsed; }

size_t gridSize(size_t usual)
{
    now.gridUsed = gridAsked > 0 ? gridAsked : settings->grid > 0 ? settings->grid : usual;
    return now.gridUsed;
}

size_t threadsUsed(void) { return now.gridUsed * (size_t)now.blockUsed; }

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
