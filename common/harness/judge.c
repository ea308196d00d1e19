/* The mistakes that the harness finds in a row whatever its result: errors that were never checked,
 * memory that is never freed, objects that are never destroyed, a measurement that measures
 * nothing, and the findings of the emulated device. */
#include "judge.h"
#include "device.h"
#include "measure_internal.h"
#include "options.h"
#include "machine.h"
#include "result_provenance.h"
#include "row.h"
#include <math.h>
#include <stdlib.h>

enum {
    /* With more than so many times the bytes needed, every block perhaps does all of the work. */
    MAX_REQUEST_FACTOR = 16,
    /* With fewer bytes, what a grid does besides the work counts more than the work. */
    SMALL_GRID_BYTES = 4096,
    /* With fewer requests, few threads may well do all of the work. */
    FEW_REQUESTS = 1000,
    /* Far more elements than a block has threads. */
    MANY_ELEMENTS = 10000
};
static const double maxOfLimit = 1.15; /* of the copy rate: reading alone is a little faster */

static const char leftWork[] = "the body of MEASURE ends before its work does: what it puts into "
                               "streams must be waited for, or it is not timed";

void judgeStart(void)
{
    if (rowIsOnDevice()) {
        deviceSynchronise();
        deviceCountersReset();
        deviceFindingsReset();
    }
}

/* The threads of a launch share its work, if there is more than a block of them can do at once. Not
 * where an option arranges it: all particles in one cell, or a stride of the array's length, are
 * one block's work. */
static void judgeThreads(const struct row *row)
{
    const struct device_counters *c = &row->counters;

    if (settings->isArranged)
        return;
    if (c->repeats > 0.5 || (c->oneBlock > 0.5 && row->size > MANY_ELEMENTS))
        rowIsWrong("one block of the grid does nearly all of the work: the blocks are to share it");
    else if (c->oneLane > FEW_REQUESTS && 2.0 * c->oneLane > c->requests &&
             row->bytes + row->flops > 0.0)
        rowIsWrong("one thread of each warp, or of all, reads and writes memory: give each block "
                   "a multiple of 32 threads, and let all of them share the work");
}

/* The body of MEASURE: it has run to its end, and on the device. */
static void judgeMeasurement(const struct row *row)
{
    if (measureWasLeft())
        rowIsWrong("MEASURE was left by break, return or goto: its body must run to its end");
    else if (row->place == ON_DEVICE && row->size > 0 && measureCount() == 0)
        rowIsWrong("nothing was measured: the launch belongs into MEASURE (run) { ... }");
    else if (measureLeftWork())
        rowIsWrong("%s", leftWork);
    if (!theDevice()->emulated || row->place != ON_DEVICE || row->size == 0)
        return;
    if (row->counters.launches == 0.0 && !(row->traits & NO_KERNEL))
        rowIsWrong("no kernel ran inside MEASURE, at least not in its last run: the work was done "
                   "before, or elsewhere");
    if (row->bytes > 0.0 && !(row->traits & ASKS_FOR_MORE) &&
        row->counters.bytesAsked > MAX_REQUEST_FACTOR * fmax(row->bytes, SMALL_GRID_BYTES))
        rowIsWrong("asks memory for %.0f times the bytes that the work needs: %s",
                   row->counters.bytesAsked / row->bytes,
                   deviceSameElement() != NULL ? deviceSameElement()
                                               : "every block or thread does all of the work, "
                                                 "or the same is read again and again");
    if (rowVerdict() == EXIT_PASS)
        judgeThreads(row);
}

/* Times that cannot be true or cannot be trusted: reported, but not judged. */
static void judgeTimes(const struct row *row)
{
    const struct timing *t = &row->time;
    const double rate = t->median > 0.0 ? row->bytes / t->median : 0.0;

    if (row->place == ON_CPU) {
        if (t->samples >= 5 && t->median > 1e-3 && t->max > 2.0 * t->min)
            harnessRemark("times from %.4g to %.4g ms: the machine is busy with something else",
                          t->min * 1e3, t->max * 1e3);
    } else if (!theDevice()->emulated && row->limit > 0.0 && rate > maxOfLimit * row->limit &&
               row->bytes > 4.0 * theDevice()->l2Bytes && !(row->traits & SAVES_TRAFFIC) &&
               !row->demonstration) {
        harnessRemark("faster than the device can copy: not all of the work is done, or not in the "
                      "stream that is timed");
    }
}

void judgeMachine(void)
{
    double load;

    if (getloadavg(&load, 1) == 1 && load > 0.5 * machine()->threads + 0.5)
        harnessNote(
            "The machine is busy (load %.1f, %d threads here): the CPU's times may be too long",
            load, machine()->threads);
}

void judgeRow(void)
{
    const struct row *row = rowNow();

    if (rowIsOnDevice()) {
        const char *error;

        deviceSynchronise();
        error = deviceError();
        if (error != NULL)
            rowIsWrong("a call or a launch failed, and its error was never checked: %s", error);
    }
    if (rowVerdict() == EXIT_PASS)
        judgeMeasurement(row);
    if (rowVerdict() == EXIT_PASS && row->place == ON_DEVICE && theDevice()->emulated)
        provenanceJudge();
    if (rowVerdict() == EXIT_PASS)
        judgeTimes(row);
    if (theDevice()->emulated && rowIsOnDevice() && row->todo == 0) {
        if (rowVerdict() == EXIT_PASS)
            deviceFindLeaks();
        rowHasFindings(measureLeftWork() ? leftWork : NULL);
    }
}
