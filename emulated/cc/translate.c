/* translate.c: the few places where CUDA C is not C++.
 *
 *   kernel<<<grid, block>>>(a, b)      ::emulated::launch("kernel", kernel, grid, block)(a, b)
 *   the same with a template kernel    ::emulated::launch_any("kernel",
 *                                          [&](auto... a) { kernel(a...); }, ...)(a, b)
 *   extern __shared__ T x[];           T (*const x) = (T (*))emulated_dynamic_shared;
 *   __shared__ T x;                    static __constinit __thread T x; and a guard: memory that
 *                                      nobody may touch
 *   __device__ T x; __constant__ T x;  a section attribute
 *   __device__ T f(T x) { }            always inlined, as by nvcc: what a call passes in memory is
 *                                      not instrumented
 *   (void *)kernel as an argument      kernel: the runtime's templates want to know its parameters
 *   __launch_bounds__(256)             a call at the kernel's begin, which tells the runtime
 *   asm("ld.global..." : ...)          a call (ptx.c)
 *   memcpy(a, b, n)                    ::emulated_memcpy(a, b, n), which looks where a and b point;
 *                                      free() likewise
 *   cudaMalloc(&d_x, n)                cudaMalloc(::emulated::named(&d_x, "d_x", ...), n), for
 *                                      messages
 *
 * Comments and strings are left alone, and no newline is added or removed: a compiler's message
 * about the result names the author's line. */
#define _GNU_SOURCE /* memmem() */
#include "translate.h"

#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "prelude.h"
#include "ptx.h"
#include "tokens.h"

struct kernel {
    const char *name;
    size_t length;
    int template, definitions;
    int functions;    /* definitions of any kind with this name */
    int fewest, most; /* arguments it can be called with */
    char *types;      /* of its parameters, as they are written first */
    int overloaded;   /* and otherwise elsewhere */
};

static struct kernel *kernels;
static int kernel_count;

static struct kernel *find_kernel(const struct token *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].length == name->length &&
            memcmp(kernels[i].name, name->text, name->length) == 0)
            return &kernels[i];
    return NULL;
}

static struct kernel *add_kernel(const struct token *name)
{
    struct kernel *k = find_kernel(name);
    if (k)
        return k;
    kernels = grow(kernels, (size_t)(kernel_count + 1) * sizeof *kernels);
    k = &kernels[kernel_count++];
    memset(k, 0, sizeof *k);
    k->name = name->text;
    k->length = name->length;
    return k;
}

static int is_attribute(const struct tokens *t, int i)
{
    return token_is(t, i, "__attribute__") || token_is(t, i, "alignas") ||
           token_is(t, i, "__declspec") || token_is(t, i, "decltype") ||
           token_is(t, i, "__launch_bounds__") || token_is(t, i, "__cluster_dims__");
}

static int is_template_declaration(const struct tokens *t, int i)
{
    for (int k = token_previous(t, i); k >= 0; k = token_previous(t, k)) {
        if (token_is(t, k, "template"))
            return 1;
        if (token_is(t, k, ";") || token_is(t, k, "}") || token_is(t, k, "{"))
            return 0;
    }
    return 0;
}

/* The > that closes template arguments which begin at the < at i; -1 if it is a comparison: what
 * follows has no >, or an operator that stands in no template argument without brackets. */
static int template_end(const struct tokens *t, int i, int close)
{
    for (int depth = 0; i < close; i = token_next(t, i)) {
        if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{"))
            i = token_closing(t, i);
        else if (token_is(t, i, "?") || token_is(t, i, "&&") || token_is(t, i, "||"))
            return -1;
        else if (token_is(t, i, "<"))
            depth++;
        else if (token_is(t, i, ">") || token_is(t, i, ">>")) {
            depth -= token_is(t, i, ">") ? 1 : 2;
            if (depth <= 0)
                return i;
        }
    }
    return -1;
}

/* How many pieces the commas between ( at open and its ) make; *defaults: how many of them have a
 * default. */
static int count_pieces(const struct tokens *t, int open, int *defaults)
{
    int close = token_closing(t, open), n = 0, has_default = 0;
    *defaults = 0;
    for (int i = token_next(t, open); i < close; i = token_next(t, i)) {
        n += n == 0;
        if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{"))
            i = token_closing(t, i);
        else if (token_is(t, i, "="))
            has_default = 1;
        else if (!has_default && token_is(t, i, "<")) {
            const int end = template_end(t, i, close);
            i = end >= 0 ? end : i;
        } else if (token_is(t, i, ",")) {
            n++;
            *defaults += has_default;
            has_default = 0;
        }
    }
    *defaults += has_default;
    return n;
}

static void count_parameters(const struct tokens *t, int open, struct kernel *k)
{
    int defaults, n = count_pieces(t, open, &defaults), first = token_next(t, open);
    if (n == 1 && token_is(t, first, "void") && token_is(t, token_next(t, first), ")"))
        n = 0;
    for (int i = open; i < token_closing(t, open); i++)
        if (token_is(t, i, "..."))
            n = 1000; /* any number */
    if (!k->most && !k->fewest)
        k->fewest = n - defaults;
    k->fewest = n == 1000 ? 0 : n - defaults < k->fewest ? n - defaults : k->fewest;
    k->most = n > k->most ? n : k->most;
}

/* The parameters as text, without their names and defaults, so that a declaration and its
 * definition give the same. */
static char *parameter_types(const struct tokens *t, int open)
{
    const int close = token_closing(t, open);
    char *all = format("%s", "");
    int last_name = -1, tokens = 0, skips = 0;
    for (int i = token_next(t, open); i <= close; i = token_next(t, i)) {
        if (i == close || token_is(t, i, ",") || token_is(t, i, "=")) {
            if (last_name >= 0 && tokens > 1) /* the name was appended last */
                all[strlen(all) - t->list[last_name].length] = '\0';
            last_name = -1;
            tokens = 0;
            skips = token_is(t, i, "=") || (skips && i == close);
            if (token_is(t, i, ","))
                skips = 0;
        }
        if (i == close || skips)
            continue;
        char *longer = format("%s%.*s", all, (int)t->list[i].length, t->list[i].text);
        free(all);
        all = longer;
        if (!token_is(t, i, ",")) {
            tokens++;
            last_name = token_kind_is(t, i, NAME) ? i : -1;
        }
    }
    return all;
}

static void count_functions(const struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        struct kernel *k = token_kind_is(t, i, NAME) ? find_kernel(&t->list[i]) : NULL;
        const int open = token_next(t, i), before = token_previous(t, i);
        if (k && token_is(t, open, "(") &&
            (token_kind_is(t, before, NAME) || token_is(t, before, "*")) &&
            token_is(t, token_next(t, token_closing(t, open)), "{"))
            k->functions++;
    }
}

/* Does this text hold the word, with a parenthesis behind it? */
static int calls_or_defines(const char *text, size_t length, const char *word, size_t n)
{
    const char *end = text + length;
    for (const char *p = text; (p = memmem(p, (size_t)(end - p), word, n)); p += n) {
        const char *behind = p + n;
        while (behind < end && *behind == ' ')
            behind++;
        if (behind < end && *behind == '(' && (p == text || !name_char(p[-1])))
            return 1;
    }
    return 0;
}

/* A host function may have a kernel's name and other parameters: which one a launch means, the
 * compiler decides. It may be one of CUDA's headers, as round() is. */
static void count_functions_of_the_same_name(const struct tokens *t)
{
    size_t length;
    char *prelude =
        prelude_line(t->list[0].text).end > 0 ? prelude_read(PREPROCESSED_PRELUDE, &length) : NULL;
    int is_there = 0;
    for (int k = 0; k < kernel_count; k++) {
        kernels[k].functions = 0;
        is_there |=
            prelude && calls_or_defines(prelude, length, kernels[k].name, kernels[k].length);
    }
    count_functions(t);
    if (is_there) {
        struct tokens more;
        tokens_read(&more, prelude, length);
        count_functions(&more);
        free(more.list);
    }
    free(prelude);
    for (int k = 0; k < kernel_count; k++)
        if (kernels[k].functions > kernels[k].definitions)
            kernels[k].definitions = kernels[k].functions;
}

static void collect_kernels(const struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "__global__"))
            continue;
        int open = token_next(t, i);
        while (open < t->count && !token_is(t, open, "(") && !token_is(t, open, ";") &&
               !token_is(t, open, "{"))
            open =
                token_next(t, is_attribute(t, open) ? token_closing(t, token_next(t, open)) : open);
        int name = token_previous(t, open);
        if (token_is(t, name, ">"))
            name = token_previous(t, token_opening(t, name));
        if (!token_is(t, open, "(") || !token_kind_is(t, name, NAME))
            continue;
        struct kernel *k = add_kernel(&t->list[name]);
        k->template |= is_template_declaration(t, i);
        count_parameters(t, open, k);
        char *types = parameter_types(t, open);
        k->overloaded |= k->types && strcmp(types, k->types) != 0;
        if (k->types)
            free(types);
        else
            k->types = types;
        k->definitions += token_is(t, token_next(t, token_closing(t, open)), "{");
    }
    count_functions_of_the_same_name(t);
}

