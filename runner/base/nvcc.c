/* nvcc's messages: "FILE(LINE): error: TEXT", then more of the text, indented, its own version of
 * the line, in which macros are replaced, and a line with a caret. */
#include "nvcc.h"
#include "text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 16, NAME = 64 };

struct message {
    char *file, *kind, *text;
    int line;
    char *source;   /* the author's line, "" if it cannot be read */
    char *replaced; /* nvcc's version of it */
    int column;     /* of the caret in that version, from 0; -1 if there is none */
};

/* A piece of the message, a piece of the author's line (NULL: any), and what to do. */
static const struct {
    const char *piece, *source, *advice;
} advices[] = {
    {"operand types are: const uint3", NULL,
     "threadIdx, blockIdx, blockDim and gridDim have components: blockIdx.x * blockDim.x + "
     "threadIdx.x"},
    {"must have a void return type", NULL,
     "a kernel returns nothing: its type must be void, and its result goes to memory"},
    {"a host function call cannot be configured", NULL,
     "what is launched is no kernel: is __global__ missing?"},
    {"a __global__ function call must be configured", NULL,
     "a kernel is launched with <<<grid, block>>>"},
    {"too few arguments in function call", "cudaMemcpy(",
     "the direction is missing: cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost"},
    {"\"__shared__\" variable declaration is not allowed inside a host", NULL,
     "__shared__ memory belongs to a block: declare it in the kernel"},
    {"overloaded function \"atomic", NULL, "an address is wanted: is a & missing?"},
    {"overloaded function \"__ldg\"", NULL, "__ldg() wants the element's address: is a & missing?"},
    {"calling a __host__ function", NULL, "a kernel can only call __device__ functions"},
    {"calling a __device__ function", NULL,
     "the host cannot call a __device__ function: __host__ __device__ makes it one for both"},
    {"an automatic \"__constant__\" variable", NULL,
     "__constant__ and __device__ variables are declared outside of all functions"},
    {"an automatic \"__device__\" variable", NULL,
     "__constant__ and __device__ variables are declared outside of all functions"},
    {"with parameter of type \"size_t\"", "<<<",
     "<<<grid, block>>>, or <<<grid, block, bytes of dynamic shared memory, stream>>>"},
    {"with parameter of type \"cudaStream_t *\"", NULL,
     "the call wants the address of the stream: &stream"},
    {"with parameter of type \"cudaEvent_t *\"", NULL,
     "the call wants the address of the event: &event"},
    {"with parameter of type \"void **\"", NULL,
     "the call wants the address of the pointer: (void **)&pointer"},
    {"overloaded function \"cudaMalloc", NULL,
     "the call wants the address of the pointer: (void **)&pointer"},
    {"\"double *\" is incompatible with parameter of type \"float *\"", NULL,
     "the call writes a float: give it the address of one"},
    {"cannot be assigned to an entity of type \"void *\"", NULL,
     "this place takes no const pointer, though it may only read: (void *)pointer"},
    {"type \"void *\" cannot be", NULL,
     "a .cu file is C++: cast the result, (float *)malloc(bytes)"},
    {"expected a \";\"", NULL, "is a ; missing at the end of the line before?"},
    {"must be a modifiable lvalue", NULL,
     "only a variable or an element can be assigned to, and const data stays as it is"},
    {"expression must have a constant value", NULL,
     "an array's size must be a constant. For shared memory whose size is known at the launch: "
     "extern "
     "__shared__ float s[]; and its bytes as the third value in <<<grid, block, bytes>>>"},
    {"a function definition is not allowed here", NULL,
     "a function begins inside another one: is a } missing above?"},
    {"uses too much shared data", NULL,
     "a block has 48 KB for __shared__ arrays; more is given at the launch, after "
     "cudaFuncSetAttribute()"},
    {"expression has no effect", "__syncthreads",
     "a call needs parentheses, even without arguments"},
    {"expression has no effect", "dim3", "several sizes in one value: dim3 block(16, 16);"},
    {"\"blockIDx\"", NULL, "CUDA's name is blockIdx"},
    {"\"threadIDx\"", NULL, "CUDA's name is threadIdx"},
    {"\"threadidx\"", NULL, "CUDA's name is threadIdx"},
    {"\"blockidx\"", NULL, "CUDA's name is blockIdx"},
    {"\"__syncthread\"", NULL, "CUDA's name is __syncthreads"},
    {"\"syncthreads\"", NULL, "CUDA's name is __syncthreads"},
};

/* The line at p, without its end, as a new string; *next is the line behind it. */
static char *takeLine(const char *p, const char **next)
{
    const size_t length = strcspn(p, "\n");

    *next = p + length + (p[length] == '\n');
    return formatString("%.*s", (int)length, p);
}

/* Reads "FILE(LINE): KIND: TEXT". Returns 1 if the line is such a head. */
static int readHead(const char *line, struct message *m)
{
    static const char *const kinds[] = {"error", "warning", "note"};
    const char *number = NULL, *text;

    memset(m, 0, sizeof *m);
    m->column = -1;
    if (isspace((unsigned char)line[0]))
        return 0;
    for (const char *p = line; (p = strchr(p, '(')) != NULL && number == NULL; p++)
        if (isdigit((unsigned char)p[1]) &&
            strncmp(p + 1 + strspn(p + 1, "0123456789"), "): ", 3) == 0)
            number = p;
    if (number == NULL)
        return 0;
    text = number + 1 + strspn(number + 1, "0123456789") + 3;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i]);

        if (strncmp(text, kinds[i], length) != 0 || strstr(text, ": ") == NULL)
            continue;
        m->file = formatString("%.*s", (int)(number - line), line);
        m->line = atoi(number + 1);
        m->kind = formatString("%s", kinds[i]);
        m->text = formatString("%s", strstr(text, ": ") + 2);
        return 1;
    }
    return 0;
}

