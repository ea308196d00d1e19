/* bench: the timings of the solutions. */
#include "commands.h"
#include "files.h"
#include "request.h"
#include "text.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The patience of a bench is longer: all rows at full size, on any CPU. */
static const double benchPatience = 600.0; /* s */

/* The folder where the programs keep the CPU's times for later checks, without those of this exercise: a bench measures
 * them anew. In a string that is never freed. */
static char *emptyCache(const struct exercise_entry *e)
{
    char *folder = textOf("%s/cache", buildFolder());
    char *pattern = textOf("%s/%s-*.csv", folder, e->name);
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            remove(found.gl_pathv[i]);
        globfree(&found);
    }
    free(pattern);
    return folder;
}

/* Runs one program of an exercise; csv may be NULL. Returns its code. */
static int benchRun(const struct request *r, const struct exercise_entry *e, const char *kind,
                    const char *csv)
{
    struct run run = runOf(r, e, r->devices[0], kind, 0);
    int code;

    if (run.job.patience == 0.0)
        run.job.patience = benchPatience;
    if (csv != NULL) {
        runWord(&run, "--csv");
        runWord(&run, csv);
    }
    if (strcmp(r->devices[0], "gpu") == 0) {
        runWord(&run, "--cache");
        runWord(&run, emptyCache(e));
    }
    code = runWhole(&run);
    runExplain(&run);
    runFree(&run);
    return code;
}

int commandBench(int argc, char **argv)
{
    struct request r = parseRequest(argc, argv, 0);
    int code = EXIT_SKIPPED;

    if (buildKind(&r, r.devices[0], "solution") != 0 ||
        (r.template && buildKind(&r, r.devices[0], "template") != 0))
        return EXIT_ERROR;
    for (size_t i = 0; i < r.chosenCount; i++) {
        if (r.template) {
            code = graver(benchRun(&r, r.chosen[i], "template", NULL), code);
            putchar('\n');
        }
        code = graver(benchRun(&r, r.chosen[i], "solution", r.csv), code);
        putchar('\n');
    }
    if (strcmp(r.devices[0], "emulated") == 0)
        printf(
            "The emulated device counts memory accesses; on a machine with a GPU the same command "
            "shows times.\n");
    if (r.csv != NULL && (code == EXIT_PASS || code == EXIT_WRONG) && access(r.csv, F_OK) == 0)
        printf("Results: %s\n", r.csv);
    return code;
}
