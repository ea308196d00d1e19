/* The run of a program from its start to its verdict: device, size, rows, exit code. */
#include "arrays.h"
#include "cache.h"
#include "csv.h"
#include "device.h"
#include "expected.h"
#include "fail.h"
#include "judge.h"
#include "machine.h"
#include "measure_internal.h"
#include "options.h"
#include "progress.h"
#include "ranks.h"
#include "row.h"
#include "size.h"
#include "table.h"
#include "start_gate.h"
#include "verdict.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct exercise *exercise;
static double copyRate;
static double available; /* bytes of device memory, on the rank with the least */
static int ordinal;
static int only = -1; /* the places that run, 1 << ON_CPU and so on; -1: all */
static const char *variantOnly;
static unsigned traitsWith, traitsWithout; /* harnessTraits() */

static int isTalking(void) { return rankNumber() == 0; }

static void openDevice(void)
{
    const struct device *d = theDevice();
    enum device_state state;
    char why[MESSAGE];

    if (exercise->emulatedDevices > 1)
        deviceEmulate(exercise->emulatedDevices);
    ordinal = settings->ordinal;
    if (rankCount() > 1 && ordinal < deviceCount())
        ordinal = (ordinal + rankOnNode()) % deviceCount();
    state = deviceOpen(ordinal, why, sizeof why);
    failTogether(rankMin(state) > DEVICE_OPEN); /* all have failed: one of them says why */
    if (state == DEVICE_MISSING)
        courseFail(EXIT_SKIPPED, "SKIPPED: %s", why);
    if (state == DEVICE_FOREIGN)
        courseFail(EXIT_ERROR, "%s", why);
    failTogether(1);
    available = rankMin(d->freeBytes);
    if (d->maxThreadsPerBlock > 0 && settings->block > d->maxThreadsPerBlock)
        courseFail(EXIT_USAGE, "--block %d: a block of this device has at most %d threads",
                   settings->block, d->maxThreadsPerBlock);
    if (d->maxBlocks > 0 && (double)settings->grid > d->maxBlocks)
        courseFail(EXIT_USAGE, "--grid %zu: a grid of this device has at most %.0f blocks",
                   settings->grid, d->maxBlocks);
}

/* The copy rate of the device; of the slowest one of several ranks, which measure by turns. */
static void measureLimit(void)
{
    double bytes = settings->quick ? 0x1p28 : 0x1p30;

    if (theDevice()->emulated || available <= 0.0)
        return;
    if (available / 4 < bytes)
        bytes = available / 4;
    for (int r = 0; r < rankCount(); r++) {
        if (r == rankNumber())
            copyRate = deviceCopyRate(bytes);
        rankBarrier();
    }
    copyRate = rankMin(copyRate);
    harnessLimit(copyRate);
}

/* Ends the program within a row: that is WRONG, and nothing else can be judged. */
static void __attribute__((noreturn)) endWrong(void)
{
    tableRow(rowClose(), 0);
    tableEnd(EXIT_WRONG);
    if (settings->verdict != NULL && isTalking())
        verdictWrite(settings->verdict, settings->program, EXIT_WRONG);
    _exit(EXIT_WRONG);
}

/* A CUDA error ends a variant's program at once (cudaVerify), and so does the student's own exit(),
 * which is no verdict. If the emulated device has found the cause, the student wants to read it,
 * and the verdict is WRONG. */
static void endedEarly(void)
{
    const struct row *row = rowNow();

    if (row == NULL || hasFailed())
        return;
    if (row->todo != 0 || deviceFindings() == 0) {
        if (rankCount() > 1)
            return; /* the launcher says so */
        fflush(stdout);
        fprintf(stderr, "%s: the program ended within the variant '%s'\n", settings->program,
                row->name);
        if (deviceIsLost())
            fprintf(stderr,
                    "A kernel has failed. For its line: ./course check %.*s --device=emulated\n",
                    (int)strcspn(settings->program, "_"), settings->program);
        if (settings->verdict != NULL && isTalking())
            verdictSoFar(settings->verdict, row->name);
        _exit(EXIT_ERROR);
    }
    rowHasFindings(NULL);
    endWrong();
}

void variantFailed(const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rowIsWrong("%s", message);
    endWrong();
}

/* The lines above the table. */
static void introduce(void)
{
    const struct device *d = theDevice();

    printf("%s%s%s: %s, %zu %s, seed %lu\n", colour("\033[1m"), exercise->name, colour("\033[0m"),
           exercise->title, harnessSize(), exercise->unit, settings->seed);
    printf("CPU: %s, %d threads\n", machine()->cpu, machine()->threads);
    if (d->emulated)
        printf("Device: %s (counts memory accesses, cannot time a GPU)\n", d->name);
    else if (copyRate > 0.0)
        printf("Device: %s, %d multiprocessors, limit %.0f GB/s (a device-to-device copy)\n",
               d->name, d->multiprocessors, copyRate * 1e-9);
    if (d->note[0] != '\0')
        printf("%s\n", d->note);
    if (copyRate > 0.0 && exercise->deviceBytes(harnessSize()) < d->l2Bytes)
        printf("The arrays fit into the L2 cache (%.0f MB): rates can exceed the limit.\n",
               d->l2Bytes * 1e-6);
    fflush(stdout);
}

