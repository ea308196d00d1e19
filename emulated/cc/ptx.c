/* ptx.c: see ptx.h. Instructions of the kinds that courses use: loads and stores with cache hints
 * or memory order, atomics, fences, special registers, arithmetic, bits, comparisons, votes and
 * shuffles, with registers and predicates of their own. They become calls of
 * include/emulated/ptx.h. */
#include "ptx.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPERANDS = 160, MAX_PARTS = 16, MAX_REGISTERS = 64 };

struct statement {
    char text[8192];              /* the PTX, string literals joined */
    char *operands[MAX_OPERANDS]; /* C expressions, outputs first */
    int operand_count;
    char *registers[MAX_REGISTERS]; /* that it declares */
    int register_count;
    char *labels;           /* a declaration of all, or NULL */
    char *parts[MAX_PARTS]; /* of the opcode of one instruction, which dots separate */
    int part_count;
    char *arguments; /* what follows the opcode */
};

static const char unsupported[] = "this inline PTX is not there on the emulated device; put a "
                                  "plain version beside it: #ifdef __CUDA_EMULATED__";

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

/* Reads asm ( "..." : "=r"(x), ... : "l"(p), ... : "memory" ); returns the closing parenthesis, or
 * -1. */
static int read_statement(const struct tokens *t, int i, struct statement *s)
{
    memset(s, 0, sizeof *s);
    int k = token_next(t, i);
    while (token_is(t, k, "volatile") || token_is(t, k, "__volatile__") ||
           token_is(t, k, "__volatile"))
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
            if (token_kind_is(t, k, STRING) && token_is(t, open, "(") &&
                s->operand_count < MAX_OPERANDS) {
                int end = token_closing(t, open);
                s->operands[s->operand_count++] = tokens_text(t, open + 1, end - 1);
                k = end;
            } else if (!token_is(t, k, ","))
                return -1;
        }
    }
    return close;
}

