/* ptx.c: see ptx.h. One instruction per asm statement, of the kinds that courses use: loads and stores with cache
 * hints or memory order, atomics, fences, special registers. They become calls of include/emulated/ptx.h. */
#include "ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 12, MAX_PARTS = 12 };

struct statement {
    char text[512];               /* the PTX, string literals joined */
    char *operands[MAX_OPERANDS]; /* C expressions, outputs first */
    int operand_count;
    char *parts[MAX_PARTS]; /* of the opcode, which dots separate */
    int part_count;
    char *arguments; /* what follows the opcode */
};

static const char unsupported[] =
    "this inline PTX is not there on the emulated device; put a plain version beside it: #ifdef __CUDA_EMULATED__";

/* Appends the contents of a string literal. Returns 0 if it does not fit. */
static int append_literal(char *to, size_t size, const struct token *k)
{
    size_t n = strlen(to);
    for (size_t i = 1; i + 1 < k->length; i++) {
        char c = k->text[i];
        if (c == '\\' && i + 2 < k->length) {
            c = k->text[++i];
            c = c == 'n' || c == 't' || c == 'r' ? ' ' : c;
        }
        if (n + 2 > size)
            return 0;
        to[n++] = c;
    }
    to[n] = '\0';
    return 1;
}

/* Reads asm ( "..." : "=r"(x), ... : "l"(p), ... : "memory" ); returns the closing parenthesis, or -1. */
static int read_statement(const struct tokens *t, int i, struct statement *s)
{
    memset(s, 0, sizeof *s);
    int k = token_next(t, i);
    while (token_is(t, k, "volatile") || token_is(t, k, "__volatile__") || token_is(t, k, "__volatile"))
        k = token_next(t, k);
    if (!token_is(t, k, "("))
        return -1;
    int close = token_closing(t, k), section = 0;
    for (k = token_next(t, k); k < close; k = token_next(t, k)) {
        if (token_is(t, k, ":"))
            section++;
        else if (token_is(t, k, "::"))
            section += 2;
        else if (section == 0 && token_kind_is(t, k, STRING)) {
            if (!append_literal(s->text, sizeof s->text, &t->list[k]))
                return -1;
        } else if (section == 1 || section == 2) {
            int open = token_next(t, k);
            if (token_kind_is(t, k, STRING) && token_is(t, open, "(") && s->operand_count < MAX_OPERANDS) {
                int end = token_closing(t, open);
                s->operands[s->operand_count++] = tokens_text(t, open + 1, end - 1);
                k = end;
            } else if (!token_is(t, k, ","))
                return -1;
        }
    }
    return close;
}

/* Cuts the text into opcode parts and arguments. Returns 0 if it is not exactly one instruction. */
static int split(struct statement *s)
{
    char *p = s->text + strspn(s->text, " \t{"), *end = p + strlen(p);
    while (end > p && strchr(" \t;}", end[-1]))
        *--end = '\0';
    if (strchr(p, ';'))
        return 0;
    char *opcode = p;
    p += strcspn(p, " \t");
    if (*p)
        *p++ = '\0';
    s->arguments = p;
    for (char *part = strtok(opcode, "."); part && s->part_count < MAX_PARTS; part = strtok(NULL, "."))
        s->parts[s->part_count++] = part;
    return s->part_count > 0;
}

static int has(const struct statement *s, const char *part)
{
    for (int i = 1; i < s->part_count; i++)
        if (strcmp(s->parts[i], part) == 0)
            return 1;
    return 0;
}

static const char *c_type(const char *ptx)
{
    static const char *const types[][2] = {{"f32", "float"},
                                           {"f64", "double"},
                                           {"u32", "unsigned int"},
                                           {"b32", "unsigned int"},
                                           {"s32", "int"},
                                           {"u64", "unsigned long long"},
                                           {"b64", "unsigned long long"},
                                           {"s64", "long long"},
                                           {"u16", "unsigned short"},
                                           {"b16", "unsigned short"},
                                           {"s16", "short"},
                                           {"u8", "unsigned char"},
                                           {"b8", "unsigned char"},
                                           {"s8", "signed char"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], ptx) == 0)
            return types[i][1];
    return NULL;
}

/* The arguments as C: %2 becomes operand 2, [%1+16] the address (char *)operand + 16, braces are dropped. */
static char *c_arguments(const struct statement *s)
{
    char *out = format("%s", "");
    for (const char *p = s->arguments; *p;) {
        char *piece, *longer;
        if (*p == '%' && isdigit((unsigned char)p[1])) {
            char *after;
            long n = strtol(p + 1, &after, 10);
            if (n >= s->operand_count)
                return NULL;
            p = after;
            piece = format("(%s)", s->operands[n]);
        } else if (*p == '[') {
            piece = format("%s", "::emulated::ptx_address(");
            p++;
        } else if (*p == ']') {
            piece = format("%s", ")");
            p++;
        } else if (*p == '+') {
            piece = format("%s", ",");
            p++;
        } else if (*p == '{' || *p == '}') {
            piece = format("%s", "");
            p++;
        } else if (*p == ',' || *p == ' ' || *p == '-' || isalnum((unsigned char)*p)) {
            piece = format("%c", *p);
            p++;
        } else
            return NULL;
        longer = format("%s%s", out, piece);
        free(out);
        free(piece);
        out = longer;
    }
    return out;
}

