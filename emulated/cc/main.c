/* emulated-cc: compiles CUDA C for the emulated device. options.c lists what it is told on the
 * command line.
 *
 * .cu files go through the C++ preprocessor, the translator and the C++ compiler, through pipes; .c
 * and .cpp files straight to their compiler, uninstrumented; .o and .a to the linker. The
 * compiler's messages are passed on.
 *
 * A file that asks for __CUDA_ARCH__ is preprocessed twice, as nvcc does it: with it for the
 * device's code, without it for the host's. merge.c makes one program of the two. */
#define _GNU_SOURCE /* memmem(), memrchr() */

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch.h"
#include "arithmetic.h"
#include "flow.h"
#include "merge.h"
#include "messages.h"
#include "options.h"
#include "syntax_pass.h"
#include "tokens.h"
#include "translate.h"

#ifndef EMULATED_DIR
#error "the build defines where the headers, the runtime and the compilers are"
#endif

static struct options options;
static int arch, arch_chosen;
static struct words temporary_files;
static char temporary_directory[PATH_MAX];

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
        snprintf(temporary_directory, sizeof temporary_directory, "%s/emulated-cc-XXXXXX",
                 base ? base : "/tmp");
        if (!mkdtemp(temporary_directory)) {
            fprintf(stderr, "emulated-cc: cannot make a temporary directory %s: %s\n",
                    temporary_directory, strerror(errno));
            temporary_directory[0] = '\0';
            exit(2);
        }
    }
    char *name = format("%s/%zu.o", temporary_directory, temporary_files.count);
    add(&temporary_files, name);
    return name;
}

/* Starts a program with `in` and `out` as its standard input and output (-1: ours), and its errors
 * in `messages`. */
static pid_t start(const struct words *command, int in, int out, int unused, FILE *messages)
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
    if (messages)
        dup2(fileno(messages), 2);
    execvp(command->list[0], command->list);
    fprintf(stderr, "emulated-cc: cannot start %s: %s\n", command->list[0], strerror(errno));
    _exit(127);
}

/* In memory where that is possible: what the compiler says would be lost in a folder that is
 * full. */
