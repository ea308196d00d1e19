/* The TODO regions of a template. */
#include "todo.h"
#include "text.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int todoMarker(const char *line, const char *word)
{
    static const char mark[] = "// TODO ";
    char *end;
    long number;

    line += strspn(line, " \t");
    if (!startsWith(line, mark))
        return 0;
    number =
        strtol(line + strlen(mark), &end, 10); /* sscanf() would look for the end of the text */
    end += strspn(end, " \t");
    return number > 0 && number <= INT_MAX && startsWith(end, word) ? (int)number : 0;
}

/* Appends the code of a line, without comments; *inside says whether a comment of several lines is
 * open. */
static void appendCode(struct text *code, const char *line, size_t length, int *inside)
{
    for (size_t i = 0; i < length; i++) {
        const int pair = i + 1 < length;

        if (*inside && pair && line[i] == '*' && line[i + 1] == '/') {
            *inside = 0;
            i++;
        } else if (!*inside && pair && line[i] == '/' && line[i + 1] == '*') {
            *inside = 1;
            i++;
        } else if (!*inside && pair && line[i] == '/' && line[i + 1] == '/') {
            return;
        } else if (!*inside) {
            append(code, line + i, 1);
        }
    }
}

/* The entry of a number, a fresh one if need be, kept in order; NULL if there are too many. */
static struct todo *entryOf(struct todos *t, int number)
{
    int i = 0;

    while (i < t->count && t->of[i].number < number)
        i++;
    if (i < t->count && t->of[i].number == number)
        return &t->of[i];
    if (t->count == TODO_NUMBERS)
        return NULL;
    memmove(&t->of[i + 1], &t->of[i], (size_t)(t->count++ - i) * sizeof t->of[0]);
    memset(&t->of[i], 0, sizeof t->of[i]);
    t->of[i].number = number;
    return &t->of[i];
}

/* What a region holds besides blanks; a TODO has the bits of all its regions. */
enum { ANSWERED = 1, MARKED = 2, STARTED = 4 };

/* 1 if more than one statement stands there: the mark is one. */
static int hasMoreThanMark(const char *code)
{
    const char *end = strchr(code, ';');

    return end != NULL && (strpbrk(end + 1, ";}") != NULL);
}

static int contents(const char *code)
{
    if (code[strspn(code, " \t\r\n")] == '\0')
        return 0;
    if (strstr(code, "NOT_IMPLEMENTED") == NULL && strstr(code, "UNFILLED") == NULL &&
        strstr(code, "rowSkip") == NULL)
        return ANSWERED;
    return hasMoreThanMark(code) ? MARKED | STARTED : MARKED;
}

/* Begins a region: notes its number, task and line. */
static void beginRegion(struct todos *t, const char *line, size_t length, int lineNumber)
{
    static const char advanced[] = "(advanced)";
    struct todo *todo = entryOf(t, todoMarker(line, "begin"));
    const char *task = memchr(line, ':', length);

    if (todo == NULL)
        return;
    task = task != NULL ? task + 1 : line + length;
    task += strspn(task, " ");
    if (startsWith(task, advanced)) {
        todo->advanced = 1;
        task += strlen(advanced);
        task += strspn(task, " ");
    }
    if (todo->unclosed == 0)
        todo->unclosed = lineNumber; /* until its end marker comes */
    if (todo->line == 0) {
        todo->line = lineNumber;
        snprintf(todo->task, sizeof todo->task, "%.*s",
                 task < line + length ? (int)(line + length - task) : 0, task);
    }
}

struct todos todosOf(const char *text)
{
    struct todos t = {0};
    int open = 0, openLine = 0, inside = 0, number = 1;
    struct text code = {0};

    for (const char *line = text; *line != '\0'; line = nextLine(line), number++) {
        const size_t length = strcspn(line, "\r\n");

        if (todoMarker(line, "begin") != 0) {
            open = todoMarker(line, "begin");
            openLine = number;
            beginRegion(&t, line, length, number);
            code.length = 0;
            appendText(&code, "");
            inside = 0;
        } else if (open != 0 && todoMarker(line, "end") == open) {
            struct todo *todo = entryOf(&t, open);

            if (todo != NULL)
                todo->contents |= contents(code.data);
            if (todo != NULL && todo->unclosed == openLine)
                todo->unclosed = 0;
            open = 0;
        } else if (open != 0) {
            appendCode(&code, line, length, &inside);
            appendText(&code, "\n");
        }
    }
    for (int i = 0; i < t.count; i++) {
        if (t.of[i].unclosed != 0)
            t.of[i].line = t.of[i].unclosed;
        t.of[i].started = (t.of[i].contents & STARTED) != 0;
        t.of[i].filled = (t.of[i].contents & ANSWERED) && !(t.of[i].contents & MARKED);
    }
    return t;
}

int todoCount(const struct todos *t, int advanced)
{
    int count = 0;

    for (int i = 0; i < t->count; i++)
        count += t->of[i].advanced == advanced;
    return count;
}

int todoFilled(const struct todos *t, int advanced)
{
    int count = 0;

    for (int i = 0; i < t->count; i++)
        count += t->of[i].advanced == advanced && t->of[i].filled;
    return count;
}

int todoAnyFilled(const struct todos *t) { return todoFilled(t, 0) + todoFilled(t, 1) > 0; }

const struct todo *todoNext(const struct todos *t)
{
    for (int advanced = 0; advanced <= 1; advanced++)
        for (int i = 0; i < t->count; i++)
            if (t->of[i].advanced == advanced && !t->of[i].filled)
                return &t->of[i];
    return NULL;
}

const struct todo *todoNumber(const struct todos *t, int number)
{
    for (int i = 0; i < t->count; i++)
        if (t->of[i].number == number)
            return &t->of[i];
    return NULL;
}
