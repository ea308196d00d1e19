/* report: the results as one page of HTML that needs no network: the machine, the first figures, a
 * table and the sweeps of each exercise, and the differences to recorded results. */
#include "report.h"
#include "commands.h"
#include "compare.h"
#include "exercises.h"
#include "figures.h"
#include "files.h"
#include "html.h"
#include "request.h"
#include "result_table.h"
#include "text.h"
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double barEnd = 1.25;          /* the fraction at which a bar is full */
static const char deviceSheet[] = "device"; /* what ./course device --measure writes */

/* The row with most facts about the machine: one that was timed on a GPU, otherwise any. NULL if
 * there is none. */
static const struct result *machineRow(const struct results *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (resultIsOnDevice(&all->rows[i]) && all->rows[i].field[COLUMN_clock_hz][0] != '\0' &&
            rowIsTimed(&all->rows[i]))
            return &all->rows[i];
    for (size_t i = 0; i < all->count; i++)
        if (resultIsOnDevice(&all->rows[i]))
            return &all->rows[i];
    return all->count > 0 ? &all->rows[0] : NULL;
}

static void addFact(struct text *page, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    htmlElement(page, "dt", name);
    htmlElement(page, "dd", value);
}

/* A number of a row, times a factor, with its unit; nothing if the row does not have it. */
static void addFigure(struct text *page, const char *name, const struct result *row,
                      enum column column, double factor, const char *unit)
{
    char *value = formatString("%.4g %s", resultNumber(row, column) * factor, unit);

    if (resultNumber(row, column) > 0.0)
        addFact(page, name, value);
    free(value);
}

/* The facts that ./course device printed when the results were recorded. */
static void addAllFacts(struct text *page, char *const *sources)
{
    for (size_t i = 0; sources[i] != NULL; i++) {
        char *path = formatString("%s/device.txt", sources[i]), *facts = readFileIfThere(path);

        if (facts != NULL) {
            appendText(page, "<details><summary>All facts of the device</summary>"
                             "<pre tabindex=\"0\">");
            htmlText(page, facts);
            appendText(page, "</pre></details>\n");
        }
        free(facts);
        free(path);
    }
}

static void addMachine(struct text *page, const struct result *row, char *const *sources)
{
    char *cores = formatString("%s, %s cores, %s threads used", row->field[COLUMN_cpu],
                               row->field[COLUMN_cores], row->field[COLUMN_threads]);
    const int hasDevice = resultIsOnDevice(row);

    appendText(page, "<section id=\"machine\"><h2>Machine</h2><dl>\n");
    if (hasDevice)
        addFact(page, "GPU", row->field[COLUMN_device]);
    addFigure(page, "copy rate (the limit)", row, COLUMN_limit_bytes_per_s, 1e-9, "GB/s");
    addFigure(page, "multiprocessors", row, COLUMN_multiprocessors, 1.0, "");
    addFigure(page, "highest clock rate", row, COLUMN_clock_hz, 1e-6, "MHz");
    addFigure(page, "memory clock rate", row, COLUMN_memory_clock_hz, 1e-6, "MHz");
    addFigure(page, "L2 cache", row, COLUMN_l2_bytes, 1e-6, "MB");
    addFigure(page, "power limit", row, COLUMN_power_limit_w, 1.0, "W");
    if (row->field[COLUMN_ecc][0] != '\0')
        addFact(page, "ECC", row->field[COLUMN_ecc][0] == '1' ? "yes" : "no");
    addFact(page, "driver", row->field[COLUMN_driver]);
    addFact(page, "toolkit", row->field[COLUMN_toolkit]);
    if (row->field[COLUMN_cpu][0] != '\0')
        addFact(page, "CPU", cores);
    addFact(page, "host compiler", row->field[COLUMN_compiler]);
    addFact(page, "machine", row->field[COLUMN_host]);
    addFact(page, "date", row->field[COLUMN_date]);
    addFact(page, "commit", row->field[COLUMN_commit]);
    appendText(page, "</dl>\n");
    addAllFacts(page, sources);
    appendText(page, "</section>\n");
    free(cores);
}

/* The columns of a sheet's table. */
struct columns_shown {
    int parameters, sizes, times, limits, flops, cpu, counters;
};

static struct columns_shown columnsOf(const struct sheet *sheet)
{
    struct columns_shown c = {0};

