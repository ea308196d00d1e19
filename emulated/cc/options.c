/* options.c: see options.h. All of nvcc's options are known, and many of them mean nothing here. */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch.h"
#include "places.h"
#include "tokens.h"

void add(struct words *w, char *word)
{
    if (w->count + 1 >= w->capacity) {
        w->capacity = w->capacity ? w->capacity * 2 : 32;
        w->list = grow(w->list, w->capacity * sizeof *w->list);
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
    fprintf(
        to,
        "usage: %s [options] FILES\n"
        "Compiles CUDA C (.cu) for the emulated device and links it with .c, .cpp, .o and .a "
        "files.\n"
        "nvcc's options:\n"
        "  -c, -dc          compile only: FILE.o beside each source, or -o\n"
        "  -o OUT           the program (a.out), object or library\n"
        "  -lib, -shared    a library; nothing can load a shared one while it runs\n"
        "  -arch=sm_70      compile for this compute capability, __CUDA_ARCH__ 700, and run on "
        "such a device.\n"
        "                   -gencode and CUDA_EMULATED_DEVICE do so as well; otherwise it is 9.0\n"
        "  -I, -D, -U, -include, -isystem, -g, -w, -l, -L, -std, -x, -E, -M, -MM, -MD, -MMD, -MF, "
        "-MT, -MP\n"
        "                   as other compilers have them\n"
        "  -Xcompiler A,B, -Xlinker A,B   options for g++ and the linker; -ccbin CXX: another g++\n"
        "  -v, --dryrun     show the commands\n"
        "  The others (-O3, -lineinfo, -rdc=true ...) mean nothing here, and there is no -ptx.\n"
        "Options of its own:\n"
        "  --fast           the program checks bounds only: no races, no counters, several times "
        "as fast\n"
        "  --warnings FILE  what -Wall and -Wconversion find in a .cu file, into this file\n"
        "  --no-syntax-pass   no second look, by clang++, at calls between host and device\n"
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
        program_invocation_short_name);
}

/* The words that build systems look for: CMake for nvcc's first line, makefiles for the release. */
static void print_version(void)
{
    struct toolkit_version v = toolkit_version(0);
    printf("emulated-nvcc: CUDA C for the emulated device, in the place of\n"
           "nvcc: NVIDIA (R) Cuda compiler driver\n"
           "Cuda compilation tools, release %d.%d, V%d.%d.%d\n",
           v.major, v.minor, v.major, v.minor, v.build);
}

enum meaning {
    NOTHING,
    LEVEL,
    MAKES_OBJECTS,
    LINKS_DEVICE,
    MAKES_ARCHIVE,
    MAKES_SHARED,
    PREPROCESSES,
    LISTS_DEPENDENCIES,
    LISTS_DEPENDENCIES_TOO,
    DEPENDENCY_FILE,
    DEPENDENCY_TARGET,
    DEPENDENCY_RULES,
    OUT,
    OUT_FOLDER,
    INCLUDE,
    PREPROCESSOR,
    LINKER,
    TO_COMPILER,
    TO_LINKER,
    ITSELF_TO_COMPILER,
    ARCHITECTURE,
    HOST_COMPILER,
    LANGUAGE,
    STANDARD,
    OPTIONS_FILE,
    FORWARD,
    VERBOSE,
    DRY_RUN,
    HELP,
    VERSION,
    NO_CODE,
    WARNINGS_FILE,
    FAST,
    NO_SYNTAX_PASS,
    PRELUDE
};

/* What follows an option, behind '=' or as the next word; a list may be parted by commas, and
 * stand right behind an option of one letter. */
enum value { ALONE, VALUE, LIST };

/* nvcc's options without their dashes, the long name and the short one; then some of g++'s, and our
 * own. */
static const struct known {
    const char *name, *brief;
    enum value value;
    enum meaning meaning;
} known[] = {
    {"cuda", "cuda", ALONE, NO_CODE},
    {"cubin", "cubin", ALONE, NO_CODE},
    {"fatbin", "fatbin", ALONE, NO_CODE},
    {"ptx", "ptx", ALONE, NO_CODE},
    {"optix-ir", "optix-ir", ALONE, NO_CODE},
    {"ltoir", "ltoir", ALONE, NO_CODE},
    {"preprocess", "E", ALONE, PREPROCESSES},
    {"generate-dependencies", "M", ALONE, LISTS_DEPENDENCIES},
    {"generate-nonsystem-dependencies", "MM", ALONE, LISTS_DEPENDENCIES},
    {"generate-dependencies-with-compile", "MD", ALONE, LISTS_DEPENDENCIES_TOO},
    {"generate-nonsystem-dependencies-with-compile", "MMD", ALONE, LISTS_DEPENDENCIES_TOO},
    {"dependency-output", "MF", VALUE, DEPENDENCY_FILE},
    {"dependency-target-name", "MT", VALUE, DEPENDENCY_TARGET},
    {"generate-dependency-targets", "MP", ALONE, DEPENDENCY_RULES},
    {"compile", "c", ALONE, MAKES_OBJECTS},
    {"device-c", "dc", ALONE, MAKES_OBJECTS},
    {"device-w", "dw", ALONE, MAKES_OBJECTS},
    {"device-link", "dlink", ALONE, LINKS_DEVICE},
    {"link", "link", ALONE, NOTHING},
    {"lib", "lib", ALONE, MAKES_ARCHIVE},
    {"shared", "shared", ALONE, MAKES_SHARED},
    {"output-file", "o", VALUE, OUT},
    {"output-directory", "odir", VALUE, OUT_FOLDER},
    {"pre-include", "include", LIST, PREPROCESSOR},
    {"define-macro", "D", LIST, PREPROCESSOR},
    {"undefine-macro", "U", LIST, PREPROCESSOR},
    {"include-path", "I", LIST, INCLUDE},
    {"system-include", "isystem", LIST, INCLUDE},
    {"library", "l", LIST, LINKER},
    {"library-path", "L", LIST, LINKER},
    {"compiler-bindir", "ccbin", VALUE, HOST_COMPILER},
    {"compiler-options", "Xcompiler", LIST, TO_COMPILER},
    {"linker-options", "Xlinker", LIST, TO_LINKER},
    {"gpu-architecture", "arch", VALUE, ARCHITECTURE},
    {"generate-code", "gencode", VALUE, ARCHITECTURE},
    {"x", "x", VALUE, LANGUAGE},
    {"std", "std", VALUE, STANDARD},
    {"profile", "pg", ALONE, ITSELF_TO_COMPILER},
    {"debug", "g", ALONE, ITSELF_TO_COMPILER},
    {"disable-warnings", "w", ALONE, ITSELF_TO_COMPILER},
    {"options-file", "optf", VALUE, OPTIONS_FILE},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", ALONE, FORWARD},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", ALONE, FORWARD},
    {"forward-unknown-opts", "forward-unknown-opts", ALONE, FORWARD},
    {"verbose", "v", ALONE, VERBOSE},
    {"dryrun", "dryrun", ALONE, DRY_RUN},
    {"help", "h", ALONE, HELP},
    {"version", "V", ALONE, VERSION},

    {"allow-unsupported-compiler", "allow-unsupported-compiler", ALONE, NOTHING},
    {"archiver-binary", "arbin", VALUE, NOTHING},
    {"cudart", "cudart", VALUE, NOTHING},
    {"cudadevrt", "cudadevrt", VALUE, NOTHING},
    {"libdevice-directory", "ldir", VALUE, NOTHING},
    {"target-directory", "target-dir", VALUE, NOTHING},
    {"device-debug", "G", ALONE, NOTHING},
    {"generate-line-info", "lineinfo", ALONE, NOTHING},
    {"optimization-info", "opt-info", VALUE, NOTHING},
    {"optimize", "O", LIST, LEVEL},
    {"Ofast-compile", "Ofc", VALUE, NOTHING},
    {"dopt", "dopt", VALUE, NOTHING},
    {"dlink-time-opt", "dlto", ALONE, NOTHING},
    {"lto", "lto", ALONE, NOTHING},
    {"gen-opt-lto", "gen-opt-lto", ALONE, NOTHING},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", VALUE, NOTHING},
    {"ftemplate-depth", "ftemplate-depth", VALUE, NOTHING},
    {"no-exceptions", "noeh", ALONE, NOTHING},
    {"no-host-device-initializer-list", "nohdinitlist", ALONE, NOTHING},
    {"no-host-device-move-forward", "nohdmoveforward", ALONE, NOTHING},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", ALONE, NOTHING},
    {"extended-lambda", "extended-lambda", ALONE, NOTHING},
    {"expt-extended-lambda", "expt-extended-lambda", ALONE, NOTHING},
    {"machine", "m", VALUE, NOTHING},
    {"m64", "m64", ALONE, NOTHING},
    {"archive-options", "Xarchive", VALUE, NOTHING},
    {"ptxas-options", "Xptxas", VALUE, NOTHING},
    {"nvlink-options", "Xnvlink", VALUE, NOTHING},
    {"Xcudafe", "Xcudafe", VALUE, NOTHING},
    {"Xfatbin", "Xfatbin", VALUE, NOTHING},
    {"static-global-template-stub", "static-global-template-stub", VALUE, NOTHING},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", VALUE, NOTHING},
    {"dont-use-profile", "noprof", ALONE, NOTHING},
    {"threads", "t", VALUE, NOTHING},
    {"split-compile", "split-compile", VALUE, NOTHING},
    {"split-compile-extended", "split-compile-extended", VALUE, NOTHING},
    {"keep", "keep", ALONE, NOTHING},
    {"keep-dir", "keep-dir", VALUE, NOTHING},
    {"save-temps", "save-temps", ALONE, NOTHING},
    {"objdir-as-tempdir", "objtemp", ALONE, NOTHING},
    {"time", "time", VALUE, NOTHING},
    {"no-align-double", "no-align-double", ALONE, NOTHING},
    {"no-device-link", "nodlink", ALONE, NOTHING},
    {"gpu-code", "code", VALUE, NOTHING},
    {"relocatable-device-code", "rdc", VALUE, NOTHING},
    {"entries", "e", VALUE, NOTHING},
    {"maxrregcount", "maxrregcount", VALUE, NOTHING},
    {"use_fast_math", "use_fast_math", ALONE, NOTHING},
    {"ftz", "ftz", VALUE, NOTHING},
    {"prec-div", "prec-div", VALUE, NOTHING},
    {"prec-sqrt", "prec-sqrt", VALUE, NOTHING},
    {"fmad", "fmad", VALUE, NOTHING},
    {"extra-device-vectorization", "extra-device-vectorization", ALONE, NOTHING},
    {"default-stream", "default-stream", VALUE, NOTHING},
    {"keep-device-functions", "keep-device-functions", ALONE, NOTHING},
    {"source-in-ptx", "src-in-ptx", ALONE, NOTHING},
    {"restrict", "restrict", ALONE, NOTHING},
    {"Wreorder", "Wreorder", ALONE, NOTHING},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", ALONE, NOTHING},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", ALONE, NOTHING},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", ALONE, NOTHING},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", ALONE, ITSELF_TO_COMPILER},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", ALONE, NOTHING},
    {"Werror", "Werror", VALUE, NOTHING},
    {"resource-usage", "res-usage", ALONE, NOTHING},
    {"extensible-whole-program", "ewp", ALONE, NOTHING},
    {"no-compress", "no-compress", ALONE, NOTHING},
    {"compress-mode", "compress-mode", VALUE, NOTHING},
    {"display-error-number", "err-no", ALONE, NOTHING},
    {"no-display-error-number", "no-err-no", ALONE, NOTHING},
    {"diag-error", "diag-error", VALUE, NOTHING},
    {"diag-suppress", "diag-suppress", VALUE, NOTHING},
    {"diag-warn", "diag-warn", VALUE, NOTHING},
    {"brief-diagnostics", "brief-diag", VALUE, NOTHING},
    {"frandom-seed", "frandom-seed", VALUE, NOTHING},

    {"iquote", "iquote", VALUE, PREPROCESSOR},
    {"idirafter", "idirafter", VALUE, PREPROCESSOR},
    {"S", "S", ALONE, NO_CODE},

    {"warnings", "warnings", VALUE, WARNINGS_FILE},
    {"fast", "fast", ALONE, FAST},
    {"no-syntax-pass", "no-syntax-pass", ALONE, NO_SYNTAX_PASS},
    {"prelude", "prelude", VALUE, PRELUDE},
};

