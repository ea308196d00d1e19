/* compute-sanitizer, where it is installed. Its output, as far as it is read here:
 *
 *     ========= Invalid __global__ write of size 4 bytes
 *     =========     at vectorAdd(const float *, float *)+0x130 in template.cu:24
 *     =========     by thread (128,0,0) in block (3,0,0)
 *     ========= ERROR SUMMARY: 96 errors */
#include "sanitizer.h"
#include "process.h"
#include "text.h"
#include "tool.h"
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHOWN = 3 };

static const double sanitizerPatience = 60.0; /* s: it slows a kernel down many times */

static const char mark[] = "========= ";

/* 1 if a line of the sanitizer begins a finding and is not about the tool itself. */
static int beginsFinding(const char *line)
{
    static const char *const others[] = {"COMPUTE-SANITIZER",
                                         "ERROR SUMMARY",
                                         "RACECHECK SUMMARY",
                                         "Target application",
                                         "No kernels",
                                         "This tool",
                                         NULL};
    const char *said = line + strlen(mark);

    return startsWith(line, mark) && said[0] != ' ' && said[0] != '\n' &&
           !startsWithOne(said, others);
}

/* The words of a line that goes on with a finding (at, by, and), or NULL. */
static const char *continuation(const char *line)
{
    const char *words;

    if (!startsWith(line, mark))
        return NULL;
    words = line + strlen(mark);
    words += strspn(words, " ");
    return words > line + strlen(mark) && (startsWith(words, "at ") || startsWith(words, "by ") ||
                                           startsWith(words, "and "))
               ? words
               : NULL;
}

/* Prints the first findings in the tool's output; returns how many there are. */
static int printFindings(const char *tool, char *output)
{
    int count = 0, continued = 0;

    for (char *line = strtok(output, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *more = continuation(line);

        if (beginsFinding(line)) {
            if (count > 0 && count <= SHOWN)
                putchar('\n');
            if (++count <= SHOWN)
                printf("compute-sanitizer (%s): %s", tool, line + strlen(mark));
            continued = 0;
        } else if (more != NULL && count > 0 && count <= SHOWN && continued++ < 2) {
            printf(" %s", more);
        }
    }
    if (count > 0)
        putchar('\n');
    if (count > SHOWN)
        printf("... and %d more\n", count - SHOWN);
    return count;
}

/* compute-sanitizer on the PATH, or else beside nvcc, or where toolkits are put. */
static char *sanitizerPath(void)
{
    char *path = toolPath("compute-sanitizer"), *nvcc = toolNvcc();

    if (path != NULL)
        return path;
    return formatString("%s/compute-sanitizer",
                        nvcc != NULL ? dirname(nvcc) : "/usr/local/cuda/bin");
}

/* Runs one tool; returns the number of findings, -1 if it could not. */
static int ask(const char *tool, const char *program)
{
    char *sanitizer = sanitizerPath();
    char *argv[] = {sanitizer, "--tool",        (char *)tool, "--target-processes",
                    "all",     "--print-limit", "20",         (char *)program,
                    "--only",  "device",        "--quick",    NULL};
    struct job job = {.argv = argv, .captured = 1, .patience = sanitizerPatience};
    int found = -1;

    if (isatty(STDERR_FILENO))
        fprintf(stderr, "  asking compute-sanitizer (%s) ...\033[K\r", tool);
    jobRun(&job);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\033[K");
    if (job.outOfTime)
        printf("compute-sanitizer (%s) has not finished within %.0f s\n", tool, sanitizerPatience);
    else if (job.status != 127)
        found = printFindings(tool, job.output);
    return found;
}

void sanitizerAsk(const char *program)
{
    const int found = ask("memcheck", program);

    if (found == 0 && ask("racecheck", program) == 0)
        printf("compute-sanitizer finds nothing at the --quick size (memcheck, racecheck)\n");
}
