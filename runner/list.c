/* list: the exercises and what they teach. */
#include "commands.h"
#include "exercises.h"
#include "text.h"
#include <stdio.h>

int commandList(int argc, char **argv)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    (void)argv;
    if (argc > 1)
        fail(EXIT_USAGE, "list takes no arguments");
    for (size_t i = 0; i < count; i++)
        printf("%-26s %s\n", list[i].name, list[i].title);
    return EXIT_PASS;
}
