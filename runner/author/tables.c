/* tables: the tables in the course's documents, made from recorded CSV files. Between the lines
 *
 *     <!-- table: solutions/timings/h200/ex03.csv columns=variant,time,GB/s,fraction variant=float4
 *     -->
 *     <!-- end -->
 *
 * stands one row for each CSV row that holds the given texts: variant=, parameters=, device=, and
 * size= (exactly). A folder instead of a file makes a summary: of each exNN.csv in it, the variant
 * with the highest rate. An underscore in such a text stands for a blank. columns may also name
 * param:NAME, the value of NAME in the row's parameters. A .txt file is the output of ./course
 * device, and the words after it name facts in it, such as copy_engines: they make the table. With
 * --check nothing is written, and stale tables are named. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "results.h"
#include "text.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 24 };

/* The rows of a results file, which resultsFree() frees; ends the program if it holds none. */
static struct results resultsOf(const char *path)
{
    struct results results = {0};
    char why[1024];

    if (!resultsRead(&results, path, why, sizeof why))
        fail(EXIT_ERROR, "tables: %s", why);
    return results;
}

/* 1 if the field holds the wanted text, in which '_' stands for a blank. */
static int holds(const char *field, const char *wanted)
{
    size_t length = strlen(wanted);

    for (; strlen(field) >= length; field++) {
        size_t i = 0;

        while (i < length && (field[i] == wanted[i] || (field[i] == ' ' && wanted[i] == '_')))
            i++;
        if (i == length)
            return 1;
    }
    return 0;
}

static int passes(char *const fields[COLUMN_COUNT], char *const words[], int count)
{
    for (int i = 0; i < count; i++) {
        if (startsWith(words[i], "variant=") && !holds(fields[COLUMN_variant], words[i] + 8))
            return 0;
        if (startsWith(words[i], "parameters=") && !holds(fields[COLUMN_parameters], words[i] + 11))
            return 0;
        if (startsWith(words[i], "device=") && !holds(fields[COLUMN_device], words[i] + 7))
            return 0;
        if (startsWith(words[i], "size=") && !isSame(fields[COLUMN_size], words[i] + 5))
            return 0;
    }
    return 1;
}

static char *rate(const char *work, const char *median)
{
    double s = atof(median), w = atof(work);

    return s > 0.0 && w > 0.0 ? formatString("%.0f", w / s * 1e-9) : formatString("-");
}

/* The text of a row's column; the caller frees it. */
static char *cell(const char *column, const struct result *row)
{
    static const struct {
        const char *name;
        enum column column;
    } plain[] = {{"variant", COLUMN_variant}, {"device", COLUMN_device},
                 {"size", COLUMN_size},       {"verdict", COLUMN_verdict},
                 {"error", COLUMN_max_error}, {"parameters", COLUMN_parameters}};
    char *const *fields = row->field;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (isSame(column, plain[i].name))
            return formatString("%s", fields[plain[i].column]);
    if (isSame(column, "time"))
        return textOfSeconds(atof(fields[COLUMN_median_s]), "µs");
    if (isSame(column, "whole"))
        return textOfSeconds(atof(fields[COLUMN_with_transfers_s]), "µs");
    if (isSame(column, "GB/s"))
        return rate(fields[COLUMN_bytes], fields[COLUMN_median_s]);
    if (isSame(column, "GFLOP/s"))
        return rate(fields[COLUMN_flops], fields[COLUMN_median_s]);
    if (isSame(column, "fraction"))
        return fields[COLUMN_fraction][0] != '\0'
                   ? formatString("%.2f", atof(fields[COLUMN_fraction]))
                   : formatString("-");
    if (startsWith(column, "param:")) {
        const char *value = resultPart(row, COLUMN_parameters, column + 6);

        return value != NULL ? formatString("%.*s", (int)strcspn(value, " "), value)
                             : formatString("-");
    }
    fail(EXIT_WRONG, "tables: there is no column '%s'", column);
}