static int is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return 1;
    return 0;
}

/* The option in a word, and the value in the same word, or NULL. */
static const struct known *find_option(char *word, char **value)
{
    const int is_long = word[1] == '-';
    char *name = word + 1 + is_long;
    const size_t length = strcspn(name, "=");
    const struct known *joined = NULL; /* as in -IDIR */
    *value = name[length] ? name + length + 1 : NULL;
    for (const struct known *k = known; k < known + sizeof known / sizeof *known; k++) {
        const char *this = is_long ? k->name : k->brief;
        if (strlen(this) == length && strncmp(this, name, length) == 0)
            return k;
        if (!is_long && k->value == LIST && !k->brief[1] && k->brief[0] == name[0])
            joined = k;
    }
    if (joined)
        *value = name + 1;
    return joined;
}

/* Of those that are handed on to g++: what defines macros. */
static int is_for_preprocessor(const char *flag)
{
    static const char *const begins[] = {"-D", "-U", "-I", "-fopenmp", "-pthread", "-m", NULL};
    int i = 0;
    while (begins[i] && strncmp(flag, begins[i], strlen(begins[i])) != 0)
        i++;
    return begins[i] != NULL;
}

static void to_compiler(struct options *o, char *flag)
{
    add(&o->other, flag);
    if (is_for_preprocessor(flag))
        add(&o->preprocess, flag);
}

