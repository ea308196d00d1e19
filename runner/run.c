/* list, check, bench, diff, device and test: the commands that start programs. */
#include "runner.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

/* What check and bench are asked for: exercises, the runner's own options, and the rest, which goes to
 * the exercise's program. */
struct request {
    const struct exercise_entry *chosen[64];
    size_t chosenCount;
    const char *device;
    const char *csv;
    int solution, template, quick;
    char *passed[64];
    int passedCount;
};

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
        fail(STATUS_USAGE, "%s needs a value", name);
    return argv[++*i];
}

/* Sets an environment variable of the emulated device for all programs to be started. */
static void environment(const char *name, const char *value)
{
    if (setenv(name, value, 1) != 0)
        fail(STATUS_USAGE, "out of memory");
}

static struct request parseRequest(int argc, char **argv)
{
    struct request r = {.device = "auto"};
    const struct exercise_entry *all;
    size_t count;

    for (int i = 1; i < argc; i++) {
        const char *value;

        if (strncmp(argv[i], "--", 2) != 0) {
            /* A word after an option that we do not know is that option's value. */
            if (r.passedCount > 0 && strncmp(argv[i - 1], "--", 2) == 0 &&
                strcmp(argv[i - 1], r.passed[r.passedCount - 1]) == 0 &&
                strchr(argv[i - 1], '=') == NULL &&
                !(strncmp(argv[i], "ex", 2) == 0 && isdigit((unsigned char)argv[i][2]))) {
                r.passed[r.passedCount++] = argv[i];
                continue;
            }
            if (r.chosenCount == 64)
                fail(STATUS_USAGE, "too many exercises");
            r.chosen[r.chosenCount++] = exerciseNamed(argv[i]);
        } else if ((value = optionValue("--device", argc, argv, &i)) != NULL) {
            r.device = value;
            if (isdigit((unsigned char)value[0])) /* one of several GPUs: the program's to open */
                r.passed[r.passedCount++] = textOf("--device=%s", value);
        } else if ((value = optionValue("--csv", argc, argv, &i)) != NULL) {
            r.csv = value;
        } else if ((value = optionValue("--emulate", argc, argv, &i)) != NULL) {
            if (value[0] == '\0')
                fail(STATUS_USAGE, "--emulate needs fermi, kepler or hopper");
            environment("CUDA_EMULATED_DEVICE", value);
            r.device = "emulated";
        } else if ((value = optionValue("--devices", argc, argv, &i)) != NULL) {
            environment("CUDA_EMULATED_DEVICES", value);
        } else if (strcmp(argv[i], "--fast") == 0) {
            environment("CUDA_EMULATED_FAST", "1");
        } else if (strcmp(argv[i], "--profile") == 0) {
            environment("CUDA_EMULATED_PROFILE", "1");
        } else if (strcmp(argv[i], "--solution") == 0) {
            r.solution = 1;
        } else if (strcmp(argv[i], "--template") == 0) {
            r.template = 1;
        } else if (strcmp(argv[i], "--quick") == 0) {
            r.quick = 1;
        } else {
            if (r.passedCount > 60)
                fail(STATUS_USAGE, "too many options");
            r.passed[r.passedCount++] = argv[i];
        }
    }
    r.device = deviceToUse(r.device);
    if (r.chosenCount == 0) {
        all = exercises(&count);
        for (size_t i = 0; i < count && i < 64; i++)
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
        fail(STATUS_USAGE, "cannot find %s; ./course reset %s brings it back", path, e->brief);
    if (stat(program, &built) == 0 && template.st_ctime >= built.st_mtime &&
        template.st_mtime <= built.st_mtime && utime(path, NULL) != 0)
        fprintf(stderr, "course: cannot touch %s: %s\n", path, strerror(errno));
    free(program);
    free(path);
}

/* Builds the programs of one kind for all chosen exercises. */
static int buildKind(const struct request *r, const char *kind)
{
    char *targets = textOf("%s", "");
    int status;

    for (size_t i = 0; i < r->chosenCount; i++) {
        char *longer = textOf("%s %s_%s_%s", targets, r->chosen[i]->brief, kind, r->device);

        if (strcmp(kind, "template") == 0)
            noticeTemplate(r, r->chosen[i]);
        free(targets);
        targets = longer;
    }
    status = buildTargets(targets);
    free(targets);
    return status;
}

/* Starts one program of an exercise with the passed options. */
static int start(const struct request *r, const struct exercise_entry *e, const char *kind,
                 const char *csv)
{
    char *program = programPath(r->device, e->brief, kind);
    char *argv[80];
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
    if (status > STATUS_UNFILLED && status != STATUS_SKIPPED) {
        fprintf(stderr, "course: %s ended with exit status %d\n", argv[0], status);
        status = STATUS_USAGE;
    }
    free(program);
    return status;
}

/* Runs the device rows of a program with these options, which blanks separate. */
static int runWith(char *program, const char *options, int quiet)
{
    char *copy = textOf("%s", options);
    char *argv[16] = {program, "--only", "device"};
    int argc = 3, status;

    for (char *word = strtok(copy, " "); word != NULL && argc < 15; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    status = runCommand(argv, quiet);
    free(copy);
    return status;
}

/* After the run that shows the table: the sizes and options in the exercise's checks.txt, one run each,
 * which is shown only if it is not right. Returns the status of the check as a whole. */
static int checkFurther(const struct request *r, const struct exercise_entry *e, const char *kind,
                        int status)
{
    const int onTerminal = isatty(STDERR_FILENO);
    char *path = textOf("%s/%s/checks.txt", sourceFolder(), e->name);
    char *program = programPath(r->device, e->brief, kind);
    char *text = NULL, *right = textOf("%s", ""), *next;

    if (access(path, R_OK) == 0 && (status == STATUS_PASS || status == STATUS_UNFILLED) &&
        r->passedCount == 0 && !r->quick && r->csv == NULL)
        text = readWholeFile(path);
    for (char *line = text; line != NULL && *line != '\0'; line = next) {
        char *longer;
        int got;

        next = line + strcspn(line, "\n");
        if (*next == '\n')
            *next++ = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (onTerminal)
            fprintf(stderr, "  also with: %s\033[K\r", line);
        got = runWith(program, line, 1);
        if (onTerminal)
            fprintf(stderr, "\033[K");
        if (got != STATUS_PASS && got != STATUS_UNFILLED && got != STATUS_SKIPPED) {
            printf("\nBut with %s:\n", line);
            runWith(program, line, 0);
            status = got == STATUS_WRONG ? STATUS_WRONG : STATUS_USAGE;
            break;
        }
        longer = textOf("%s%s%s", right, right[0] != '\0' ? "; " : "", line);
        free(right);
        right = longer;
    }
    if (status == STATUS_PASS && right[0] != '\0')
        printf("PASS also with %s\n", right);
    free(right);
    free(text);
    free(program);
    free(path);
    return status;
}

/* The graver of two exit statuses: wrong, error, unfilled, pass, skipped. What is skipped takes nothing
 * from what passes; only if all is skipped does that become the verdict. */
static int graver(int a, int b)
{
    static const int order[] = {STATUS_WRONG, STATUS_USAGE, STATUS_UNFILLED, STATUS_PASS};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return STATUS_SKIPPED;
}

int commandList(int argc, char **argv)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    (void)argv;
    if (argc > 1)
        fail(STATUS_USAGE, "list takes no arguments");
    for (size_t i = 0; i < count; i++)
        printf("%-26s %s\n", list[i].name, list[i].title);
    return STATUS_PASS;
}

int commandCheck(int argc, char **argv)
{
    struct request r = parseRequest(argc, argv);
    const char *kind = r.solution ? "solution" : "template";
    int status = STATUS_SKIPPED;

    if (buildKind(&r, kind) != 0)
        return STATUS_USAGE;
    for (size_t i = 0; i < r.chosenCount; i++) {
        const int shown = start(&r, r.chosen[i], kind, r.csv);

        status = graver(checkFurther(&r, r.chosen[i], kind, shown), status);
        if (i + 1 < r.chosenCount)
            putchar('\n');
    }
    return status;
}

int commandBench(int argc, char **argv)
{
    struct request r = parseRequest(argc, argv);
    int status = STATUS_SKIPPED;

    if (buildKind(&r, "solution") != 0 || (r.template && buildKind(&r, "template") != 0))
        return STATUS_USAGE;
    for (size_t i = 0; i < r.chosenCount; i++) {
        if (r.template) {
            status = graver(start(&r, r.chosen[i], "template", NULL), status);
            putchar('\n');
        }
        status = graver(start(&r, r.chosen[i], "solution", r.csv), status);
        putchar('\n');
    }
    if (strcmp(r.device, "emulated") == 0)
        printf(
            "The emulated device counts memory accesses; on a machine with a GPU the same command "
            "shows times.\n");
    if (r.csv != NULL && (status == STATUS_PASS || status == STATUS_WRONG) &&
        access(r.csv, F_OK) == 0)
        printf("Results: %s\n", r.csv);
    return status;
}

int commandDiff(int argc, char **argv)
{
    const struct exercise_entry *e = NULL;
    char *left, *right;
    int cpu = 0, status;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--cpu") == 0)
            cpu = 1;
        else if (e == NULL && argv[i][0] != '-')
            e = exerciseNamed(argv[i]);
        else
            fail(STATUS_USAGE, "diff: '%s' is not understood; see ./course diff --help", argv[i]);
    if (e == NULL)
        fail(STATUS_USAGE, "diff needs an exercise, such as ./course diff ex03");
    left = sourcePath(e, "template");
    right = cpu ? textOf("%s/%s/cpu.c", sourceFolder(), e->name) : sourcePath(e, "solution");
    {
        char *arguments[] = {"diff", "-u",  isatty(STDOUT_FILENO) ? "--color=auto" : "-u",
                             left,   right, NULL};

        status = runCommand(arguments, 0);
    }
    free(left);
    free(right);
    return status > 1 ? STATUS_USAGE : STATUS_PASS;
}

int commandDevice(int argc, char **argv)
{
    char *query[] = {"nvidia-smi", "--query-gpu=index,name,compute_cap,memory.total,driver_version",
                     "--format=csv,noheader", NULL};

    (void)argv;
    if (argc > 1)
        fail(STATUS_USAGE, "device takes no arguments");
    if (hasGpu())
        runCommand(query, 0);
    else
        printf("No GPU in this machine.\n");
    printf("./course check and bench use: %s\n", deviceToUse("auto"));
    return STATUS_PASS;
}

int commandTest(int argc, char **argv)
{
    char *command, *folder;
    char *shell[] = {"sh", "-c", NULL, NULL};
    int author = 0, status;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--author") == 0)
            author = 1;
        else
            fail(STATUS_USAGE, "test: '%s' is not understood; see ./course test --help", argv[i]);
    if (buildTargets("all") != 0)
        return STATUS_USAGE;
    folder = quoted(buildFolder());
    command = textOf("cd %s && ctest --output-on-failure -j $(getconf _NPROCESSORS_ONLN) %s",
                     folder, author ? "" : "-LE author");
    shell[2] = command;
    status = runCommand(shell, 0);
    free(command);
    free(folder);
    return status == 0 ? STATUS_PASS : STATUS_WRONG;
}
