/* report: the results as one page of HTML that needs no network: the machine, the first figures, a
 * table and the sweeps of each exercise, and the differences to recorded results. */
#include "report.h"
#include "commands.h"
#include "compare.h"
#include "exercises.h"
#include "files.h"
#include "html.h"
#include "request.h"
#include "result_table.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double barEnd = 1.25;          /* the fraction at which a bar is full */
static const char deviceSheet[] = "device"; /* what ./course device --measure writes */

/* The row with most facts about the machine: one that was timed on a GPU, otherwise one of a
 * device. */
static const struct result *machineRow(const struct results *all)
{
    const struct result *best = NULL;

    for (size_t i = 0; i < all->count; i++) {
        const struct result *row = &all->rows[i];

        if (resultIsOnDevice(row) && row->field[COLUMN_clock_hz][0] != '\0' && rowIsTimed(row))
            return row;
        if (best == NULL && resultIsOnDevice(row))
            best = row;
    }
    return best != NULL ? best : &all->rows[0];
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
    if (resultNumber(row, column) > 0.0)
        addFact(page, name, formatString("%.4g %s", resultNumber(row, column) * factor, unit));
}

/* The facts that ./course device printed when the results were recorded. */
static void addAllFacts(struct text *page, char *const *sources)
{
    for (size_t i = 0; sources[i] != NULL; i++) {
        const char *facts = readFileIfThere(formatString("%s/device.txt", sources[i]));

        if (facts != NULL)
            appendFormat(page,
                         "<details><summary>All facts of the device</summary>"
                         "<pre tabindex=\"0\">%s</pre></details>\n",
                         escaped(facts));
    }
}

static void addMachine(struct text *page, const struct result *row, char *const *sources)
{
    htmlSection(page, "machine", "Machine");
    appendText(page, "<dl>\n");
    if (resultIsOnDevice(row))
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
        addFact(page, "CPU",
                formatString("%s, %s cores, %s threads used", row->field[COLUMN_cpu],
                             row->field[COLUMN_cores], row->field[COLUMN_threads]));
    addFact(page, "host compiler", row->field[COLUMN_compiler]);
    addFact(page, "machine", row->field[COLUMN_host]);
    addFact(page, "date", row->field[COLUMN_date]);
    addFact(page, "commit", row->field[COLUMN_commit]);
    appendText(page, "</dl>\n");
    addAllFacts(page, sources);
    appendText(page, "</section>\n");
}

/* The columns of a table, besides the variant. */
enum { PARAMETERS, SIZE, TIME, RATE, FLOPS, LIMIT, WHOLE, COUNTERS, VERDICT = 13, SPEEDUP, CELLS };
static const char *const heads[CELLS] = {
    "parameters",       "#size",       "#time",          "#GB/s",
    "#GFLOP/s",         "of limit",    "#with copies",   "#requests",
    "#sectors/request", "#bytes used", "#bank conflict", "#divergence",
    "#atomic conflict", "verdict",     "#× CPU"};
static const char *const counters[] = {"requests",      "sectors_per_request", "bytes_used",
                                       "bank_conflict", "divergence",          "atomic_conflict"};

/* Which of these columns a sheet's table has. */
static void chooseColumns(const struct sheet *sheet, int c[CELLS])
{
    memset(c, 0, CELLS * sizeof *c);
    for (size_t i = 0; i < sheet->count; i++) {
        const struct result *row = sheet->rows[i];

        c[PARAMETERS] |= row->field[COLUMN_parameters][0] != '\0';
        c[SIZE] |= !isSame(row->field[COLUMN_size], sheet->rows[0]->field[COLUMN_size]);
        c[TIME] |= rowIsTimed(row);
        c[COUNTERS] |= resultPart(row, COLUMN_counters, "requests") != NULL;
        c[FLOPS] |= resultNumber(row, COLUMN_flops) > resultNumber(row, COLUMN_bytes);
        c[SPEEDUP] |= !resultIsOnDevice(row) && rowIsTimed(row);
    }
    c[RATE] = c[TIME];
    for (int i = COUNTERS + 1; i < VERDICT; i++)
        c[i] = c[COUNTERS];
    /* on the emulated device the CPU's times are the only ones */
    c[LIMIT] = c[WHOLE] = c[TIME] && !c[COUNTERS];
    c[VERDICT] = !c[LIMIT];
    c[SPEEDUP] = c[SPEEDUP] && c[LIMIT];
}