/* One value of an option that may have a list of them. */
static void take(struct options *o, const struct known *k, char *value)
{
    char *option = format("-%s", k->brief);
    if (k->meaning == TO_COMPILER)
        to_compiler(o, value);
    else if (k->meaning == TO_LINKER) {
        add(&o->link, "-Xlinker");
        add(&o->link, value);
    } else if (k->meaning == LINKER) {
        add(&o->link, option);
        add(&o->link, value);
    } else if (k->meaning != INCLUDE || !is_toolkit(value)) {
        add(&o->preprocess, option);
        add(&o->preprocess, value);
    }
}

/* The values, by commas, and those for g++ and the linker by blanks too; makefiles put quotes
 * around them. */
static void take_list(struct options *o, const struct known *k, char *values)
{
    const char *between = k->meaning == TO_COMPILER || k->meaning == TO_LINKER ? ", \t\n" : ",";
    for (char *value = strtok(values, between); value; value = strtok(NULL, between)) {
        size_t length = strlen(value);
        if (length > 1 && *value == '"' && value[length - 1] == '"') {
            value[length - 1] = '\0';
            value++;
        }
        take(o, k, value);
    }
}

static int read_words(struct options *o, int count, char **words);

/* The words in a file, which blanks and newlines part, unless quotes or a backslash keep them
 * together. */
