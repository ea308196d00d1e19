/* emulated-cc: compiles CUDA C for the emulated device.
 *
 *     emulated-cc [-c] [-o OUT] [-I DIR] [-D NAME] [-g] [-l LIB] [-L DIR] [-MD -MF FILE] FILES
 *
 * .cu files go through the C++ preprocessor, the translator and the C++ compiler, through pipes; .c and .cpp files
 * straight to their compiler, uninstrumented; .o and .a to the linker. The compiler's messages are passed on. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "syntax_pass.h"
#include "tokens.h"
#include "translate.h"

#ifndef EMULATED_INCLUDE_DIR
#error "the build defines where the headers, the runtime and the compilers are"
#endif

struct words {
    char **list;
    size_t count, capacity;
};

static struct words preprocess_flags; /* -I -D -U -include -std */
static struct words other_flags;      /* -g -W -f, for host files and the linker too */
static struct words link_inputs;      /* objects, archives, -l and -L, in order */
static struct words temporary_files;
static char temporary_directory[PATH_MAX];

static void add(struct words *w, char *word)
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

static void add_all(struct words *w, const struct words *more)
{
    for (size_t i = 0; i < more->count; i++)
        add(w, more->list[i]);
}

static void add_list(struct words *w, const char *const *more)
{
    for (; *more; more++)
        add(w, (char *)*more);
}

static void remove_temporary_files(void)
{
    for (size_t i = 0; i < temporary_files.count; i++)
        unlink(temporary_files.list[i]);
    if (temporary_directory[0])
        rmdir(temporary_directory);
}

