/* The run of a program from its start to its verdict: rows, table, exit code. */
#include "internal.h"
#include "machine.h"
#include "measure.h"
#include "pace.h"
#include "cuda_utils.h"
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REMARKS = 16, FINDINGS_SHOWN = 3 };
enum { LABEL = 36 }; /* width of the table's first column */
enum { MUCH = 16 };  /* more than this times the bytes needed: every thread does all, perhaps */

struct device theDevice;
const struct exercise *theExercise;
struct row *openRow;
const struct harness_ranks *theRanks;

static struct row *rows;
static size_t rowCount;
static struct row now; /* the row under way */
static Timer wall;
static int stopped;
static char remarks[REMARKS][MESSAGE], notes[REMARKS][MESSAGE];
static int remarkCount, noteCount;
static double copyRate, limit;
static double workBytes, workFlops;
static size_t workSize;
static char parameters[NAME];
static int only = -1;
static const char *variantOnly;
static int blockAsked;
static size_t gridAsked;
static double oneCore, allCores; /* pace of the first and the last CPU row */
static double freeBefore;        /* bytes of device memory when the row began */
static int headed[2];            /* table heads printed: for times, for counters */
static char group[NAME];         /* the parameters that were printed last as a line of their own */

static int isColoured(void)
{
    const char *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

/* Colours, on a terminal only. */
static const char *colour(const char *code)
{
    return isColoured() ? code : "";
}

static const char *verdictColour(enum exit_code verdict)
{
    return colour(verdict == EXIT_PASS    ? "\033[32m"
                  : verdict == EXIT_WRONG ? "\033[31m"
                                          : "\033[33m");
}

const char *verdictWord(enum exit_code verdict)
{
    switch (verdict) {
    case EXIT_PASS:
        return "PASS";
    case EXIT_WRONG:
        return "WRONG";
    case EXIT_SKIPPED:
        return "SKIPPED";
    default:
        return "NOT IMPLEMENTED";
    }
}

/* The smallest x of all ranks. */
static double smallest(double x)
{
    return theRanks != NULL ? -theRanks->largest(-x) : x;
}

static void chooseSize(void)
{
    const struct exercise *e = theExercise;
    const double device = 0.9 * theDevice.freeBytes, host = 0.9 * smallest(machineFreeBytes());
    const int hasDevice = theDevice.freeBytes > 0.0;

    if (e->ownSize != NULL && e->ownSize() != SIZE_MAX) {
        settings.size = e->ownSize();
        settings.sizeGiven = 1;
    }
    if (!settings.sizeGiven) {
        settings.size = theDevice.emulated ? e->emulatedSize : e->size;
        if (settings.quick && e->quickSize < settings.size)
            settings.size = e->quickSize;
        while (settings.size / 2 >= e->leastSize && settings.size > 1 &&
               ((hasDevice && e->deviceBytes(settings.size) > device) ||
                e->hostBytes(settings.size) > 0.8 * host))
            settings.size /= 2;
        /* A thread per element in blocks of 256 must fit into a grid: on Fermi that has 65535 blocks. */
        while (theDevice.maxBlocks > 0.0 && (double)settings.size > 256.0 * theDevice.maxBlocks)
            settings.size /= 2;
    }
    if (hasDevice && e->deviceBytes(settings.size) > device)
        courseFail(EXIT_USAGE, "size %zu needs %.3g GB on the device, %.3g GB are free",
                   settings.size, e->deviceBytes(settings.size) * 1e-9, theDevice.freeBytes * 1e-9);
    if (e->hostBytes(settings.size) > host)
        courseFail(EXIT_USAGE, "size %zu needs %.3g GB on the host, %.3g GB are free",
                   settings.size, e->hostBytes(settings.size) * 1e-9, host / 0.9 * 1e-9);
}

static void openDevice(void)
{
    char why[MESSAGE];
    int failed;

    if (theRanks != NULL && settings.ordinal < deviceCount())
        settings.ordinal = (settings.ordinal + theRanks->onNode) % deviceCount();
    failed = deviceOpen(settings.ordinal, &theDevice, why, sizeof why);
    settings.reading = smallest(failed) > 0.0; /* all have failed: one of them says why */
    if (failed)
        courseFail(EXIT_SKIPPED, "SKIPPED: %s", why);
    settings.reading = 1;
    theDevice.freeBytes = smallest(theDevice.freeBytes);
    if (theDevice.maxThreadsPerBlock > 0 && settings.block > theDevice.maxThreadsPerBlock)
        courseFail(EXIT_USAGE, "--block %d: a block of this device has at most %d threads",
                   settings.block, theDevice.maxThreadsPerBlock);
    if (theDevice.maxBlocks > 0 && (double)settings.grid > theDevice.maxBlocks)
        courseFail(EXIT_USAGE, "--grid %zu: a grid of this device has at most %.0f blocks",
                   settings.grid, theDevice.maxBlocks);
}

/* A CUDA error ends a variant's program at once (cudaVerify), or the learner's own exit(), which is no
 * verdict. If the emulated device has seen what led to it, that is what the learner wants to read, and the
 * verdict is WRONG. */
static void endedEarly(void)
{
    if (openRow == NULL || settings.failing)
        return;
    if (now.todo != 0 || deviceFindings() == 0) {
        if (theRanks != NULL)
            return; /* the launcher says so */
        fflush(stdout);
        fprintf(stderr, "%s: the program ended within the variant '%s'\n", settings.program,
                now.name);
        _exit(EXIT_USAGE);
    }
    printf("%sWRONG%s: %s\n", verdictColour(EXIT_WRONG), colour("\033[0m"), now.name);
    for (int i = 0; i < deviceFindings() && i < FINDINGS_SHOWN && deviceFinding(i) != NULL; i++)
        printf("       %s\n", deviceFinding(i));
    fflush(stdout);
    _exit(EXIT_WRONG);
}

void variantFailed(const char *format, ...)
{
    va_list arguments;

    printf("%sWRONG%s: %s\n       ", verdictColour(EXIT_WRONG), colour("\033[0m"), now.name);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    _exit(EXIT_WRONG);
}

void harnessStart(const struct exercise *exercise, int argc, char **argv)
{
    theExercise = exercise;
    settings.reading = 1;
    optionsRead(exercise, argc, argv);
    blockAsked = settings.block;
    gridAsked = settings.grid;
    only = settings.only;
    if (settings.list) {
        settings.size = exercise->leastSize;
        return;
    }
    openDevice();
    if (atexit(endedEarly) != 0)
        courseFail(EXIT_USAGE, "out of memory");
    chooseSize();
    settings.reading = 0;
    if (settings.csv != NULL && !settings.silent)
        csvOpen(settings.csv);
    if (!theDevice.emulated && theDevice.freeBytes > 0.0) {
        double bytes = settings.quick ? 0x1p28 : 0x1p30;

        if (theDevice.freeBytes / 4 < bytes)
            bytes = theDevice.freeBytes / 4;
        for (int r = 0; r < (theRanks != NULL ? theRanks->ranks : 1); r++) { /* by turns */
            if (theRanks == NULL || r == theRanks->rank)
                copyRate = deviceCopyRate(bytes);
            smallest(0.0);
        }
        copyRate = smallest(copyRate);
    }
    limit = copyRate;
    if (settings.silent)
        return;
    printf("%s%s%s: %s, %zu %s, seed %lu\n", colour("\033[1m"), exercise->name, colour("\033[0m"),
           exercise->title, settings.size, exercise->unit, settings.seed);
    printf("CPU: %s, %d threads\n", machine()->cpu, machine()->threads);
    if (theDevice.emulated)
        printf("Device: %s (counts memory accesses, cannot time a GPU)\n", theDevice.name);
    else if (copyRate > 0.0)
        printf("Device: %s, %d multiprocessors, limit %.0f GB/s (a device-to-device copy)\n",
               theDevice.name, theDevice.multiprocessors, copyRate * 1e-9);
    if (copyRate > 0.0 && exercise->deviceBytes(settings.size) < theDevice.l2Bytes)
        printf("The arrays fit into the L2 cache (%.0f MB): rates can exceed the limit.\n",
               theDevice.l2Bytes * 1e-6);
    fflush(stdout);
}

size_t harnessSize(void)
{
    return settings.size;
}

int harnessListing(void)
{
    return settings.list;
}

int harnessEmulated(void)
{
    return theDevice.emulated;
}

int harnessCpuOnly(void)
{
    return theDevice.freeBytes <= 0.0;
}

void harnessWork(double bytes, double flops, size_t size)
{
    workBytes = bytes;
    workFlops = flops;
    workSize = size;
    now.bytes = bytes;
    now.flops = flops;
    now.size = size;
}

void harnessParameters(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(parameters, sizeof parameters, format, arguments);
    va_end(arguments);
}

void harnessOnly(enum place place)
{
    only = place;
}

void harnessAll(void)
{
    only = settings.only;
}

void harnessVariant(const char *name)
{
    variantOnly = name;
}

void harnessBest(void)
{
    const struct row *best = NULL;

    for (const struct row *row = rows; row < rows + rowCount; row++)
        if (row->place == ON_DEVICE && row->verdict == EXIT_PASS && !row->demonstration &&
            row->median > 0.0 && (best == NULL || row->median < best->median))
            best = row;
    if (best != NULL && !theDevice.emulated)
        harnessNote("Best: %s %s, %.4g us, %.2f of the limit", best->name, best->parameters,
                    best->median * 1e6,
                    best->limit > 0.0 ? best->bytes / best->median / best->limit : 0.0);
}

void harnessLaunch(int block, size_t grid)
{
    settings.block = block > 0 ? block : blockAsked;
    settings.grid = grid > 0 ? grid : gridAsked;
}

void harnessLimit(double bytesPerSecond)
{
    limit = bytesPerSecond;
}

void harnessRanks(const struct harness_ranks *ranks)
{
    theRanks = ranks;
    settings.silent = ranks->rank != 0;
}

int harnessDevices(void)
{
    return deviceCount();
}

double harnessCopyRate(void)
{
    return copyRate;
}

void harnessRemark(const char *format, ...)
{
    va_list arguments;

    if (remarkCount == REMARKS)
        return;
    va_start(arguments, format);
    vsnprintf(remarks[remarkCount++], MESSAGE, format, arguments);
    va_end(arguments);
}

void harnessNote(const char *format, ...)
{
    va_list arguments;

    if (noteCount == REMARKS)
        return;
    va_start(arguments, format);
    vsnprintf(notes[noteCount++], MESSAGE, format, arguments);
    va_end(arguments);
}

void rowStart(void)
{
    initTimer(&wall);
    stopped = 0;
}

void rowStop(void)
{
    if (openRow != NULL && !stopped) {
        stopped = 1;
        now.whole = getTimer(&wall) - measureTotal();
    }
}

enum exit_code rowVerdict(void)
{
    return openRow == NULL ? EXIT_PASS : now.todo != 0 ? EXIT_UNFILLED : now.verdict;
}

double rowSeconds(void)
{
    return measureMedian();
}

double rowBankConflict(void)
{
    return openRow == NULL ? 0.0 : now.counters.bankConflict;
}

void rowSkip(const char *format, ...)
{
    va_list arguments;

    if (openRow == NULL || now.verdict != EXIT_PASS)
        return;
    now.verdict = EXIT_SKIPPED;
    va_start(arguments, format);
    vsnprintf(now.message, sizeof now.message, format, arguments);
    va_end(arguments);
}

void rowIsDemonstration(void)
{
    now.demonstration = 1;
}

int rowBegin(const char *name, enum place place, unsigned traits)
{
    if (settings.list) {
        if (!settings.silent)
            printf("%s %s\n",
                   place == ON_CPU      ? "cpu    "
                   : place == ON_DEVICE ? "device "
                                        : "library",
                   name);
        return 0;
    }
    if (only >= 0 && (int)place != only)
        return 0;
    if (variantOnly != NULL && strstr(name, variantOnly) == NULL)
        return 0;
    if (settings.variant != NULL && strstr(name, settings.variant) == NULL)
        return 0;
    if (!settings.silent && isatty(STDERR_FILENO) && isatty(STDOUT_FILENO))
        fprintf(stderr, "  running: %s\r", name);
    memset(&now, 0, sizeof now);
    snprintf(now.name, sizeof now.name, "%s", name);
    snprintf(now.parameters, sizeof now.parameters, "%s", parameters);
    now.place = place;
    now.traits = traits;
    now.demonstration = (traits & WRONG_ON_PURPOSE) != 0;
    now.bytes = workBytes;
    now.flops = workFlops;
    now.size = workSize > 0 ? workSize : settings.size;
    now.limit = place == ON_CPU ? 0.0 : limit;
    openRow = &now;
    measureReset();
    if (place != ON_CPU) {
        devicePoison(1.5 * theExercise->deviceBytes(settings.size));
        deviceSynchronise();
        deviceCountersReset();
        deviceFindingsReset();
    }
    if (theDevice.emulated)
        freeBefore = deviceFree();
    smallest(0.0); /* no rank takes memory while another one still poisons it */
    remarkCount = 0;
    rowStart();
    return 1;
}

static void printTime(double seconds)
{
    if (seconds >= 1.0)
        printf(" %9.3f s ", seconds);
    else if (seconds >= 1e-3)
        printf(" %9.3f ms", seconds * 1e3);
    else
        printf(" %9.2f us", seconds * 1e6);
}

static void printRatio(double ratio)
{
    if (ratio > 0.0)
        printf(" %9.*f", ratio < 100.0 ? 2 : 0, ratio);
    else
        printf("         -");
}

/* The head of the table, once for the rows with times and once for those with counters. */
static void printHead(int counters)
{
    if (headed[counters]++)
        return;
    if (counters)
        printf("%s%-5s%-*s %10s %10s %8s %8s %8s %8s %s\n", colour("\033[2m"), "", LABEL, "",
               "requests", "sectors/rq", "used", "bank", "diverg.", "atomic", colour("\033[0m"));
    else
        printf("%s%-5s%-*s %12s %9s %9s %12s %9s %9s%s\n", colour("\033[2m"), "", LABEL, "", "time",
               workBytes > 0.0 || workFlops <= 0.0 ? "GB/s" : "GFLOP/s", "of limit", "with copies",
               "x 1 core", "x CPU", colour("\033[0m"));
}

static void printCounter(double value, const char *format)
{
    if (value > 0.0)
        printf(format, value);
    else
        printf("        -");
}

static void printCounters(const struct row *row)
{
    const struct device_counters *c = &row->counters;

    if (c->requests > 0.0)
        printf(" %10.0f %10.2f", c->requests, c->sectorsPerRequest);
    else
        printf(" %10s %10s", "-", "-"); /* not counted: --fast, or a library's own code */
    printCounter(100.0 * c->bytesUsed, " %7.0f%%");
    printCounter(c->bankConflict, " %8.2f");
    if (c->requests > 0.0)
        printf(" %7.1f%%", 100.0 * c->divergence);
    else
        printf(" %8s", "-");
    printCounter(c->atomicConflict, " %8.2f");
}

static void printTimes(const struct row *row)
{
    /* Of a row that is wrong on purpose the time is the lesson; rates are of right results only. */
    const double counts = row->demonstration ? 0.0 : 1.0;
    const double rate = row->bytes > 0.0 ? row->bytes : row->flops;

    printTime(row->median);
    printRatio(counts * rate / row->median * 1e-9);
    printRatio(row->limit > 0.0 ? counts * row->bytes / row->median / row->limit : 0.0);
    if (row->place == ON_CPU)
        printf("            -");
    else
        printTime(row->whole);
    printRatio(oneCore > 0.0 ? counts * paceOf(row->bytes, row->flops, row->median) / oneCore
                             : 0.0);
    printRatio(allCores > 0.0 ? counts * paceOf(row->bytes, row->flops, row->median) / allCores
                              : 0.0);
}

/* The row's name, and its parameters: behind the name in a sweep over one variant, else on a line of their
 * own above the rows that share them. */
static void printLabel(const char *place, const struct row *row)
{
    const int oneVariant = variantOnly != NULL || settings.variant != NULL;
    char label[NAME * 2 + 8];

    snprintf(label, sizeof label, "%s%s%s", row->name, row->parameters[0] != '\0' ? "  " : "",
             row->parameters);
    if (!oneVariant || strlen(label) > LABEL) {
        if (strcmp(group, row->parameters) != 0)
            printf("%s%s%s\n", colour("\033[2m"), row->parameters, colour("\033[0m"));
        snprintf(group, sizeof group, "%s", row->parameters);
        snprintf(label, sizeof label, "%s", row->name);
    }
    printf("%-5s%-*s", place, LABEL, label);
}

static void printRow(const struct row *row)
{
    static const char *const places[] = {"CPU", "GPU", "Lib"};
    int counters = row->place != ON_CPU && theDevice.emulated;

    if (isatty(STDERR_FILENO) && isatty(STDOUT_FILENO))
        fprintf(stderr, "\r\033[K"); /* wipes the "running:" line */
    printHead(counters);
    printLabel(counters                                                ? "Emu"
               : row->place == ON_DEVICE && theDevice.freeBytes <= 0.0 ? "Acc"
                                                                       : places[row->place],
               row);
    if (row->verdict != EXIT_PASS && !row->demonstration)
        printf(" "); /* no rate is ever printed for a wrong result */
    else if (counters)
        printCounters(row);
    else if (row->median > 0.0)
        printTimes(row);
    printf("  %s%s%s%s\n", row->demonstration ? "" : verdictColour(row->verdict),
           verdictWord(row->verdict),
           !row->demonstration          ? ""
           : row->verdict == EXIT_WRONG ? " (on purpose)"
                                        : " (by luck)",
           colour("\033[0m"));
    if (row->message[0] != '\0')
        printf("       %s\n", row->message);
    for (int i = 1; i < row->findings && i < FINDINGS_SHOWN && deviceFinding(i) != NULL; i++)
        printf("       %s\n", deviceFinding(i));
    if (row->findings > FINDINGS_SHOWN)
        printf("       ... and %d more like these\n", row->findings - FINDINGS_SHOWN);
    for (int i = 0; i < remarkCount; i++)
        printf("       %s\n", remarks[i]);
    fflush(stdout);
}

void rowEnd(void)
{
    struct row *grown;

    if (openRow == NULL)
        return;
    if (now.place != ON_CPU) {
        const char *error;
        double leaked;

        deviceSynchronise();
        error = deviceError();
        verifyThat(error == NULL, "a call or a launch failed, and nobody looked: %s", error);
        leaked = theDevice.emulated && now.todo == 0 ? freeBefore - deviceFree() : 0.0;
        verifyThat(leaked <= 0.0, "%.0f bytes of device memory are never freed (cudaFree)", leaked);
    }
    rowStop();
    now.median = measureMedian();
    now.least = measureLeast();
    now.most = measureMost();
    now.samples = measureSamples();
    now.whole += now.median;
    if (now.place != ON_CPU && theDevice.emulated)
        now.findings = deviceFindings();
    if (now.todo != 0) { /* a half-filled variant is not judged */
        now.verdict = EXIT_UNFILLED;
        snprintf(now.message, sizeof now.message, "TODO %d at %s:%d", now.todo, now.todoFile,
                 now.todoLine);
        now.findings = 0;
    } else if (now.findings > 0) {
        const char *line = deviceFinding(0);

        now.verdict = EXIT_WRONG;
        snprintf(now.message, sizeof now.message, "%s", line != NULL ? line : "");
    }
    if (theRanks != NULL) {
        int verdict = (int)now.verdict;

        theRanks->worst(&verdict, now.message, sizeof now.message);
        now.verdict = (enum exit_code)verdict;
        now.maxError = theRanks->largest(now.maxError);
    }
    if (now.place == ON_CPU && now.verdict == EXIT_PASS) {
        if (oneCore == 0.0)
            oneCore = paceOf(now.bytes, now.flops, now.median);
        allCores = paceOf(now.bytes, now.flops, now.median);
    }
    if (now.verdict == EXIT_PASS && now.bytes > 0.0 && now.counters.bytesAsked > MUCH * now.bytes)
        harnessRemark("asks memory for %.0f times the bytes that the work needs",
                      now.counters.bytesAsked / now.bytes);
    if (!settings.silent)
        printRow(&now);
    openRow = NULL;

    grown = realloc(rows, (rowCount + 1) * sizeof *rows);
    if (grown == NULL)
        courseFail(EXIT_USAGE, "no memory for the results");
    rows = grown;
    rows[rowCount++] = now;
}

/* The last words: the first unfilled TODO, or how many variants are wrong. */
static enum exit_code summary(void)
{
    const struct row *unfilled = NULL;
    size_t wrong = 0, judged = 0, demonstrations = 0;
    enum exit_code verdict;

    for (size_t i = 0; i < rowCount; i++) {
        judged += !rows[i].demonstration && rows[i].verdict != EXIT_SKIPPED;
        demonstrations += rows[i].demonstration;
        wrong += rows[i].verdict == EXIT_WRONG && !rows[i].demonstration;
        if (rows[i].verdict == EXIT_UNFILLED && unfilled == NULL)
            unfilled = &rows[i];
    }
    settings.reading = 1; /* the rows are the same on all ranks */
    if (rowCount == 0)
        courseFail(EXIT_USAGE, "no variant is left to run; --list names them");
    verdict = wrong > 0                            ? EXIT_WRONG
              : unfilled != NULL                   ? EXIT_UNFILLED
              : judged == 0 && demonstrations == 0 ? EXIT_SKIPPED
                                                   : EXIT_PASS;
    if (settings.silent)
        return verdict;
    for (int i = 0; i < noteCount; i++)
        printf("%s\n", notes[i]);
    printf("%s%s%s", verdictColour(verdict), verdictWord(verdict), colour("\033[0m"));
    if (verdict == EXIT_WRONG)
        printf(": %zu of %zu variants\n", wrong, judged);
    else if (verdict == EXIT_UNFILLED)
        printf(": %s\n", unfilled->message);
    else if (verdict == EXIT_SKIPPED)
        printf(": no variant could run here\n");
    else if (judged == 0)
        printf(": only rows that are wrong on purpose\n");
    else
        printf(": %zu of %zu variants are right\n", judged, judged);
    fflush(stdout);
    return verdict;
}

int harnessFinish(void)
{
    enum exit_code verdict = EXIT_PASS;

    if (!settings.list) {
        verdict = summary();
        if (settings.csv != NULL && !settings.silent)
            csvWrite(settings.csv, rows, rowCount);
    }
    arraysFree();
    if (fflush(stdout) != 0 || ferror(stdout))
        courseFail(EXIT_USAGE, "cannot write the results to standard output");
    if (settings.verdict != NULL && !settings.list && !settings.silent)
        verdictWrite(settings.verdict, verdict, rows, rowCount);
    free(rows);
    rows = NULL;
    return verdict;
}