static const char *special_register(const char *arguments)
{
    static const char *const registers[][2] = {
        {"%laneid", "emulated_lane()"},
        {"%smid", "0"},
        {"%globaltimer", "emulated_clock()"},
        {"%clock64", "emulated_clock()"},
        {"%clock", "emulated_clock()"},
        {"%warpid", "(threadIdx.x+blockDim.x*(threadIdx.y+blockDim.y*threadIdx.z))/32"},
        {"%tid.x", "threadIdx.x"},
        {"%ctaid.x", "blockIdx.x"},
        {"%ntid.x", "blockDim.x"},
        {"%nctaid.x", "gridDim.x"},
        {"%lanemask_lt", "((1u<<emulated_lane())-1)"},
        {"%lanemask_eq", "(1u<<emulated_lane())"}};
    const char *p = strstr(arguments, "%%");
    for (size_t i = 0; p && i < sizeof registers / sizeof *registers; i++)
        if (strcmp(p + 1, registers[i][0]) == 0)
            return registers[i][1];
    return NULL;
}

/* The call that stands for the instruction, or NULL. */
static char *call(const struct statement *s)
{
    const char *opcode = s->parts[0], *type = c_type(s->parts[s->part_count - 1]);
    const char *scope = has(s, "cta") ? "1" : "0"; /* a fence for the block only */
    if (strcmp(opcode, "membar") == 0 || strcmp(opcode, "fence") == 0)
        return format("emulated_fence(%s)", scope);
    if (strcmp(opcode, "bar") == 0 || strcmp(opcode, "barrier") == 0)
        return strchr(s->arguments, ',') ? NULL : format("%s", "__syncthreads()");
    if (strncmp(opcode, "prefetch", 8) == 0 || strcmp(opcode, "discard") == 0)
        return format("%s", "(void)0");
    if (strcmp(opcode, "nanosleep") == 0)
        return format("%s", "emulated_nap()");
    if (strcmp(opcode, "mov") == 0 && special_register(s->arguments) && s->operand_count == 1)
        return format("(%s)=%s", s->operands[0], special_register(s->arguments));
    char *arguments = c_arguments(s);
    if (!type || !arguments)
        return NULL;
    const char *order = has(s, "acquire")   ? "acquire"
                        : has(s, "release") ? "release"
                        : has(s, "acq_rel") ? "acq_rel"
                                            : "relaxed";
    int strong = has(s, "volatile") || has(s, "relaxed") || has(s, "acquire") || has(s, "release");
    if (strcmp(opcode, "ld") == 0 || strcmp(opcode, "ldu") == 0)
        return format("::emulated::ptx_load%s%s<%s>(%s)%s", strong ? "_strong" : "",
                      has(s, "v4")   ? "4"
                      : has(s, "v2") ? "2"
                                     : "",
                      type, arguments, strcmp(order, "acquire") == 0 ? format(",emulated_fence(%s)", scope) : "");
    if (strcmp(opcode, "st") == 0)
        return format("%s::emulated::ptx_store%s%s<%s>(%s)",
                      strcmp(order, "release") == 0 ? format("emulated_fence(%s),", scope) : "",
                      strong ? "_strong" : "",
                      has(s, "v4")   ? "4"
                      : has(s, "v2") ? "2"
                                     : "",
                      type, arguments);
    int is_atom = strcmp(opcode, "atom") == 0;
    if (is_atom || strcmp(opcode, "red") == 0) {
        static const char *const operations[][2] = {{"add", "Add"}, {"exch", "Exch"}, {"min", "Min"}, {"max", "Max"},
                                                    {"and", "And"}, {"or", "Or"},     {"xor", "Xor"}, {"inc", "Inc"},
                                                    {"dec", "Dec"}, {"cas", "CAS"}};
        const char *releases = has(s, "release") || has(s, "acq_rel") ? format("emulated_fence(%s),", scope) : "";
        const char *acquires = has(s, "acquire") || has(s, "acq_rel") ? format(",emulated_fence(%s)", scope) : "";
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
            if (has(s, operations[i][0])) {
                const char *two = strcmp(operations[i][0], "cas") == 0 ? "c,v" : "v";
                return format("%s::emulated::ptx_%s<%s>([](%s*p,%s %s){return atomic%s(p,%s);},%s)%s", releases, opcode,
                              type, type, type, *two == 'c' ? format("c,%s v", type) : "v", operations[i][1], two,
                              arguments, acquires);
            }
    }
    return NULL;
}

/* Host assembly has no dots in its mnemonics; its directives (.globl in <iostream>) declare no registers. */
static int looks_like_ptx(const char *text)
{
    text += strspn(text, " \t{");
    if (*text == '.')
        return strncmp(text, ".reg", 4) == 0;
    size_t n = strcspn(text, " \t;");
    return n < strlen(text) && memchr(text, '.', n) != NULL;
}

const char *translate_ptx(struct tokens *t, int i)
{
    struct statement s;
    int close = read_statement(t, i, &s);
    if (close < 0)
        return s.text[0] && looks_like_ptx(s.text) ? unsupported : NULL;
    if (!looks_like_ptx(s.text))
        return NULL;
    char *replacement = split(&s) ? call(&s) : NULL;
    if (!replacement)
        return unsupported;
    token_blank(t, i, close);
    token_replace(t, i, replacement);
    return NULL;
}