/* The first token of the expression that ends at i: name, a::b<c>, table[i], (expression),
 * object.member. */
static int expression_begin(const struct tokens *t, int i, int *last_name)
{
    *last_name = -1;
    for (;;) {
        if (token_is(t, i, ">") || token_is(t, i, ">>") || token_is(t, i, ")") ||
            token_is(t, i, "]")) {
            i = token_opening(t, i);
            int before = token_previous(t, i);
            if (i < 0 || (token_is(t, i, "(") && !token_kind_is(t, before, NAME) &&
                          !token_is(t, before, "]")))
                return i;
            i = before;
            continue;
        }
        if (!token_kind_is(t, i, NAME))
            return i;
        if (*last_name < 0)
            *last_name = i;
        int before = token_previous(t, i);
        if (!token_is(t, before, "::") && !token_is(t, before, ".") && !token_is(t, before, "->"))
            return i;
        int left = token_previous(t, before);
        int global =
            token_is(t, before, "::") && !token_kind_is(t, left, NAME) && !token_is(t, left, ">");
        if (global || token_is(t, left, "return"))
            return before;
        i = left;
    }
}

/* The >>> that closes the <<< at i, or -1. */
static int configuration_end(const struct tokens *t, int i)
{
    int depth = 0;
    for (int k = token_next(t, i); k < t->count; k = token_next(t, k)) {
        if (token_is(t, k, "(") || token_is(t, k, "[") || token_is(t, k, "{"))
            depth++;
        else if (token_is(t, k, ")") || token_is(t, k, "]") || token_is(t, k, "}"))
            depth--;
        else if (depth == 0 && token_is(t, k, ">>>"))
            return k;
        if (depth < 0 || (depth == 0 && token_is(t, k, ";")))
            return -1;
    }
    return -1;
}

/* Walks over the tokens, in the source's lines and columns and in those of the result. */
struct place {
    char file[1024];
    int line, column, out_column;
};

static void pass(struct place *p, const char *text, size_t length, int *column, int count_lines)
{
    for (size_t c = 0; c < length; c++) {
        if (text[c] == '\n') {
            p->line += count_lines;
            *column = 0;
        }
        (*column)++;
    }
}

/* Goes over token i: a line marker names a place, everything else has one. */
static void step_over(struct place *p, const struct token *k)
{
    int marked;
    if (k->kind == SPACE && k->text[0] == '#' &&
        sscanf(k->text, "# %d \"%1023[^\"]\"", &marked, p->file) == 2) {
        p->line = marked - 1;
        return;
    }
    pass(p, k->text, k->length, &p->column, 1);
    const char *const written[] = {k->before, k->instead, k->after};
    for (int i = 0; i < 3; i++)
        if (written[i])
            pass(p, written[i], strlen(written[i]), &p->out_column, 0);
        else if (i == 1)
            pass(p, k->text, k->length, &p->out_column, 0);
}

static struct tokens translated;

void translated_column(const char *file, int line, int *column, char *token, size_t size)
{
    struct place p = {"", 1, 1, 1};
    for (int i = 0; i < translated.count; i++) {
        const struct token *k = &translated.list[i];
        struct place before = p;
        step_over(&p, k);
        int here = k->kind != SPACE && before.line == line && p.line == line &&
                   strcmp(before.file, file) == 0;
        if (here && *column < p.out_column) {
            *column = before.column;
            snprintf(token, size, "%.*s", (int)k->length, k->text);
            return;
        }
    }
    *column = 0;
}

void translate_end(void)
{
    free(translated.list);
    memset(&translated, 0, sizeof translated);
}

/* Where token i stands, by the line markers of the preprocessor. */
static void say(const struct tokens *t, int at, const char *kind, const char *message)
{
    struct place p = {"", 1, 1, 1};
    for (int i = 0; i < at; i++)
        step_over(&p, &t->list[i]);
    char line[4096] = "";
    FILE *in = fopen(p.file, "r");
    for (int n = 0; in && n < p.line && fgets(line, sizeof line, in); n++)
        ;
    if (in)
        fclose(in);
    char *token = tokens_text(t, at, at);
    if (strlen(line) < (size_t)p.column ||
        strncmp(line + p.column - 1, token, strlen(token)) != 0) {
        const char *found = strstr(line, token); /* macros have moved it */
        p.column = found ? (int)(found - line) + 1 : 0;
    }
    free(token);
    print_message(p.file, p.line, p.column, kind, message);
}
static void complain(const struct tokens *t, int at, const char *message)
{
    say(t, at, "error", message);
}

static char *without_quotes(char *s)
{
    for (char *p = s; *p; p++)
        if (*p == '"' || *p == '\\')
            *p = '\'';
    return s;
}