    for (size_t i = 0; i < sheet->count; i++) {
        const struct result *row = sheet->rows[i];

        c.parameters |= row->field[COLUMN_parameters][0] != '\0';
        c.sizes |= strcmp(row->field[COLUMN_size], sheet->rows[0]->field[COLUMN_size]) != 0;
        c.times |= rowIsTimed(row);
        c.counters |= resultPart(row, COLUMN_counters, "requests") != NULL;
        c.flops |= resultNumber(row, COLUMN_flops) > resultNumber(row, COLUMN_bytes);
        c.cpu |= !resultIsOnDevice(row) && rowIsTimed(row);
    }
    c.limits =
        c.times && !c.counters; /* on the emulated device the CPU's times are the only ones */
    c.cpu = c.cpu && c.limits;
    return c;
}

/* The emulated device's counters: their names in the results and in the table. */
static const struct {
    const char *name, *heading;
    int percent;
} counted[] = {
    {"requests", "requests", 0},     {"sectors_per_request", "sectors/request", 0},
    {"bytes_used", "bytes used", 1}, {"bank_conflict", "bank conflict", 0},
    {"divergence", "divergence", 1}, {"atomic_conflict", "atomic conflict", 0},
};

static void addHead(struct text *page, const struct columns_shown *c)
{
    appendText(page, "<thead><tr><th scope=\"col\">variant</th>");
    if (c->parameters)
        appendText(page, "<th scope=\"col\">parameters</th>");
    if (c->sizes)
        appendText(page, "<th scope=\"col\" class=\"number\">size</th>");
    if (c->times)
        appendText(page, "<th scope=\"col\" class=\"number\">time</th>"
                         "<th scope=\"col\" class=\"number\">GB/s</th>");
    if (c->flops)
        appendText(page, "<th scope=\"col\" class=\"number\">GFLOP/s</th>");
    if (c->limits)
        appendText(page, "<th scope=\"col\">of limit</th>"
                         "<th scope=\"col\" class=\"number\">with copies</th>");
    for (size_t i = 0; c->counters && i < sizeof counted / sizeof *counted; i++)
        appendFormat(page, "<th scope=\"col\" class=\"number\">%s</th>", counted[i].heading);
    if (!c->limits)
        appendText(page, "<th scope=\"col\">verdict</th>");
    if (c->cpu)
        appendText(page, "<th scope=\"col\" class=\"number\">× CPU</th>");
    appendText(page, "</tr></thead><tbody>\n");
}

static void addRate(struct text *page, const struct result *row, enum column work)
{
    const double amount = resultNumber(row, work), seconds = resultNumber(row, COLUMN_median_s);
    char *rate = rowIsTimed(row) && amount > 0.0 ? formatString("%.0f", amount / seconds * 1e-9)
                                                 : formatString("%s", "");

    htmlNumber(page, rate);
    free(rate);
}

/* A bar as long as the fraction, with a mark where the limit is; the verdict of a row that is not
 * right. */
static void addBar(struct text *page, const struct result *row)
{
    const double fraction = resultNumber(row, COLUMN_fraction);

    if (strcmp(row->field[COLUMN_verdict], "PASS") != 0) {
        htmlElement(page, "td class=\"verdict\"", row->field[COLUMN_verdict]);
    } else if (fraction > 0.0) {
        char *text =
            fraction < 0.01 ? formatString("%s", "&lt;0.01") : formatString("%.2f", fraction);

        appendFormat(page, "<td class=\"bar\"><span style=\"--f:%.3f\"></span>%s</td>",
                     (fraction < barEnd ? fraction : barEnd) / barEnd, text);
        free(text);
    } else {
        appendText(page, "<td></td>");
    }
}

/* How many times as fast as the fastest CPU row of the same problem. */
static void addSpeedup(struct text *page, const struct sheet *sheet, const struct result *row)
{
    double cpu = 0.0;
    char *text;

    for (size_t i = 0; i < sheet->count; i++)
        if (!resultIsOnDevice(sheet->rows[i]) && resultSameProblem(sheet->rows[i], row) &&
            resultPace(sheet->rows[i]) > cpu)
            cpu = resultPace(sheet->rows[i]);
    text =
        cpu > 0.0 && resultPace(row) > 0.0
            ? formatString(resultPace(row) < 1000.0 * cpu ? "%.3g" : "%.0f", resultPace(row) / cpu)
            : formatString("%s", "");
    htmlNumber(page, text);
    free(text);
}

