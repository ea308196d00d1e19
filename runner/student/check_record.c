/* A student's progress: the tick list, and the file behind it. */
#include "check_record.h"
#include "commands.h"
#include "files.h"
#include "terminal.h"
#include "text.h"
#include "run_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A line of progress.txt. */
struct record {
    char verdict[24];
    int advanced, advancedOf;
    char date[32];
    unsigned long long hash;
};

/* The state of an exercise. */
struct standing {
    struct todos todos;
    struct record record;
    int checked; /* the record is of the template as it is now */
    int changed; /* there is a record, but of another text */
};

static char *recordsPath(void) { return formatString("%s/progress.txt", buildFolder()); }

void recordCheck(const struct exercise_entry *e, const struct todos *todos, const char *text,
                 int code)
{
    const int lock = lockInBuild("progress.lock", NULL); /* two checks may end at the same time */
    char *path = recordsPath(), *old = readFileIfThere(path), date[32];
    const size_t length = strlen(e->name);
    time_t now = time(NULL);
    struct text all = {0};
    const char *word = code == EXIT_UNFILLED ? "UNFILLED" : verdictWord(code);

    for (char *line = old != NULL ? strtok(old, "\n") : NULL; line != NULL;
         line = strtok(NULL, "\n"))
        if (strncmp(line, e->name, length) != 0 || line[length] != ' ')
            appendFormat(&all, "%s\n", line);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    appendFormat(&all, "%s %s %d/%d %s %016llx\n", e->name, word, todoFilled(todos, 1),
                 todoCount(todos, 1), date, hashOf(text));
    replaceFile(path, all.data);
    if (lock >= 0)
        close(lock);
}

/* The record of an exercise; returns 0 if there is none. */
static int recordOf(const struct exercise_entry *e, struct record *r)
{
    const char *text = readFileIfThere(recordsPath());

    for (const char *line = text != NULL ? text : ""; *line != '\0'; line = nextLine(line))
        if (startsWith(line, e->name) &&
            sscanf(line + strlen(e->name), " %23s %d/%d %31s %llx", r->verdict, &r->advanced,
                   &r->advancedOf, r->date, &r->hash) == 5)
            return 1;
    return 0;
}

static struct standing standingOf(const struct exercise_entry *e)
{
    struct standing s = {0};
    const char *text = readFileIfThere(sourcePath(e, "template"));

    if (text != NULL) {
        const int found = recordOf(e, &s.record);

        s.todos = todosOf(text);
        s.checked = found && s.record.hash == hashOf(text);
        s.changed = found && !s.checked;
    }
    return s;
}

static int hasPassed(const struct standing *s)
{
    return s->checked && isSame(s->record.verdict, "PASS");
}

/* "basic PASS, advanced 1 of 3" and its kin; "" if nothing is begun. */
static char *describe(const struct standing *s)
{
    const int basic = todoCount(&s->todos, 0), filled = todoFilled(&s->todos, 0);

    if (hasPassed(s) && s->record.advancedOf == 0)
        return formatString("PASS");
    if (hasPassed(s))
        return formatString("basic PASS, advanced %d of %d", s->record.advanced,
                            s->record.advancedOf);
    if (s->checked && !isSame(s->record.verdict, "UNFILLED"))
        return formatString("%s at the last check", s->record.verdict);
    if (s->changed && filled == basic)
        return formatString("changed since the last check");
    if (filled > 0 || s->changed)
        return formatString("%d of %d basic TODOs filled in", filled, basic);
    return formatString("%s", "");
}

/* "[x]": passed, "[!]": wrong, "[ ]": to do, in its colour. */
static void printTick(int passed, int wrong)
{
    if (passed)
        printf("%s[x]%s ", colour("\033[32m"), colour("\033[0m"));
    else if (wrong)
        printf("%s[!]%s ", colour("\033[31m"), colour("\033[0m"));
    else
        printf("[ ] ");
}

void recordsList(void)
{
    for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++) {
        struct standing s = standingOf(e);
        char *text = describe(&s);

        printTick(hasPassed(&s), s.checked && isSame(s.record.verdict, "WRONG"));
        printf("%s  %s\n", e->brief, e->title);
        if (text[0] != '\0')
            printf("          %s\n", text);
    }
}

void recordsSummary(const struct exercise_entry *const *chosen, const int *codes, size_t count,
                    int parts)
{
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        struct standing s = standingOf(chosen[i]);
        const struct todo *next = todoNext(&s.todos);

        printTick(codes[i] == EXIT_PASS, codes[i] == EXIT_WRONG);
        printf("%s  %-15s", chosen[i]->brief, verdictWord(codes[i]));
        if (parts && codes[i] == EXIT_PASS && todoCount(&s.todos, 1) > 0)
            printf("  advanced %d of %d", todoFilled(&s.todos, 1), todoCount(&s.todos, 1));
        else if (parts && codes[i] == EXIT_UNFILLED && next != NULL)
            printf("  %d of %d basic TODOs; next: TODO %d", todoFilled(&s.todos, 0),
                   todoCount(&s.todos, 0), next->number);
        putchar('\n');
    }
}

const struct todo *recordsNext(const struct exercise_entry *e, const char **verdict)
{
    static struct standing s;

    s = standingOf(e);
    *verdict = s.checked ? s.record.verdict : "";
    return todoNext(&s.todos);
}

char *todoPlace(const struct exercise_entry *e, const struct todo *todo)
{
    return formatString("%s/%s:%d", e->name, strrchr(sourcePath(e, "template"), '/') + 1,
                        todo->line);
}

int todoIsUnclosed(const struct exercise_entry *e, const struct todo *todo)
{
    if (todo->unclosed != 0)
        printf("%s: TODO %d begin has no end: put the line // TODO %d end below yours\n",
               todoPlace(e, todo), todo->number, todo->number);
    return todo->unclosed != 0;
}
