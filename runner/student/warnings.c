/* What is suspicious in a template's lines: the compiler's warnings, and advice after a PASS. */
#include "warnings.h"
#include "files.h"
#include "taught.h"
#include "text.h"
#include "todo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 3 };

/* 1 if the line is inside a TODO region, or begins one; `before`: that of the line before. */
static int isInside(const char *line, int before)
{
    return todoMarker(line, "begin") != 0 || (before && todoMarker(line, "end") == 0);
}

/* 1 if that line of a template is the student's. */
static int isStudents(const char *text, int number)
{
    int inside = 0;

    for (int n = 1; n <= number; n++, text = nextLine(text))
        inside = isInside(text, inside);
    return inside;
}

/* 1 if the line of output begins a warning of the file that is worth showing: in a TODO region, and
 * not caused by the translation of a shared array for the emulated device. Integers that are too
 * narrow are no mistake at the sizes of a check. `file` is the end of the file's path and a colon,
 * since the beginning may be written in several ways. */
static int isWorth(const char *line, const char *end, const char *file, const char *text)
{
    static const char *const others[] = {"unnecessary parentheses", "[-Wconversion]"};
    const char *place = strstr(line, file), *kind = strstr(line, ": warning: ");

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *other = strstr(line, others[i]);

        if (other != NULL && other < end)
            return 0;
    }
    return place != NULL && kind != NULL && place < kind && kind < end &&
           isStudents(text, atoi(place + strlen(file)));
}

/* The warnings in a compiler's output, each with the line of the source and the mark below it. A
 * warning that is repeated for another instance of a template is shown once. Returns the number of
 * warnings; at most MOST_WARNINGS are shown. */
static int printWarnings(const char *output, const char *file, const char *text)
{
    const char *begun[MOST_WARNINGS];
    int count = 0, showing = 0;

    for (const char *line = output, *next; *line != '\0'; line = next) {
        next = nextLine(line);
        if (line[0] != ' ') {
            showing = isWorth(line, next, file, text);
            for (int i = 0; i < count && i < MOST_WARNINGS; i++)
                showing = showing && strncmp(begun[i], line, (size_t)(next - line)) != 0;
            if (showing && count < MOST_WARNINGS)
                begun[count] = line;
            count += showing;
        }
        if (showing && count <= MOST_WARNINGS)
            printf("  %.*s", (int)(next - line), line);
    }
    return count;
}

/* The warnings of this kind's compilation; NULL if there are none. */
static char *outputOf(const struct exercise_entry *e, const char *kind)
{
    return readFileIfThere(formatString("%s/warnings/%s_%s", buildFolder(), e->brief, kind));
}

void warningsShow(const struct exercise_entry *e)
{
    const char *output = outputOf(e, "template"), *source = sourcePath(e, "template");

    if (output != NULL &&
        printWarnings(output, formatString("/%s%s:", e->name, strrchr(source, '/')),
                      readFile(source)) > 0)
        printf("The compiler warns of these lines.\n");
}

/* The line without blanks, and without a comment at its end. */
static char *codeOf(const char *line)
{
    char *code = mustAllocate(NULL, strcspn(line, "\n") + 1), *end = code;

    for (; *line != '\0' && *line != '\n' && !startsWith(line, "//"); line++)
        if (strchr(" \t", *line) == NULL)
            *end++ = *line;
    *end = '\0';
    return code;
}

/* 1 if that word stands right before `code`, which is a part of the text from `start` on. */
static int follows(const char *start, const char *code, const char *word)
{
    const size_t length = strlen(word);

    return (size_t)(code - start) >= length && startsWith(code - length, word);
}

/* 1 if there is a cast to 32 bits or fewer. A cast to 32 bits loses nothing of CUDA's own variables
 * and of a value that was rounded. */
static int isNarrowCast(const char *start, const char *code)
{
    static const char *const shorts[] = {"(short)", "(unsignedshort)", NULL};
    static const char *const ints[] = {"(int)", "(unsigned)", "(unsignedint)", "(uint32_t)", NULL};
    static const char *const harmless[] = {"threadIdx", "blockIdx",  "blockDim", "gridDim",
                                           "sizeof",    "floor",     "ceil",     "round",
                                           "rint",      "nearbyint", NULL};

    return !follows(start, code, "sizeof") &&
           (startsWithOne(code, shorts) ||
            (startsWithOne(code, ints) && !startsWithOne(strchr(code, ')') + 1, harmless)));
}