static const char *rateOf(const struct result *row, enum column work)
{
    const double amount = resultNumber(row, work), seconds = resultNumber(row, COLUMN_median_s);

    return rowIsTimed(row) && amount > 0.0 ? formatString("%.0f", amount / seconds * 1e-9) : "";
}

/* How many times as fast as the fastest CPU row of the same problem. */
static const char *speedupOf(const struct sheet *sheet, const struct result *row)
{
    double cpu = 0.0;

    for (size_t i = 0; i < sheet->count; i++)
        if (!resultIsOnDevice(sheet->rows[i]) && resultSameProblem(sheet->rows[i], row))
            cpu = fmax(cpu, resultPace(sheet->rows[i]));
    if (cpu == 0.0 || resultPace(row) == 0.0)
        return "";
    return formatString(resultPace(row) < 1000.0 * cpu ? "%.3g" : "%.0f", resultPace(row) / cpu);
}

static const char *counterOf(const struct result *row, const char *name)
{
    const double value = resultCounter(row, name);

    return value <= 0.0 ? ""
           : isSame(name, "bytes_used") || isSame(name, "divergence")
               ? formatString("%.0f %%", 100.0 * value)
               : formatString(value < 1000.0 ? "%.3g" : "%.0f", value);
}

static const char *cellOf(const struct sheet *sheet, const struct result *row, int cell)
{
    switch (cell) {
    case PARAMETERS: return row->field[COLUMN_parameters];
    case SIZE: return htmlCount(resultNumber(row, COLUMN_size));
    case TIME: return htmlSeconds(rowIsTimed(row) ? resultNumber(row, COLUMN_median_s) : 0.0);
    case WHOLE:
        return htmlSeconds(rowIsTimed(row) ? resultNumber(row, COLUMN_with_transfers_s) : 0.0);
    case RATE: return rateOf(row, COLUMN_bytes);
    case FLOPS: return rateOf(row, COLUMN_flops);
    case VERDICT: return row->field[COLUMN_verdict];
    case SPEEDUP: return speedupOf(sheet, row);
    default: return counterOf(row, counters[cell - COUNTERS]);
    }
}

/* A bar as long as the fraction, with a mark where the limit is; the verdict of a row that is not
 * right. */
static void addBar(struct text *page, const struct result *row)
{
    const double fraction = resultNumber(row, COLUMN_fraction);

    if (!isSame(row->field[COLUMN_verdict], "PASS"))
        htmlElement(page, "td class=\"verdict\"", row->field[COLUMN_verdict]);
    else if (fraction > 0.0)
        appendFormat(page,
                     fraction < 0.01
                         ? "<td class=\"bar\"><span style=\"--f:%.3f\"></span>"
                           "&lt;0.01</td>"
                         : "<td class=\"bar\"><span style=\"--f:%.3f\"></span>%.2f</td>",
                     fmin(fraction, barEnd) / barEnd, fraction);
    else
        appendText(page, "<td></td>");
}

static void addRow(struct text *page, const struct sheet *sheet, const struct result *row,
                   const int *shown)
{
    appendFormat(page, "<tr class=\"%s\">", row->field[COLUMN_place]);
    htmlElement(page, "th scope=\"row\"", row->field[COLUMN_variant]);
    for (int i = 0; i < CELLS; i++)
        if (shown[i] && i == LIMIT)
            addBar(page, row);
        else if (shown[i])
            htmlElement(page, heads[i][0] == '#' ? "td class=\"number\"" : "td",
                        cellOf(sheet, row, i));
    appendText(page, "</tr>\n");
}

static void addTable(struct text *page, const struct sheet *sheet)
{
    struct text columns = {0};
    int shown[CELLS];

    chooseColumns(sheet, shown);
    appendText(&columns, "variant");
    for (int i = 0; i < CELLS; i++)
        if (shown[i])
            appendFormat(&columns, "|%s", heads[i]);
    htmlTable(page, formatString("table: %s", sheet->name), columns.data);
    for (size_t i = 0; i < sheet->count; i++)
        addRow(page, sheet, sheet->rows[i], shown);
    appendText(page, HTML_TABLE_END);
}

