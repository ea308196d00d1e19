/* The verdict for whoever started the program, as a file: the last thing that a program of the course writes. A
 * program that something else has ended leaves none. */
#include "internal.h"
#include "file.h"
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* The numbers of the unfilled TODOs that were met, each once, in ascending order. */
static void writeTodos(FILE *out, const struct row *rows, size_t count)
{
    int *todos = malloc((count + 1) * sizeof *todos);
    size_t met = 0;

    if (todos == NULL)
        courseFail(EXIT_ERROR, "no memory for the verdict");
    for (size_t i = 0; i < count; i++)
        if (rows[i].verdict == EXIT_UNFILLED)
            todos[met++] = rows[i].todo;
    qsort(todos, met, sizeof *todos, ascending);
    fprintf(out, "todos=");
    for (size_t i = 0; i < met; i++)
        if (i == 0 || todos[i] != todos[i - 1])
            fprintf(out, "%s%d", i > 0 ? " " : "", todos[i]);
    fprintf(out, "\n");
    free(todos);
}

void verdictWrite(const char *file, enum exit_code verdict, const struct row *rows, size_t count)
{
    struct new_file new = newFile(file);
    const struct row *unfilled = NULL;
    const char *wrong;
    size_t of[EXIT_SKIPPED + 1] = {0}, judged = 0;

    for (const struct row *row = rows; row < rows + count; row++) {
        of[row->verdict] += !row->demonstration;
        judged += !row->demonstration && row->verdict != EXIT_SKIPPED;
        if (row->verdict == EXIT_UNFILLED && unfilled == NULL)
            unfilled = row;
    }
    fprintf(new.stream,
            "course-verdict 1\nprogram=%s\nverdict=%s\nrows=%zu\njudged=%zu\nwrong=%zu\n"
            "unfilled=%zu\nskipped=%zu\n",
            settings.program, verdictWord(verdict), count, judged, of[EXIT_WRONG],
            of[EXIT_UNFILLED], of[EXIT_SKIPPED]);
    writeTodos(new.stream, rows, count);
    fprintf(new.stream, "place=");
    if (unfilled != NULL)
        fprintf(new.stream, "%s:%d", unfilled->todoFile, unfilled->todoLine);
    fprintf(new.stream, "\nend\n");
    wrong = newFileKeep(&new);
    if (wrong != NULL)
        courseFail(EXIT_ERROR, "cannot write %s: %s", file, wrong);
}
