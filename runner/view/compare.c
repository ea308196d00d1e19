/* Results against recorded ones. The fraction of the limit can be compared between machines. A row
 * without one is compared by its time, with the same model of device only. */
#include "compare.h"
#include "files.h"
#include "terminal.h"
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct table_head compareHeads[COMPARE_HEADS] = {
    {"recorded", "recorded", 11, 11, "\"of limit\" of the recorded row, or its time"},
    {"here", "here", 11, 11, "the same, measured now"},
    {"difference", "difference", 11, 11, "by how much faster (+) or slower (-)"},
};

const double compareTolerance = 0.05;
const double compareBrief = 20e-6;

enum { MANY = 100 }; /* with more rows, only those that differ are printed */

/* The file or folder that a name stands for; NULL if there is none. */
static char *placeOf(const char *which)
{
    char *path = formatString("%s", which);

    if (!exists(path) && strchr(which, '/') == NULL)
        path = formatString("%s/solutions/timings/%s", sourceFolder(), which);
    return exists(path) ? path : NULL;
}

/* The folders of recorded results. */
static glob_t recordedFolders(void)
{
    glob_t found = matching(formatString("%s/solutions/timings/*/", sourceFolder()));

    for (size_t i = 0; i < found.gl_pathc; i++) /* without the last slash */
        found.gl_pathv[i][strlen(found.gl_pathv[i]) - 1] = '\0';
    return found;
}

void compareMustFind(const char *which)
{
    const char *path = which != NULL ? placeOf(which) : NULL, *why;
    const glob_t found = recordedFolders();
    struct results rows = {0};
    struct text names = {0};

    if (path != NULL && (why = resultsReadAll(&rows, path)) != NULL)
        fail(EXIT_ERROR, "--compare: %s", why);
    if (which == NULL || path != NULL)
        return;
    appendText(&names, "");
    for (size_t i = 0; i < found.gl_pathc; i++)
        appendFormat(&names, "%s%s", i > 0 ? ", " : "", strrchr(found.gl_pathv[i], '/') + 1);
    fail(EXIT_USAGE, "--compare %s: there is no such file or folder; recorded are: %s", which,
         names.data);
}

/* The first row that was timed on a device, with its copy rate; NULL if there is none. */
static const struct result *deviceRow(const struct results *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (resultIsOnDevice(&r->rows[i]) && resultNumber(&r->rows[i], COLUMN_median_s) > 0.0 &&
            resultNumber(&r->rows[i], COLUMN_limit_bytes_per_s) > 0.0)
            return &r->rows[i];
    return NULL;
}

/* How far apart two devices are: 0 for the same model, otherwise by their copy rates. */
static double distance(const struct result *a, const struct result *b)
{
    if (isSame(a->field[COLUMN_device], b->field[COLUMN_device]))
        return 0.0;
    return 1e-9 + fabs(log(resultNumber(a, COLUMN_limit_bytes_per_s) /
                           resultNumber(b, COLUMN_limit_bytes_per_s)));
}

/* The folder of the nearest recorded device; NULL if none is recorded. */
static const char *nearest(const struct result *mine)
{
    const glob_t found = recordedFolders();
    const char *best = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct results r = {0};
        const struct result *theirs;

        if (resultsReadAll(&r, found.gl_pathv[i]) == NULL && (theirs = deviceRow(&r)) != NULL &&
            distance(mine, theirs) < least) {
            least = distance(mine, theirs);
            best = found.gl_pathv[i];
        }
    }
    return best;
}

/* The path without the course's folder before it, at most 100 bytes of it. */
static char *shortPath(const char *path)
{
    const char *folder = formatString("%s/", sourceFolder());

    return formatString("%.100s", path + (startsWith(path, folder) ? strlen(folder) : 0));
}

const char *referenceRead(struct reference *reference, const char *which,
                          const struct results *here)
{
    const struct result *mine = deviceRow(here), *theirs;
    const char *path, *why;

    *reference = (struct reference){0};
    if (mine == NULL)
        return "there are no times of a GPU to compare";
    path = which != NULL ? placeOf(which) : nearest(mine);
    if (path == NULL)
        return "nothing is recorded to compare with";
    if ((why = resultsReadAll(&reference->rows, path)) != NULL)
        return why;
    theirs = deviceRow(&reference->rows);
    if (theirs == NULL)
        return formatString("%s holds no times of a GPU", path);
    reference->sameDevice = isSame(mine->field[COLUMN_device], theirs->field[COLUMN_device]);
    reference->title = formatString("%s (%s)", theirs->field[COLUMN_device], shortPath(path));
    if (!reference->sameDevice)
        reference->title = formatString(
            "%s, which copies %.0f GB/s; this is %s, which copies %.0f GB/s", reference->title,
            resultNumber(theirs, COLUMN_limit_bytes_per_s) * 1e-9, mine->field[COLUMN_device],
            resultNumber(mine, COLUMN_limit_bytes_per_s) * 1e-9);
    return NULL;
}

