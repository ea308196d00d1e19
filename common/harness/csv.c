/* The results file: one record per variant (columns.h). Existing records stay; a run that fails, or
 * a full disk, leaves the file as it was. */
#include "csv.h"
#include "columns.h"
#include "device.h"
#include "fail.h"
#include "file.h"
#include "machine.h"
#include "measure.h"
#include "options.h"
#include "power.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The results file, locked, while this process adds to it. */
struct results {
    char *name; /* where a link leads to */
    int lock;   /* descriptor of the file as it stands */
    struct new_file new;
};

/* Opens the file itself and waits until no other run adds to it; makes it, empty, if it is not
 * there. Another run replaces the file by renaming, so the locked file may no longer have the
 * name. */
static int lockFile(const char *name)
{
    for (;;) {
        struct stat mine, named;
        int file = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);

        if (file < 0)
            courseFail(EXIT_ERROR, "cannot write results to %s: %s", name,
                       errno == EISDIR ? "it is not a file" : strerror(errno));
        if (fstat(file, &mine) != 0 || !S_ISREG(mine.st_mode))
            courseFail(EXIT_ERROR, "cannot write results to %s: it is not a file", name);
        while (flock(file, LOCK_EX) != 0 && errno == EINTR)
            continue; /* a file system without locks: go on without */
        if (stat(name, &named) == 0 && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev)
            return file;
        close(file);
    }
}

/* Ends the lock; a file that this run has made and not filled is removed. */
static void resultsClose(struct results *r)
{
    struct stat status;

    if (fstat(r->lock, &status) == 0 && status.st_nlink > 0 && status.st_size == 0)
        unlink(r->name);
    close(r->lock);
    free(r->name);
}

/* Copies the existing records, or writes the header. Returns the error in the file, or NULL. */
static const char *copyOld(FILE *old, FILE *new)
{
    char buffer[8192], last = '\n';
    size_t length;

    if (old == NULL)
        return strerror(errno);
    if (fgets(buffer, sizeof buffer, old) != NULL) {
        buffer[strcspn(buffer, "\r\n")] = '\0';
        if (strncmp(buffer, "exercise,variant,device,", 24) == 0 &&
            strcmp(buffer, COLUMNS_HEADER) != 0)
            return "it is of another version of the course: name another file";
        if (strcmp(buffer, COLUMNS_HEADER) != 0)
            return "it does not hold results: name another file";
    }
    fprintf(new, "%s\n", COLUMNS_HEADER);
    while ((length = fread(buffer, 1, sizeof buffer, old)) > 0) {
        fwrite(buffer, 1, length, new);
        last = buffer[length - 1];
    }
    if (last != '\n')
        fputc('\n', new); /* an editor's, perhaps */
    return ferror(old) ? strerror(errno) : NULL;
}

static struct results resultsOpen(const char *file)
{
    struct results r;
    const char *wrong;
    FILE *old;

    r.name = realpath(file, NULL); /* the file that a link leads to */
    if (r.name == NULL && (r.name = strdup(file)) == NULL)
        courseFail(EXIT_ERROR, "no memory for a file's name");
    r.lock = lockFile(r.name);
    r.new = newFile(r.name);
    old = fopen(r.name, "r");
    wrong = copyOld(old, r.new.stream);
    if (old != NULL)
        fclose(old);
    if (wrong != NULL) {
        newFileDrop(&r.new);
        resultsClose(&r);
        courseFail(EXIT_ERROR, "cannot add results to %s: %s", file, wrong);
    }
    return r;
}

void csvOpen(const char *file)
{
    struct results r = resultsOpen(file);

    newFileDrop(&r.new);
    resultsClose(&r);
}

/* One record, filled column by column; a column that nobody sets stays empty. */
struct record {
    char field[COLUMN_COUNT][MESSAGE];
    const char *work; /* ends the counters: it may be long. NULL: none */
};

static void set(struct record *r, enum column column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set(struct record *r, enum column column, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(r->field[column], sizeof r->field[column], format, arguments);
    va_end(arguments);
}

/* Sets a figure that is known only if it is above zero. */
static void setFigure(struct record *r, enum column column, double value)
{
    if (value > 0.0)
        set(r, column, "%.6g", value);
}

static void writeRecord(FILE *out, const struct record *r)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const char *text = r->field[i];

        if (i > 0)
            fputc(',', out);
        if (i == COLUMN_counters && r->work != NULL) { /* none of these has a quote */
            fprintf(out, "\"%s work=%s\"", text, r->work);
            continue;
        }
        if (strpbrk(text, ",\"\r\n") == NULL) {
            fputs(text, out);
            continue;
        }
        fputc('"', out);
        for (; *text != '\0'; text++) {
            if (*text == '"')
                fputc('"', out);
            fputc(*text, out);
        }
        fputc('"', out);
    }
    fputc('\n', out);
}

/* Asked for once: it takes a while to answer. */
static double powerLimitOfDevice(void)
{
    static double watts = -1.0;

    if (watts < 0.0)
        watts = powerLimit(theDevice()->bus);
    return watts;
}