/* << <a, b>> >: one token each, as nvcc reads them */
static void join_spaced_launches(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        int after = token_next(t, i);
        int opens = (token_is(t, i, "<<") && token_is(t, after, "<")) ||
                    (token_is(t, i, "<") && token_is(t, after, "<<"));
        if (!opens && !token_is(t, i, "<<<"))
            continue;
        if (opens)
            token_join(t, i, after, "<<<");
        for (int k = token_next(t, i);
             k < t->count && !token_is(t, k, ";") && !token_is(t, k, ">>>"); k = token_next(t, k)) {
            int next = token_next(t, k);
            if (token_is(t, k, "(") || token_is(t, k, "[") || token_is(t, k, "{"))
                k = token_closing(t, k);
            else if (((token_is(t, k, ">>") && token_is(t, next, ">")) ||
                      (token_is(t, k, ">") && token_is(t, next, ">>"))) &&
                     token_is(t, token_next(t, next), "(")) {
                token_join(t, k, next, ">>>");
                break;
            }
        }
    }
}

/* A 0 or NULL among the arguments, which may stand for a pointer. The type of a deduced parameter
 * needs the number. */
static void translate_zeros(struct tokens *t, int open, int deduced)
{
    for (int a = open; a < token_closing(t, open); a++) {
        int before = token_previous(t, a), after = token_next(t, a);
        int whole = (token_is(t, before, "(") || token_is(t, before, ",")) &&
                    (token_is(t, after, ")") || token_is(t, after, ","));
        if (token_is(t, a, "__null"))
            token_replace(t, a, "nullptr");
        else if (whole && !deduced && token_is(t, a, "0"))
            token_replace(t, a, "::emulated::zero()");
    }
}

static int check_argument_count(const struct tokens *t, int launch, int open,
                                const struct kernel *k)
{
    int unused, n = count_pieces(t, open, &unused);
    for (int i = open; i < token_closing(t, open); i++)
        if (token_is(t, i, "..."))
            return 0;
    if (k->definitions > 1 || (n >= k->fewest && n <= k->most))
        return 0;
    char *expected =
        k->fewest < k->most ? format("%d to %d", k->fewest, k->most) : format("%d", k->most);
    char *message = format("kernel %.*s takes %s argument%s, this launch has %d", (int)k->length,
                           k->name, expected, k->most == 1 ? "" : "s", n);
    complain(t, launch, message);
    free(expected);
    free(message);
    return 1;
}

static int translate_launch(struct tokens *t, int i)
{
    int name, last = token_previous(t, i), first = expression_begin(t, last, &name);
    int end = configuration_end(t, i), open = token_next(t, end);
    if (first < 0 || end < 0 || !token_is(t, open, "(")) {
        complain(
            t, i,
            "this kernel launch is not understood: expected kernel<<<grid, block>>>(arguments)");
        return 1;
    }
    const struct kernel *k = name < 0 ? NULL : find_kernel(&t->list[name]);
    if (k && check_argument_count(t, i, open, k))
        return 1;
    char *text = tokens_text(t, first, last);
    char *label = without_quotes(format("%s", text));
    if (k && (k->template || k->definitions > 1 || k->fewest < k->most)) {
        t->list[first].before =
            format("::emulated::launch_any(\"%s\",[&](auto&...emulated_a)"
                   "__attribute__((no_sanitize(\"thread\"),no_sanitize_coverage)){",
                   label);
        t->list[last].after =
            "(emulated_a...),::emulated::thread_ends<decltype(emulated_a)...>();}";
        translate_zeros(t, open,
                        k->template && !token_is(t, last, ">") && !token_is(t, last, ">>"));
    } else
        t->list[first].before = format("::emulated::launch(\"%s\",", label);
    token_replace(t, i, ",");
    token_replace(t, end, ")");
    free(text);
    free(label);
    return 0;
}

/* Does the << at i begin a launch with too few brackets, `kernel<<grid, block>>(arguments)`? It may
 * as well be a variable with a kernel's name that is shifted: `(a << 8 >> 8)`, `mix(a << 8, b >>
 * (c))`. */
static int is_launch_with_two_brackets(const struct tokens *t, int i)
{
    const int name = token_previous(t, i), before = token_previous(t, name);
    const int is_argument =
        token_is(t, before, ",") ||
        (token_is(t, before, "(") && token_kind_is(t, token_previous(t, before), NAME));
    int commas = 0;
    if (!token_kind_is(t, name, NAME) || !find_kernel(&t->list[name]) || is_argument)
        return 0;
    for (int k = token_next(t, i); k < t->count && !token_is(t, k, ";"); k = token_next(t, k)) {
        if (token_is(t, k, ">>") || token_is(t, k, ">>>"))
            return commas > 0 && token_is(t, token_next(t, k), "(");
        if (token_is(t, k, "(") || token_is(t, k, "["))
            k = token_closing(t, k);
        commas += token_is(t, k, ",");
    }
    return 0;
}

static int translate_launches(struct tokens *t)
{
    int errors = 0;
    for (int i = 0; i < t->count; i++)
        if (token_is(t, i, "<<") && is_launch_with_two_brackets(t, i)) {
            complain(t, i,
                     "a kernel launch has three brackets: kernel<<<grid, block>>>(arguments)");
            errors++;
        }
    for (int i = 0; i < t->count; i++)
        if (token_is(t, i, "<<<") && !token_is(t, token_previous(t, i), "operator"))
            errors += translate_launch(t, i);
    return errors;
}

/* extern __shared__ T x[]; with first at `extern` or `__shared__` and semicolon at its end. */
static void translate_dynamic_shared(struct tokens *t, int first, int semicolon)
{
    int bracket = first;
    while (bracket < semicolon && !token_is(t, bracket, "["))
        bracket = token_next(t, is_attribute(t, bracket) ? token_closing(t, token_next(t, bracket))
                                                         : bracket);
    if (bracket >= semicolon)
        return;
    int name = token_previous(t, bracket), rest = token_next(t, token_closing(t, bracket));
    char *type = format("%s", ""),
         *dimensions = rest < semicolon ? tokens_text(t, rest, semicolon - 1) : "";
    for (int i = first; i < name; i++) {
        if (token_is(t, i, "extern") || token_is(t, i, "__shared__"))
            continue;
        if (is_attribute(t, i)) {
            i = token_closing(t, token_next(t, i));
            continue;
        }
        char *piece = tokens_text(t, i, i), *longer = format("%s%s", type, piece);
        free(piece);
        free(type);
        type = longer;
    }
    char *variable = tokens_text(t, name, name);
    token_blank(t, first, semicolon - 1);
    token_replace(t, first,
                  *dimensions
                      ? format("%s(*const %s)%s=(%s(*)%s)emulated_dynamic_shared", type, variable,
                               dimensions, type, dimensions)
                      : format("%s*const %s=(%s*)emulated_dynamic_shared", type, variable, type));
}

/* The semicolon that ends the declaration at i, or -1. */
static int declaration_end(const struct tokens *t, int i)
{
    for (int k = i; k < t->count; k = token_next(t, k)) {
        if (token_is(t, k, ";"))
            return k;
        if (token_is(t, k, "(") || token_is(t, k, "[") || token_is(t, k, "{"))
            k = token_closing(t, k);
        else if (token_is(t, k, ")") || token_is(t, k, "}"))
            return -1;
    }
    return -1;
}

