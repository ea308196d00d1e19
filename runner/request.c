/* What check and bench are asked for, and starting the programs that it takes. */
#include "request.h"
#include "build.h"
#include "devices.h"
#include "process.h"
#include "text.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

/* "--name=value" or "--name value": the value, advancing *i; NULL if argv[*i] is another option. */
static const char *optionValue(const char *name, int argc, char **argv, int *i)
{
    size_t length = strlen(name);

    if (strncmp(argv[*i], name, length) != 0)
        return NULL;
    if (argv[*i][length] == '=')
        return argv[*i] + length + 1;
    if (argv[*i][length] != '\0')
        return NULL;
    if (*i + 1 >= argc)
        fail(EXIT_USAGE, "%s needs a value", name);
    return argv[++*i];
}

/* Sets an environment variable of the emulated device for all programs to be started. */
static void environment(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        fail(EXIT_ERROR, "out of memory");
}

/* Hands a word over to the exercise's program. */
static void pass(struct request *r, char *word)
{
    if (r->passedCount == PASSED)
        fail(EXIT_USAGE, "too many options");
    r->passed[r->passedCount++] = word;
}

/* 1 if the word argv[i] is the value of the option before it, which goes to the exercise's program. */
static int isValueOfPassed(const struct request *r, char **argv, int i)
{
    return r->passedCount > 0 && strncmp(argv[i - 1], "--", 2) == 0 &&
           strcmp(argv[i - 1], r->passed[r->passedCount - 1]) == 0 &&
           strchr(argv[i - 1], '=') == NULL &&
           !(strncmp(argv[i], "ex", 2) == 0 && isdigit((unsigned char)argv[i][2]));
}

/* An option with a value of the runner's own. Returns 0 if argv[*i] is none. */
static int readOwnValue(struct request *r, int argc, char **argv, int *i)
{
    const char *value;

    if ((value = optionValue("--device", argc, argv, i)) != NULL) {
        r->device = value;
        if (isdigit((unsigned char)value[0])) /* one of several GPUs: the program's to open */
            pass(r, textOf("--device=%s", value));
    } else if ((value = optionValue("--csv", argc, argv, i)) != NULL) {
        r->csv = value;
    } else if ((value = optionValue("--emulate", argc, argv, i)) != NULL) {
        if (value[0] == '\0')
            fail(EXIT_USAGE, "--emulate needs fermi, kepler or hopper");
        environment("CUDA_EMULATED_DEVICE", value);
        r->device = "emulated";
    } else if ((value = optionValue("--devices", argc, argv, i)) != NULL) {
        environment("CUDA_EMULATED_DEVICES", value);
    } else {
        return 0;
    }
    return 1;
}

/* An option without a value of the runner's own. Returns 0 if the word is none. */
static int readOwnFlag(struct request *r, const char *word)
{
    if (strcmp(word, "--fast") == 0)
        environment("CUDA_EMULATED_FAST", "1");
    else if (strcmp(word, "--profile") == 0)
        environment("CUDA_EMULATED_PROFILE", "1");
    else if (strcmp(word, "--solution") == 0)
        r->solution = 1;
    else if (strcmp(word, "--template") == 0)
        r->template = 1;
    else if (strcmp(word, "--quick") == 0)
        r->quick = 1;
    else
        return 0;
    return 1;
}

struct request parseRequest(int argc, char **argv)
{
    struct request r = {.device = "auto"};
    const struct exercise_entry *all;
    size_t count;

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (!readOwnValue(&r, argc, argv, &i) && !readOwnFlag(&r, argv[i]))
                pass(&r, argv[i]);
        } else if (isValueOfPassed(&r, argv, i)) {
            pass(&r, argv[i]);
        } else {
            if (r.chosenCount == CHOSEN)
                fail(EXIT_USAGE, "too many exercises");
            r.chosen[r.chosenCount++] = exerciseNamed(argv[i]);
        }
    }
    r.device = deviceToUse(r.device);
    if (r.chosenCount == 0) {
        all = exercises(&count);
        for (size_t i = 0; i < count && i < CHOSEN; i++)
            r.chosen[r.chosenCount++] = &all[i];
    }
    return r;
}

/* A template that is missing is named. One that was put in place of another since its program was built,
 * but is older than that (mv, cp -p), would not be compiled: it gets the present time. */
static void noticeTemplate(const struct request *r, const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template"), *program = programPath(r->device, e->brief, "template");
    struct stat template, built;

    if (stat(path, &template) != 0)
        fail(EXIT_ERROR, "cannot find %s; ./course reset %s brings it back", path, e->brief);
    if (stat(program, &built) == 0 && template.st_ctime >= built.st_mtime &&
        template.st_mtime <= built.st_mtime && utime(path, NULL) != 0)
        fprintf(stderr, "course: cannot touch %s: %s\n", path, strerror(errno));
    free(program);
    free(path);
}

int buildKind(const struct request *r, const char *kind)
{
    struct text targets = {0};
    int status;

    for (size_t i = 0; i < r->chosenCount; i++) {
        if (strcmp(kind, "template") == 0)
            noticeTemplate(r, r->chosen[i]);
        appendFormat(&targets, " %s_%s_%s", r->chosen[i]->brief, kind, r->device);
    }
    status = buildTargets(targets.data);
    free(targets.data);
    return status;
}

int startProgram(const struct request *r, const struct exercise_entry *e, const char *kind,
                 const char *csv)
{
    char *program = programPath(r->device, e->brief, kind);
    char *argv[PASSED + 5];
    int argc = 0, status;

    argv[argc++] = program;
    for (int i = 0; i < r->passedCount; i++)
        argv[argc++] = r->passed[i];
    if (r->quick)
        argv[argc++] = "--quick";
    if (csv != NULL) {
        argv[argc++] = "--csv";
        argv[argc++] = (char *)csv;
    }
    argv[argc] = NULL;
    status = runCommand(argv, 0);
    if (status > EXIT_UNFILLED && status != EXIT_SKIPPED) {
        fprintf(stderr, "course: %s ended with exit status %d\n", argv[0], status);
        status = EXIT_ERROR;
    }
    free(program);
    return status;
}

int graver(int a, int b)
{
    static const int order[] = {EXIT_WRONG, EXIT_ERROR, EXIT_UNFILLED, EXIT_PASS};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return EXIT_SKIPPED;
}
