/* Results files (columns.h): reading one, and adding rows to one. */
#include "results.h"
#include "files.h"
#include "work_rate.h"
#include "text.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The columns that hold a figure, or nothing. */
static const enum column figures[] = {
    COLUMN_size,     COLUMN_median_s,          COLUMN_min_s,           COLUMN_bytes,
    COLUMN_flops,    COLUMN_limit_bytes_per_s, COLUMN_fraction,        COLUMN_with_transfers_s,
    COLUMN_max_s,    COLUMN_samples,           COLUMN_multiprocessors, COLUMN_clock_hz,
    COLUMN_l2_bytes, COLUMN_memory_clock_hz,   COLUMN_power_limit_w,
};

static const char *const verdicts[] = {"PASS", "WRONG", "NOT IMPLEMENTED", "SKIPPED",
                                       "DEMONSTRATION"};
static const char *const columnNames[] = {
#define X(name, unit, meaning) #name,
    COLUMNS(X)
#undef X
};

static int isFigure(const char *text)
{
    char *end;
    const double value = strtod(text, &end);

    return text[0] == '\0' || (end != text && *end == '\0' && isfinite(value) && value >= 0.0);
}

/* The error in a record of a file with this many columns; NULL: it is right. */
static const char *errorIn(const struct result *r, int columns, int found)
{
    int known = 0;

    if (found < 0)
        return "a quote is never closed";
    if (found != columns)
        return formatString("%d fields instead of %d%s", found, columns,
                            found < columns ? ": cut short?" : "");
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        known |= isSame(r->field[COLUMN_verdict], verdicts[i]);
    if (!known)
        return formatString("there is no verdict '%.20s'", r->field[COLUMN_verdict]);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (!isFigure(r->field[figures[i]]))
            return formatString("%s is '%.20s', which is no number", columnNames[figures[i]],
                                r->field[figures[i]]);
    return NULL;
}

/* The number of columns in the header, which this version or an earlier one has written; 0: it is
 * another file. *records becomes the text behind the header. */
static int columnsOf(char *text, char **records)
{
    char *header[COLUMN_COUNT];
    int found;

    *records = csvRecord(text, header, COLUMN_COUNT, &found);
    if (found < COLUMNS_AT_LEAST || found > COLUMN_COUNT)
        return 0;
    for (int i = 0; i < found; i++)
        if (!isSame(header[i], columnNames[i]))
            return 0;
    return found;
}

/* The error in a file as a whole, or NULL. */
static const char *fileIsWhole(const char *path, const char *text)
{
    struct stat status;

    if (text[0] == '\0')
        return "is empty";
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
        (size_t)status.st_size != strlen(text))
        return "is damaged: there are zero bytes in it";
    if (!startsWith(text, "exercise,variant,"))
        return "does not hold results of the course";
    return NULL;
}

/* Parses all records of a file with this many columns into `results`. Returns an error, or NULL. */
static const char *takeRecords(struct results *results, const char *path, int columns, char *record)
{
    const size_t before = results->count;
    int found;

    while (record != NULL) {
        struct result *row;
        const char *wrong;

        results->rows = mustAllocate(results->rows, (results->count + 1) * sizeof *results->rows);
        row = &results->rows[results->count++];
        row->file = path;
        record = csvRecord(record, row->field, COLUMN_COUNT, &found);
        if ((wrong = errorIn(row, columns, found)) != NULL) {
            const size_t row = results->count - before;

            results->count = before;
            return formatString("%s is damaged: row %zu: %s", path, row, wrong);
        }
    }
    return NULL;
}

const char *resultsRead(struct results *results, const char *path)
{
    struct stat status;
    const char *wrong;
    char *text, *records;
    int columns = 0;

    if (access(path, R_OK) != 0 || stat(path, &status) != 0)
        return formatString("cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return formatString("%s is a folder", path);
    text = readFile(path);
    wrong = fileIsWhole(path, text);
    if (wrong == NULL && (columns = columnsOf(text, &records)) == 0)
        wrong = "holds results of another version of the course";
    if (wrong != NULL)
        return formatString("%s %s", path, wrong);
    return takeRecords(results, formatString("%s", path), columns, records);
}

int resultsTaken(const char *error)
{
    if (error != NULL)
        fprintf(stderr, "course: left out: %s\n", error);
    return error == NULL;
}

int resultsAreHistory(const char *path) { return strstr(path, "_history_") != NULL; }

const char *resultsReadAll(struct results *results, const char *path)
{
    struct stat status;
    glob_t found;
    int some = 0;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return resultsRead(results, path);
    found = matching(formatString("%s/*.csv", path));
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!resultsAreHistory(found.gl_pathv[i]))
            some |= resultsTaken(resultsRead(results, found.gl_pathv[i]));
    return some ? NULL : formatString("there are no results in %s", path);
}