/* The brace that opens the block in which token i stands, or -1. */
static int block_around(const struct tokens *t, int i)
{
    for (i = token_previous(t, i); i >= 0 && !token_is(t, i, "{"); i = token_previous(t, i))
        if (token_is(t, i, "}") || token_is(t, i, ")") || token_is(t, i, "]"))
            i = token_opening(t, i);
    return i;
}

static void translate_shared(struct tokens *t)
{
    int block_of_last = -1; /* of an extern __shared__ array in a function */
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "extern") && !token_is(t, i, "__shared__"))
            continue;
        int is_extern = 0, is_shared = 0, k = i;
        for (; k < t->count && !token_is(t, k, ";") && !token_is(t, k, "{") &&
               !token_is(t, k, "=") && !token_is(t, k, "(");
             k = token_next(t, k)) {
            is_extern |= token_is(t, k, "extern");
            is_shared |= token_is(t, k, "__shared__");
            if (is_attribute(t, k))
                k = token_closing(t, token_next(t, k));
        }
        if (is_extern && is_shared && token_is(t, k, ";")) {
            const int block = block_around(t, i);
            if (block >= 0 && token_is(t, token_previous(t, block), ")")) {
                if (block == block_of_last)
                    say(t, i, "warning",
                        "all extern __shared__ arrays begin at the same address: if two are meant, "
                        "declare one, and let a pointer to the second begin behind the first");
                block_of_last = block;
            }
            translate_dynamic_shared(t, i, k);
            i = k;
        } else if (token_is(t, i, "__shared__")) {
            int before = token_previous(t, i), after = token_next(t, i);
            if (token_is(t, before, "__device__")) /* says nothing more */
                before = token_previous(t, before);
            int already = token_is(t, before, "static");
            if (token_is(t, after, "static"))
                token_blank(t, after, after);
            int end = declaration_end(t, i);
            const char *aligned = ""; /* must stand in front of everything else */
            after = token_next(t, i);
            if (token_is(t, after, "alignas") && !already) {
                const int close = token_closing(t, token_next(t, after));
                aligned = tokens_text(t, after, close);
                token_blank(t, after, close);
            }
            token_replace(
                t, i,
                format("%s%s", aligned,
                       already ? " __constinit __thread" : " static __constinit __thread"));
            /* the compiler keeps definitions in order, or in reverse: it lies between two
             * variables */
            if (end >= 0)
                token_replace(t, end,
                              format("; static __constinit __thread char emulated_guard_%d[256]"
                                     " __attribute__((used));",
                                     i));
        }
    }
}

/* Does the ( open an initialiser, as in `counter(0);`, rather than a list of parameters? */
static int opens_initialiser(const struct tokens *t, int open)
{
    const int first = token_next(t, open);
    return token_is(t, token_next(t, token_closing(t, open)), ";") &&
           (token_kind_is(t, first, NUMBER) || token_is(t, first, "-") ||
            token_is(t, first, "true") || token_is(t, first, "false"));
}

static int is_const_word(const struct tokens *t, int i)
{
    return token_is(t, i, "const") || token_is(t, i, "__const__") || token_is(t, i, "__const");
}

/* Is the declaration with __device__ or __constant__ at i one of a variable, not of a function? */
static int declares_variable(const struct tokens *t, int i, int *is_const)
{
    int k = token_next(t, i);
    *is_const = is_const_word(t, token_previous(t, i));
    while (k < t->count) {
        if (token_is(t, k, "operator"))
            return 0;
        if (token_is(t, k, "("))
            return opens_initialiser(t, k);
        if (token_is(t, k, ";") || token_is(t, k, "=") || token_is(t, k, "{") ||
            token_is(t, k, "["))
            return 1;
        *is_const |= is_const_word(t, k);
        if (token_is(t, k, "*"))
            *is_const = 0; /* what it points to is const */
        if (is_attribute(t, k))
            k = token_next(t, token_closing(t, token_next(t, k)));
        else if (token_is(t, k, "<"))
            k = token_after_template(t, k);
        else
            k = token_next(t, k);
    }
    return 0;
}

/* The { of the class template whose struct or class stands at i; -1: it is no definition of one */
static int class_template_body(const struct tokens *t, int i)
{
    int k = token_next(t, token_next(t, i));
    if (!(token_is(t, i, "struct") || token_is(t, i, "class")) ||
        !token_kind_is(t, token_next(t, i), NAME))
        return -1;
    if (token_is(t, k, "<"))
        k = token_after_template(t, k);
    if (token_is(t, k, ":"))
        while (k < t->count && !token_is(t, k, "{") && !token_is(t, k, ";"))
            k = token_next(t, k);
    return token_is(t, k, "{") && is_template_declaration(t, i) ? k : -1;
}

/* A template's member "static const T x = ...": g++ wants constexpr when T is float. nvcc shows it
 * to g++ only if host code uses the class; here device code goes to g++, too. */
static void translate_class_constants(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        const int body = class_template_body(t, i), end = body >= 0 ? token_closing(t, body) : -1;
        for (int k = token_next(t, body); body >= 0 && k < end; k = token_next(t, k)) {
            const int word = token_next(t, k), type = token_next(t, word),
                      name = token_next(t, type);
            if (token_is(t, k, "{") || token_is(t, k, "("))
                k = token_closing(t, k);
            else if (token_is(t, k, "static") && token_is(t, word, "const") &&
                     token_kind_is(t, type, NAME) && token_kind_is(t, name, NAME) &&
                     token_is(t, token_next(t, name), "="))
                token_replace(t, word, format("constexpr"));
        }
    }
}

/* ---- functions on the device ---- */

struct function {
    int name, body, end; /* tokens; name is -1 for an operator */
    int *calls, call_count;
    int reached, recursive;
    int addressed; /* its name stands somewhere without a call: it cannot always be inlined */
    int takes;     /* a template that has another one of these as argument */
    int hands_on;  /* it reaches one that takes some: perhaps itself */
    int argument;  /* of such a template, which calls it by name once it is instantiated */
};

static struct function *functions;
static int function_count;

/* The { of the function with its __device__ at i, or -1 if this is no definition. */
static int function_body(const struct tokens *t, int i, int *name)
{
    int open = token_next(t, i);
    *name = -1;
    if (token_is(t, token_previous(t, i), "]"))
        return -1; /* a lambda */
    while (!token_is(t, open, "(")) {
        if (open >= t->count)
            return -1;
        if (is_attribute(t, open))
            open = token_closing(t, token_next(t, open));
        if (token_is(t, open, "operator")) {
            while (open < t->count && !token_is(t, token_next(t, open), "("))
                open = token_next(t, open);
            if (token_is(t, open, "operator")) /* operator() () */
                open = token_next(t, token_next(t, open));
            open = token_next(t, open);
            break;
        }
        open = token_next(t, open);
    }
    if (token_kind_is(t, token_previous(t, open), NAME))
        *name = token_previous(t, open);
    int k = token_next(t, token_closing(t, open));
    while (token_is(t, k, "const") || token_is(t, k, "noexcept") || token_is(t, k, "__restrict"))
        k = token_next(t, k);
    return token_is(t, k, "{") ? k : -1;
}

