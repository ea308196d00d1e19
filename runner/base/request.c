/* The request to check or bench, and how its programs are started. */
#define _GNU_SOURCE /* nftw */
#include "request.h"
#include "devices.h"
#include "files.h"
#include "text.h"
#include "todo.h"
#include "student_folder.h"
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
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

/* Passes a word on to the exercise's program. */
static void pass(struct run_options *r, char *word)
{
    if (r->passedCount == PASSED)
        fail(EXIT_USAGE, "too many options");
    r->passed[r->passedCount++] = word;
}

/* 1 if the word argv[i] is the value of the option before it, which goes to the exercise's
 * program. */
static int isValueOfPassed(const struct run_options *r, char **argv, int i)
{
    return r->passedCount > 0 && strncmp(argv[i - 1], "--", 2) == 0 &&
           strcmp(argv[i - 1], r->passed[r->passedCount - 1]) == 0 &&
           strchr(argv[i - 1], '=') == NULL && !isLikeExercise(argv[i]);
}

/* Reads --device: both devices if check may use them. */
static void chooseDevices(struct run_options *r, const char *wanted, int checking)
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
static int readOwnValue(struct run_options *r, const char **device, int argc, char **argv, int *i)
{
    const char *value;

    if ((value = optionValue("--device", argc, argv, i)) != NULL) {
        *device = value;
        if (isdigit((unsigned char)value[0])) /* one of several GPUs, which the program opens */
            pass(r, formatString("--device=%s", value));
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
static int readOwnFlag(struct run_options *r, const char *word)
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

struct run_options parseOptions(int argc, char **argv, int checking)
{
    struct run_options r = {0};
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

char *targetsOf(const struct run_options *r, const char *device, const char *kind)
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

/* Checks the file before it is compiled: if no compiler could read it, one line says why, and the
 * program ends. */
static void prepareSource(const struct exercise_entry *e, const char *kind)
{
    char *path = sourcePath(e, kind), *copy = copyPath(e), *before = readFileIfThere(copy), *text;
    size_t length;

    if (access(path, F_OK) != 0)
        fail(EXIT_ERROR, "cannot find %s; ./course reset %s brings it back", path, e->brief);
    text = readBytesIfThere(path, &length);
    if (text == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", path, strerror(errno));
    if (strlen(text) < length)
        fail(EXIT_ERROR, "%s is no plain text, it has a byte 0: save it as UTF-8", path);
    if (text[strspn(text, " \t\r\n")] == '\0')
        fail(EXIT_ERROR, "%s is empty; ./course reset %s brings back the template", path, e->brief);
    if (strcmp(kind, "template") == 0 && (before == NULL || strcmp(before, text) != 0)) {
        char *folder = formatString("%s/templates", buildFolder());

        mkdir(folder, 0777); /* replaceFile() says what is wrong, if anything is */
        replaceFile(copy, text);
        free(folder);
    }
    free(text);
    free(before);
    free(copy);
    free(path);
}

int isBuiltFrom(const struct exercise_entry *e, const char *text)
{
    char *path = copyPath(e), *copy = readFileIfThere(path);
    const int same = copy != NULL && strcmp(copy, text) == 0;

    free(copy);
    free(path);
    return same;
}

/* Configures again if the solution was added after the build folder was configured: one that was
 * released later. */
static void noticeSolution(const struct exercise_entry *e)
{
    char *path = formatString("%s/solutions.txt", buildFolder()), *known = readFileIfThere(path);
    char *line = formatString("%s\n", e->name);
    char *argv[] = {"cmake", (char *)buildFolder(), NULL};

    if (known != NULL && strstr(known, line) == NULL && runCommand(argv, 1) != 0)
        fail(EXIT_ERROR, "the build folder cannot be configured anew; remove it: rm -r '%s'",
             buildFolder());
    free(line);
    free(known);
    free(path);
}

int prepareSources(const struct run_options *r, const char *kind)
{
    const int isTemplate = strcmp(kind, "template") == 0;

    for (size_t i = 0; i < r->chosenCount; i++) {
        if (!isTemplate)
            mustHaveSolution(r->chosen[i]);
        if (isInstalled() && !isTemplate)
            continue;
        if (!isTemplate)
            noticeSolution(r->chosen[i]);
        prepareSource(r->chosen[i], kind);
    }
    return isInstalled() && isTemplate ? workConfigure() : 0;
}

static struct timespec oldest; /* isNewer() */

/* nftw(): 1 for a source that is newer. make examines an exercise's own files. */
static int isNewer(const char *path, const struct stat *s, int type, struct FTW *where)
{
    const char *name = path + where->base;

    return type == FTW_F && fnmatch("*.[cht]*", name, FNM_PERIOD) == 0 &&
           strncmp(name, "template.", 9) != 0 && strncmp(name, "solution.", 9) != 0 &&
           isEarlier(&oldest, &s->st_mtim);
}

/* 1 if none of the program's sources is newer, except perhaps its own file. */
static int isNothingElseNewer(const struct exercise_entry *e, const char *device, const char *kind)
{
    const char *const folders[] = {"CMakeLists.txt", "common", "emulated", e->name};
    char *program = programPath(device, e->brief, kind);
    char *cache = formatString("%s/CMakeCache.txt", buildFolder());
    struct stat status;
    int found = stat(program, &status) != 0;

    oldest = status.st_mtim;
    found = found || nftw(cache, isNewer, 1, FTW_PHYS) > 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = formatString("%s/%s", sourceFolder(), folders[i]);

        found = found || nftw(path, isNewer, 16, FTW_PHYS) > 0;
        free(path);
    }
    free(cache);
    free(program);
    return !found;
}

void startKind(struct build *build, const struct run_options *r, const char *kind)
{
    const int both = r->deviceCount == 2;
    int alone = buildIsMakes() && r->chosenCount == 1 && strcmp(kind, "template") == 0;
    struct text targets = {0};

    for (int d = 0; d < r->deviceCount; d++) {
        char *more = targetsOf(r, r->devices[d], kind);

        alone = alone && isNothingElseNewer(r->chosen[0], r->devices[d], kind);
        appendText(&targets, more);
        free(more);
    }
    if (alone)
        buildStartAlone(build, targets.data);
    else if (!both)
        buildStart(build, targets.data, 0);
    else {
        char *all = targetsOf(r, "both", kind);

        buildStart(build, all, 1);
        free(all);
    }
    free(targets.data);
}

int buildKind(const struct run_options *r, const char *device, const char *kind)
{
    const int isTemplate = strcmp(kind, "template") == 0;
    struct run_options one = *r;
    struct build build;
    char *explainBy = NULL;
    int status = prepareSources(r, kind);

    if (status != 0 || (isInstalled() && !isTemplate))
        return status;
    one.devices[0] = device;
    one.deviceCount = 1;
    startKind(&build, &one, kind);
    if (strcmp(device, "gpu") == 0 && isTemplate)
        explainBy = targetsOf(r, "emulated", kind); /* it explains beginners' mistakes better */
    status = buildFinish(&build, explainBy);
    free(explainBy);
    return status;
}

/* The numbers of the advanced TODOs, "5,6", if the template has only such left to do, in a string
 * that the caller keeps; otherwise NULL. */
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

struct run runOf(const struct run_options *r, const struct exercise_entry *e, const char *device,
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

int answer(const struct run_options *r, const char *kind)
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