/* The cells of a row's counters, empty if there are none. */
static void addCounters(struct text *page, const struct result *row)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        const double value = resultCounter(row, counted[i].name);
        char *text = value <= 0.0 ? formatString("%s", "")
                     : counted[i].percent != 0
                         ? formatString("%.0f %%", 100.0 * value)
                         : formatString(value < 1000.0 ? "%.3g" : "%.0f", value);

        htmlNumber(page, text);
        free(text);
    }
}

static void addRow(struct text *page, const struct sheet *sheet, const struct result *row,
                   const struct columns_shown *c)
{
    char *time = htmlSeconds(rowIsTimed(row) ? resultNumber(row, COLUMN_median_s) : 0.0);
    char *whole = htmlSeconds(rowIsTimed(row) ? resultNumber(row, COLUMN_with_transfers_s) : 0.0);
    char *size = htmlCount(resultNumber(row, COLUMN_size));

    appendFormat(page, "<tr class=\"%s\">", row->field[COLUMN_place]);
    htmlElement(page, "th scope=\"row\"", row->field[COLUMN_variant]);
    if (c->parameters)
        htmlElement(page, "td", row->field[COLUMN_parameters]);
    if (c->sizes)
        htmlNumber(page, size);
    if (c->times) {
        htmlNumber(page, time);
        addRate(page, row, COLUMN_bytes);
    }
    if (c->flops)
        addRate(page, row, COLUMN_flops);
    if (c->limits) {
        addBar(page, row);
        htmlNumber(page, whole);
    }
    if (c->counters)
        addCounters(page, row);
    if (!c->limits)
        htmlElement(page, "td", row->field[COLUMN_verdict]);
    if (c->cpu)
        addSpeedup(page, sheet, row);
    appendText(page, "</tr>\n");
    free(time);
    free(whole);
    free(size);
}

static void addTable(struct text *page, const struct sheet *sheet)
{
    const struct columns_shown c = columnsOf(sheet);

    appendText(page, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"table: ");
    htmlText(page, sheet->name);
    appendText(page, "\"><table>\n");
    addHead(page, &c);
    for (size_t i = 0; i < sheet->count; i++)
        addRow(page, sheet, sheet->rows[i], &c);
    appendText(page, "</tbody></table></div>\n");
}

/* The first figures, with the rows that they are drawn from. */
static void addFigures(struct text *page, const struct sheets *sheets, const char *device)
{
    const struct sheet *sheet = sheetNamed(sheets, deviceSheet);

    appendText(page, "<section id=\"figures\"><h2>First figures</h2>\n");
    figuresDraw(page, sheets, device);
    if (sheet != NULL) {
        appendText(page, "<details><summary>The figures of what the device costs</summary>\n");
        addTable(page, sheet);
        appendText(page, "</details>\n");
    }
    appendText(page, "</section>\n");
}

/* An exercise's title, "" if this build does not know it. */
static const char *titleOf(const char *name)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].title;
    return "";
}

/* Tables first, then all plots side by side, then the figures behind the plots. */
struct exercise_parts {
    struct text tables, plots, figures;
};

/* A sheet: a table, or plots with the table behind them. */
static void addSheet(struct exercise_parts *parts, const struct sheet *sheet, const char *device)
{
    if (sheetPlots(&parts->plots, sheet, device) > 0) {
        appendFormat(&parts->figures, "<details><summary>The figures of %s: %zu rows</summary>\n",
                     sheet->name, sheet->count);
        addTable(&parts->figures, sheet);
        appendText(&parts->figures, "</details>\n");
    } else {
        if (strchr(sheet->name, '_') != NULL)
            htmlElement(&parts->tables, "h3", sheet->name);
        addTable(&parts->tables, sheet);
    }
}

/* The sheets of one exercise, from number `first` on. Returns the number of the next exercise's
 * first sheet. */
