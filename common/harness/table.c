/* The table of results: one line per row, narrow where the terminal is. */
#include "table.h"
#include "device.h"
#include "options.h"
#include "table_columns.h"
#include "taught.h"
#include "work_rate.h"
#include "progress.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NOTES = 16 };
enum { WIDE_LABEL = 31, NARROW_LABEL = 27, WIDE_ENOUGH = 100 };

static char notes[NOTES][MESSAGE];
static int noteCount;
static double oneCore, allCores; /* pace of the first and the last CPU row of this problem */
static int hasBaseline;          /* these come from another run */
static int headed[2];            /* head printed: for times, for counters */
static char group[NAME];         /* the parameters that were printed last as a line of their own */

void harnessNote(const char *format, ...)
{
    va_list arguments;

    if (noteCount == NOTES)
        return;
    va_start(arguments, format);
    vsnprintf(notes[noteCount++], MESSAGE, format, arguments);
    va_end(arguments);
}

const char *colour(const char *code)
{
    const char *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL && terminal != NULL &&
                   strcmp(terminal, "dumb") != 0
               ? code
               : "";
}

const char *verdictColour(enum exit_code verdict)
{
    return colour(verdict == EXIT_PASS    ? "\033[32m"
                  : verdict == EXIT_WRONG ? "\033[31m"
                                          : "\033[33m");
}

/* 1 if lines must fit into 80 columns, according to COLUMNS or the terminal. */
static int isNarrow(void)
{
    static int narrow = -1;
    const char *text = getenv("COLUMNS");
    struct winsize window = {0};
    int columns = text != NULL ? atoi(text) : 0;

    if (narrow >= 0)
        return narrow;
    if (columns <= 0 && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0)
        columns = window.ws_col;
    narrow = columns > 0 && columns < WIDE_ENOUGH;
    return narrow;
}

static int labelWidth(void) { return isNarrow() ? NARROW_LABEL : WIDE_LABEL; }

static int widthOf(const struct table_head *head)
{
    return isNarrow() ? head->narrowWidth : head->wideWidth;
}

static int isShown(const struct table_head *head)
{
    return widthOf(head) > 0 && isTaught(head->wide, settings->program) &&
           isTaught(head->meaning, settings->program);
}

/* The unit of the row's rate: HEAD_BYTES or HEAD_OPERATIONS. */
static int rateHead(const struct row *row)
{
    return row->bytes > 0.0 || row->flops <= 0.0 ? HEAD_BYTES : HEAD_OPERATIONS;
}

static double pace(const struct row *row)
{
    return workRate(row->bytes, row->flops, row->time.median);
}

/* A run of several problems has the CPU's rows of the next one after the device's of the last. */
static void noteCpu(const struct row *row)
{
    static int isAfterDevice;
    const int isNext = row->place == ON_CPU && isAfterDevice;

    isAfterDevice = row->place != ON_CPU;
    if (isNext)
        oneCore = allCores = 0.0;
    if (row->place != ON_CPU || row->verdict != EXIT_PASS || row->demonstration ||
        row->traits & OTHER_WORK)
        return;
    if (oneCore == 0.0)
        oneCore = pace(row);
    allCores = pace(row);
}

void tableBaseline(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        noteCpu(&rows[i]);
    hasBaseline = allCores > 0.0;
}

static void printTime(double seconds)
{
    if (seconds >= 1.0)
        printf(" %8.3f s ", seconds);
    else if (seconds >= 1e-3)
        printf(" %8.3f ms", seconds * 1e3);
    else
        printf(" %8.2f us", seconds * 1e6);
}

static void printRatio(enum time_head head, double ratio)
{
    const int width = widthOf(&timeHeads[head]);

    if (ratio > 0.0)
        printf(" %*.*f", width, ratio < 100.0 ? 2 : 0, ratio);
    else
        printf(" %*s", width, "-");
}

