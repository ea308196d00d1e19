/* compare_recorded FOLDER: results recorded in a folder are compared as ./course bench --compare
 * does: each file with the folder that it stands in, and with the folder's rows in another order.
 * Every row finds itself, and no row that differs in an option. Recordings of one row agree. */
#include "compare.h"
#include "files.h"
#include "text.h"
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* how far two recordings of a row may be apart that is no brief one */
static const double oneRow = 0.10;

static int bad;

/* The rows of a file or a folder, the last one first if wanted. */
static struct results rowsOf(const char *path, int backwards)
{
    struct results r = {0};
    const char *error = resultsReadAll(&r, path);

    if (error != NULL)
        fail(EXIT_ERROR, "%s", error);
    for (size_t i = 0; backwards && i < r.count / 2; i++) {
        const struct result row = r.rows[i];

        r.rows[i] = r.rows[r.count - 1 - i];
        r.rows[r.count - 1 - i] = row;
    }
    return r;
}

static size_t timedOnDevice(const struct results *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->count; i++)
        count += resultIsOnDevice(&r->rows[i]) && resultNumber(&r->rows[i], COLUMN_median_s) > 0.0;
    return count;
}

/* Every row of the file has a partner, from which it does not differ. */
static void findsItself(const char *path, const struct reference *reference)
{
    struct results rows = rowsOf(path, 0);
    size_t count;
    struct difference *all = compareRows(&rows, reference, &count);

    if (count != timedOnDevice(&rows))
        bad += printf("%s: %zu of %zu rows compare\n", path, count, timedOnDevice(&rows));
    for (size_t i = 0; i < count; i++)
        if (all[i].relative != 0.0)
            bad +=
                printf("%s: '%s' differs from itself\n", path, all[i].here->field[COLUMN_variant]);
    free(all);
}

/* Rows that were given one more option have no partner. */
static void isAnother(const char *folder, const struct reference *reference)
{
    struct results rows = rowsOf(folder, 0);
    struct difference *all;
    size_t count;

    for (size_t i = 0; i < rows.count; i++) {
        char **parameters = &rows.rows[i].field[COLUMN_parameters];

        *parameters = formatString("%s%sseed=2", *parameters, **parameters != '\0' ? " " : "");
    }
    all = compareRows(&rows, reference, &count);
    if (count > 0)
        bad += printf("%zu rows compare with what was recorded with another option\n", count);
    free(all);
    for (size_t i = 0; i < rows.count; i++)
        free(rows.rows[i].field[COLUMN_parameters]);
}

/* Rows that the folder takes for one row were recorded as one: this finds a fact that a file's rows
 * lack. */
static void agree(const struct results *r)
{
    for (size_t i = 0; i < r->count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct result *a = &r->rows[i], *b = &r->rows[k];
            const double mine = resultNumber(a, COLUMN_median_s),
                         other = resultNumber(b, COLUMN_median_s);

            if (resultIsOnDevice(a) && fmin(mine, other) > compareBrief && resultSame(a, b) &&
                fabs(log(mine / other)) > oneRow)
                bad += printf("%s, '%s', size %s, '%s': recorded as %g and %g s\n",
                              a->field[COLUMN_exercise], a->field[COLUMN_variant],
                              a->field[COLUMN_size], a->field[COLUMN_parameters], mine, other);
        }
}

int main(int argc, char **argv)
{
    char *pattern = formatString("%s/*.csv", argc == 2 ? argv[1] : "");
    size_t files = 0;
    glob_t found;

    if (argc != 2 || glob(pattern, 0, NULL, &found) != 0)
        fail(EXIT_USAGE, "usage: compare_recorded FOLDER");
    for (int backwards = 0; backwards < 2; backwards++) {
        struct reference reference = {.rows = rowsOf(argv[1], backwards), .sameDevice = 1};

        files = 0;
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (strstr(found.gl_pathv[i], "_history_") == NULL) {
                findsItself(found.gl_pathv[i], &reference);
                files++;
            }
        isAnother(argv[1], &reference);
        agree(&reference.rows);
        printf("%zu rows of %zu files\n", timedOnDevice(&reference.rows), files);
    }
    globfree(&found);
    free(pattern);
    return bad != 0 || files == 0;
}