static int read_options_file(struct options *o, const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file) {
        tell("%s: %s", name, strerror(errno));
        return 2;
    }
    struct words words = {NULL, 0, 0};
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) < 0)
        text = format("");
    fclose(file);
    for (char *from = text, *to; *(from += strspn(from, " \t\r\n"));) {
        char quote = '\0';
        add(&words, to = from);
        for (; *from && (quote || !strchr(" \t\r\n", *from)); from++)
            if (quote ? *from == quote : *from == '"' || *from == '\'')
                quote = quote ? '\0' : *from;
            else {
                from += *from == '\\' && from[1];
                *to++ = *from;
            }
        from += *from != '\0';
        *to = '\0';
    }
    return words.count ? read_words(o, (int)words.count, words.list) : -1;
}

/* Returns -1, or the status to end with. */
static int obey(struct options *o, const struct known *k, char *word, char *value)
{
    static const char *const languages[] = {"cu", "c++", "c", NULL};
    switch (k->meaning) {
    case NOTHING: break;
    case LEVEL:
        if (value[0] < '0' || value[0] > '3' || value[1]) {
            tell("%s: -O takes a level from 0 to 3", word);
            return 2;
        }
        break; /* fixed: the counters should not depend on it */
    case MAKES_OBJECTS: o->product = OBJECTS; break;
    case LINKS_DEVICE: o->product = DEVICE_LINK; break;
    case MAKES_ARCHIVE: o->product = ARCHIVE; break;
    case MAKES_SHARED: o->product = o->product == PROGRAM ? SHARED : o->product; break;
    case PREPROCESSES: o->product = PREPROCESSED; break;
    case LISTS_DEPENDENCIES: o->product = DEPENDENCIES; /* fall through */
    case LISTS_DEPENDENCIES_TOO: o->depend_how = format("-%s", k->brief); break;
    case DEPENDENCY_FILE: o->dependencies = value; break;
    case DEPENDENCY_TARGET:
        add(&o->depend, "-MT");
        add(&o->depend, value);
        break;
    case DEPENDENCY_RULES: add(&o->depend, "-MP"); break;
    case OUT: o->out = value; break;
    case OUT_FOLDER: o->out_folder = value; break;
    case INCLUDE:
    case PREPROCESSOR:
    case LINKER:
    case TO_COMPILER:
    case TO_LINKER: take_list(o, k, value); break;
    case ITSELF_TO_COMPILER: add(&o->other, format("-%s", k->brief)); break;
    case ARCHITECTURE:
        if (!arch_request(value)) {
            tell("%s %s: expected an architecture such as sm_70", word, value);
            return 2;
        }
        break;
    case HOST_COMPILER: o->host_compiler = value; break;
    case LANGUAGE:
        if (!is_one_of(value, languages)) {
            tell("%s %s: expected cu, c++ or c", word, value);
            return 2;
        }
        o->language = value;
        break;
    case STANDARD: o->standard = value; break;
    case OPTIONS_FILE: return read_options_file(o, value);
    case FORWARD: o->forward_unknown = 1; break;
    case VERBOSE: o->verbose = 1; break;
    case DRY_RUN: o->verbose = o->dry_run = 1; break;
    case HELP: usage(stdout); return 0;
    case VERSION: print_version(); return 0;
    case NO_CODE:
        tell("%s is not there: kernels become code of the host. -c makes an object, and -E "
             "shows the preprocessed source",
             word);
        return 1;
    case WARNINGS_FILE: o->warnings = value; break;
    case FAST: o->fast = 1; break;
    case NO_SYNTAX_PASS: o->no_syntax_pass = 1; break;
    case PRELUDE: o->prelude = value; break;
    }
    return -1;
}