/* Cuts an instruction into opcode parts and arguments. */
static void split(struct statement *s, char *instruction)
{
    s->part_count = 0;
    char *opcode = instruction, *p = instruction + strcspn(instruction, " \t");
    if (*p)
        *p++ = '\0';
    s->arguments = p;
    for (char *part = strtok(opcode, "."); part && s->part_count < MAX_PARTS;
         part = strtok(NULL, "."))
        s->parts[s->part_count++] = part;
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

/* A register of the statement's own as a variable, or NULL. */
static char *own_register(const struct statement *s, const char *name, size_t length)
{
    for (int i = 0; i < s->register_count; i++)
        if (strlen(s->registers[i]) == length && memcmp(s->registers[i], name, length) == 0)
            return format("ptx_%s", s->registers[i]);
    return NULL;
}

static int in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* The piece of C for what stands at *p, which moves behind it; NULL: nothing that we know. */
static char *c_piece(const struct statement *s, const char **p)
{
    const char *begin = *p;
    if (*begin == '%' && isdigit((unsigned char)begin[1])) {
        long n = strtol(begin + 1, (char **)p, 10);
        return n < s->operand_count ? format("(%s)", s->operands[n]) : NULL;
    }
    const char *name = begin + strspn(begin, "%"), *end = name;
    while (in_name(*end))
        end++;
    if (end > name) {
        *p = end;
        char *variable = own_register(s, name, (size_t)(end - name));
        const char kind = (char)tolower((unsigned char)name[1]);
        if (variable)
            return variable;
        if (end - name == 1 && *name == '_')
            return format("::emulated::ptx_nobody");
        if (name[0] == '0' && (kind == 'f' || kind == 'd')) /* the bits of a number */
            return format("::emulated::ptx_%s(0x%.*sull)", kind == 'f' ? "float" : "double",
                          (int)(end - name - 2), name + 2);
        return name == begin && isdigit((unsigned char)*name)
                   ? format("%.*s", (int)(end - name), name)
                   : NULL;
    }
    (*p)++;
    return *begin == '['                       ? format("%s", "::emulated::ptx_address(")
           : *begin == ']'                     ? format("%s", ")")
           : *begin == '+' || *begin == '|'    ? format("%s", ",")
           : *begin == '{' || *begin == '}'    ? format("%s", "")
           : strchr(", -\t", *begin) && *begin ? format("%c", *begin)
                                               : NULL;
}

/* The arguments as C: %2 becomes operand 2, [%1+16] the address (char *)operand + 16, braces are
 * dropped. */
static char *c_arguments(const struct statement *s)
{
    char *out = format("%s", "");
    for (const char *p = s->arguments; *p;) {
        char *piece = c_piece(s, &p);
        if (!piece)
            return NULL;
        char *longer = format("%s%s", out, piece);
        free(out);
        free(piece);
        out = longer;
    }
    return out;
}

/* The argument `n` as C, or NULL. Those in braces are taken together. */
static char *c_argument(const struct statement *s, int n)
{
    struct statement one = *s;
    const char *begin = s->arguments, *p = begin;
    for (int depth = 0;; p++) {
        depth += *p == '{' || *p == '[' ? 1 : *p == '}' || *p == ']' ? -1 : 0;
        if (*p && (*p != ',' || depth))
            continue;
        if (n-- == 0)
            break;
        if (!*p)
            return NULL;
        begin = p + 1;
    }
    begin += strspn(begin, " \t");
    one.arguments = format("%.*s", (int)(p - begin), begin);
    char *c = c_arguments(&one);
    free(one.arguments);
    return c;
}

static const char *special_register(const char *arguments)
{
    static const char *const registers[][2] = {
        {"%laneid", "emulated_lane()"},
        {"%smid", "0"},
        {"%cluster_ctarank", "emulated_block_rank"},
        {"%cluster_nctarank", "emulated_cluster_size"},
        {"%cluster_ctaid.x", "emulated_block_in_cluster.x"},
        {"%cluster_ctaid.y", "emulated_block_in_cluster.y"},
        {"%cluster_ctaid.z", "emulated_block_in_cluster.z"},
        {"%cluster_nctaid.x", "emulated_cluster_dim.x"},
        {"%cluster_nctaid.y", "emulated_cluster_dim.y"},
        {"%cluster_nctaid.z", "emulated_cluster_dim.z"},
        {"%clusterid.x", "emulated_cluster_index.x"},
        {"%clusterid.y", "emulated_cluster_index.y"},
        {"%clusterid.z", "emulated_cluster_index.z"},
        {"%nclusterid.x", "(gridDim.x/emulated_cluster_dim.x)"},
        {"%nclusterid.y", "(gridDim.y/emulated_cluster_dim.y)"},
        {"%nclusterid.z", "(gridDim.z/emulated_cluster_dim.z)"},
        {"%globaltimer", "emulated_clock()"},
        {"%clock64", "emulated_clock()"},
        {"%clock", "emulated_clock()"},
        {"%warpid", "(threadIdx.x+blockDim.x*(threadIdx.y+blockDim.y*threadIdx.z))/32"},
        {"%tid.x", "threadIdx.x"},
        {"%tid.y", "threadIdx.y"},
        {"%tid.z", "threadIdx.z"},
        {"%ctaid.x", "blockIdx.x"},
        {"%ctaid.y", "blockIdx.y"},
        {"%ctaid.z", "blockIdx.z"},
        {"%ntid.x", "blockDim.x"},
        {"%ntid.y", "blockDim.y"},
        {"%ntid.z", "blockDim.z"},
        {"%nctaid.x", "gridDim.x"},
        {"%nctaid.y", "gridDim.y"},
        {"%nctaid.z", "gridDim.z"},
        {"%dynamic_smem_size", "emulated_dynamic_shared_size()"},
        {"%lanemask_lt", "((1u<<emulated_lane())-1)"},
        {"%lanemask_le", "((2u<<emulated_lane())-1)"},
        {"%lanemask_gt", "(~1u<<emulated_lane())"},
        {"%lanemask_ge", "(~0u<<emulated_lane())"},
        {"%lanemask_eq", "(1u<<emulated_lane())"}};
    const char *p = strrchr(arguments, '%'); /* nvcc takes %laneid for %%laneid */
    for (size_t i = 0; p && i < sizeof registers / sizeof *registers; i++)
        if (strcmp(p, registers[i][0]) == 0)
            return registers[i][1];
    return NULL;
}

/* The call that stands for the instruction, or NULL. */
static char *call(const struct statement *s)
{
    const char *opcode = s->parts[0], *type = c_type(s->parts[s->part_count - 1]);
    const char *scope = has(s, "cta") ? "1" : "0"; /* a fence for the block only */
    if (strcmp(opcode, "fence") == 0 && has(s, "proxy"))
        return format(has(s, "async") ? "emulated_fence_proxy()" : "emulated_fence(0)");
    if (strcmp(opcode, "membar") == 0 || strcmp(opcode, "fence") == 0)
        return format("emulated_fence(%s)", scope);
    if (strcmp(opcode, "barrier") == 0 && has(s, "cluster"))
        return has(s, "arrive") ? format("emulated_cluster_arrive(%d)", has(s, "relaxed"))
                                : format("%s", "emulated_cluster_wait(__builtin_LINE())");
    if (strcmp(opcode, "bar") == 0 && has(s, "warp"))
        return c_argument(s, 0) ? format("__syncwarp(%s)", c_argument(s, 0)) : NULL;
    if (strcmp(opcode, "bar") == 0 || strcmp(opcode, "barrier") == 0) {
        const char *number = c_argument(s, 0), *threads = c_argument(s, 1);
        if (!number || (!threads && strcmp(number, "0") == 0 && !has(s, "arrive")))
            return format("%s", "__syncthreads()");
        return has(s, "red") ? NULL
                             : format("emulated_named_barrier(%s,%s,%d)", number,
                                      threads ? threads : "0", !has(s, "arrive"));
    }
    if (strncmp(opcode, "prefetch", 8) == 0 || strcmp(opcode, "discard") == 0)
        return format("%s", "(void)0");
    if (strcmp(opcode, "nanosleep") == 0)
        return format("%s", "emulated_nap()");
    if (strcmp(opcode, "mov") == 0 && special_register(s->arguments)) {
        char *target = c_argument(s, 0);
        return target ? format("::emulated::ptx_set(%s,%s)", target, special_register(s->arguments))
                      : NULL;
    }
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
                      type, arguments,
                      strcmp(order, "acquire") == 0 ? format(",emulated_fence(%s)", scope) : "");
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
        static const char *const operations[][2] = {
            {"add", "Add"}, {"exch", "Exch"}, {"min", "Min"}, {"max", "Max"}, {"and", "And"},
            {"or", "Or"},   {"xor", "Xor"},   {"inc", "Inc"}, {"dec", "Dec"}, {"cas", "CAS"}};
        const char *releases =
            has(s, "release") || has(s, "acq_rel") ? format("emulated_fence(%s),", scope) : "";
        const char *acquires =
            has(s, "acquire") || has(s, "acq_rel") ? format(",emulated_fence(%s)", scope) : "";
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
            if (has(s, operations[i][0])) {
                const char *two = strcmp(operations[i][0], "cas") == 0 ? "c,v" : "v";
                return format(
                    "%s::emulated::ptx_%s<%s>([](%s*p,%s %s){return atomic%s(p,%s);},%s)%s",
                    releases, opcode, type, type, type, *two == 'c' ? format("c,%s v", type) : "v",
                    operations[i][1], two, arguments, acquires);
            }
    }
    return NULL;
}