static FILE *temporary_file(void)
{
    FILE *file = NULL;
#ifdef MFD_CLOEXEC
    int in_memory = memfd_create("emulated-cc", MFD_CLOEXEC);
    if (in_memory >= 0)
        file = fdopen(in_memory, "w+");
#endif
    if (!file)
        file = tmpfile();
    if (!file) {
        fprintf(stderr, "emulated-cc: cannot make a temporary file: %s\n", strerror(errno));
        exit(2);
    }
    return file;
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* A compiler or preprocessor at work, and what it has printed. */
struct pass {
    pid_t child;
    int from; /* its output; -1: all is there */
    FILE *messages;
    char *text; /* the output; NULL: it has failed */
    size_t length, capacity;
};

/* Reads what there is to read. Returns 0 at the end. */
static int pass_read(struct pass *pass)
{
    if (pass->capacity - pass->length < 1 << 16) {
        pass->capacity = pass->capacity ? 2 * pass->capacity : 1 << 20;
        pass->text = grow(pass->text, pass->capacity);
    }
    ssize_t n = read(pass->from, pass->text + pass->length, pass->capacity - pass->length - 1);
    if (n < 0 && errno == EINTR)
        return 1;
    if (n > 0) {
        pass->length += (size_t)n;
        return 1;
    }
    pass->text[pass->length] = '\0';
    close(pass->from);
    pass->from = -1;
    return 0;
}

/* The instrumentation that the runtime's hooks expect; emulated/README.md says why each flag is
 * there. */
static const char *const device_flags[] = {
    "-O1", "-ffp-contract=off", /* as on x86, which fuses nothing */
    "-fno-tree-sra", "-fno-optimize-sibling-calls", "-fno-strict-aliasing", "-fno-thread-jumps",
#if defined __x86_64__
    "-mno-red-zone", /* arithmetic_write() */
#endif
#ifdef EMULATED_FILL_LOCALS
    "-ftrivial-auto-var-init=pattern",
#endif
    "-fsanitize=thread", "-fsanitize=bounds", "--param", "tsan-distinguish-volatile=1", "--param",
    "tsan-instrument-func-entry-exit=0", "-fsanitize-coverage=trace-pc",
    /* lines and the functions that they were inlined from: no more is read */
    "-g1", "-gstatement-frontiers", /* -g would; without it a branch stands at the line before it */
    "-fno-omit-frame-pointer", "-Wuninitialized", "-Waddress", /* `__syncthreads;` */
    "-Wunused-value",                                          /* `dim3 block = (16, 16)` */
    "-Wmaybe-uninitialized", /* print_messages() leaves out what may be right */
    "-Wno-attributes",       /* "might not be inlinable" */
    "-Wno-unknown-pragmas",  /* -Wall would name each `#pragma unroll` */
    NULL};

/* The code calls our own functions in place of these: in a kernel they use the device's heap
 * (runtime/heap.cpp), print when it is the thread's turn, or write where the instrumentation does
 * not see it (runtime/hooks.cpp), or are not for device code at all
 * (runtime/host_functions.cpp). */
static const char our_own_calls[] = "\nasm(\""
                                    ".weakref printf,emulated_printf\\n"
                                    ".weakref vprintf,emulated_vprintf\\n"
                                    ".weakref puts,emulated_puts\\n"
                                    ".weakref putchar,emulated_putchar\\n"
                                    ".weakref memcpy,emulated_library_memcpy\\n"
                                    ".weakref memmove,emulated_library_memmove\\n"
                                    ".weakref memset,emulated_library_memset\\n"
                                    ".weakref modf,emulated_modf\\n"
                                    ".weakref modff,emulated_modff\\n"
                                    ".weakref frexp,emulated_frexp\\n"
                                    ".weakref frexpf,emulated_frexpf\\n"
                                    ".weakref remquo,emulated_remquo\\n"
                                    ".weakref remquof,emulated_remquof\\n"
                                    ".weakref fminf,emulated_fminf\\n"
                                    ".weakref fmaxf,emulated_fmaxf\\n"
                                    ".weakref fmin,emulated_fmin\\n"
                                    ".weakref fmax,emulated_fmax\\n"
                                    ".weakref sprintf,emulated_sprintf\\n"
                                    ".weakref snprintf,emulated_snprintf\\n"
                                    ".weakref fprintf,emulated_fprintf\\n"
                                    ".weakref sscanf,emulated_sscanf\\n"
                                    ".weakref strcpy,emulated_strcpy\\n"
                                    ".weakref strncpy,emulated_strncpy\\n"
                                    ".weakref strcat,emulated_strcat\\n"
                                    ".weakref qsort,emulated_qsort\\n"
                                    ".weakref fread,emulated_fread\\n"
                                    ".weakref fwrite,emulated_fwrite\\n"
                                    ".weakref fgets,emulated_fgets\\n"
                                    ".weakref rand,emulated_rand\\n"
                                    ".weakref malloc,emulated_malloc\\n"
                                    ".weakref calloc,emulated_calloc\\n"
                                    ".weakref free,emulated_free\\n"
                                    ".weakref _Znwm,emulated_new\\n"
                                    ".weakref _Znam,emulated_new\\n"
                                    ".weakref _ZnwmRKSt9nothrow_t,emulated_new_nothrow\\n"
                                    ".weakref _ZnamRKSt9nothrow_t,emulated_new_nothrow\\n"
                                    ".weakref _ZdlPv,emulated_delete\\n"
                                    ".weakref _ZdaPv,emulated_delete\\n"
                                    ".weakref _ZdlPvm,emulated_delete\\n"
                                    ".weakref _ZdaPvm,emulated_delete\\n\");\n";

/* The name under which a file is written until it is whole, so that nobody ever reads half of it: a
 * temporary one beside it, which finish() changes into its own. A device such as /dev/null keeps
 * its name. */
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

static void make_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        perror("emulated-cc: pipe");
        exit(2);
    }
}

/* What nvcc defines. The toolkit is the last one that knows the architecture, and 12.0 for those of
 * today. */
