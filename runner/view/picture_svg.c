/* A picture as SVG. */
#include "draw.h"
#include "files.h"
#include "picture.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

enum { WIDTH = 760, LEFT = 92, BOX = 18, ROW = 24, MARGIN = 16, LEGEND = 15 };

enum { ACROSS = 4 }; /* sectors in a row */

/* A box for a sign, with the number of its lane if there is room. */
static void drawSign(int x, int y, int width, char sign, const char *kind)
{
    const char *lane = strchr(LANE_SIGNS, sign);

    box(x, y, width, BOX, kind);
    if (sign == NOBODY || width != BOX)
        return;
    if (lane != NULL)
        label(x + BOX / 2, y + 13, "s mid", "%d", (int)(strlen(LANE_SIGNS) - strlen(lane)));
    else
        label(x + BOX / 2, y + 13, "s mid", "%c", sign);
}

static void drawRow(const struct rows *r, int row, int y)
{
    static const char *const labels[] = {"sector %ld", "pass %ld", "path %ld"};
    const char *on = r->kind == PATHS && row % 2 ? "b" : "a";
    const char *off = r->kind == SECTORS ? "waste" : "none";
    const int width = r->kind == SECTORS ? BOX * r->cell / 4 : BOX;

    label(LEFT - 8, y + 13, "s end", labels[r->kind], r->row[row].number);
    for (int i = 0; r->row[row].sign[i] != '\0'; i++) {
        const char sign = r->row[row].sign[i];
        const int sector = i / r->cells;

        drawSign(LEFT + i * width + sector * 4, y, width, sign, sign == NOBODY ? off : on);
        if (r->kind == SECTORS && (i + 1) % r->cells == 0)
            box(LEFT + sector * (8 * BOX + 4), y, 8 * BOX, BOX, "frame");
    }
}

/* Draws a place from y on. Returns where the next one begins. */
static int drawPlace(const struct place_traced *p, const struct rows *r, const char *source, int y)
{
    label(MARGIN, y + 13, "h", "%s", titleOf(p));
    label(MARGIN, y + 31, "m", "%s", source);
    y += source[0] != '\0' ? 62 : 44;
    label(MARGIN, y - 13, "s", "%s", summaryOf(p));
    if (r->kind == PASSES) {
        for (int bank = 0; bank < BANKS; bank++)
            label(LEFT + bank * BOX + BOX / 2, y + 8, "s dim mid", "%d", bank);
        label(LEFT - 8, y + 8, "s dim end", "bank");
        y += 14;
    }
    for (int i = 0; i < r->count; i++, y += ROW)
        drawRow(r, i, y);
    if (r->kind == SECTORS)
        label(LEFT, y + 10, "s", r->left > 0 ? "%s; %d sectors more" : "%s", r->used, r->left);
    else if (r->left > 0)
        label(LEFT, y + 10, "s", "%d passes more", r->left);
    return y + (r->kind == SECTORS || r->left > 0 ? 32 : 16);
}

/* The picture, with this height. Returns the height that it needs. */
static int drawAll(const struct place_traced *const *places, int count, const char *folder,
                   const char *words, int height, char **drawing)
{
    size_t size;
    FILE *file = open_memstream(drawing, &size);
    int y = MARGIN, shown[NO_ROWS + 1] = {0};

    if (file == NULL)
        fail(EXIT_ERROR, "out of memory");
    beginDrawing(file, WIDTH, height, formatString("What block 0 of %s did", places[0]->kernel),
                 words);
    for (int i = 0; i < count; i++) {
        const struct rows rows = rowsOf(places[i], ACROSS);

        y = drawPlace(places[i], &rows, sourceOf(places[i], folder), y);
        shown[rows.kind] = 1;
    }
    y += 8;
    label(MARGIN, y, "s dim", "numbers: lanes");
    if (shown[SECTORS])
        label(
            MARGIN, y += LEGEND, "s dim",
            "*: several lanes; hatched: moved, but asked for by nobody; a frame is a sector of 32 "
            "bytes");
    if (shown[PASSES])
        label(MARGIN, y += LEGEND, "s dim", "in a pass, lanes that want one word share it");
    endDrawing();
    if (fclose(file) != 0)
        fail(EXIT_ERROR, "out of memory");
    return y + LEGEND;
}

void drawSvg(const struct place_traced *const *places, int count, const char *folder,
             const char *path)
{
    struct text words = {0};
    char *drawing = NULL;
    int height = 0;

    for (int i = 0; i < count; i++)
        appendFormat(&words, "%s: %s\n", titleOf(places[i]), summaryOf(places[i]));
    for (int i = 0; i < 2; i++) /* the first one shows the height */
        height = drawAll(places, count, folder, words.data, height, &drawing);
    replaceFile(path, drawing);
    printf("Drawn: %s\n", path);
}
