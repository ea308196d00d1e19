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

/* The next unfilled TODO that was met, by its number; 0 after the last one. */
static int todoAfter(int todo)
{
    size_t count;
    const struct row *rows = rowAll(&count);
    int next = 0;

    for (const struct row *row = rows; row < rows + count; row++)
        if (row->verdict == EXIT_UNFILLED && row->todo > todo && (next == 0 || row->todo < next))
            next = row->todo;
    return next;
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

    /* For ./course: verdict, rows, wrong, todos and failed; the others for readers and tests. */
    fprintf(new.stream,
            "course-verdict 1\nprogram=%s\nverdict=%s\nrows=%zu\njudged=%zu\nwrong=%zu\n"
            "unfilled=%zu\nskipped=%zu\n",
            program, verdictWord(verdict), t.rows, t.judged, t.wrong, t.unfilled, t.skipped);
    fprintf(new.stream, "todos=");
    for (int first = todoAfter(0), todo = first; todo != 0; todo = todoAfter(todo))
        fprintf(new.stream, "%s%d", todo > first ? " " : "", todo);
    fprintf(new.stream, "\n");
    writeFailed(new.stream, &t, NULL);
    fprintf(new.stream, "place=");
    if (t.firstUnfilled != NULL)
        fprintf(new.stream, "%s:%d", t.firstUnfilled->todoFile, t.firstUnfilled->todoLine);
    fprintf(new.stream, "\nend\n");
    newFileMustKeep(&new, file);
}

void verdictSoFar(const char *file, const char *ended)
{
    const struct tally t = rowTally();
    char *name = mustAllocate(strlen(file) + sizeof ".rows", "a file's name");
    struct new_file new;

    strcat(strcpy(name, file), ".rows");
    new = newFile(name);
    fprintf(new.stream, "rows=%zu\nwrong=%zu\n", t.rows, t.wrong);
    writeFailed(new.stream, &t, ended);
    newFileMustKeep(&new, name);
    free(name);
}
