#include "trace.h"
#include "columns.h"
#include "files.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 12 };
static const char header[] =
    "kernel,file,line,column,warp,event,space,bytes,lanes,units,object,addresses";

/* The position of a word in a list that ends with NULL; -1 if it is not there. */
static int oneOf(const char *word, const char *const *list)
{
    for (int i = 0; list[i] != NULL; i++)
        if (isSame(word, list[i]))
            return i;
    return -1;
}

const char *const traceEvents[] = {"load", "store", "atomic", "branch", "barrier", NULL};
const char *const traceSpaces[] = {"global", "shared", "constant", NULL};

int eventNamed(const char *name) { return oneOf(name, traceEvents); }

/* The place that a row belongs to; a new one if it is the first of its kind. */
static struct place_traced *placeOf(struct trace *t, char *const field[FIELDS], int event)
{
    struct place_traced *p;
    const int line = atoi(field[2]), column = atoi(field[3]);

    for (size_t i = t->count; i-- > 0;) {
        p = &t->place[i];
        if (p->line == line && p->column == column && (int)p->event == event &&
            isSame(p->kernel, field[0]) && isSame(p->file, field[1]) &&
            isSame(p->object, field[10]))
            return p;
    }
    t->place = mustAllocate(t->place, (t->count + 1) * sizeof *t->place);
    p = &t->place[t->count++];
    *p = (struct place_traced){.kernel = field[0],
                               .file = field[1],
                               .object = field[10],
                               .line = line,
                               .column = column,
                               .event = (enum trace_event)event};
    return p;
}

int lanesOf(unsigned lanes) { return __builtin_popcount(lanes); }

/* Adds a request of memory. Returns 0 if the row makes no sense. */
static int addRequest(struct place_traced *p, char *const field[FIELDS])
{
    struct request_drawn r = {.lanes = (unsigned)strtoul(field[8], NULL, 16),
                              .units = atoi(field[9]),
                              .warp = atoi(field[4])};
    const int space = oneOf(field[6], traceSpaces), isFirst = p->requests == 0;
    char *rest = field[11], *end;
    int lanes;

    for (int lane = 0; lane < WARP; lane++)
        if (r.lanes >> lane & 1) {
            r.address[lane] = strtol(rest, &end, 10);
            if (end == rest || r.address[lane] < 0)
                return 0;
            rest = end;
        }
    p->bytes = atoi(field[7]);
    if (space < 0 || p->bytes < 1 || p->bytes > 16 || r.lanes == 0 || *rest != '\0')
        return 0;
    p->space = (enum trace_space)space;
    p->requests++;
    p->units += r.units;
    p->worst = isFirst || r.units > p->worst ? r.units : p->worst;
    p->best = isFirst || r.units < p->best ? r.units : p->best;
    lanes = lanesOf(r.lanes) - lanesOf(p->shown.lanes);
    if (lanes > 0 || (lanes == 0 && r.units > p->shown.units))
        p->shown = r;
    return 1;
}

/* Adds one of the paths of a warp that divides, or a warp that waited at a barrier. */
static void addLanes(struct place_traced *p, char *const field[FIELDS])
{
    const unsigned lanes = (unsigned)strtoul(field[8], NULL, 16);
    const int warp = atoi(field[4]);
    unsigned known = 0;

    if (p->event == TRACE_BARRIER) {
        const unsigned bit = 1u << warp % MOST_WARPS;

        p->requests += (p->warps & bit) != 0 || p->warps == 0; /* about: a warp comes again */
        p->warps |= bit;
        return;
    }
    p->requests++;
    if (p->paths == 0)
        p->pathWarp = warp;
    for (int i = 0; i < p->paths; i++)
        known |= p->path[i];
    if (warp == p->pathWarp && p->paths < MOST_PATHS && (known & lanes) == 0)
        p->path[p->paths++] = lanes;
}

struct trace traceRead(const char *path)
{
    struct trace t = {0};
    char *text = readFile(path), *next, *field[FIELDS];
    const size_t length = strlen(header);
    const int isWhole = strlen(text) > length && text[strlen(text) - 1] == '\n';
    int found;

    if (strncmp(text, header, length) != 0 || text[length] != '\n')
        fail(EXIT_USAGE, "%s is not a trace, which CUDA_EMULATED_TRACE=FILE makes", path);
    next = text + length + 1;
    for (long number = 2; next != NULL && *next != '\0'; number++) {
        struct place_traced *p = NULL;
        int event = -1;

        next = csvRecord(next, field, FIELDS, &found);
        if (found == FIELDS && isWhole)
            event = eventNamed(field[5]);
        if (event >= 0)
            p = placeOf(&t, field, event);
        if (p == NULL || (event <= TRACE_ATOMIC && !addRequest(p, field)))
            fail(EXIT_ERROR, "%s:%ld: this line is no part of a trace; is the file whole?", path,
                 number);
        if (event > TRACE_ATOMIC)
            addLanes(p, field);
    }
    return t;
}

unsigned lanesServed(const struct request_drawn *r, int bytes, int part)
{
    const int together = bytes <= 4 ? WARP : bytes <= 8 ? WARP / 2 : WARP / 4;
    unsigned served = 0;
    int position = 0;

    for (int lane = 0; lane < WARP; lane++)
        if (r->lanes >> lane & 1)
            served |= (unsigned)(position++ / together == part) << lane;
    return served;
}

int passesOver(const struct request_drawn *r, int bytes, unsigned lanes, int lane[WARP][BANKS])
{
    long word[WARP][BANKS];
    int used[BANKS] = {0}, passes = 0;

    for (int l = 0; l < WARP; l++)
        for (int w = 0; (lanes >> l & 1) && w < (bytes + 3) / 4; w++) {
            const long wanted = r->address[l] / 4 + w;
            const int bank = (int)(wanted % BANKS);
            int pass = 0;

            while (pass < used[bank] && word[pass][bank] != wanted)
                pass++;
            if (pass < used[bank] || pass == WARP)
                continue; /* the word is on its way to another lane already */
            word[pass][bank] = wanted;
            lane[pass][bank] = l;
            used[bank]++;
            passes = used[bank] > passes ? used[bank] : passes;
        }
    for (int bank = 0; bank < BANKS; bank++)
        for (int pass = used[bank]; pass < passes; pass++)
            lane[pass][bank] = -1;
    return passes;
}
