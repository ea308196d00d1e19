/* The rows of one exercise in one results file, and the plots of its sweeps. */
#include "result_table.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 16, NAME = 32, KEYS = 256 };

/* The name of the sheet that a row belongs to, in a string that the caller frees: "ex03_sweep" for
 * ".../ex03_sweep.csv" if the file is of that exercise, otherwise "ex03". */
static char *sheetName(const struct result *row)
{
    const char *exercise = row->field[COLUMN_exercise], *slash = strrchr(row->file, '/');
    const char *name = slash != NULL ? slash + 1 : row->file, *dot = strrchr(name, '.');

    if (strncmp(name, exercise, 4) != 0)
        return formatString("%.*s", (int)strcspn(exercise, "_"), exercise);
    return formatString("%.*s", (int)(dot != NULL ? (size_t)(dot - name) : strlen(name)), name);
}

/* The sheet for a row: one of the same exercise and file, or a new one. */
static struct sheet *sheetOf(struct sheets *sheets, const struct result *row)
{
    const char *exercise = row->field[COLUMN_exercise];
    struct sheet *s;

    for (size_t i = 0; i < sheets->count; i++)
        if (strcmp(sheets->list[i].exercise, exercise) == 0 &&
            strcmp(sheets->list[i].rows[0]->file, row->file) == 0)
            return &sheets->list[i];
    sheets->list = mustAllocate(sheets->list, (sheets->count + 1) * sizeof *sheets->list);
    s = &sheets->list[sheets->count++];
    *s = (struct sheet){.exercise = exercise, .name = sheetName(row)};
    return s;
}

/* By exercise, and within one the plain run before the sweeps. */
static int bySheet(const void *a, const void *b)
{
    const struct sheet *x = a, *y = b;
    const int exercises = strcmp(x->exercise, y->exercise);

    if (exercises != 0)
        return exercises;
    if (strlen(x->name) != strlen(y->name) &&
        (strchr(x->name, '_') == NULL || strchr(y->name, '_') == NULL))
        return strlen(x->name) < strlen(y->name) ? -1 : 1;
    return strcmp(x->name, y->name);
}

struct sheets sheetsOf(const struct results *results)
{
    struct sheets sheets = {0};

    for (size_t i = 0; i < results->count; i++) {
        struct sheet *s = sheetOf(&sheets, &results->rows[i]);

        s->rows = mustAllocate(s->rows, (s->count + 1) * sizeof *s->rows);
        s->rows[s->count++] = &results->rows[i];
    }
    if (sheets.count > 0)
        qsort(sheets.list, sheets.count, sizeof *sheets.list, bySheet);
    return sheets;
}

void sheetsFree(struct sheets *sheets)
{
    for (size_t i = 0; i < sheets->count; i++) {
        free(sheets->list[i].name);
        free(sheets->list[i].rows);
    }
    free(sheets->list);
    *sheets = (struct sheets){0};
}

const struct sheet *sheetNamed(const struct sheets *sheets, const char *name)
{
    for (size_t i = 0; i < sheets->count; i++)
        if (strcmp(sheets->list[i].name, name) == 0)
            return &sheets->list[i];
    return NULL;
}

int rowIsTimed(const struct result *row)
{
    return strcmp(row->field[COLUMN_verdict], "PASS") == 0 &&
           resultNumber(row, COLUMN_median_s) > 0.0;
}

/* The text of a parameter, "" if the row has none of that name. */
static void parameterText(const struct result *row, const char *name, char *value, size_t size)
{
    const char *found = strcmp(name, "size") == 0 ? row->field[COLUMN_size]
                                                  : resultPart(row, COLUMN_parameters, name);

    snprintf(value, size, "%.*s", found != NULL ? (int)strcspn(found, " ") : 0,
             found != NULL ? found : "");
}

int rowParameter(const struct result *row, const char *name, double *value)
{
    char text[64], *end;

    parameterText(row, name, text, sizeof text);
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

const char *parameterMeaning(const char *name)
{
    static const char *const meanings[][2] = {
        {"size", "problem size"},        {"block", "threads per block"},
        {"grid", "blocks in the grid"},  {"blocks", "blocks"},
        {"threads", "threads"},          {"bytes", "bytes"},
        {"addresses", "addresses"},      {"ranks", "GPUs"},
        {"n", "size N of a matrix"},     {"offset", "offset (elements)"},
        {"stride", "stride (elements)"}, {"region", "elements per thread"},
    };

    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(meanings[i][0], name) == 0)
            return meanings[i][1];
    return name;
}

