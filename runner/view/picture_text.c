/* A picture for the terminal: 80 columns, a sign for each word. */
#include "picture.h"
#include "terminal.h"
#include <stdio.h>
#include <stdlib.h>

static void textOfSectors(const struct place_traced *p)
{
    const struct touched t = touchedBy(&p->shown, p->bytes);
    const int cell = cellOf(p->bytes), cells = SECTOR / cell;
    const int across = (72 - 10) / (cells + 1) > 0 ? (72 - 10) / (cells + 1) : 1;
    char *used = usedOf(&t);
    int lines = 0, at = 0;

    for (; at < t.sectors && lines < MOST_ROWS; lines++) {
        const int from = at;

        printf("  %8ld |", t.sector[at]);
        do {
            for (int b = 0; b < SECTOR; b += cell)
                putchar(t.owner[at][b]);
            putchar('|');
            at++;
        } while (at < t.sectors && at - from < across && t.sector[at] == t.sector[at - 1] + 1);
        putchar('\n');
    }
    if (at < t.sectors)
        printf("  and %d more sectors\n", t.sectors - at);
    if (p->space == TRACE_GLOBAL && t.sectors != p->shown.units)
        printf("  the device counted %d\n", p->shown.units); /* never: a test looks for it */
    printf("  %s\n", used);
}

static void textOfBanks(const struct place_traced *p)
{
    int lane[WARP][BANKS], lines = 0, left = 0, number = 0;

    printf("  bank     0         1         2         3\n           "
           "01234567890123456789012345678901\n");
    for (unsigned part = 0, lanes; (lanes = lanesServed(&p->shown, p->bytes, (int)part)) != 0;
         part++) {
        const int passes = passesOver(&p->shown, p->bytes, lanes, lane);

        for (int pass = 0; pass < passes; pass++) {
            number++;
            if (lines == MOST_ROWS) {
                left++;
                continue;
            }
            printf("  pass %2d  ", number);
            for (int bank = 0; bank < BANKS; bank++)
                putchar(lane[pass][bank] < 0 ? NOBODY : LANE_SIGNS[lane[pass][bank]]);
            putchar('\n');
            lines++;
        }
    }
    if (left > 0)
        printf("  and %d more passes\n", left);
    if (number != p->shown.units)
        printf("  the device counted %d\n", p->shown.units);
}

static void textOfPaths(const struct place_traced *p)
{
    for (int i = 0; i < p->paths; i++) {
        printf("  path %d   ", i + 1);
        for (int lane = 0; lane < WARP; lane++)
            putchar(p->path[i] >> lane & 1 ? LANE_SIGNS[lane] : NOBODY);
        putchar('\n');
    }
}

static void textOfPlace(const struct place_traced *p, const char *folder)
{
    char *title = titleOf(p), *more = summaryOf(p), *source = sourceOf(p, folder);

    printf("%s%s%s\n", colour("\033[1m"), title, colour("\033[0m"));
    if (source[0] != '\0')
        printf("  %.*s\n", terminalWidth() - 4, source);
    printf("  %s\n", more);
    if (p->event == TRACE_BRANCH)
        textOfPaths(p);
    else if (p->event != TRACE_BARRIER && p->space == TRACE_SHARED)
        textOfBanks(p);
    else if (p->event != TRACE_BARRIER)
        textOfSectors(p);
    putchar('\n');
}

void drawText(const struct place_traced *const *places, int count, const char *folder)
{
    for (int i = 0; i < count; i++)
        textOfPlace(places[i], folder);
    printf("Each sign is a word and the lane that asked for it: 0 to 9, then a to v.\n"
           "  *  more than one lane     .  moved, but asked for by nobody\n"
           "In a pass, lanes that want the same word share it; the first of them is shown.\n");
}