static const char *heading(const char *column)
{
    if (isSame(column, "fraction"))
        return "of limit";
    if (isSame(column, "whole"))
        return "with copies";
    return startsWith(column, "param:") ? column + 6 : column;
}

static void appendCell(struct text *out, const char *text)
{
    appendText(out, " ");
    appendText(out, text);
    appendText(out, " |");
}

/* The fastest row of a place, "device" or "library": of the same problem as another row, unless
 * that is NULL. NULL if there is none. */
static const struct result *fastest(const struct results *results, const char *place,
                                    const struct result *same)
{
    const struct result *best = NULL;

    for (size_t i = 0; i < results->count; i++) {
        const struct result *row = &results->rows[i];

        if (isSame(row->field[COLUMN_place], place) &&
            (same == NULL || resultSameProblem(row, same)) &&
            resultPace(row) > (best != NULL ? resultPace(best) : 0.0))
            best = row;
    }
    return best;
}

/* One row for a CSV file: its fastest variant on the device, beside the fastest library row. */
static void summarise(struct text *out, const char *path)
{
    struct results results = resultsOf(path);
    const struct result *best = fastest(&results, "device", NULL);

    if (best != NULL) {
        const struct result *library = fastest(&results, "library", best);
        char *time = textOfSeconds(atof(best->field[COLUMN_median_s]), "µs");
        char *fraction = cell("fraction", best);
        char *beside = library != NULL
                           ? formatString("%.2f × %s", resultPace(best) / resultPace(library),
                                          library->field[COLUMN_variant])
                           : formatString("-");

        appendText(out, "|");
        appendCell(out, best->field[COLUMN_exercise]);
        appendCell(out, best->field[COLUMN_variant]);
        appendCell(out, best->field[COLUMN_parameters]);
        appendCell(out, time);
        appendCell(out, fraction);
        appendCell(out, beside);
        appendText(out, "\n");
    }
}

static void makeSummary(struct text *out, const char *folder)
{
    char *pattern = formatString("%s/ex[0-9][0-9].csv", folder);
    glob_t found;

    appendText(out, "| exercise | fastest variant | parameters | time | of limit | library |\n"
                    "| --- | --- | --- | ---: | ---: | --- |\n");
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            summarise(out, found.gl_pathv[i]);
    }
}

/* The head of a table with these columns. */
static void appendHead(struct text *out, char *const columns[], int count)
{
    appendText(out, "|");
    for (int i = 0; i < count; i++)
        appendCell(out, heading(columns[i]));
    appendText(out, "\n|");
    for (int i = 0; i < count; i++)
        appendText(out, isSame(columns[i], "variant") || isSame(columns[i], "parameters")
                            ? " --- |"
                            : " ---: |");
    appendText(out, "\n");
}

/* The line of ./course device that states a fact; '_' in its name stands for a blank. NULL if there
 * is none. */
static const char *lineOfFact(const char *facts, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = facts; line != NULL && *line != '\0';
         line = strchr(line, '\n'), line += line != NULL) {
        const char *first = line + strspn(line, " ");
        char *stated = formatString("%.*s", (int)strcspn(first, ":\n"), first);
        const int isIt = strlen(stated) == length && holds(stated, name);

        if (isIt)
            return first;
    }
    return NULL;
}

/* The facts that words[1] and the following words name. */
static void makeFacts(struct text *out, const char *path, char *const words[], int count)
{
    char *facts = readFile(path);

    appendText(out, "| fact | value |\n| --- | --- |\n");
    for (int i = 1; i < count; i++) {
        const char *line = lineOfFact(facts, words[i]), *value;
        size_t name;

        if (line == NULL)
            fail(EXIT_WRONG, "tables: %s states no '%s'", words[0], words[i]);
        name = strcspn(line, ":");
        value = line + name + 1;
        value += strspn(value, " ");
        appendFormat(out, "| %.*s | %.*s |\n", (int)name, line, (int)strcspn(value, "\n"), value);
    }
}

