/* Plots as SVG. All lengths are in units of a drawing of 480 by 300, which the page scales. */
#include "report_plot.h"
#include "html.h"
#include <float.h>
#include <math.h>

enum { WIDTH = 480, HEIGHT = 300, LEFT = 66, RIGHT = 24, TOP = 12, BOTTOM = 44 };
enum { TICKS = 40 };

/* One axis: the range that it shows, and where that lies in the drawing. */
struct axis {
    double from, to, start, end;
    int logarithmic;
    double tick[TICKS];
    size_t ticks;
};

static struct curve *curveNamed(struct plot *plot, const char *name)
{
    for (size_t i = 0; i < plot->count; i++)
        if (isSame(plot->curves[i].name, name))
            return &plot->curves[i];
    if (plot->count == CURVES)
        return NULL;
    plot->curves[plot->count] = (struct curve){.name = formatString("%s", name)};
    return &plot->curves[plot->count++];
}

void plotPoint(struct plot *plot, const char *name, double x, double y)
{
    struct curve *c = curveNamed(plot, name);
    size_t i;

    if (c == NULL)
        return;
    c->x = mustAllocate(c->x, (c->count + 1) * sizeof *c->x);
    c->y = mustAllocate(c->y, (c->count + 1) * sizeof *c->y);
    for (i = c->count++; i > 0 && c->x[i - 1] > x; i--) { /* in the order of x */
        c->x[i] = c->x[i - 1];
        c->y[i] = c->y[i - 1];
    }
    c->x[i] = x;
    c->y[i] = y;
}

/* 1 if the limit is drawn: one far above all values would press them to the axis. */
static int limitFits(const struct plot *plot, double largest)
{
    return plot->limit > 0.0 && plot->limit <= 8.0 * largest;
}

/* A step of 1, 2 or 5 times a power of ten that divides the span into about five. */
static double roundStep(double span)
{
    const double power = pow(10.0, floor(log10(span / 5.0))), digit = span / 5.0 / power;

    return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

static void addTick(struct axis *axis, double at)
{
    if (axis->ticks < TICKS && at >= axis->from * (1.0 - 1e-9) && at <= axis->to * (1.0 + 1e-9))
        axis->tick[axis->ticks++] = at;
}

/* Ticks of a logarithmic axis: powers of two if all values are powers of two (binary), otherwise
 * powers of ten, with 2 and 5 between them on a short axis. */
static void logarithmicTicks(struct axis *a, int binary)
{
    const double base = binary ? 2.0 : 10.0;
    const double first = floor(log(a->from) / log(base) + 1e-9),
                 last = ceil(log(a->to) / log(base) - 1e-9);
    const double every = ceil((last - first) / 6.0);

    for (double k = first; k <= last; k += every) {
        addTick(a, pow(base, k));
        if (!binary && last - first <= 2.0) {
            addTick(a, 2.0 * pow(base, k));
            addTick(a, 5.0 * pow(base, k));
        }
    }
}

/* The axis of all values of x or y: logarithmic if they span this factor, otherwise from 0. */
static struct axis axisOf(const struct plot *plot, int ofY, double span, double start, double end)
{
    struct axis a = {.from = DBL_MAX, .to = -DBL_MAX, .start = start, .end = end};
    int binary = !ofY, exponent;

    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->curves[i].count; k++) {
            const double v = ofY ? plot->curves[i].y[k] : plot->curves[i].x[k];

            a.from = fmin(a.from, v);
            a.to = fmax(a.to, v);
            binary &= frexp(v, &exponent) == 0.5;
        }
    if (ofY && limitFits(plot, a.to))
        a.to = fmax(a.to, plot->limit);
    a.logarithmic = a.from > 0.0 && a.to >= span * a.from;
    if (a.logarithmic) {
        a.from /= ofY ? 1.5 : 1.0;
        a.to *= ofY ? 1.5 : 1.0;
        logarithmicTicks(&a, binary);
    } else {
        const double to = a.to > 0.0 ? a.to : 1.0, step = roundStep(to);

        a.from = 0.0;
        a.to = ceil(to / step - 1e-9) * step;
        for (double v = 0.0; v <= a.to * (1.0 + 1e-9); v += step)
            addTick(&a, v);
    }
    return a;
}

static double place(const struct axis *a, double value)
{
    const double share = a->logarithmic ? log(value / a->from) / log(a->to / a->from)
                                        : (value - a->from) / (a->to - a->from);

    return a->start + share * (a->end - a->start);
}