static void define_compiler(struct words *command)
{
    const char *version = arch < 300 ? "8" : arch < 350 ? "10" : arch < 500 ? "11" : "12";
    static const char *const names[] = {"-D__CUDACC__=1",
                                        "-D__NVCC__=1",
                                        "-D__CUDACC_RDC__=1",
                                        "-D__CUDACC_EXTENDED_LAMBDA__=1",
                                        "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                                        NULL};
    add_list(command, names);
    add(command, format("-D__CUDACC_VER_MAJOR__=%s", version));
    add(command, format("-D__CUDACC_VER_MINOR__=%d", arch < 300   ? 0
                                                     : arch < 350 ? 2
                                                     : arch < 500 ? 8
                                                                  : 0));
    add(command, format("-D__CUDACC_VER_BUILD__=%d", arch < 300 ? 61 : arch < 500 ? 89 : 140));
}

/* What a program is given where it asks for it: the special functions of C++17's <cmath>, Bessel's
 * and others, which with all that they include are a third of what the compilers read; texture and
 * surface references, which CUDA 12 has no more, so that a program of today may have a `struct
 * surface` of its own. */
enum { SPECIAL_FUNCTIONS = 1, REFERENCES = 2, ALL = 3 };

/* Starts the preprocessor, with what is given. */
static struct pass pass_start(char *source, int for_device, int given, const char *object,
                              char *dependencies)
{
    struct pass pass = {.messages = temporary_file()};
    struct words command = {NULL, 0, 0};
    static const char *const first[] = {EMULATED_CXX,
                                        "-E",
                                        "-x",
                                        "c++",
                                        "-std=gnu++17",
                                        "-isystem",
                                        EMULATED_DIR "/include",
                                        "-isystem",
                                        EMULATED_DIR "/extras",
                                        "-include",
                                        "cuda_runtime.h",
                                        NULL};
    add_list(&command, first);
    define_compiler(&command);
    add(&command, format("-DEMULATED_ARCH=%d", arch));
    if (for_device)
        add(&command, format("-D__CUDA_ARCH__=%d", arch));
    if (!(given & SPECIAL_FUNCTIONS))
        add(&command, format("-D%s=1", EMULATED_LEAN));
    if (given & REFERENCES)
        add(&command, "-DEMULATED_REFERENCES=1");
    add_all(&command, &options.preprocess);
    if (dependencies) {
        const char *const depend[] = {"-MD", "-MF", dependencies, "-MQ", object, NULL};
        add_list(&command, depend);
    }
    add(&command, source);
    int ends[2];
    make_pipe(ends);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pass.child = start(&command, -1, ends[1], ends[0], pass.messages);
    close(ends[1]);
    pass.from = ends[0];
    free(command.list);
    return pass;
}

/* Waits for the end of both preprocessors, reading from whichever has something. A text is NULL
 * when that has failed. */
static void passes_finish(struct pass *passes, int count)
{
    for (int reading = count; reading > 0;) {
        struct pollfd files[2];
        for (int i = 0; i < count; i++)
            files[i] = (struct pollfd){.fd = passes[i].from, .events = POLLIN};
        if (poll(files, (nfds_t)count, -1) < 0)
            continue; /* a signal */
        for (int i = 0; i < count; i++)
            if (passes[i].from >= 0 && files[i].revents && !pass_read(&passes[i]))
                reading--;
    }
    for (int i = 0; i < count; i++)
        if (wait_for(passes[i].child) != 0) {
            free(passes[i].text);
            passes[i].text = NULL;
        }
}

static int mentions_arch(const char *path)
{
    static const char name[] = "__CUDA_ARCH__";
    FILE *in = fopen(path, "r");
    char line[4096];
    int found = 0;
    while (in && !found && fgets(line, sizeof line, in))
        found = strstr(line, name) != NULL;
    if (in)
        fclose(in);
    return found;
}

/* Does one of the files that the preprocessor has read, other than the system's, ask for the
 * architecture? */
static int asks_for_arch(const char *text)
{
    char last[PATH_MAX] = "", file[PATH_MAX];
    for (const char *p = text; p; p = strchr(p, '\n')) {
        p += *p == '\n';
        const char *quote = p[0] == '#' && p[1] == ' ' ? strchr(p, '"') : NULL,
                   *end = quote ? strchr(quote + 1, '"') : NULL;
        if (!end || (size_t)(end - quote) > sizeof file || strchr(p, '\n') < end ||
            (end[1] == ' ' && strstr(end, " 3") && strstr(end, " 3") < strchr(end, '\n')))
            continue;
        snprintf(file, sizeof file, "%.*s", (int)(end - quote - 1), quote + 1);
        if (strcmp(file, last) != 0 && mentions_arch(file))
            return 1;
        memcpy(last, file, sizeof last);
    }
    return 0;
}

/* Is there a texture<...> or surface<...> in this line? */
static int has_reference(const char *line, size_t length)
{
    static const char *const names[] = {"texture", "surface"};
    const char *end = line + length;
    for (int i = 0; i < 2; i++)
        for (const char *p = line; (p = memmem(p, (size_t)(end - p), names[i], 7)) != NULL;) {
            const int begins = p == line || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
            for (p += 7; p < end && *p == ' '; p++) {}
            if (begins && p < end && *p == '<')
                return 1;
        }
    return 0;
}

/* What the program itself, and not a header of the system, needs: the first, where it uses the C++
 * library. */
static int needs_of(const char *text)
{
    int own = 1, needs = 0;
    for (const char *line = text, *next; line && *line; line = next) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        next = end ? end + 1 : NULL;
        if (line[0] == '#' && line[1] == ' ') {
            const char *flags = memrchr(line, '"', length);
            own = !flags || !memmem(flags, (size_t)(line + length - flags), " 3", 2);
        } else if (own) {
            if (memmem(line, length, "std::", 5) || memmem(line, length, "namespace std", 13))
                needs |= SPECIAL_FUNCTIONS;
            if (has_reference(line, length))
                needs |= REFERENCES;
        }
    }
    return needs;
}

