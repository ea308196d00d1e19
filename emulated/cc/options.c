/* options.c: see options.h. nvcc's options are understood, and most of them mean nothing here. */
#define _POSIX_C_SOURCE 200809L
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"

void add(struct words *w, char *word)
{
    if (w->count + 1 >= w->capacity) {
        w->capacity = w->capacity ? w->capacity * 2 : 32;
        w->list = realloc(w->list, w->capacity * sizeof *w->list);
        if (!w->list) {
            fprintf(stderr, "emulated-cc: out of memory\n");
            exit(2);
        }
    }
    w->list[w->count++] = word;
    w->list[w->count] = NULL;
}

void add_all(struct words *w, const struct words *more)
{
    for (size_t i = 0; i < more->count; i++)
        add(w, more->list[i]);
}

void add_list(struct words *w, const char *const *more)
{
    for (; *more; more++)
        add(w, (char *)*more);
}

const char *extension(const char *name)
{
    const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    return dot && (!slash || dot > slash) ? dot : "";
}

static void usage(FILE *to)
{
    fputs(
        "usage: emulated-cc [options] FILES\n"
        "Compiles CUDA C (.cu) for the emulated device and links it; .c, .cpp, .o and .a files may "
        "be mixed in.\n"
        "\n"
        "  -c               compile only: FILE.o beside each source, or -o\n"
        "  -o OUT           the program (a.out) or object\n"
        "  -arch=sm_70      compile for this compute capability, __CUDA_ARCH__ 700, and run on "
        "such a device.\n"
        "                   -gencode and CUDA_EMULATED_DEVICE do so as well; otherwise it is 9.0\n"
        "  --no-syntax-pass   for a source of which a twin is compiled as well: without the second "
        "look, by clang++, at\n"
        "                   calls between host and device\n"
        "  --warnings FILE  what -Wall and -Wconversion find in a .cu file, into this file; errors "
        "are printed as ever\n"
        "  --fast           the program checks bounds only: no races, no counters, several times "
        "as fast\n"
        "  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE, -g, -W..., -l LIB, -L DIR, -Xcompiler "
        "A,B, -MD -MF FILE\n"
        "                   as other compilers have them\n"
        "Other options of nvcc (-O3, -lineinfo, -rdc=true, -lcublas ...) are accepted and mean "
        "nothing here.\n"
        "\n"
        "When the program runs:\n"
        "  CUDA_EMULATED_PROFILE=1       a table of counters for each source line\n"
        "  CUDA_EMULATED_DEVICE=volta    limits of such a device: fermi, kepler, maxwell, pascal, "
        "volta, turing, ampere,\n"
        "                                ada, hopper, blackwell, or a capability such as 70\n"
        "  CUDA_EMULATED_DEVICES=N       N devices instead of one\n"
        "  CUDA_EMULATED_FAST=1          as --fast; 0 puts the checks back\n"
        "  CUDA_EMULATED_PATIENCE=N      a kernel that achieves nothing for N seconds (10) is "
        "ended as endless\n"
        "  CUDA_EMULATED_LIMIT=N         one that would take longer than N seconds ends the "
        "program\n"
        "  CUDA_EMULATED_FINDINGS=FILE, CUDA_EMULATED_COUNTERS=FILE   mistakes and counters as "
        "CSV\n"
        "  CUDA_EMULATED_FINDINGS_FATAL=0   mistakes do not change the exit status\n",
        to);
}

static int starts(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

static int is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return 1;
    return 0;
}

/* nvcc options that mean nothing here: how many words they take, or 0. */
static int ignored(const char *word)
{
    static const char *const alone[] = {"-rdc=",
                                        "--relocatable-device-code=",
                                        "-code=",
                                        "--gpu-code=",
                                        "-maxrregcount=",
                                        "--maxrregcount=",
                                        "--ptxas-options=",
                                        "-Xptxas=",
                                        "-lcublas",
                                        "-lcusparse",
                                        "-lcudart",
                                        "-lcudadevrt",
                                        "-lcurand",
                                        "-lcufft",
                                        "-lnvToolsExt",
                                        "--expt-",
                                        "-expt-",
                                        "--extended-lambda",
                                        "-extended-lambda",
                                        "-cudart=",
                                        "--cudart=",
                                        "-std=",
                                        "--std=",
                                        "--diag-",
                                        "-diag-",
                                        "--default-stream=legacy",
                                        "--threads=",
                                        "-t=",
                                        "-ccbin=",
                                        "--compiler-bindir=",
                                        "-allow-unsupported-compiler",
                                        NULL};
    static const char *const exact[] = {"-lineinfo",
                                        "--generate-line-info",
                                        "-G",
                                        "--device-debug",
                                        "-use_fast_math",
                                        "--use_fast_math",
                                        "-keep",
                                        "-fmad=false",
                                        "-fmad=true",
                                        "--fmad=false",
                                        "-res-usage",
                                        "--resource-usage",
                                        "-lcuda",
                                        "-ewp",
                                        "-m64",
                                        "-dlto",
                                        "-restrict",
                                        NULL};
    static const char *const pairs[] = {"-Xptxas",
                                        "-maxrregcount",
                                        "-code",
                                        "-ccbin",
                                        "-cudart",
                                        "--gpu-code",
                                        "--ptxas-options",
                                        "-rdc",
                                        "-std",
                                        "--std",
                                        "-x",
                                        "-Xcudafe",
                                        "-Xnvlink",
                                        "--threads",
                                        "-t",
                                        "-diag-suppress",
                                        "--diag-suppress",
                                        "-fmad",
                                        "--default-stream",
                                        "--compiler-bindir",
                                        "-default-stream",
                                        NULL};
    if (is_one_of(word, pairs))
        return 2;
    if (is_one_of(word, exact))
        return 1;
    for (size_t i = 0; alone[i]; i++)
        if (starts(word, alone[i]))
            return 1;
    return 0;
}

