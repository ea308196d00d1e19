/* flow.c: see flow.h. It reads only jumps and labels of the assembler text, those of x86-64 and of
 * aarch64, where the first letters and a label .L12 as last operand mark a jump. For other machines
 * the tables are empty, and the order is that of the machine code. */
#define _GNU_SOURCE /* memrchr() */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "tokens.h"

enum kind { PLAIN, BRANCH, JUMP, JUMP_BY_TABLE, END };
enum { MOST_BLOCKS = 20000 }; /* visit() calls itself once for each */
/* What a GPU makes of the instructions. ADDRESS: on integers of 64 bits, most of them addresses.
 * ELEMENT: a result that goes to an element of an array on the stack, which a GPU has in
 * registers. */
enum work { FLOAT, DOUBLE, SPECIAL, INTEGER, ADDRESS, ELEMENT, WORKS };

struct block {
    const char *begin; /* in the text */
    enum kind kind;    /* of its last instruction */
    int label;         /* that this jumps to */
    int table, behind; /* what stands in the table of its switch: table[] from here to there */
    int used;          /* has instructions */
    int *next, count;  /* the blocks that may follow, the last one in the text first */
    int number;        /* of the search; 0: not yet met, DONE: has its place */
    /* of a loop's head: the place behind the loop, as -1 minus those that come after it */
    int end;
    int work[WORKS]; /* its arithmetic instructions of each kind */
    int is_traced;   /* the runtime hears of it */
    int is_joined;   /* see join_work() */
};
enum { DONE = MOST_BLOCKS + 1 };

static struct block *blocks;
static int block_count, block_capacity;
/* labels in the tables of the function's switches, in order */
static int *table, table_count, table_capacity;
/* for each label: 1 + its block, if it is the function's */
static int *block_of, labels;
static int *stack, stack_count, searched; /* of the search */
static int *order, placed;                /* its result, from the last block to the first */
static int label_number;                  /* of those that are added */

static void *larger(void *list, int *capacity, int count, size_t size)
{
    if (count < *capacity)
        return list;
    *capacity = count * 2 + 64;
    return grow(list, (size_t)*capacity * size);
}

/* The number in ".L12" at p, which ends there or at `end`; -1 when it is something else. */
static int label_at(const char *p, const char *end)
{
    int n = 0;
    if (end - p < 3 || end - p > 11 || p[0] != '.' || p[1] != 'L')
        return -1;
    for (p += 2; p < end; p++) {
        if (*p < '0' || *p > '9')
            return -1;
        n = n * 10 + (*p - '0');
    }
    return n;
}