/* Arithmetic, bits, comparisons, votes: ptx_NAME<type>(sources), where NAME is the opcode with
 * those of its parts that say what it computes. */
static const struct {
    const char *name;
    int sources;
} functions[] = {{"add", 2},         {"sub", 2},
                 {"mul", 2},         {"mul_lo", 2},
                 {"mul_hi", 2},      {"mul_wide", 2},
                 {"mad_lo", 3},      {"mad_hi", 3},
                 {"mad_wide", 3},    {"fma", 3},
                 {"mad", 3},         {"div", 2},
                 {"rem", 2},         {"abs", 1},
                 {"neg", 1},         {"min", 2},
                 {"max", 2},         {"and", 2},
                 {"or", 2},          {"xor", 2},
                 {"not", 1},         {"cnot", 1},
                 {"shl", 2},         {"shr", 2},
                 {"popc", 1},        {"clz", 1},
                 {"brev", 1},        {"bfind", 1},
                 {"bfe", 3},         {"bfi", 4},
                 {"prmt", 3},        {"lop3", 4},
                 {"shf_l_wrap", 3},  {"shf_r_wrap", 3},
                 {"shf_l_clamp", 3}, {"shf_r_clamp", 3},
                 {"sad", 3},         {"sqrt", 1},
                 {"rcp", 1},         {"rsqrt", 1},
                 {"ex2", 1},         {"lg2", 1},
                 {"sin", 1},         {"cos", 1},
                 {"copysign", 2},    {"selp", 3},
                 {"setp_eq", 2},     {"setp_ne", 2},
                 {"setp_lt", 2},     {"setp_le", 2},
                 {"setp_gt", 2},     {"setp_ge", 2},
                 {"mov", 1},         {"vote_ballot", 2},
                 {"vote_any", 2},    {"vote_all", 2},
                 {"shfl_idx", 4},    {"shfl_up", 4},
                 {"shfl_down", 4},   {"shfl_bfly", 4},
                 {"redux_add", 2},   {"redux_min", 2},
                 {"redux_max", 2},   {"redux_and", 2},
                 {"redux_or", 2},    {"redux_xor", 2},
                 {"match_any", 2},   {"activemask", 0},
                 {"cvta", 1},        {"cvta_to_shared", 1},
                 {"cvta_shared", 1}, {"cvta_to", 1},
                 {"dp4a", 3},        {"add_sat", 2},
                 {"fma_sat", 3},     {"mul_sat", 2}};

