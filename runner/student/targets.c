/* targets: what each row should reach on the emulated device, and whether a template's rows do. */
#include "targets.h"
#include "commands.h"
#include "files.h"
#include "extra_runs.h"
#include "markdown.h"
#include "request.h"
#include "rows.h"
#include "taught.h"
#include "terminal.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The columns of targets.csv, and those of a results file that are the same. */
enum { VARIANT, PARAMETERS, SIZE, DEVICE, FIGURES };
static const enum column same[FIGURES] = {COLUMN_variant, COLUMN_parameters, COLUMN_size,
                                          COLUMN_device};
enum {
    REQUESTS,
    PER_REQUEST,
    BANK,
    DIVERGENCE,
    ATOMIC,
    LAUNCHES,
    TOGETHER,
    SHARED,
    COPIED,
    FIGURE_COUNT
};
enum { TARGET_COLUMNS = FIGURES + FIGURE_COUNT };

/* The counters in a results file that become figures, in their order. */
static const char *const counters[FIGURE_COUNT] = {
    "requests", "sectors_per_request", "bank_conflict",   "divergence",   "atomic_conflict",
    "launches", "loads_together",      "shared_requests", "bytes_copied",
};
static const char header[] =
    "variant,parameters,size,device,requests,sectors_per_request,bank_conflict,divergence,"
    "atomic_conflict,launches,loads_together,shared_requests,bytes_copied\n";

/* A row is far from its target above `much` times it; above `more` times, if a few accesses can
 * change the figure; and above twice the target by this part of the branches. */
static const double much = 1.3, more = 1.5, part = 0.2;
/* A surplus that is tolerated: bytes for each byte that must move, or for each operation. */
static const double least = 0.1;
static const double whole = 0.8;  /* of the bytes that requests move: their lanes ask for all */
static const double group = 16.0; /* loads before a store: more are made by a loop */
static const double stale = 0.02;
enum { SECTOR = 32 }; /* bytes */

/* The figures of a row in both files. */
struct figures {
    double of[FIGURE_COUNT];
};

static struct figures figuresOf(const struct result *row)
{
    struct figures f;

    for (int i = 0; i < FIGURE_COUNT; i++)
        f.of[i] = resultCounter(row, counters[i]);
    return f;
}

static char *targetsPath(const struct exercise_entry *e)
{
    return formatString("%s/%s/targets.csv", sourceFolder(), e->name);
}

/* Finds the row's target in the text of a targets.csv, without changing it. Returns 0 if there is
 * none. */
static int targetOf(const struct result *row, const char *text, struct figures *target)
{
    char *copy = formatString("%s", text), *field[TARGET_COLUMNS];
    int isThere = 0, found;

    for (char *record = copy; record != NULL && !isThere;) {
        record = csvRecord(record, field, TARGET_COLUMNS, &found);
        isThere = found == TARGET_COLUMNS;
        for (int i = 0; i < FIGURES; i++)
            isThere &= isSame(field[i], row->field[same[i]]);
        for (int i = 0; i < FIGURE_COUNT; i++)
            target->of[i] = atof(field[FIGURES + i]);
    }
    return isThere;
}

/* 1 if the row is right, and its kernels are the student's and have counted something. */
static int hasFigures(const struct result *row)
{
    const struct figures f = figuresOf(row);

    return isSame(row->field[COLUMN_place], "device") &&
           isSame(row->field[COLUMN_verdict], "PASS") &&
           f.of[REQUESTS] + f.of[BANK] + f.of[LAUNCHES] > 0.0;
}

/* The problem in the accesses to global memory; NULL if there is none. */
static char *adviceOnTraffic(const struct result *row, const struct figures *mine,
                             const struct figures *target)
{
    const double *m = mine->of, *t = target->of;
    const double needs =
        fmax(resultNumber(row, COLUMN_bytes), resultNumber(row, COLUMN_flops)) * least;
    const double sectors = m[REQUESTS] * m[PER_REQUEST], enough = t[REQUESTS] * t[PER_REQUEST];
    const double bytes = resultNumber(row, COLUMN_bytes);
    const double used = resultCounter(row, "bytes_used"); /* of what a request moves */
    const double asked = sectors * SECTOR * used;
    const int isMore = sectors > much * enough;

    if (needs == 0.0 || t[REQUESTS] == 0.0 ||
        (sectors - enough) * SECTOR <= (isMore ? needs : -needs))
        return NULL;
    if (isMore && m[PER_REQUEST] > much * t[PER_REQUEST] && used < whole)
        return formatString("%.1f sectors per request, %.1f would do: neighbouring threads do not "
                            "read and write neighbouring words",
                            m[PER_REQUEST], t[PER_REQUEST]);
    if (isMore && m[REQUESTS] > much * t[REQUESTS] && bytes > 0.0 && asked <= much * bytes)
        return formatString(
            "%.0f requests, %.0f would do: each access moves %.0f bytes for a warp, where "
            "%.0f would do (more lanes that take part, or a float4 loaded as a whole)",
            m[REQUESTS], t[REQUESTS], asked / m[REQUESTS], bytes / t[REQUESTS]);
    if (isMore && m[REQUESTS] > much * t[REQUESTS])
        return formatString("%.0f requests, %.0f would do: kernels read or write the same words of "
                            "global memory again and again",
                            m[REQUESTS], t[REQUESTS]);
    if (isMore)
        return formatString(
            "%.0f sectors, %.0f would do: kernels move more of global memory than is needed",
            sectors, enough);
    if (m[REQUESTS] > much * t[REQUESTS] && t[PER_REQUEST] > more * m[PER_REQUEST])
        return formatString("%.0f requests, %.0f would do: each thread moves one word at a time "
                            "where it could move several (float4)",
                            m[REQUESTS], t[REQUESTS]);
    return NULL;
}

