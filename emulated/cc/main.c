/* emulated-nvcc, emulated-cc before it is installed: compiles CUDA C for the emulated device.
 * options.c lists its options.
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
#include "places.h"
#include "prelude.h"
#include "syntax_pass.h"
#include "tokens.h"
#include "translate.h"

static struct options options;
static int arch, arch_chosen;
static char *cxx = EMULATED_CXX;
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
            tell("cannot make a temporary directory %s: %s", temporary_directory, strerror(errno));
            temporary_directory[0] = '\0';
            exit(2);
        }
    }
    char *name = format("%s/%zu.o", temporary_directory, temporary_files.count);
    add(&temporary_files, name);
    return name;
}

static void show_word(const char *word)
{
    const char *quotes = !*word || strpbrk(word, " \t\"\\$`&|;<>()*?[]") ? "'" : "";
    fprintf(stderr, " %s%s%s", quotes, word, quotes);
}

static void show(const struct words *command)
{
    fputs("#$", stderr);
    for (size_t i = 0; i < command->count; i++)
        show_word(command->list[i]);
    fputc('\n', stderr);
}

/* Starts a program with `in` and `out` as its standard input and output (-1: ours), and its errors
 * in `messages`. */
static pid_t start(const struct words *command, int in, int out, int unused, FILE *messages)
{
    if (options.verbose)
        show(command);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        tell("cannot start %s: %s", command->list[0], strerror(errno));
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
    tell("cannot start %s: %s", command->list[0], strerror(errno));
    _exit(127);
}

/* In memory if possible: the compiler's messages would be lost in a full folder. */
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
        tell("cannot make a temporary file: %s", strerror(errno));
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

/* Runs a program to its end. */
static int run(const struct words *command)
{
    if (!options.dry_run)
        return wait_for(start(command, -1, -1, -1, NULL));
    show(command);
    return 0;
}

/* A compiler or preprocessor at work, and what it has printed. */
struct pass {
    pid_t child;
    int from; /* its output; -1: all is there */
    FILE *messages;
    char *text; /* the output; NULL: it has failed */
    size_t length, capacity;
};

/* Reads the available output. Returns 0 at the end. */
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
    /* passes behind the instrumentation, which take time and change no counter */
    "-fno-tree-loop-optimize", "-fno-move-loop-invariants", "-fno-forward-propagate",
    "-fira-region=one",
#if defined __x86_64__
    "-mno-red-zone", /* arithmetic_write() */
#elif defined __aarch64__
    "-fno-section-anchors", /* or the guards behind shared variables would lie elsewhere */
    /* or these would be instructions, and no calls of our own functions */
    "-fno-builtin-fminf", "-fno-builtin-fmaxf", "-fno-builtin-fmin", "-fno-builtin-fmax",
#endif
#ifdef EMULATED_FILL_LOCALS
    "-ftrivial-auto-var-init=pattern",
#endif
    "-fsanitize=thread", "-fsanitize=bounds", "--param", "tsan-distinguish-volatile=1", "--param",
    "tsan-instrument-func-entry-exit=0", "-fsanitize-coverage=trace-pc",
    /* lines and the functions that they were inlined from: no more is read */
    "-g1", "-gstatement-frontiers", /* -g would; without it a branch stands at the line before it */
    "-fno-omit-frame-pointer", "-Wformat", "-Wuninitialized", "-Waddress", /* `__syncthreads;` */
    "-Wunused-value",                                          /* `dim3 block = (16, 16)` */
    "-Wmaybe-uninitialized", "-Wno-error=maybe-uninitialized", /* print_messages() leaves out what
                                                                   may be right */
    "-Wno-attributes",                                         /* "might not be inlinable" */
    "-Wno-unknown-pragmas", /* -Wall would name each `#pragma unroll` */
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
    if (options.dry_run || strcmp(partial, name) == 0 || rename(partial, name) == 0)
        return 0;
    tell("cannot write %s: %s", name, strerror(errno));
    return 1;
}

static void make_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        tell("cannot make a pipe: %s", strerror(errno));
        exit(2);
    }
}

static void add_headers(struct words *command)
{
    static const char *const folders[] = {"include", "extras", NULL};
    for (int i = 0; folders[i]; i++) {
        add(command, "-isystem");
        add(command, format("%s/%s", place(), folders[i]));
    }
}

