/* The rows that a run of a program adds to a results file. */
#include "rows.h"
#include "files.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void runForRows(struct run *run, struct results *rows)
{
    char *file = textOf("%s/rows-%ld.csv", buildFolder(), (long)getpid()), why[512];

    remove(file); /* of a run that was interrupted */
    runWord(run, "--csv");
    runWord(run, file);
    runWhole(run);
    resultsRead(rows, file, why, sizeof why);
    remove(file);
    free(file);
}