static size_t addExercise(struct text *page, const struct sheets *sheets, size_t first,
                          const char *device)
{
    const char *name = sheets->list[first].exercise;
    struct exercise_parts parts = {{0}};
    size_t i = first;

    appendText(&parts.tables, "");
    appendText(&parts.plots, "");
    appendText(&parts.figures, "");
    for (; i < sheets->count && strcmp(sheets->list[i].exercise, name) == 0; i++)
        addSheet(&parts, &sheets->list[i], device);
    appendText(page, "<section id=\"");
    htmlText(page, name);
    appendText(page, "\"><h2>");
    htmlText(page, name);
    if (titleOf(name)[0] != '\0') {
        appendText(page, " <small>");
        htmlText(page, titleOf(name));
        appendText(page, "</small>");
    }
    appendFormat(page, "</h2>\n%s", parts.tables.data);
    if (parts.plots.data[0] != '\0')
        appendFormat(page, "<div class=\"plots\">%s</div>\n", parts.plots.data);
    appendFormat(page, "%s</section>\n", parts.figures.data);
    free(parts.tables.data);
    free(parts.plots.data);
    free(parts.figures.data);
    return i;
}

static void addDifference(struct text *page, const struct difference *d)
{
    char *here =
        d->byTime ? htmlSeconds(resultNumber(d->here, COLUMN_median_s)) : compareValue(d->here, 0);
    char *recorded = d->byTime ? htmlSeconds(resultNumber(d->recorded, COLUMN_median_s))
                               : compareValue(d->recorded, 0);
    char *relative = formatString("%+.1f %%", 100.0 * d->relative);

    appendText(page, "<tr>");
    htmlElement(page, "td", d->here->field[COLUMN_exercise]);
    htmlElement(page, "th scope=\"row\"", d->here->field[COLUMN_variant]);
    htmlElement(page, "td", d->here->field[COLUMN_parameters]);
    htmlNumber(page, recorded);
    htmlNumber(page, here);
    htmlElement(page, d->slow ? "td class=\"number slow\"" : "td class=\"number\"", relative);
    appendFormat(page, "<td class=\"slow\">%s</td></tr>\n", d->slow ? "slower" : "");
    free(relative);
    free(recorded);
    free(here);
}

/* The differences to recorded results, or why there are none. */
static void addDifferences(struct text *page, const struct results *all, const char *which)
{
    struct reference reference;
    struct difference *list;
    char why[1024];
    size_t count, shown = 0, brief = 0;

    appendText(page, "<section id=\"differences\"><h2>Differences to recorded results</h2>\n");
    if (!referenceRead(&reference, which, all, why, sizeof why)) {
        appendText(page, "<p>None: ");
        htmlText(page, why);
        appendText(page, ".</p></section>\n");
        return;
    }
    list = compareRows(all, &reference, &count);
    for (size_t i = 0; i < count; i++) {
        brief += (size_t)list[i].brief;
        shown += (size_t)compareDiffers(&list[i]);
    }
    appendText(page, "<p>Recorded: ");
    htmlText(page, reference.title);
    appendFormat(
        page,
        ". %zu rows compare, by their fraction of the limit or else by their time; %zu differ by "
        "more than %.0f %%",
        count - brief, shown, 100.0 * compareTolerance);
    if (brief > 0)
        appendFormat(page, " (beside %zu of less than %.0f us a launch, which are mostly that)",
                     brief, 1e6 * compareBrief);
    appendFormat(page, "%s</p>\n", shown > 0 ? ":" : ".");
    if (shown > 0)
        appendText(page, "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"table: "
                         "differences\"><table><thead><tr><th scope=\"col\">exercise</th>"
                         "<th scope=\"col\">variant</th><th scope=\"col\">parameters</th>"
                         "<th scope=\"col\" class=\"number\">recorded</th>"
                         "<th scope=\"col\" class=\"number\">here</th>"
                         "<th scope=\"col\" class=\"number\">difference</th><td></td></tr></thead>"
                         "<tbody>\n");
    for (size_t i = 0; i < count; i++)
        if (compareDiffers(&list[i]))
            addDifference(page, &list[i]);
    appendText(page, shown > 0 ? "</tbody></table></div></section>\n" : "</section>\n");
    free(list);
    resultsFree(&reference.rows);
}

