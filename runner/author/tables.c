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
#include "request.h"
#include "results.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 24 };

/* The rows of a results file; ends the program if it holds none. */
static struct results resultsOf(const char *path)
{
    struct results results = {0};
    const char *why = resultsRead(&results, path);

    if (why != NULL)
        fail(EXIT_ERROR, "tables: %s", why);
    return results;
}

/* The text with a blank for each underscore. */
static char *blanked(const char *text)
{
    char *copy = formatString("%s", text);

    for (char *c = copy; *c != '\0'; c++)
        if (*c == '_')
            *c = ' ';
    return copy;
}

/* 1 if the field holds the text of a word such as variant=TEXT, or the word has another name. */
static int holds(const char *field, const char *word, const char *name)
{
    return !startsWith(word, name) || strstr(blanked(field), blanked(word + strlen(name))) != NULL;
}

static int passes(char *const fields[COLUMN_COUNT], char *const words[], int count)
{
    for (int i = 0; i < count; i++)
        if (!holds(fields[COLUMN_variant], words[i], "variant=") ||
            !holds(fields[COLUMN_parameters], words[i], "parameters=") ||
            !holds(fields[COLUMN_device], words[i], "device=") ||
            (startsWith(words[i], "size=") && !isSame(fields[COLUMN_size], words[i] + 5)))
            return 0;
    return 1;
}

/* A column of a table, and how it shows a column of the results. */
struct shown {
    const char *name, *heading;
    enum column column;
    enum { PLAIN, SECONDS, RATE, FRACTION, PARAMETER } as;
};

static struct shown shownAs(const char *name)
{
    static const struct shown all[] = {{"variant", "variant", COLUMN_variant, PLAIN},
                                       {"device", "device", COLUMN_device, PLAIN},
                                       {"size", "size", COLUMN_size, PLAIN},
                                       {"verdict", "verdict", COLUMN_verdict, PLAIN},
                                       {"error", "error", COLUMN_max_error, PLAIN},
                                       {"parameters", "parameters", COLUMN_parameters, PLAIN},
                                       {"time", "time", COLUMN_median_s, SECONDS},
                                       {"whole", "with copies", COLUMN_with_transfers_s, SECONDS},
                                       {"GB/s", "GB/s", COLUMN_bytes, RATE},
                                       {"GFLOP/s", "GFLOP/s", COLUMN_flops, RATE},
                                       {"fraction", "of limit", COLUMN_fraction, FRACTION}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (isSame(name, all[i].name))
            return all[i];
    if (!startsWith(name, "param:"))
        fail(EXIT_WRONG, "tables: there is no column '%s'", name);
    return (struct shown){name, name + strlen("param:"), COLUMN_parameters, PARAMETER};
}

/* The text of a row's column. */
static const char *cell(const struct shown *shown, const struct result *row)
{
    const char *text = row->field[shown->column];
    const double value = atof(text), seconds = resultNumber(row, COLUMN_median_s);

    switch (shown->as) {
    case PLAIN: return text;
    case SECONDS: return textOfSeconds(value, "µs");
    case RATE:
        return seconds > 0.0 && value > 0.0 ? formatString("%.0f", value / seconds * 1e-9) : "-";
    case FRACTION: return text[0] != '\0' ? formatString("%.2f", value) : "-";
    default:
        text = resultPart(row, shown->column, shown->heading);
        return text != NULL ? formatString("%.*s", (int)strcspn(text, " "), text) : "-";
    }
}

/* 1 if a row is faster than another one, NULL: than none. One with a limit is compared with others
 * of this kind only, and stands above the rest. */
static int isFaster(const struct result *row, const struct result *other)
{
    const int hasLimit = row->field[COLUMN_fraction][0] != '\0';

    if (other != NULL && hasLimit != (other->field[COLUMN_fraction][0] != '\0'))
        return hasLimit && resultPace(row) > 0.0;
    return resultPace(row) > (other != NULL ? resultPace(other) : 0.0);
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
            (same == NULL || resultSameProblem(row, same)) && isFaster(row, best))
            best = row;
    }
    return best;
}

/* One row for a CSV file: its fastest variant on the device, beside the fastest library row. */
static void summarise(struct text *out, const char *path)
{
    const struct shown time = shownAs("time"), fraction = shownAs("fraction");
    const struct results results = resultsOf(path);
    const struct result *best = fastest(&results, "device", NULL), *library;

    if (best == NULL)
        return;
    library = fastest(&results, "library", best);
    appendFormat(out, "| %s | %s | %s | %s | %s | %s |\n", best->field[COLUMN_exercise],
                 best->field[COLUMN_variant], best->field[COLUMN_parameters], cell(&time, best),
                 cell(&fraction, best),
                 library != NULL ? formatString("%.2f × %s", resultPace(best) / resultPace(library),
                                                library->field[COLUMN_variant])
                                 : "-");
}

static void makeSummary(struct text *out, const char *folder)
{
    const glob_t found = matching(formatString("%s/ex[0-9][0-9].csv", folder));

    appendText(out, "| exercise | fastest variant | parameters | time | of limit | library |\n"
                    "| --- | --- | --- | ---: | ---: | --- |\n");
    for (size_t i = 0; i < found.gl_pathc; i++)
        summarise(out, found.gl_pathv[i]);
}