/* Collects the names of the parameters of all rows. Returns how many there are. */
static size_t parameterNames(const struct sheet *sheet, char names[NAMES][NAME])
{
    size_t count = 0;

    for (size_t i = 0; i < sheet->count; i++)
        for (const char *p = sheet->rows[i]->field[COLUMN_parameters]; *p != '\0';) {
            const size_t length = strcspn(p, "= ");
            size_t k = 0;

            while (k < count && !(strncmp(names[k], p, length) == 0 && names[k][length] == '\0'))
                k++;
            if (p[length] == '=' && k == count && count < NAMES && length < NAME)
                snprintf(names[count++], NAME, "%.*s", (int)length, p);
            p += strcspn(p, " ");
            p += *p == ' ';
        }
    return count;
}

/* How many values a parameter has in the timed rows of one variant that are not done. */
static size_t valuesOf(const struct sheet *sheet, const char *done, const char *name,
                       const char *variant)
{
    double *values = mustAllocate(NULL, (sheet->count + 1) * sizeof *values), value;
    size_t count = 0;

    for (size_t i = 0; i < sheet->count; i++) {
        const struct result *row = sheet->rows[i];
        size_t k = 0;

        if (done[i] || !rowIsTimed(row) || !rowParameter(row, name, &value) ||
            strcmp(row->field[COLUMN_variant], variant) != 0)
            continue;
        while (k < count && values[k] != value)
            k++;
        if (k == count)
            values[count++] = value;
    }
    free(values);
    return count;
}

/* The same for the variant with the most values: a variant that runs at one size only does not
 * prevent a sweep. */
static size_t distinctValues(const struct sheet *sheet, const char *done, const char *name)
{
    size_t most = 0;

    for (size_t i = 0; i < sheet->count; i++) {
        const char *variant = sheet->rows[i]->field[COLUMN_variant];

        if (i == 0 || strcmp(variant, sheet->rows[i - 1]->field[COLUMN_variant]) != 0) {
            const size_t count = valuesOf(sheet, done, name, variant);

            most = count > most ? count : most;
        }
    }
    return most;
}

char *sheetSweeps(const struct sheet *sheet, const char *done)
{
    const size_t least = strchr(sheet->name, '_') != NULL ? 3 : 4;
    char names[NAMES][NAME];
    const size_t count = parameterNames(sheet, names);
    const char *best = NULL;
    size_t most = least - 1;

    for (size_t i = 0; i < count; i++)
        if (distinctValues(sheet, done, names[i]) > most) {
            best = names[i];
            most = distinctValues(sheet, done, names[i]);
        }
    if (best == NULL && distinctValues(sheet, done, "size") > most)
        best = "size";
    return best != NULL ? formatString("%s", best) : NULL;
}

/* 1 if the parameter takes two values at one value of x: then it distinguishes curves. */
static int tellsApart(const struct sheet *sheet, const char *x, const char *name)
{
    for (size_t i = 0; i < sheet->count; i++)
        for (size_t k = 0; k < i; k++) {
            double a, b;
            char mine[64], other[64];

            if (!rowParameter(sheet->rows[i], x, &a) || !rowParameter(sheet->rows[k], x, &b) ||
                a != b)
                continue;
            parameterText(sheet->rows[i], name, mine, sizeof mine);
            parameterText(sheet->rows[k], name, other, sizeof other);
            if (strcmp(mine, other) != 0)
                return 1;
        }
    return 0;
}

/* The names of the parameters, besides x, that distinguish curves. */
static size_t apartNames(const struct sheet *sheet, const char *x, char names[NAMES][NAME])
{
    size_t all = parameterNames(sheet, names), count = 0;

    for (size_t i = 0; i < all; i++)
        if (strcmp(names[i], x) != 0 && tellsApart(sheet, x, names[i]))
            memmove(names[count++], names[i], NAME);
    return count;
}

/* The curve that a row belongs to, in a string that the caller frees. */
static char *keyOf(const struct result *row, char names[NAMES][NAME], size_t count)
{
    struct text key = {0};

    appendText(&key, row->field[COLUMN_variant]);
    for (size_t i = 0; i < count; i++) {
        char value[64];

        parameterText(row, names[i], value, sizeof value);
        if (value[0] != '\0')
            appendFormat(&key, ", %s %s", names[i], value);
    }
    return key.data;
}