/* The source as both sides see it, a new string; NULL when the preprocessor has failed. Most
 * sources ask for the architecture, so that the device's side is read meanwhile. */
static char *preprocess_both(char *source, const char *object, char *dependencies, size_t *length)
{
    struct pass passes[2], *host = &passes[0], *device = &passes[1];
    char *both;
    for (int given = EMULATED_LEAN[0] ? 0 : SPECIAL_FUNCTIONS, enough = 0; !enough;) {
        *host = pass_start(source, 0, given, object, dependencies);
        *device = pass_start(source, 1, given, NULL, NULL);
        passes_finish(passes, 2);
        const int needs = given | (host->text ? needs_of(host->text) : ALL);
        enough = needs == given;
        if (enough)
            print_messages(host->text && !device->text ? device->messages : host->messages, NULL,
                           NULL);
        fclose(host->messages);
        fclose(device->messages);
        if (!enough) {
            free(host->text);
            free(device->text);
            given = needs;
        }
    }
    if (!host->text || !asks_for_arch(host->text)) {
        free(device->text);
        *length = host->length;
        return host->text;
    }
    both = device->text
               ? merge_passes(host->text, host->length, device->text, device->length, length)
               : NULL;
    free(host->text);
    free(device->text);
    return both;
}

/* What the runtime finds in the program: for which device it was made, and whether to check it. */
static void write_settings(FILE *out)
{
    fprintf(out,
            "\nnamespace{struct{int arch,fast;}const emulated_made_for"
            " __attribute__((section(\"emulated_settings\"),used))={%d,%d};}\n",
            arch_chosen ? arch : 0, options.fast);
}

static int assemble(const char *text, size_t length, char *object)
{
    int ends[2];
    make_pipe(ends);
    char *const words[] = {EMULATED_CXX, "-x", "assembler", "-c", "-o", object, "-", NULL};
    struct words command = {NULL, 0, 0};
    add_list(&command, (const char *const *)words);
    pid_t child = start(&command, ends[0], -1, ends[1], NULL);
    close(ends[0]);
    char *with_flow = NULL;
    size_t flow_length = 0;
    FILE *out = fdopen(ends[1], "w"), *flow = open_memstream(&with_flow, &flow_length);
    if (flow) {
        flow_write(text, length, flow);
        fclose(flow);
    }
    if (out) {
        arithmetic_write(with_flow, flow_length, out);
        fclose(out);
    }
    free(with_flow);
    free(command.list);
    return wait_for(child) || !out || !flow;
}

static int compile_cuda(char *source, char *object, char *dependencies)
{
    size_t length;
    char *partial = unfinished(object),
         *partial_dependencies = dependencies ? unfinished(dependencies) : NULL;
    char *partial_warnings = options.warnings ? unfinished(options.warnings) : NULL;
    FILE *warnings = partial_warnings ? fopen(partial_warnings, "w") : NULL;
    if (partial_warnings && !warnings) {
        fprintf(stderr, "emulated-cc: cannot write %s: %s\n", options.warnings, strerror(errno));
        return 1;
    }
    warnings_into(warnings);
    char *text = preprocess_both(source, object, partial_dependencies, &length);
    if (!text)
        return 1;
    if (!options.no_syntax_pass)
        syntax_pass_start(source, text, length);
    int ends[2], results[2];
    make_pipe(ends);
    make_pipe(results);
    struct words compile = {NULL, 0, 0};
    static const char *const all_warnings[] = {"-Wall", "-Wconversion", "-Wno-float-conversion",
                                               NULL};
    static const char *const first[] = {EMULATED_CXX,   "-x", "c++-cpp-output",
                                        "-std=gnu++17", "-S", NULL};
    add_list(&compile, first);
    add_all(&compile, &options.other);
    if (warnings)
        add_list(&compile, all_warnings);
    add_list(&compile, device_flags);
    static const char *const last[] = {"-o", "-", "-", NULL};
    add_list(&compile, last);
    FILE *messages = temporary_file();
    fcntl(results[0], F_SETFD, FD_CLOEXEC);
    pid_t child = start(&compile, ends[0], results[1], ends[1], messages);
    close(ends[0]);
    close(results[1]);
    FILE *out = fdopen(ends[1], "w");
    int errors = out ? translate(text, length, out) : 1;
    if (out) {
        if (errors)
            fputs("\n", out); /* an empty program: the translator has said why */
        else
            write_settings(out);
        fputs(errors ? "" : our_own_calls, out);
        fclose(out);
    }
    struct pass pass = {.from = results[0]};
    while (pass_read(&pass))
        continue;
    int status = wait_for(child);
    if (!errors && !status)
        status = assemble(pass.text, pass.length, partial);
    print_messages(messages, translated_column, translated_never_sets);
    fclose(messages);
    translate_end();
    status |= syntax_pass_finish() > 0;
    warnings_into(NULL);
    if (warnings && fclose(warnings) != 0) {
        fprintf(stderr, "emulated-cc: cannot write %s: %s\n", options.warnings, strerror(errno));
        status = 1;
    }
    if (errors || status)
        unlink(object); /* make shall not take an older one for the result */
    else
        status = (warnings && finish(partial_warnings, options.warnings)) ||
                 (dependencies && finish(partial_dependencies, dependencies)) ||
                 finish(partial, object);
    free(compile.list);
    free(pass.text);
    free(text);
    return errors || status;
}

