/* Times of CPU rows, kept from one run to the next. */
#include "cache.h"
#include "columns.h"
#include "csv.h"
#include "fail.h"
#include "file.h"
#include "machine.h"
#include "options.h"
#include "measure.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct row *kept;
static size_t keptCount;
static char *path; /* of the file in the folder */

/* FNV-1a (Fowler, Noll, Vo): what a row depends on, as one number for the file's name. */
static unsigned long long hashOf(const char *text)
{
    unsigned long long hash = 14695981039346656037u;

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

static void namePath(const char *folder, const struct exercise *exercise)
{
    const struct machine *m = machine();
    char options[1024], key[2048];

    optionsText(exercise, options, sizeof options);
    snprintf(key, sizeof key, "%s|%zu|%lu|%d|%s|%s|%s|%d", exercise->name, harnessSize(),
             settings->seed, settings->quick, options, m->host, m->cpu, m->threads);
    path = mustAllocate(strlen(folder) + 256, "a file's name");
    snprintf(path, strlen(folder) + 256, "%s/%.200s-%016llx.csv", folder, exercise->name,
             hashOf(key));
}

/* The row of a record; 0 if it is no row with a time of the CPU. */
static int rowOf(struct row *row, char *field[COLUMN_COUNT])
{
    memset(row, 0, sizeof *row);
    if (strcmp(field[COLUMN_place], "cpu") != 0 || strcmp(field[COLUMN_verdict], "PASS") != 0)
        return 0;
    snprintf(row->name, sizeof row->name, "%s", field[COLUMN_variant]);
    snprintf(row->parameters, sizeof row->parameters, "%s", field[COLUMN_parameters]);
    row->place = ON_CPU;
    row->verdict = EXIT_PASS;
    row->cached = 1;
    row->time.median = atof(field[COLUMN_median_s]);
    row->time.min = atof(field[COLUMN_min_s]);
    row->time.max = atof(field[COLUMN_max_s]);
    row->time.samples = atol(field[COLUMN_samples]);
    row->whole = atof(field[COLUMN_with_transfers_s]);
    row->bytes = atof(field[COLUMN_bytes]);
    row->flops = atof(field[COLUMN_flops]);
    row->limit = atof(field[COLUMN_limit_bytes_per_s]);
    row->size = (size_t)strtoull(field[COLUMN_size], NULL, 10);
    return row->time.median > 0.0;
}

static void keep(const struct row *row)
{
    struct row *grown = realloc(kept, (keptCount + 1) * sizeof *kept);

    if (grown == NULL)
        courseFail(EXIT_ERROR, "no memory for the times of the CPU");
    kept = grown;
    kept[keptCount++] = *row;
}

/* The whole file as text that the caller frees; NULL if it cannot be read. */
static char *textOf(const char *file)
{
    enum { MAX_BYTES = 1 << 22 };
    FILE *in = fopen(file, "r");
    char *text = in != NULL ? mustAllocate(MAX_BYTES, "the times of the CPU") : NULL;

    if (in == NULL)
        return NULL;
    text[fread(text, 1, MAX_BYTES - 1, in)] = '\0';
    fclose(in);
    return text;
}

void cacheRead(const char *folder, const struct exercise *exercise)
{
    char *text, *next, *field[COLUMN_COUNT];
    struct row row;
    int found;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        courseFail(EXIT_ERROR, "--cache %s: %s", folder, strerror(errno));
    namePath(folder, exercise);
    text = textOf(path);
    if (text != NULL && strncmp(text, COLUMNS_HEADER, strlen(COLUMNS_HEADER)) == 0) {
        next = csvRecord(text, field, COLUMN_COUNT, &found);
        while (next != NULL) {
            next = csvRecord(next, field, COLUMN_COUNT, &found);
            if (found == COLUMN_COUNT && rowOf(&row, field))
                keep(&row);
        }
    }
    free(text);
}

const struct row *cacheFind(const char *name, const char *parameters)
{
    for (size_t i = 0; i < keptCount; i++)
        if (strcmp(kept[i].name, name) == 0 && strcmp(kept[i].parameters, parameters) == 0)
            return &kept[i];
    return NULL;
}

const struct row *cacheAll(size_t *count)
{
    *count = keptCount;
    return kept;
}

void cacheWrite(const struct exercise *exercise)
{
    size_t count, fresh = 0;
    const struct row *rows = rowAll(&count);
    struct new_file new;

    for (size_t i = 0; i < count; i++)
        if (!rows[i].cached && rows[i].place == ON_CPU && rows[i].verdict == EXIT_PASS &&
            rows[i].time.median > 0.0 && cacheFind(rows[i].name, rows[i].parameters) == NULL) {
            keep(&rows[i]);
            fresh++;
        }
    if (fresh == 0)
        return;
    new = newFile(path);
    fprintf(new.stream, "%s\n", COLUMNS_HEADER);
    for (size_t i = 0; i < keptCount; i++)
        csvRecordWrite(new.stream, exercise->name, &kept[i], 0);
    newFileMustKeep(&new, path);
}