static void printTimes(const struct row *row)
{
    /* The time of a row that is wrong on purpose is its lesson; rates are for right results
     * only. */
    const double counts = row->demonstration ? 0.0 : 1.0;
    const double compares = row->traits & OTHER_WORK ? 0.0 : counts;
    const double rate = row->bytes > 0.0 ? row->bytes : row->flops;
    const double median = row->time.median;

    printTime(median);
    printRatio(HEAD_BYTES, counts * rate / median * 1e-9);
    printRatio(HEAD_LIMIT, row->limit > 0.0 ? counts * row->bytes / median / row->limit : 0.0);
    if (!isNarrow()) {
        if (row->place == ON_CPU)
            printf(" %11s", "-");
        else
            printTime(row->whole);
        printRatio(HEAD_CORE, oneCore > 0.0 ? compares * pace(row) / oneCore : 0.0);
    }
    printRatio(HEAD_CPU, allCores > 0.0 ? compares * pace(row) / allCores : 0.0);
}

/* A counter in its column, if that is shown; "-" if it is not counted. */
static void printCounter(enum counter_head head, int isCounted, double value, int digits,
                         const char *unit)
{
    const int width = widthOf(&counterHeads[head]);

    if (!isShown(&counterHeads[head]))
        return;
    if (isCounted)
        printf(" %*.*f%s", width - (int)strlen(unit), digits, value, unit);
    else
        printf(" %*s", width, "-");
}

static void printCounters(const struct row *row)
{
    const struct device_counters *c = &row->counters;
    const int asks = c->requests > 0.0;

    printCounter(HEAD_REQUESTS, asks, c->requests, 0, "");
    printCounter(HEAD_SECTORS, asks && c->sectorsPerRequest > 0.0, c->sectorsPerRequest, 2, "");
    printCounter(HEAD_USED, c->bytesUsed > 0.0, 100.0 * c->bytesUsed, 0, "%");
    printCounter(HEAD_BANK, c->bankConflict > 0.0, c->bankConflict, 2, "");
    printCounter(HEAD_DIVERGENCE, asks, 100.0 * c->divergence, 1, "%"); /* 0, too */
    printCounter(HEAD_ATOMIC, c->atomicConflict > 0.0, c->atomicConflict, 2, "");
}

/* The head of the table, once for the rows with times and once for those with counters. */
static void printHead(const struct row *row, int counters)
{
    static int headedRate;
    const struct table_head *heads = counters ? counterHeads : timeHeads;
    const int rate = rateHead(row);
    const int hasRate = !counters && row->verdict == EXIT_PASS && row->bytes + row->flops > 0.0;
    int shown = 0;

    if (headed[counters] && (!hasRate || rate == headedRate))
        return; /* a rate of another kind gets a head of its own */
    headed[counters] = 1;
    if (!counters)
        headedRate = rate;
    for (int i = 0; i < (counters ? COUNTER_HEADS : TIME_HEADS); i++) {
        if (!isShown(&heads[i]) ||
            (!counters && i != rate && (i == HEAD_BYTES || i == HEAD_OPERATIONS)))
            continue;
        if (shown++ == 0)
            printf("%s%-5s%-*s", colour("\033[2m"), "", labelWidth(), "");
        printf(" %*s", widthOf(&heads[i]), isNarrow() ? heads[i].narrow : heads[i].wide);
    }
    if (shown > 0)
        printf("%s\n", colour("\033[0m"));
}

/* The row's name, and its parameters: behind the name in a sweep over one variant, else on a line
 * of their own above the rows that share them. A name that is too long has a line for itself. */
static void printLabel(const char *place, const struct row *row, int oneVariant)
{
    const int width = labelWidth();
    char label[NAME * 2 + 8];

    snprintf(label, sizeof label, "%s%s%s", row->name, row->parameters[0] != '\0' ? "  " : "",
             row->parameters);
    if (!oneVariant || strlen(label) > (size_t)width) {
        if (strcmp(group, row->parameters) != 0)
            printf("%s%s%s\n", colour("\033[2m"), row->parameters, colour("\033[0m"));
        snprintf(group, sizeof group, "%s", row->parameters);
        snprintf(label, sizeof label, "%s", row->name);
    }
    printf("%-5s%-*s", place, width, label);
    if (strlen(label) > (size_t)width && (row->verdict == EXIT_PASS || row->demonstration))
        printf("\n%-*s", 5 + width, "");
}