/* The table for a marker's words: words[0] is the CSV file. Returns 0 if that is missing. */
static int makeTable(struct text *out, char *const words[], int count)
{
    char *columns[WORDS], *list = NULL, *path;
    struct results results;
    int columnCount = 0;
    struct stat status;

    path = formatString("%s/%s", sourceFolder(), words[0]);
    if (access(path, R_OK) != 0) {
        printf("there is no %s to make a table from\n", path);
        return 0;
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        makeSummary(out, path);
        return 1;
    }
    if (strlen(path) > 4 && isSame(path + strlen(path) - 4, ".txt")) {
        makeFacts(out, path, words, count);
        return 1;
    }
    for (int i = 1; i < count; i++)
        if (startsWith(words[i], "columns="))
            list = formatString("%s", words[i] + 8);
    if (list == NULL)
        list = formatString("variant,time,GB/s,fraction");
    for (char *c = strtok(list, ","); c != NULL && columnCount < WORDS; c = strtok(NULL, ","))
        columns[columnCount++] = c;

    appendHead(out, columns, columnCount);
    results = resultsOf(path);
    for (size_t r = 0; r < results.count; r++) {
        char *const *fields = results.rows[r].field;

        if (!passes(fields, words, count))
            continue;
        appendText(out, "|");
        for (int i = 0; i < columnCount; i++) {
            char *text = cell(columns[i], &results.rows[r]);

            appendCell(out, text);
        }
        appendText(out, "\n");
    }
    return 1;
}

/* The next marker, which begins a line (an indented one is an example); NULL if there is none. */
static char *markerIn(char *from, const char *text, const char *marker)
{
    char *found = strstr(from, marker);

    while (found != NULL && found > text && found[-1] != '\n')
        found = strstr(found + 1, marker);
    return found;
}

/* Remakes the tables of one document. Returns 1 if a CSV file is missing or, when checking, it is
 * stale. */
static int document(const char *path, int checking)
{
    static const char begin[] = "<!-- table: ", end[] = "<!-- end -->";
    char *old = readFile(path), *from = old, *mark;
    struct text new = {0};
    int stale, missing = 0;

    appendText(&new, "");
    while ((mark = markerIn(from, old, begin)) != NULL) {
        char *line = strchr(mark, '\n'), *stop = strstr(mark, end), *words[WORDS], *marker;
        char *another = markerIn(mark + 1, old, begin);
        int count = 0;

        if (line == NULL || stop == NULL || stop < line || (another != NULL && another < stop))
            fail(EXIT_WRONG, "tables: %s: a table has no line '%s' of its own", path, end);
        append(&new, from, (size_t)(line + 1 - from));
        marker = formatString("%.*s", (int)(strstr(mark, " -->") - mark - (long)strlen(begin)),
                              mark + strlen(begin));
        for (char *w = strtok(marker, " "); w != NULL && count < WORDS; w = strtok(NULL, " "))
            words[count++] = w;
        if (count == 0 || !makeTable(&new, words, count)) {
            missing = 1; /* the old table stays */
            append(&new, line + 1, (size_t)(stop - line - 1));
        }
        from = stop;
    }
    appendText(&new, from);
    stale = !isSame(old, new.data);
    if (stale && checking)
        printf("%s: a table is stale; ./course tables remakes it\n", path);
    else if (stale)
        replaceFile(path, new.data);
    return missing || (stale && checking);
}

int commandTables(int argc, char **argv)
{
    static const char *const patterns[] = {"*.md", "*/*.md"};
    int checking = argc > 1 && isSame(argv[1], "--check");
    int stale = 0;

    if (argc > 1 + checking)
        fail(EXIT_USAGE, "tables: '%s' is not understood; see ./course tables --help",
             argv[argc - 1]);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        char *pattern = formatString("%s/%s", sourceFolder(), patterns[p]);
        glob_t found;

        if (glob(pattern, 0, NULL, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc; i++)
                stale |= document(found.gl_pathv[i], checking);
        }
    }
    return stale ? EXIT_WRONG : EXIT_PASS;
}
