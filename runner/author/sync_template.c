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
#include "text.h"
#include "todo.h"
#include "variant_rows.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REGIONS = 64 };

/* A file cut at its regions: text[0] body[0] text[1] body[1] ... text[count]. The marker lines
 * belong to the texts. */
struct pieces {
    char *text[REGIONS + 1], *body[REGIONS];
    int number[REGIONS];
    int count;
};

static char *cutOut(const char *from, const char *to)
{
    return formatString("%.*s", (int)(to - from), from);
}

static struct pieces piecesOf(const char *path)
{
    struct pieces p = {0};
    char *all = readFile(path);
    const char *from = all, *line, *next;
    int open = 0, number = 1;

    for (line = all; *line != '\0'; line = next, number++) {
        next = strchr(line, '\n');
        next = next != NULL ? next + 1 : line + strlen(line);
        if (todoMarker(line, "begin") != 0) {
            if (open != 0)
                fail(EXIT_WRONG, "%s:%d: TODO %d begins inside TODO %d", path, number,
                     todoMarker(line, "begin"), open);
            if (p.count == REGIONS)
                fail(EXIT_WRONG, "%s:%d: more than %d regions", path, number, REGIONS);
            open = todoMarker(line, "begin");
            p.number[p.count] = open;
            p.text[p.count] = cutOut(from, next);
            from = next;
        } else if (todoMarker(line, "end") != 0) {
            if (open != todoMarker(line, "end"))
                fail(EXIT_WRONG, "%s:%d: TODO %d ends, but TODO %d is open", path, number,
                     todoMarker(line, "end"), open);
            p.body[p.count++] = cutOut(from, line);
            from = line;
            open = 0;
        }
    }
    if (open != 0)
        fail(EXIT_WRONG, "%s: TODO %d has no end", path, open);
    p.text[p.count] = cutOut(from, line);
    free(all);
    return p;
}

static void freePieces(struct pieces *p)
{
    for (int i = 0; i <= p->count; i++)
        free(p->text[i]);
    for (int i = 0; i < p->count; i++)
        free(p->body[i]);
}

static int lineOf(const struct pieces *p, int piece, size_t offset)
{
    int line = 1;

    for (int i = 0; i < piece; i++) {
        for (const char *c = p->text[i]; *c != '\0'; c++)
            line += *c == '\n';
        for (const char *c = p->body[i]; *c != '\0'; c++)
            line += *c == '\n';
    }
    for (size_t i = 0; i < offset; i++)
        line += p->text[piece][i] == '\n';
    return line;
}

/* Reports where the texts outside the regions differ. Returns 1 if they do. */
static int compare(const char *name, const struct pieces *solution, const struct pieces *template)
{
    for (int i = 0; i <= solution->count && i <= template->count; i++) {
        size_t same = 0;

        while (solution->text[i][same] != '\0' &&
               solution->text[i][same] == template->text[i][same])
            same++;
        if (solution->text[i][same] != template->text[i][same]) {
            printf("%s: template and solution differ outside the TODO regions: template line %d, "
                   "solution line %d\n",
                   name, lineOf(template, i, same), lineOf(solution, i, same));
            return 1;
        }
    }
    if (solution->count != template->count) {
        printf("%s: the solution has %d TODO regions, the template %d\n", name, solution->count,
               template->count);
        return 1;
    }
    return 0;
}

/* The body that the template has for the n-th region of number `todo`; an unfilled one if none. */
static char *bodyFor(const struct pieces *solution, int region, const struct pieces *template)
{
    int nth = 0;

    for (int i = 0; i < region; i++)
        nth += solution->number[i] == solution->number[region];
    for (int i = 0; template != NULL && i < template->count; i++)
        if (template->number[i] == solution->number[region] && nth-- == 0)
            return formatString("%s", template->body[i]);
    {
        /* Indented like the marker line above it. */
        const char *text = solution->text[region];
        const char *line = text + strlen(text) - 1;

        while (line > text && line[-1] != '\n')
            line--;
        return formatString("%.*sNOT_IMPLEMENTED(%d);\n", (int)strspn(line, " "), line,
                            solution->number[region]);
    }
}

/* Remakes the template (NULL: there is none); the old one is kept beside it. */
static void fix(const char *path, const struct pieces *solution, const struct pieces *template)
{
    char *all = formatString("%s", ""), *old;

    for (int i = 0; i <= solution->count; i++) {
        char *body = i < solution->count ? bodyFor(solution, i, template) : formatString("%s", "");
        char *longer = formatString("%s%s%s", all, solution->text[i], body);

        free(all);
        free(body);
        all = longer;
    }
    old = template != NULL ? readFile(path) : NULL;
    if (old == NULL || strcmp(old, all) != 0) {
        if (old != NULL) {
            char *saved = putAside(path);

            printf("%s is remade; the old one is kept in %s\n", path, saved);
            free(saved);
        }
        replaceFile(path, all);
    }
    free(old);
    free(all);
}

/* Checks, or with --fix writes, variants.inc. Returns 1 if it is not that of the solution. */
static int rowsOf(const struct exercise_entry *e, const char *solution, int fixing)
{
    char *path = formatString("%s/%s/variants.inc", sourceFolder(), e->name),
         *text = readFile(solution);
    char *old = readFileIfThere(path), *rows = variantsOf(solution, text, old);
    int differs = rows != NULL && (old == NULL || strcmp(old, rows) != 0);

    if (differs && fixing) {
        replaceFile(path, rows);
        differs = 0;
    }
    if (differs)
        printf("%s: variants.inc does not have the solution's rows; ./course pair --fix %s writes "
               "it\n",
               e->name, e->brief);
    free(old);
    free(rows);
    free(text);
    free(path);
    return differs;
}

/* Checks the pair template.EXT and solution.EXT of an exercise, or repairs it with --fix. */
static int pairOf(const struct exercise_entry *e, int fixing)
{
    char *path = sourcePath(e, "solution"), *templatePath = sourcePath(e, "template");
    struct pieces solution, template;
    int differs = 0, there;

    mustHaveSolution(e);
    there = access(templatePath, F_OK) == 0;
    solution = piecesOf(path);
    if (there)
        template = piecesOf(templatePath);
    if (fixing) {
        fix(templatePath, &solution, there ? &template : NULL);
    } else if (!there) {
        printf("%s: there is no template; ./course pair --fix %s makes one\n", e->name, e->brief);
        differs = 1;
    } else {
        differs = compare(e->name, &solution, &template);
    }
    differs |= rowsOf(e, path, fixing);
    freePieces(&solution);
    if (there)
        freePieces(&template);
    free(templatePath);
    free(path);
    return differs;
}

int commandPair(int argc, char **argv)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    int fixing = 0, named = 0, differs = 0;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--fix") == 0)
            fixing = 1;
        else if (argv[i][0] == '-')
            fail(EXIT_USAGE, "pair: '%s' is not understood; see ./course pair --help", argv[i]);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-') {
            differs |= pairOf(exerciseNamed(argv[i]), fixing);
            named = 1;
        }
    for (size_t i = 0; i < count && !named; i++)
        differs |= pairOf(&list[i], fixing);
    if (!differs && !fixing)
        printf("template and solution agree outside the TODO regions\n");
    return differs ? EXIT_WRONG : EXIT_PASS;
}