static char *sourceLine(const char *path, int number)
{
    FILE *in = fopen(path, "r");
    char line[4096] = "";

    while (in != NULL && number-- > 0)
        if (fgets(line, sizeof line, in) == NULL)
            line[0] = '\0';
    if (in != NULL)
        fclose(in);
    line[strcspn(line, "\r\n")] = '\0';
    return formatString("%s", line);
}

/* What follows a head: the lines that begin with a blank. Returns the line behind them. */
static const char *readRest(const char *p, struct message *m)
{
    while (*p == ' ') {
        const char *next;
        char *line = takeLine(p, &next);
        const size_t blanks = strspn(line, " ");

        if (strcmp(line + blanks, "^") == 0) {
            m->column = (int)blanks;
        } else if (blanks >= 8 && m->replaced == NULL) { /* more of the text */
            char *more = formatString("%s; %s", m->text, line + blanks);

            free(m->text);
            m->text = more;
        } else if (m->replaced == NULL) {
            m->replaced = formatString("%s", line);
        }
        free(line);
        p = next;
    }
    return p;
}

/* The column in the author's line, from 0, of the word that the caret points to; -1 if it is not
 * there. */
static int columnOf(const struct message *m)
{
    char word[NAME] = "";
    const char *at;
    size_t n = 0;
    int nth = 0;

    if (m->column < 0 || m->replaced == NULL || (size_t)m->column >= strlen(m->replaced))
        return -1;
    at = m->replaced + m->column;
    while (n + 1 < sizeof word && (n == 0 || isalnum((unsigned char)at[n]) || at[n] == '_') &&
           at[n] != '\0' && (n == 0 || isalnum((unsigned char)at[0]) || at[0] == '_')) {
        word[n] = at[n];
        n++;
    }
    for (const char *p = m->replaced; (p = strstr(p, word)) != NULL && p < at; p++)
        nth++;
    at = m->source;
    for (; (at = strstr(at, word)) != NULL && nth > 0; at++)
        nth--;
    return at != NULL ? (int)(at - m->source) : -1;
}

static void advise(FILE *out, const char *text, const char *source)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (strstr(text, advices[i].piece) != NULL &&
            (advices[i].source == NULL || strstr(source, advices[i].source) != NULL)) {
            fprintf(out, "      = %s\n", advices[i].advice);
            return;
        }
}

static void print(FILE *out, const struct message *m)
{
    const int column = columnOf(m);

    if (column >= 0)
        fprintf(out, "%s:%d:%d: %s: %s\n", m->file, m->line, column + 1, m->kind, m->text);
    else
        fprintf(out, "%s:%d: %s: %s\n", m->file, m->line, m->kind, m->text);
    if (m->source[0] != '\0')
        fprintf(out, "%5d | %s\n", m->line, m->source);
    if (m->source[0] != '\0' && column >= 0) {
        fprintf(out, "      | ");
        for (int i = 0; i < column; i++)
            putc(m->source[i] == '\t' ? '\t' : ' ', out);
        fprintf(out, "^\n");
    }
    advise(out, m->text, m->source);
}

/* 1 if the file is none of the author's: a header of the toolkit, or what nvcc has written for
 * itself. */
static int isNvccs(const char *file)
{
    static const char *const signs[] = {"/targets/", "/include/crt/", ".stub.c", ".cudafe",
                                        "tmpxft_"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(file, signs[i]) != NULL)
            return 1;
    return strstr(file, "/cuda") != NULL && strstr(file, "/include/") != NULL;
}

static void freeMessage(struct message *m)
{
    free(m->file);
    free(m->kind);
    free(m->text);
    free(m->source);
    free(m->replaced);
}

/* 1 if that has been said before: nvcc compiles a file once for the host and once for each
 * architecture, and says twice what a kernel calls that it cannot. */
static int isAgain(char *said[SHOWN], int *count, const struct message *m)
{
    const int isEcho = strstr(m->text, "is undefined in device code") != NULL;
    char *place = formatString("%s:%d:", m->file, m->line),
         *whole = formatString("%s%s", place, m->text);
    int again = 0;

    for (int i = 0; i < *count; i++)
        again |=
            strcmp(said[i], whole) == 0 || (isEcho && strncmp(said[i], place, strlen(place)) == 0);
    free(place);
    if (again || *count == SHOWN) {
        free(whole);
        return 1;
    }
    said[(*count)++] = whole;
    return 0;
}

int nvccExplain(FILE *out, const char *log)
{
    char *said[SHOWN];
    int count = 0, errors = 0;

    for (const char *p = log, *next; *p != '\0'; p = next) {
        char *line = takeLine(p, &next);
        struct message m;

        if (strncmp(line, "ptxas error", 11) == 0) {
            const char *text = strchr(line, ':');

            fprintf(out, "%s\n", line);
            advise(out, text != NULL ? text : line, "");
            errors++;
        } else if (readHead(line, &m)) {
            next = readRest(next, &m);
            m.source = sourceLine(m.file, m.line);
            if (strcmp(m.kind, "note") != 0 && !isNvccs(m.file) && !isAgain(said, &count, &m)) {
                print(out, &m);
                errors += strcmp(m.kind, "error") == 0;
            }
            freeMessage(&m);
        }
        free(line);
    }
    for (int i = 0; i < count; i++)
        free(said[i]);
    return errors;
}