static int says_what(const char *part)
{
    static const char *const parts[] = {
        "lo",  "hi",  "wide", "l",      "r",   "wrap", "clamp",  "eq", "ne",   "lt",
        "le",  "gt",  "ge",   "ballot", "any", "all",  "idx",    "up", "down", "bfly",
        "add", "min", "max",  "and",    "or",  "xor",  "shared", "to", "sat"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i], part) == 0)
            return 1;
    return 0;
}
static int says_nothing(const char *part)
{
    static const char *const parts[] = {"rn",   "ftz",     "approx", "full",
                                        "sync", "aligned", "global", "gpu"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i], part) == 0)
            return 1;
    return c_type(part) != NULL || strcmp(part, "pred") == 0;
}

/* cvt.rzi.s32.f32 and the like */
static char *conversion(const struct statement *s)
{
    const char *from = c_type(s->parts[s->part_count - 1]),
               *to = s->part_count > 2 ? c_type(s->parts[s->part_count - 2]) : NULL;
    char *target = c_argument(s, 0), *source = c_argument(s, 1);
    const int down = has(s, "rmi") || has(s, "rm"), up = has(s, "rpi") || has(s, "rp"),
              cut = has(s, "rzi") || has(s, "rz");
    if (has(s, "tf32"))
        return target && source ? format("::emulated::ptx_set(%s,::emulated::ptx_tf32(::emulated::"
                                         "ptx_get<float>(%s)))",
                                         target, source)
                                : NULL;
    if (!from || !to || !target || !source || has(s, "sat"))
        return NULL;
    return format(
        "::emulated::ptx_set(%s,::emulated::ptx_cvt<%s,%s>(%d,::emulated::ptx_get<%s>(%s)))",
        target, to, from,
        cut    ? 1
        : down ? 2
        : up   ? 3
               : 0,
        from, source);
}

/* mov.b64 %0, {%1, %2} and the other way round */
static char *packing(const struct statement *s, const char *type)
{
    const char *first = s->arguments + strspn(s->arguments, " \t"),
               *comma = strrchr(s->arguments, '{');
    char *target = c_argument(s, 0), *source = c_argument(s, 1);
    if (!comma || !type || !target || !source)
        return NULL;
    return *first == '{' ? format("::emulated::ptx_unpack<%s>(%s,%s)", type, source, target)
                         : format("::emulated::ptx_pack<%s>(%s,%s)", type, target, source);
}

