/* copies ALLOWED SOLUTION... -- FILE...: finds each run of three statements from a TODO region of a
 * solution that also occurs in one of the files, whatever its blanks and names, and prints the
 * place. Exit status 1 if there is one, 2 on an error.
 *
 * A statement ends at ';' and includes the text before its body, such as "if (i < n) {". The names
 * in a run are numbered in their order, so that a run with other names is the same; keywords and
 * CUDA's own names stay. Comments are searched separately.
 *
 * ALLOWED has parts of this form: names of files (* stands for any text in them), the reason why
 * they show the code, the code.
 *
 *     == lessons/ex19.cu ex19_*: the lesson explains it with this loop
 *     for (int k = 0; k < n; k++) ...
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 3 };

struct token {
    const char *text;
    size_t length;
};

struct statement {
    size_t first, count; /* of the file's tokens */
    int line, region;    /* the number of the TODO, or of the part of ALLOWED; 0: in none */
};

struct source {
    const char *name;
    char *text;
    struct token *tokens;
    struct statement *statements;
    size_t tokenCount, count;
};

/* Three statements of a solution's region, or of a part of ALLOWED. */
struct run {
    char *form;
    const char *file;
    int region;
};

struct runs {
    struct run *list;
    size_t count;
};

/* A part of ALLOWED: its names stand in the file's text, up to `end`. */
struct part {
    const char *names, *end;
    int line, used;
};

struct allowed {
    struct runs runs;
    struct part *parts; /* the first is no part: their numbers begin with 1 */
    size_t count;
};

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "copies: %s: %s\n", what, why);
    exit(2);
}

/* Room for one more at the end of a list of `count`. */
static void *oneMore(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) == 0) /* 0 or a power of two: all places are taken */
        list = realloc(list, (count > 0 ? 2 * count : 1) * size);
    if (list == NULL)
        fail("memory", strerror(errno));
    return list;
}

static char *readFile(const char *name)
{
    FILE *file = fopen(name, "rb");
    long length = -1;
    char *text;

    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length < 0 || fseek(file, 0, SEEK_SET) != 0)
        fail(name, strerror(errno));
    text = malloc((size_t)length + 1);
    if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length)
        fail(name, "cannot be read");
    text[length] = '\0';
    fclose(file);
    return text;
}

/* Blanks out a text's comments, or all but them; '\1' parts those of several lines. */
static void keep(char *text, int comments)
{
    int inside = 0; /* '/' in a comment of one line, '*' in one of several */

    for (char *c = text; *c != '\0'; c++) {
        const int opens = !inside && c[0] == '/' && (c[1] == '/' || c[1] == '*');
        const int closes = inside == '*' && c[0] == '*' && c[1] == '/';

        if (opens || closes) {
            inside = opens ? c[1] : 0;
            *c++ = comments && inside != '/' ? '\1' : ' ';
            *c = ' ';
        } else if (*c == '\n') {
            inside = inside == '/' ? 0 : inside;
        } else if ((inside != 0) != comments) {
            *c = ' ';
        }
    }
}

static int isWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The length of the token that begins here: a word, a literal in quotes, or one sign. */
static size_t tokenLength(const char *text)
{
    size_t length = 1;

    if (isWord(*text)) {
        while (isWord(text[length]))
            length++;
    } else if (*text == '"' || *text == '\'') {
        while (text[length] != *text && text[length] != '\n' && text[length] != '\0')
            length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
        length = text[length] == *text ? length + 1 : 1; /* otherwise an apostrophe */
    }
    return length;
}

static int is(struct token t, const char *word)
{
    return strlen(word) == t.length && strncmp(t.text, word, t.length) == 0;
}

static int isOneOf(struct token t, const char *const *words)
{
    while (*words != NULL && !is(t, *words))
        words++;
    return *words != NULL;
}

/* Words that do not change a statement. */
static int isDropped(struct token t)
{
    static const char *const words[] = {"const",  "static", "volatile", "inline",
                                        "signed", "extern", "unsigned", NULL};

    return isOneOf(t, words);
}

/* Words that stand before a body. */
static int isHead(struct token t)
{
    static const char *const words[] = {"if", "for", "while", "switch", NULL};

    return isOneOf(t, words);
}

static int isIndexOfCuda(struct token t)
{
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};

    return isOneOf(t, words);
}

/* 1 if the token's spelling matters: it is no name, or one that nobody can replace. `before` are
 * the two tokens before. */
static int isFixed(struct token t, const struct token *before)
{
    static const char *const words[] = {
        "else",  "do",   "case", "break",    "continue", "return",  "goto",    "sizeof",   "struct",
        "union", "enum", "NULL", "template", "typename", "typedef", "default", "warpSize", NULL};
    static const char *const beginnings[] = {"__",    "cuda",   "cublas", "cusparse",
                                             "cufft", "curand", "atomic", "MPI_",
                                             "omp_",  "acc_",   NULL};
    const char *const *b = beginnings;

    if (!isWord(*t.text) || isdigit((unsigned char)*t.text) || isHead(t) || isIndexOfCuda(t))
        return 1;
    while (*b != NULL && strncmp(t.text, *b, strlen(*b)) != 0)
        b++;
    return *b != NULL || isOneOf(t, words) ||
           (before != NULL && isIndexOfCuda(before[0]) && is(before[1], "."));
}