/* The rows that plots were drawn from, folded away. */
static void addFolded(struct text *page, const char *summary, const struct sheet *sheet)
{
    appendFormat(page, "<details><summary>%s</summary>\n", escaped(summary));
    addTable(page, sheet);
    appendText(page, "</details>\n");
}

/* The first figures, with the rows that they are drawn from. */
static void addFigures(struct text *page, const struct sheets *sheets, const char *device)
{
    const struct sheet *sheet = sheetNamed(sheets, deviceSheet);

    htmlSection(page, "figures", "First figures");
    figuresDraw(page, sheets, device);
    if (sheet != NULL)
        addFolded(page, "The figures of what the device costs", sheet);
    appendText(page, "</section>\n");
}

/* An exercise's heading: its name and, if this build knows it, its title. */
static char *headingOf(const char *name)
{
    for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++)
        if (isSame(e->name, name))
            return formatString("%s <small>%s</small>", name, escaped(e->title));
    return escaped(name);
}

/* The sheets of one exercise, from number `first` on: tables first, then all plots side by side,
 * then the figures behind the plots. Returns the number of the next exercise's first sheet. */
static size_t addExercise(struct text *page, const struct sheets *sheets, size_t first,
                          const char *device)
{
    const char *name = sheets->list[first].exercise;
    struct text plots = {0}, figures = {0};
    size_t i = first;

    htmlSection(page, escaped(name), headingOf(name));
    appendText(&figures, "");
    for (; i < sheets->count && isSame(sheets->list[i].exercise, name); i++) {
        const struct sheet *sheet = &sheets->list[i];

        if (sheetPlots(&plots, sheet, device) > 0) {
            addFolded(&figures,
                      formatString("The figures of %s: %zu rows", sheet->name, sheet->count),
                      sheet);
            continue;
        }
        if (strchr(sheet->name, '_') != NULL)
            htmlElement(page, "h3", sheet->name);
        addTable(page, sheet);
    }
    if (plots.data != NULL)
        appendFormat(page, "<div class=\"plots\">%s</div>\n", plots.data);
    appendFormat(page, "%s</section>\n", figures.data);
    return i;
}

static const char *valueOf(const struct result *row, int byTime)
{
    return byTime ? htmlSeconds(resultNumber(row, COLUMN_median_s)) : compareValue(row, 0);
}

static void addDifference(struct text *page, const struct difference *d)
{
    const char *const *field = (const char *const *)d->here->field;

    appendFormat(page,
                 "<tr><td>%s</td><th scope=\"row\">%s</th><td>%s</td><td class=\"number\">%s</td>"
                 "<td class=\"number\">%s</td><td class=\"number%s\">%+.1f %%</td>"
                 "<td class=\"slow\">%s</td></tr>\n",
                 escaped(field[COLUMN_exercise]), escaped(field[COLUMN_variant]),
                 escaped(field[COLUMN_parameters]), valueOf(d->recorded, d->byTime),
                 valueOf(d->here, d->byTime), d->slow ? " slow" : "", 100.0 * d->relative,
                 d->slow ? "slower" : "");
}

/* The differences to recorded results, or why there are none. */
static void addDifferences(struct text *page, const struct results *all, const char *which)
{
    struct reference reference;
    struct difference *list;
    const char *why = referenceRead(&reference, which, all);
    size_t count, shown = 0, brief = 0;

    htmlSection(page, "differences", "Differences to recorded results");
    if (why != NULL) {
        appendFormat(page, "<p>None: %s.</p></section>\n", escaped(why));
        return;
    }
    list = compareRows(all, &reference, &count);
    for (size_t i = 0; i < count; i++) {
        brief += (size_t)list[i].brief;
        shown += (size_t)compareDiffers(&list[i]);
    }
    appendFormat(page,
                 "<p>Recorded: %s. %zu rows compare, by their fraction of the limit or else by "
                 "their time; %zu differ by more than %.0f %%",
                 escaped(reference.title), count - brief, shown, 100.0 * compareTolerance);
    if (brief > 0)
        appendFormat(page, " (beside %zu of less than %.0f us a launch, which are mostly that)",
                     brief, 1e6 * compareBrief);
    appendFormat(page, "%s</p>\n", shown > 0 ? ":" : ".");
    if (shown > 0)
        htmlTable(page, "table: differences",
                  "exercise|variant|parameters|#recorded|#here|#difference| ");
    for (size_t i = 0; i < count; i++)
        if (compareDiffers(&list[i]))
            addDifference(page, &list[i]);
    appendFormat(page, "%s</section>\n", shown > 0 ? HTML_TABLE_END : "");
}