/* The fields that are the same in all records of a run. */
static void setMachine(struct record *r, int withCommit)
{
    const struct machine *m = machine();

    set(r, COLUMN_run, "%s", m->run);
    set(r, COLUMN_date, "%s", m->date);
    set(r, COLUMN_host, "%s", m->host);
    set(r, COLUMN_commit, "%s", withCommit ? machineCommit() : "");
    set(r, COLUMN_compiler, "%s", m->compiler);
    set(r, COLUMN_cpu, "%s", m->cpu);
    setFigure(r, COLUMN_sockets, m->sockets);
    setFigure(r, COLUMN_cores, m->cores);
    setFigure(r, COLUMN_threads, m->threads);
    if (theDevice()->freeBytes <= 0.0)
        return;
    set(r, COLUMN_driver, "%s", theDevice()->driver);
    set(r, COLUMN_toolkit, "%s", theDevice()->toolkit);
    if (theDevice()->emulated)
        return;
    setFigure(r, COLUMN_multiprocessors, theDevice()->multiprocessors);
    setFigure(r, COLUMN_clock_hz, theDevice()->clockHz);
    setFigure(r, COLUMN_memory_clock_hz, theDevice()->memoryClockHz);
    set(r, COLUMN_ecc, "%d", theDevice()->ecc);
    setFigure(r, COLUMN_l2_bytes, theDevice()->l2Bytes);
    setFigure(r, COLUMN_power_limit_w, powerLimitOfDevice());
}

/* 1 if a list of words "name=value" has one with the name of this word. */
static int isNamed(const char *list, const char *word)
{
    const size_t name = strcspn(word, "=") + 1;

    for (; *list != '\0'; list += strspn(list, " ")) {
        if (strncmp(list, word, name) == 0)
            return 1;
        list += strcspn(list, " ");
    }
    return 0;
}

/* Adds the given options to the parameters of a row, without those that the exercise states. */
static void addOptions(struct record *r)
{
    char *all = r->field[COLUMN_parameters];

    for (const char *word = settings->given; *(word += strspn(word, " ")) != '\0';
         word += strcspn(word, " ")) {
        const size_t length = strlen(all);

        if (!isNamed(all, word))
            snprintf(all + length, MESSAGE - length, "%s%.*s", length > 0 ? " " : "",
                     (int)strcspn(word, " "), word);
    }
}

static void setRow(struct record *r, const char *exercise, const struct row *row)
{
    static const char *const places[] = {"cpu", "device", "library"};
    const struct device_counters *c = &row->counters;
    const int emulated = row->place != ON_CPU && theDevice()->emulated;

    set(r, COLUMN_exercise, "%s", exercise);
    set(r, COLUMN_variant, "%s", row->name);
    set(r, COLUMN_device, "%s", row->place == ON_CPU ? machine()->cpu : theDevice()->name);
    set(r, COLUMN_size, "%zu", row->size);
    set(r, COLUMN_verdict, "%s", row->demonstration ? "DEMONSTRATION" : verdictWord(row->verdict));
    set(r, COLUMN_place, "%s", places[row->place]);
    set(r, COLUMN_parameters, "%s", row->parameters);
    setFigure(r, COLUMN_bytes, row->bytes);
    setFigure(r, COLUMN_flops, row->flops);
    set(r, COLUMN_max_error, "%.3g", row->hasError ? row->maxError : 0.0);
    if (emulated) {
        set(r, COLUMN_counters,
            "requests=%.0f sectors_per_request=%.4g bytes_used=%.4g bank_conflict=%.4g "
            "divergence=%.4g atomic_conflict=%.4g loads_together=%.4g findings=%d launches=%.10g "
            "bytes_in=%.15g bytes_out=%.15g shared_requests=%.0f bytes_copied=%.15g%s%s",
            c->requests, c->sectorsPerRequest, c->bytesUsed, c->bankConflict, c->divergence,
            c->atomicConflict, c->loadsTogether, row->findings, c->launches, c->bytesIn,
            c->bytesOut, c->sharedRequests, c->bytesRead + c->bytesSent,
            c->bankAt[0] != '\0' ? " bank_at=" : "", c->bankAt);
        r->work = c->work;
        return; /* it has no times, and no limit */
    }
    if (c->launches > 0.0)
        set(r, COLUMN_counters, "launches=%.10g", c->launches);
    setFigure(r, COLUMN_limit_bytes_per_s, row->limit);
    if (row->verdict != EXIT_PASS || row->time.median <= 0.0 || row->demonstration)
        return;
    setFigure(r, COLUMN_median_s, row->time.median);
    setFigure(r, COLUMN_min_s, row->time.min);
    setFigure(r, COLUMN_max_s, row->time.max);
    setFigure(r, COLUMN_samples, (double)row->time.samples);
    setFigure(r, COLUMN_with_transfers_s, row->whole);
    if (row->limit > 0.0)
        setFigure(r, COLUMN_fraction, row->bytes / row->time.median / row->limit);
}

void csvRecordWrite(FILE *out, const char *exercise, const struct row *row, int isWhole)
{
    struct record *record = mustAllocate(sizeof *record, "the results");

    memset(record, 0, sizeof *record);
    setMachine(record, isWhole);
    setRow(record, exercise, row);
    if (isWhole)
        addOptions(record);
    writeRecord(out, record);
    free(record);
}

void csvWrite(const char *file, const char *exercise, const struct row *rows, size_t count)
{
    struct results r = resultsOpen(file);
    const char *wrong;

    for (size_t i = 0; i < count; i++)
        if (!rows[i].cached)
            csvRecordWrite(r.new.stream, exercise, &rows[i], 1);
    wrong = newFileKeep(&r.new);
    resultsClose(&r);
    if (wrong != NULL)
        courseFail(EXIT_ERROR, "cannot write %s: %s", file, wrong);
}