/* The number of a line that opens a region, "// TODO n begin"; 0 if it closes one; otherwise -1. */
static int regionMarker(const char *line)
{
    char word[8] = "";
    int number;

    line += strspn(line, " \t");
    if (strncmp(line, "// TODO ", 8) != 0 || sscanf(line + 8, "%d %5s", &number, word) != 2)
        return -1;
    return strcmp(word, "begin") == 0 ? number : strcmp(word, "end") == 0 ? 0 : -1;
}

/* Ends the statement that is open in the last place of the list, if it holds anything. */
static void endStatement(struct source *s, int line, int region)
{
    struct statement *open = &s->statements[s->count];

    if (open->count > 0) {
        s->count++;
        s->statements = oneMore(s->statements, s->count, sizeof *s->statements);
        open = &s->statements[s->count];
    }
    *open = (struct statement){s->tokenCount, 0, line, region};
}

/* Adds a token to the open statement, or ends that. */
static void addToken(struct source *s, struct token t, int *depth, int line, int region)
{
    struct statement *open = &s->statements[s->count];
    const struct token *first = open->count > 0 ? &s->tokens[open->first] : NULL;

    if (is(t, "{") && first != NULL && isHead(*first))
        return;
    if (is(t, "\1") || is(t, "{") || is(t, "}") || (is(t, ";") && *depth == 0)) {
        endStatement(s, line, region);
        *depth = 0;
        return;
    }
    if (isDropped(t) || (first == NULL && (is(t, "else") || is(t, "do"))))
        return;
    if (first == NULL)
        open->line = line;
    *depth += is(t, "(") ? 1 : is(t, ")") && *depth > 0 ? -1 : 0;
    s->tokens = oneMore(s->tokens, s->tokenCount, sizeof *s->tokens);
    s->tokens[s->tokenCount++] = t;
    open->count++;
}

/* Divides a text, or its comments, into statements. It begins at this line, in this region. */
static struct source sourceOf(const char *name, const char *original, int comments, int line,
                              int region)
{
    char *text = strdup(original);
    struct source s = {.name = name, .text = text};
    int depth = 0, skipped = 0;

    if (text == NULL)
        fail("memory", strerror(errno));
    keep(text, comments);
    s.statements = oneMore(NULL, 0, sizeof *s.statements);
    s.statements[0] = (struct statement){0, 0, line, region};
    for (const char *c = text; *c != '\0'; line++) {
        const char *end = c + strcspn(c, "\n");
        const int mark = regionMarker(original + (c - text));
        const char *first = c + strspn(c, " \t");

        if (mark >= 0 || strncmp(first, "```", 3) == 0) {
            region = mark >= 0 ? mark : region;
            endStatement(&s, line, region);
            depth = 0;
            first = end;
        }
        if (region > 0 && strncmp(first, "#include", 8) == 0)
            fail(name, "the answer to a TODO is an #include, of a file that is handed out");
        if (skipped || *first == '#') { /* a directive, or what continues it */
            skipped = end > first && end[-1] == '\\';
            first = end;
        }
        for (c = first; c < end; c += strspn(c, " \t\r")) {
            const struct token t = {c, tokenLength(c)};

            addToken(&s, t, &depth, line, region);
            c += t.length;
        }
        c = end + (*end == '\n');
    }
    endStatement(&s, line, 0);
    return s;
}

static void freeSource(struct source *s)
{
    free(s->statements);
    free(s->tokens);
    free(s->text);
}

/* The statement and those that follow it, in the form that is compared. The caller frees it. */
static char *formOf(const struct source *s, const struct statement *statement)
{
    const struct token *tokens = &s->tokens[statement->first], *end;
    struct token names[1000];
    size_t count = 0, length = 0, k;
    char *form;

    end = &s->tokens[statement[RUN - 1].first] + statement[RUN - 1].count;
    for (const struct token *t = tokens; t < end; t++)
        length += t->length + 8;
    form = malloc(length + RUN + 1);
    if (form == NULL)
        fail("memory", strerror(errno));
    length = 0;
    for (int i = 0; i < RUN; i++) {
        const struct token *first = &s->tokens[statement[i].first];

        for (const struct token *t = first; t < first + statement[i].count; t++) {
            if (isFixed(*t, t - first >= 2 ? t - 2 : NULL)) {
                length += (size_t)sprintf(form + length, "%.*s ", (int)t->length, t->text);
                continue;
            }
            for (k = 0; k < count; k++)
                if (names[k].length == t->length && strncmp(names[k].text, t->text, t->length) == 0)
                    break;
            if (k == count && count < sizeof names / sizeof *names)
                names[count++] = *t;
            length += (size_t)sprintf(form + length, "$%zu ", k);
        }
        form[length++] = ';';
    }
    form[length] = '\0';
    return form;
}

