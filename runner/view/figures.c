/* The figures that a lecture shows first. */
#include "result_table.h"
#include "linear_fit.h"
#include "html.h"
#include <math.h>
#include <string.h>

enum { POINTS = 64 };

/* What the heat equation is timed for. */
enum { CORE, CORES, WHOLE, GPU, PLACES };
static const char *const places[PLACES] = {
    "one core", "all cores", "GPU, with allocation and copies", "GPU, fastest kernel"};

/* The shortest times of the heat equation at each size. */
struct heat {
    double size[POINTS], seconds[PLACES][POINTS]; /* 0: no time */
    size_t count;
};

/* Keeps the shorter of two times; 0 is no time. */
static void keepShorter(double *kept, double seconds)
{
    if (seconds > 0.0 && (*kept == 0.0 || seconds < *kept))
        *kept = seconds;
}

static void addHeat(struct heat *heat, const struct result *row)
{
    const double size = resultNumber(row, COLUMN_size),
                 seconds = resultNumber(row, COLUMN_median_s);
    const int onOne = strstr(row->field[COLUMN_variant], "one core") != NULL;
    size_t i = 0;

    while (i < heat->count && heat->size[i] != size)
        i++;
    if (i == POINTS)
        return;
    heat->size[i] = size;
    heat->count += i == heat->count;
    if (isSame(row->field[COLUMN_place], "device")) {
        keepShorter(&heat->seconds[GPU][i], seconds);
        keepShorter(&heat->seconds[WHOLE][i], resultNumber(row, COLUMN_with_transfers_s));
    } else if (isSame(row->field[COLUMN_place], "cpu")) {
        keepShorter(&heat->seconds[onOne ? CORE : CORES][i], seconds);
    }
}

/* Says from which size on the GPU is always faster than all cores. */
static void sayCrossover(struct text *page, const struct heat *heat, int place, const char *what)
{
    const double *cores = heat->seconds[CORES], *gpu = heat->seconds[place];
    double slower = 0.0, from = INFINITY, smallest = INFINITY;

    for (size_t i = 0; i < heat->count; i++)
        if (cores[i] > 0.0 && gpu[i] >= cores[i])
            slower = fmax(slower, heat->size[i]);
    for (size_t i = 0; i < heat->count; i++) {
        smallest = fmin(smallest, heat->size[i]);
        if (cores[i] > 0.0 && gpu[i] > 0.0 && heat->size[i] > slower)
            from = fmin(from, heat->size[i]);
    }
    appendFormat(page, "%s, the GPU is faster than all cores %s. ", what,
                 isinf(from)        ? "at none of these sizes"
                 : from == smallest ? "at all of these sizes"
                                    : formatString("from %s points on", htmlCount(from)));
}

static void drawHeat(struct text *page, const struct sheets *sheets, const char *device)
{
    const struct sheet *sheet = sheetNamed(sheets, "ex05_sizes");
    struct plot plot = {.title = formatString("Heat equation in 1D: CPU and GPU over the number of "
                                              "points, %s",
                                              device),
                        .x = "points",
                        .y = "time of all steps, µs"};
    struct heat heat = {0};

    for (size_t i = 0; sheet != NULL && i < sheet->count; i++)
        if (rowIsTimed(sheet->rows[i]))
            addHeat(&heat, sheet->rows[i]);
    if (heat.count < 3) {
        appendText(page, "<p>The heat equation over its size: not measured here; "
                         "<code>./course bench --record</code> measures it on a GPU.</p>\n");
        return;
    }
    for (size_t i = 0; i < heat.count; i++)
        for (int k = 0; k < PLACES; k++)
            if (heat.seconds[k][i] > 0.0)
                plotPoint(&plot, places[k], heat.size[i], heat.seconds[k][i] * 1e6);
    plotDraw(page, &plot, 30.0);
    appendText(page, "<p class=\"beside\">");
    sayCrossover(page, &heat, GPU, "Without copies");
    sayCrossover(page, &heat, WHOLE, "With allocation and the copies there and back");
    appendText(page, "</p>\n");
}

/* Adds the line through a curve, with its formula as its name. */
static void addFit(struct plot *plot, size_t of)
{
    const struct curve *c = &plot->curves[of];
    const char *colon = strchr(c->name, ':');
    struct line line;
    const char *name;

    if (c->count < 3)
        return;
    line = lineThrough(c->x, c->y, c->count);
    name = formatString("%s: %.2f µs + %.3g ns per block, within %.0f %%",
                        colon != NULL ? colon + 2 : c->name, line.a, 1e3 * line.b,
                        100.0 * line.residual);
    for (size_t i = 0; i < c->count; i++)
        plotPoint(plot, name, c->x[i], line.a + line.b * c->x[i]);
    plot->curves[plot->count - 1].line = 1;
}

/* One of the figures of ./course device --measure. */
struct cost {
    const char *title, *variant, *x, *xTitle, *y;
    int rate, fit;
};

static void drawCost(struct text *page, const struct sheet *sheet, const struct cost *cost,
                     const char *device)
{
    struct plot plot = {.title = formatString("%s, %s", cost->title, device),
                        .x = cost->xTitle,
                        .y = cost->y,
                        .limitName = "copy rate"};
    size_t curves;

    for (size_t i = 0; i < sheet->count; i++) {
        const struct result *row = sheet->rows[i];

        if (!startsWith(row->field[COLUMN_variant], cost->variant))
            continue;
        plotRow(&plot, row->field[COLUMN_variant], row, cost->x, cost->rate);
        if (cost->rate)
            plot.limit = fmax(plot.limit, resultNumber(row, COLUMN_limit_bytes_per_s) * 1e-9);
    }
    curves = plot.count;
    for (size_t i = 0; cost->fit && i < curves; i++)
        addFit(&plot, i);
    plotDraw(page, &plot, cost->rate || cost->fit ? INFINITY : 30.0);
}

void figuresDraw(struct text *page, const struct sheets *sheets, const char *device)
{
    static const struct cost costs[] = {
        {"An almost empty kernel", "launch", "blocks", "blocks of 128 threads", "time, µs", 0, 1},
        {"Copies to the device", "to the device", "bytes", "bytes", "GB/s", 1, 0},
        {"Copies from the device", "from the device", "bytes", "bytes", "GB/s", 1, 0},
        {"Copies on the device, which L2 helps while they are small", "copy on", "bytes", "bytes",
         "GB/s, read plus written", 1, 0},
        {"Atomic additions, as many threads each time", "atomic", "addresses",
         "addresses that they share", "time, µs", 0, 0},
    };
    const struct sheet *sheet = sheetNamed(sheets, "device");

    appendText(page, "<div class=\"plots\">\n");
    drawHeat(page, sheets, device);
    for (size_t i = 0; sheet != NULL && i < sizeof costs / sizeof *costs; i++)
        drawCost(page, sheet, &costs[i], device);
    appendText(page, "</div>\n");
    if (sheet == NULL)
        appendText(page,
                   "<p>Launches, copies between host and device, and atomics: not measured here; "
                   "<code>./course bench --record</code> measures it on a GPU.</p>\n");
}