static void drawAxes(struct text *page, const struct plot *plot, const struct axis *x,
                     const struct axis *y)
{
    for (size_t i = 0; i < y->ticks; i++) {
        const double at = place(y, y->tick[i]);

        appendFormat(page,
                     "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
                     "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                     LEFT, at, WIDTH - RIGHT, LEFT - 6, at + 4.0, htmlCount(y->tick[i]));
    }
    for (size_t i = 0; i < x->ticks; i++) {
        const double at = place(x, x->tick[i]);

        appendFormat(page,
                     "<path class=\"grid\" d=\"M%.1f %dV%d\"/>"
                     "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                     at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 16, htmlCount(x->tick[i]));
    }
    appendFormat(page,
                 "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>"
                 "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s%s</text>"
                 "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">"
                 "%s%s</text>\n",
                 LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8,
                 escaped(plot->x), x->logarithmic ? " (log)" : "", (TOP + HEIGHT - BOTTOM) / 2,
                 escaped(plot->y), y->logarithmic ? " (log)" : "");
}

/* The marker of the i-th curve, at a point: its shape distinguishes the curves in print. */
static void drawMarker(struct text *page, size_t i, double x, double y)
{
    static const char *const shapes[CURVES] = {
        "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
        "m-3 -3h6v6h-6z",
        "m0 -4l4 7h-8z",
        "m0 -4l4 4l-4 4l-4 -4z",
        "m0 4l4 -7h-8z",
        "m-3 -3l6 6m0 -6l-6 6",
        "m-4 0h8m-4 -4v8",
        "m-4 -2h8v4h-8z",
    };

    appendFormat(page, "<path class=\"marker\" d=\"M%.1f %.1f%s\"/>", x, y, shapes[i % CURVES]);
}

static void drawCurve(struct text *page, const struct plot *plot, size_t i, const struct axis *x,
                      const struct axis *y)
{
    const struct curve *c = &plot->curves[i];

    appendFormat(page, "<g class=\"c%zu%s\"><path class=\"curve\" d=\"", i, c->line ? " fit" : "");
    for (size_t k = 0; k < c->count; k++)
        appendFormat(page, "%c%.1f %.1f", k == 0 ? 'M' : 'L', place(x, c->x[k]), place(y, c->y[k]));
    appendText(page, "\"/>");
    for (size_t k = 0; k < c->count && !c->line; k++)
        drawMarker(page, i, place(x, c->x[k]), place(y, c->y[k]));
    appendFormat(page, "<title>%s</title></g>\n", escaped(c->name));
}

static void drawLegend(struct text *page, const struct plot *plot, int isDrawn)
{
    appendText(page, "<ul class=\"legend\">");
    for (size_t i = 0; i < plot->count; i++) {
        appendFormat(page,
                     "<li><svg class=\"c%zu%s\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">"
                     "<path class=\"curve\" d=\"M1 6H27\"/>",
                     i, plot->curves[i].line ? " fit" : "");
        if (!plot->curves[i].line)
            drawMarker(page, i, 14.0, 6.0);
        appendFormat(page, "</svg>%s</li>", escaped(plot->curves[i].name));
    }
    if (plot->limit > 0.0)
        appendFormat(page,
                     "<li><svg viewBox=\"0 0 28 12\" aria-hidden=\"true\">"
                     "<path class=\"limit\" d=\"M1 6H27\"/></svg>%s, %.0f GB/s%s</li>",
                     plot->limitName, plot->limit, isDrawn ? "" : ", above the plot");
    appendText(page, "</ul></figure>\n");
}

void plotDraw(struct text *page, const struct plot *plot, double spanY)
{
    struct axis x, y;
    int hasLimit;

    if (plot->count == 0)
        return;
    x = axisOf(plot, 0, 16.0, LEFT, WIDTH - RIGHT);
    y = axisOf(plot, 1, spanY, HEIGHT - BOTTOM, TOP);
    hasLimit = limitFits(plot, y.to);
    appendFormat(page,
                 "<figure><figcaption>%s</figcaption>"
                 "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                 escaped(plot->title), WIDTH, HEIGHT, escaped(plot->title));
    drawAxes(page, plot, &x, &y);
    if (hasLimit)
        appendFormat(page, "<path class=\"limit\" d=\"M%d %.1fH%d\"/>\n", LEFT,
                     place(&y, plot->limit), WIDTH - RIGHT);
    for (size_t i = 0; i < plot->count; i++)
        drawCurve(page, plot, i, &x, &y);
    appendText(page, "</svg>");
    drawLegend(page, plot, hasLimit);
}