static const struct tokens *compared; /* for qsort() and bsearch() */
static int compare_names(const struct token *a, const struct token *b)
{
    size_t n = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, n);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}
static int compare_functions(const void *a, const void *b)
{
    const struct function *f = a, *g = b;
    if (f->name < 0 || g->name < 0)
        return (f->name < 0) - (g->name < 0); /* operators come last */
    return compare_names(&compared->list[f->name], &compared->list[g->name]);
}

/* The first of the functions, which are sorted, with the name at token i; -1 when there is none. */
static int first_function(const struct tokens *t, int i)
{
    int low = 0, high = function_count;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct function *f = &functions[middle];
        if (f->name >= 0 && compare_names(&t->list[f->name], &t->list[i]) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < function_count && functions[low].name >= 0 &&
                   compare_names(&t->list[functions[low].name], &t->list[i]) == 0
               ? low
               : -1;
}

static void collect_functions(const struct tokens *t)
{
    int capacity = 0;
    function_count = 0; /* another file's */
    for (int i = 0, unused; i < t->count; i++) {
        int name, body;
        if (!token_is(t, i, "__device__") || declares_variable(t, i, &unused) ||
            (body = function_body(t, i, &name)) < 0)
            continue;
        if (function_count == capacity)
            functions = grow(functions, (size_t)(capacity = 2 * capacity + 64) * sizeof *functions);
        struct function f = {name, body, token_closing(t, body), NULL, 0, 0, 0, 0, 0, 0, 0};
        functions[function_count++] = f;
    }
    compared = t;
    if (function_count)
        qsort(functions, (size_t)function_count, sizeof *functions, compare_functions);
    compared = NULL;
}

/* Is the name at i an argument of a template, as in sum<square>(x)? Then those with that template's
 * name take some. */
static int is_template_argument(const struct tokens *t, int i)
{
    int before = token_previous(t, i);
    if (token_is(t, before, "&"))
        before = token_previous(t, before);
    if (!token_is(t, before, "<") && !token_is(t, token_next(t, i), ">"))
        return 0;
    while (before >= 0 && !token_is(t, before, "<")) {
        if (!token_is(t, before, ",") && !token_kind_is(t, before, NAME))
            return 0;
        before = token_previous(t, before);
    }
    const int name = token_previous(t, before);
    if (name < 0 || !token_kind_is(t, name, NAME))
        return 0;
    for (int k = first_function(t, name);
         k >= 0 && k < function_count && functions[k].name >= 0 &&
         compare_names(&t->list[functions[k].name], &t->list[name]) == 0;
         k++)
        functions[k].takes = 1;
    return 1;
}

/* Notes what each function mentions, and which names stand anywhere without a call. */
static void collect_calls(const struct tokens *t)
{
    for (int f = 0; f < function_count; f++)
        for (int i = functions[f].body; i < functions[f].end; i++)
            for (int k = token_kind_is(t, i, NAME) ? first_function(t, i) : -1;
                 k >= 0 && k < function_count && functions[k].name >= 0 &&
                 compare_names(&t->list[functions[k].name], &t->list[i]) == 0;
                 k++) {
                struct function *from = &functions[f];
                if (from->call_count % 16 == 0)
                    from->calls =
                        grow(from->calls, (size_t)(from->call_count + 16) * sizeof *from->calls);
                from->calls[from->call_count++] = k;
            }
    for (int i = 0; i < t->count; i++) {
        int after = token_next(t, i), k = token_kind_is(t, i, NAME) ? first_function(t, i) : -1;
        if (k < 0 || token_is(t, after, "("))
            continue;
        if (token_is(t, after, "<") && token_is(t, token_after_template(t, after), "("))
            continue;
        const int argument = is_template_argument(t, i);
        for (; k < function_count && functions[k].name >= 0 &&
               compare_names(&t->list[functions[k].name], &t->list[i]) == 0;
             k++)
            if (argument)
                functions[k].argument = 1;
            else
                functions[k].addressed = 1;
    }
}

/* Marks the functions that this function mentions, and those that they mention. */
static void reach(int f)
{
    for (int i = 0; i < functions[f].call_count; i++) {
        int k = functions[f].calls[i];
        if (!functions[k].reached) {
            functions[k].reached = 1;
            reach(k);
        }
    }
}

/* A recursive function cannot be inlined, nor one that is called through a pointer. nvcc inlines
 * nearly all others, and the lanes in a function that is not inlined meet at other places than on a
 * GPU (flow.cpp). */
static void find_functions(const struct tokens *t)
{
    collect_functions(t);
    collect_calls(t);
    for (int f = 0; f < function_count; f++) {
        for (int k = 0; k < function_count; k++)
            functions[k].reached = 0;
        reach(f);
        functions[f].recursive = functions[f].reached;
        for (int k = 0; k < function_count; k++)
            functions[f].hands_on |= functions[k].reached && functions[k].takes;
    }
}

/* __noinline__ means nothing here: what a call that is not inlined passes or returns in memory, the
 * instrumentation does not see. */
static int is_inlinable(const struct tokens *t, int i)
{
    int name;
    const int body = function_body(t, i, &name);
    for (int k = 0; k < function_count; k++)
        if (functions[k].body == body)
            return !functions[k].recursive && !functions[k].addressed &&
                   !(functions[k].argument && (functions[k].takes || functions[k].hands_on));
    return 0;
}

/* A variable on the device goes to a section, with a guard behind it as for shared memory. */
static void translate_variable(struct tokens *t, int i, const char *section)
{
    int end = declaration_end(t, i), first = i;
    token_replace(t, i, format("__attribute__((section(\"%s\")))", section));
    while (token_kind_is(t, token_previous(t, first), NAME))
        first = token_previous(t, first);
    for (int k = first; k < i; k++)
        if (token_is(t, k, "extern"))
            return;
    if (end >= 0)
        token_replace(
            t, end,
            format("; __attribute__((section(\"%s\"), used)) static char emulated_guard_%d[256];",
                   section, i));
}

/* The name of the kernel with its __global__ at i, and the } that ends it; -1: no definition, or
 * that of a template. */
static int kernel_end(const struct tokens *t, int i, int *name)
{
    int open = token_next(t, i);
    while (open < t->count && !token_is(t, open, "(") && !token_is(t, open, ";") &&
           !token_is(t, open, "{"))
        open = token_next(t, is_attribute(t, open) ? token_closing(t, token_next(t, open)) : open);
    *name = token_previous(t, open);
    const int body = token_next(t, token_closing(t, open));
    if (!token_is(t, open, "(") || !token_is(t, body, "{") || !token_kind_is(t, *name, NAME) ||
        is_template_declaration(t, i))
        return -1;
    return token_closing(t, body);
}

/* Does the program name the kernel otherwise than to define or to launch it? */
static int is_named_by_address(const struct tokens *t, const struct kernel *k)
{
    for (int i = 0; i < t->count; i++) {
        const int after = token_next(t, i);
        if (token_kind_is(t, i, NAME) && find_kernel(&t->list[i]) == k &&
            !token_is(t, after, "(") && !token_is(t, after, "<<<"))
            return 1;
    }
    return 0;
}

/* Kernels can be named by their address alone, as in a graph's nodes: this tells the runtime their
 * arguments. Those of templates are announced where the program takes the address, `(void
 * *)scale<float>`. */
static void register_kernels(struct tokens *t, int is_whole_program)
{
    for (int i = 0; i < t->count; i++) {
        int name, end;
        if (token_is(t, i, "__global__") && (end = kernel_end(t, i, &name)) >= 0) {
            const struct kernel *k = find_kernel(&t->list[name]);
            if (k && k->definitions == 1 && !k->template && !k->overloaded &&
                (!is_whole_program || is_named_by_address(t, k)))
                token_replace(
                    t, end,
                    format("}namespace{const void*const emulated_kernel_%d __attribute__((used))"
                           "=::emulated::kernel_address(%.*s);}",
                           i, (int)t->list[name].length, t->list[name].text));
        }
        const int star = token_previous(t, token_previous(t, i)), close = token_previous(t, i);
        if (!token_kind_is(t, i, NAME) || !token_is(t, close, ")") || !token_is(t, star, "*") ||
            !token_is(t, token_previous(t, star), "void") || !token_is(t, token_next(t, i), "<"))
            continue;
        const struct kernel *k = find_kernel(&t->list[i]);
        const int after = token_after_template(t, token_next(t, i)),
                  last = token_previous(t, after);
        if (k && k->template && token_is(t, last, ">")) {
            token_replace(
                t, i,
                format("::emulated::kernel_address(%.*s", (int)t->list[i].length, t->list[i].text));
            token_replace(t, last, format(">)"));
        }
    }
}

static void translate_qualifiers(struct tokens *t)
{
    find_functions(t);
    for (int i = 0; i < t->count; i++) {
        int constant = token_is(t, i, "__constant__"), is_const;
        if (token_is(t, i, "__global__")) /* and enters it in the table for is_kernel() */
            token_replace(t, i, "__attribute__((noinline,patchable_function_entry(1)))");
        else if (token_is(t, i, "__host__") || token_is(t, i, "__grid_constant__") ||
                 token_is(t, i, "__noinline__"))
            token_blank(t, i, i);
        else if (token_is(t, i, "__forceinline__"))
            /* always inlined by __device__, where that is possible */
            token_replace(t, i, "__inline__");
        else if (token_is(t, i, "__managed__"))
            token_replace(t, i, "__attribute__((section(\"emulated_managed\")))");
        else if (constant || token_is(t, i, "__device__")) {
            int before = token_previous(t, i), after = token_next(t, i);
            int variable = declares_variable(t, i, &is_const);
            int again = token_is(t, after, "__constant__") || token_is(t, before, "__constant__") ||
                        token_is(t, after, "__managed__") || token_is(t, before, "__managed__");
            is_const |= !constant && again; /* __device__ says nothing more then */
            if (token_is(t, after, "__shared__") || token_is(t, before, "__shared__"))
                token_blank(t, i, i); /* and lies there */
            else if (!variable && !constant && is_inlinable(t, i))
                token_replace(t, i, "__attribute__((always_inline))");
            else if (!variable || is_const)
                token_blank(t, i, i); /* a const variable lies in the executable's constants */
            else
                translate_variable(t, i, constant ? "emulated_constant" : "emulated_device");
        }
    }
}

/* What stands in front of a kernel's name, the runtime learns from a table that its body adds
 * to. */
static void translate_bounds(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        const int cluster = token_is(t, i, "__cluster_dims__"), open = token_next(t, i);
        if ((!cluster && !token_is(t, i, "__launch_bounds__")) || !token_is(t, open, "("))
            continue;
        const int close = token_closing(t, open);
        char *numbers = tokens_text(t, open + 1, close - 1);
        int body = token_next(t, close);
        while (body < t->count && !token_is(t, body, "{") && !token_is(t, body, ";"))
            body = token_next(t, token_is(t, body, "(") ? token_closing(t, body) : body);
        token_blank(t, i, close);
        if (token_is(t, body, "{")) {
            struct token *brace = &t->list[body];
            brace->after = format("%s::emulated::%s(%s);", brace->after ? brace->after : "",
                                  cluster ? "cluster_dims" : "launch_bounds", numbers);
        }
        free(numbers);
    }
}

