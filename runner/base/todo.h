/* The TODO regions of a template:
 *
 *     // TODO 3 begin: (advanced) what to do
 *     // TODO 3 end
 */
#ifndef TODO_H
#define TODO_H

enum { TODO_NUMBERS = 64 };

/* One number; several regions may share it. */
struct todo {
    int number, advanced;
    int started;  /* a region holds both NOT_IMPLEMENTED or its kin and something else */
    int filled;   /* no region holds NOT_IMPLEMENTED or its kin, and one at least holds something */
    int unclosed; /* the line of a region without its end marker; 0: none */
    int line;     /* of that region, otherwise of its first one */
    int contents; /* bits of what its regions hold, todo.c's own */
    char task[160];
};

struct todos {
    struct todo of[TODO_NUMBERS]; /* in the order of their numbers */
    int count;
};

/* The number of a marker line, "// TODO n begin..." or "// TODO n end"; 0 if the line is none. */
int todoMarker(const char *line, const char *word);
/* The TODOs of a template's text. */
struct todos todosOf(const char *text);
/* How many basic (advanced = 0) or advanced ones there are, and how many of them are filled in. */
int todoCount(const struct todos *t, int advanced);
int todoFilled(const struct todos *t, int advanced);
int todoAnyFilled(const struct todos *t);
/* The first that is not filled in, basic ones first; NULL if there is none. */
const struct todo *todoNext(const struct todos *t);
/* The one with that number; NULL if there is none. */
const struct todo *todoNumber(const struct todos *t, int number);

#endif