static char *arithmetic(const struct statement *s)
{
    char name[64];
    const char *type = c_type(s->parts[s->part_count - 1]);
    if (strcmp(s->parts[0], "cvt") == 0)
        return conversion(s);
    if (strcmp(s->parts[0], "mov") == 0 && strchr(s->arguments, '{'))
        return packing(s, type);
    snprintf(name, sizeof name, "%s", s->parts[0]);
    for (int i = 1; i < s->part_count; i++)
        if (says_what(s->parts[i]) && strlen(name) + strlen(s->parts[i]) + 2 < sizeof name) {
            strcat(name, "_");
            strcat(name, s->parts[i]);
        } else if (!says_nothing(s->parts[i]))
            return NULL;
    size_t f = 0;
    while (f < sizeof functions / sizeof *functions && strcmp(functions[f].name, name) != 0)
        f++;
    char *target = c_argument(s, 0), *list = format("%s", "");
    if (f == sizeof functions / sizeof *functions || !target || strchr(s->arguments, '|') ||
        c_argument(s, functions[f].sources + 1))
        return NULL;
    for (int i = 0; i < functions[f].sources; i++) {
        char *source = c_argument(s, i + 1);
        if (!source)
            return NULL;
        list = format("%s%s%s", list, i ? "," : "", source);
    }
    return format("::emulated::ptx_set(%s,::emulated::ptx_%s<%s>(%s))", target, name,
                  type ? type : "bool", list);
}

/* cp.async of whole pieces, and what waits for it */
static char *asynchronous(const struct statement *s)
{
    if (strcmp(s->parts[0], "cp") != 0 || !has(s, "async") || has(s, "bulk") || has(s, "mbarrier"))
        return NULL;
    if (has(s, "commit_group"))
        return format("emulated_async_commit()");
    if (has(s, "wait_all"))
        return format("emulated_async_wait(-1)");
    char *first = c_argument(s, 0), *source = c_argument(s, 1), *bytes = c_argument(s, 2),
         *there = c_argument(s, 3);
    if (has(s, "wait_group"))
        return first ? format("emulated_async_wait(%s)", first) : NULL;
    if (!first || !source || !bytes)
        return NULL;
    return format("::emulated::ptx_copy(%s,%s,%s,%s)", first, source, bytes, there ? there : bytes);
}

/* ---- what newer devices have: instructions that are one call each ---- */

/* $1: argument 1; ${1}: what stands within its brackets; $1:5: 5 if there is none. $=: assigns to
 * argument 0, unless that is _. */
static const char *const calls[][2] = {
    {"mapa", "$=::emulated::ptx_mapa($1,$2)"},
    {"getctarank", "$=emulated_shared_rank(::emulated::ptx_address($1))"},
    {"elect", "::emulated::ptx_elect($0,$1)"},
    {"mbarrier.init", "emulated_mbarrier_init($0,$1)"},
    {"mbarrier.inval", "emulated_mbarrier_inval($0)"},
    {"mbarrier.expect_tx", "emulated_mbarrier_expect($0,$1)"},
    {"mbarrier.arrive", "$=emulated_mbarrier_arrive($1,$2:1,0,0)"},
    {"mbarrier.arrive.noComplete", "$=emulated_mbarrier_arrive($1,$2,0,0)"},
    {"mbarrier.arrive.expect_tx", "$=emulated_mbarrier_arrive($1,1,0,$2)"},
    {"mbarrier.arrive_drop", "$=emulated_mbarrier_arrive($1,$2:1,1,0)"},
    {"mbarrier.arrive_drop.expect_tx", "$=emulated_mbarrier_arrive($1,1,1,$2)"},
    {"mbarrier.test_wait", "$=emulated_mbarrier_test($1,$2,0)"},
    {"mbarrier.try_wait", "$=emulated_mbarrier_test($1,$2,0)"},
    {"mbarrier.test_wait.parity", "$=emulated_mbarrier_test($1,$2,1)"},
    {"mbarrier.try_wait.parity", "$=emulated_mbarrier_test($1,$2,1)"},
    {"mbarrier.pending_count", "$=emulated_mbarrier_pending($1)"},
    {"cp.async.mbarrier.arrive", "emulated_mbarrier_arrive_copies($0,1)"},
    {"cp.async.mbarrier.arrive.noinc", "emulated_mbarrier_arrive_copies($0,0)"},
    {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes",
     "emulated_bulk_load($0,$1,$2,$3,0)"},
    {"cp.async.bulk.shared.shared.mbarrier::complete_tx::bytes",
     "emulated_bulk_load($0,$1,$2,$3,0)"},
    {"cp.async.bulk.shared.global.mbarrier::complete_tx::bytes.multicast::cluster",
     "emulated_bulk_load($0,$1,$2,$3,$4)"},
    {"cp.async.bulk.global.shared.bulk_group", "emulated_bulk_store($0,$1,$2)"},
    {"cp.async.bulk.commit_group", "emulated_bulk_commit()"},
    {"cp.async.bulk.wait_group", "emulated_bulk_wait($0,0)"},
    {"cp.async.bulk.wait_group.read", "emulated_bulk_wait($0,1)"},
    {"cp.async.bulk.prefetch.L2.global", "(void)0"},
#define TENSOR(d)                                                                                  \
    {"cp.async.bulk.tensor." d ".shared.global.mbarrier::complete_tx::bytes",                      \
     "::emulated::ptx_tensor_load(0,$0,$2,${1})"},                                                 \
        {"cp.async.bulk.tensor." d ".shared.global.mbarrier::complete_tx::bytes."                  \
         "multicast::cluster",                                                                     \
         "::emulated::ptx_tensor_load($3,$0,$2,${1})"},                                            \
        {"cp.async.bulk.tensor." d ".global.shared.bulk_group",                                    \
         "::emulated::ptx_tensor_store($1,${0})"},                                                 \
    {                                                                                              \
        "cp.async.bulk.prefetch.tensor." d ".L2.global", "(void)0"                                 \
    }
    TENSOR("1d"),
    TENSOR("2d"),
    TENSOR("3d"),
    TENSOR("4d"),
    TENSOR("5d"),
#undef TENSOR
#define MATRICES(x)                                                                                \
    {"ldmatrix.m8n8." x, "::emulated::ptx_ldmatrix(0,$1,::emulated::ptx_places($0))"},             \
        {"ldmatrix.m8n8." x ".trans",                                                              \
         "::emulated::ptx_ldmatrix(1,$1,::emulated::ptx_places($0))"},                             \
        {"stmatrix.m8n8." x, "::emulated::ptx_stmatrix(0,$0,::emulated::ptx_words($1))"},          \
    {                                                                                              \
        "stmatrix.m8n8." x ".trans", "::emulated::ptx_stmatrix(1,$0,::emulated::ptx_words($1))"    \
    }
    MATRICES("x1"),
    MATRICES("x2"),
    MATRICES("x4"),
#undef MATRICES
    {"wgmma.fence", "(void)0"},
    {"wgmma.commit_group", "emulated_wgmma_commit()"},
    {"wgmma.wait_group", "emulated_wgmma_wait($0)"},
    {"griddepcontrol.wait", "(void)0"},
    {"griddepcontrol.launch_dependents", "(void)0"},
    {"setmaxnreg.inc", "(void)0"},
    {"setmaxnreg.dec", "(void)0"},
};