/* Runtime calls that CUDA has in host code only: a kernel that makes one does not compile with nvcc
 * either. */
static int is_host_call(const struct token *k)
{
    static const char *const on_device[] = {"cudaGetLastError",
                                            "cudaGraphSetConditional",
                                            "cudaPeekAtLastError",
                                            "cudaGetErrorString",
                                            "cudaGetErrorName",
                                            "cudaMalloc",
                                            "cudaFree",
                                            "cudaMemcpyAsync",
                                            "cudaMemsetAsync",
                                            "cudaGetDevice",
                                            "cudaGetDeviceCount",
                                            "cudaDeviceGetAttribute",
                                            "cudaDeviceGetLimit",
                                            "cudaStreamCreateWithFlags",
                                            "cudaStreamDestroy",
                                            "cudaStreamWaitEvent",
                                            "cudaEventCreateWithFlags",
                                            "cudaEventRecord",
                                            "cudaEventDestroy",
                                            "cudaFuncGetAttributes",
                                            "cudaTriggerProgrammaticLaunchCompletion",
                                            "cudaGridDependencySynchronize"};
    if (k->length < 5 || memcmp(k->text, "cuda", 4) != 0 || k->text[4] < 'A' || k->text[4] > 'Z')
        return 0;
    for (size_t i = 0; i < sizeof on_device / sizeof *on_device; i++)
        if (strlen(on_device[i]) == k->length && memcmp(on_device[i], k->text, k->length) == 0)
            return 0;
    return 1;
}

/* The body of a kernel or of a __device__ function. */
static int translate_device_body(struct tokens *t, int body)
{
    int errors = 0, end = token_closing(t, body);
    if (end >= t->count) {
        complain(t, body, "the body that begins here does not end: a } or ) is missing");
        return 1;
    }
    for (int i = body; i < end; i = token_next(t, i)) {
        int before = token_previous(t, i), after = token_next(t, i);
        int is_call = token_kind_is(t, i, NAME) && token_is(t, after, "(") &&
                      !token_is(t, before, ".") && !token_is(t, before, "->");
        if (is_call && is_host_call(&t->list[i])) {
            char *message = format("%.*s() is a function for host code: a kernel cannot call it",
                                   (int)t->list[i].length, t->list[i].text);
            complain(t, i, message);
            free(message);
            errors++;
        } else if (is_call && token_is(t, i, "clock") && token_is(t, token_next(t, after), ")"))
            token_replace(t, i, format(" (::clock_t)::emulated_clock"));
    }
    return errors;
}

