/* The CSV file of results: one row per variant. What stood in the file stays; a run that fails, or a
 * full disk, leaves it as it was. */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header[] = "exercise,variant,device,size,verdict,median_s,min_s,bytes,flops,"
                             "limit_bytes_per_s,fraction,with_transfers_s,max_error,parameters";

char *partialName(const char *file)
{
    char *partial = malloc(strlen(file) + sizeof ".partial");

    if (partial == NULL)
        courseFail(EXIT_USAGE, "no memory");
    return strcat(strcpy(partial, file), ".partial");
}

/* Where the rows go: the file that a link leads to. Ends the program if that is no plain file. */
static char *targetOf(const char *file)
{
    char *target = realpath(file, NULL);
    struct stat status;

    if (target == NULL && (target = strdup(file)) == NULL)
        courseFail(EXIT_USAGE, "no memory");
    if (stat(target, &status) == 0 && !S_ISREG(status.st_mode))
        courseFail(EXIT_USAGE, "cannot write results to %s: it is not a file", file);
    if (access(target, F_OK) == 0 && access(target, W_OK) != 0)
        courseFail(EXIT_USAGE, "cannot write results to %s: %s", file, strerror(errno));
    return target;
}

/* Opens FILE.partial for this process alone. Another run that adds to the same file holds it only while
 * it writes, and then renames or removes it: so what is locked may no longer be what the name means. */
static FILE *lockPartial(const char *partial)
{
    for (;;) {
        struct stat mine, named;
        int file = open(partial, O_RDWR | O_CREAT, 0666);
        FILE *stream;

        if (file < 0)
            courseFail(EXIT_USAGE, "cannot write %s: %s", partial, strerror(errno));
        while (flock(file, LOCK_EX) != 0 && errno == EINTR)
            continue; /* a file system without locks: go on without */
        if (fstat(file, &mine) == 0 && stat(partial, &named) == 0 && mine.st_ino == named.st_ino &&
            mine.st_dev == named.st_dev) {
            stream = fdopen(file, "w");
            if (stream == NULL || (S_ISREG(mine.st_mode) && ftruncate(file, 0) != 0))
                courseFail(EXIT_USAGE, "cannot write %s: %s", partial, strerror(errno));
            return stream;
        }
        close(file);
    }
}

/* Opens FILE.partial with what is in FILE already, or the header. */
static FILE *openPartial(const char *file, const char *partial)
{
    char buffer[8192], last = '\n';
    size_t length;
    FILE *new = lockPartial(partial);
    FILE *old = fopen(file, "r");
    const char *wrong = NULL;

    if (old == NULL && errno != ENOENT)
        wrong = strerror(errno);
    if (old != NULL && fgets(buffer, sizeof buffer, old) != NULL) {
        buffer[strcspn(buffer, "\r\n")] = '\0';
        if (strcmp(buffer, header) != 0)
            wrong = "it holds something else than results: name another file";
    }
    fprintf(new, "%s\n", header);
    while (wrong == NULL && old != NULL && (length = fread(buffer, 1, sizeof buffer, old)) > 0) {
        fwrite(buffer, 1, length, new);
        last = buffer[length - 1];
    }
    if (last != '\n')
        fputc('\n', new); /* an editor's, perhaps */
    if (wrong == NULL && old != NULL && (ferror(old) || fclose(old) != 0))
        wrong = strerror(errno);
    if (wrong != NULL) {
        remove(partial);
        courseFail(EXIT_USAGE, "cannot add results to %s: %s", file, wrong);
    }
    return new;
}

/* Ends the program if what was written to FILE.partial did not get there. */
static void flushPartial(FILE *new, const char *partial)
{
    int error = fflush(new) != 0 || ferror(new) ? errno : 0;

    if (error != 0) {
        remove(partial);
        courseFail(EXIT_USAGE, "cannot write %s: %s", partial, strerror(error));
    }
}

void csvOpen(const char *file)
{
    char *target = targetOf(file), *partial = partialName(target);
    FILE *probe = openPartial(target, partial);

    flushPartial(probe, partial);
    remove(partial);
    fclose(probe); /* last: it ends the lock */
    free(partial);
    free(target);
}

/* A field without the characters that CSV gives a meaning. */
static void field(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == ',' || *text == '"' || *text == '\n' ? ';' : *text, out);
}

static void figure(FILE *out, double value)
{
    if (value > 0.0)
        fprintf(out, ",%.6g", value);
    else
        fputc(',', out);
}

void csvWrite(const char *file, const struct row *rows, size_t count)
{
    char *target = targetOf(file), *partial = partialName(target);
    FILE *out = openPartial(target, partial);

    for (const struct row *row = rows; row < rows + count; row++) {
        const struct device_counters *c = &row->counters;
        int right = row->verdict == EXIT_PASS && row->median > 0.0;

        field(out, theExercise->name);
        fputc(',', out);
        field(out, row->name);
        fputc(',', out);
        field(out, row->place == ON_CPU ? cpuName : theDevice.name);
        fprintf(out, ",%zu,%s", row->size,
                row->demonstration ? "DEMONSTRATION" : verdictWord(row->verdict));
        figure(out, right ? row->median : 0.0);
        figure(out, right ? row->least : 0.0);
        figure(out, row->bytes);
        figure(out, row->flops);
        figure(out, row->limit);
        figure(out, right && row->limit > 0.0 ? row->bytes / row->median / row->limit : 0.0);
        figure(out, right ? row->whole : 0.0);
        fprintf(out, ",%.3g,", row->hasError ? row->maxError : 0.0);
        field(out, row->parameters);
        if (row->place != ON_CPU && theDevice.emulated)
            fprintf(out,
                    "%srequests=%.0f sectors_per_request=%.4g bytes_used=%.4g bank_conflict=%.4g "
                    "divergence=%.4g atomic_conflict=%.4g findings=%d",
                    row->parameters[0] != '\0' ? " " : "", c->requests, c->sectorsPerRequest,
                    c->bytesUsed, c->bankConflict, c->divergence, c->atomicConflict, row->findings);
        fputc('\n', out);
    }
    flushPartial(out, partial);
    if (rename(partial, target) != 0) {
        int error = errno;

        remove(partial);
        courseFail(EXIT_USAGE, "cannot write %s: %s", file, strerror(error));
    }
    fclose(out);
    free(partial);
    free(target);
}