int starts(const char *p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

static int is(const char *p, const char *end, const char *word)
{
    return starts(p, end, word) && (size_t)(end - p) == strlen(word);
}

static int never_returns(const char *name, const char *end)
{
    static const char *const names[] = {"__assert_fail",
                                        "abort",
                                        "exit",
                                        "_Unwind_Resume",
                                        "__cxa_throw",
                                        "__cxa_rethrow",
                                        "__stack_chk_fail",
                                        "emulated_thread_ends",
                                        "_ZSt"};
    for (size_t i = 0; i < sizeof names / sizeof *names - 1; i++)
        if (starts(name, end, names[i]) &&
            (end == name + strlen(names[i]) || name[strlen(names[i])] == '@'))
            return 1;
    return starts(name, end, "_ZSt") && memmem(name, (size_t)(end - name), "__throw_", 8);
}

/* The effect of an instruction on the flow. The line has no blanks around it. */
static enum kind kind_of(const char *line, const char *end, int *label)
{
    const char *word_end = line, *last;
    while (word_end < end && *word_end != ' ' && *word_end != '\t')
        word_end++;
    for (last = end; last > word_end && last[-1] != ' ' && last[-1] != '\t' && last[-1] != ',';)
        last--;
    *label = last > word_end ? label_at(last, end) : -1;
    if (is(line, word_end, "call") || is(line, word_end, "bl"))
        return never_returns(last, end) ? END : PLAIN;
    if (starts(line, word_end, "ret") || is(line, word_end, "ud2") || is(line, word_end, "brk") ||
        is(line, end, "rep ret"))
        return END;
    if (is(line, word_end, "br") || is(line, word_end, "notrack") ||
        (is(line, word_end, "jmp") && *last == '*'))
        return JUMP_BY_TABLE;
    if (is(line, word_end, "jmp") || is(line, word_end, "b"))
        return *label >= 0 ? JUMP : END;
    const int jumps = *line == 'j' || *line == 'b' || starts(line, word_end, "cb") ||
                      starts(line, word_end, "tb");
    return jumps && *label >= 0 ? BRANCH : PLAIN;
}

/* An operand in the text */
struct piece {
    const char *begin;
    size_t length;
};
enum { MOST_OPERANDS = 4, MOST_PRODUCTS = 16 };
/* The registers and places on the stack that hold a product, so far in the block */
static struct piece products[MOST_PRODUCTS];
static int product_count;
/* Stores of which the runtime has been told in the block, and which have not come yet */
static int told_stores;

/* The operands of an instruction: commas within () or [] do not separate them. */
static int operands_of(const char *p, const char *end, struct piece *operands)
{
    int count = 0, depth = 0;
    while (p < end && *p != '\t')
        p++;
    for (const char *begin = ++p; p <= end && count < MOST_OPERANDS; p++)
        if (p == end || (*p == ',' && depth == 0)) {
            operands[count++] = (struct piece){begin, (size_t)(p - begin)};
            begin = p + 2;
        } else
            depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
    return count;
}

static int drop_product(const struct piece *place)
{
    for (int i = 0; i < product_count; i++)
        if (products[i].length == place->length &&
            memcmp(products[i].begin, place->begin, place->length) == 0) {
            products[i] = products[--product_count];
            return 1;
        }
    return 0;
}

/* Notes where products are. True of a sum that takes one: nvcc makes one instruction of the two.
 * What is copied has moved, since a product that is wanted twice is fused once. */
static int is_fused(const char *line, const char *end)
{
#if defined __aarch64__
    const int is_call = starts(line, end, "bl"), is_product = starts(line, end, "fmul\t"),
              is_sum = starts(line, end, "fadd\t") || starts(line, end, "fsub\t"),
              is_store = starts(line, end, "str\t"),
              is_move = is_store || starts(line, end, "ldr\t") || starts(line, end, "fmov\t"),
              last_is_target = is_store;
#else
    const int is_call = starts(line, end, "call"),
              is_product = starts(line, end, "mul") && line[3] == 's',
              is_sum = (starts(line, end, "add") || starts(line, end, "sub")) && line[3] == 's',
              is_move = starts(line, end, "mov"), last_is_target = 1;
#endif
    struct piece operands[MOST_OPERANDS];
    const int count = operands_of(line, end, operands);
    int held = 0;
    if (is_call) /* of the places only those in memory are kept, which end in a bracket */
        for (int i = product_count; i-- > 0;)
            if (!strchr(")]", products[i].begin[products[i].length - 1]))
                products[i] = products[--product_count];
    if (is_call || count < 2)
        return 0;
    const struct piece *target = &operands[last_is_target ? count - 1 : 0];
    for (int i = 0; i < count && (is_sum || is_move); i++)
        held |= drop_product(&operands[i]);
    drop_product(target);
    if ((is_product || (is_move && held)) && product_count < MOST_PRODUCTS)
        products[product_count++] = *target;
    return is_sum && held;
}

/* Does the runtime hear here that a thread comes by? */
static int is_trace_call(const char *line, const char *end)
{
    return (starts(line, end, "call\t") || starts(line, end, "bl\t")) &&
           memmem(line, (size_t)(end - line), "\t__sanitizer_cov_trace_pc", 25) != NULL;
}

/* Counts a store to an element of an array on the stack: its place is no fixed one, and the runtime
 * has not been told of it, as it is of those to other memory. */
static void count_element(struct block *b, const char *line, const char *end)
{
    const size_t length = (size_t)(end - line);
#if defined __aarch64__
    const int is_call = starts(line, end, "bl\t"),
              is_store = starts(line, end, "str\ts") || starts(line, end, "str\td"),
              is_fixed = memmem(line, length, "[sp", 3) || memmem(line, length, "[x29", 4);
#else
    const int is_call = starts(line, end, "call"),
              is_store = (starts(line, end, "movss\t%xmm") || starts(line, end, "movsd\t%xmm")) &&
                         end[-1] == ')',
              is_fixed = memmem(line, length, "(%rsp)", 6) || memmem(line, length, "(%rbp)", 6);
#endif
    if (is_call)
        told_stores += memmem(line, length, "__tsan_", 7) && memmem(line, length, "write", 5);
    if (!is_store || is_fixed)
        return;
    if (told_stores > 0)
        told_stores--;
    else
        b->work[ELEMENT]++;
}

/* What a GPU takes for an instruction: `times` of a kind, and `others` that only take their turn,
 * which are counted among those on float. Of roots, quotients and functions they are what nvcc 13
 * makes for sm_90, for the usual operands. */
struct cost {
    const char *name;
    int kind, times, others;
};

static void add_cost(struct block *b, const struct cost *c, int times)
{
    b->work[c->kind] += times * c->times;
    b->work[FLOAT] += times * c->others;
}

/* Those of CUDA's intrinsics that the special function unit has are emulated_special_...(). */
static int count_call(struct block *b, const char *name, const char *end)
{
    static const struct cost functions[] = {
        {"fmaf", FLOAT, 1, 0},    {"fma", DOUBLE, 1, 0},    {"sinf", SPECIAL, 1, 28},
        {"cosf", SPECIAL, 1, 28}, {"expf", SPECIAL, 1, 9},  {"exp2f", SPECIAL, 1, 3},
        {"logf", FLOAT, 26, 0},   {"powf", SPECIAL, 4, 70}, {"tanhf", SPECIAL, 2, 15},
        {"sin", DOUBLE, 20, 0},   {"cos", DOUBLE, 20, 0},   {"exp", DOUBLE, 20, 0},
        {"log", DOUBLE, 30, 0},   {"pow", DOUBLE, 60, 0},
    };
    static const struct cost special = {"emulated_special_", SPECIAL, 1, 3};
    if (starts(name, end, special.name)) {
        add_cost(b, &special, 1);
        return 1;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const size_t n = strlen(functions[i].name);
        if (starts(name, end, functions[i].name) && (name + n == end || name[n] == '@')) {
            add_cost(b, &functions[i], 1);
            return 1;
        }
    }
    return 0;
}

/* Adds an instruction to the work of its block. What moves values between registers and memory, or
 * works on the stack, a GPU does without. Of processors other than these two nothing is counted. */
#if defined __aarch64__
static void count_work(struct block *b, const char *line, const char *end)
{
    static const struct {
        struct cost of_float, of_double;
    } known[] = {
        {{"fmul", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fnmul", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fadd", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fsub", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fabd", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fmax", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fmin", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fcmp", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fccmp", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fdiv", SPECIAL, 2, 7}, {"", DOUBLE, 10, 0}},
        {{"fsqrt", SPECIAL, 1, 8}, {"", DOUBLE, 10, 0}},
        {{"fmadd", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fmsub", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fnmadd", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        {{"fnmsub", FLOAT, 1, 0}, {"", DOUBLE, 1, 0}},
        /* since compute capability 8.0; those of 64 bits are slow */
        {{"scvtf", FLOAT, 2, 0}, {"", SPECIAL, 1, 0}},
        {{"ucvtf", FLOAT, 2, 0}, {"", SPECIAL, 1, 0}},
        {{"fcvtzs", FLOAT, 2, 0}, {"", SPECIAL, 1, 0}},
        {{"fcvtzu", FLOAT, 2, 0}, {"", SPECIAL, 1, 0}},
        {{"fcvt\t", SPECIAL, 1, 0}, {"", SPECIAL, 1, 0}},
    };
    /* of 64 bits: as long as the upper halves are 0 */
    static const struct cost division = {"div", SPECIAL, 3, 16}, wide = {"div", SPECIAL, 3, 22};
    static const char *const integer[] = {"add", "sub", "mul", "smul", "umul", "lsl",  "lsr", "asr",
                                          "ubf", "sbf", "bf",  "and",  "orr",  "eor",  "bic", "cmp",
                                          "cmn", "tst", "cbz", "cbnz", "tbz",  "tbnz", "csel"};
    const int fused = is_fused(line, end),
              is_wide = memmem(line, (size_t)(end - line), "\tx", 2) != NULL;
    if (starts(line, end, "bl\t")) {
        count_call(b, line + 3, end);
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known && !fused; i++)
        if (starts(line, end, known[i].of_float.name)) {
            const size_t length = (size_t)(end - line);
            /* a double among the operands, or a vector of four, two doubles or two floats */
            const int is_double = memmem(line, length, "\td", 2) || memmem(line, length, " d", 2) ||
                                  memmem(line, length, ".2d", 3),
                      lanes = memmem(line, length, ".4s", 3)  ? 4
                              : memmem(line, length, ".2", 2) ? 2
                                                              : 1;
            add_cost(b, is_double ? &known[i].of_double : &known[i].of_float, lanes);
            return;
        }
    if (starts(line, end, "sdiv\t") || starts(line, end, "udiv\t"))
        add_cost(b, is_wide ? &wide : &division, 1);
    if (starts(line, end, "madd\t") || starts(line, end, "msub\t"))
        b->work[is_wide ? ADDRESS : INTEGER] += 2;
    for (size_t i = 0; i < sizeof integer / sizeof *integer; i++)
        /* the place of a shared variable takes two additions */
        if (starts(line, end, integer[i]) && !memmem(line, (size_t)(end - line), "sp", 2) &&
            !memmem(line, (size_t)(end - line), ":tprel_hi12:", 12)) {
            b->work[is_wide ? ADDRESS : INTEGER]++;
            return;
        }
}
#else
static void count_work(struct block *b, const char *line, const char *end)
{
    static const struct cost known[] = {
        {"mulps", FLOAT, 4, 0},
        {"addps", FLOAT, 4, 0},
        {"mulpd", DOUBLE, 2, 0},
        {"addpd", DOUBLE, 2, 0},
        {"mulss", FLOAT, 1, 0},
        {"addss", FLOAT, 1, 0},
        {"subss", FLOAT, 1, 0},
        {"maxss", FLOAT, 1, 0},
        {"minss", FLOAT, 1, 0},
        {"comiss", FLOAT, 1, 0},
        {"ucomiss", FLOAT, 1, 0},
        {"divss", SPECIAL, 2, 7},
        {"sqrtss", SPECIAL, 1, 8},
        {"mulsd", DOUBLE, 1, 0},
        {"addsd", DOUBLE, 1, 0},
        {"subsd", DOUBLE, 1, 0},
        {"maxsd", DOUBLE, 1, 0},
        {"minsd", DOUBLE, 1, 0},
        {"comisd", DOUBLE, 1, 0},
        {"ucomisd", DOUBLE, 1, 0},
        {"divsd", DOUBLE, 10, 0},
        {"sqrtsd", DOUBLE, 10, 0},
        {"cvtsi2ss", FLOAT, 2, 0}, /* since compute capability 8.0; those of 64 bits are slow */
        {"cvtsi2sd", SPECIAL, 1, 0},
        {"cvttss2si", FLOAT, 2, 0},
        {"cvttsd2si", SPECIAL, 1, 0},
        {"cvtss2sd", SPECIAL, 1, 0},
        {"cvtsd2ss", SPECIAL, 1, 0},
        {"divq", SPECIAL, 3, 22}, /* as long as the upper halves are 0 */
        {"idivq", SPECIAL, 3, 22},
        {"div", SPECIAL, 3, 16},
        {"idiv", SPECIAL, 3, 16},
    };
    static const char *const integer[] = {"add", "sub", "imul", "lea", "sh",  "sa",  "ro",  "and",
                                          "or",  "xor", "test", "cmp", "not", "neg", "cmov"};
    const int fused = is_fused(line, end);
    if (fused || (starts(line, end, "call\t") && count_call(b, line + 5, end)))
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].name);
        if (starts(line, end, known[i].name) && /* l, q: of 32 or 64 bits */
            (line + n == end || strchr("\tlq", line[n]) != NULL)) {
            add_cost(b, &known[i], 1);
            return;
        }
    }
    for (size_t i = 0; i < sizeof integer / sizeof *integer; i++)
        if (starts(line, end, integer[i]) && !memmem(line, (size_t)(end - line), "%rsp", 4)) {
            const char *name_end = memchr(line, '\t', (size_t)(end - line));
            b->work[name_end && name_end[-1] == 'q' ? ADDRESS : INTEGER]++;
            return;
        }
}
#endif

static int total_work(const struct block *b)
{
    int sum = 0;
    for (int i = 0; i < WORKS; i++)
        sum += b->work[i];
    return sum;
}

/* A check of array bounds or a conversion divides a block, and the runtime hears of its first part
 * only: that gets the work of the longest way through the others. */
static void join_work(struct block *b)
{
    const struct block *longest = NULL;
    if (b->is_joined)
        return;
    b->is_joined = 1;
    for (int i = 0; i < b->count; i++) {
        struct block *next = &blocks[b->next[i]];
        if (next->is_traced)
            continue;
        join_work(next);
        if (!longest || total_work(next) > total_work(longest))
            longest = next;
    }
    for (int i = 0; longest && i < WORKS; i++)
        b->work[i] += longest->work[i];
}

/* Does a label here stand behind a branch? Then what was computed before is still known: mostly the
 * branch is a check of array bounds. */
static int goes_on(void)
{
    const struct block *last = block_count ? &blocks[block_count - 1] : NULL;
    if (last && !last->used && last->kind == PLAIN && block_count > 1)
        last--;
    return last && last->kind == BRANCH;
}

static void begin_block(const char *begin)
{
    if (block_count && !blocks[block_count - 1].used && blocks[block_count - 1].kind == PLAIN)
        return; /* still in front of its first instruction */
    blocks = larger(blocks, &block_capacity, block_count, sizeof *blocks);
    blocks[block_count++] = (struct block){begin, PLAIN, -1, 0, 0, 0, NULL, 0, 0, 0, {0}, 0, 0};
}

static void set_label(int label)
{
    if (label >= labels) {
        const int before = labels;
        block_of = larger(block_of, &labels, label, sizeof *block_of);
        memset(block_of + before, 0, (size_t)(labels - before) * sizeof *block_of);
    }
    block_of[label] = block_count;
}

static int block_at(int label) { return label >= 0 && label < labels ? block_of[label] - 1 : -1; }

/* A line of data behind the last block: when that jumps by a table, this is it, and may lead to all
 * labels in it. */
static void read_table(const char *p, const char *end)
{
    struct block *b = block_count ? &blocks[block_count - 1] : NULL;
    b -= block_count > 1 && !b->used; /* the one that begins behind it */
    if (!b || b->kind != JUMP_BY_TABLE)
        return;
    if (b->behind == 0)
        b->table = table_count;
    while ((p = memchr(p, '.', (size_t)(end - p)))) {
        const char *last = p + 1;
        while (last < end && ((*last >= '0' && *last <= '9') || (*last | 32) >= 'a'))
            last++;
        const int label = label_at(p, last);
        if (label >= 0) {
            table = larger(table, &table_capacity, table_count, sizeof *table);
            table[table_count++] = label;
        }
        p = last;
    }
    b->behind = table_count;
}

static int later_first(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

static void find_next(int i)
{
    struct block *b = &blocks[i];
    const int by_table = b->behind - b->table;
    b->next = malloc((size_t)(by_table + 2) * sizeof *b->next);
    if (!b->next)
        return;
    if ((b->kind == PLAIN || b->kind == BRANCH) && i + 1 < block_count)
        b->next[b->count++] = i + 1;
    if ((b->kind == JUMP || b->kind == BRANCH) && block_at(b->label) >= 0)
        b->next[b->count++] = block_at(b->label);
    for (int k = b->table; k < b->behind; k++)
        if (block_at(table[k]) >= 0)
            b->next[b->count++] = block_at(table[k]);
    qsort(b->next, (size_t)b->count, sizeof *b->next, later_first);
}

/* Bourdoncle's weak topological order: what can only follow comes later, and a loop is one piece,
 * its head in front, so that all of it comes before what follows the loop. The blocks get their
 * places from the last one to the first. */
static int visit(int v)
{
    struct block *b = &blocks[v];
    int head = b->number = ++searched, loops = 0;
    stack[stack_count++] = v;
    for (int i = 0; i < b->count; i++) {
        const int w = b->next[i], least = blocks[w].number ? blocks[w].number : visit(w);
        if (least <= head) {
            head = least;
            loops = 1;
        }
    }
    if (head != b->number)
        return head;
    b->number = DONE;
    const int behind = placed;
    for (int w; (w = stack[--stack_count]) != v;)
        blocks[w].number = 0;
    for (int i = 0; i < b->count && loops; i++)
        if (!blocks[b->next[i]].number)
            visit(b->next[i]);
    b->end = loops ? -behind - 1 : 0;
    order[placed++] = v;
    return head;
}

static void write_table(FILE *out, int first_label, const char *group)
{
    fprintf(out, "\t.pushsection emulated_flow,\"a%s\",@progbits%s%s%s\n", group[0] ? "G" : "",
            group[0] ? "," : "", group, group[0] ? ",comdat" : "");
    for (int i = placed; i-- > 0;) {
        const struct block *b = &blocks[order[i]];
        fprintf(out, "\t.long .Lflow%d-.,%d,%d", first_label + order[i], placed - 1 - i,
                b->end ? placed + 1 + b->end : 0);
        for (int k = 0; k < WORKS; k++)
            fprintf(out, ",%d", b->work[k]);
        fputs("\n", out);
    }
    fprintf(out, "\t.long .Lflow%d-.,-1,0", first_label + block_count);
    for (int k = 0; k < WORKS; k++)
        fputs(",0", out);
    fputs("\n\t.popsection\n", out);
}

/* The function's text and its table. */
static void finish_function(const char *begin, const char *end, const char *group, FILE *out)
{
    stack = malloc((size_t)(block_count + 1) * sizeof *stack);
    order = malloc((size_t)(block_count + 1) * sizeof *order);
    if (block_count <= MOST_BLOCKS && stack && order) {
        const int first_label = label_number;
        label_number += block_count + 1;
        for (int i = 0; i < block_count; i++) {
            find_next(i);
            fwrite(begin, 1, (size_t)(blocks[i].begin - begin), out);
            fprintf(out, ".Lflow%d:\n", first_label + i);
            begin = blocks[i].begin;
        }
        for (int i = 0; i < block_count; i++)
            join_work(&blocks[i]);
        stack_count = searched = placed = 0;
        visit(0);
        fwrite(begin, 1, (size_t)(end - begin), out);
        fprintf(out, ".Lflow%d:\n", first_label + block_count);
        write_table(out, first_label, group);
    } else
        fwrite(begin, 1, (size_t)(end - begin), out);
    free(stack);
    free(order);
    for (int i = 0; i < block_count; i++)
        free(blocks[i].next);
    if (labels)
        memset(block_of, 0, (size_t)labels * sizeof *block_of);
    block_count = table_count = 0;
}

/* The name after ".section .text.f,"axG",@progbits," when the section goes away with others of that
 * name. */
static void read_group(const char *line, const char *end, char *group, size_t size)
{
    const char *last = end, *first;
    group[0] = '\0';
    if (end - line < 7 || memcmp(end - 7, ",comdat", 7) != 0)
        return;
    last = end - 7;
    first = memrchr(line, ',', (size_t)(last - line));
    if (first && (size_t)(last - first) < size) {
        memcpy(group, first + 1, (size_t)(last - first - 1));
        group[last - first - 1] = '\0';
    }
}

void flow_write(const char *text, size_t length, FILE *out)
{
    static char group[4096];
    const char *function = NULL, *written = text, *stop = text + length;
    size_t function_length = 0;
    int code = 1;
    for (const char *line = text, *next; line < stop; line = next) {
        const char *end = memchr(line, '\n', (size_t)(stop - line)), *p = line;
        end = end ? end : stop;
        next = end < stop ? end + 1 : stop;
        while (p < end && (*p == '\t' || *p == ' '))
            p++;
        if (starts(p, end, ".text") || starts(p, end, ".section")) {
            code = p[1] == 't' || starts(p + 8, end, "\t.text");
            if (code && !function)
                read_group(p, end, group, sizeof group);
        } else if (starts(p, end, ".type\t") && end - p > 10 &&
                   memcmp(end - 8, "function", 8) == 0) {
            function = p + 6;
            function_length = (size_t)((const char *)memchr(p, ',', (size_t)(end - p)) - function);
            block_count = 0;
        } else if (!function)
            continue;
        else if (starts(p, end, ".size\t") && (size_t)(end - p) > 6 + function_length &&
                 memcmp(p + 6, function, function_length) == 0 && p[6 + function_length] == ',') {
            if (block_count)
                finish_function(written, next, group, out);
            else
                fwrite(written, 1, (size_t)(next - written), out);
            written = next;
            function = NULL;
        } else if (p == line) { /* a label */
            const int label = end > line && end[-1] == ':' ? label_at(line, end - 1) : -1;
            if (code && (label >= 0 || !block_count)) {
                if (!goes_on())
                    product_count = told_stores = 0;
                begin_block(line);
                if (label >= 0)
                    set_label(label);
            }
        } else if (!code)
            read_table(p, end);
        else if (block_count && p < end && *p != '.' && *p != '#' && *p != '/') {
            const int is_trace = is_trace_call(p, end);
            /* blocks of the source that the compiler has joined: each is counted */
            if (is_trace && blocks[block_count - 1].is_traced)
                begin_block(line);
            struct block *b = &blocks[block_count - 1];
            b->used = 1;
            b->is_traced |= is_trace;
            count_work(b, p, end);
            count_element(b, p, end);
            b->kind = kind_of(p, end, &b->label);
            if (b->kind != PLAIN)
                begin_block(next);
        }
    }
    fwrite(written, 1, (size_t)(stop - written), out);
}
