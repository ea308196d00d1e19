/* Students can edit deviceVariants, so it is compared with the rows of the exercise. */
#include "expected.h"
#include <stdio.h>
#include <string.h>

static struct expected_row *rows;
static size_t rowCount;

static struct expected_row *find(const char *name)
{
    for (size_t i = 0; i < rowCount; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

void harnessExpects(struct expected_row *theRows, size_t count)
{
    rows = theRows;
    rowCount = count;
}

void harnessHas(const char *name, void (*run)(void))
{
    struct expected_row *row = find(name);

    if (row == NULL || row->times++ > 0)
        return;
    row->runThere = run;
}

unsigned harnessTraitsOf(const char *name, enum place place, unsigned own)
{
    const struct expected_row *row = place == ON_DEVICE ? find(name) : NULL;

    return row != NULL ? row->traits : own;
}

const struct expected_row *expectedRows(size_t *count)
{
    *count = rowCount;
    return rows;
}

const struct expected_row *expectedRow(const char *name) { return find(name); }

/* Another row with the same function, where the solution has two; NULL: none. */
static const struct expected_row *sharerOf(const struct expected_row *row)
{
    for (size_t i = 0; i < rowCount; i++)
        if (rows[i].times > 0 && rows[i].runThere == row->runThere &&
            strcmp(rows[i].run, row->run) != 0)
            return &rows[i];
    return NULL;
}

int expectedDiffers(const struct expected_row *row, char *text, size_t size)
{
    const struct expected_row *sharer = sharerOf(row);

    if (row->times == 0)
        snprintf(text, size, "deviceVariants lacks this row: {\"%s\", %s}", row->name, row->run);
    else if (row->times > 1)
        snprintf(text, size, "deviceVariants has this row %zu times", row->times);
    else if (sharer != NULL)
        snprintf(text, size,
                 "deviceVariants has the same function in the row '%s'; here it should be %s",
                 sharer->name, row->run);
    else
        return 0;
    return 1;
}
