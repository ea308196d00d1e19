/* The request to check or bench, and how its programs are started. */
#include "request.h"
#include "devices.h"
#include "files.h"
#include "text.h"
#include "todo.h"
#include "tool.h"
#include "student_folder.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* 1 if the word is the option, alone or with "=value". */
static int isOption(const char *word, const char *option)
{
    const size_t length = strlen(option);

    return startsWith(word, option) && (word[length] == '\0' || word[length] == '=');
}

/* The value of an option, "--name VALUE" or "--name=VALUE", at argv[*i], which moves on if the
 * value is a word of its own. Ends the program if the value is missing. */
static const char *optionValue(const char *name, int argc, char **argv, int *i)
{
    if (strchr(argv[*i], '=') != NULL)
        return strchr(argv[*i], '=') + 1;
    if (*i + 1 >= argc)
        fail(EXIT_USAGE, "%s needs a value", name);
    return argv[++*i];
}

/* 1 if the word is the option: a flag has no "=value". */
static int isKnown(const char *word, const struct known_option *o)
{
    return o->value != NULL ? isOption(word, o->name) : isSame(word, o->name);
}

/* 1 if the word argv[i] of an option that may lack a value has one: the next word is no option and
 * no exercise. */
static int hasValue(char **argv, int i)
{
    const char *next = argv[i + 1];

    return strchr(argv[i], '=') != NULL ||
           (next != NULL && next[0] != '-' && !isdigit((unsigned char)next[0]) &&
            (!isLikeExercise(next) || strchr(next, '/') != NULL));
}

int takeOptions(const struct known_option *known, int argc, char **argv)
{
    int left = 1;

    for (int i = 1; i < argc; i++) {
        const struct known_option *o = known;

        while (o->name != NULL && !isKnown(argv[i], o))
            o++;
        if (o->name == NULL) {
            argv[left++] = argv[i];
            continue;
        }
        if (o->flag != NULL)
            *o->flag = 1;
        if (o->value == NULL || (o->flag != NULL && !hasValue(argv, i)))
            continue;
        *o->value = optionValue(o->name, argc, argv, &i);
        if (o->flag != NULL && (*o->value)[0] == '\0')
            fail(EXIT_USAGE, "%s= needs a value", o->name);
    }
    argv[left] = NULL;
    return left;
}

/* Passes a word on to the exercise's program. */
static void pass(struct run_options *r, char *word)
{
    if (r->passedCount == PASSED)
        fail(EXIT_USAGE, "too many options");
    r->passed[r->passedCount++] = word;
}

static void choose(struct run_options *r, const struct exercise_entry *e)
{
    if (r->chosenCount == CHOSEN)
        fail(EXIT_USAGE, "too many exercises");
    r->chosen[r->chosenCount++] = e;
}

/* 1 if the word argv[i] is the value of the option before it, which goes to the exercise's
 * program. */
static int isValueOfPassed(const struct run_options *r, char **argv, int i)
{
    return r->passedCount > 0 && startsWith(argv[i - 1], "--") &&
           isSame(argv[i - 1], r->passed[r->passedCount - 1]) && strchr(argv[i - 1], '=') == NULL &&
           !isLikeExercise(argv[i]);
}

/* Reads --device: both devices if check may use them. */
static void chooseDevices(struct run_options *r, const char *wanted, int checking)
{
    const char *device;

    r->both = checking && isSame(wanted, "both");
    device = deviceToUse(r->both ? "gpu" : wanted);
    if (checking && isSame(device, "gpu") && (r->both || isSame(wanted, "auto")))
        r->devices[r->deviceCount++] = "emulated";
    r->devices[r->deviceCount++] = device;
}

struct run_options parseOptions(int argc, char **argv, int checking)
{
    struct run_options r = {0};
    const char *device = "auto", *emulate = NULL, *devices = NULL, *patience = NULL;
    static const char generations[] = " fermi, kepler, maxwell, pascal, volta, turing, ampere, "
                                      "ada, hopper, blackwell,"; /* cc/arch.c has them, too */
    int profile = 0, all = 0;
    const struct known_option known[] = {
        {"--device", .value = &device},      {"--emulate", .value = &emulate},
        {"--devices", .value = &devices},    {"--patience", .value = &patience},
        {"--csv", .value = &r.csv},          {"--fast", .flag = &r.reduced},
        {"--profile", .flag = &profile},     {"--all-columns", .flag = &all},
        {"--solution", .flag = &r.solution}, {"--template", .flag = &r.template},
        {"--quick", .flag = &r.quick},       {0}};

