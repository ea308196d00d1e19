/* What check and bench are asked for, and starting the programs that it takes. */
#include "request.h"
#include "build.h"
#include "devices.h"
#include "files.h"
#include "inputs.h"
#include "text.h"
#include "todo.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* "--name=value" or "--name value": the value, advancing *i; NULL if argv[*i] is another option. */
const char *optionValue(const char *name, int argc, char **argv, int *i)
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
           !(strncasecmp(argv[i], "ex", 2) == 0 && isdigit((unsigned char)argv[i][2]));
}

/* Reads --device: both devices where check may use them. */
static void chooseDevices(struct request *r, const char *wanted, int checking)
{
    const char *device;

    r->both = checking && strcmp(wanted, "both") == 0;
    device = deviceToUse(r->both ? "gpu" : wanted);
    if (checking && strcmp(device, "gpu") == 0 && (r->both || strcmp(wanted, "auto") == 0))
        r->devices[r->deviceCount++] = "emulated";
    r->devices[r->deviceCount++] = device;
}

double optionSeconds(const char *name, const char *value)
{
    char *end;
    const double seconds = strtod(value, &end);

    if (end == value || *end != '\0' || !(seconds >= 1.0 && seconds <= 1e6))
        fail(EXIT_USAGE, "%s %s: expected seconds, 1 or more", name, value);
    return seconds;
}

/* An option with a value of the runner's own. Returns 0 if argv[*i] is none. */
static int readOwnValue(struct request *r, const char **device, int argc, char **argv, int *i)
{
    const char *value;

    if ((value = optionValue("--device", argc, argv, i)) != NULL) {
        *device = value;
        if (isdigit((unsigned char)value[0])) /* one of several GPUs: the program's to open */
            pass(r, textOf("--device=%s", value));
    } else if ((value = optionValue("--csv", argc, argv, i)) != NULL) {
        r->csv = value;
    } else if ((value = optionValue("--patience", argc, argv, i)) != NULL) {
        r->patience = optionSeconds("--patience", value);
    } else if ((value = optionValue("--emulate", argc, argv, i)) != NULL) {
        if (value[0] == '\0')
            fail(EXIT_USAGE, "--emulate needs fermi, kepler or hopper");
        environment("CUDA_EMULATED_DEVICE", value);
        *device = "emulated";
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
    if (strcmp(word, "--fast") == 0) {
        environment("CUDA_EMULATED_FAST", "1");
        r->reduced = 1;
    } else if (strcmp(word, "--profile") == 0)
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

struct request parseRequest(int argc, char **argv, int checking)
{
    struct request r = {0};
    const char *device = "auto";
    const struct exercise_entry *all;
    size_t count;

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--", 2) == 0) {
            if (!readOwnValue(&r, &device, argc, argv, &i) && !readOwnFlag(&r, argv[i]))
                pass(&r, argv[i]);
        } else if (isValueOfPassed(&r, argv, i)) {
            pass(&r, argv[i]);
        } else if (strcmp(argv[i], "-h") == 0) {
            pass(&r, "--help");
        } else {
            if (r.chosenCount == CHOSEN)
                fail(EXIT_USAGE, "too many exercises");
            r.chosen[r.chosenCount++] = exerciseNamed(argv[i]);
        }
    }
    chooseDevices(&r, device, checking);
    r.named = r.chosenCount > 0;
    if (r.chosenCount == 0) {
        all = exercises(&count);
        for (size_t i = 0; i < count && i < CHOSEN; i++)
            r.chosen[r.chosenCount++] = &all[i];
    }
    return r;
}

