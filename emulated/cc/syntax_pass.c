/* syntax_pass.c: see syntax_pass.h */
#define _POSIX_C_SOURCE 200809L
#include "syntax_pass.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "places.h"
#include "tokens.h"

static pid_t clang, feeder;
static FILE *messages;

/* "# 12 "file" 2": does the line name another file than the source? -1: it is no such line. */
static int leaves_source(const char *line, const char *source)
{
    const char *quote = strchr(line, '"');
    if (line[0] != '#' || line[1] != ' ' || !quote)
        return -1;
    size_t n = strlen(source);
    return strncmp(quote + 1, source, n) != 0 || quote[1 + n] != '"';
}

/* Included files may be used on both sides: most know nothing of CUDA. */
static void feed(FILE *out, const char *source, const char *text, size_t length)
{
    int outside = 0;
    for (const char *line = text, *end = text + length; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        int now = leaves_source(line, source);
        if (now >= 0 && now != outside) {
            fprintf(out, "#pragma clang force_cuda_host_device %s\n", now ? "begin" : "end");
            outside = now;
        }
        fwrite(line, 1, (size_t)(next - line), out);
        line = next;
    }
    if (outside)
        fputs("\n#pragma clang force_cuda_host_device end\n", out);
    fflush(out);
}

void syntax_pass_start(const char *source, const char *text, size_t length)
{
    int in[2], out[2];
    if (pipe(in) != 0)
        return;
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return;
    }
    fflush(NULL);
    clang = fork();
    if (clang == 0) {
        dup2(in[0], 0);
        dup2(out[1], 2);
        for (int i = 0; i < 2; i++) {
            close(in[i]);
            close(out[i]);
        }
        char *declarations = format("%s/clang/cuda_syntax.h", place());
        execlp("clang++", "clang++", "-x", "cuda", "--cuda-host-only", "-fsyntax-only",
               "-nocudainc", "-nocudalib", "-std=gnu++17", "-w", "-ferror-limit=0",
               "-fno-caret-diagnostics", "-Xclang", "-fcuda-allow-variadic-functions", "-include",
               declarations, "-", (char *)NULL);
        _exit(127);
    }
    feeder = fork();
    if (feeder == 0) { /* a separate process, so that no process waits for another's pipe */
        close(in[0]);
        close(out[0]);
        close(out[1]);
        signal(SIGPIPE, SIG_IGN);
        FILE *to = fdopen(in[1], "w");
        if (to)
            feed(to, source, text, length);
        _exit(0);
    }
    close(in[0]);
    close(in[1]);
    close(out[1]);
    messages = fdopen(out[0], "r");
}

/* Copies what stands between the first two quotes of clang's message. */
static const char *quoted(const char *message, char *name, size_t size)
{
    const char *begin = strchr(message, '\''), *end = begin ? strchr(begin + 1, '\'') : NULL;
    snprintf(name, size, "%.*s", end ? (int)(end - begin - 1) : 0, end ? begin + 1 : "");
    return name;
}

static int report(const char *place, const char *before, const char *name, const char *after)
{
    fprintf(stderr, "%s: error: %s%s%s\n", place, before, name, after);
    return 1;
}

int syntax_pass_finish(void)
{
    static const char host_function[] =
        "' is a host function: a kernel can only call __device__ functions";
    static const char device_function[] =
        "' is a __device__ function: the host cannot call it (__host__ __device__ makes it one for "
        "both), and what it takes for its address is none in a kernel";
    char line[4096], place[4096] = "", name[256] = "";
    int errors = 0, unmatched = 0, returns_value = 0;
    while (messages && fgets(line, sizeof line, messages)) {
        char *error = strstr(line, ": error: "), *note = strstr(line, ": note: ");
        if (note && unmatched && strstr(note, "call to __host__ function from")) {
            errors += report(place, "'", name, host_function);
            unmatched = 0;
        }
        if (note && unmatched &&
            strstr(note, "call to __device__ function from __host__ function")) {
            errors += report(place, "'", name, device_function);
            unmatched = 0;
        }
        if (!error)
            continue;
        *error = '\0';
        error += strlen(": error: ");
        snprintf(place, sizeof place, "%s", line);
        if (strrchr(place, ':'))
            *strrchr(place, ':') = '\0'; /* the column */
        quoted(error, name, sizeof name);
        unmatched = strstr(error, "no matching function for call to") != NULL;
        if (strstr(error, "reference to __host__ function"))
            errors += report(place, "'", name, host_function);
        else if (strstr(error, "call to global function"))
            errors += report(place, "'", name, "' is a kernel: launch it with <<<grid, block>>>");
        else if (strstr(error, "must have void return type"))
            returns_value = 1; /* the translator has said so; for clang it is no kernel */
        else if (strstr(error, "kernel call to non-global function") && !returns_value)
            errors +=
                report(place, "'", name, "' is launched, but is no kernel: is __global__ missing?");
        else if (strstr(error, "reference to __device__ function") &&
                 strstr(error, "in __host__ function"))
            errors += report(place, "'", name, device_function);
        else if (strstr(error, "__shared__ local variables not allowed in __host__ functions"))
            errors += report(place, "", "",
                             "__shared__ memory belongs to a block: declare it in the kernel");
        else if (strstr(error, "initialization is not supported for __shared__"))
            errors +=
                report(place, "", "",
                       "a __shared__ variable cannot be initialised: let a thread assign to it, "
                       "then __syncthreads()");
    }
    if (messages)
        fclose(messages);
    messages = NULL;
    for (int i = 0; i < 2; i++) {
        pid_t child = i ? feeder : clang;
        if (child > 0)
            waitpid(child, NULL, 0);
    }
    return errors;
}
