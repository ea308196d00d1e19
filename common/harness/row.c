/* The rows of the table and their life. */
#include "row.h"
#include "device.h"
#include "fail.h"
#include "ranks.h"
#include "measure.h"
#include "options.h"
#include "taught.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FINDINGS_SHOWN = 20 }; /* with COURSE_VERBOSE */

static struct row *rows;
static size_t rowCount;
static struct row open;
static int isOpen;

/* Settings for the rows that follow. */
static double bytes, flops, limit, limitOfCpu;
static size_t size;
static char parameters[NAME];

void harnessWork(double workBytes, double workFlops, size_t workSize)
{
    open.bytes = bytes = workBytes;
    open.flops = flops = workFlops;
    open.size = size = workSize;
}

void harnessParameters(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(parameters, sizeof parameters, format, arguments);
    va_end(arguments);
}

void harnessLimit(double bytesPerSecond)
{
    limit = bytesPerSecond;
    if (isOpen && open.place != ON_CPU)
        open.limit = limit;
}

const char *rowParameters(void) { return parameters; }

void rowLimitOfCpu(double bytesPerSecond) { limitOfCpu = bytesPerSecond; }

void rowOpen(const char *name, enum place place, unsigned traits)
{
    memset(&open, 0, sizeof open);
    snprintf(open.name, sizeof open.name, "%s", name);
    snprintf(open.parameters, sizeof open.parameters, "%s", parameters);
    open.place = place;
    open.traits = traits;
    open.demonstration = (traits & WRONG_ON_PURPOSE) != 0;
    open.bytes = bytes;
    open.flops = flops;
    open.size = size > 0 ? size : harnessSize();
    open.limit = place == ON_CPU ? limitOfCpu : limit;
    isOpen = 1;
}

const struct row *rowNow(void) { return isOpen ? &open : NULL; }

int rowIsOnDevice(void) { return isOpen && open.place != ON_CPU; }

enum exit_code rowVerdict(void)
{
    return !isOpen ? EXIT_PASS : open.todo != 0 ? EXIT_UNFILLED : open.verdict;
}

void rowIsWrong(const char *format, ...)
{
    va_list arguments;

    if (!isOpen || open.verdict != EXIT_PASS)
        return;
    open.verdict = EXIT_WRONG;
    va_start(arguments, format);
    vsnprintf(open.message, sizeof open.message, format, arguments);
    va_end(arguments);
}

/* 1 if the solution's row is not skipped here. */
static int mustRun(void)
{
    return open.place == ON_DEVICE &&
           (!(open.traits & MAY_SKIP) ||
            (theDevice()->emulated && settings->isUsual && !(open.traits & NOT_EMULATED)));
}

/* The TODO whose region holds this line of the file; otherwise the next one, or the last one. 0:
 * there is none. */
static int todoOf(const char *file, int line)
{
    FILE *in = fopen(file, "r");
    char text[MESSAGE];
    int todo = 0;

    for (int number = 1; in != NULL && fgets(text, sizeof text, in) != NULL;
         number += strchr(text, '\n') != NULL) {
        int found, length = 0;

        if (sscanf(text, " // TODO %d end%n", &found, &length) != 1 || length == 0)
            continue;
        todo = found;
        if (number >= line)
            break;
    }
    if (in != NULL)
        fclose(in);
    return todo;
}

void rowSkipAt(const char *file, int line, const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    int todo;

    if (!isOpen || rowVerdict() != EXIT_PASS)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!mustRun()) {
        open.verdict = EXIT_SKIPPED;
        snprintf(open.message, sizeof open.message, "%s", message);
    } else if ((todo = todoOf(file, line)) != 0) {
        rowIsUnfilled(todo, file, line);
        harnessRemark("the solution does not skip this row here: %s", message);
    } else {
        rowIsWrong("skipped, where the solution is not: %s", message);
    }
}

void rowIsOwn(void) { open.own = 1; }

void rowIsDemonstration(void) { open.demonstration = 1; }

void rowIsUnfilled(int todo, const char *file, int line)
{
    const char *name = strrchr(file, '/');

    if (!isOpen || open.todo != 0)
        return;
    while (name != NULL && name > file && name[-1] != '/') /* keep the folder: exNN/template.cu */
        name--;
    open.todo = todo;
    open.todoLine = line;
    snprintf(open.todoFile, sizeof open.todoFile, "%s", name != NULL ? name : file);
}

void rowHasTime(const struct timing *time) { open.time = *time; }

void rowHasWhole(double seconds) { open.whole = seconds; }

void rowHasCounters(const struct device_counters *counters)
{
    free((char *)open.counters.work);
    open.counters = *counters;
    open.counters.work = counters->work != NULL ? strdup(counters->work) : NULL;
}

void verifyError(double error)
{
    open.hasError = 1;
    if (!(error <= open.maxError))
        open.maxError = error;
}

double rowSeconds(void) { return open.time.median; }

double rowSecondsWithCopies(void) { return open.whole; }

double rowBytesUsed(void) { return open.counters.bytesUsed; }

double rowSteps(void) { return open.counters.steps; }

double rowLaunches(void) { return open.counters.launches; }

double rowThreads(void) { return open.counters.threads; }

double rowBytesSent(void) { return open.counters.bytesSent; }

double rowBytesRead(void) { return open.counters.bytesRead; }

double rowWaits(void) { return open.counters.waits; }

int rowHasAtomicsButNoSwap(void)
{
    return open.counters.atomics > 0.0 && open.counters.swaps == 0.0;
}