void harnessReady(void)
{
    static int isReady;
    size_t count;

    if (isReady++ || settings->list)
        return;
    if (gateIsClosed())
        progressBegin("waiting for its turn", "");
    gateAwait();
    if (settings->csv != NULL && isTalking())
        csvOpen(settings->csv);
    if (settings->csv != NULL)
        deviceCountWork();
    progressBegin("the rate of a copy on the device", "");
    measureLimit();
    progressWipe();
    if (settings->cache != NULL) {
        cacheRead(settings->cache, exercise);
        if (!(settings->only & 1 << ON_CPU)) {
            const struct row *rows = cacheAll(&count);

            tableBaseline(rows, count);
        }
    }
    if (isTalking())
        introduce();
}

void harnessStart(const struct exercise *theExercise, int argc, char **argv)
{
    exercise = theExercise;
    optionsRead(exercise, argc, argv);
    only = settings->only;
    if (settings->list) {
        sizeSet(exercise->minSize);
        return;
    }
    progressBegin("the device is opened", "");
    openDevice();
    if (atexit(endedEarly) != 0)
        courseFail(EXIT_ERROR, "out of memory");
    sizeChoose(exercise, available);
    failTogether(0);
    if (!gateIsClosed())
        harnessReady();
    progressBegin("inputs and reference", "");
}

int harnessHasTime(void) { return gateIsClosed(); }

int harnessListing(void) { return settings->list; }

int harnessCapability(void) { return theDevice()->capability; }

int harnessEmulated(void) { return theDevice()->emulated; }

int harnessWorkIsLeft(void) { return deviceWorkIsLeft(); }

long harnessSteps(void) { return deviceSteps(); }

long harnessStepsBetween(const void *begin, const void *end)
{
    return deviceStepsBetween(begin, end);
}

int harnessCpuOnly(void) { return theDevice()->freeBytes <= 0.0; }

void harnessUseDevices(int count) { deviceUse(count); }

int harnessDeviceNumber(int k) { return (ordinal + k) % deviceCount(); }

int harnessDevices(void) { return deviceCount(); }

double harnessCopyRate(void)
{
    harnessReady();
    return copyRate;
}

double harnessLinkRate(enum link_direction direction)
{
    static double rates[3];
    static int isMeasured;

    harnessReady();
    if (!settings->list && available > 0.0 && !isMeasured++)
        deviceLinkRates(settings->quick ? 0x1p24 : isWaitedFor() ? 0x1p26 : 0x1p28, rates);
    return rates[direction];
}

void harnessOnly(enum place place) { only = 1 << place; }

void harnessAll(void) { only = settings->only; }

void harnessVariant(const char *name) { variantOnly = name; }

void harnessTraits(unsigned with, unsigned without)
{
    traitsWith = with;
    traitsWithout = without;
}

void harnessLaunch(int block, size_t grid) { measureLaunch(block, grid); }

void harnessBest(void)
{
    const struct row *best = NULL, *rows;
    size_t count;

    rows = rowAll(&count);
    for (const struct row *row = rows; row < rows + count; row++)
        if (row->place == ON_DEVICE && row->verdict == EXIT_PASS && !row->demonstration &&
            row->time.median > 0.0 && (best == NULL || row->time.median < best->time.median))
            best = row;
    if (best != NULL && !theDevice()->emulated)
        harnessNote("Best: %s %s, %.4g us, %.2f of the limit", best->name, best->parameters,
                    best->time.median * 1e6,
                    best->limit > 0.0 ? best->bytes / best->time.median / best->limit : 0.0);
}

/* 1 if the name contains the text. In the text an underscore also stands for a blank, and a $ after
 * the last letter for the end of the name. */
static int holdsText(const char *name, const char *text)
{
    for (; *name != '\0'; name++) {
        size_t i = 0;

        while (text[i] != '\0' && (text[i] == name[i] || (text[i] == '_' && name[i] == ' ')))
            i++;
        if (text[i] == '\0' || (strcmp(text + i, "$") == 0 && name[i] == '\0'))
            return 1;
    }
    return 0;
}

/* 1 if the name contains the text of --variant, or one of the texts between its bars. */
static int isAskedFor(const char *name)
{
    char texts[MESSAGE], *rest = texts, *text;

    if (settings->variant == NULL)
        return 1;
    snprintf(texts, sizeof texts, "%s", settings->variant);
    while ((text = strsep(&rest, "|")) != NULL)
        if (holdsText(name, text))
            return 1;
    return 0;
}

