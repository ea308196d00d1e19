/* The rows that a run of a program adds to a results file. */
#include "rows.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>

int runForRows(struct run *run, struct results *rows)
{
    char *file = runnersFile("rows.csv");

    runStartForRows(run, file);
    return runRows(run, file, rows);
}

void runStartForRows(struct run *run, const char *file)
{
    remove(file); /* of a run that was interrupted */
    runOption(run, "--csv", file);
    setVariable("COURSE_COMMIT", ""); /* nobody reads it there, and git takes its time */
    runStart(run);
    unsetenv("COURSE_COMMIT");
}

int runRows(struct run *run, const char *file, struct results *rows)
{
    int isRead;

    runFinish(run);
    isRead = resultsRead(rows, file) == NULL;
    remove(file);
    return isRead;
}