static const char *placeName(const struct row *row)
{
    static const char *const places[] = {"CPU", "GPU", "Lib"};

    if (row->place != ON_CPU && theDevice()->emulated)
        return "Emu";
    if (row->place == ON_DEVICE && theDevice()->freeBytes <= 0.0)
        return "Acc";
    return places[row->place];
}

/* A remark on the row, on a separate line: beside the columns there is no room. */
static void printAside(const struct row *row)
{
    const char *purpose = !row->demonstration          ? ""
                          : row->verdict == EXIT_WRONG ? " (on purpose)"
                                                       : " (by luck)";
    const char *once = row->time.once ? " (run once)" : "";
    const char *before = row->cached ? " (measured before)" : "";

    if (purpose[0] || once[0] || before[0] || row->own)
        printf("\n      ");
    printf("%s%s%s%s\n", purpose, once, before, row->own ? " (your own: not judged)" : "");
}

/* The row's verdict, in its colour. */
static void printVerdict(const struct row *row)
{
    if (row->later)
        printf("still to do (advanced)");
    else
        printf("%s%s%s", row->demonstration ? "" : verdictColour(row->verdict),
               verdictWord(row->verdict), colour("\033[0m"));
}

void tableRow(const struct row *row, int oneVariant)
{
    const int counters = row->place != ON_CPU && theDevice()->emulated;
    const int hasFigures = row->verdict == EXIT_PASS || row->demonstration; /* no rate if wrong */

    progressWipe();
    if (!hasBaseline)
        noteCpu(row);
    printHead(row, counters);
    printLabel(placeName(row), row, oneVariant);
    if (hasFigures && counters)
        printCounters(row);
    else if (hasFigures && row->time.median > 0.0)
        printTimes(row);
    printf(isNarrow() ? " " : "  ");
    printVerdict(row);
    printAside(row);
    if (row->message[0] != '\0')
        printf("       %s\n", row->message);
    for (const char *line = row->remarks; line != NULL && *line != '\0';) {
        const int length = (int)strcspn(line, "\n");

        printf("       %.*s\n", length, line);
        line += length + 1;
    }
    fflush(stdout);
}

void tableEnd(enum exit_code verdict)
{
    const struct tally t = rowTally();
    /* The CPU's rows are given code: they count only if there are no others, or if they are
     * wrong. */
    const size_t counted = t.judged > t.rightOnCpu ? t.judged - t.rightOnCpu : t.judged;

    progressWipe();
    for (int i = 0; i < noteCount; i++)
        printf("%s\n", notes[i]);
    if (t.hidden > 0)
        printf("%zu more finding%s of this run: --verbose\n", t.hidden, t.hidden > 1 ? "s" : "");
    printf("%s%s%s: ", verdictColour(verdict), verdictWord(verdict), colour("\033[0m"));
    if (verdict == EXIT_WRONG)
        printf("%zu of %zu variants", t.wrong, counted);
    else if (verdict == EXIT_UNFILLED)
        printf("%s", t.firstUnfilled->message);
    else if (verdict == EXIT_SKIPPED)
        printf(t.own > 0 ? "only rows of your own" : "no variant could run here");
    else if (t.judged > 0)
        printf("%zu of %zu variants are right", counted, counted);
    else if (t.demonstrations > 0)
        printf("only rows that are wrong on purpose");
    else
        printf("only rows that were measured before");
    if (t.skipped > 0 && verdict != EXIT_SKIPPED && verdict != EXIT_UNFILLED)
        printf(", %zu skipped", t.skipped);
    if (t.later > 0 && verdict == EXIT_PASS)
        printf(", %zu still to do (advanced)", t.later);
    printf("\n");
    fflush(stdout);
}
