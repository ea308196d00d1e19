/* messages.c: see messages.h */
#define _POSIX_C_SOURCE 200809L
#include "messages.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "places.h"
#include "tokens.h"

struct message {
    char file[1024], kind[32], text[2048];
    int line, column;
};

/* g++ quotes in the way of the locale; here always as in C. */
static void plain_quotes(char *line)
{
    char *to = line;
    for (const char *from = line; *from; from++)
        if (strncmp(from, "\xe2\x80\x98", 3) == 0 || strncmp(from, "\xe2\x80\x99", 3) == 0) {
            *to++ = '\'';
            from += 2;
        } else
            *to++ = *from;
    *to = '\0';
}

/* Takes :12:34, or :12 alone, from the end of m->file. */
static void split_place(struct message *m)
{
    int *numbers[] = {&m->column, &m->line};
    for (int k = 0; k < 2; k++) {
        char *colon = strrchr(m->file, ':');
        if (!colon || !isdigit((unsigned char)colon[1]))
            break;
        *numbers[k] = atoi(colon + 1);
        *colon = '\0';
    }
    if (!m->line) {
        m->line = m->column;
        m->column = 0;
    }
}

static int read_header(const char *line, struct message *m)
{
    static const char *const kinds[] = {"error", "warning", "note", "fatal error"};
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *mark = format(": %s: ", kinds[i]);
        const char *at = strstr(line, mark);
        size_t length = strlen(mark);
        free(mark);
        if (!at || line[0] == ' ')
            continue;
        snprintf(m->file, sizeof m->file, "%.*s", (int)(at - line), line);
        snprintf(m->kind, sizeof m->kind, "%s", kinds[i]);
        snprintf(m->text, sizeof m->text, "%s", at + length);
        split_place(m);
        return 1;
    }
    return 0;
}

static int is_ours(const char *file)
{
    size_t length = strlen(place());
    return strncmp(file, place(), length) == 0 && file[length] == '/';
}

/* The place in the program of a message about one of our headers, from one of these lines:
 *     FILE:LINE:COLUMN:   required from 'f<int>()'
 *         inlined from 'f()' at FILE:LINE:COLUMN:
 * Of several of the former the last is meant, of the latter the first. */
static int read_author(const char *line, struct message *m, int *is_inlined)
{
    const char *inlined = strstr(line, "    inlined from '"),
               *begin = inlined ? strstr(inlined, "' at ") : line,
               *end = strstr(line, ":   required from ");
    memset(m, 0, sizeof *m);
    *is_inlined = inlined != NULL;
    if (inlined && begin) {
        begin += strlen("' at ");
        end = begin + strlen(begin) - 1;
    }
    if (!begin || !end)
        return 0;
    snprintf(m->file, sizeof m->file, "%.*s", (int)(end - begin), begin);
    split_place(m);
    return 1;
}

/* Line `number` of a file, without its end; 0 when there is none. */
static int read_line(const char *file, int number, char *line, size_t size)
{
    FILE *in = fopen(file, "r");
    int found = 0;
    while (in && !found && fgets(line, (int)size, in))
        found = --number == 0;
    if (in)
        fclose(in);
    line[found ? strcspn(line, "\r\n") : 0] = '\0';
    return found;
}

static FILE *warnings; /* NULL: to stderr, as the rest */

void warnings_into(FILE *file) { warnings = file; }

static FILE *stream_of(const char *kind)
{
    return warnings && strcmp(kind, "warning") == 0 ? warnings : stderr;
}

void print_message(const char *file, int line, int column, const char *kind, const char *text)
{
    FILE *to = stream_of(kind);
    char source[4096];
    if (column > 0)
        fprintf(to, "%s:%d:%d: %s: %s\n", file, line, column, kind, text);
    else if (line > 0)
        fprintf(to, "%s:%d: %s: %s\n", file, line, kind, text);
    else
        fprintf(to, "%s: %s: %s\n", file, kind, text);
    if (!read_line(file, line, source, sizeof source))
        return;
    fprintf(to, "%5d | %s\n", line, source);
    if (column <= 0 || column > (int)strlen(source) + 1)
        return;
    fprintf(to, "      | ");
    for (int i = 0; i < column - 1; i++)
        putc(source[i] == '\t' ? '\t' : ' ', to);
    fprintf(to, "^\n");
}

/* Replaces the first `old` in text. */
static void replace(char *text, size_t size, const char *old, const char *by)
{
    char *at = strstr(text, old);
    if (at) {
        char *changed = format("%.*s%s%s", (int)(at - text), text, by, at + strlen(old));
        snprintf(text, size, "%s", changed);
        free(changed);
    }
}

/* The translator's and our headers' words out of a message. */
static void plain_words(struct message *m)
{
    static const char *const marks[] = {"declared with attribute error: ",
                                        "declared with attribute warning: "};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *mark = strstr(m->text, marks[i]);
        if (mark)
            memmove(m->text, mark + strlen(marks[i]), strlen(mark + strlen(marks[i])) + 1);
    }
    char *launch = strstr(m->text, "(emulated::Launch<"),
         *end = launch ? strstr(launch, ">) (") : NULL;
    if (end) {
        char *given = format("%s", end + strlen(">) ("));
        given[strcspn(given, ")")] = '\0';
        /* float*& is float* to a reader */
        for (char *c = given, *to = given; (*to = *c) != '\0'; c++)
            to += *c != '&';
        char *text = format("the kernel takes (%.*s), this launch gives (%s)",
                            (int)(end - launch - (long)strlen("(emulated::Launch<")),
                            launch + strlen("(emulated::Launch<"), given);
        snprintf(m->text, sizeof m->text, "%s", text);
        free(given);
        free(text);
    }
    if (strstr(m->text, "no matching function for call to 'launch("))
        snprintf(m->text, sizeof m->text, "the values in <<<>>> do not fit a launch");
    while (strstr(m->text, "emulated::"))
        replace(m->text, sizeof m->text, "emulated::", "");
}

