/* list, next, and ./course alone: the student's progress, and the next step. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "check_record.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int commandList(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        fail(EXIT_USAGE, "list takes no arguments");
    recordsList();
    return EXIT_PASS;
}

/* Prints the next step in an unfinished exercise. */
static void printStep(const struct exercise_entry *e, const struct todo *next)
{
    if (todoIsUnclosed(e, next))
        return;
    printf("Next: %s, TODO %d%s: %s\n", e->brief, next->number, next->advanced ? " (advanced)" : "",
           next->task);
    printf("  %s\n\n", todoPlace(e, next));
    printf("  ./course read %s      the lesson and the task\n", e->brief);
    printf("  ./course hint %s %d    a hint; \"hint %s %d 2\" tells more\n", e->brief, next->number,
           e->brief, next->number);
    printf("  ./course watch %s     checks each time you save\n", e->brief);
}

/* If the exercise's last check found a mistake, says so, since that comes before any TODO. Returns
 * 0 if not. */
static int printMistake(const struct exercise_entry *e, const char *verdict)
{
    const int wrong = isSame(verdict, "WRONG");

    if (wrong)
        printf("Next: ./course check %s, which was WRONG at the last check, names the mistake\n",
               e->brief);
    return wrong;
}

/* Prints the next step: the first basic part that has not passed, then the advanced parts. */
static void nextStep(void)
{
    for (int advanced = 0; advanced <= 1; advanced++)
        for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++) {
            const char *verdict;
            const struct todo *next = recordsNext(e, &verdict);
            const int passed = isSame(verdict, "PASS");

            if (printMistake(e, verdict))
                return;
            if (!passed && !advanced && (next == NULL || next->advanced)) {
                printf("Next: ./course check %s\n", e->brief);
                return;
            }
            if (next != NULL && (advanced || !passed)) {
                if (advanced)
                    printf("All basic parts have passed.\n");
                printStep(e, next);
                return;
            }
        }
    printf("Everything has passed, the advanced parts too.\n");
}

int commandNext(int argc, char **argv)
{
    const char *verdict = "";
    const struct exercise_entry *e = argc > 1 ? oneExercise("next", argc, argv, 2) : NULL;
    const struct todo *next = e != NULL ? recordsNext(e, &verdict) : NULL;

    if (e == NULL)
        nextStep();
    else if (printMistake(e, verdict))
        return EXIT_PASS;
    else if (next != NULL)
        printStep(e, next);
    else
        printf("Every TODO of %s is filled in; ./course check %s judges them.\n", e->brief,
               e->brief);
    return EXIT_PASS;
}

int commandOverview(void)
{
    recordsList();
    putchar('\n');
    nextStep();
    printf("\n./course --help lists the commands.\n");
    return EXIT_PASS;
}