/* Marks the tokens of kernels, __device__ functions and __device__ lambdas. A new array. */
static char *mark_device_code(const struct tokens *t)
{
    char *device = grow(NULL, (size_t)t->count + 1);
    memset(device, 0, (size_t)t->count + 1);
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "__global__") && !token_is(t, i, "__device__"))
            continue;
        int end = i;
        while (end < t->count && !token_is(t, end, "{") && !token_is(t, end, ";"))
            end = token_next(t, token_is(t, end, "(") ? token_closing(t, end) : end);
        while (token_is(t, end, "{")) { /* x{1} in a constructor's list is followed by more */
            end = token_closing(t, end);
            int after = token_next(t, end);
            while (token_is(t, after, ",") && token_kind_is(t, token_next(t, after), NAME))
                after = token_next(t, token_next(t, after));
            if (token_is(t, after, "{") || token_is(t, after, "("))
                end = token_is(t, after, "(") ? token_next(t, token_closing(t, after)) : after;
        }
        for (int k = i; k <= end && k < t->count; k++)
            device[k] = 1;
    }
    return device;
}

/* A #pragma that is nearly unroll */
static int is_misspelt(const char *text)
{
    static const char *const slips[] = {"unrol",   "unrool",  "unrol1", "uroll",
                                        "unnroll", "unrolll", "unrool", "Unroll"};
    char word[32] = "";
    sscanf(text, "#pragma %31[A-Za-z0-9_]", word);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (strcmp(word, slips[i]) == 0)
            return 1;
    return 0;
}

/* Built-in variables in host code of the author's files, and #pragmas with a slip of the pen */
static int check_host_code(struct tokens *t)
{
    char *device = mark_device_code(t);
    int errors = 0, ours = 0;
    for (int i = 0; i < t->count; i++) {
        const struct token *k = &t->list[i];
        /* a marker with 3: the system's */
        if (k->kind == SPACE && k->length > 2 && memcmp(k->text, "# ", 2) == 0) {
            const char *end = k->text + k->length, *quote = end;
            while (quote > k->text && *quote != '"')
                quote--;
            ours = memchr(quote, '3', (size_t)(end - quote)) != NULL;
        } else if (!ours && k->kind == SPACE && k->text[0] == '#' && is_misspelt(k->text))
            say(t, i, "warning", "this #pragma means nothing to the compiler: is unroll meant?");
        int built_in = token_is(t, i, "threadIdx") || token_is(t, i, "blockIdx");
        if (!ours && built_in && !device[i] && token_is(t, token_next(t, i), ".") &&
            !token_is(t, token_previous(t, i), ".")) {
            complain(t, i,
                     "this exists in kernels and __device__ functions only, and here is host code");
            errors++;
        }
    }
    free(device);
    return errors;
}

static int translate_device_bodies(struct tokens *t)
{
    int errors = 0;
    for (int i = 0, unused, name; i < t->count; i++) {
        int host = token_is(t, token_next(t, i), "__host__") ||
                   token_is(t, token_previous(t, i), "__host__");
        if (host || (!token_is(t, i, "__global__") && !token_is(t, i, "__device__")))
            continue;
        int body = declares_variable(t, i, &unused) ? -1 : function_body(t, i, &name);
        if (body >= 0)
            errors += translate_device_body(t, body);
    }
    return errors;
}

/* cudaFuncSetAttribute((void *)kernel, ...) and its kin: take the cast away. */
static void translate_kernel_arguments(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        if (!token_kind_is(t, i, NAME) || t->list[i].length < 8 ||
            memcmp(t->list[i].text, "cuda", 4) != 0)
            continue;
        int cast = token_next(t, token_next(t, i));
        if (token_is(t, cast, "reinterpret_cast")) {
            int end = token_after_template(t, token_next(t, cast));
            if (memchr(t->list[i].text, 'M', t->list[i].length) == NULL && token_is(t, end, "("))
                token_blank(t, cast, token_previous(t, end));
        }
        int k = token_next(t, cast);
        if (!token_is(t, cast, "("))
            continue;
        if (token_is(t, k, "const"))
            k = token_next(t, k);
        int star = token_next(t, k), close = token_next(t, star);
        struct token *after = &t->list[token_next(t, close) < t->count ? token_next(t, close) : 0];
        if (token_is(t, k, "void") && token_is(t, star, "*") && token_is(t, close, ")") &&
            after->kind == NAME && find_kernel(after))
            token_blank(t, cast, close);
    }
}

/* Is the name at i, which a ( follows, declared there, taken the address of, or somebody's member:
 * no plain call? */
static int declares(const struct tokens *t, int i)
{
    int before = token_previous(t, i);
    int word = before >= 0 && token_kind_is(t, before, NAME) && !token_is(t, before, "return") &&
               !token_is(t, before, "else") && !token_is(t, before, "do");
    return word || token_is(t, before, "*") || token_is(t, before, "::") ||
           token_is(t, before, ".") || token_is(t, before, "->") || token_is(t, before, "&");
}

/* Is i the name of a function that is called there, and in this list, which ends with NULL? The
 * name in the list, or NULL. */
static const char *called_of(const struct tokens *t, int i, const char *const *names)
{
    for (; *names; names++)
        if (token_is(t, i, *names))
            return token_is(t, token_next(t, i), "(") && !declares(t, i) ? *names : NULL;
    return NULL;
}

/* Calls of the C library that take pointers: it is not instrumented. Declarations have a type
 * before the name. */
static void translate_library_calls(struct tokens *t)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "free", NULL};
    for (int i = 0; i < t->count; i++) {
        const char *name = called_of(t, i, names);
        if (name)
            token_replace(t, i, format(" ::emulated_%s", name));
    }
}

/* cudaMalloc((void **)&d_x, bytes): tells the runtime the name d_x of this memory, and the size of
 * an element. */
static void name_allocation(struct tokens *t, int open)
{
    int first = token_next(t, open), last = first;
    for (int k = first; k < t->count && !token_is(t, k, ",") && !token_is(t, k, ")");
         k = token_next(t, k)) {
        if (token_is(t, k, "(") || token_is(t, k, "[") || token_is(t, k, "{"))
            k = token_closing(t, k);
        last = k;
    }
    int begin = first, end = last;
    if (token_is(t, begin, "reinterpret_cast")) {
        begin = token_next(t, token_after_template(t, token_next(t, begin)));
        begin = token_is(t, token_previous(t, begin), "(") ? begin : first;
        end = token_previous(t, last);
    }
    while (token_is(t, begin, "(") && token_closing(t, begin) < end) /* a cast */
        begin = token_next(t, token_closing(t, begin));
    if (!token_is(t, begin, "&") || end <= begin)
        return; /* a pointer to the pointer: its name would say nothing */
    char *address = tokens_text(t, begin, end), *name = tokens_text(t, token_next(t, begin), end);
    t->list[first].before = "::emulated::named(";
    t->list[last].after =
        format(",\"%s\",sizeof(::emulated::element(%s))-1)", without_quotes(name), address);
    free(address);
    free(name);
}

static void name_allocations(struct tokens *t)
{
    static const char *const calls[] = {"cudaMalloc",
                                        "cudaMallocHost",
                                        "cudaHostAlloc",
                                        "cudaMallocAsync",
                                        "cudaMallocManaged",
                                        "cudaMallocPitch",
                                        NULL};
    for (int i = 0; i < t->count; i++)
        if (called_of(t, i, calls))
            name_allocation(t, token_next(t, i));
}

