/* pair: keeps template and solution in step. Both hold the same text, except between the marker
 * lines
 *
 *     // TODO 3 begin: what to do
 *     // TODO 3 end
 *
 * where the solution has the answer and the template NOT_IMPLEMENTED(3) or a student's lines. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "request.h"
#include "selection.h"
#include "text.h"
#include "todo.h"
#include "variant_rows.h"
#include <stdio.h>
#include <string.h>

enum { REGIONS = 64 };

/* A file, and where its parts begin: text[0] body[0] text[1] body[1] ... text[count], which ends at
 * body[count]. The marker lines belong to the texts. */
struct pieces {
    const char *all, *text[REGIONS + 1], *body[REGIONS + 1];
    int number[REGIONS];
    int count;
};

/* The number of the line in which this place is. */
static int lineOf(const struct pieces *p, const char *place)
{
    return 1 + linesIn(formatString("%.*s", (int)(place - p->all), p->all));
}

static struct pieces piecesOf(const char *path)
{
    struct pieces p = {.all = readFile(path)};
    const char *line, *next;
    int open = 0;

    p.text[0] = p.all;
    for (line = p.all; *line != '\0'; line = next) {
        const int begins = todoMarker(line, "begin"), ends = todoMarker(line, "end");

        next = nextLine(line);
        if (begins != 0) {
            if (open != 0)
                fail(EXIT_WRONG, "%s:%d: TODO %d begins inside TODO %d", path, lineOf(&p, line),
                     begins, open);
            if (p.count == REGIONS)
                fail(EXIT_WRONG, "%s:%d: more than %d regions", path, lineOf(&p, line), REGIONS);
            p.number[p.count] = open = begins;
            p.body[p.count] = next;
        } else if (ends != 0) {
            if (open != ends)
                fail(EXIT_WRONG, "%s:%d: TODO %d ends, but TODO %d is open", path, lineOf(&p, line),
                     ends, open);
            p.text[++p.count] = line;
            open = 0;
        }
    }
    if (open != 0)
        fail(EXIT_WRONG, "%s: TODO %d has no end", path, open);
    p.body[p.count] = line;
    return p;
}

/* Reports where the texts outside the regions differ. Returns 1 if they do. */
static int compare(const char *name, const struct pieces *solution, const struct pieces *template)
{
    for (int i = 0; i <= solution->count && i <= template->count; i++) {
        const char *s = solution->text[i], *t = template->text[i];

        while (s < solution->body[i] && t < template->body[i] && *s == *t) {
            s++;
            t++;
        }
        if (s < solution->body[i] || t < template->body[i]) {
            printf("%s: template and solution differ outside the TODO regions: template line %d, "
                   "solution line %d\n",
                   name, lineOf(template, t), lineOf(solution, s));
            return 1;
        }
    }
    if (solution->count != template->count)
        printf("%s: the solution has %d TODO regions, the template %d\n", name, solution->count,
               template->count);
    return solution->count != template->count;
}

/* Appends the body that the template has for the n-th region of number `todo`; an unfilled one if
 * none. */
static void appendBody(struct text *out, const struct pieces *solution, int region,
                       const struct pieces *template)
{
    const char *line = solution->body[region] - 1;
    int nth = 0;

    for (int i = 0; i < region; i++)
        nth += solution->number[i] == solution->number[region];
    for (int i = 0; i < template->count; i++)
        if (template->number[i] == solution->number[region] && nth-- == 0) {
            append(out, template->body[i], (size_t)(template->text[i + 1] - template->body[i]));
            return;
        }
    while (line > solution->all && line[-1] != '\n')
        line--;
    /* Indented like the marker line above it. */
    appendFormat(out, "%*sNOT_IMPLEMENTED(%d);\n", (int)strspn(line, " "), "",
                 solution->number[region]);
}

/* Remakes the template, if need be; an old one is kept beside it. */
static void fix(const char *path, const struct pieces *solution, const struct pieces *template)
{
    struct text new = {0};

    for (int i = 0; i <= solution->count; i++) {
        append(&new, solution->text[i], (size_t)(solution->body[i] - solution->text[i]));
        if (i < solution->count)
            appendBody(&new, solution, i, template);
    }
    if (template->all != NULL && isSame(template->all, new.data))
        return;
    if (template->all != NULL)
        printf("%s is remade; the old one is kept in %s\n", path, putAside(path));
    replaceFile(path, new.data);
}

/* Checks, or with --fix writes, variants.inc. Returns 1 if it is not that of the solution. */
static int rowsOf(const struct exercise_entry *e, const char *solution, int fixing)
{
    const char *path = formatString("%s/%s/variants.inc", sourceFolder(), e->name);
    const char *old = readFileIfThere(path), *rows = variantsOf(solution, readFile(solution), old);

    if (rows == NULL || (old != NULL && isSame(old, rows)))
        return 0;
    if (fixing)
        replaceFile(path, rows);
    else
        printf("%s: variants.inc does not have the solution's rows; ./course pair --fix %s writes "
               "it\n",
               e->name, e->brief);
    return !fixing;
}

/* Checks the pair template.EXT and solution.EXT of an exercise, or repairs it with --fix. */
static int pairOf(const struct exercise_entry *e, int fixing)
{
    const char *path = sourcePath(e, "solution"), *templatePath = sourcePath(e, "template");
    struct pieces solution, template = {0};
    int differs = 0;

    mustHaveSolution(e);
    solution = piecesOf(path);
    if (exists(templatePath))
        template = piecesOf(templatePath);
    if (fixing) {
        fix(templatePath, &solution, &template);
    } else if (template.all == NULL) {
        printf("%s: there is no template; ./course pair --fix %s makes one\n", e->name, e->brief);
        differs = 1;
    } else {
        differs = compare(e->name, &solution, &template);
    }
    return rowsOf(e, path, fixing) | differs;
}

int commandPair(int argc, char **argv)
{
    int fixing = 0, differs = 0;
    const struct known_option known[] = {{"--fix", .flag = &fixing}, {0}};
    const int words = takeOptions(known, argc, argv);
    struct selection s;

    for (int i = 1; i < words; i++)
        if (argv[i][0] == '-')
            notUnderstood("pair", argv[i]);
    s = selectionOf(words - 1, argv + 1);
    for (size_t i = 0; i < s.count; i++)
        differs |= pairOf(s.list[i], fixing);
    if (!differs && !fixing)
        printf("template and solution agree outside the TODO regions\n");
    return differs ? EXIT_WRONG : EXIT_PASS;
}