static void addNavigation(struct text *page, const struct sheets *sheets)
{
    const char *before = "";

    appendText(page, "<nav aria-label=\"sections\"><a href=\"#machine\">machine</a> "
                     "<a href=\"#figures\">first figures</a> ");
    for (size_t i = 0; i < sheets->count; i++) {
        const char *name = sheets->list[i].exercise;

        if (!isSame(name, before) && !isSame(name, deviceSheet))
            appendFormat(page, "<a href=\"#%s\">%.*s</a> ", name, (int)strcspn(name, "_"), name);
        before = name;
    }
    appendText(page, "<a href=\"#differences\">differences</a></nav>\n");
}

static char *pageOf(const struct sheets *sheets, const struct results *all, char *const *sources,
                    const char *reference)
{
    const struct result *machine = machineRow(all);
    const char *device = machine->field[COLUMN_device];
    const char *title = formatString("CUDA C course: %s", device);
    struct text page = {0};

    htmlBegin(&page, title);
    appendFormat(&page, "<header><h1>%s</h1>\n", escaped(title));
    addNavigation(&page, sheets);
    appendText(&page, "</header><main>\n");
    addMachine(&page, machine, sources);
    addFigures(&page, sheets, device);
    for (size_t i = 0; i < sheets->count;)
        if (isSame(sheets->list[i].name, deviceSheet))
            i++;
        else
            i = addExercise(&page, sheets, i, device);
    addDifferences(&page, all, reference);
    appendText(&page, "</main></body></html>\n");
    return page.data;
}

int reportWrite(const char *file, char *const *sources, const char *reference)
{
    struct results all = {0};
    struct sheets sheets;

    if (file == NULL)
        file = "report.html";
    for (size_t i = 0; sources[i] != NULL; i++)
        resultsTaken(resultsReadAll(&all, sources[i]));
    if (all.count == 0) {
        fprintf(stderr, "course: report: no results, no page; ./course bench makes some\n");
        return EXIT_ERROR;
    }
    sheets = sheetsOf(&all);
    replaceFile(file, pageOf(&sheets, &all, sources, reference));
    printf("Report: %s (%zu row%s)\n", file, all.count, all.count == 1 ? "" : "s");
    return EXIT_PASS;
}

/* The folder of results if none is named: the last bench on a GPU, or else on the emulated device,
 * or else the recorded ones. */
static char *usualSource(void)
{
    static const char *const names[] = {"results", "results-quick", "results-emulated",
                                        "results-emulated-quick"};
    glob_t recorded = matching(formatString("%s/solutions/timings/*/", sourceFolder()));

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = formatString("%s/%s", buildFolder(), names[i]);

        if (matching(formatString("%s/*.csv", path)).gl_pathc > 0)
            return path;
    }
    if (recorded.gl_pathc == 0)
        fail(EXIT_ERROR, "report: there are no results yet; ./course bench makes some");
    return formatString("%.*s", (int)strlen(recorded.gl_pathv[0]) - 1, recorded.gl_pathv[0]);
}

int commandReport(int argc, char **argv)
{
    const char *file = NULL, *reference = NULL;
    const struct known_option known[] = {
        {"-o", .value = &file}, {"--compare", .value = &reference}, {0}};
    const int words = takeOptions(known, argc, argv);
    char *usual[] = {NULL, NULL};

    for (int i = 1; i < words; i++)
        if (argv[i][0] == '-')
            notUnderstood("report", argv[i]);
    if (reference != NULL)
        compareMustFind(reference);
    if (words == 1)
        usual[0] = usualSource();
    return reportWrite(file, words > 1 ? argv + 1 : usual, reference);
}
