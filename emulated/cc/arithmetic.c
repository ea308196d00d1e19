/* arithmetic.c: see arithmetic.h. A conversion that x86-64 cannot make gives 0x80000000 or
 * 0x8000000000000000. PTX gives the nearest integer; for a NaN it gives 0 if both types have 32
 * bits, otherwise the highest bit alone. aarch64 gives the nearest integer, too, but 0 for every
 * NaN, and as the quotient of a division by zero, which x86-64 refuses. */
#include "arithmetic.h"

#include <stdlib.h>
#include <string.h>

#include "flow.h"   /* starts() */
#include "tokens.h" /* format() */

#if defined __x86_64__
/* The names of a general register with 64 and with 32 bits */
static const char *const wide[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8",
                                   "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
static const char *const narrow[] = {"eax", "ebx",  "ecx",  "edx",  "esi",  "edi",  "ebp", "r8d",
                                     "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"};
enum { REGISTERS = sizeof wide / sizeof *wide };

/* The number of a register with or without the %, -1 if it is none of these. */
static int register_at(const char *name, size_t length)
{
    for (int i = 0; i < REGISTERS; i++)
        if ((strlen(wide[i]) == length && memcmp(wide[i], name, length) == 0) ||
            (strlen(narrow[i]) == length && memcmp(narrow[i], name, length) == 0))
            return i;
    return -1;
}

/* Does the program use only 32 of the 64 bits that a conversion has put into a register? It does
 * for an unsigned int, for which x86 has no conversion. The first line that names the register
 * shows it. */
static int used_as_32_bits(int number, const char *p, const char *stop)
{
    while (p < stop) {
        const char *end = memchr(p, '\n', (size_t)(stop - p));
        end = end ? end : stop;
        for (const char *c = p; c < end; c++) {
            if (*c != '%')
                continue;
            size_t length = strspn(c + 1, "abcdefghijklmnopqrstuvwxyz0123456789");
            if (register_at(c + 1, length) == number)
                return length != strlen(wide[number]) || memcmp(c + 1, wide[number], length) != 0;
        }
        if (starts(p, end, "\tjmp") || starts(p, end, "\tret"))
            return 0;
        p = end + 1;
    }
    return 0;
}

/* The instruction before p, or the text's begin; labels and directives are passed over. */
static const char *instruction_before(const char *text, const char *p)
{
    while (p > text) {
        p--;
        while (p > text && p[-1] != '\n')
            p--;
        if (p[0] == '\t' && p[1] != '.' && p[1] != '#')
            break;
    }
    return p;
}

/* Is the conversion in the line at p one to unsigned long long, of a number below 2^63? Then a
 * comparison with that and a jump stand before it. */
static int is_unsigned_64(const char *text, const char *p, const char *stop)
{
    const char *jump = instruction_before(text, p);
    return (starts(jump, stop, "\tjnb\t") || starts(jump, stop, "\tjae\t")) &&
           starts(instruction_before(text, jump), stop, "\tcomis");
}

/* cvttss2si and cvttsd2si, into 32 or 64 bits. The flags are kept: the compiler may need them. */
static int write_conversion(const char *text, const char *line, const char *end, const char *stop,
                            FILE *out)
{
    const char *p = line + 1;
    if (!starts(p, end, "cvtts") || !starts(p + 6, end, "2si") || end - p < 12)
        return 0;
    const int is_double = p[5] == 'd', to_64 = p[9] == 'q';
    const char *from = p + 11, *comma = end;
    while (comma > from && comma[-1] != ',')
        comma--;
    const char *to = comma + 1;
    const int number = to < end && *to == '%' ? register_at(to + 1, (size_t)(end - to - 1)) : -1;
    if (comma == from || number < 0)
        return 0;
    const int length = (int)(comma - 1 - from), in_memory = !starts(from, end, "%xmm");
    const char *const q = wide[number], *const l = narrow[number], *const r = to_64 ? q : l;
    const char *const bits = is_double ? q : l; /* holds the number itself for a while */
    const int below_2_63 = to_64 && is_unsigned_64(text, line, stop);
    const int to_unsigned = to_64 && !below_2_63 && used_as_32_bits(number, end + 1, stop);

    if (in_memory) /* by way of the stack: the address may use the register of the result */
        fprintf(out, "\tmov%c\t%.*s, %%%s\n\tpushq\t%%%s\n\tpushfq\n\t%.11s8(%%rsp), %%%s\n",
                is_double ? 'q' : 'l', length, from, bits, q, p, r);
    else
        fprintf(out, "\tpushfq\n\t%.*s\n", (int)(end - p), p);
    if (to_unsigned) /* 0 to 2^32 - 1 as they are */
        fprintf(out, "\tcmpq\t.Lemulated_u32(%%rip), %%%s\n\tjbe\t777f\n", q);
    else if (below_2_63)
        fprintf(out, "\ttestq\t%%%s, %%%s\n\tjns\t777f\n", q, q);
    else if (to_64)
        fprintf(out, "\tcmpq\t.Lemulated_least(%%rip), %%%s\n\tjne\t777f\n", q);
    else
        fprintf(out, "\tcmpl\t$0x80000000, %%%s\n\tjne\t777f\n", l);
    /* the bits of the number, without the sign */
    if (in_memory)
        fprintf(out, "\tmov%c\t8(%%rsp), %%%s\n", is_double ? 'q' : 'l', bits);
    else
        fprintf(out, "\tmov%c\t%.*s, %%%s\n", is_double ? 'q' : 'd', length, from, bits);
    fprintf(out, "\tadd%c\t%%%s, %%%s\n", is_double ? 'q' : 'l', bits, bits);
    const char *const most = to_unsigned ? "$-1"
                             : to_64     ? "$0x7fffffffffffffff"
                                         : "$0x7fffffff",
                      *const least = to_unsigned || below_2_63 ? "$0"
                                     : to_64                   ? "$0x8000000000000000"
                                                               : "$0x80000000",
                      *const none = to_unsigned ? (is_double ? "$0x80000000" : "$0")
                                    : to_64     ? "$0x8000000000000000"
                                    : is_double ? "$0x80000000"
                                                : "$0";
    const char *const move = to_64 && !to_unsigned ? "movabsq" : "movl";
    const char *const result = to_unsigned ? l : r;
    char *const compare = is_double ? format("cmpq\t.Lemulated_nan(%%rip), %%%s", q)
                                    : format("cmpl\t$0xff000000, %%%s", l);
    fprintf(out, "\tjc\t778f\n\t%s\n\t%s\t%s, %%%s\n\tjbe\t777f\n\tjmp\t779f\n", compare, move,
            most, result);
    fprintf(out, "778:\n\t%s\n\t%s\t%s, %%%s\n\tjbe\t777f\n779:\n\t%s\t%s, %%%s\n", compare, move,
            least, result, move, none, result);
    free(compare);
    fprintf(out, "777:\n\tpopfq\n%s", in_memory ? "\tleaq\t8(%rsp), %rsp\n" : "");
    return 1;
}

void arithmetic_write(const char *text, size_t length, FILE *out)
{
    const char *written = text, *stop = text + length;
    for (const char *line = text, *next; line < stop; line = next) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        next = end < stop ? end + 1 : stop;
        if (line == end || *line != '\t' || line[1] != 'c')
            continue;
        fwrite(written, 1, (size_t)(line - written), out);
        written = line;
        if (write_conversion(text, line, end, stop, out))
            written = next;
    }
    fwrite(written, 1, (size_t)(stop - written), out);
    fputs("\t.section\t.rodata\n.Lemulated_u32:\n\t.quad\t0xffffffff\n.Lemulated_least:\n"
          "\t.quad\t0x8000000000000000\n.Lemulated_nan:\n\t.quad\t0xffe0000000000000\n",
          out);
}
#elif defined __aarch64__
enum { MOST_OPERANDS = 4, LONGEST = 8, MOST_DIVISIONS = 8 };
typedef char operand[LONGEST];