/* What nvcc defines. */
static void define_compiler(struct words *command)
{
    static const char *const names[] = {"-D__CUDACC__=1",
                                        "-D__NVCC__=1",
                                        "-D__CUDACC_RDC__=1",
                                        "-D__CUDACC_EXTENDED_LAMBDA__=1",
                                        "-D__CUDACC_RELAXED_CONSTEXPR__=1",
                                        NULL};
    const struct toolkit_version v = toolkit_version(arch);
    add_list(command, names);
    add(command, format("-D__CUDACC_VER_MAJOR__=%d", v.major));
    add(command, format("-D__CUDACC_VER_MINOR__=%d", v.minor));
    add(command, format("-D__CUDACC_VER_BUILD__=%d", v.build));
}

/* The headers are C++17, so that no older standard will do. */
static char *cuda_standard(void)
{
    const char *asked = options.standard;
    return asked && strcmp(asked, "c++17") > 0 && strncmp(asked, "c++2", 4) == 0
               ? format("-std=gnu++%s", asked + 3)
               : "-std=gnu++17";
}

/* Parts that a program gets only if it uses them: the special functions of C++17's <cmath>,
 * Bessel's and others, which with their includes are a third of the text that the compilers read;
 * and texture and surface references, which CUDA 12 no longer has, so that a present program may
 * define a `struct surface`. */
enum { SPECIAL_FUNCTIONS = 1, REFERENCES = 2, ALL = 3 };

/* The parts that no program needs to ask for. */
static const int lean = EMULATED_LEAN[0] ? 0 : SPECIAL_FUNCTIONS;

/* What the headers depend on. */
static void add_settings(struct words *command, int for_device, int given)
{
    add(command, cuda_standard());
    add_headers(command);
    define_compiler(command);
    add(command, format("-DEMULATED_ARCH=%d", arch));
    if (for_device)
        add(command, format("-D__CUDA_ARCH__=%d", arch));
    if (!(given & SPECIAL_FUNCTIONS))
        add(command, format("-D%s=1", EMULATED_LEAN));
    if (given & REFERENCES)
        add(command, "-DEMULATED_REFERENCES=1");
}

/* The preprocessor's command line for one side, with these parts. */
static struct words preprocess_command(int for_device, int given)
{
    struct words command = {NULL, 0, 0};
    const char *const first[] = {cxx, "-E", "-x", "c++", NULL};
    add_list(&command, first);
    add(&command, format("-isystem%s", library_place())); /* first: for emulated_prelude.h.gch */
    add_settings(&command, for_device, given);
    add(&command, "-include");
    add(&command, "emulated_prelude.h");
    add_all(&command, &options.preprocess);
    return command;
}

/* Starts it. `depend`: the options for a file of dependencies. In the output a line may stand for
 * the `precompiled` header. */