static int compile_host(char *source, char *object, int is_c)
{
    struct words command = {NULL, 0, 0};
    add(&command, is_c ? EMULATED_CC : EMULATED_CXX);
    static const char *const flags[] = {"-O2",
                                        "-g",
                                        "-D__CUDA_EMULATED__=1",
                                        "-isystem",
                                        EMULATED_DIR "/include",
                                        "-isystem",
                                        EMULATED_DIR "/extras",
                                        NULL};
    add_list(&command, flags);
    add(&command, format("-DEMULATED_ARCH=%d", arch));
    add_all(&command, &options.preprocess);
    add_all(&command, &options.other);
    char *partial = unfinished(object);
    char *const last[] = {"-c", "-o", partial, source, NULL};
    add_list(&command, (const char *const *)last);
    int status = wait_for(start(&command, -1, -1, -1, NULL)) || finish(partial, object);
    free(command.list);
    return status;
}

static int link_program(char *out)
{
    struct words command = {NULL, 0, 0};
    add(&command, EMULATED_CXX);
    add_all(&command, &options.other);
    char *partial = unfinished(out);
    char *const output[] = {"-o", partial, NULL};
    add_list(&command, (const char *const *)output);
    add_all(&command, &options.link);
    static const char *const runtime[] = {EMULATED_LINK, "-lpthread", "-lm", NULL};
    add_list(&command, runtime);
    int status = wait_for(start(&command, -1, -1, -1, NULL)) || finish(partial, out);
    free(command.list);
    return status;
}

/* nvcc -dlink: what the device needs beside the host's link. Here one link does for both, so the
 * object is empty. */
static int link_device(char *out)
{
    char *partial = unfinished(out);
    struct words command = {NULL, 0, 0};
    char *const words[] = {EMULATED_CXX, "-x", "c++", "-c", "/dev/null", "-o", partial, NULL};
    add_list(&command, (const char *const *)words);
    int status = wait_for(start(&command, -1, -1, -1, NULL)) || finish(partial, out);
    free(command.list);
    return status;
}

static char *object_beside(const char *source) /* in the current directory, as a compiler does */
{
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    return format("%.*s.o", (int)(strlen(base) - strlen(extension(base))), base);
}

static int is_source(const char *word)
{
    for (size_t s = 0; s < options.sources.count; s++)
        if (options.sources.list[s] == word)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    int status = read_options(&options, argc, argv), failed = 0;
    if (status >= 0)
        return status;
    if ((arch = arch_choose(&arch_chosen)) < 0)
        return 2;
    atexit(remove_temporary_files);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, SIG_IGN);

    static char usual_name[] = "a_dlink.o";
    if (options.device_link)
        return link_device(options.out ? options.out : usual_name);
    for (size_t i = 0; i < options.link.count; i++) {
        char *source = options.link.list[i];
        if (!is_source(source))
            continue;
        char *object = !options.compile_only ? temporary_object()
                       : options.out         ? options.out
                                             : object_beside(source);
        char *depend_file = !options.depend        ? NULL
                            : options.dependencies ? options.dependencies
                                                   : format("%s.d", object);
        if (strcmp(extension(source), ".cu") == 0)
            failed |= compile_cuda(source, object, depend_file);
        else
            failed |= compile_host(source, object, strcmp(extension(source), ".c") == 0);
        options.link.list[i] = object;
    }
    if (!failed && !options.compile_only)
        failed = link_program(options.out ? options.out : "a.out");
    return failed ? 1 : 0;
}