/* cudaMemcpy(d_x, h_x, sizeof(h_x), ...): of an array, or by mistake of a pointer? */
static void check_size(struct tokens *t, int open)
{
    const int to = token_next(t, open), comma = token_next(t, to), from = token_next(t, comma),
              second_comma = token_next(t, from), size = token_next(t, second_comma),
              opening = token_next(t, size), in_brackets = token_is(t, opening, "("),
              name = in_brackets ? token_next(t, opening) : opening,
              end = in_brackets ? token_next(t, name) : name, after = token_next(t, end);
    const int is_plain = token_is(t, comma, ",") && token_is(t, second_comma, ",") &&
                         token_is(t, size, "sizeof") && token_kind_is(t, name, NAME) &&
                         (!in_brackets || token_is(t, end, ")")) &&
                         (token_is(t, after, ",") || token_is(t, after, ")"));
    if (!is_plain || (compare_names(&t->list[name], &t->list[to]) != 0 &&
                      compare_names(&t->list[name], &t->list[from]) != 0))
        return;
    t->list[size].before = format("::emulated::size_of<decltype(%.*s)>(", (int)t->list[name].length,
                                  t->list[name].text);
    t->list[end].after = format(")");
}

static void check_sizes(struct tokens *t)
{
    static const char *const calls[] = {"cudaMemcpy",
                                        "cudaMemcpyAsync",
                                        "cudaMemcpyToSymbol",
                                        "cudaMemcpyFromSymbol",
                                        "cudaMemset",
                                        "cudaMemsetAsync",
                                        NULL};
    for (int i = 0; i < t->count; i++)
        if (called_of(t, i, calls))
            check_size(t, token_next(t, i));
}

/* A kernel returns nothing. */
static int check_kernel_types(struct tokens *t)
{
    int errors = 0;
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "__global__"))
            continue;
        int k = i, is_void = 0;
        for (int p = token_previous(t, i); p >= 0 && token_kind_is(t, p, NAME);
             p = token_previous(t, p))
            k = p; /* void __global__ f() */
        for (; k < t->count && !token_is(t, k, "(") && !token_is(t, k, ";"); k = token_next(t, k)) {
            is_void |= token_is(t, k, "void") || token_is(t, k, "auto");
            if (is_attribute(t, k))
                k = token_closing(t, token_next(t, k));
        }
        if (!is_void && token_is(t, k, "(")) {
            complain(
                t, i,
                "a kernel returns nothing: its type must be void, and its result goes to memory");
            errors++;
        }
    }
    return errors;
}

/* ---- variables that nothing gives a value ---- */

/* Does `if (x > best) best = x;` assign to the name at i: on a condition that reads it? */
static int depends_on_itself(const struct tokens *t, int i)
{
    int close = token_previous(t, i), reads = 0;
    if (!token_is(t, close, ")")) { /* it stands in a block */
        while (close >= 0 && !token_is(t, close, "{"))
            close = token_previous(t, token_is(t, close, ")") || token_is(t, close, "}")
                                          ? token_opening(t, close)
                                          : close);
        close = token_previous(t, close);
    }
    const int open = token_is(t, close, ")") ? token_opening(t, close) : -1;
    if (!token_is(t, token_previous(t, open), "if"))
        return 0;
    for (int k = open; k < close; k = token_next(t, k)) {
        reads |= compare_names(&t->list[k], &t->list[i]) == 0;
        if (token_is(t, k, "||")) /* one for the first time, maybe */
            return 0;
    }
    return reads;
}

/* Does the name at i stand where it may be given a value: declared with one, assigned to other than
 * from itself, its address or the variable itself passed on? */
static int may_be_set(const struct tokens *t, int i)
{
    const int before = token_previous(t, i), after = token_next(t, i),
              two_before = token_previous(t, before);
    const int is_reference =
        token_is(t, before, "=") && token_is(t, token_previous(t, two_before), "&");
    if (is_reference || token_is(t, before, "&") || token_is(t, after, "{") ||
        token_is(t, after, "("))
        return 1;
    if (token_is(t, before, ",") ||
        (token_is(t, before, "(") && token_kind_is(t, two_before, NAME)))
        return token_is(t, after, ",") || token_is(t, after, ")");
    if (!token_is(t, after, "=") || depends_on_itself(t, i))
        return 0;
    for (int k = token_next(t, after); k < t->count && !token_is(t, k, ";"); k = token_next(t, k))
        if (compare_names(&t->list[k], &t->list[i]) == 0)
            return 0;
    return 1;
}

static int is_set_between(const struct tokens *t, int begin, int end, const char *name)
{
    for (int i = begin; i < end; i = token_next(t, i)) {
        const int before = token_previous(t, i);
        if (token_is(t, i, name) && !token_is(t, before, ".") && !token_is(t, before, "->") &&
            may_be_set(t, i))
            return 1;
    }
    return 0;
}

/* The first token of a line, or -1. */
static int token_of_line(const struct tokens *t, const char *file, int line)
{
    struct place p = {"", 1, 1, 1};
    for (int i = 0; i < t->count; i++) {
        if (t->list[i].kind != SPACE && p.line == line && strcmp(p.file, file) == 0)
            return i;
        step_over(&p, &t->list[i]);
    }
    return -1;
}

int translated_never_sets(const char *file, int line, const char *name)
{
    const struct tokens *t = &translated;
    const int at = token_of_line(t, file, line);
    for (int i = 0, unused, function; at >= 0 && i < t->count; i++) {
        if ((!token_is(t, i, "__global__") && !token_is(t, i, "__device__")) ||
            declares_variable(t, i, &unused))
            continue;
        const int body = function_body(t, i, &function),
                  end = body < 0 ? body : token_closing(t, body);
        if (i <= at && at <= end) /* a kernel may stand on one line */
            return !is_set_between(t, i, end, name);
    }
    return 0;
}

int translate(const char *source, size_t length, int is_whole_program, FILE *out)
{
    struct tokens *t = &translated;
    tokens_read(t, source, length);
    kernel_count = 0; /* another file's: their names point into its text, which is gone */
    translate_bounds(t);
    collect_kernels(t);
    join_spaced_launches(t);
    int errors = translate_launches(t) + check_host_code(t) + check_kernel_types(t);
    translate_kernel_arguments(t);
    translate_class_constants(t);
    translate_shared(t);
    errors += translate_device_bodies(t);
    translate_qualifiers(t);
    register_kernels(t, is_whole_program);
    translate_library_calls(t);
    name_allocations(t);
    check_sizes(t);
    for (int i = 0; i < t->count; i++)
        if (token_is(t, i, "asm") || token_is(t, i, "__asm__") || token_is(t, i, "__asm")) {
            const char *problem = translate_ptx(t, i);
            if (problem) {
                complain(t, i, problem);
                errors++;
            }
        }
    if (!errors)
        tokens_write(t, out);
    return errors;
}
