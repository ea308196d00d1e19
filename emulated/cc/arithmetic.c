/* arithmetic.c: see arithmetic.h. A conversion that x86-64 cannot make gives 0x80000000 or
 * 0x8000000000000000. PTX gives the nearest integer; for a NaN it gives 0 if both types have 32
 * bits, otherwise the highest bit alone. */
#include "arithmetic.h"

#include <stdlib.h>
#include <string.h>

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

static int begins(const char *p, const char *end, const char *word)
{
    return (size_t)(end - p) >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
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
        if (begins(p, end, "\tjmp") || begins(p, end, "\tret"))
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
    return (begins(jump, stop, "\tjnb\t") || begins(jump, stop, "\tjae\t")) &&
           begins(instruction_before(text, jump), stop, "\tcomis");
}

/* cvttss2si and cvttsd2si, into 32 or 64 bits. The flags are kept: the compiler may need them. */
static int write_conversion(const char *text, const char *line, const char *end, const char *stop,
                            FILE *out)
{
    const char *p = line + 1;
    if (!begins(p, end, "cvtts") || !begins(p + 6, end, "2si") || end - p < 12)
        return 0;
    const int is_double = p[5] == 'd', to_64 = p[9] == 'q';
    const char *from = p + 11, *comma = end;
    while (comma > from && comma[-1] != ',')
        comma--;
    const char *to = comma + 1;
    const int number = to < end && *to == '%' ? register_at(to + 1, (size_t)(end - to - 1)) : -1;
    if (comma == from || number < 0)
        return 0;
    const int length = (int)(comma - 1 - from), in_memory = !begins(from, end, "%xmm");
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
#else
void arithmetic_write(const char *text, size_t length, FILE *out) { fwrite(text, 1, length, out); }
#endif