const char *language_of(const struct options *o, const char *source)
{
    static const char *const linked[] = {".o", ".a", ".so", NULL},
                             *const cpp[] = {".cpp", ".cc", ".cxx", ".C", NULL},
                             *const same[] = {".cu", ".c", NULL};
    const char *end = extension(source);
    if (o->language)
        return is_one_of(end, linked) || strstr(source, ".so.") ? "" : o->language;
    return is_one_of(end, same) ? end + 1 : is_one_of(end, cpp) ? "c++" : "";
}

static int read_words(struct options *o, int count, char **words)
{
    int status = -1;
    for (int i = 0; i < count && status < 0; i++) {
        char *word = words[i], *value = NULL;
        if (word[0] != '-' || !word[1]) {
            add(&o->link, word); /* a source is replaced by its object later */
            continue;
        }
        const struct known *k = find_option(word, &value);
        if (k && k->value != ALONE && !value)
            value = words[++i]; /* NULL at the end */
        if (!k || (k->value == ALONE && value)) {
            to_compiler(o, word);
            if (!o->unknown)
                o->unknown = word;
        } else if (k->value != ALONE && !value) {
            tell("%s needs a value", word);
            return 2;
        } else
            status = obey(o, k, word, value);
    }
    return status;
}

/* Returns -1, or the status to end with. */
static int check_files(struct options *o)
{
    for (size_t i = 0; i < o->link.count; i++) {
        char *word = o->link.list[i];
        if (word[0] == '-') {
            i +=
                strcmp(word, "-l") == 0 || strcmp(word, "-L") == 0 || strcmp(word, "-Xlinker") == 0;
            continue;
        }
        if (access(word, R_OK) != 0) {
            tell("%s: %s", word, strerror(errno));
            return 2;
        }
        if (o->out && strcmp(word, o->out) == 0) {
            tell("-o %s would overwrite that file", o->out);
            return 2;
        }
        if (*language_of(o, word))
            add(&o->sources, word);
    }
    return -1;
}

int read_options(struct options *o, int argc, char **argv)
{
    memset(o, 0, sizeof *o);
    o->forward_unknown = strcmp(program_invocation_short_name, "emulated-cc") == 0; /* as g++ */
    int status = read_words(o, argc - 1, argv + 1);
    if (status >= 0)
        return status;
    if (o->verbose)
        places_show();
    if (o->unknown && !o->forward_unknown) {
        tell("unknown option %s: nvcc has none of this name. -Xcompiler %s hands it to g++",
             o->unknown, o->unknown);
        return 2;
    }
    if (o->link.count == 0 && !o->prelude) {
        usage(stderr);
        return 2;
    }
    if ((status = check_files(o)) >= 0)
        return status;
    const int one_each =
        o->product == OBJECTS || o->product == PREPROCESSED || o->product == DEPENDENCIES;
    if (one_each && (o->out ? o->sources.count != 1 : o->sources.count == 0)) {
        tell("-c, -E and -M%s take %s", o->out ? " with -o" : "",
             o->out ? "one source file" : "source files");
        return 2;
    }
    return -1;
}
