/* csv_record FILE COLUMN: prints the column of each record of a results file, one a line, by the
 * reader that every program of the course uses. Exit status 1: a record has too few or too many
 * fields, or a quote is never closed. */
#include "columns.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    static char text[1 << 20];
    char *field[COLUMN_COUNT], *next = text;
    FILE *file = argc > 2 ? fopen(argv[1], "r") : NULL;
    int column = -1, found;

    if (file == NULL)
        return 2;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    while (next != NULL) {
        next = csvRecord(next, field, COLUMN_COUNT, &found);
        if (found != COLUMN_COUNT) {
            printf("%d fields instead of %d\n", found, COLUMN_COUNT);
            return 1;
        }
        if (column >= 0)
            puts(field[column]);
        else
            for (int i = 0; i < COLUMN_COUNT; i++)
                if (strcmp(field[i], argv[2]) == 0)
                    column = i;
        if (column < 0)
            return 2;
    }
    return 0;
}