/* -arch=V, -arch V, -gencode V and so on. Returns the words it takes, 0 when it is no such option,
 * -1 when V is bad. */
static int architecture(const char *word, const char *next)
{
    static const char *const names[] = {"-arch", "--gpu-architecture", "-gencode",
                                        "--generate-code", NULL};
    for (size_t i = 0; names[i]; i++) {
        size_t n = strlen(names[i]);
        const char *value = word[n < strlen(word) ? n : 0] == '=' ? word + n + 1 : next;
        if (!starts(word, names[i]) || (word[n] && word[n] != '='))
            continue;
        if (!value || !arch_request(value)) {
            fprintf(stderr, "emulated-cc: %s %s: expected an architecture such as sm_70\n",
                    names[i], value ? value : "");
            return -1;
        }
        return word[n] ? 1 : 2;
    }
    return 0;
}

static int add_source(struct options *o, char *word)
{
    static const char *const sources[] = {".cu", ".c", ".cpp", ".cc", ".cxx", NULL};
    if (is_one_of(extension(word), sources)) {
        if (access(word, R_OK) != 0) {
            fprintf(stderr, "emulated-cc: %s: %s\n", word, strerror(errno));
            return 2;
        }
        add(&o->sources, word);
    }
    add(&o->link, word); /* a source is replaced by its object later */
    return -1;
}

/* Of those that are handed on to g++: what defines macros. */
static int is_for_preprocessor(const char *flag)
{
    static const char *const begins[] = {"-D", "-U", "-I", "-fopenmp", "-pthread", NULL};
    int i = 0;
    while (begins[i] && strncmp(flag, begins[i], strlen(begins[i])) != 0)
        i++;
    return begins[i] != NULL;
}

/* Options with a value in the next word, or in the same one. Returns the words it takes, or 0. */
static int with_value(struct options *o, char *word, char *next)
{
    static const char *const preprocess[] = {"-I",       "-D",      "-U",         "-include",
                                             "-isystem", "-iquote", "-idirafter", NULL};
    if (is_one_of(word, preprocess)) {
        add(&o->preprocess, word);
        add(&o->preprocess, next);
    } else if (strcmp(word, "-l") == 0 || strcmp(word, "-L") == 0) {
        add(&o->link, word);
        add(&o->link, next);
    } else if (strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0)
        o->out = next;
    else if (strcmp(word, "-MF") == 0)
        o->dependencies = next;
    else if (strcmp(word, "--warnings") == 0)
        o->warnings = next;
    else if (strcmp(word, "-Xcompiler") == 0 || strcmp(word, "-Xlinker") == 0 ||
             strcmp(word, "--compiler-options") == 0) {
        for (char *flag = strtok(next, ","); flag; flag = strtok(NULL, ",")) {
            add(&o->other, flag);
            if (is_for_preprocessor(flag))
                add(&o->preprocess, flag);
        }
    } else
        return strcmp(word, "-MT") == 0 ? 2 : 0; /* the object itself is the target */
    return 2;
}

static int is_alone(struct options *o, char *word)
{
    if (strcmp(word, "-c") == 0 || strcmp(word, "-dc") == 0 || strcmp(word, "--compile") == 0)
        o->compile_only = 1;
    else if (strcmp(word, "-dlink") == 0 || strcmp(word, "--device-link") == 0)
        o->device_link = 1;
    else if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0)
        o->depend = 1;
    else if (strcmp(word, "--no-syntax-pass") == 0)
        o->no_syntax_pass = 1;
    else if (strcmp(word, "--fast") == 0)
        o->fast = 1;
    else if (starts(word, "-I") || starts(word, "-D") || starts(word, "-U"))
        add(&o->preprocess, word);
    else if (starts(word, "-l") || starts(word, "-L"))
        add(&o->link, word);
    else
        return 0;
    return 1;
}

int read_options(struct options *o, int argc, char **argv)
{
    static const char *const impossible[] = {"-S",      "-E",    "-ptx", "-cubin",
                                             "-fatbin", "--ptx", NULL};
    memset(o, 0, sizeof *o);
    for (int i = 1, words; i < argc; i += words) {
        char *word = argv[i], *next = argv[i + 1];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            usage(stdout);
            return 0;
        }
        if (is_one_of(word, impossible)) {
            fprintf(
                stderr,
                "emulated-cc: %s is not there: -c makes an object file, else a program is made\n",
                word);
            return 2;
        }
        static char none[] = "";
        if ((words = architecture(word, next)) < 0)
            return 2;
        if (words == 0)
            words = ignored(word);
        if (words == 0)
            words = with_value(o, word, next ? next : none);
        if (words == 0)
            words = is_alone(o, word);
        if (i + words > argc) {
            fprintf(stderr, "emulated-cc: %s needs a value\n", word);
            return 2;
        }
        if (words)
            continue;
        words = 1;
        if (starts(word, "-O")) /* fixed: the counters should not depend on it */
            words += !word[2] && next && next[0] >= '0' && next[0] <= '3';
        else if (word[0] == '-')
            add(&o->other, word);
        else if (add_source(o, word) >= 0)
            return 2;
    }
    if (o->link.count == 0) {
        usage(stderr);
        return 2;
    }
    for (size_t i = 0; o->out && i < o->link.count; i++)
        if (strcmp(o->link.list[i], o->out) == 0) {
            fprintf(stderr, "emulated-cc: -o %s would overwrite that file\n", o->out);
            return 2;
        }
    if (o->compile_only && o->out && o->sources.count != 1) {
        fprintf(stderr, "emulated-cc: -c with -o takes one source file\n");
        return 2;
    }
    return -1;
}
