/* A picture as SVG. One function draws each kind of row; without drawing, it returns the height. */
#include "draw.h"
#include "files.h"
#include "picture.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 760, LEFT = 92, BOX = 18, ROW = 24, MARGIN = 16, LEGEND = 15 };

/* Writes the number of this sign's lane into a box. */
static void laneLabel(int x, int y, char owner)
{
    static const char signs[] = LANE_SIGNS;
    const char *at = strchr(signs, owner);

    if (at != NULL)
        label(x + BOX / 2, y + 13, "s mid", "%d", (int)(at - signs));
    else
        label(x + BOX / 2, y + 13, "s mid", "%c", owner);
}

/* Draws the rows of a place from y on, if drawing; returns their height. */
static int sectorRows(const struct place_traced *p, int y, int drawing)
{
    const struct touched t = touchedBy(&p->shown, p->bytes);
    const int cell = cellOf(p->bytes), width = BOX * cell / 4;
    char *used = usedOf(&t);
    int at = 0, rows = 0;

    for (; at < t.sectors && rows < MOST_ROWS; rows++) {
        const int from = at;

        if (drawing)
            label(LEFT - 8, y + rows * ROW + 13, "s end", "sector %ld", t.sector[at]);
        do {
            const int x = LEFT + (at - from) * (8 * BOX + 4);

            for (int b = 0; drawing && b < SECTOR; b += cell) {
                const char owner = t.owner[at][b];

                box(x + b / cell * width, y + rows * ROW, width, BOX,
                    owner == NOBODY ? "waste" : "a");
                if (owner != NOBODY && width == BOX)
                    laneLabel(x + b / cell * width, y + rows * ROW, owner);
            }
            if (drawing)
                box(x, y + rows * ROW, 8 * BOX, BOX, "frame");
            at++;
        } while (at < t.sectors && at - from < 4 && t.sector[at] == t.sector[at - 1] + 1);
    }
    if (drawing)
        label(LEFT, y + rows * ROW + 10, "s", at < t.sectors ? "%s; %d sectors more" : "%s", used,
              t.sectors - at);
    return rows * ROW + 16;
}

static int bankRows(const struct place_traced *p, int y, int drawing)
{
    int lane[WARP][BANKS], rows = 0, left = 0, number = 0;

    for (int bank = 0; drawing && bank < BANKS; bank++)
        label(LEFT + bank * BOX + BOX / 2, y + 8, "s dim mid", "%d", bank);
    if (drawing)
        label(LEFT - 8, y + 8, "s dim end", "bank");
    for (unsigned part = 0, lanes; (lanes = lanesServed(&p->shown, p->bytes, (int)part)) != 0;
         part++) {
        const int passes = passesOver(&p->shown, p->bytes, lanes, lane);

        for (int pass = 0; pass < passes; pass++) {
            const int top = y + 14 + rows * ROW;

            number++;
            left += rows == MOST_ROWS;
            if (rows == MOST_ROWS)
                continue;
            rows++;
            if (!drawing)
                continue;
            label(LEFT - 8, top + 13, "s end", "pass %d", number);
            for (int bank = 0; bank < BANKS; bank++) {
                box(LEFT + bank * BOX, top, BOX, BOX, lane[pass][bank] < 0 ? "none" : "a");
                if (lane[pass][bank] >= 0)
                    label(LEFT + bank * BOX + BOX / 2, top + 13, "s mid", "%d", lane[pass][bank]);
            }
        }
    }
    if (drawing && left > 0)
        label(LEFT, y + rows * ROW + 24, "s", "%d passes more", left);
    return rows * ROW + 14 + (left > 0 ? 16 : 0);
}

static int pathRows(const struct place_traced *p, int y, int drawing)
{
    for (int i = 0; drawing && i < p->paths; i++) {
        label(LEFT - 8, y + i * ROW + 13, "s end", "path %d", i + 1);
        for (int lane = 0; lane < WARP; lane++) {
            const int isOn = (int)(p->path[i] >> lane & 1);

            box(LEFT + lane * BOX, y + i * ROW, BOX, BOX, !isOn ? "none" : i % 2 ? "b" : "a");
            if (isOn)
                label(LEFT + lane * BOX + BOX / 2, y + i * ROW + 13, "s mid", "%d", lane);
        }
    }
    return p->paths * ROW;
}

/* The same for a place as a whole. */
static int placeRows(const struct place_traced *p, const char *folder, int y, int drawing)
{
    char *title = titleOf(p), *summary = summaryOf(p), *source = sourceOf(p, folder);
    int height = source[0] != '\0' ? 62 : 44;

    if (drawing) {
        label(MARGIN, y + 13, "h", "%s", title);
        label(MARGIN, y + 31, "m", "%s", source);
        label(MARGIN, y + height - 13, "s", "%s", summary);
    }
    if (p->event == TRACE_BRANCH)
        height += pathRows(p, y + height, drawing);
    else if (p->event != TRACE_BARRIER && p->space == TRACE_SHARED)
        height += bankRows(p, y + height, drawing);
    else if (p->event != TRACE_BARRIER)
        height += sectorRows(p, y + height, drawing);
    return height + 16;
}

/* The lines that explain the signs of the places' rows, in a string that the caller frees. */
static char *legendOf(const struct place_traced *const *places, int count)
{
    struct text legend = {0};
    int hasSectors = 0, hasBanks = 0;

    for (int i = 0; i < count; i++) {
        const struct place_traced *p = places[i];
        const int isRequest = p->event != TRACE_BRANCH && p->event != TRACE_BARRIER;

        hasBanks |= isRequest && p->space == TRACE_SHARED;
        hasSectors |= isRequest && p->space != TRACE_SHARED;
    }
    appendText(&legend, "numbers: lanes\n");
    if (hasSectors)
        appendText(&legend,
                   "*: several lanes; hatched: moved, but asked for by nobody; a frame is a "
                   "sector of 32 bytes\n");
    if (hasBanks)
        appendText(&legend, "in a pass, lanes that want one word share it\n");
    return legend.data;
}

/* Draws lines of text, from y on. */
static void drawLegend(const char *lines, int y)
{
    for (; *lines != '\0'; y += LEGEND) {
        const int length = (int)strcspn(lines, "\n");

        label(MARGIN, y, "s dim", "%.*s", length, lines);
        lines += length + 1;
    }
}

void drawSvg(const struct place_traced *const *places, int count, const char *folder,
             const char *path)
{
    struct text words = {0};
    char *drawing = NULL, *title, *legend = legendOf(places, count);
    size_t size;
    FILE *file = open_memstream(&drawing, &size);
    int height = MARGIN, y = MARGIN;

    if (file == NULL)
        fail(EXIT_ERROR, "out of memory");
    for (int i = 0; i < count; i++) {
        char *name = titleOf(places[i]), *summary = summaryOf(places[i]);

        height += placeRows(places[i], folder, 0, 0);
        appendFormat(&words, "%s: %s\n", name, summary);
    }
    title = formatString("What block 0 of %s did", places[0]->kernel);
    beginDrawing(file, WIDTH, height + 8 + LEGEND * linesIn(legend), title, words.data);
    for (int i = 0; i < count; i++)
        y += placeRows(places[i], folder, y, 1);
    drawLegend(legend, y + 8);
    endDrawing();
    if (fclose(file) != 0)
        fail(EXIT_ERROR, "out of memory");
    replaceFile(path, drawing);
    printf("Drawn: %s\n", path);
}
