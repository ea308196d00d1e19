/* TASK     an image with stripes, its spectrum, and the image without them: the use of a transform
 *          in two dimensions. */
#include "picture.h"
#include "measure.h"
#include "png.h"
#include <math.h>
#include <stdlib.h>

/* The stripes: so many periods from side to side and from top to bottom. */
static size_t across(size_t side) { return side / 16 + 5; }
static size_t down(size_t side) { return side / 32 + 3; }

static double sceneAt(double x, double y)
{
    double light = 0.35 + 0.25 * y;

    if (hypot(x - 0.7, y - 0.25) < 0.13)
        light = 0.95;
    if (y > 0.55 + 0.12 * sin(7.0 * x) * sin(3.0 * x + 1.0))
        light = 0.25 + 0.2 * sin(9.0 * x + 4.0 * y);
    if (y > 0.85)
        light = 0.12 + 0.05 * sin(80.0 * (y - x * 0.2));
    return light;
}

void drawScene(struct point *x, size_t side)
{
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++) {
            const double u = (double)column / (double)side, v = (double)row / (double)side;
            const double angle = 2.0 * M_PI * ((double)across(side) * u + (double)down(side) * v);

            x[row * side + column].re = (float)(sceneAt(u, v) + 0.2 * cos(angle));
            x[row * side + column].im = 0.0f;
        }
}

void turnOver(const struct point *x, struct point *y, size_t side)
{
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++)
            y[column * side + row] = x[row * side + column];
}

void removeStripes(struct point *spectrum, size_t side)
{
    const size_t a = across(side), b = down(side);

    spectrum[a * side + b] = (struct point){0.0f, 0.0f};
    spectrum[(side - a) * side + side - b] = (struct point){0.0f, 0.0f};
    for (size_t i = 0; i < side * side; i++)
        spectrum[i].im = -spectrum[i].im;
}

void keepImage(const struct point *x, float *panel, size_t side, double factor)
{
    for (size_t i = 0; i < side * side; i++)
        panel[i] = (float)(x[i].re * factor);
}

void keepSpectrum(const struct point *x, float *panel, size_t side)
{
    for (size_t row = 0; row < side; row++)
        for (size_t column = 0; column < side; column++) {
            const struct point p = x[(column + side / 2) % side * side + (row + side / 2) % side];

            panel[row * side + column] = (float)(log10(1.0 + hypot(p.re, p.im)) / 5.0);
        }
}

void drawPanels(const char *file, const float *panels, size_t side)
{
    int *pixels = mustAllocate(3 * side * side * sizeof *pixels, "a picture");

    for (size_t i = 0; i < 3 * side * side; i++) {
        const double light = fmin(fmax(panels[i], 0.0), 1.0);
        const size_t panel = i / (side * side), row = i / side % side, column = i % side;

        pixels[(row * 3 + panel) * side + column] = (int)(255.0 * light) * 0x010101;
    }
    writePng(file, pixels, (int)(3 * side), (int)side);
    free(pixels);
}
