/* The rows of one exercise in one results file, and the plots of its sweeps. */
#include "result_table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 16 };

/* The name of the sheet that a row belongs to: "ex03_sweep" for ".../ex03_sweep.csv" if the file is
 * of that exercise, otherwise "ex03". */
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
        if (isSame(sheets->list[i].exercise, exercise) &&
            isSame(sheets->list[i].rows[0]->file, row->file))
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

const struct sheet *sheetNamed(const struct sheets *sheets, const char *name)
{
    for (size_t i = 0; i < sheets->count; i++)
        if (isSame(sheets->list[i].name, name))
            return &sheets->list[i];
    return NULL;
}

int rowIsTimed(const struct result *row)
{
    return isSame(row->field[COLUMN_verdict], "PASS") && resultNumber(row, COLUMN_median_s) > 0.0;
}

/* The value of a parameter, which a blank may end; "" if the row has none of that name. */
static const char *parameterOf(const struct result *row, const char *name)
{
    const char *found =
        isSame(name, "size") ? row->field[COLUMN_size] : resultPart(row, COLUMN_parameters, name);

    return found != NULL ? found : "";
}

int rowParameter(const struct result *row, const char *name, double *value)
{
    const char *text = parameterOf(row, name);
    char *end;

    *value = strtod(text, &end);
    return end != text && (*end == '\0' || *end == ' ') && isfinite(*value);
}

/* The quantity that a parameter counts, for an axis. */
static const char *parameterMeaning(const char *name)
{
    static const char *const meanings[][2] = {
        {"size", "problem size"},        {"block", "threads per block"},
        {"grid", "blocks in the grid"},  {"ranks", "GPUs"},
        {"n", "size N of a matrix"},     {"offset", "offset (elements)"},
        {"stride", "stride (elements)"}, {"region", "elements per thread"},
    };

    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (isSame(meanings[i][0], name))
            return meanings[i][1];
    return name;
}

/* Collects the names of the parameters of all rows. Returns how many there are. */
static size_t parameterNames(const struct sheet *sheet, char *names[NAMES])
{
    size_t count = 0;

    for (size_t i = 0; i < sheet->count; i++)
        for (const char *p = sheet->rows[i]->field[COLUMN_parameters]; *p != '\0';) {
            char *name = formatString("%.*s", (int)strcspn(p, "= "), p);
            size_t k = 0;

            while (k < count && !isSame(names[k], name))
                k++;
            if (p[strlen(name)] == '=' && k == count && count < NAMES)
                names[count++] = name;
            p += strcspn(p, " ");
            p += *p == ' ';
        }
    return count;
}

/* A sweep: the timed rows that have a value of x and are not of an earlier sweep. */
struct sweep {
    const struct sheet *sheet;
    const char *x;
    char *done;            /* of each row: it is of an earlier sweep */
    char **keys;           /* of each row: the name of its curve; NULL if it is not of this sweep */
    size_t *curve, curves; /* of each row: the number of its curve */
    int isRate;            /* 1: the y axis shows GB/s; 0: microseconds */
    double limit;          /* GB/s; 0: none */
};

static int belongs(const struct sweep *s, size_t row, const char *x, double *value)
{
    return !s->done[row] && rowIsTimed(s->sheet->rows[row]) &&
           rowParameter(s->sheet->rows[row], x, value);
}

/* How many values of x the variant of a row has. */
static size_t valuesOf(const struct sweep *s, const char *x, size_t row)
{
    const char *variant = s->sheet->rows[row]->field[COLUMN_variant];
    double *values = mustAllocate(NULL, (s->sheet->count + 1) * sizeof *values), value;
    size_t count = 0;

    for (size_t i = 0; i < s->sheet->count; i++) {
        size_t k = 0;

        if (!isSame(s->sheet->rows[i]->field[COLUMN_variant], variant) || !belongs(s, i, x, &value))
            continue;
        while (k < count && values[k] != value)
            k++;
        values[k] = value;
        count += k == count;
    }
    return count;
}

/* The same for the variant with the most values: a variant that runs at one size only does not
 * prevent a sweep. */
static size_t mostValues(const struct sweep *s, const char *x)
{
    const struct result *const *rows = s->sheet->rows;
    size_t most = 0;

    for (size_t i = 0; i < s->sheet->count; i++)
        if (i == 0 || !isSame(rows[i]->field[COLUMN_variant], rows[i - 1]->field[COLUMN_variant])) {
            const size_t count = valuesOf(s, x, i);

            most = count > most ? count : most;
        }
    return most;
}