static void on_signal(int signal_number)
{
    remove_temporary_files(); /* unlink and rmdir are safe here */
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A name for an object that goes away at the end. */
static char *temporary_object(void)
{
    if (!temporary_directory[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(temporary_directory, sizeof temporary_directory, "%s/emulated-cc-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(temporary_directory)) {
            fprintf(stderr, "emulated-cc: cannot make a temporary directory %s: %s\n", temporary_directory,
                    strerror(errno));
            temporary_directory[0] = '\0';
            exit(2);
        }
    }
    char *name = format("%s/%zu.o", temporary_directory, temporary_files.count);
    add(&temporary_files, name);
    return name;
}

/* Starts a program with `in` and `out` as its standard input and output (-1: ours). */
static pid_t start(const struct words *command, int in, int out, int unused)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        fprintf(stderr, "emulated-cc: cannot start %s: %s\n", command->list[0], strerror(errno));
        exit(2);
    }
    if (child > 0)
        return child;
    if (in >= 0)
        dup2(in, 0);
    if (out >= 0)
        dup2(out, 1);
    if (unused >= 0)
        close(unused);
    execvp(command->list[0], command->list);
    fprintf(stderr, "emulated-cc: cannot start %s: %s\n", command->list[0], strerror(errno));
    _exit(127);
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static char *read_all(int file, size_t *length)
{
    size_t capacity = 1 << 20;
    char *text = malloc(capacity);
    *length = 0;
    while (text) {
        ssize_t n = read(file, text + *length, capacity - *length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return text;
        *length += (size_t)n;
        if (*length == capacity)
            text = realloc(text, capacity *= 2);
    }
    fprintf(stderr, "emulated-cc: out of memory\n");
    exit(2);
}

/* The instrumentation that the runtime's hooks expect; emulated/README.md says why each flag is there. */
static const char *const device_flags[] = {"-O1",
                                           "-fno-tree-sra",
                                           "-fno-optimize-sibling-calls",
                                           "-fno-strict-aliasing",
                                           "-fsanitize=thread",
                                           "--param",
                                           "tsan-distinguish-volatile=1",
                                           "--param",
                                           "tsan-instrument-func-entry-exit=0",
                                           "-fsanitize-coverage=trace-pc",
                                           "-g",
                                           "-fno-omit-frame-pointer",
                                           "-Wno-attributes", /* "might not be inlinable" */
                                           NULL};

/* The name under which a file is written until it is whole, so that nobody ever reads half of it: a temporary one
 * beside it, which finish() changes into its own. A device such as /dev/null keeps its name. */
static char *unfinished(char *name)
{
    struct stat there;
    if (stat(name, &there) == 0 && !S_ISREG(there.st_mode))
        return name;
    char *partial = format("%s.partial-%ld", name, (long)getpid());
    add(&temporary_files, partial);
    return partial;
}

static int finish(const char *partial, const char *name)
{
    if (strcmp(partial, name) == 0 || rename(partial, name) == 0)
        return 0;
    fprintf(stderr, "emulated-cc: cannot write %s: %s\n", name, strerror(errno));
    return 1;
}

static int compile_cuda(char *source, char *object, char *dependencies)
{
    struct words command = {NULL, 0, 0};
    static const char *const preprocess[] = {
        EMULATED_CXX,     "-E", "-x", "c++", "-std=gnu++17", "-isystem", EMULATED_INCLUDE_DIR, "-include",
        "cuda_runtime.h", NULL};
    add_list(&command, preprocess);
    add_all(&command, &preprocess_flags);
    char *partial = unfinished(object), *partial_dependencies = dependencies ? unfinished(dependencies) : NULL;
    if (dependencies) {
        char *const depend[] = {"-MD", "-MF", partial_dependencies, "-MQ", object, NULL};
        add_list(&command, (const char *const *)depend);
    }
    add(&command, source);
    int ends[2];
    if (pipe(ends) != 0) {
        perror("emulated-cc: pipe");
        exit(2);
    }
    pid_t child = start(&command, -1, ends[1], ends[0]);
    close(ends[1]);
    size_t length;
    char *text = read_all(ends[0], &length);
    close(ends[0]);
    int status = wait_for(child);
    free(command.list);
    if (status != 0)
        return 1;

    syntax_pass_start(source, text, length);
    if (pipe(ends) != 0) {
        perror("emulated-cc: pipe");
        exit(2);
    }
    struct words compile = {NULL, 0, 0};
    static const char *const first[] = {EMULATED_CXX, "-x", "c++-cpp-output", "-std=gnu++17", "-c", NULL};
    add_list(&compile, first);
    add_all(&compile, &other_flags);
    add_list(&compile, device_flags);
    char *const last[] = {"-o", partial, "-", NULL};
    add_list(&compile, (const char *const *)last);
    child = start(&compile, ends[0], -1, ends[1]);
    close(ends[0]);
    FILE *out = fdopen(ends[1], "w");
    int errors = out ? translate(text, length, out) : 1;
    if (errors && out)
        fputs("\n", out); /* an empty program: the translator has said why */
    if (out)
        fclose(out);
    status |= wait_for(child);
    status |= syntax_pass_finish() > 0;
    if (errors || status)
        unlink(object); /* make shall not take an older one for the result */
    else
        status = (dependencies && finish(partial_dependencies, dependencies)) || finish(partial, object);
    free(compile.list);
    free(text);
    return errors || status;
}

static int compile_host(char *source, char *object, int is_c)
{
    struct words command = {NULL, 0, 0};
    add(&command, is_c ? EMULATED_CC : EMULATED_CXX);
    static const char *const flags[] = {"-O2", "-g", "-D__CUDA_EMULATED__=1", "-isystem", EMULATED_INCLUDE_DIR, NULL};
    add_list(&command, flags);
    add_all(&command, &preprocess_flags);
    add_all(&command, &other_flags);
    char *partial = unfinished(object);
    char *const last[] = {"-c", "-o", partial, source, NULL};
    add_list(&command, (const char *const *)last);
    int status = wait_for(start(&command, -1, -1, -1)) || finish(partial, object);
    free(command.list);
    return status;
}

static int link_program(char *out)
{
    struct words command = {NULL, 0, 0};
    add(&command, EMULATED_CXX);
    add_all(&command, &other_flags);
    char *partial = unfinished(out);
    char *const output[] = {"-o", partial, NULL};
    add_list(&command, (const char *const *)output);
    add_all(&command, &link_inputs);
    static const char *const runtime[] = {EMULATED_LINK, "-lpthread", "-lm", NULL};
    add_list(&command, runtime);
    int status = wait_for(start(&command, -1, -1, -1)) || finish(partial, out);
    free(command.list);
    return status;
}

static const char *extension(const char *name)
{
    const char *dot = strrchr(name, '.'), *slash = strrchr(name, '/');
    return dot && (!slash || dot > slash) ? dot : "";
}

static char *object_beside(const char *source) /* in the current directory, as a compiler does */
{
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    return format("%.*s.o", (int)(strlen(base) - strlen(extension(base))), base);
}

static void usage(FILE *to)
{
    fputs("usage: emulated-cc [-c] [-o OUT] [-I DIR] [-D NAME] [-g] [-l LIB] [-L DIR] [-MD -MF FILE] FILES\n"
          "Compiles CUDA C (.cu) for the emulated device and links it; .c, .cpp, .o and .a files may be mixed in.\n"
          "nvcc's -arch, -gencode, -lineinfo and the like are accepted and ignored.\n",
          to);
}

/* nvcc options that mean nothing here; 2: the next word belongs to it. */
static int ignored(const char *word)
{
    static const char *const alone[] = {"-arch=",
                                        "--gpu-architecture=",
                                        "-gencode=",
                                        "--generate-code=",
                                        "-rdc=",
                                        "--relocatable-device-code=",
                                        "-code=",
                                        "-maxrregcount=",
                                        "--ptxas-options=",
                                        "-Xptxas=",
                                        "-lcublas",
                                        "-lcusparse",
                                        "-lcudart",
                                        "-lcuda",
                                        "-lcudadevrt",
                                        "--expt-",
                                        "-expt-",
                                        "--extended-lambda",
                                        "-extended-lambda",
                                        "-cudart=",
                                        "--std=",
                                        "--cudart="};
    static const char *const exact[] = {"-lineinfo", "-G", "-use_fast_math", "--use_fast_math", "-keep", "-fmad=false"};
    static const char *const pairs[] = {"-arch",           "-gencode",   "-Xptxas",        "-maxrregcount",
                                        "-code",           "-ccbin",     "-cudart",        "--gpu-architecture",
                                        "--generate-code", "--gpu-code", "--ptxas-options"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(word, pairs[i]) == 0)
            return 2;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        if (strcmp(word, exact[i]) == 0)
            return 1;
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (strncmp(word, alone[i], strlen(alone[i])) == 0)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    int compile_only = 0, depend = 0, failed = 0;
    char *out = NULL, *dependencies = NULL;
    struct words sources = {NULL, 0, 0};

    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        int with_value = strcmp(word, "-I") == 0 || strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0
                         || strcmp(word, "-include") == 0 || strcmp(word, "-isystem") == 0
                         || strcmp(word, "-iquote") == 0;
        int needs_value = with_value || ignored(word) == 2 || strcmp(word, "-o") == 0 || strcmp(word, "-MF") == 0
                          || strcmp(word, "-l") == 0 || strcmp(word, "-L") == 0 || strcmp(word, "-Xcompiler") == 0
                          || strcmp(word, "-MT") == 0;
        if (needs_value && i + 1 == argc) {
            fprintf(stderr, "emulated-cc: %s needs a value\n", word);
            return 2;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            usage(stdout);
            return 0;
        } else if (strcmp(word, "-c") == 0 || strcmp(word, "-dc") == 0) {
            compile_only = 1;
        } else if (strcmp(word, "-o") == 0) {
            out = argv[++i];
        } else if (strcmp(word, "-MF") == 0) {
            dependencies = argv[++i];
        } else if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) {
            depend = 1;
        } else if (strcmp(word, "-MT") == 0) {
            i++; /* the object itself is the target */
        } else if (ignored(word)) {
            i += ignored(word) - 1;
        } else if (strcmp(word, "-Xcompiler") == 0) {
            for (char *flag = strtok(argv[++i], ","); flag; flag = strtok(NULL, ","))
                add(&other_flags, flag);
        } else if (with_value) {
            add(&preprocess_flags, word);
            add(&preprocess_flags, argv[++i]);
        } else if (strncmp(word, "-I", 2) == 0 || strncmp(word, "-D", 2) == 0 || strncmp(word, "-U", 2) == 0) {
            add(&preprocess_flags, word);
        } else if (strncmp(word, "-l", 2) == 0 || strncmp(word, "-L", 2) == 0) {
            add(&link_inputs, word);
            if (!word[2])
                add(&link_inputs, argv[++i]);
        } else if (strncmp(word, "-std=", 5) == 0) {
            continue; /* the headers need C++17, which accepts older code */
        } else if (strncmp(word, "-O", 2) == 0) {
            i += !word[2] && i + 1 < argc && argv[i + 1][0] >= '0' && argv[i + 1][0] <= '3';
            continue; /* fixed: the counters should not depend on it */
        } else if (strcmp(word, "-S") == 0 || strcmp(word, "-E") == 0 || strcmp(word, "-ptx") == 0
                   || strcmp(word, "-cubin") == 0) {
            fprintf(stderr, "emulated-cc: %s is not there: -c makes an object file, else a program is made\n", word);
            return 2;
        } else if (word[0] == '-') {
            add(&other_flags, word);
        } else if (strcmp(extension(word), ".cu") == 0 || strcmp(extension(word), ".c") == 0
                   || strcmp(extension(word), ".cpp") == 0 || strcmp(extension(word), ".cc") == 0) {
            if (access(word, R_OK) != 0) {
                fprintf(stderr, "emulated-cc: %s: %s\n", word, strerror(errno));
                return 2;
            }
            add(&sources, word);
            add(&link_inputs, word); /* replaced by its object below */
        } else {
            add(&link_inputs, word);
        }
    }
    if (link_inputs.count == 0) {
        usage(stderr);
        return 2;
    }
    for (size_t i = 0; out && i < link_inputs.count; i++)
        if (strcmp(link_inputs.list[i], out) == 0) {
            fprintf(stderr, "emulated-cc: -o %s would overwrite that file\n", out);
            return 2;
        }
    if (compile_only && out && sources.count != 1) {
        fprintf(stderr, "emulated-cc: -c with -o takes one source file\n");
        return 2;
    }
    atexit(remove_temporary_files);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, SIG_IGN);

    for (size_t i = 0; i < link_inputs.count; i++) {
        char *source = link_inputs.list[i];
        int is_source = 0;
        for (size_t s = 0; s < sources.count; s++)
            is_source |= sources.list[s] == source;
        if (!is_source)
            continue;
        char *object = !compile_only ? temporary_object() : out ? out : object_beside(source);
        char *depend_file = !depend ? NULL : dependencies ? dependencies : format("%s.d", object);
        if (strcmp(extension(source), ".cu") == 0)
            failed |= compile_cuda(source, object, depend_file);
        else
            failed |= compile_host(source, object, strcmp(extension(source), ".c") == 0);
        link_inputs.list[i] = object;
    }
    if (!failed && !compile_only)
        failed = link_program(out ? out : "a.out");
    return failed ? 1 : 0;
}
