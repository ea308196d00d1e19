/* The rows of deviceVariants in a solution, as macros for the harness: name, function, traits. */
#include "variant_rows.h"
#include "commands.h"
#include "text.h"
#include <ctype.h>
#include <string.h>

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

/* Appends the traits of the row of that name in `old`, the previous rows: an author writes them
 * there. */
static void appendTraits(struct text *out, const char *old, const char *name)
{
    const char *start = formatString("(%s, \"", name);
    const char *row = old != NULL ? strstr(old, start) : NULL;
    const char *traits = row != NULL ? strstr(row + strlen(start), "\", ") : NULL;

    if (traits != NULL)
        append(out, traits + 3, strcspn(traits + 3, "\n") + 1);
    else
        appendText(out, "0)\n");
}

/* Appends the row that begins at this brace; returns where it ends. hasTwo: a row has two
 * functions, which a macro may stand for. */
static const char *appendRow(struct text *out, const char *path, const char *brace, int conditional,
                             int hasTwo, const char *old)
{
    const char *comma = endOfField(brace + 1), *to = comma, *name = fieldOf(brace + 1, comma);

    for (int fields = 1; *to == ',' && fields < (hasTwo ? 3 : 2); fields++)
        to = endOfField(to + 1);
    if (*to == '\0')
        fail(EXIT_WRONG, "%s: a row of deviceVariants has no end", path);
    if (*to == ',' || to == comma || name[0] != '"')
        fail(EXIT_WRONG, "%s: a row of deviceVariants is {\"name\", function}, not {%.40s", path,
             brace + 1);
    appendFormat(out, "DEVICE_ROW%s(%s, \"%s\", ", conditional ? "_IF" : "", name,
                 fieldOf(comma + 1, to));
    appendTraits(out, old, name);
    return to;
}

char *variantsOf(const char *path, const char *solution, const char *old)
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