/* 1 if the number of a thread in the grid begins there, computed in 32 bits. */
static int isNarrowProduct(const char *start, const char *code)
{
    static const char *const products[] = {"blockIdx.x*blockDim.x", "blockIdx.y*blockDim.y",
                                           "blockDim.x*blockIdx.x", "blockDim.y*blockIdx.y", NULL};

    return startsWithOne(code, products) && !follows(start, code, "(size_t)");
}

/* 1 if a line computes an index, a size_t or a number of bytes in fewer bits than it needs. A cast
 * silences the compilers, so the text is searched. */
static int hasNarrowIndex(const char *code)
{
    const char *size = strstr(code, "size_t");
    const int forSize = (size != NULL && (size == code || size[-1] != '(')) ||
                        (strstr(code, "*sizeof") != NULL && strchr(code, '/') == NULL);
    int brackets = 0;

    for (const char *c = code; *c != '\0'; c++) {
        brackets += (*c == '[') - (*c == ']');
        if (((brackets > 0 || forSize) && isNarrowCast(code, c)) ||
            (forSize && isNarrowProduct(code, c)))
            return 1;
    }
    return 0;
}

/* 1 if a result in the code may have fewer bits than its operands: a quotient by a block's size, a
 * remainder, the number of blocks of a launch. */
static int isSmallAnyway(const char *code)
{
    return strpbrk(code, "/%") != NULL || strstr(code, "<<<") != NULL;
}

/* 1 if the compiler warns that the line puts a size or an index into fewer bits, or compares it
 * with one of fewer. `place` is FILE:LINE: in its output. */
static int isNarrowToCompiler(const char *output, const char *place, const char *code)
{
    const char *line = output;

    if (isSmallAnyway(code))
        return 0;
    while (line != NULL && (line = strstr(line, place)) != NULL) {
        char *message = formatString("%.*s", (int)strcspn(line, "\n"), line);
        const int converts = strstr(message, "[-Wconversion]") != NULL;
        const int isNarrow =
            (converts || strstr(message, "[-Wsign-compare]") != NULL) &&
            strstr(message, " to 'double'") == NULL && strstr(message, " to 'float'") == NULL &&
            (strstr(message, "long") != NULL || strstr(message, "size_t") != NULL ||
             (converts && strstr(message, "to 'short") != NULL));

        if (isNarrow)
            return 1;
        line++;
    }
    return 0;
}

/* 1 if the line begins with a call of the runtime, or a launch, with its error ignored. `before`
 * ends the code before it. */
static int ignoresError(const char *code, char before, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char next = code[strspn(code, letters)];

    if (code[0] == '<') /* the name stands on the line before */
        return 0;
    if ((before != '\0' && strchr("(,=", before) != NULL) || startsWith(code, "cudaVerify"))
        return 0;
    if (next == '<' && strstr(code, "<<<") != NULL)
        return strstr(text, "LastError(") == NULL;
    return next == '(' && startsWith(code, "cuda") && strstr(code, "LastError(") == NULL;
}

void warningsAdvise(const struct exercise_entry *e, const char *kind, const char *text)
{
    char *output = outputOf(e, kind), *source = sourcePath(e, kind), before = '\0';
    int inside = 0, count = 0, number = 1, firstIgnored = 0;

    for (const char *line = text, *next; *line != '\0'; line = next, number++) {
        char *place, *code;

        next = nextLine(line);
        inside = isInside(line, inside);
        if (!inside)
            continue;
        place = formatString("%s:%d:", strrchr(source, '/'), number);
        code = codeOf(line);
        if ((hasNarrowIndex(code) || isNarrowToCompiler(output, place, code)) &&
            count++ < MOST_WARNINGS)
            printf("  %s %.*s\n", place + 1, (int)strcspn(line, "\n"), line);
        if (firstIgnored == 0 && ignoresError(code, before, text))
            firstIgnored = number;
        before = *code != '\0' ? code[strlen(code) - 1] : before;
    }
    if (count > 0)
        printf("Right at these sizes. With billions of elements, 32 bits are too few for the "
               "size or index\nin %s.\n",
               count == 1 ? "that line" : "those lines");
    if (firstIgnored > 0)
        puts(leaveUntaught(formatString("  %s:%d: this call's error is ignored (cudaVerify() "
                                        "checks it, and\ncudaVerifyKernel(()) of a launch)",
                                        strrchr(source, '/') + 1, firstIgnored),
                           e->brief));
}