/* Those of the divisions so far whose registers still hold the quotient and the divisor */
struct division {
    operand quotient, divisor;
};
static struct division divisions[MOST_DIVISIONS];
static int division_count;

/* The operands of the instruction at p; one too long for a register is empty. */
static int read_operands(const char *p, const char *end, operand *operands)
{
    int count = 0;
    for (; p < end && *p != '\t'; p++) {}
    while (p < end && count < MOST_OPERANDS) {
        p += strspn(p, "\t ,");
        const size_t length = strcspn(p, ",\n");
        memset(operands[count], 0, LONGEST);
        if (length < LONGEST)
            memcpy(operands[count], p, length);
        count++;
        p += length;
    }
    return count;
}

/* Whatever its width: w3 is the lower half of x3. */
static int same_register(const char *a, const char *b)
{
    return a[0] && b[0] && strcmp(a + 1, b + 1) == 0;
}

static int kept_by_calls(const char *name)
{
    const int number = atoi(name + 1);
    return number >= 19 && number <= 28;
}

/* Forgets the divisions of which the instruction at p changes a register. */
static void forget_divisions(const char *p, const char *end, const operand *operands, int count)
{
    const int call = starts(p, end, "bl\t") || starts(p, end, "blr\t"),
              stores = starts(p, end, "st"), two = starts(p, end, "ldp");
    int left = 0;
    for (int i = 0; i < division_count; i++) {
        const struct division d = divisions[i];
        int changed = call && !(kept_by_calls(d.quotient) && kept_by_calls(d.divisor));
        for (int k = 0; k < (stores ? 0 : two ? 2 : 1) && k < count; k++)
            changed |=
                same_register(operands[k], d.quotient) || same_register(operands[k], d.divisor);
        if (!changed)
            divisions[left++] = d;
    }
    division_count = left;
}

/* In front of a division an instruction that no processor knows, passed over if the divisor is not
 * 0: runtime/division.cpp goes on there. */
