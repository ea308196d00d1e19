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
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { REGIONS = 64, COLUMNS = 100 /* of a line of variants.inc */ };

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

/* What the function returns behind a region, if it returns a value there; length: 0 if not. */
static const char *returned(const char *end, int *length)
{
    static const char word[] = "return ";
    const char *line = nextLine(end), *code;

    *length = 0;
    for (; *line != '\0' && *line != '}'; line = nextLine(line)) {
        code = line + strspn(line, " ");
        if (startsWith(code, word)) {
            *length = (int)strcspn(code + strlen(word), ";\n");
            return code + strlen(word);
        }
    }
    return line;
}

/* Appends the body that the template has for a region of the solution: of several with its number,
 * for the same one in order. Without one, the region is unfilled. */
static void appendBody(struct text *out, const struct pieces *solution, int region,
                       const struct pieces *template)
{
    const char *line = solution->body[region] - 1, *value;
    int nth = 0, length;

    for (int i = 0; i < region; i++)
        nth += solution->number[i] == solution->number[region];
    for (int i = 0; i < template->count; i++)
        if (template->number[i] == solution->number[region] && nth-- == 0) {
            append(out, template->body[i], (size_t)(template->text[i + 1] - template->body[i]));
            return;
        }
    while (line > solution->all && line[-1] != '\n')
        line--;
    value = returned(solution->text[region + 1], &length);
    /* Indented like the marker line above it. */
    appendFormat(out,
                 length > 0 ? "%*sNOT_IMPLEMENTED_VALUE(%d, %.*s);\n" : "%*sNOT_IMPLEMENTED(%d);\n",
                 (int)strspn(line, " "), "", solution->number[region], length, value);
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

/* ---- variants.inc --------------------------------------------------------------------------- */

/* The end of a field: the comma or brace that is inside no brackets and no string. */
static const char *endOfField(const char *p)
{
    int depth = 0, quoted = 0;

    for (; *p != '\0'; p++) {
        if (*p == '"' && p[-1] != '\\')
            quoted = !quoted;
        if (quoted)
            continue;
        if (depth == 0 && (*p == ',' || *p == '}'))
            break;
        depth += strchr("(<", *p) != NULL;
        depth -= strchr(")>", *p) != NULL;
    }
    return p;
}

/* A field, each run of blanks as one. */
static char *fieldOf(const char *from, const char *to)
{
    struct text field = {0};

    appendText(&field, "");
    for (from += strspn(from, " \t\r\n"); from < to; from++)
        if (!isspace((unsigned char)*from))
            append(&field, from, 1);
        else if (from + 1 < to && !isspace((unsigned char)from[1]))
            appendText(&field, " ");
    return field.data;
}

/* The traits of the row of that name in `old`, the previous rows: an author writes them there. */
static const char *traitsOf(const char *old, const char *name)
{
    const char *start = formatString("(%s,", name);
    const char *row = old != NULL ? strstr(old, start) : NULL;
    const char *traits = row != NULL ? strstr(row + strlen(start), "\",") : NULL;
    const char *end = traits != NULL ? strstr(traits, ")\n") : NULL;

    return end != NULL ? fieldOf(traits + 2, end) : "0";
}

/* Appends a call of this macro, whose arguments go on in the next line where they find no room. */
static void appendCall(struct text *out, const char *macro, const char *const argument[3])
{
    const int indent = (int)strlen(macro) + 1;
    int column = indent;

    appendFormat(out, "%s(", macro);
    for (int i = 0; i < 3; i++) {
        const int width = (int)strlen(argument[i]) + 1; /* with what follows */

        if (i > 0 && column + 1 + width > COLUMNS) {
            appendFormat(out, "\n%*s", indent, "");
            column = indent;
        } else if (i > 0) {
            appendText(out, " ");
            column++;
        }
        appendFormat(out, "%s%s", argument[i], i < 2 ? "," : ")\n");
        column += width;
    }
}

/* Appends the row that begins at this brace; returns where it ends. hasTwo: a row has two
 * functions, which a macro may stand for. */
static const char *appendRow(struct text *out, const char *path, const char *brace, int conditional,
                             int hasTwo, const char *old)
{
    const char *comma = endOfField(brace + 1), *to = comma, *name = fieldOf(brace + 1, comma);
    const char *argument[3] = {name, NULL, traitsOf(old, name)};

    for (int fields = 1; *to == ',' && fields < (hasTwo ? 3 : 2); fields++)
        to = endOfField(to + 1);
    if (*to == '\0')
        fail(EXIT_WRONG, "%s: a row of deviceVariants has no end", path);
    if (*to == ',' || to == comma || name[0] != '"')
        fail(EXIT_WRONG, "%s: a row of deviceVariants is {\"name\", function}, not {%.40s", path,
             brace + 1);
    argument[1] = formatString("\"%s\"", fieldOf(comma + 1, to));
    appendCall(out, conditional ? "DEVICE_ROW_IF" : "DEVICE_ROW", argument);
    return to;
}

/* The rows of deviceVariants in a solution, as macros for the harness: name, function, traits. NULL
 * if it has none. old: the rows of before, whose traits are kept; NULL if there are none. */
static char *variantsOf(const char *path, const char *solution, const char *old)
{
    static const char start[] = "struct variant deviceVariants[] = {\n";
    const char *p = strstr(solution, start);
    struct text out = {0};
    int conditions = 0, hasTwo;

    if (p == NULL)
        return NULL;
    hasTwo = strstr(p, "{NULL, NULL, NULL") != NULL;
    appendText(&out, "/* The rows of deviceVariants, which ./course pair --fix copies, and their "
                     "traits. */\n");
    for (p += strlen(start); *p != '\0'; p += *p != '\0') {
        conditions += startsWith(p, "#if");
        conditions -= startsWith(p, "#endif");
        p += strspn(p, " \t");
        if (startsWith(p, "{NULL"))
            return out.data;
        if (*p == '{')
            p = appendRow(&out, path, p, conditions > 0, hasTwo, old);
        p += strcspn(p, "\n");
    }
    fail(EXIT_WRONG, "%s: deviceVariants does not end with {NULL, NULL}", path);
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
