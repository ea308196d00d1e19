/* A picture for the terminal: 80 columns, a sign for each word. */
#include "picture.h"
#include "terminal.h"
#include <stdio.h>

static void textOfRows(const struct place_traced *p)
{
    static const char *const labels[] = {"  %8ld |", "  pass %2ld  ", "  path %ld   "};
    const struct rows r = rowsOf(p, 0);

    if (r.kind == PASSES)
        printf("  bank     0         1         2         3\n           "
               "01234567890123456789012345678901\n");
    for (int i = 0; i < r.count; i++) {
        printf(labels[r.kind], r.row[i].number);
        for (const char *sign = r.row[i].sign; *sign != '\0'; sign += r.cells)
            printf("%.*s%s", r.cells, sign, r.kind == SECTORS ? "|" : "");
        putchar('\n');
    }
    if (r.left > 0)
        printf("  and %d more %s\n", r.left, r.kind == SECTORS ? "sectors" : "passes");
    if ((r.kind == PASSES || p->space == TRACE_GLOBAL) && r.units != p->shown.units)
        printf("  the device counted %d\n", p->shown.units); /* never: a test looks for it */
    if (r.kind == SECTORS)
        printf("  %s\n", r.used);
}

static void textOfPlace(const struct place_traced *p, const char *folder)
{
    const char *source = sourceOf(p, folder);

    printf("%s%s%s\n", colour("\033[1m"), titleOf(p), colour("\033[0m"));
    if (source[0] != '\0')
        printf("  %.*s\n", terminalWidth() - 4, source);
    printf("  %s\n", summaryOf(p));
    textOfRows(p);
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