/* The opcode without what does not matter here: order, scope, type. `spaces`: whether it keeps
 * where memory lies. */
static char *name_of(const struct statement *s, int spaces)
{
    static const char *const noise[] = {"relaxed", "acquire", "release",       "acq_rel", "cta",
                                        "cluster", "gpu",     "sys",           "sync",    "aligned",
                                        "tile",    "weak",    "L2::cache_hint"};
    char *name = format("%s", s->parts[0]);
    for (int i = 1; i < s->part_count; i++) {
        const char *part = strncmp(s->parts[i], "shared", 6) == 0 ? "shared" : s->parts[i];
        int matters =
            !c_type(part) && (spaces || (strcmp(part, "shared") && strcmp(part, "global")));
        for (size_t k = 0; k < sizeof noise / sizeof *noise; k++)
            matters &= strcmp(noise[k], part) != 0;
        if (matters) {
            char *longer = format("%s.%s", name, part);
            free(name);
            name = longer;
        }
    }
    return name;
}

/* Argument n without its outer brackets */
static char *c_inside(const struct statement *s, int n)
{
    char *c = c_argument(s, n);
    const char begin[] = "::emulated::ptx_address(";
    return c && strncmp(c, begin, sizeof begin - 1) == 0
               ? format("%.*s", (int)(strlen(c) - sizeof begin), c + sizeof begin - 1)
               : NULL;
}