static struct pass pass_start(char *source, int for_device, int given, int precompiled,
                              const struct words *depend)
{
    struct pass pass = {.messages = temporary_file()};
    struct words command = preprocess_command(for_device, given);
    if (precompiled)
        add(&command, "-fpch-preprocess");
    add_all(&command, depend);
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

/* The parts that the program itself, and not a system header, needs: the first if it uses the C++
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

/* Does the compiler say that the header is not its own? It may have been updated. */
static int header_is_refused(FILE *messages)
{
    char start[4096];
    const ssize_t length = pread(fileno(messages), start, sizeof start - 1, 0);
    start[length > 0 ? length : 0] = '\0';
    return strstr(start, "PCH") != NULL; /* "PCH file was invalid", "had to relocate PCH" */
}

/* Has but one of the preprocessors used the precompiled header, or could one not? */
static int headers_differ(const struct pass *host, const struct pass *device)
{
    if (!host->text || !device->text)
        return header_is_refused(host->messages) || header_is_refused(device->messages);
    return !prelude_line(host->text).end != !prelude_line(device->text).end;
}

/* The source as both sides see it, a new string; NULL when the preprocessor has failed. Most
 * sources ask for the architecture, so that the device's side is read meanwhile. */
static char *preprocess_both(char *source, const struct words *depend, size_t *length)
{
    static const struct words none;
    struct pass passes[2], *host = &passes[0], *device = &passes[1];
    char *both;
    for (int given = lean, precompiled = options.prelude == NULL, enough = 0; !enough;) {
        *host = pass_start(source, 0, given, precompiled, depend);
        *device = pass_start(source, 1, given, precompiled, &none);
        passes_finish(passes, 2);
        const int needs = given | (host->text ? needs_of(host->text) : ALL),
                  differ = precompiled && headers_differ(host, device);
        enough = needs == given && !differ;
        if (enough)
            print_messages(host->text && !device->text ? device->messages : host->messages, NULL,
                           NULL);
        fclose(host->messages);
        fclose(device->messages);
        if (!enough) {
            free(host->text);
            free(device->text);
            given = needs;
            precompiled = precompiled && !differ;
        }
    }
    /* CUDA's own headers are the same for both. */
    size_t same = host->text ? prelude_line(host->text).end : 0;
    if (host->text && same == 0)
        same = prelude_in(host->text).end;
    if (!device->text || strncmp(host->text, device->text, same) != 0)
        same = 0;
    if (!host->text || !asks_for_arch(host->text + same)) {
        free(device->text);
        *length = host->length;
        return host->text;
    }
    both = device->text ? merge_passes(host->text + same, host->length - same, device->text + same,
                                       device->length - same, length)
                        : NULL;
    if (both) {
        both = grow(both, same + *length + 1);
        memmove(both + same, both, *length + 1);
        memcpy(both, host->text, same);
        *length += same;
    }
    free(host->text);
    free(device->text);
    return both;
}

/* The record that the runtime finds in the program: for which device it was made, and whether to
 * check it. */
static void write_settings(FILE *out)
{
    fprintf(out,
            "\nnamespace{struct{int arch,fast;}const emulated_made_for"
            " __attribute__((section(\"emulated_settings\"),used))={%d,%d};}\n",
            arch_chosen ? arch : 0, options.fast);
}

static struct words assemble_command(char *object)
{
    struct words command = {NULL, 0, 0};
    const char *const words[] = {cxx, "-x", "assembler", "-c", "-o", object, "-", NULL};
    add_list(&command, words);
    return command;
}

static int assemble(const char *text, size_t length, char *object)
{
    int ends[2];
    make_pipe(ends);
    struct words command = assemble_command(object);
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

/* From the translator's output to that of assemble(), or to a precompiled header. */
static struct words compile_command(char *language, char *step, char *in, char *out)
{
    static const char *const all_warnings[] = {"-Wall", "-Wconversion", "-Wno-float-conversion",
                                               NULL};
    struct words compile = {NULL, 0, 0};
    const char *const first[] = {cxx, "-x", language, cuda_standard(), NULL};
    add_list(&compile, first);
    add_all(&compile, &options.other);
    if (options.warnings)
        add_list(&compile, all_warnings);
    add_list(&compile, device_flags);
    const char *const last[] = {step, "-fpreprocessed", "-o", out, in, NULL};
    add_list(&compile, last);
    return compile;
}

static const char whole_program[] = "-fwhole-program";

static int is_whole_program(void)
{
    int whole = 0;
    for (size_t i = 0; i < options.other.count; i++)
        whole |= strcmp(options.other.list[i], whole_program) == 0;
    return whole;
}

/* Would these options leave the headers as they are in the precompiled one? */
static int has_plain_options(void)
{
    int plain = !options.standard;
    for (size_t i = 0; i < options.other.count; i++)
        plain &= strncmp(options.other.list[i], "-W", 2) == 0 ||
                 strcmp(options.other.list[i], whole_program) == 0;
    return plain;
}

/* Runs the compiler on the text, in which a `line` may stand for the precompiled header, and reads
 * what it makes. */
static int run_compiler(const struct words *command, const char *text, size_t length,
                        struct part line, FILE *messages, struct pass *result)
{
    int ends[2], results[2];
    make_pipe(ends);
    make_pipe(results);
    fcntl(results[0], F_SETFD, FD_CLOEXEC);
    pid_t child = start(command, ends[0], results[1], ends[1], messages);
    close(ends[0]);
    close(results[1]);
    FILE *in = fdopen(ends[1], "w");
    if (in) {
        fwrite(text, 1, line.begin, in);
        if (line.end > 0)
            fprintf(in, "#pragma GCC pch_preprocess \"%s/" TRANSLATED_PRELUDE ".gch\"\n",
                    library_place());
        fwrite(text + line.end, 1, length - line.end, in);
        fclose(in);
    }
    *result = (struct pass){.from = results[0]};
    while (pass_read(result))
        continue;
    return wait_for(child) || !in;
}

/* From the translated text to the assembler's. */
static int compile_text(const char *text, size_t length, FILE *messages, struct pass *result)
{
    struct words command = compile_command("c++-cpp-output", "-S", "-", "-");
    const struct part line = prelude_line(text), none = {0, 0};
    int spell_out = line.end > 0 && !has_plain_options(), status = 0;
    if (!spell_out) {
        status = run_compiler(&command, text, length, line, messages, result);
        spell_out = status && line.end > 0 && header_is_refused(messages) &&
                    ftruncate(fileno(messages), 0) == 0 &&
                    lseek(fileno(messages), 0, SEEK_SET) == 0;
    }
    if (spell_out) {
        char *whole = prelude_spelt_out(text, TRANSLATED_PRELUDE, &length);
        free(result->text);
        status = run_compiler(&command, whole, length, none, messages, result);
        free(whole);
    }
    free(command.list);
    return status;
}

/* The step between preprocessor and compiler is this program itself. */
static void show_translation(const char *source)
{
    fprintf(stderr, "#$ translate -arch compute_%d", arch / 10);
    show_word(source);
    fputc('\n', stderr);
}

/* The options of the compiler for a file of dependencies, of which `target` is made. */
static struct words depend_words(char *file, char *target)
{
    struct words words = {NULL, 0, 0};
    add(&words, (char *)options.depend_how);
    add(&words, "-MF");
    add(&words, file);
    add_all(&words, &options.depend);
    if (!options.depend.count || strcmp(options.depend.list[0], "-MT") != 0) {
        add(&words, "-MQ");
        add(&words, target);
    }
    return words;
}

/* With --dryrun: what compile_cuda() would do. */
static int show_cuda(char *source, char *object)
{
    struct words preprocess = preprocess_command(1, ALL),
                 compile = compile_command("c++-cpp-output", "-S", "-", "-"),
                 assemble = assemble_command(object);
    add(&preprocess, source);
    show(&preprocess);
    show_translation(source);
    show(&compile);
    show(&assemble);
    return 0;
}

/* clang reads no header that g++ has compiled. */
static void start_syntax_pass(const char *source, const char *text, size_t length)
{
    char *whole =
        prelude_line(text).end > 0 ? prelude_spelt_out(text, PREPROCESSED_PRELUDE, &length) : NULL;
    syntax_pass_start(source, whole ? whole : text, length);
    free(whole);
}

static int compile_cuda(char *source, char *object, char *dependencies)
{
    size_t length;
    if (options.dry_run)
        return show_cuda(source, object);
    char *partial = unfinished(object),
         *partial_dependencies = dependencies ? unfinished(dependencies) : NULL;
    char *partial_warnings = options.warnings ? unfinished(options.warnings) : NULL;
    FILE *warnings = partial_warnings ? fopen(partial_warnings, "w") : NULL;
    if (partial_warnings && !warnings) {
        tell("cannot write %s: %s", options.warnings, strerror(errno));
        return 1;
    }
    warnings_into(warnings);
    struct words depend = {NULL, 0, 0};
    if (dependencies)
        depend = depend_words(partial_dependencies, object);
    char *text = preprocess_both(source, &depend, &length);
    if (!text)
        return 1;
    if (!options.no_syntax_pass)
        start_syntax_pass(source, text, length);
    if (options.verbose)
        show_translation(source);
    FILE *messages = temporary_file();
    char *translated = NULL;
    size_t translated_length = 0;
    FILE *out = open_memstream(&translated, &translated_length);
    const int errors = out ? translate(text, length, is_whole_program(), out) : 1;
    if (out) {
        write_settings(out);
        fputs(our_own_calls, out);
        fclose(out);
    }
    struct pass pass = {.from = -1};
    int status = errors;
    if (!errors)
        status = compile_text(translated, translated_length, messages, &pass) ||
                 assemble(pass.text, pass.length, partial);
    print_messages(messages, translated_column, translated_never_sets);
    fclose(messages);
    translate_end();
    status |= syntax_pass_finish() > 0;
    warnings_into(NULL);
    if (warnings && fclose(warnings) != 0) {
        tell("cannot write %s: %s", options.warnings, strerror(errno));
        status = 1;
    }
    if (status)
        unlink(object); /* make shall not take an older one for the result */
    else
        status = (warnings && finish(partial_warnings, options.warnings)) ||
                 (dependencies && finish(partial_dependencies, dependencies)) ||
                 finish(partial, object);
    free(pass.text);
    free(translated);
    free(text);
    return status;
}

/* Writes what stands between the markers of cuda_runtime.h. */
static int write_prelude(const char *text, const char *name)
{
    const struct part part = prelude_in(text);
    FILE *out = fopen(name, "w");
    int failed = !out || fwrite(text + part.begin, 1, part.end - part.begin, out) == 0;
    failed |= out && fclose(out) != 0;
    if (failed)
        tell("cannot write %s: %s", name, strerror(errno));
    return failed;
}

/* --prelude: the headers of prelude.h, and the texts that they were made from, in a folder. */
static int make_prelude(const char *folder)
{
    static const char *const names[] = {PREPROCESSED_PRELUDE, "emulated_prelude.h.gch",
                                        TRANSLATED_PRELUDE ".gch", TRANSLATED_PRELUDE};
    enum { COUNT = sizeof names / sizeof *names };
    const struct words none = {NULL, 0, 0};
    size_t length, translated_length;
    char *paths[COUNT], *partial[COUNT];
    char *translated = NULL, *text = preprocess_both("/dev/null", &none, &length);
    FILE *out = need(open_memstream(&translated, &translated_length));
    if (!text || translate(text, length, 0, out) || fclose(out) != 0)
        return 1;
    for (int i = 0; i < COUNT; i++) {
        paths[i] = format("%s/%s", folder, names[i]);
        partial[i] = unfinished(paths[i]);
    }
    struct words read = none, compile = compile_command("c++-header", "-c", partial[3], partial[2]);
    const char *const first[] = {cxx, "-x", "c++-header", NULL},
                      *const last[] = {format("%s/include/emulated_prelude.h", place()), "-o",
                                       partial[1], NULL};
    add_list(&read, first);
    add_settings(&read, 0, lean);
    add_list(&read, last);
    int failed = write_prelude(text, partial[0]) || write_prelude(translated, partial[3]) ||
                 run(&read) || run(&compile);
    for (int i = 0; i < COUNT && !failed; i++)
        failed = finish(partial[i], paths[i]);
    return failed;
}

/* The command writes `partial`, which becomes `out`. */
static int make(const struct words *command, const char *partial, const char *out)
{
    return run(command) || finish(partial, out);
}

/* The C or C++ compiler with what it needs for a host file. */
static struct words host_command(int is_c)
{
    struct words command = {NULL, 0, 0};
    const char *const first[] = {is_c ? EMULATED_CC : cxx, "-x", is_c ? "c" : "c++", "-O2", "-g",
                                 "-D__CUDA_EMULATED__=1",  NULL};
    add_list(&command, first);
    add_headers(&command);
    add(&command, format("-DEMULATED_ARCH=%d", arch));
    if (options.standard && !is_c)
        add(&command, format("-std=%s", options.standard));
    add_all(&command, &options.preprocess);
    add_all(&command, &options.other);
    return command;
}

static int compile_host(char *source, char *object, char *dependencies, int is_c)
{
    struct words command = host_command(is_c);
    char *partial = unfinished(object),
         *partial_dependencies = dependencies ? unfinished(dependencies) : NULL;
    if (dependencies) {
        struct words depend = depend_words(partial_dependencies, object);
        add_all(&command, &depend);
    }
    const char *const last[] = {"-c", "-o", partial, source, NULL};
    add_list(&command, last);
    return make(&command, partial, object) ||
           (dependencies && finish(partial_dependencies, dependencies));
}

/* nvcc -E, -M and -MM: what the preprocessor says of a source, in a file or on stdout. */
static int preprocess(char *source, int is_cuda, int is_c)
{
    struct words command = is_cuda ? preprocess_command(1, ALL) : host_command(is_c);
    char *out = options.out ? options.out : options.dependencies,
         *partial = out ? unfinished(out) : "-";
    if (options.product == DEPENDENCIES) {
        add(&command, (char *)options.depend_how);
        add_all(&command, &options.depend);
    }
    const char *const last[] = {"-E", "-o", partial, source, NULL};
    add_list(&command, last);
    return run(&command) || (out && finish(partial, out));
}

static int link_program(char *out)
{
    struct words command = {NULL, 0, 0};
    char *partial = unfinished(out);
    const char *const first[] = {cxx, "-o", partial, format("-L%s", library_place()), NULL};
    add_list(&command, first);
    add_all(&command, &options.other);
    add(&command, "-Wl,--start-group"); /* so that archives may stand before objects, as for nvcc */
    add_all(&command, &options.link);
    add(&command, "-Wl,--end-group");
    static const char *const runtime[] = {EMULATED_LINK_FLAGS "-lcudart_static", "-lpthread", "-lm",
                                          NULL};
    add_list(&command, runtime);
    return make(&command, partial, out);
}

/* Objects and archives into one file, by a command that begins with the words given. */
static int join_objects(const char *const *first, char *out)
{
    struct words command = {NULL, 0, 0};
    char *partial = unfinished(out);
    add_list(&command, first);
    add(&command, partial);
    for (size_t i = 0; i < options.link.count; i++)
        if (options.link.list[i][0] == '-')
            i++; /* -l, -L and -Xlinker are for the program */
        else
            add(&command, options.link.list[i]);
    return make(&command, partial, out);
}

/* nvcc -shared: one object. The device finds a program's variables in the program itself, so that
 * what would be loaded as it starts is a part of it here. */
static int link_shared(char *out)
{
    const char *const first[] = {cxx, "-r", "-nostdlib", "-o", NULL};
    return join_objects(first, out);
}

static int make_archive(char *out)
{
    static const char *const first[] = {"ar", "rcs", NULL};
    return join_objects(first, out);
}

/* nvcc -dlink: the link of the device's code. Here one link serves both, so the object is empty. */
static int link_device(char *out)
{
    char *partial = unfinished(out);
    struct words command = {NULL, 0, 0};
    const char *const words[] = {cxx, "-x", "c++", "-c", "/dev/null", "-o", partial, NULL};
    add_list(&command, words);
    return make(&command, partial, out);
}

/* In the current directory, as a compiler does it, or where -odir says. */
static char *object_for(const char *source)
{
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    int stem = (int)(strlen(base) - strlen(extension(base)));
    return options.out_folder ? format("%s/%.*s.o", options.out_folder, stem, base)
                              : format("%.*s.o", stem, base);
}

static char *dependencies_for(const char *object)
{
    if (!options.depend_how || options.dependencies)
        return options.dependencies;
    return format("%.*s.d", (int)(strlen(object) - strlen(extension(object))), object);
}

static int is_source(const char *word)
{
    for (size_t s = 0; s < options.sources.count; s++)
        if (options.sources.list[s] == word)
            return 1;
    return 0;
}

/* -ccbin: a compiler, or the folder of one. clang++ compiles for the host only, so that g++ takes
 * its place. */
static void choose_compiler(void)
{
    struct stat is;
    char *name = options.host_compiler;
    if (!name || strstr(name, "clang"))
        return;
    cxx = stat(name, &is) == 0 && S_ISDIR(is.st_mode) ? format("%s/g++", name) : name;
}

/* Everything up to the objects, which take the sources' places among what is linked. */
static int compile_sources(void)
{
    int failed = 0;
    for (size_t i = 0; i < options.link.count; i++) {
        char *source = options.link.list[i];
        if (!is_source(source))
            continue;
        const char *language = language_of(&options, source);
        const int is_cuda = strcmp(language, "cu") == 0, is_c = strcmp(language, "c") == 0;
        if (options.product == PREPROCESSED || options.product == DEPENDENCIES) {
            failed |= preprocess(source, is_cuda, is_c);
            continue;
        }
        char *object = options.product != OBJECTS ? temporary_object()
                       : options.out              ? options.out
                                                  : object_for(source),
             *dependencies = dependencies_for(object);
        failed |= is_cuda ? compile_cuda(source, object, dependencies)
                          : compile_host(source, object, dependencies, is_c);
        options.link.list[i] = object;
    }
    return failed;
}

int main(int argc, char **argv)
{
    places_find();
    int status = read_options(&options, argc, argv);
    if (status >= 0)
        return status;
    if ((arch = arch_choose(&arch_chosen)) < 0)
        return 2;
    choose_compiler();
    atexit(remove_temporary_files);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    signal(SIGHUP, on_signal);
    signal(SIGPIPE, SIG_IGN);

    if (options.prelude)
        return make_prelude(options.prelude);
    if (options.product != DEVICE_LINK && compile_sources())
        return 1;
    char *out = options.out;
    switch (options.product) {
    case PROGRAM: return link_program(out ? out : "a.out");
    case SHARED: return link_shared(out ? out : "a.out");
    case ARCHIVE: return make_archive(out ? out : "a.a");
    case DEVICE_LINK: return link_device(out ? out : "a_dlink.o");
    case OBJECTS:
    case PREPROCESSED:
    case DEPENDENCIES: break;
    }
    return 0;
}