/* The quantity on the y axis of a sweep. */
enum unit { GIGABYTES, MICROSECONDS };

static double valueOf(const struct result *row, enum unit unit)
{
    const double seconds = resultNumber(row, COLUMN_median_s);

    return unit == GIGABYTES ? resultNumber(row, COLUMN_bytes) / seconds * 1e-9 : seconds * 1e6;
}

/* A sweep under way: its rows are those with a value of x that are not done. */
struct sweep {
    const struct sheet *sheet;
    const char *x, *done;
    char names[NAMES][NAME]; /* parameters that distinguish curves */
    size_t nameCount;
    char *keys[KEYS]; /* the curves */
    size_t keyCount;
    enum unit unit;
    double limit; /* GB/s; 0: none */
};

static int belongs(const struct sweep *s, size_t i, double *x)
{
    return !s->done[i] && rowIsTimed(s->sheet->rows[i]) && rowParameter(s->sheet->rows[i], s->x, x);
}

/* Reads which curves a sweep has, and what it shows. */
static void prepare(struct sweep *s)
{
    double x;

    s->nameCount = apartNames(s->sheet, s->x, s->names);
    for (size_t i = 0; i < s->sheet->count; i++) {
        const struct result *row = s->sheet->rows[i];
        char *key;
        size_t k = 0;

        if (!belongs(s, i, &x))
            continue;
        if (!(resultNumber(row, COLUMN_bytes) > 0.0))
            s->unit = MICROSECONDS;
        if (resultIsOnDevice(row) && s->limit == 0.0)
            s->limit = resultNumber(row, COLUMN_limit_bytes_per_s) * 1e-9;
        key = keyOf(row, s->names, s->nameCount);
        while (k < s->keyCount && strcmp(s->keys[k], key) != 0)
            k++;
        if (k == s->keyCount && s->keyCount < KEYS)
            s->keys[s->keyCount++] = key;
        else
            free(key);
    }
}

/* Draws the curves from `first` on, `count` of them. */
static void drawSome(struct text *page, const struct sweep *s, size_t first, size_t count,
                     const char *device)
{
    char *title =
        formatString("%s: %s over %s, %s", s->sheet->name, s->unit == GIGABYTES ? "rate" : "time",
                     parameterMeaning(s->x), device);
    char *limit = formatString("limit, %.0f GB/s", s->limit);
    struct plot plot = {.title = title,
                        .x = parameterMeaning(s->x),
                        .y = s->unit == GIGABYTES ? "GB/s" : "µs",
                        .limit = s->unit == GIGABYTES ? s->limit : 0.0,
                        .limitName = limit};
    double x;

    for (size_t k = first; k < first + count; k++)
        for (size_t i = 0; i < s->sheet->count; i++) {
            char *key;

            if (!belongs(s, i, &x))
                continue;
            key = keyOf(s->sheet->rows[i], (char(*)[NAME])s->names, s->nameCount);
            if (strcmp(key, s->keys[k]) == 0)
                plotPoint(&plot, key, x, valueOf(s->sheet->rows[i], s->unit));
            free(key);
        }
    plotScale(&plot, s->unit == GIGABYTES ? INFINITY : 30.0);
    plotDraw(page, &plot);
    plotFree(&plot);
    free(limit);
    free(title);
}

int sheetPlots(struct text *page, const struct sheet *sheet, const char *device)
{
    char *done = mustAllocate(NULL, sheet->count + 1), *x;
    int plots = 0;

    memset(done, 0, sheet->count + 1);
    while ((x = sheetSweeps(sheet, done)) != NULL) {
        struct sweep s = {.sheet = sheet, .x = x, .done = done};
        size_t pieces, each;
        double value;

        prepare(&s);
        pieces = (s.keyCount + CURVES - 1) / CURVES;
        each = pieces > 0 ? (s.keyCount + pieces - 1) / pieces : 0;
        for (size_t first = 0; first < s.keyCount; first += each, plots++)
            drawSome(page, &s, first, first + each <= s.keyCount ? each : s.keyCount - first,
                     device);
        for (size_t i = 0; i < s.keyCount; i++)
            free(s.keys[i]);
        for (size_t i = 0; i < sheet->count; i++)
            done[i] |= (char)rowParameter(sheet->rows[i], x, &value);
        free(x);
    }
    free(done);
    return plots;
}