static char *fill_in(const struct statement *s, const char *pattern)
{
    char *out = format("%s", "");
    for (const char *p = pattern; *p;) {
        char *piece;
        if (p[0] != '$') {
            piece = format("%c", *p++);
        } else if (p[1] == '=') {
            const char *target = s->arguments + strspn(s->arguments, " \t");
            const int none = target[0] == '_' && !in_name(target[1]);
            char *first = none ? format("%s", "") : c_argument(s, 0);
            char *rest = fill_in(s, p + 2);
            return !first || !rest ? NULL
                   : none          ? format("%s(void)%s", out, rest)
                                   : format("::emulated::ptx_set(%s,%s)", first, rest);
        } else {
            const int inside = p[1] == '{', n = p[1 + inside] - '0';
            piece = inside ? c_inside(s, n) : c_argument(s, n);
            p += inside ? 4 : 2;
            if (*p == ':') {
                if (!piece)
                    piece = format("%c", p[1]);
                p += 2;
            }
        }
        if (!piece)
            return NULL;
        char *longer = format("%s%s", out, piece);
        free(out);
        free(piece);
        out = longer;
    }
    return out;
}

/* mma and wgmma.mma_async: the factors' and the sum's types, and the shape */
static char *product(const struct statement *s)
{
    static const char *const types[][2] = {{"f32", "f16"}, {"f32", "bf16"}, {"f32", "tf32"},
                                           {"f16", "f16"}, {"s32", "s8"},   {"s32", "u8"}};
    const int by_group = strcmp(s->parts[0], "wgmma") == 0 && has(s, "mma_async");
    int m, n, k, type = -1, at = 1;
    if ((!by_group && strcmp(s->parts[0], "mma") != 0) || has(s, "sp"))
        return NULL;
    while (at < s->part_count && sscanf(s->parts[at], "m%dn%dk%d", &m, &n, &k) != 3)
        at++;
    at += by_group ? 1 : 3; /* row.col */
    if (at + 2 >= s->part_count || m != (by_group ? 64 : 16) || (!by_group && n != 8) ||
        strcmp(s->parts[at + 1], s->parts[at + 2]) != 0)
        return NULL;
    for (int i = 0; i < 6; i++)
        if (strcmp(types[i][0], s->parts[at]) == 0 && strcmp(types[i][1], s->parts[at + 1]) == 0)
            type = i;
    if (type < 0)
        return NULL;
    if (!by_group)
        return fill_in(s, format("::emulated::ptx_mma(%d,::emulated::ptx_places($0),"
                                 "::emulated::ptx_words($1),::emulated::ptx_words($2),"
                                 "::emulated::ptx_words($3))",
                                 type));
    const char *after = strchr(s->arguments, '}');
    const int in_registers = after && strchr(after, '{') != NULL;
    char *call = format(in_registers ? "::emulated::ptx_wgmma(%d,%d,::emulated::ptx_places($0),"
                                       "::emulated::ptx_words($1),$2,$3"
                                     : "::emulated::ptx_wgmma(%d,%d,::emulated::ptx_places($0),"
                                       "$1,$2,$3",
                        type, n);
    for (int i = 4; i < 8 && c_argument(s, i); i++)
        call = format("%s,$%d", call, i);
    return fill_in(s, format("%s)", call));
}

static char *one_call(const struct statement *s)
{
    for (int spaces = 1; spaces >= 0; spaces--) {
        char *name = name_of(s, spaces);
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
            if (strcmp(calls[i][0], name) == 0)
                return fill_in(s, calls[i][1]);
        free(name);
    }
    return NULL;
}

/* Declares the registers of `.reg .b32 a, b<4>;`; NULL: of a type that is not there. */
static char *declaration(struct statement *s, char *text)
{
    char *type = strtok(text, " \t"), *out = format("%s", "");
    type = type && strcmp(type, ".reg") == 0 ? strtok(NULL, " \t") : NULL;
    const char *c = !type ? NULL : strcmp(type, ".pred") == 0 ? "bool" : c_type(type + 1);
    for (char *name = c ? strtok(NULL, " \t,") : NULL; name; name = strtok(NULL, " \t,")) {
        name += strspn(name, "%");
        const size_t length = strcspn(name, "<");
        const int count = name[length] ? atoi(name + length + 1) : 0;
        for (int i = 0; i < (count ? count : 1); i++) {
            if (s->register_count == MAX_REGISTERS)
                return NULL;
            char *one =
                count ? format("%.*s%d", (int)length, name, i) : format("%.*s", (int)length, name);
            s->registers[s->register_count++] = one;
            out = format("%s%s ptx_%s=0;", out, c, one);
        }
    }
    return *out ? out : NULL;
}

