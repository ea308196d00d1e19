/* check: is the template right? */
#include "commands.h"
#include "files.h"
#include "process.h"
#include "request.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs the device rows of a program with these options, which blanks separate. */
static int runWith(char *program, const char *options, int quiet)
{
    char *copy = textOf("%s", options);
    char *argv[16] = {program, "--only", "device"};
    int argc = 3, status;

    for (char *word = strtok(copy, " "); word != NULL && argc < 15; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    status = runCommand(argv, quiet);
    free(copy);
    return status;
}

/* After the run that shows the table: the sizes and options in the exercise's checks.txt, one run each,
 * which is shown only if it is not right. Returns the status of the check as a whole. */
static int checkFurther(const struct request *r, const struct exercise_entry *e, const char *kind,
                        int status)
{
    const int onTerminal = isatty(STDERR_FILENO);
    char *path = textOf("%s/%s/checks.txt", sourceFolder(), e->name);
    char *program = programPath(r->device, e->brief, kind);
    char *text = NULL, *right = textOf("%s", ""), *next;

    if (access(path, R_OK) == 0 && (status == EXIT_PASS || status == EXIT_UNFILLED) &&
        r->passedCount == 0 && !r->quick && r->csv == NULL)
        text = readFile(path);
    for (char *line = text; line != NULL && *line != '\0'; line = next) {
        char *longer;
        int got;

        next = line + strcspn(line, "\n");
        if (*next == '\n')
            *next++ = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (onTerminal)
            fprintf(stderr, "  also with: %s\033[K\r", line);
        got = runWith(program, line, 1);
        if (onTerminal)
            fprintf(stderr, "\033[K");
        if (got != EXIT_PASS && got != EXIT_UNFILLED && got != EXIT_SKIPPED) {
            printf("\nBut with %s:\n", line);
            runWith(program, line, 0);
            status = got == EXIT_WRONG ? EXIT_WRONG : EXIT_ERROR;
            break;
        }
        longer = textOf("%s%s%s", right, right[0] != '\0' ? "; " : "", line);
        free(right);
        right = longer;
    }
    if (status == EXIT_PASS && right[0] != '\0')
        printf("PASS also with %s\n", right);
    free(right);
    free(text);
    free(program);
    free(path);
    return status;
}

int commandCheck(int argc, char **argv)
{
    struct request r = parseRequest(argc, argv);
    const char *kind = r.solution ? "solution" : "template";
    int status = EXIT_SKIPPED;

    if (buildKind(&r, kind) != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < r.chosenCount; i++) {
        const int shown = startProgram(&r, r.chosen[i], kind, r.csv);

        status = graver(checkFurther(&r, r.chosen[i], kind, shown), status);
        if (i + 1 < r.chosenCount)
            putchar('\n');
    }
    return status;
}