static void write_division(const char *line, const char *next, const operand *operands, FILE *out)
{
    fprintf(out, "\tcbnz\t%s, 777f\n\t.inst\t0x0000d1f0\n777:\n%.*s", operands[2],
            (int)(next - line), line);
    if (same_register(operands[0], operands[2]))
        return;
    if (division_count == MOST_DIVISIONS)
        memmove(divisions, divisions + 1, sizeof *divisions * (size_t)--division_count);
    struct division *d = &divisions[division_count++];
    memcpy(d->quotient, operands[0], LONGEST);
    memcpy(d->divisor, operands[2], LONGEST);
}

/* The remainder is computed as dividend - quotient * divisor. That of a division by zero has all
 * bits set on a GPU, as the quotient has. */
static int write_remainder(const char *line, const char *next, const operand *operands, FILE *out)
{
    for (int i = 0; i < division_count; i++) {
        const char *q = divisions[i].quotient, *d = divisions[i].divisor;
        if ((strcmp(operands[1], q) == 0 && strcmp(operands[2], d) == 0) ||
            (strcmp(operands[1], d) == 0 && strcmp(operands[2], q) == 0)) {
            fprintf(out, "\tcbz\t%s, 777f\n%.*s\tb\t778f\n777:\n\tmov\t%s, %s\n778:\n", d,
                    (int)(next - line), line, operands[0], q);
            return 1;
        }
    }
    return 0;
}

/* fcvtzs and the like, from or into 64 bits: 1 or 0 in front of the others, of a NaN the highest
 * bit. The flags are kept: the compiler may need them. */
static int write_conversion(const char *line, const char *next, const operand *operands, FILE *out)
{
    const char *const to = operands[0], *const from = operands[1];
    const int from_double = *from == 'd', to_64 = *to == 'x' || *to == 'd',
              to_float = *to == 's' || *to == 'd'; /* into a register of that kind */
    if (!(from_double || (*from == 's' && to_64)) || !strchr("wxsd", *to) || strchr(to, '.'))
        return 0;
    char bits[LONGEST]; /* a register for those of the number, as wide as it */
    snprintf(bits, sizeof bits, "%c%s", from_double ? 'x' : 'w', to_float ? "16" : to + 1);
    if (to_float)
        fputs("\tstr\tx16, [sp, #-16]!\n", out);
    fprintf(out, "\tfmov\t%s, %s\n\tubfx\t%s, %s, #%d, #%d\n\tsub\t%s, %s, #%d\n\tcbnz\t%s, 777f\n",
            bits, from, bits, bits, from_double ? 52 : 23, from_double ? 11 : 8, bits, bits,
            from_double ? 2047 : 255, bits);
    fprintf(out, "\tfmov\t%s, %s\n\tlsl\t%s, %s, #%d\n\tcbz\t%s, 777f\n", bits, from, bits, bits,
            from_double ? 12 : 9, bits);
    const char *const most = to_64 ? "0x8000000000000000" : "0x80000000";
    if (to_float)
        fprintf(out, "\tmov\t%c16, %s\n\tfmov\t%s, %c16\n", to_64 ? 'x' : 'w', most, to,
                to_64 ? 'x' : 'w');
    else
        fprintf(out, "\tmov\t%s, %s\n", to, most);
    fprintf(out, "\tb\t778f\n777:\n%.*s778:\n%s", (int)(next - line), line,
            to_float ? "\tldr\tx16, [sp], 16\n" : "");
    return 1;
}

void arithmetic_write(const char *text, size_t length, FILE *out)
{
    const char *const stop = text + length, *written = text;
    division_count = 0;
    for (const char *line = text, *next; line < stop; line = next) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (!end)
            break;
        next = end + 1;
        if (starts(line, end, ".L") && line[2] >= '0' && line[2] <= '9') /* other ways lead here */
            division_count = 0;
        if (*line != '\t' || line[1] == '.' || line[1] == '#')
            continue;
        const char *const p = line + 1;
        operand operands[MOST_OPERANDS];
        const int count = read_operands(p, end, operands);
        const int divides = starts(p, end, "sdiv\t") || starts(p, end, "udiv\t"),
                  subtracts = starts(p, end, "msub\t"),
                  converts = starts(p, end, "fcvt") && end - p > 6 && strchr("zmpan", p[4]) &&
                             strchr("su", p[5]) && p[6] == '\t';
        if ((divides && count == 3) || (subtracts && count == 4) || (converts && count >= 2)) {
            fwrite(written, 1, (size_t)(line - written), out);
            written = line;
            if ((subtracts && write_remainder(line, next, operands, out)) ||
                (converts && write_conversion(line, next, operands, out)))
                written = next;
        }
        forget_divisions(p, end, operands, count);
        if (divides && count == 3) {
            write_division(line, next, operands, out);
            written = next;
        }
    }
    fwrite(written, 1, (size_t)(stop - written), out);
}
#else
void arithmetic_write(const char *text, size_t length, FILE *out) { fwrite(text, 1, length, out); }
#endif