/* Appends the row of the fact of that name, in which '_' stands for a blank. Returns 0 if the
 * output of ./course device does not state it. */
static int appendFact(struct text *out, const char *facts, const char *name)
{
    for (const char *line = facts; *line != '\0'; line = nextLine(line)) {
        const char *first = line + strspn(line, " "), *value = first + strcspn(first, ":\n");
        const char *stated = formatString("%.*s", (int)(value - first), first);

        if (!isSame(blanked(stated), blanked(name)))
            continue;
        value += strspn(value, ": ");
        appendFormat(out, "| %s | %.*s |\n", stated, (int)strcspn(value, "\n"), value);
        return 1;
    }
    return 0;
}

/* The facts that words[1] and the following words name. */
static void makeFacts(struct text *out, const char *path, char *const words[], int count)
{
    const char *facts = readFile(path);

    appendText(out, "| fact | value |\n| --- | --- |\n");
    for (int i = 1; i < count; i++)
        if (!appendFact(out, facts, words[i]))
            fail(EXIT_WRONG, "tables: %s states no '%s'", words[0], words[i]);
}

/* The columns that a list names, and the head of their table. Returns how many there are. */
static int makeHead(struct text *out, char *list, struct shown columns[WORDS])
{
    int count = 0;

    appendText(out, "|");
    for (char *c = strtok(list, ","); c != NULL && count < WORDS; c = strtok(NULL, ",")) {
        columns[count] = shownAs(c);
        appendFormat(out, " %s |", columns[count++].heading);
    }
    appendText(out, "\n|");
    for (int i = 0; i < count; i++)
        appendText(out, columns[i].column == COLUMN_variant || isSame(columns[i].name, "parameters")
                            ? " --- |"
                            : " ---: |");
    appendText(out, "\n");
    return count;
}

/* The table of the rows of a CSV file that pass. */
static void makeRows(struct text *out, const char *path, char *const words[], int count)
{
    const char *list = "variant,time,GB/s,fraction";
    const struct results results = resultsOf(path);
    struct shown columns[WORDS];
    int columnCount;

    for (int i = 1; i < count; i++)
        if (startsWith(words[i], "columns="))
            list = words[i] + strlen("columns=");
    columnCount = makeHead(out, formatString("%s", list), columns);
    for (size_t r = 0; r < results.count; r++) {
        if (!passes(results.rows[r].field, words, count))
            continue;
        appendText(out, "|");
        for (int i = 0; i < columnCount; i++)
            appendFormat(out, " %s |", cell(&columns[i], &results.rows[r]));
        appendText(out, "\n");
    }
}

/* The table for a marker's words: words[0] is the CSV file. Returns 0 if that is missing. */
static int makeTable(struct text *out, char *const words[], int count)
{
    const char *path = formatString("%s/%s", sourceFolder(), words[0]), *dot = strrchr(path, '.');
    struct stat status;

    if (access(path, R_OK) != 0) {
        printf("there is no %s to make a table from\n", path);
        return 0;
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        makeSummary(out, path);
    else if (dot != NULL && isSame(dot, ".txt"))
        makeFacts(out, path, words, count);
    else
        makeRows(out, path, words, count);
    return 1;
}

/* The next marker, which begins a line; NULL if there is none. One behind four blanks is an
 * example. Ends the program if one stands elsewhere, where its table would get old unnoticed. */
static char *markerIn(char *from, const char *text, const char *marker, const char *path)
{
    for (char *found = from; (found = strstr(found, marker)) != NULL; found++) {
        const char *line = found;

        while (line > text && line[-1] != '\n')
            line--;
        if (line == found)
            return found;
        if (!startsWith(line, "    "))
            fail(EXIT_WRONG, "tables: %s: a marker does not begin its line: %.*s", path,
                 (int)strcspn(line, "\n"), line);
    }
    return NULL;
}

/* Remakes the tables of one document. Returns 1 if a CSV file is missing or, when checking, it is
 * stale. */
static int document(const char *path, int checking)
{
    static const char begin[] = "<!-- table: ", end[] = "<!-- end -->";
    char *old = readFile(path), *from = old, *mark;
    struct text new = {0};
    int stale, missing = 0;

    while ((mark = markerIn(from, old, begin, path)) != NULL) {
        char *line = strchr(mark, '\n'), *stop = strstr(mark, end), *words[WORDS], *marker,
             *another = markerIn(mark + 1, old, begin, path);
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
    int checking = 0, stale = 0;
    const struct known_option known[] = {{"--check", .flag = &checking}, {0}};

    if (takeOptions(known, argc, argv) > 1)
        notUnderstood("tables", argv[1]);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        const glob_t found = matching(formatString("%s/%s", sourceFolder(), patterns[p]));

        for (size_t i = 0; i < found.gl_pathc; i++)
            stale |= document(found.gl_pathv[i], checking);
    }
    return stale ? EXIT_WRONG : EXIT_PASS;
}
