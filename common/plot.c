/* Pictures by gnuplot. */
#include "fail.h"
#include "harness.h"
#include "row.h"
#include "file.h"
#include "plot.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int curve;
    double x, y;
};

static char (*curves)[NAME];
static struct point *points;
static int curveCount;
static size_t pointCount;

static void *grown(void *array, size_t count, size_t size)
{
    void *more = realloc(array, count * size);

    if (more == NULL)
        courseFail(EXIT_USAGE, "no memory for the picture");
    return more;
}

static int endsIn(const char *text, const char *end)
{
    const size_t length = strlen(text);

    return length > strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

void plotCheck(const char *file)
{
    struct new_file probe;

    if (file == NULL)
        return;
    if (!endsIn(file, ".svg") && !endsIn(file, ".png"))
        courseFail(EXIT_USAGE, "--plot %s: expected a file name that ends in .svg or .png", file);
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        courseFail(EXIT_SKIPPED, "SKIPPED: --plot needs gnuplot, which is not installed");
    probe = newFile(file);
    newFileDrop(&probe);
}

void plotPoint(const char *curve, double x, double y)
{
    int i = 0;

    while (i < curveCount && strcmp(curves[i], curve) != 0)
        i++;
    if (i == curveCount) {
        curves = grown(curves, (size_t)++curveCount, sizeof *curves);
        snprintf(curves[i], NAME, "%s", curve);
    }
    points = grown(points, pointCount + 1, sizeof *points);
    points[pointCount++] = (struct point){i, x, y};
}

/* A string for gnuplot, in single quotes, which inside it are doubled. */
static void quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, out);
    fputc('\'', out);
}

static void commands(FILE *out, const char *file, const char *partial, const char *settings)
{
    fprintf(out, endsIn(file, ".svg") ? "set terminal svg size 800,500 background 'white'\n"
                                      : "set terminal png size 1200,750\n");
    fputs("set output ", out);
    quoted(out, partial);
    fprintf(out, "\nset grid\nset key outside below\n%s\nplot", settings);
    for (int i = 0; i < curveCount; i++) {
        fputs(i > 0 ? ", '-' using 1:2 with linespoints pt 7 ps 0.4 title "
                    : " '-' using 1:2 with linespoints pt 7 ps 0.4 title ",
              out);
        quoted(out, curves[i]);
    }
    fputc('\n', out);
    for (int i = 0; i < curveCount; i++) {
        for (size_t k = 0; k < pointCount; k++)
            if (points[k].curve == i)
                fprintf(out, "%.9g %.9g\n", points[k].x, points[k].y);
        fputs("e\n", out);
    }
}

void plotDraw(const char *file, const char *settings)
{
    struct new_file picture;
    FILE *gnuplot;
    int failed;

    if (file == NULL)
        return;
    if (pointCount == 0) {
        harnessNote("There is nothing to draw: %s is left as it was", file);
        return;
    }
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* if gnuplot gives up, the write fails and is reported here */
    gnuplot = popen("gnuplot 2>/dev/null", "w");
    if (gnuplot == NULL)
        courseFail(EXIT_USAGE, "cannot start gnuplot: %s", strerror(errno));
    picture = newFile(file);
    commands(gnuplot, file, picture.partial, settings);
    failed = fflush(gnuplot) != 0 || ferror(gnuplot);
    if (pclose(gnuplot) != 0 || failed) {
        newFileDrop(&picture);
        courseFail(EXIT_USAGE, "cannot draw %s: gnuplot failed", file);
    }
    newFileMustKeep(&picture, file);
    harnessNote("Drawn: %s", file);
    free(points);
    free(curves);
    points = NULL;
    curves = NULL;
    pointCount = 0;
    curveCount = 0;
}
