/* The rows that a run of a program adds to a results file. */
#include "rows.h"
#include <stdio.h>
#include <stdlib.h>

int runForRows(struct run *run, struct results *rows)
{
    char *file = runnersFile("rows.csv");
    int isRead;

    remove(file); /* of a run that was interrupted */
    runOption(run, "--csv", file);
    runWhole(run);
    isRead = resultsRead(rows, file) == NULL;
    remove(file);
    return isRead;
}