/* The parameter that is swept; NULL if there is none. */
static const char *sweptIn(const struct sweep *s)
{
    const char *best = NULL;
    char *names[NAMES];
    const size_t count = parameterNames(s->sheet, names);
    size_t most = strchr(s->sheet->name, '_') != NULL ? 2 : 3;

    for (size_t i = 0; i < count; i++) {
        const size_t values = mostValues(s, names[i]);

        if (values > most) {
            best = names[i];
            most = values;
        }
    }
    return best == NULL && mostValues(s, "size") > most ? "size" : best;
}

/* 1 if the parameter takes two values at one value of x: then it distinguishes curves. */
static int tellsApart(const struct sweep *s, const char *name)
{
    for (size_t i = 0; i < s->sheet->count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct result *mine = s->sheet->rows[i], *other = s->sheet->rows[k];
            const char *text = parameterOf(mine, name), *theirs = parameterOf(other, name);
            const size_t length = strcspn(text, " ");
            double a, b;

            if ((length != strcspn(theirs, " ") || strncmp(text, theirs, length) != 0) &&
                rowParameter(mine, s->x, &a) && rowParameter(other, s->x, &b) && a == b)
                return 1;
        }
    return 0;
}

/* Divides the rows of the sweep among curves. */
static void findCurves(struct sweep *s)
{
    char *names[NAMES];
    const size_t all = parameterNames(s->sheet, names);
    size_t apart = 0;
    double x;

    for (size_t i = 0; i < all; i++)
        if (!isSame(names[i], s->x) && tellsApart(s, names[i]))
            names[apart++] = names[i];
    for (size_t i = 0; i < s->sheet->count; i++) {
        const struct result *row = s->sheet->rows[i];
        struct text key = {0};
        size_t k = 0;

        s->keys[i] = NULL;
        if (!belongs(s, i, s->x, &x))
            continue;
        s->isRate &= resultNumber(row, COLUMN_bytes) > 0.0;
        if (resultIsOnDevice(row) && s->limit == 0.0)
            s->limit = resultNumber(row, COLUMN_limit_bytes_per_s) * 1e-9;
        appendText(&key, row->field[COLUMN_variant]);
        for (size_t n = 0; n < apart; n++) {
            const char *value = parameterOf(row, names[n]);

            if (value[0] != '\0')
                appendFormat(&key, ", %s %.*s", names[n], (int)strcspn(value, " "), value);
        }
        while (k < i && (s->keys[k] == NULL || !isSame(s->keys[k], key.data)))
            k++;
        s->curve[i] = k < i ? s->curve[k] : s->curves++;
        s->keys[i] = key.data;
    }
}

/* Draws the curves from number `first` up to `end`. */
static void drawSome(struct text *page, const struct sweep *s, size_t first, size_t end,
                     const char *device)
{
    const char *x = parameterMeaning(s->x);
    struct plot plot = {.title = formatString("%s: %s over %s, %s", s->sheet->name,
                                              s->isRate ? "rate" : "time", x, device),
                        .x = x,
                        .y = s->isRate ? "GB/s" : "µs",
                        .limit = s->isRate ? s->limit : 0.0,
                        .limitName = "limit"};

    for (size_t i = 0; i < s->sheet->count; i++)
        if (s->keys[i] != NULL && s->curve[i] >= first && s->curve[i] < end)
            plotRow(&plot, s->keys[i], s->sheet->rows[i], s->x, s->isRate);
    plotDraw(page, &plot, s->isRate ? INFINITY : 30.0);
}

void plotRow(struct plot *plot, const char *curve, const struct result *row, const char *x,
             int isRate)
{
    const double seconds = resultNumber(row, COLUMN_median_s);
    double value;

    if (rowIsTimed(row) && rowParameter(row, x, &value))
        plotPoint(plot, curve, value,
                  isRate ? resultNumber(row, COLUMN_bytes) / seconds * 1e-9 : seconds * 1e6);
}

int sheetPlots(struct text *page, const struct sheet *sheet, const char *device)
{
    struct sweep s = {.sheet = sheet, .done = mustAllocate(NULL, sheet->count + 1)};
    int plots = 0;
    double value;

    s.keys = mustAllocate(NULL, (sheet->count + 1) * sizeof *s.keys);
    s.curve = mustAllocate(NULL, (sheet->count + 1) * sizeof *s.curve);
    memset(s.done, 0, sheet->count + 1);
    while ((s.x = sweptIn(&s)) != NULL) {
        size_t pieces, each;

        s.curves = 0;
        s.isRate = 1;
        s.limit = 0.0;
        findCurves(&s);
        pieces = (s.curves + CURVES - 1) / CURVES;
        each = (s.curves + pieces - 1) / pieces; /* a sweep has at least one curve */
        for (size_t first = 0; first < s.curves; first += each, plots++)
            drawSome(page, &s, first, first + each, device);
        for (size_t i = 0; i < sheet->count; i++)
            s.done[i] |= (char)rowParameter(sheet->rows[i], s.x, &value);
    }
    return plots;
}