/* The reason why a row is far from its target; NULL if it is near. */
static char *adviceOn(const struct result *row, const struct figures *mine,
                      const struct figures *target)
{
    const double *m = mine->of, *t = target->of;
    char *advice = adviceOnTraffic(row, mine, target);

    if (advice != NULL)
        return advice;
    if (m[BANK] == 0.0 && t[BANK] > 0.0)
        return formatString(
            "no shared memory is used: what several threads of a block read should be there");
    if (m[BANK] > more * fmax(1.0, t[BANK])) {
        const char *at = resultPart(row, COLUMN_counters, "bank_at");

        return formatString("%.1f passes for an access to shared memory, %.1f would do: lanes of a "
                            "warp want different words of the same bank%s%.*s",
                            m[BANK], fmax(1.0, t[BANK]), at != NULL ? ", most of all at " : "",
                            at != NULL ? (int)strcspn(at, " ") : 0, at != NULL ? at : "");
    }
    if (m[ATOMIC] > more * fmax(1.0, t[ATOMIC]))
        return formatString("%.1f lanes of a warp change the same address, %.1f would do: add up "
                            "in the warp or the block first, then once in memory",
                            m[ATOMIC], fmax(1.0, t[ATOMIC]));
    if (m[DIVERGENCE] > 2.0 * t[DIVERGENCE] + part)
        return formatString("%.0f%% of the branches divide a warp, %.0f%% would do: lanes of the "
                            "same warp go different ways",
                            100.0 * m[DIVERGENCE], 100.0 * t[DIVERGENCE]);
    if (t[LAUNCHES] > 0.0 && m[LAUNCHES] >= 2.0 * t[LAUNCHES])
        return formatString("%.0f launches, %.0f would do: each takes time, however little it does",
                            m[LAUNCHES], t[LAUNCHES]);
    if (m[LAUNCHES] > 0.0 && 2.0 * m[LAUNCHES] <= t[LAUNCHES])
        return formatString("%.0f launches, where this row is to have %.0f: what is left out is "
                            "done elsewhere, or in another way",
                            m[LAUNCHES], t[LAUNCHES]);
    if (m[SHARED] > 2.0 * t[SHARED] && t[SHARED] > 0.0 &&
        m[SHARED] - t[SHARED] > least * t[REQUESTS])
        return formatString("%.0f requests of shared memory, %.0f would do: one thread, or each "
                            "of them, does what the threads could share, or few lanes of each warp "
                            "take part",
                            m[SHARED], t[SHARED]);
    if (m[COPIED] - t[COPIED] > least * resultNumber(row, COLUMN_bytes))
        return formatString("%.0f bytes are copied inside MEASURE, %.0f would do: what is on the "
                            "device can stay there",
                            m[COPIED], t[COPIED]);
    if (t[TOGETHER] <= group && m[TOGETHER] > 0.0 && t[TOGETHER] > more * m[TOGETHER])
        return formatString("%.1f loads of a warp before it stores, %.1f would do: what is loaded "
                            "first, all of it, is on its way together",
                            m[TOGETHER], t[TOGETHER]);
    return NULL;
}

int targetsShow(const struct exercise_entry *e, const struct results *rows)
{
    const char *text = readFileIfThere(targetsPath(e));
    int shown = 0;

    for (size_t i = 0; text != NULL && i < rows->count; i++) {
        const struct result *row = &rows->rows[i];
        const struct figures mine = figuresOf(row);
        struct figures target;
        const char *advice;

        if (!hasFigures(row) || !targetOf(row, text, &target) ||
            (advice = adviceOn(row, &mine, &target)) == NULL)
            continue;
        if (!isTaught(advice, e->brief)) /* "figures: cause" */
            advice = strstr(advice, ": ") + 2;
        if (!isTaught(advice, e->brief))
            continue;
        if (shown++ == 0)
            printf("Right, but far from the targets of these rows (--profile shows the lines):\n");
        fputs(wrapped(formatString("- %s: %s", row->field[COLUMN_variant], advice), terminalWidth(),
                      "  "),
              stdout);
    }
    return shown;
}

