/* bench: the timings of the solutions. */
#include "commands.h"
#include "request.h"
#include "text.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int commandBench(int argc, char **argv)
{
    struct request r = parseRequest(argc, argv);
    int status = EXIT_SKIPPED;

    if (buildKind(&r, "solution") != 0 || (r.template && buildKind(&r, "template") != 0))
        return EXIT_ERROR;
    for (size_t i = 0; i < r.chosenCount; i++) {
        if (r.template) {
            status = graver(startProgram(&r, r.chosen[i], "template", NULL), status);
            putchar('\n');
        }
        status = graver(startProgram(&r, r.chosen[i], "solution", r.csv), status);
        putchar('\n');
    }
    if (strcmp(r.device, "emulated") == 0)
        printf(
            "The emulated device counts memory accesses; on a machine with a GPU the same command "
            "shows times.\n");
    if (r.csv != NULL && (status == EXIT_PASS || status == EXIT_WRONG) && access(r.csv, F_OK) == 0)
        printf("Results: %s\n", r.csv);
    return status;
}