    argc = takeOptions(known, argc, argv);
    if (isdigit((unsigned char)device[0])) /* one of several GPUs, which the program opens */
        pass(&r, formatString("--device=%s", device));
    if (patience != NULL)
        r.patience = secondsIn("--patience ", patience);
    if (emulate != NULL) {
        if (!isdigit((unsigned char)emulate[0]) &&
            strstr(generations, formatString(" %s,", emulate)) == NULL)
            fail(EXIT_USAGE, "--emulate=%s: expected%s or a compute capability such as 70", emulate,
                 generations);
        setVariable("CUDA_EMULATED_DEVICE", emulate);
        device = "emulated";
    }
    if (devices != NULL)
        setVariable("CUDA_EMULATED_DEVICES", devices);
    if (r.reduced)
        setVariable("CUDA_EMULATED_FAST", "1");
    if (profile)
        setVariable("CUDA_EMULATED_PROFILE", "1");
    if (all)
        setVariable("COURSE_ALL_COLUMNS", "1");
    for (int i = 1; i < argc; i++) {
        if (startsWith(argv[i], "--") || isValueOfPassed(&r, argv, i))
            pass(&r, argv[i]);
        else if (isSame(argv[i], "-h"))
            pass(&r, "--help");
        else
            choose(&r, exerciseNamed(argv[i]));
    }
    chooseDevices(&r, device, checking);
    r.named = r.chosenCount > 0;
    for (const struct exercise_entry *e = exercises(); !r.named && e->name[0] != '\0'; e++)
        choose(&r, e);
    return r;
}

int usualSizes(const struct run_options *r)
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
static int passes(const struct run_options *r, const char *option)
{
    for (int i = 0; i < r->passedCount; i++)
        if (isOption(r->passed[i], option))
            return 1;
    return 0;
}

int allRows(const struct run_options *r) { return !passes(r, "--variant") && !passes(r, "--only"); }

int asksOnly(const struct run_options *r) { return passes(r, "--help") || passes(r, "--list"); }

/* The targets of one kind, "template" or "solution", for all chosen exercises. */
static char *targetsOf(const struct run_options *r, const char *device, const char *kind)
{
    struct text targets = {0};

    for (size_t i = 0; i < r->chosenCount; i++)
        appendFormat(&targets, " %s_%s_%s", r->chosen[i]->brief, kind, device);
    return targets.data;
}

/* The copy of the template's text that its programs are built from. They depend on it, too
 * (exercise.cmake): a date alone does not show that an older file has replaced another. */
static char *copyPath(const struct exercise_entry *e)
{
    return formatString("%s/templates/%s", buildFolder(), e->brief);
}

int isBuiltFrom(const struct exercise_entry *e, const char *text)
{
    const char *copy = readFileIfThere(copyPath(e));

    return copy != NULL && isSame(copy, text);
}

/* Checks the file before it is compiled: if no compiler could read it, one line says why, and the
 * program ends. */
static void prepareSource(const struct exercise_entry *e, const char *kind)
{
    size_t length;
    const char *path = sourcePath(e, kind), *text = readBytesIfThere(path, &length);

    if (text == NULL)
        fail(EXIT_ERROR, "cannot find %s; ./course reset %s brings it back", path, e->brief);
    if (strlen(text) < length)
        fail(EXIT_ERROR, "%s is no plain text, it has a byte 0: save it as UTF-8", path);
    if (text[strspn(text, " \t\r\n")] == '\0')
        fail(EXIT_ERROR, "%s is empty; ./course reset %s brings back the template", path, e->brief);
    if (isSame(kind, "template") && !isBuiltFrom(e, text)) {
        mkdir(formatString("%s/templates", buildFolder()), 0777); /* replaceFile() names errors */
        replaceFile(copyPath(e), text);
    }
}

/* Configures again if the solution was added after the build folder was configured: one that was
 * released later. */
static void noticeSolution(const struct exercise_entry *e)
{
    const char *known = readFileIfThere(formatString("%s/solutions.txt", buildFolder()));
    char *argv[] = {"cmake", (char *)buildFolder(), NULL};

    if (known != NULL && strstr(known, formatString("%s\n", e->name)) == NULL &&
        runCommand(argv, 1) != 0)
        fail(EXIT_ERROR, "the build folder cannot be configured anew; remove it: rm -r '%s'",
             buildFolder());
}

