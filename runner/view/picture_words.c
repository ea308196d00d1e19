#include "files.h"
#include "picture.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a request touches ------------------------------------------------------------------ */

static int sectorIndex(struct touched *t, long sector)
{
    int at = t->sectors;

    for (int i = 0; i < t->sectors; i++)
        if (t->sector[i] == sector)
            return i;
    for (; at > 0 && t->sector[at - 1] > sector; at--) {
        t->sector[at] = t->sector[at - 1];
        memcpy(t->owner[at], t->owner[at - 1], SECTOR);
    }
    t->sector[at] = sector;
    memset(t->owner[at], NOBODY, SECTOR);
    t->sectors++;
    return at;
}

struct touched touchedBy(const struct request_drawn *r, int bytes)
{
    struct touched t = {.sectors = 0};

    for (int lane = 0; lane < WARP; lane++)
        for (int b = 0; (r->lanes >> lane & 1) && b < bytes; b++) {
            const long address = r->address[lane] + b;
            char *owner = &t.owner[sectorIndex(&t, address / SECTOR)][address % SECTOR];

            t.used += *owner == NOBODY;
            *owner = *owner == NOBODY || *owner == LANE_SIGNS[lane] ? LANE_SIGNS[lane] : SEVERAL;
        }
    return t;
}

int cellOf(int bytes) { return bytes < 4 ? bytes : 4; }

/* ---- the words beside a picture -------------------------------------------------------------- */

static const char *const eventWord[] = {"load", "store", "atomic", "branch", "barrier"};
static const char *const spaceWord[] = {"global", "shared", "constant"};

int eventNamed(const char *name)
{
    for (int i = 0; i < (int)(sizeof eventWord / sizeof *eventWord); i++)
        if (isSame(eventWord[i], name))
            return i;
    return -1;
}

char *titleOf(const struct place_traced *p)
{
    const int object = (int)strcspn(p->object, ","); /* without where its memory was allocated */
    char column[16] = "";

    if (p->column > 0)
        snprintf(column, sizeof column, ":%d", p->column);
    if (p->event == TRACE_BRANCH || p->event == TRACE_BARRIER)
        return formatString("%s:%d%s  %s in %s", p->file, p->line, column, eventWord[p->event],
                            p->kernel);
    return formatString("%s:%d%s  %s %.*s in %s, %d byte%s a lane", p->file, p->line, column,
                        eventWord[p->event], object, p->object, p->kernel, p->bytes,
                        p->bytes == 1 ? "" : "s");
}

/* "8 global requests, 4 sectors each; shown: warp 3, 32 lanes" */
static char *requestsOf(const struct place_traced *p)
{
    static const char *const units[][2] = {{"sector", "sectors"}, {"pass", "passes"}};
    const char *const *unit = units[p->space == TRACE_SHARED];
    struct text t = {0};

    appendFormat(&t, "%ld %s request%s, ", p->requests, spaceWord[p->space],
                 p->requests == 1 ? "" : "s");
    if (p->space == TRACE_CONSTANT)
        appendText(&t, "one address at a time");
    else if (p->best == p->worst)
        appendFormat(&t, "%d %s each", p->worst, unit[p->worst != 1]);
    else
        appendFormat(&t, "%d to %d %s (mean %.1f)", p->best, p->worst, unit[1],
                     p->units / (double)p->requests);
    appendFormat(&t, "; shown: warp %d, %d lane%s", p->shown.warp, lanesOf(p->shown.lanes),
                 lanesOf(p->shown.lanes) == 1 ? "" : "s");
    return t.data;
}

char *usedOf(const struct touched *t)
{
    const int enough = (t->used + SECTOR - 1) / SECTOR;

    if (enough == t->sectors)
        return formatString("%d of %d bytes used: as few sectors as possible", t->used,
                            t->sectors * SECTOR);
    return formatString("%d of %d bytes used; in order and aligned, %d sector%s would do", t->used,
                        t->sectors * SECTOR, enough, enough == 1 ? "" : "s");
}

static char *pathsOf(const struct place_traced *p)
{
    return formatString("warp %d divides: %d paths, one after the other", p->pathWarp, p->paths);
}

static char *waitersOf(const struct place_traced *p)
{
    struct text t = {0};
    int last = MOST_WARPS - 1;

    while (last > 0 && !(p->warps >> last & 1))
        last--;
    if (last > 0 && p->warps == ~0u >> (MOST_WARPS - 1 - last)) {
        appendFormat(&t, "waited for each other: warps 0 to %d, all of the block's", last);
        return t.data;
    }
    appendText(&t, "waited: warp");
    for (int warp = 0; warp <= last; warp++)
        if (p->warps >> warp & 1)
            appendFormat(&t, " %d", warp);
    return t.data;
}

char *summaryOf(const struct place_traced *p)
{
    return p->event == TRACE_BARRIER  ? waitersOf(p)
           : p->event == TRACE_BRANCH ? pathsOf(p)
                                      : requestsOf(p);
}

char *sourceOf(const struct place_traced *p, const char *folder)
{
    static const char *const inside[] = {"", "advanced/"};
    char *text = NULL, *found;
    const char *line;

    for (int i = 0; i < 2 && text == NULL; i++) {
        char *path = formatString("%s/%s%s", folder, inside[i], p->file);

        text = readFileIfThere(path);
    }
    line = text;
    for (int n = 1; line != NULL && n < p->line; n++)
        line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL;
    if (line != NULL)
        line += strspn(line, " \t");
    found = formatString("%.*s", line != NULL ? (int)strcspn(line, "\r\n") : 0,
                         line != NULL ? line : "");
    return found;
}
