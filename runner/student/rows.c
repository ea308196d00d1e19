/* The rows that a run of a program adds to a results file. */
#include "rows.h"
#include <stdio.h>
#include <stdlib.h>

void runForRows(struct run *run, struct results *rows)
{
    char *file = runnersFile("rows.csv"), why[512];

    remove(file); /* of a run that was interrupted */
    runWord(run, "--csv");
    runWord(run, file);
    runWhole(run);
    resultsRead(rows, file, why, sizeof why);
    remove(file);
    free(file);
}