/* 1 if the word is the option, alone or with "=value". */
static int isOption(const char *word, const char *option)
{
    const size_t length = strlen(option);

    return strncmp(word, option, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

int usualSizes(const struct request *r)
{
    for (int i = 0; i < r->passedCount; i++) {
        if (!isOption(r->passed[i], "--variant") && !isOption(r->passed[i], "--seed") &&
            !isOption(r->passed[i], "--device"))
            return 0;
        i += strchr(r->passed[i], '=') == NULL; /* its value */
    }
    return 1;
}

/* 1 if one of the words that are passed on is that option. */
static int passes(const struct request *r, const char *option)
{
    for (int i = 0; i < r->passedCount; i++)
        if (isOption(r->passed[i], option))
            return 1;
    return 0;
}

int allRows(const struct request *r)
{
    return !passes(r, "--variant") && !passes(r, "--only");
}

int asksOnly(const struct request *r)
{
    return passes(r, "--help") || passes(r, "--list");
}

char *targetsOf(const struct request *r, const char *device, const char *kind)
{
    struct text targets = {0};

    for (size_t i = 0; i < r->chosenCount; i++)
        appendFormat(&targets, " %s_%s_%s", r->chosen[i]->brief, kind, device);
    return targets.data;
}

char *quickScript(const struct exercise_entry *e, const char *device, const char *kind)
{
    char *path = textOf("%s/quick/%s_%s_%s.sh", buildFolder(), e->brief, kind, device);

    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Builds an exercise's program if nothing but its own file has changed. Returns 0 if it is up to date now, EXIT_ERROR if the
 * compiler has refused the file, or EXIT_UNFILLED if make is to look at everything. */
static int buildOwnFile(const struct exercise_entry *e, const char *device, const char *kind,
                        const char *sources)
{
    char *script = quickScript(e, device, kind);
    int code = EXIT_UNFILLED;

    if (script != NULL) {
        switch (inputsChange(e, device, kind, sources)) {
        case NOTHING:
            code = 0;
            break;
        case OWN_FILE:
            code = buildQuickly(script);
            break;
        case ANYTHING:
            break;
        }
    }
    free(script);
    return code;
}

/* The same, or the one target that stands for them if they are those of all exercises. */
static char *goalsOf(const struct request *r, const char *device, const char *kind)
{
    char *sign = textOf("%s/all_of/%s_%s", buildFolder(), kind, device);
    const int stands = access(sign, F_OK) == 0;
    size_t all;

    free(sign);
    exercises(&all);
    return stands && r->chosenCount == all && all > 1 ? textOf("%ss_%s", kind, device)
                                                      : targetsOf(r, device, kind);
}

int buildKind(const struct request *r, const char *device, const char *kind)
{
    char *targets = goalsOf(r, device, kind), *sources[CHOSEN];
    int status;

    if (isInstalled() && strcmp(kind, "template") != 0) {
        for (size_t i = 0; i < r->chosenCount; i++)
            mustHaveSolution(r->chosen[i]);
        free(targets);
        return 0;
    }
    for (size_t i = 0; i < r->chosenCount; i++)
        sources[i] = inputsBeforeBuild(r->chosen[i], device, kind);
    if (strcmp(device, "gpu") == 0 &&
        strcmp(kind, "template") == 0) { /* it knows beginners better */
        char *look = targetsOf(r, "emulated", kind);

        buildSecondLook(look);
        free(look);
    }
    status =
        r->chosenCount == 1 ? buildOwnFile(r->chosen[0], device, kind, sources[0]) : EXIT_UNFILLED;
    if (status == EXIT_UNFILLED)
        status = buildTargets(targets);
    buildSecondLook(NULL);
    for (size_t i = 0; i < r->chosenCount; i++) {
        if (status == 0)
            inputsAfterBuild(r->chosen[i], device, kind, sources[i]);
        free(sources[i]);
    }
    free(targets);
    return status;
}

/* The numbers of the advanced TODOs, "5,6", if the template has only such left to do, in a string that the caller keeps;
 * otherwise NULL. */
static char *mayStayUnfilled(const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template"), *source = readFileIfThere(path);
    const struct todos todos = todosOf(source != NULL ? source : "");
    const struct todo *next = todoNext(&todos);
    struct text numbers = {0};

    for (int i = 0; next != NULL && next->advanced && i < todos.count; i++)
        if (todos.of[i].advanced)
            appendFormat(&numbers, "%s%d", numbers.length > 0 ? "," : "", todos.of[i].number);
    free(source);
    free(path);
    return numbers.data;
}

struct run runOf(const struct request *r, const struct exercise_entry *e, const char *device,
                 const char *kind, int withoutSize)
{
    struct run run = {.job.patience = r->patience};
    const char *advanced = strcmp(kind, "template") == 0 ? mayStayUnfilled(e) : NULL;

    runWord(&run, programPath(device, e->brief, kind));
    for (int i = 0; i < r->passedCount; i++) {
        if (withoutSize && isOption(r->passed[i], "--size"))
            i += strchr(r->passed[i], '=') == NULL;
        else
            runWord(&run, r->passed[i]);
    }
    if (r->quick)
        runWord(&run, "--quick");
    if (advanced != NULL) {
        runWord(&run, "--advanced");
        runWord(&run, advanced);
    }
    return run;
}

int answer(const struct request *r, const char *kind)
{
    int code = EXIT_PASS;

    if (buildKind(r, r->devices[0], kind) != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < r->chosenCount && code == EXIT_PASS; i++) {
        struct run run = runOf(r, r->chosen[i], r->devices[0], kind, 0);

        code = runCommand(run.words, 0);
        runFree(&run);
    }
    return code;
}