static void addNavigation(struct text *page, const struct sheets *sheets)
{
    const char *before = "";

    appendText(page, "<nav aria-label=\"sections\"><a href=\"#machine\">machine</a> "
                     "<a href=\"#figures\">first figures</a> ");
    for (size_t i = 0; i < sheets->count; i++) {
        const char *name = sheets->list[i].exercise;

        if (strcmp(name, before) != 0 && strcmp(name, deviceSheet) != 0)
            appendFormat(page, "<a href=\"#%s\">%.*s</a> ", name, (int)strcspn(name, "_"), name);
        before = name;
    }
    appendText(page, "<a href=\"#differences\">differences</a></nav>\n");
}

/* The whole page, in a string that the caller frees. */
static char *pageOf(const struct sheets *sheets, const struct results *all, char *const *sources,
                    const char *reference)
{
    const struct result *machine = machineRow(all);
    const char *device = machine->field[COLUMN_device];
    char *title = formatString("CUDA C course: %s", device);
    struct text page = {0};

    htmlBegin(&page, title, "");
    appendText(&page, "<header><h1>CUDA C course: ");
    htmlText(&page, device);
    appendText(&page, "</h1>\n");
    addNavigation(&page, sheets);
    appendText(&page, "</header><main>\n");
    addMachine(&page, machine, sources);
    addFigures(&page, sheets, device);
    for (size_t i = 0; i < sheets->count;)
        if (strcmp(sheets->list[i].name, deviceSheet) == 0)
            i++;
        else
            i = addExercise(&page, sheets, i, device);
    addDifferences(&page, all, reference);
    appendText(&page, "</main></body></html>\n");
    free(title);
    return page.data;
}

int reportWrite(const char *file, char *const *sources, const char *reference)
{
    struct results all = {0};
    struct sheets sheets;
    char *page, why[1024];

    if (file == NULL)
        file = "report.html";
    for (size_t i = 0; sources[i] != NULL; i++)
        if (!resultsReadAll(&all, sources[i], why, sizeof why))
            fprintf(stderr, "course: left out: %s\n", why);
    if (all.count == 0) {
        fprintf(stderr, "course: report: no results, no page; ./course bench makes some\n");
        return EXIT_ERROR;
    }
    sheets = sheetsOf(&all);
    page = pageOf(&sheets, &all, sources, reference);
    replaceFile(file, page);
    printf("Report: %s (%zu rows)\n", file, all.count);
    free(page);
    sheetsFree(&sheets);
    resultsFree(&all);
    return EXIT_PASS;
}

/* The folder of results if none is named: the last bench on a GPU, or else on the emulated device,
 * or else the recorded ones. In a string that is never freed. */
static char *usualSource(void)
{
    static const char *const names[] = {"results", "results-quick", "results-emulated",
                                        "results-emulated-quick"};
    char *pattern = NULL, *path = NULL;
    glob_t found;

    for (size_t i = 0; i < sizeof names / sizeof *names && path == NULL; i++) {
        pattern = formatString("%s/%s/*.csv", buildFolder(), names[i]);
        if (glob(pattern, 0, NULL, &found) == 0) {
            path = formatString("%s/%s", buildFolder(), names[i]);
            globfree(&found);
        }
        free(pattern);
    }
    if (path == NULL) {
        pattern = formatString("%s/solutions/timings/*/", sourceFolder());
        if (glob(pattern, 0, NULL, &found) == 0) {
            path = formatString("%.*s", (int)strlen(found.gl_pathv[0]) - 1, found.gl_pathv[0]);
            globfree(&found);
        }
        free(pattern);
    }
    if (path == NULL)
        fail(EXIT_ERROR, "report: there are no results yet; ./course bench makes some");
    return path;
}

int commandReport(int argc, char **argv)
{
    char **sources = mustAllocate(NULL, ((size_t)argc + 2) * sizeof *sources);
    const char *file = NULL, *reference = NULL, *value;
    size_t count = 0;
    int code;

    for (int i = 1; i < argc; i++)
        if ((value = optionValue("-o", argc, argv, &i)) != NULL)
            file = value;
        else if ((value = optionValue("--compare", argc, argv, &i)) != NULL)
            reference = value;
        else if (argv[i][0] == '-')
            fail(EXIT_USAGE, "report: '%s' is not understood; see ./course report --help", argv[i]);
        else
            sources[count++] = argv[i];
    if (reference != NULL)
        compareMustFind(reference);
    if (count == 0)
        sources[count++] = usualSource();
    sources[count] = NULL;
    code = reportWrite(file, sources, reference);
    free(sources);
    return code;
}