int prepareSources(const struct run_options *r, const char *kind)
{
    const int isTemplate = isSame(kind, "template");

    for (size_t i = 0; i < r->chosenCount; i++) {
        if (!isTemplate)
            mustHaveSolution(r->chosen[i]);
        if (!isTemplate && !isInstalled())
            noticeSolution(r->chosen[i]);
        if (isTemplate || !isInstalled())
            prepareSource(r->chosen[i], kind);
    }
    return isInstalled() && isTemplate ? workConfigure() : 0;
}

/* 1 if none of the program's sources is newer, except perhaps its own file: make examines an
 * exercise's own files. */
static int isNothingElseNewer(const struct exercise_entry *e, const char *device, const char *kind)
{
    char *argv[] = {"sh", "-c",
                    formatString("cd %s && find CMakeLists.txt common emulated %s %s/CMakeCache.txt"
                                 " -newer %s -type f -name '[!.]*.[cht]*'"
                                 " ! -name 'template.*' ! -name 'solution.*'",
                                 quoted(sourceFolder()), e->name, quoted(buildFolder()),
                                 quoted(programPath(device, e->brief, kind))),
                    NULL};
    const char *newer = toolSays(argv);

    return newer != NULL && newer[0] == '\0';
}

void startKind(struct build *build, const struct run_options *r, const char *kind)
{
    int alone = buildIsMakes() && r->chosenCount == 1 && isSame(kind, "template");
    struct text targets = {0};

    for (int d = 0; d < r->deviceCount; d++) {
        alone = alone && isNothingElseNewer(r->chosen[0], r->devices[d], kind);
        appendText(&targets, targetsOf(r, r->devices[d], kind));
    }
    if (alone)
        buildStartAlone(build, targets.data);
    else if (r->deviceCount == 2)
        buildStart(build, targetsOf(r, "both", kind), 1);
    else
        buildStart(build, targets.data, 0);
}

int buildKind(const struct run_options *r, const char *device, const char *kind)
{
    const int isTemplate = isSame(kind, "template");
    struct run_options one = *r;
    struct build build;
    const int status = prepareSources(r, kind);

    if (status != 0 || (isInstalled() && !isTemplate))
        return status;
    one.devices[0] = device;
    one.deviceCount = 1;
    startKind(&build, &one, kind);
    return buildFinish(&build, isSame(device, "gpu") && isTemplate
                                   ? targetsOf(r, "emulated", kind) /* explains mistakes better */
                                   : NULL);
}

/* The numbers of the advanced TODOs, "5,6", if the template has only such left to do; otherwise
 * NULL. */
static char *mayStayUnfilled(const struct exercise_entry *e)
{
    const char *source = readFileIfThere(sourcePath(e, "template"));
    const struct todos todos = todosOf(source != NULL ? source : "");
    const struct todo *next = todoNext(&todos);
    struct text numbers = {0};

    for (int i = 0; next != NULL && next->advanced && i < todos.count; i++)
        if (todos.of[i].advanced)
            appendFormat(&numbers, "%s%d", numbers.length > 0 ? "," : "", todos.of[i].number);
    return numbers.data;
}

struct run runOf(const struct run_options *r, const struct exercise_entry *e, const char *device,
                 const char *kind, int withoutSize)
{
    struct run run = {.job.patience = r->patience};
    const char *advanced = isSame(kind, "template") ? mayStayUnfilled(e) : NULL;

    runWord(&run, programPath(device, e->brief, kind));
    for (int i = 0; i < r->passedCount; i++) {
        if (withoutSize && isOption(r->passed[i], "--size"))
            i += strchr(r->passed[i], '=') == NULL;
        else
            runWord(&run, r->passed[i]);
    }
    if (r->quick)
        runWord(&run, "--quick");
    if (advanced != NULL)
        runOption(&run, "--advanced", advanced);
    return run;
}

int answer(const struct run_options *r, const char *kind)
{
    int code = EXIT_PASS;

    if (buildKind(r, r->devices[0], kind) != 0)
        return EXIT_ERROR;
    for (size_t i = 0; i < r->chosenCount && code == EXIT_PASS; i++)
        code = runCommand(runOf(r, r->chosen[i], r->devices[0], kind, 0).words, 0);
    return code;
}
