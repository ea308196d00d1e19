/* The verdict of the rows, and the file that reports it to the process that started the program. A
 * program writes this file last; one that ends in any other way leaves none. FILE.rows, beside it,
 * is renewed after each row as a sign of life. */
#include "verdict.h"
#include "fail.h"
#include "file.h"
#include "measure.h"
#include <stdlib.h>
#include <string.h>

enum exit_code verdictOfRows(void)
{
    const struct tally t = rowTally();

    return t.wrong > 0                                            ? EXIT_WRONG
           : t.unfilled > 0                                       ? EXIT_UNFILLED
           : t.judged > 0 || t.demonstrations > 0 || t.cached > 0 ? EXIT_PASS
                                                                  : EXIT_SKIPPED;
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* The numbers of the unfilled TODOs that were met, each once, in ascending order. */
static void writeTodos(FILE *out)
{
    size_t count, met = 0;
    const struct row *rows = rowAll(&count);
    int *todos = mustAllocate(count * sizeof *todos, "the verdict");

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

/* The variant that is wrong, the first one, or in which the program has ended. */
static void writeFailed(FILE *out, const struct tally *t, const char *ended)
{
    fprintf(out, "failed=%s\n",
            t->firstWrong != NULL ? t->firstWrong->name
            : ended != NULL       ? ended
                                  : "");
}

void verdictWrite(const char *file, const char *program, enum exit_code verdict)
{
    const struct tally t = rowTally();
    struct new_file new = newFile(file);
    const char *wrong;

    fprintf(new.stream,
            "course-verdict 1\nprogram=%s\nverdict=%s\nrows=%zu\njudged=%zu\nwrong=%zu\n"
            "unfilled=%zu\nskipped=%zu\n",
            program, verdictWord(verdict), t.rows, t.judged, t.wrong, t.unfilled, t.skipped);
    writeTodos(new.stream);
    writeFailed(new.stream, &t, NULL);
    fprintf(new.stream, "place=");
    if (t.firstUnfilled != NULL)
        fprintf(new.stream, "%s:%d", t.firstUnfilled->todoFile, t.firstUnfilled->todoLine);
    fprintf(new.stream, "\nend\n");
    wrong = newFileKeep(&new);
    if (wrong != NULL)
        courseFail(EXIT_ERROR, "cannot write %s: %s", file, wrong);
}

void verdictSoFar(const char *file, const char *ended)
{
    const struct tally t = rowTally();
    char *name = mustAllocate(strlen(file) + sizeof ".rows", "a file's name");
    struct new_file new;
    const char *wrong;

    strcat(strcpy(name, file), ".rows");
    new = newFile(name);
    fprintf(new.stream, "rows=%zu\nwrong=%zu\n", t.rows, t.wrong);
    writeFailed(new.stream, &t, ended);
    wrong = newFileKeep(&new);
    if (wrong != NULL)
        courseFail(EXIT_ERROR, "cannot write %s: %s", name, wrong);
    free(name);
}