/* 1 if the options and the exercise leave the row out. */
static int isLeftOut(const char *name, enum place place, unsigned traits)
{
    return (traitsWith != 0 && (traits & traitsWith) == 0) || (traits & traitsWithout) != 0 ||
           !(only & 1 << place) || (variantOnly != NULL && strstr(name, variantOnly) == NULL) ||
           !isAskedFor(name);
}

/* The limit of the CPU's rows, measured before the first of them. If all data fits into the caches,
 * the copy rate of the memory is no limit. */
static void measureCpuLimit(void)
{
    static int isMeasured;
    const double large = 64e6, spare = machineFreeBytes() / 8.0;

    if (isMeasured++)
        return;
    judgeMachine();
    if (rankCount() > 1 || settings->quick || exercise->hostBytes(harnessSize()) < large)
        return;
    rowLimitOfCpu(cpuCopyRate(spare < 0x1p28 ? spare : 0x1p28));
}

static int isOneVariant(void) { return variantOnly != NULL || settings->variant != NULL; }

/* Compares the open row's entry in deviceVariants with the expected one; NULL: it is a student's
 * own. */
static void judgeTable(const struct expected_row *expected)
{
    char message[MESSAGE];
    size_t count;

    expectedRows(&count);
    if (expected != NULL && expectedDiffers(expected, message, sizeof message))
        rowIsWrong("%s", message);
    else if (expected == NULL && rowNow()->place == ON_DEVICE && count > 0)
        rowIsOwn();
}

/* The rows that the options select and deviceVariants lacks. */
static void addMissing(void)
{
    size_t count;
    const struct expected_row *expected = expectedRows(&count);

    for (const struct expected_row *e = expected; e < expected + count; e++) {
        const struct row *row;

        if (e->times > 0 ||
            (e->isConditional && !(theDevice()->emulated && harnessCapability() >= 90)) ||
            !(settings->only & 1 << ON_DEVICE) || !isAskedFor(e->name))
            continue;
        rowOpen(e->name, ON_DEVICE, 0);
        judgeTable(e);
        row = rowClose();
        if (isTalking())
            tableRow(row, isOneVariant());
    }
}

int rowBegin(const char *name, enum place place, unsigned traits)
{
    static const char *const places[] = {"cpu    ", "device ", "library"};
    const struct expected_row *expected = place == ON_DEVICE ? expectedRow(name) : NULL;
    const struct row *kept;

    if (settings->list) {
        if (isTalking())
            printf("%s %s\n", places[place], name);
        return 0;
    }
    harnessReady();
    if (isLeftOut(name, place, traits))
        return 0;
    /* Several ranks would have to decide alike. */
    if (place == ON_CPU && rankCount() == 1 && (kept = cacheFind(name, rowParameters())) != NULL) {
        kept = rowAdd(kept);
        if (isTalking())
            tableRow(kept, isOneVariant());
        return 0;
    }
    progressBegin("running", name);
    if (place == ON_CPU)
        measureCpuLimit();
    rowOpen(name, place, traits);
    judgeTable(expected);
    measureReset();
    if (rowIsOnDevice())
        devicePoison(1.5 * exercise->deviceBytes(harnessSize()));
    judgeStart();
    rankBarrier(); /* no rank takes memory while another one still poisons it */
    wholeStart();
    return 1;
}

void rowEnd(void)
{
    const struct row *row;

    if (rowNow() == NULL)
        return;
    wholeStop();
    judgeRow();
    rowAgree();
    row = rowClose();
    if (isTalking())
        tableRow(row, isOneVariant());
    if (isTalking() && settings->verdict != NULL)
        verdictSoFar(settings->verdict, NULL);
}

int harnessFinish(void)
{
    enum exit_code verdict;
    const struct row *rows;
    size_t count;

    if (settings->list) {
        arraysFree();
        return EXIT_PASS;
    }
    failTogether(1); /* the rows are the same on all ranks */
    addMissing();
    rows = rowAll(&count);
    if (count == 0)
        courseFail(EXIT_USAGE, "no variant is left to run; --list names them");
    verdict = verdictOfRows();
    if (isTalking()) {
        tableEnd(verdict);
        if (settings->csv != NULL)
            csvWrite(settings->csv, exercise->name, rows, count);
        if (settings->cache != NULL)
            cacheWrite(exercise);
    }
    arraysFree();
    if (fflush(stdout) != 0 || ferror(stdout))
        courseFail(EXIT_ERROR, "cannot write the results to standard output");
    if (isTalking() && settings->verdict != NULL)
        verdictWrite(settings->verdict, settings->program, verdict);
    return (int)verdict;
}
