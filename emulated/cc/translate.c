/* translate.c: the few places where CUDA C is no C++.
 *
 *   kernel<<<grid, block>>>(a, b)      ::emulated::launch("kernel", kernel, grid, block)(a, b)
 *   the same with a template kernel    ::emulated::launch_any("kernel", [&](auto... a) { kernel(a...); }, ...)(a, b)
 *   extern __shared__ T x[];           T (*const x) = (T (*))emulated_dynamic_shared;
 *   __shared__ T x;                    static __constinit __thread T x; and a guard: memory that nobody may touch
 *   __device__ T x; __constant__ T x;  a section attribute
 *   __device__ T f(T x) { }            always inlined, as nvcc does it: what a call passes in memory is not instrumented
 *   (void *)kernel as an argument      kernel: the runtime's templates want to know its parameters
 *   asm("ld.global..." : ...)          a call (ptx.c)
 *   memcpy(a, b, n)                    ::emulated_memcpy(a, b, n), which looks where a and b point; free() likewise
 *
 * Comments and strings are left alone, and no newline is added or removed: a compiler's message about the result
 * names the author's line. */
#include "translate.h"

#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "tokens.h"

struct kernel {
    const char *name;
    size_t length;
    int template, definitions;
};

static struct kernel *kernels;
static int kernel_count;

static struct kernel *find_kernel(const struct token *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].length == name->length && memcmp(kernels[i].name, name->text, name->length) == 0)
            return &kernels[i];
    return NULL;
}

static struct kernel *add_kernel(const struct token *name)
{
    struct kernel *k = find_kernel(name);
    if (k)
        return k;
    kernels = realloc(kernels, (size_t)(kernel_count + 1) * sizeof *kernels);
    if (!kernels) {
        fprintf(stderr, "emulated-cc: out of memory\n");
        exit(2);
    }
    k = &kernels[kernel_count++];
    memset(k, 0, sizeof *k);
    k->name = name->text;
    k->length = name->length;
    return k;
}

static int is_attribute(const struct tokens *t, int i)
{
    return token_is(t, i, "__attribute__") || token_is(t, i, "alignas") || token_is(t, i, "__declspec")
           || token_is(t, i, "decltype") || token_is(t, i, "__launch_bounds__");
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

static void collect_kernels(const struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "__global__"))
            continue;
        int open = token_next(t, i);
        while (open < t->count && !token_is(t, open, "(") && !token_is(t, open, ";") && !token_is(t, open, "{"))
            open = token_next(t, is_attribute(t, open) ? token_closing(t, token_next(t, open)) : open);
        int name = token_previous(t, open);
        if (token_is(t, name, ">"))
            name = token_previous(t, token_opening(t, name));
        if (!token_is(t, open, "(") || !token_kind_is(t, name, NAME))
            continue;
        struct kernel *k = add_kernel(&t->list[name]);
        k->template |= is_template_declaration(t, i);
        k->definitions += token_is(t, token_next(t, token_closing(t, open)), "{");
    }
}

/* The first token of the expression that ends at i: name, a::b<c>, table[i], (expression), object.member. */
static int expression_begin(const struct tokens *t, int i, int *last_name)
{
    *last_name = -1;
    for (;;) {
        if (token_is(t, i, ">") || token_is(t, i, ">>") || token_is(t, i, ")") || token_is(t, i, "]")) {
            i = token_opening(t, i);
            int before = token_previous(t, i);
            if (i < 0 || (token_is(t, i, "(") && !token_kind_is(t, before, NAME) && !token_is(t, before, "]")))
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
        int global = token_is(t, before, "::") && !token_kind_is(t, left, NAME) && !token_is(t, left, ">");
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

/* Where token i stands, by the line markers of the preprocessor. */
static void complain(const struct tokens *t, int at, const char *message)
{
    int line = 1;
    char file[512] = "";
    for (int i = 0; i < at; i++) {
        const struct token *k = &t->list[i];
        int marked;
        if (k->kind == SPACE && k->text[0] == '#' && sscanf(k->text, "# %d \"%511[^\"]\"", &marked, file) == 2) {
            line = marked - 1;
            continue;
        }
        for (size_t c = 0; c < k->length; c++)
            line += k->text[c] == '\n';
    }
    fprintf(stderr, "%s:%d: error: %s\n", file, line, message);
}

static char *without_quotes(char *s)
{
    for (char *p = s; *p; p++)
        if (*p == '"' || *p == '\\')
            *p = '\'';
    return s;
}

static int translate_launches(struct tokens *t)
{
    int errors = 0;
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "<<<") || token_is(t, token_previous(t, i), "operator"))
            continue;
        int name, last = token_previous(t, i), first = expression_begin(t, last, &name);
        int end = configuration_end(t, i), open = token_next(t, end);
        if (first < 0 || end < 0 || !token_is(t, open, "(")) {
            complain(t, i, "this kernel launch is not understood: expected kernel<<<grid, block>>>(arguments)");
            errors++;
            continue;
        }
        char *text = tokens_text(t, first, last);
        const struct kernel *k = name < 0 ? NULL : find_kernel(&t->list[name]);
        char *label = without_quotes(format("%s", text));
        if (k && (k->template || k->definitions > 1)) {
            t->list[first].before = format("::emulated::launch_any(\"%s\",[&](auto...emulated_a){", label);
            t->list[last].after = "(emulated_a...);}";
            for (int a = open; a < token_closing(t, open); a++)
                if (token_is(t, a, "__null"))
                    token_replace(t, a, "nullptr");
        } else
            t->list[first].before = format("::emulated::launch(\"%s\",", label);
        token_replace(t, i, ",");
        token_replace(t, end, ")");
        free(text);
        free(label);
    }
    return errors;
}