/* Opens a results file, or makes it, and waits until no other process adds to it. Such a process
 * replaces the file by renaming (as does common/harness/csv.c), so the locked file may no longer
 * have the name. */
static int lockResults(const char *path)
{
    for (;;) {
        struct stat mine, named;
        int file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);

        if (file < 0)
            fail(EXIT_ERROR, "cannot write results to %s: %s", path,
                 errno == EISDIR ? "it is not a file" : strerror(errno));
        if (fstat(file, &mine) != 0 || !S_ISREG(mine.st_mode))
            fail(EXIT_ERROR, "cannot write results to %s: it is not a file", path);
        while (flock(file, LOCK_EX) != 0 && errno == EINTR)
            continue; /* a file system without locks: go on without */
        if (stat(path, &named) == 0 && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
            return file;
        close(file);
    }
}

/* The contents of a results file, "" if it is empty; ends the program if it holds something
 * else. */
static char *oldRows(const char *path)
{
    char *text = readFile(path), *copy = formatString("%s", text), *records;

    if (text[0] != '\0' && columnsOf(copy, &records) != COLUMN_COUNT)
        fail(EXIT_ERROR, "cannot add results to %s: it %s", path,
             startsWith(text, "exercise,variant,")
                 ? "is of another version of the course: name another file"
                 : "does not hold results: name another file");
    return text;
}

void resultsMustTakeRows(const char *path)
{
    struct stat status;
    const int lock = lockResults(path);

    oldRows(path);
    if (stat(path, &status) == 0 && status.st_size == 0)
        unlink(path); /* made by the lock */
    close(lock);
}

void resultsAdd(const char *path, const char *from)
{
    const char *new = readFile(from), *rows = strchr(new, '\n');
    const int lock = lockResults(path);
    const char *old = oldRows(path);

    replaceFile(path, old[0] == '\0'
                          ? new
                          : formatString("%s%s%s", old, old[strlen(old) - 1] == '\n' ? "" : "\n",
                                         rows != NULL ? rows + 1 : ""));
    close(lock);
}

double resultNumber(const struct result *row, enum column column)
{
    return strtod(row->field[column], NULL);
}

const char *resultPart(const struct result *row, enum column column, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = row->field[column]; *at != '\0'; at += *at == ' ') {
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
        at += strcspn(at, " ");
    }
    return NULL;
}

double resultCounter(const struct result *row, const char *name)
{
    const char *value = resultPart(row, COLUMN_counters, name);

    return value != NULL ? atof(value) : 0.0;
}

int resultIsOnDevice(const struct result *row) { return !isSame(row->field[COLUMN_place], "cpu"); }

static int agree(const struct result *a, const struct result *b, enum column column)
{
    return isSame(a->field[column], b->field[column]);
}

int resultSame(const struct result *a, const struct result *b)
{
    return agree(a, b, COLUMN_exercise) && agree(a, b, COLUMN_variant) &&
           agree(a, b, COLUMN_size) && agree(a, b, COLUMN_parameters) && agree(a, b, COLUMN_place);
}

int resultSameProblem(const struct result *a, const struct result *b)
{
    const char *mine = a->field[COLUMN_variant], *other = b->field[COLUMN_variant];
    const char *colon = strchr(mine, ':'), *otherColon = strchr(other, ':');
    const size_t length = colon != NULL ? (size_t)(colon - mine) : 0;

    return agree(a, b, COLUMN_exercise) && agree(a, b, COLUMN_size) &&
           agree(a, b, COLUMN_parameters) &&
           length == (otherColon != NULL ? (size_t)(otherColon - other) : 0) &&
           strncmp(mine, other, length) == 0;
}

double resultWork(const struct result *row)
{
    const double bytes = resultNumber(row, COLUMN_bytes);

    return bytes > 0.0 ? bytes : resultNumber(row, COLUMN_flops);
}

double resultBandwidth(const struct result *row)
{
    const double s = resultNumber(row, COLUMN_median_s);

    return s > 0.0 && isSame(row->field[COLUMN_verdict], "PASS")
               ? resultNumber(row, COLUMN_bytes) / s
               : 0.0;
}

double resultPace(const struct result *row)
{
    if (!isSame(row->field[COLUMN_verdict], "PASS"))
        return 0.0;
    return workRate(resultNumber(row, COLUMN_bytes), resultNumber(row, COLUMN_flops),
                    resultNumber(row, COLUMN_median_s));
}