/* A label's name as C has it: L%= and $L1 have characters that are none of a name's. */
static char *label_of(const char *text)
{
    char *name = format("ptx_label_%s", text + strspn(text, " \t"));
    for (char *p = name; *p; p++)
        if (!in_name(*p) || *p == '$')
            *p = '_';
    return name;
}

/* The labels of the statement, each of them declared as its own; NULL: there are none. */
static char *labels(const char *text)
{
    char *out = NULL;
    for (const char *p = text; *p; p++) {
        const char *begin = p;
        while (in_name(*p) || *p == '%' || *p == '=')
            p++;
        if (p > begin && *p == ':' && p[1] != ':' && (begin == text || begin[-1] != ':')) {
            char *name = format("%.*s", (int)(p - begin), begin);
            out = format("%s%s%s", out ? out : "__label__ ", out ? "," : "", label_of(name));
            free(name);
        }
        if (!*p)
            break;
        p += *p == ':' && p[1] == ':';
    }
    return out;
}

/* The colon of the label that the instruction begins with, or NULL */
static char *label_end(char *text)
{
    char *p = text;
    while (in_name(*p) || *p == '%' || *p == '=')
        p++;
    return p > text && *p == ':' && p[1] != ':' ? p : NULL;
}

/* One instruction as C, or NULL */
static char *instruction(struct statement *s, char *text)
{
    char *guard = NULL;
    if (*text == '@') {
        const int negated = text[1] == '!';
        char *name = text + 1 + negated;
        name += strspn(name, "%");
        const size_t length = strcspn(name, " \t");
        char *variable = own_register(s, name, length);
        if (!variable)
            return NULL;
        guard = format("if(%s%s)", negated ? "!" : "", variable);
        text = name + length;
        text += strspn(text, " \t");
    }
    if (strcmp(text, "bra") == 0 || strncmp(text, "bra.", 4) == 0 ||
        strncmp(text, "bra ", 4) == 0) {
        char *label = label_of(text + strcspn(text, " \t"));
        const char *known = s->labels ? strstr(s->labels, label) : NULL;
        if (!known || in_name(known[strlen(label)]))
            return NULL;
        return guard ? format("%sgoto %s", guard, label) : format("goto %s", label);
    }
    split(s, text);
    char *c = s->part_count == 0 ? NULL : one_call(s);
    if (!c && s->part_count)
        c = product(s);
    if (!c && s->part_count)
        c = call(s);
    if (!c && s->part_count)
        c = asynchronous(s);
    if (!c && s->part_count)
        c = arithmetic(s);
    return c && guard ? format("%s{%s;}", guard, c) : c;
}

/* All of the statement as one C expression, or NULL */
static char *whole(struct statement *s)
{
    s->labels = labels(s->text);
    char *text = s->text, *last = NULL,
         *out = s->labels ? format("%s;", s->labels) : format("%s", "");
    int count = s->labels != NULL;
    while (text && *text) {
        char *end = strchr(text, ';');
        if (end)
            *end++ = '\0';
        text += strspn(text, " \t{}");
        for (char *back = text + strlen(text); back > text && strchr(" \t", back[-1]);)
            *--back = '\0';
        if (strcmp(text, "}") == 0)
            *text = '\0';
        if (*text) {
            for (char *colon; (colon = label_end(text)) != NULL; text = colon) {
                *colon++ = '\0';
                out = format("%s%s: ", out, label_of(text));
                colon += strspn(colon, " \t{}");
            }
            const int declares = strncmp(text, ".reg", 4) == 0;
            char *c = !*text     ? format("%s", "") /* a label at the end */
                      : declares ? declaration(s, text)
                                 : instruction(s, text);
            if (!c)
                return NULL;
            last = c;
            count++;
            out = format("%s%s;", out, c);
        }
        text = end;
    }
    return count == 0 ? NULL : count == 1 ? last : format("({%s})", out);
}

/* Host assembly has no dots in its mnemonics; its directives (.globl in <iostream>) declare no
 * registers. */
static int looks_like_ptx(const char *text)
{
    text += strspn(text, " \t{");
    if (!isdigit((unsigned char)*text) && label_end((char *)text))
        return 1;
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
    char *replacement = whole(&s);
    if (!replacement)
        return unsupported;
    token_blank(t, i, close);
    token_replace(t, i, replacement);
    return NULL;
}