/* extern __shared__ T x[]; with first at `extern` or `__shared__` and semicolon at its end. */
static void translate_dynamic_shared(struct tokens *t, int first, int semicolon)
{
    int bracket = first;
    while (bracket < semicolon && !token_is(t, bracket, "["))
        bracket = token_next(t, is_attribute(t, bracket) ? token_closing(t, token_next(t, bracket)) : bracket);
    if (bracket >= semicolon)
        return;
    int name = token_previous(t, bracket), rest = token_next(t, token_closing(t, bracket));
    char *type = format("%s", ""), *dimensions = rest < semicolon ? tokens_text(t, rest, semicolon - 1) : "";
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
    token_replace(
        t, first,
        format("%s(*const %s)%s=(%s(*)%s)emulated_dynamic_shared", type, variable, dimensions, type, dimensions));
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

static void translate_shared(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        if (!token_is(t, i, "extern") && !token_is(t, i, "__shared__"))
            continue;
        int is_extern = 0, is_shared = 0, k = i;
        for (; k < t->count && !token_is(t, k, ";") && !token_is(t, k, "{") && !token_is(t, k, "=")
               && !token_is(t, k, "(");
             k = token_next(t, k)) {
            is_extern |= token_is(t, k, "extern");
            is_shared |= token_is(t, k, "__shared__");
            if (is_attribute(t, k))
                k = token_closing(t, token_next(t, k));
        }
        if (is_extern && is_shared && token_is(t, k, ";")) {
            translate_dynamic_shared(t, i, k);
            i = k;
        } else if (token_is(t, i, "__shared__")) {
            int before = token_previous(t, i), after = token_next(t, i);
            int already = token_is(t, before, "static");
            if (token_is(t, after, "static"))
                token_blank(t, after, after);
            int end = declaration_end(t, i);
            token_replace(t, i, already ? "__constinit __thread" : "static __constinit __thread");
            if (end >= 0) /* the compiler keeps definitions in order, or in reverse: it lies between two variables */
                token_replace(t, end,
                              format("; static __constinit __thread char emulated_guard_%d[256]"
                                     " __attribute__((used));",
                                     i));
        }
    }
}