void targetsExplain(const struct exercise_entry *e, const struct results *rows)
{
    const char *text = readFileIfThere(targetsPath(e));

    for (size_t i = 0; text != NULL && i < rows->count; i++) {
        const struct result *row = &rows->rows[i];
        const struct figures mine = figuresOf(row);
        struct figures target;

        if (isSame(row->field[COLUMN_verdict], "WRONG") && mine.of[REQUESTS] > 0.0 &&
            mine.of[SHARED] == 0.0 && targetOf(row, text, &target) && target.of[SHARED] > 0.0)
            printf("%s uses no shared memory: is __shared__ missing?\n",
                   row->field[COLUMN_variant]);
    }
}

/* A field of a CSV record, quoted where it must be. */
static void appendField(struct text *t, const char *field)
{
    const int isQuoted = strpbrk(field, ",\"") != NULL;

    appendText(t, isQuoted ? "\"" : "");
    for (; *field != '\0'; field++)
        appendFormat(t, *field == '"' ? "\"\"" : "%c", *field);
    appendText(t, isQuoted ? "\"," : ",");
}

/* The text of a targets.csv with these rows; NULL if none has figures. */
static char *targetsText(const struct results *rows)
{
    struct text t = {0};

    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->rows[i];
        const struct figures f = figuresOf(row);

        if (!hasFigures(row))
            continue;
        if (t.length == 0)
            appendText(&t, header);
        for (int k = 0; k < FIGURES; k++)
            appendField(&t, row->field[same[k]]);
        for (int k = 0; k < FIGURE_COUNT; k++)
            appendFormat(&t, "%.4g%s", f.of[k], k + 1 < FIGURE_COUNT ? "," : "\n");
    }
    return t.data;
}

/* 1 if these rows, of the solution, have other figures than the text of the file; names the first
 * one. */
static int isStale(const struct exercise_entry *e, const struct results *rows, const char *fresh,
                   const char *old)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->rows[i];
        const struct figures now = figuresOf(row);
        struct figures then;
        int isThere;

        if (!hasFigures(row))
            continue;
        isThere = targetOf(row, old, &then);
        for (int k = 0; isThere && k < FIGURE_COUNT; k++)
            isThere = fabs(now.of[k] - then.of[k]) <= stale * fmax(now.of[k], then.of[k]);
        if (!isThere) {
            printf("%s: other figures than in targets.csv: %s\n", e->brief,
                   row->field[COLUMN_variant]);
            return 1;
        }
    }
    if (linesIn(fresh) == linesIn(old))
        return 0;
    printf("%s: targets.csv has rows that the solution lacks\n", e->brief);
    return 1;
}

/* Writes an exercise's targets, or says if they are stale, which it returns. */
static int remake(const struct run_options *r, const struct exercise_entry *e, int checking)
{
    struct run run = runOf(r, e, "emulated", "solution", 0);
    char *path = targetsPath(e), *old = readFileIfThere(path), *fresh;
    struct results rows = {0};
    int result = 0;

    run.job.captured = 1;
    run.job.settings = settingsOf(e, 0);
    runOption(&run, "--only", "device");
    runForRows(&run, &rows);
    fresh = targetsText(&rows);
    if (run.code != EXIT_PASS && run.code != EXIT_SKIPPED) {
        fputs(run.job.output, stderr);
        fail(EXIT_ERROR, "the solution of %s is not right", e->brief);
    }
    if (run.code == EXIT_SKIPPED) /* MPI is not here, for example */
        fputs(run.job.output, stdout);
    else if (checking)
        result = isStale(e, &rows, fresh != NULL ? fresh : "", old != NULL ? old : "");
    else if (fresh != NULL)
        replaceFile(path, fresh);
    return result;
}

/* Prints what a check would say about the rows in a results file. */
static int showRows(const struct run_options *r, const char *file)
{
    struct results rows = {0};
    const char *why;

    if (r->chosenCount != 1 || !r->named)
        fail(EXIT_USAGE, "targets --rows needs one exercise");
    if ((why = resultsRead(&rows, file)) != NULL)
        fail(EXIT_ERROR, "%s", why);
    return targetsShow(r->chosen[0], &rows) > 0 ? EXIT_WRONG : EXIT_PASS;
}

int commandTargets(int argc, char **argv)
{
    const char *rows = NULL;
    int checking = 0, isStaleSome = 0;
    const struct known_option known[] = {
        {"--rows", .value = &rows}, {"--check", .flag = &checking}, {0}};
    struct run_options r;

    argc = takeOptions(known, argc, argv);
    r = parseOptions(argc, argv, 1);
    if (rows != NULL)
        return showRows(&r, rows);
    for (size_t i = 0; i < r.chosenCount; i++)
        mustHaveSolution(r.chosen[i]);
    if (buildKind(&r, "emulated", "solution") != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < r.chosenCount; i++)
        isStaleSome |= remake(&r, r.chosen[i], checking);
    if (isStaleSome)
        printf("./course targets EX writes them anew: is a row slower than it was?\n");
    return isStaleSome ? EXIT_WRONG : EXIT_PASS;
}
