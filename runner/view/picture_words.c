#include "files.h"
#include "picture.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

/* ---- what a request touches ------------------------------------------------------------------ */

/* The bytes of a request, sector by sector. */
struct touched {
    long sector[2 * WARP];        /* ascending */
    char owner[2 * WARP][SECTOR]; /* of each byte: a sign */
    int sectors, used;            /* used: bytes that somebody asked for */
};

/* The owners of the bytes of a sector, which is made if it is not there. */
static char *ownersIn(struct touched *t, long sector)
{
    int at = 0;

    while (at < t->sectors && t->sector[at] < sector)
        at++;
    if (at == t->sectors || t->sector[at] != sector) {
        const size_t behind = (size_t)(t->sectors++ - at);

        memmove(&t->sector[at + 1], &t->sector[at], behind * sizeof *t->sector);
        memmove(t->owner[at + 1], t->owner[at], behind * SECTOR);
        t->sector[at] = sector;
        memset(t->owner[at], NOBODY, SECTOR);
    }
    return t->owner[at];
}

static struct touched touchedBy(const struct request_drawn *r, int bytes)
{
    struct touched t = {.sectors = 0};

    for (int lane = 0; lane < WARP; lane++)
        for (int b = 0; (r->lanes >> lane & 1) && b < bytes; b++) {
            const long address = r->address[lane] + b;
            char *owner = &ownersIn(&t, address / SECTOR)[address % SECTOR];

            t.used += *owner == NOBODY;
            *owner = *owner == NOBODY || *owner == LANE_SIGNS[lane] ? LANE_SIGNS[lane] : SEVERAL;
        }
    return t;
}

static char *usedOf(const struct touched *t)
{
    const int enough = (t->used + SECTOR - 1) / SECTOR;

    if (enough == t->sectors)
        return formatString("%d of %d bytes used: as few sectors as possible", t->used,
                            t->sectors * SECTOR);
    return formatString("%d of %d bytes used; in order and aligned, %d sector%s would do", t->used,
                        t->sectors * SECTOR, enough, enough == 1 ? "" : "s");
}

/* ---- rows of signs --------------------------------------------------------------------------- */

static void addSectors(struct rows *r, const struct place_traced *p, int across)
{
    const struct touched t = touchedBy(&p->shown, p->bytes);
    int at = 0;

    for (; at < t.sectors && r->count < MOST_ROWS; r->count++) {
        char *sign = r->row[r->count].sign;
        const int from = at;

        r->row[r->count].number = t.sector[at];
        do {
            for (int b = 0; b < SECTOR; b += r->cell)
                *sign++ = t.owner[at][b];
            at++;
        } while (at < t.sectors && at - from < across && t.sector[at] == t.sector[at - 1] + 1);
    }
    r->left = t.sectors - at;
    r->units = t.sectors;
    r->used = usedOf(&t);
}

static void addPasses(struct rows *r, const struct place_traced *p)
{
    int lane[WARP][BANKS];
    unsigned lanes;

    for (int part = 0; (lanes = lanesServed(&p->shown, p->bytes, part)) != 0; part++) {
        const int passes = passesOver(&p->shown, p->bytes, lanes, lane);

        for (int pass = 0; pass < passes; pass++) {
            r->units++;
            if (r->count == MOST_ROWS)
                continue;
            r->row[r->count].number = r->units;
            for (int bank = 0; bank < BANKS; bank++)
                r->row[r->count].sign[bank] =
                    (char)(lane[pass][bank] < 0 ? NOBODY : LANE_SIGNS[lane[pass][bank]]);
            r->count++;
        }
    }
    r->left = r->units - r->count;
}

struct rows rowsOf(const struct place_traced *p, int across)
{
    struct rows r = {.kind = p->event == TRACE_BRANCH    ? PATHS
                             : p->event == TRACE_BARRIER ? NO_ROWS
                             : p->space == TRACE_SHARED  ? PASSES
                                                         : SECTORS,
                     .cell = p->bytes < 4 ? p->bytes : 4};

    r.cells = r.kind == SECTORS ? SECTOR / r.cell : WARP;
    if (r.kind == SECTORS)
        addSectors(&r, p, across > 0 ? across : (72 - 10) / (r.cells + 1));
    else if (r.kind == PASSES)
        addPasses(&r, p);
    for (; r.kind == PATHS && r.count < p->paths; r.count++) {
        r.row[r.count].number = r.count + 1;
        for (int lane = 0; lane < WARP; lane++)
            r.row[r.count].sign[lane] =
                (char)(p->path[r.count] >> lane & 1 ? LANE_SIGNS[lane] : NOBODY);
    }
    return r;
}

/* ---- the words beside a picture -------------------------------------------------------------- */

char *titleOf(const struct place_traced *p)
{
    const int object = (int)strcspn(p->object, ","); /* without where its memory was allocated */
    const char *place = formatString("%s:%d", p->file, p->line), *event = traceEvents[p->event];

    if (p->column > 0)
        place = formatString("%s:%d", place, p->column);
    if (p->event == TRACE_BRANCH || p->event == TRACE_BARRIER)
        return formatString("%s  %s in %s", place, event, p->kernel);
    return formatString("%s  %s %.*s in %s, %d byte%s a lane", place, event, object, p->object,
                        p->kernel, p->bytes, p->bytes == 1 ? "" : "s");
}

/* "8 global requests, 4 sectors each; shown: warp 3, 32 lanes" */
static char *requestsOf(const struct place_traced *p)
{
    static const char *const units[][2] = {{"sector", "sectors"}, {"pass", "passes"}};
    const char *const *unit = units[p->space == TRACE_SHARED];
    struct text t = {0};

    appendFormat(&t, "%ld %s request%s, ", p->requests, traceSpaces[p->space],
                 p->requests == 1 ? "" : "s");
    if (p->space == TRACE_CONSTANT)
        appendText(&t, "one address at a time");
    else if (p->best == p->worst)
        appendFormat(&t, "%d %s%s", p->worst, unit[p->worst != 1], p->requests == 1 ? "" : " each");
    else
        appendFormat(&t, "%d to %d %s (mean %.1f)", p->best, p->worst, unit[1],
                     p->units / (double)p->requests);
    appendFormat(&t, "; shown: warp %d, %d lane%s", p->shown.warp, lanesOf(p->shown.lanes),
                 lanesOf(p->shown.lanes) == 1 ? "" : "s");
    return t.data;
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
    return p->event == TRACE_BARRIER ? waitersOf(p)
           : p->event == TRACE_BRANCH
               ? formatString("warp %d divides: %d paths, one after the other", p->pathWarp,
                              p->paths)
               : requestsOf(p);
}

char *sourceOf(const struct place_traced *p, const char *folder)
{
    const char *line = readFileIfThere(formatString("%s/%s", folder, p->file));

    if (line == NULL)
        line = readFileIfThere(formatString("%s/advanced/%s", folder, p->file));
    for (int n = 1; line != NULL && n < p->line; n++)
        line = nextLine(line);
    if (line == NULL)
        return formatString("%s", "");
    line += strspn(line, " \t");
    return formatString("%.*s", (int)strcspn(line, "\r\n"), line);
}
