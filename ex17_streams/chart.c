/* Timelines: overlap, charts in characters and as SVG. */
#include "chart.h"
#include "file.h"
#include "harness.h"
#include "measure.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_WIDE = 62, MOST_STREAMS = 8, LANE = 14, LEFT = 70, WIDTH = 700, TITLE = 34 };

static struct interval *intervals;
static size_t count;
static char *picture; /* the SVG so far, without its first line */
static size_t pictureLength;
static int pictureHeight;

/* An event before a copy says when the copy could begin: the one before it in the stream had ended.
 * An engine copies in one direction at a time, so it did begin when the engine's previous copy had
 * ended. */
static void beginWithEngine(enum activity activity)
{
    double free = 0.0;

    for (size_t k = 0; k < count; k++) { /* the engine's copies in the order of their ends */
        struct interval *next = NULL;

        for (size_t i = 0; i < count; i++)
            if (intervals[i].activity == activity && intervals[i].end > free &&
                (next == NULL || intervals[i].end < next->end))
                next = &intervals[i];
        if (next == NULL)
            return;
        if (next->begin < free)
            next->begin = free;
        free = next->end;
    }
}

void timelineTake(const struct interval *taken, size_t takenCount)
{
    chartForget();
    if (takenCount == 0)
        return;
    intervals = mustAllocate(takenCount * sizeof *intervals, "the timeline");
    memcpy(intervals, taken, takenCount * sizeof *intervals);
    count = takenCount;
    beginWithEngine(COPY_IN);
    beginWithEngine(COPY_OUT);
}

size_t chartCount(void) { return count; }

void chartForget(void)
{
    free(intervals);
    intervals = NULL;
    count = 0;
}

struct edge {
    double time;
    enum activity activity;
    int change; /* +1: begins, -1: ends */
};

static int byTime(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->change - y->change;
}

struct overlap chartOverlap(void)
{
    struct overlap o = {0};
    struct edge *edges;
    int now[ACTIVITIES] = {0};

    if (count == 0)
        return o;
    edges = mustAllocate(2 * count * sizeof *edges, "the timeline");
    for (size_t i = 0; i < count; i++) {
        edges[2 * i] = (struct edge){intervals[i].begin, intervals[i].activity, 1};
        edges[2 * i + 1] = (struct edge){intervals[i].end, intervals[i].activity, -1};
    }
    qsort(edges, 2 * count, sizeof *edges, byTime);
    o.span = edges[2 * count - 1].time - edges[0].time;
    for (size_t i = 0; i + 1 < 2 * count; i++) {
        const double part = o.span > 0.0 ? (edges[i + 1].time - edges[i].time) / o.span : 0.0;

        now[edges[i].activity] += edges[i].change;
        for (int k = 0; k < ACTIVITIES; k++)
            o.busy[k] += now[k] > 0 ? part : 0.0;
        o.bothWays += now[COPY_IN] > 0 && now[COPY_OUT] > 0 ? part : 0.0;
        if (now[KERNEL] > o.kernels)
            o.kernels = now[KERNEL];
    }
    free(edges);
    return o;
}

/* Begin and end of the whole, and the number of streams. */
static int extent(double *begin, double *end)
{
    int streams = 0;

    *begin = intervals[0].begin;
    *end = intervals[0].end;
    for (size_t i = 0; i < count; i++) {
        if (intervals[i].begin < *begin)
            *begin = intervals[i].begin;
        if (intervals[i].end > *end)
            *end = intervals[i].end;
        if (intervals[i].stream >= streams)
            streams = intervals[i].stream + 1;
    }
    return streams;
}

/* The character for a part of a stream's time: what took most of it. */
static char character(int stream, double from, double to)
{
    double part[ACTIVITIES] = {0};
    int most = 0;

    for (size_t i = 0; i < count; i++) {
        const struct interval *v = &intervals[i];
        const double begin = v->begin > from ? v->begin : from, end = v->end < to ? v->end : to;

        if (v->stream == stream && end > begin)
            part[v->activity] += end - begin;
    }
    for (int k = 1; k < ACTIVITIES; k++)
        if (part[k] > part[most])
            most = k;
    return part[most] > 0.05 * (to - from) ? ">#<"[most] : '.';
}

void chartText(void)
{
    char line[COLUMNS_WIDE + 1];
    double begin, end;
    int streams;

    if (count == 0)
        return;
    streams = extent(&begin, &end);
    for (int s = 0; s < streams && s < MOST_STREAMS; s++) {
        for (int x = 0; x < COLUMNS_WIDE; x++)
            line[x] = character(s, begin + (end - begin) * x / COLUMNS_WIDE,
                                begin + (end - begin) * (x + 1) / COLUMNS_WIDE);
        line[COLUMNS_WIDE] = '\0';
        harnessRemark("stream %-2d %s", s, line);
    }
    if (streams > MOST_STREAMS)
        harnessRemark("... and %d more streams", streams - MOST_STREAMS);
}

static void append(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void append(const char *format, ...)
{
    char text[512], *longer;
    size_t length;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    length = strlen(text);
    longer = realloc(picture, pictureLength + length + 1);
    if (longer == NULL)
        courseFail(EXIT_ERROR, "no memory for the picture");
    picture = longer;
    memcpy(picture + pictureLength, text, length + 1);
    pictureLength += length;
}

void chartAdd(const char *title, int inSteps)
{
    static const char *const colours[ACTIVITIES] = {"#4477aa", "#ccbb44", "#ee6677"};
    double begin, end;
    int streams;

    if (count == 0)
        return;
    streams = extent(&begin, &end);
    append("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s: ", LEFT, pictureHeight + 24, title);
    if (inSteps)
        append("%.0f steps</text>\n", end - begin);
    else
        append("%.2f ms</text>\n", 1e3 * (end - begin));
    pictureHeight += TITLE;
    for (int s = 0; s < streams; s++)
        append("<text x=\"4\" y=\"%d\">stream %d</text>\n", pictureHeight + s * LANE + 11, s);
    for (size_t i = 0; i < count; i++) {
        const struct interval *v = &intervals[i];
        const double scale = WIDTH / (end > begin ? end - begin : 1.0);

        append("<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\" "
               "stroke=\"white\" stroke-width=\"0.3\"/>\n",
               LEFT + scale * (v->begin - begin), pictureHeight + v->stream * LANE + 1,
               scale * (v->end - v->begin), LANE - 2, colours[v->activity]);
    }
    pictureHeight += streams * LANE;
}

void chartWrite(const char *file)
{
    static const char *const legend =
        "<text x=\"%d\" y=\"%d\"><tspan fill=\"#4477aa\">copies in</tspan>, "
        "<tspan fill=\"#aa9922\">kernels</tspan>, <tspan fill=\"#ee6677\">copies out</tspan>; "
        "%s</text>\n";
    struct new_file out;

    if (file == NULL)
        return;
    out = newFile(file);
    fprintf(out.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            LEFT + WIDTH + 10, pictureHeight + TITLE);
    fputs(picture != NULL ? picture : "", out.stream);
    fprintf(out.stream, legend, LEFT, pictureHeight + 24, "each run over its own whole time");
    fprintf(out.stream, "</svg>\n");
    newFileMustKeep(&out, file);
    free(picture);
    picture = NULL;
}