/* 1 if RUN statements begin here, all of the same region. */
static int isRun(const struct source *s, size_t first)
{
    return first + RUN <= s->count &&
           s->statements[first].region == s->statements[first + RUN - 1].region;
}

static void addRuns(struct runs *runs, const struct source *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->statements[i].region > 0 && isRun(s, i)) {
            runs->list = oneMore(runs->list, runs->count, sizeof *runs->list);
            runs->list[runs->count++] =
                (struct run){formOf(s, &s->statements[i]), s->name, s->statements[i].region};
        }
}

/* The next run of that form from `from` on; NULL if there is none. */
static const struct run *runOf(const struct runs *runs, const char *form, size_t from)
{
    for (size_t i = from; i < runs->count; i++)
        if (strcmp(runs->list[i].form, form) == 0)
            return &runs->list[i];
    return NULL;
}

static int isNamed(const struct part *part, const char *file)
{
    char pattern[256];
    int length = 0;

    for (const char *name = part->names; name < part->end; name += length) {
        name += strspn(name, " ");
        length = (int)strcspn(name, " :");
        snprintf(pattern, sizeof pattern, "%.*s", length, name);
        if (fnmatch(pattern, file, 0) == 0)
            return 1;
    }
    return 0;
}

/* 1 if a part of ALLOWED names the file and has the run. */
static int isAllowed(struct allowed *allowed, const char *form, const char *file)
{
    const struct runs *runs = &allowed->runs;
    int found = 0;

    for (const struct run *r = runOf(runs, form, 0); r != NULL;
         r = runOf(runs, form, (size_t)(r - runs->list) + 1))
        if (isNamed(&allowed->parts[r->region], file))
            found = allowed->parts[r->region].used = 1;
    return found;
}

static struct allowed readAllowed(const char *name)
{
    struct allowed a = {0};
    char *text = readFile(name), *next = text;

    a.parts = oneMore(a.parts, a.count++, sizeof *a.parts);
    while ((next = strstr(next, "== ")) != NULL) {
        char *code = next + strcspn(next, "\n"), *end = strstr(code, "\n== ");
        struct part part = {next + 3, next + strcspn(next, ":\n"), 1, 0};
        struct source s;
        size_t before = a.runs.count;

        if (*part.end != ':')
            fail(name, "a part begins with == FILE...: REASON");
        for (const char *c = text; c < next; c++)
            part.line += *c == '\n';
        if (end != NULL)
            *end = '\0';
        s = sourceOf(name, code, 0, part.line, (int)a.count);
        addRuns(&a.runs, &s);
        freeSource(&s);
        if (a.runs.count == before) {
            fprintf(stderr, "copies: %s:%d: fewer than three statements\n", name, part.line);
            exit(2);
        }
        a.parts = oneMore(a.parts, a.count, sizeof *a.parts);
        a.parts[a.count++] = part;
        if (end == NULL)
            break;
        next = end + 1;
    }
    return a;
}

/* Names the runs of the file that are in a solution and not allowed. Returns how many there are. */
static int search(const char *file, const char *text, int comments, const struct runs *solutions,
                  struct allowed *allowed)
{
    struct source s = sourceOf(file, text, comments, 1, 0);
    int found = 0;

    for (size_t i = 0; i + RUN <= s.count; i++) {
        char *form = formOf(&s, &s.statements[i]);
        const struct run *r = runOf(solutions, form, 0);

        if (r != NULL && !isAllowed(allowed, form, file)) {
            printf("%s:%d: TODO %d of %s\n", file, s.statements[i].line, r->region, r->file);
            found++;
        }
        free(form);
    }
    freeSource(&s);
    return found;
}

int main(int argc, char **argv)
{
    static struct runs solutions;
    static struct allowed allowed;
    int found = 0, i = 2;

    if (argc < 5)
        fail("usage", "copies ALLOWED SOLUTION... -- FILE...");
    allowed = readAllowed(argv[1]);
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char *text = readFile(argv[i]);
        struct source s = sourceOf(argv[i], text, 0, 1, 0);

        addRuns(&solutions, &s);
        freeSource(&s);
        free(text);
    }
    for (i++; i < argc; i++) {
        char *text = readFile(argv[i]);

        for (int comments = 0; comments <= 1; comments++)
            found += search(argv[i], text, comments, &solutions, &allowed);
        free(text);
    }
    for (size_t k = 1; k < allowed.count; k++)
        if (!allowed.parts[k].used) {
            printf("%s:%d: nothing of this is found any more\n", argv[1], allowed.parts[k].line);
            found++;
        }
    printf("%zu runs of the solutions; %d found where they should not be\n", solutions.count,
           found);
    return found > 0;
}
