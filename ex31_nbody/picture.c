/* TASK     a picture of the galaxies over time, a panel for each point in time.
 * TRAFFIC  none.
 * LIMIT    none: it takes far less time than one step. */
#include "picture.h"
#include "harness.h"
#include "png.h"
#include "scene.h"
#include <math.h>

enum { SIDE = 360, IN_A_ROW = 3 }; /* pixels of a panel; panels */

static float *light[3]; /* red, green, blue; of one panel */
static int *pixels, width, height;

/* A body's light goes to the four pixels around it. */
static void addLight(float *colour, double x, double y, float amount)
{
    const int column = (int)floor(x), row = (int)floor(y);
    const float u = (float)(x - column), v = (float)(y - row);

    if (column < 0 || row < 0 || column >= SIDE - 1 || row >= SIDE - 1)
        return;
    colour[row * SIDE + column] += amount * (1.0f - u) * (1.0f - v);
    colour[row * SIDE + column + 1] += amount * u * (1.0f - v);
    colour[(row + 1) * SIDE + column] += amount * (1.0f - u) * v;
    colour[(row + 1) * SIDE + column + 1] += amount * u * v;
}

static void makePicture(int panels)
{
    width = SIDE * (panels < IN_A_ROW ? panels : IN_A_ROW);
    height = SIDE * ((panels + IN_A_ROW - 1) / IN_A_ROW);
    pixels = newArray((size_t)width * (size_t)height, sizeof *pixels);
    for (int c = 0; c < 3; c++)
        light[c] = newArray((size_t)SIDE * SIDE, sizeof *light[c]);
}

void drawPanel(int panel, int panels, const struct body *at, size_t n, int isOfGalaxies)
{
    static const float first[3] = {1.0f, 0.65f, 0.35f}, second[3] = {0.35f, 0.65f, 1.0f};
    const double radius = isOfGalaxies ? 10.0 : 3.0; /* seen around the origin */
    const float amount = 60000.0f / (float)n;

    if (pixels == NULL)
        makePicture(panels);
    for (int c = 0; c < 3; c++)
        for (int p = 0; p < SIDE * SIDE; p++)
            light[c][p] = 0.0f;
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < 3 && !(isOfGalaxies && isDark(i)); c++)
            addLight(light[c], SIDE * (0.5 + 0.5 * at[i].x / radius),
                     SIDE * (0.5 - 0.5 * at[i].y / radius),
                     amount * (isOfSecond(i) ? second[c] : first[c]));
    for (int p = 0; p < SIDE * SIDE; p++) {
        const int column = panel % IN_A_ROW * SIDE + p % SIDE;
        const int row = panel / IN_A_ROW * SIDE + p / SIDE;
        int pixel = 0;

        for (int c = 0; c < 3; c++) /* much light saturates */
            pixel = pixel << 8 | (int)(255.0f * sqrtf(1.0f - expf(-0.5f * light[c][p])));
        if (column % SIDE == SIDE - 1 || row % SIDE == SIDE - 1)
            pixel = 0x303030; /* between the panels */
        pixels[row * width + column] = pixel;
    }
}

void writePanels(const char *name)
{
    if (pixels != NULL)
        writePng(name, pixels, width, height);
}