/* Is the declaration with __device__ or __constant__ at i one of a variable, not of a function? */
static int declares_variable(const struct tokens *t, int i, int *is_const)
{
    int k = token_next(t, i);
    *is_const = token_is(t, token_previous(t, i), "const");
    while (k < t->count) {
        if (token_is(t, k, "operator") || token_is(t, k, "("))
            return 0;
        if (token_is(t, k, ";") || token_is(t, k, "=") || token_is(t, k, "{") || token_is(t, k, "["))
            return 1;
        *is_const |= token_is(t, k, "const");
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

/* ---- functions on the device ---- */

struct function {
    int name, body, end; /* tokens; name is -1 for an operator */
    int reached;
};

static struct function *functions;
static int function_count;

/* The { of the function whose __device__ is at i, or -1 when this is no definition of one. */
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

static int same_text(const struct token *a, const struct token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void collect_functions(const struct tokens *t)
{
    for (int i = 0, unused; i < t->count; i++) {
        int name, body;
        if (!token_is(t, i, "__device__") || declares_variable(t, i, &unused)
            || (body = function_body(t, i, &name)) < 0)
            continue;
        functions = realloc(functions, (size_t)(function_count + 1) * sizeof *functions);
        if (!functions) {
            fprintf(stderr, "emulated-cc: out of memory\n");
            exit(2);
        }
        struct function f = {name, body, token_closing(t, body), 0};
        functions[function_count++] = f;
    }
}

/* Marks what the function mentions, and what that mentions. */
static void reach(const struct tokens *t, const struct function *f)
{
    for (int i = f->body; i < f->end; i++)
        for (int k = 0; token_kind_is(t, i, NAME) && k < function_count; k++)
            if (!functions[k].reached && functions[k].name >= 0
                && same_text(&t->list[functions[k].name], &t->list[i])) {
                functions[k].reached = 1;
                reach(t, &functions[k]);
            }
}

/* A function that may come back to itself cannot be inlined. */
static int is_recursive(const struct tokens *t, int body)
{
    for (int k = 0; k < function_count; k++)
        functions[k].reached = 0;
    for (int k = 0; k < function_count; k++)
        if (functions[k].body == body) {
            reach(t, &functions[k]);
            return functions[k].reached;
        }
    return 1;
}

static int is_inlinable(const struct tokens *t, int i)
{
    int name, body = function_body(t, i, &name);
    for (int k = i; body >= 0 && k < body; k = token_next(t, k))
        if (token_is(t, k, "__noinline__"))
            return 0;
    for (int k = token_previous(t, i); k >= 0 && token_kind_is(t, k, NAME); k = token_previous(t, k))
        if (token_is(t, k, "__noinline__"))
            return 0;
    return body >= 0 && !is_recursive(t, body);
}

static void translate_qualifiers(struct tokens *t)
{
    collect_functions(t);
    for (int i = 0; i < t->count; i++) {
        int constant = token_is(t, i, "__constant__"), is_const;
        if (token_is(t, i, "__global__"))
            token_replace(t, i, "__attribute__((noinline))");
        else if (token_is(t, i, "__host__") || token_is(t, i, "__grid_constant__"))
            token_blank(t, i, i);
        else if (token_is(t, i, "__managed__"))
            token_replace(t, i, "__attribute__((section(\"emulated_device\")))");
        else if (token_is(t, i, "__noinline__")) {
            int before = token_previous(t, i);
            if (!token_is(t, before, "(") && !token_is(t, before, ","))
                token_replace(t, i, "__attribute__((noinline))");
        } else if (constant || token_is(t, i, "__device__")) {
            int before = token_previous(t, i), after = token_next(t, i);
            int variable = declares_variable(t, i, &is_const);
            int again = token_is(t, after, "__constant__") || token_is(t, before, "__constant__")
                        || token_is(t, after, "__managed__") || token_is(t, before, "__managed__");
            is_const |= !constant && again; /* __device__ says nothing more then */
            if (!variable && !constant && is_inlinable(t, i))
                token_replace(t, i, "__attribute__((always_inline))");
            else if (!variable || is_const)
                token_blank(t, i, i); /* a const variable lies in the executable's constants */
            else
                token_replace(t, i,
                              constant ? "__attribute__((section(\"emulated_constant\")))"
                                       : "__attribute__((section(\"emulated_device\")))");
        }
    }
}

/* cudaFuncSetAttribute((void *)kernel, ...) and its kin: take the cast away. */
static void translate_kernel_arguments(struct tokens *t)
{
    for (int i = 0; i < t->count; i++) {
        if (!token_kind_is(t, i, NAME) || t->list[i].length < 8 || memcmp(t->list[i].text, "cuda", 4) != 0)
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
        if (token_is(t, k, "void") && token_is(t, star, "*") && token_is(t, close, ")") && after->kind == NAME
            && find_kernel(after))
            token_blank(t, cast, close);
    }
}

/* Calls of the C library that take pointers: it is not instrumented. Declarations have a type before the name. */
static void translate_library_calls(struct tokens *t)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "free"};
    for (int i = 0; i < t->count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (!token_is(t, i, names[k]) || !token_is(t, token_next(t, i), "("))
                continue;
            int before = token_previous(t, i);
            int word = before >= 0 && token_kind_is(t, before, NAME) && !token_is(t, before, "return")
                       && !token_is(t, before, "else") && !token_is(t, before, "do");
            if (!word && !token_is(t, before, "*") && !token_is(t, before, "::") && !token_is(t, before, ".")
                && !token_is(t, before, "->") && !token_is(t, before, "&"))
                token_replace(t, i, format(" ::emulated_%s", names[k]));
        }
}

int translate(const char *source, size_t length, FILE *out)
{
    struct tokens t;
    tokens_read(&t, source, length);
    kernel_count = 0; /* another file's: their names point into its text, which is gone */
    collect_kernels(&t);
    int errors = translate_launches(&t);
    translate_kernel_arguments(&t);
    translate_shared(&t);
    translate_qualifiers(&t);
    translate_library_calls(&t);
    for (int i = 0; i < t.count; i++)
        if (token_is(&t, i, "asm") || token_is(&t, i, "__asm__") || token_is(&t, i, "__asm")) {
            const char *problem = translate_ptx(&t, i);
            if (problem) {
                complain(&t, i, problem);
                errors++;
            }
        }
    if (!errors)
        tokens_write(&t, out);
    return errors;
}