/* Compares a row with a recorded one of the same identity; returns 0 if they have nothing to
 * compare. */
static int differenceOf(struct difference *d, int sameDevice)
{
    const double here = resultNumber(d->here, COLUMN_fraction);
    const double recorded = resultNumber(d->recorded, COLUMN_fraction);
    const double seconds = resultNumber(d->here, COLUMN_median_s);
    const double recordedSeconds = resultNumber(d->recorded, COLUMN_median_s);

    if (here > 0.0 && recorded > 0.0) {
        d->byTime = 0;
        d->relative = here / recorded - 1.0;
    } else if (sameDevice && seconds > 0.0 && recordedSeconds > 0.0) {
        d->byTime = 1;
        d->relative = recordedSeconds / seconds - 1.0;
    } else {
        return 0;
    }
    d->brief = fmin(seconds, recordedSeconds) <
               compareBrief * fmax(1.0, resultCounter(d->here, "launches"));
    d->slow = !d->brief && d->relative < -compareTolerance;
    return 1;
}

/* The row beside its recorded counterpart: of several, the nearest, so that a row is slow only if
 * it is slower than each of them. Without one, .recorded is NULL. */
static struct difference differenceWith(const struct result *here,
                                        const struct reference *reference)
{
    struct difference nearest = {.here = here};

    for (size_t i = 0; i < reference->rows.count; i++) {
        struct difference d = {.here = here, .recorded = &reference->rows.rows[i]};

        if (resultSame(here, d.recorded) && isSame(d.recorded->field[COLUMN_verdict], "PASS") &&
            differenceOf(&d, reference->sameDevice) &&
            (nearest.recorded == NULL || fabs(d.relative) < fabs(nearest.relative)))
            nearest = d;
    }
    return nearest;
}

struct difference *compareRows(const struct results *here, const struct reference *reference,
                               size_t *count)
{
    struct difference *all = mustAllocate(NULL, (here->count + 1) * sizeof *all);

    *count = 0;
    for (size_t i = 0; i < here->count; i++) {
        const struct result *row = &here->rows[i];

        if (!resultIsOnDevice(row) || !isSame(row->field[COLUMN_verdict], "PASS"))
            continue;
        all[*count] = differenceWith(row, reference);
        *count += all[*count].recorded != NULL;
    }
    return all;
}

int compareDiffers(const struct difference *d)
{
    return !d->brief && fabs(d->relative) > compareTolerance;
}

char *compareValue(const struct result *row, int byTime)
{
    const double fraction = resultNumber(row, COLUMN_fraction);

    return byTime ? textOfSeconds(resultNumber(row, COLUMN_median_s), "us")
                  : formatString(fraction < 0.01 ? "%.2g" : "%.3f", fraction);
}

static void printDifference(const struct difference *d)
{
    const char *parameters = d->here->field[COLUMN_parameters];
    const char *name =
        formatString("%.4s  %s%s%s", d->here->field[COLUMN_exercise],
                     d->here->field[COLUMN_variant], parameters[0] != '\0' ? "  " : "", parameters);

    printf("%-52s", name);
    if (strlen(name) > 51)
        printf("\n%52s", "");
    printf("%s%11s %11s  %+6.1f %%%s%s\n", d->slow ? colour("\033[31m") : "",
           compareValue(d->recorded, d->byTime), compareValue(d->here, d->byTime),
           100.0 * d->relative, d->slow ? "  slower" : "", d->slow ? colour("\033[0m") : "");
}