static void advise(const struct message *m)
{
    const char *macro = strstr(m->text, "macro \"");
    if (macro && strstr(m->text, "arguments, but takes just")) {
        int n = (int)strcspn(macro + 7, "\"");
        fprintf(stream_of(m->kind),
                "      = put the launch into a second pair of parentheses, or its commas separate "
                "the macro's arguments: "
                "%.*s((kernel<<<grid, block>>>(a, b)))\n",
                n, macro + 7);
    }
    if (strncmp(m->text, "'cuda", 5) == 0 && strstr(m->text, "was not declared in this scope")) {
        fprintf(stream_of(m->kind), "      = the emulated device has nothing of this name: it is "
                                    "misspelt, or not supported\n");
        return;
    }
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (advices[i].gcc && strstr(m->text, advices[i].gcc)) {
            fprintf(stream_of(m->kind), "      = %s\n", advices[i].advice);
            return;
        }
}

/* The compiler sees a macro's missing parenthesis at the end of the file: the line of the call that
 * has none. */
static void find_open_macro(struct message *m)
{
    char name[256] = "", line[4096];
    const char *quote = strchr(m->text, '"');
    FILE *in = fopen(m->file, "r");
    int number = 0, depth = 0, begin = 0, column = 0;
    if (quote)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(quote + 1, "\""), quote + 1);
    while (in && *name && fgets(line, sizeof line, in)) {
        number++;
        for (char *p = line; *p; p++) {
            size_t n = strlen(name);
            if (depth == 0 && strncmp(p, name, n) == 0 && p[n] == '(' && line[0] != '#') {
                depth = 1;
                begin = number;
                column = (int)(p - line) + 1;
                p += n;
            } else if (depth > 0)
                depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
        }
    }
    if (in)
        fclose(in);
    if (depth > 0) {
        m->line = begin;
        m->column = column;
    }
}

static void print_one(struct message *m, column_finder find_column)
{
    if (strstr(m->text, "unterminated argument list invoking macro"))
        find_open_macro(m);
    else if (find_column && m->column > 0) {
        char token[256] = "", line[4096];
        find_column(m->file, m->line, &m->column, token, sizeof token);
        size_t n = strlen(token);
        if (n && read_line(m->file, m->line, line, sizeof line) &&
            (m->column < 1 || m->column > (int)strlen(line) ||
             strncmp(line + m->column - 1, token, n) != 0)) {
            const char *at = strstr(line, token); /* macros have moved it */
            m->column = at ? (int)(at - line) + 1 : 0;
        }
    }
    plain_words(m);
    print_message(m->file, m->line, m->column, m->kind, m->text);
    advise(m);
}

/* Whether this error has been shown: a template has it once for each set of its arguments.
 * Remembers it otherwise. */
static int was_shown(const struct message *m)
{
    static struct message shown[32];
    static int count;
    for (int i = 0; i < count; i++)
        if (shown[i].line == m->line && shown[i].column == m->column &&
            strcmp(shown[i].file, m->file) == 0 && strcmp(shown[i].text, m->text) == 0)
            return 1;
    if (count < (int)(sizeof shown / sizeof *shown))
        shown[count++] = *m;
    return 0;
}

/* The compiler is not certain, and often wrong; or nvcc does not mind: long and long long are both
 * of 64 bits. Puts our own words into a message that is right. */
static int is_mere_suspicion(struct message *m, never_set is_never_set)
{
    char name[256] = "";
    const char *wanted = strstr(m->text, "' expects argument of type 'long "),
               *given = wanted ? strstr(wanted, ", but argument ") : NULL;
    if (given && strstr(given, "'long "))
        return 1;
    if (!strstr(m->text, "may be used uninitialized"))
        return 0;
    sscanf(m->text, "'%255[A-Za-z0-9_]' may", name);
    if (!*name || !is_never_set || !is_never_set(m->file, m->line, name))
        return 1;
    snprintf(m->text, sizeof m->text,
             "'%s' is used here, and nothing has given it a first value: it does not begin with 0",
             name);
    return 0;
}

void print_messages(FILE *from, column_finder find_column, never_set is_never_set)
{
    struct message author = {0};
    char line[8192];
    int after_error = 0, is_inlined;
    rewind(from);
    while (fgets(line, sizeof line, from)) {
        struct message m;
        line[strcspn(line, "\n")] = '\0';
        plain_quotes(line);
        if (read_author(line, &m, &is_inlined)) {
            if (!is_ours(m.file) && !(is_inlined && author.line > 0))
                author = m;
            continue;
        }
        if (!read_header(line, &m)) {
            int context = line[0] == ' ' || strstr(line, ": In ") || strncmp(line, "In ", 3) == 0 ||
                          strstr(line, ": At ") || strstr(line, "required from") ||
                          strstr(line, "compilation terminated");
            if (!context)
                fprintf(stderr, "%s\n", line);
            continue;
        }
        int is_note = strcmp(m.kind, "note") == 0;
        if (is_note && (is_ours(m.file) || strstr(m.text, "emulated") || !after_error ||
                        !strstr(m.text, "to match this")))
            continue;
        if (is_mere_suspicion(&m, is_never_set))
            continue;
        after_error = !is_note;
        if (is_ours(m.file) && author.line > 0) {
            memcpy(m.file, author.file, sizeof m.file);
            m.line = author.line;
            m.column = author.column;
        }
        author.line = is_note ? author.line : 0;
        if (is_note || !was_shown(&m))
            print_one(&m, find_column);
    }
}