/* Adds a line to text, in front of it or behind it. */
static void addLine(const char *line, int inFront)
{
    const size_t old = open.remarks != NULL ? strlen(open.remarks) : 0, length = strlen(line);
    char *text = mustAllocate(old + length + 2, "a remark");

    memcpy(text + (inFront ? length + 1 : 0), open.remarks != NULL ? open.remarks : "", old);
    memcpy(text + (inFront ? 0 : old), line, length);
    text[inFront ? length : old + length] = '\n';
    text[old + length + 1] = '\0';
    leaveUntaught(text, settings->program);
    free(open.remarks);
    open.remarks = text;
}

void harnessRemark(const char *format, ...)
{
    char line[MESSAGE];
    va_list arguments;

    if (!isOpen)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    addLine(line, 0);
}

/* 1 if the result is right and all findings are mistakes only in a wrong one: their text becomes a
 * remark. */
static int areHarmless(int found)
{
    if (open.verdict != EXIT_PASS)
        return 0;
    for (int i = 0; i < found; i++)
        if (!deviceFindingMayBeRight(i))
            return 0;
    harnessRemark("right, since nothing depends on it: %s", deviceFinding(0));
    return 1;
}

/* 1 with ./course check --verbose: all findings are shown, not only what is behind them. */
static int isVerbose(void)
{
    const char *verbose = getenv("COURSE_VERBOSE");

    return verbose != NULL && verbose[0] != '\0';
}

void rowHasFindings(const char *cause)
{
    const int found = deviceFindings();
    int from; /* the first finding that is not the message itself */
    char more[64];

    if (found == 0 || (cause == NULL && areHarmless(found)))
        return;
    if (cause == NULL)
        cause = deviceCause();
    from = cause == NULL ? 1 : 0;
    if (strcmp(deviceFindingKind(0), "race") != 0) /* all that a row does wrong on purpose */
        open.demonstration = 0;
    open.findings = found;
    open.verdict = EXIT_WRONG;
    snprintf(open.message, sizeof open.message, "%s", cause != NULL ? cause : deviceFinding(0));
    leaveUntaught(open.message, settings->program);
    if (isVerbose()) {
        const int shown = found < FINDINGS_SHOWN ? found : FINDINGS_SHOWN;

        snprintf(more, sizeof more, "... and %d more like these", found - shown);
        if (found > shown)
            addLine(more, 1);
        for (int i = shown - 1; i >= from; i--) /* above the row's own remarks */
            addLine(deviceFinding(i), 1);
    } else { /* the row's own remarks, too, describe what has come of it */
        open.hidden = found - from;
        free(open.remarks);
        open.remarks = NULL;
    }
    if (cause == NULL && deviceFindingHint(0) != NULL)
        addLine(deviceFindingHint(0), 1);
}

void rowAgree(void)
{
    int verdict = (int)open.verdict;

    rankWorst(&verdict, open.message, sizeof open.message);
    open.verdict = (enum exit_code)verdict;
    open.maxError = rankMax(open.maxError);
}

const struct row *rowAdd(const struct row *row)
{
    struct row *grown = realloc(rows, (rowCount + 1) * sizeof *rows);

    if (grown == NULL)
        courseFail(EXIT_ERROR, "no memory for the results");
    rows = grown;
    rows[rowCount] = *row;
    return &rows[rowCount++];
}

/* 1 if the TODO may stay unfilled. */
static int mayWait(int todo)
{
    for (const char *t = settings->advanced; t != NULL && *t != '\0'; t += *t == ',') {
        if (atoi(t) == todo)
            return 1;
        t += strcspn(t, ",");
    }
    return 0;
}

const struct row *rowClose(void)
{
    isOpen = 0;
    if (open.todo != 0) { /* a half-filled variant is not judged */
        open.verdict = EXIT_UNFILLED;
        open.findings = 0;
        open.later = mayWait(open.todo);
        snprintf(open.message, sizeof open.message, "TODO %d at %s:%d", open.todo, open.todoFile,
                 open.todoLine);
    }
    return rowAdd(&open);
}

const struct row *rowAll(size_t *count)
{
    *count = rowCount;
    return rows;
}

struct tally rowTally(void)
{
    struct tally t = {0};
    const struct row *firstLater = NULL;

    for (const struct row *row = rows; row < rows + rowCount; row++) {
        if (row->cached) {
            t.cached++;
            continue;
        }
        t.rows++;
        if (row->own) {
            t.own++;
            continue;
        }
        if (row->later) {
            t.later++;
            firstLater = firstLater != NULL ? firstLater : row;
            continue;
        }
        t.unfilled += row->verdict == EXIT_UNFILLED;
        if (row->verdict == EXIT_UNFILLED &&
            (t.firstUnfilled == NULL || row->todo < t.firstUnfilled->todo))
            t.firstUnfilled = row;
        if (row->demonstration) {
            t.demonstrations++;
            continue;
        }
        t.wrong += row->verdict == EXIT_WRONG;
        t.hidden += (size_t)row->hidden;
        if (row->verdict == EXIT_WRONG && t.firstWrong == NULL)
            t.firstWrong = row;
        t.skipped += row->verdict == EXIT_SKIPPED;
        t.judged += row->verdict != EXIT_SKIPPED;
        t.rightOnCpu += row->place == ON_CPU && row->verdict == EXIT_PASS;
    }
    if (t.judged + t.demonstrations + t.cached == 0 && t.later > 0) {
        t.unfilled = t.judged = t.later;
        t.later = 0;
        t.firstUnfilled = firstLater;
    }
    return t;
}