/* Prints the rows and a summary. Returns an exit code. */
static int printAll(const struct results *here, const struct difference *all, size_t count)
{
    size_t slow = 0, timed = 0, brief = 0, slowBrief = 0;

    printf("%-51s", "of limit, or time");
    for (int i = 0; i < COMPARE_HEADS; i++)
        printf(" %*s", compareHeads[i].wideWidth, compareHeads[i].wide);
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        slow += (size_t)all[i].slow;
        brief += (size_t)all[i].brief;
        slowBrief += all[i].brief && all[i].relative < -compareTolerance;
        if (count <= MANY || compareDiffers(&all[i]))
            printDifference(&all[i]);
    }
    for (size_t i = 0; i < here->count; i++)
        timed +=
            resultIsOnDevice(&here->rows[i]) && resultNumber(&here->rows[i], COLUMN_median_s) > 0.0;
    if (count > MANY)
        printf("Of %zu rows those are shown that differ by more than %.0f %% and take %.0f us or "
               "more for each launch.\n",
               count, 100.0 * compareTolerance, 1e6 * compareBrief);
    if (timed > count)
        printf("Not recorded with this size and these options: %zu of %zu rows.\n", timed - count,
               timed);
    if (slowBrief > 0)
        printf("%zu of the %zu rows below %.0f us a launch %s more than %.0f %% slower, which says "
               "little: they are mostly their launches, and these depend on the host (./course "
               "device --measure).\n",
               slowBrief, brief, 1e6 * compareBrief, slowBrief == 1 ? "is" : "are",
               100.0 * compareTolerance);
    if (slow == 0) {
        printf("No%s row is more than %.0f %% slower than recorded.\n",
               slowBrief > 0 ? " other" : "", 100.0 * compareTolerance);
        return EXIT_PASS;
    }
    printf("%zu of %zu%s rows %s more than %.0f %% slower than recorded. Usual reasons: another "
           "process on the device, a power cap, a wrong architecture (./course device --doctor), a "
           "host that launches more slowly (./course device --measure).\n",
           slow, count - brief, brief > 0 ? " other" : "", slow == 1 ? "is" : "are",
           100.0 * compareTolerance);
    return EXIT_WRONG;
}

/* The fastest of the device's rows of an exercise in bytes a second; NULL if none is. */
static const struct result *fastest(const struct results *here, const char *exercise)
{
    const struct result *best = NULL;

    for (size_t i = 0; i < here->count; i++) {
        const struct result *row = &here->rows[i];

        if (isSame(row->field[COLUMN_exercise], exercise) && resultIsOnDevice(row) &&
            resultBandwidth(row) > (best != NULL ? resultBandwidth(best) : 0.0))
            best = row;
    }
    return best;
}

/* Prints rates that the course quotes from others, with unknown sizes and limits, beside the
 * fastest row of that exercise, without comparing them. */
static void printQuoted(const struct results *here)
{
    const char *path = formatString("%s/solutions/timings/quoted.csv", sourceFolder());
    struct results quoted = {0};
    const char *exercise = "";

    if (exists(path))
        resultsTaken(resultsRead(&quoted, path));
    for (size_t i = 0; i < quoted.count; i++) {
        const struct result *row = &quoted.rows[i],
                            *best = fastest(here, row->field[COLUMN_exercise]);

        if (best == NULL)
            continue;
        if (!isSame(exercise, row->field[COLUMN_exercise]))
            printf("Quoted by the course, not measured, %.4s in GB/s: %.4g here (%s)",
                   row->field[COLUMN_exercise], resultBandwidth(best) * 1e-9,
                   best->field[COLUMN_variant]);
        exercise = row->field[COLUMN_exercise];
        printf(", %s %.4g%s", row->field[COLUMN_device], resultBandwidth(row) * 1e-9,
               i + 1 < quoted.count && isSame(exercise, quoted.rows[i + 1].field[COLUMN_exercise])
                   ? ""
                   : "\n");
    }
}

int compareFindsSlow(const char *which, const struct results *here, const char *file)
{
    struct reference reference;
    struct difference *all;
    size_t count;
    int slow = 0;

    if (referenceRead(&reference, which, here) != NULL)
        return 0;
    all = compareRows(here, &reference, &count);
    for (size_t i = 0; i < count; i++)
        slow |= all[i].slow && isSame(all[i].here->file, file);
    return slow;
}

int compareWith(const char *which, const struct results *here)
{
    struct reference reference;
    struct difference *all;
    const char *why = referenceRead(&reference, which, here);
    size_t count;
    int code = EXIT_ERROR;

    fflush(stdout);
    if (why != NULL) {
        fprintf(stderr, "course: --compare: %s\n", why);
        return EXIT_ERROR;
    }
    printf("Compared with %s:\n", reference.title);
    all = compareRows(here, &reference, &count);
    if (count > 0)
        code = printAll(here, all, count);
    fflush(stdout);
    if (count == 0)
        fprintf(
            stderr,
            "course: --compare: none of these rows is recorded with this size and these options\n");
    printQuoted(here);
    return code;
}
