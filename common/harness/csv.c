/* The CSV file of results: one row per variant. What stood in the file stays; a run that fails, or a
 * full disk, leaves it as it was. */
#include "internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char header[] = "exercise,variant,device,size,verdict,median_s,min_s,bytes,flops,"
                             "limit_bytes_per_s,fraction,with_transfers_s,max_error,parameters";

static char *partialName(const char *file)
{
    char *partial = malloc(strlen(file) + sizeof ".partial");

    if (partial == NULL)
        courseFail(EXIT_USAGE, "no memory");
    strcpy(partial, file);
    return strcat(partial, ".partial");
}

/* Opens FILE.partial with what is in FILE already, or the header. */
static FILE *openPartial(const char *file, const char *partial)
{
    char buffer[8192];
    size_t length;
    FILE *old = fopen(file, "r");
    FILE *new;

    if (old == NULL && errno != ENOENT)
        courseFail(EXIT_USAGE, "cannot read %s: %s", file, strerror(errno));
    if (old != NULL && fgets(buffer, sizeof buffer, old) != NULL) {
        buffer[strcspn(buffer, "\r\n")] = '\0';
        if (strcmp(buffer, header) != 0)
            courseFail(EXIT_USAGE, "%s holds something else than results: name another file", file);
    }
    new = fopen(partial, "w");
    if (new == NULL)
        courseFail(EXIT_USAGE, "cannot write %s: %s", partial, strerror(errno));
    fprintf(new, "%s\n", header);
    while (old != NULL && (length = fread(buffer, 1, sizeof buffer, old)) > 0)
        fwrite(buffer, 1, length, new);
    if (old != NULL && (ferror(old) || fclose(old) != 0))
        courseFail(EXIT_USAGE, "cannot read %s: %s", file, strerror(errno));
    return new;
}

static void closePartial(FILE *new, const char *partial)
{
    int failed = fflush(new) != 0 || ferror(new);

    if (fclose(new) != 0 || failed) {
        int error = errno;

        remove(partial);
        courseFail(EXIT_USAGE, "cannot write %s: %s", partial, strerror(error));
    }
}

void csvOpen(const char *file)
{
    char *partial = partialName(file);

    closePartial(openPartial(file, partial), partial);
    remove(partial);
    free(partial);
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

static const char *word(const struct row *row)
{
    if (row->demonstration)
        return "DEMONSTRATION";
    return row->verdict == EXIT_PASS      ? "PASS"
           : row->verdict == EXIT_WRONG   ? "WRONG"
           : row->verdict == EXIT_SKIPPED ? "SKIPPED"
                                          : "NOT IMPLEMENTED";
}

void csvWrite(const char *file, const struct row *rows, size_t count)
{
    char *partial = partialName(file);
    FILE *out = openPartial(file, partial);

    for (const struct row *row = rows; row < rows + count; row++) {
        const struct device_counters *c = &row->counters;
        int right = row->verdict == EXIT_PASS && row->median > 0.0;

        field(out, theExercise->name);
        fputc(',', out);
        field(out, row->name);
        fputc(',', out);
        field(out, row->place == ON_CPU ? cpuName : theDevice.name);
        fprintf(out, ",%zu,%s", row->size, word(row));
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
    closePartial(out, partial);
    if (rename(partial, file) != 0) {
        int error = errno;

        remove(partial);
        courseFail(EXIT_USAGE, "cannot write %s: %s", file, strerror(error));
    }
    free(partial);
}
