/* Plots as SVG. All lengths are in units of a drawing of 480 by 300, which the page scales. */
#include "report_plot.h"
#include "html.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 300, LEFT = 66, RIGHT = 24, TOP = 12, BOTTOM = 44 };
enum { TICKS = 40 };

/* One axis: the range that it shows, and where that lies in the drawing. */
struct axis {
    double from, to;
    int logarithmic;
    double start, end; /* of the drawing */
    double tick[TICKS];
    size_t ticks;
};

static struct curve *curveNamed(struct plot *plot, const char *name)
{
    for (size_t i = 0; i < plot->count; i++)
        if (strcmp(plot->curves[i].name, name) == 0)
            return &plot->curves[i];
    if (plot->count == CURVES)
        return NULL;
    plot->curves[plot->count] = (struct curve){.name = formatString("%s", name)};
    return &plot->curves[plot->count++];
}

int plotPoint(struct plot *plot, const char *name, double x, double y)
{
    struct curve *c = curveNamed(plot, name);
    size_t i;

    if (c == NULL)
        return 0;
    c->x = mustAllocate(c->x, (c->count + 1) * sizeof *c->x);
    c->y = mustAllocate(c->y, (c->count + 1) * sizeof *c->y);
    for (i = c->count++; i > 0 && c->x[i - 1] > x; i--) { /* in the order of x */
        c->x[i] = c->x[i - 1];
        c->y[i] = c->y[i - 1];
    }
    c->x[i] = x;
    c->y[i] = y;
    return 1;
}

/* 1 if the limit is drawn: one far above all values would press them to the axis. */
static int limitFits(const struct plot *plot, double largest)
{
    return plot->limit > 0.0 && plot->limit <= 8.0 * largest;
}

/* The smallest and the largest value of all curves; with the limit, if that is wanted. */
static void range(const struct plot *plot, int ofY, double *from, double *to)
{
    *from = DBL_MAX;
    *to = -DBL_MAX;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->curves[i].count; k++) {
            const double v = ofY ? plot->curves[i].y[k] : plot->curves[i].x[k];

            *from = v < *from ? v : *from;
            *to = v > *to ? v : *to;
        }
    if (ofY && limitFits(plot, *to) && plot->limit > *to)
        *to = plot->limit;
}

void plotScale(struct plot *plot, double spanY)
{
    double from, to;

    range(plot, 0, &from, &to);
    plot->logX = from > 0.0 && to >= 16.0 * from;
    range(plot, 1, &from, &to);
    plot->logY = from > 0.0 && to >= spanY * from;
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
static void logarithmicTicks(struct axis *a, double from, double to, int binary)
{
    const double base = binary ? 2.0 : 10.0;
    const double first = floor(log(from) / log(base) + 1e-9),
                 last = ceil(log(to) / log(base) - 1e-9);
    const double every = ceil((last - first) / 6.0);

    a->from = to > from ? from : from / 2.0;
    a->to = to > from ? to : to * 2.0;
    for (double k = first; k <= last; k += every) {
        addTick(a, pow(base, k));
        if (!binary && last - first <= 2.0) {
            addTick(a, 2.0 * pow(base, k));
            addTick(a, 5.0 * pow(base, k));
        }
    }
}

/* 1 if all values of x are powers of two. */
static int isBinary(const struct plot *plot)
{
    int fraction;

    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->curves[i].count; k++)
            if (frexp(plot->curves[i].x[k], &fraction) != 0.5)
                return 0;
    return 1;
}

/* An axis from 0, or a logarithmic one, with ticks at its ends. */
static struct axis axisOf(double from, double to, int logarithmic, int binary, double start,
                          double end)
{
    struct axis a = {0.0, to > 0.0 ? to : 1.0, logarithmic, start, end, {0}, 0};

    if (logarithmic) {
        logarithmicTicks(&a, from, to, binary);
    } else {
        const double step = roundStep(a.to);

        a.to = ceil(a.to / step - 1e-9) * step;
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
        char *label = htmlCount(y->tick[i]);

        appendFormat(page, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at, WIDTH - RIGHT);
        appendFormat(page, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                     LEFT - 6, at + 4.0, label);
        free(label);
    }
    for (size_t i = 0; i < x->ticks; i++) {
        const double at = place(x, x->tick[i]);
        char *label = htmlCount(x->tick[i]);

        appendFormat(page, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, TOP, HEIGHT - BOTTOM);
        appendFormat(page,
                     "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                     at, HEIGHT - BOTTOM + 16, label);
        free(label);
    }
    appendFormat(page, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM,
                 WIDTH - RIGHT);
    appendFormat(page, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
                 (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
    htmlText(page, plot->x);
    appendFormat(page, "%s</text>", plot->logX ? " (log)" : "");
    appendFormat(page, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
                 (TOP + HEIGHT - BOTTOM) / 2);
    htmlText(page, plot->y);
    appendFormat(page, "%s</text>\n", plot->logY ? " (log)" : "");
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
    appendText(page, "<title>");
    htmlText(page, c->name);
    appendText(page, "</title></g>\n");
}

static void drawLegend(struct text *page, const struct plot *plot, double largest)
{
    appendText(page, "<ul class=\"legend\">");
    for (size_t i = 0; i < plot->count; i++) {
        appendFormat(page,
                     "<li><svg class=\"c%zu%s\" viewBox=\"0 0 28 12\" aria-hidden=\"true\">"
                     "<path class=\"curve\" d=\"M1 6H27\"/>",
                     i, plot->curves[i].line ? " fit" : "");
        if (!plot->curves[i].line)
            drawMarker(page, i, 14.0, 6.0);
        appendText(page, "</svg>");
        htmlText(page, plot->curves[i].name);
        appendText(page, "</li>");
    }
    if (plot->limit > 0.0) {
        appendText(page, "<li><svg viewBox=\"0 0 28 12\" aria-hidden=\"true\">"
                         "<path class=\"limit\" d=\"M1 6H27\"/></svg>");
        htmlText(page, plot->limitName);
        if (!limitFits(plot, largest))
            appendText(page, ", above the plot");
        appendText(page, "</li>");
    }
    appendText(page, "</ul></figure>\n");
}

void plotDraw(struct text *page, const struct plot *plot)
{
    double fromX, toX, fromY, toY;
    struct axis x, y;

    if (plot->count == 0)
        return;
    range(plot, 0, &fromX, &toX);
    range(plot, 1, &fromY, &toY);
    x = axisOf(fromX, toX, plot->logX, isBinary(plot), LEFT, WIDTH - RIGHT);
    y = plot->logY ? axisOf(fromY / 1.5, 1.5 * toY, 1, 0, HEIGHT - BOTTOM, TOP)
                   : axisOf(fromY, toY, 0, 0, HEIGHT - BOTTOM, TOP);
    appendText(page, "<figure>");
    htmlElement(page, "figcaption", plot->title);
    appendFormat(page, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH, HEIGHT);
    htmlText(page, plot->title);
    appendText(page, "\">\n");
    drawAxes(page, plot, &x, &y);
    if (limitFits(plot, toY))
        appendFormat(page, "<path class=\"limit\" d=\"M%d %.1fH%d\"/>\n", LEFT,
                     place(&y, plot->limit), WIDTH - RIGHT);
    for (size_t i = 0; i < plot->count; i++)
        drawCurve(page, plot, i, &x, &y);
    appendText(page, "</svg>");
    drawLegend(page, plot, toY);
}

void plotFree(struct plot *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        free(plot->curves[i].name);
        free(plot->curves[i].x);
        free(plot->curves[i].y);
    }
    plot->count = 0;
}
