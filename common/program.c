/* The main.c of an exercise whose template is a whole program, or several that the first word on
 * the command line chooses from. The linker gives its main() the name __real_main (--wrap=main).
 * Here each runs in a process of its own, and what it prints is compared with what it should print;
 * then once more for each thing that can go wrong, which it must notice. */
#define _GNU_SOURCE /* memmem() */
#include "counters.h"
#include "csv.h"
#include "device.h"
#include "fail.h"
#include "measure.h"
#include "options.h"
#include "start_gate.h"
#include "table.h"
#include "verdict.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char courseTemplate[] __attribute__((weak)); /* its file, if it is a template */
int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

static const char child[] = "--program"; /* the word that asks for the program itself */
/* What begins the output of each of several programs: "$ ./a.out 3" that of TODO 3's. */
static const char prompt[] = "$ ./a.out ";
enum { MOST = 1 << 16 }; /* bytes that it may print */

/* A program: how it is started, and what it should print. */
struct program {
    char *self;
    const char *word; /* NULL: there is only this one */
    const char *expected;
};

/* Trouble: a variable of the environment that makes something go wrong. The program must then end
 * with another status than 0. On the emulated device it may also print the right output, since
 * another kind of memory or another grid avoids the trouble. */
static const struct trouble {
    const char *setting, *value, *what;
    int isForEmulated;
} troubles[] = {
    {"CUDA_VISIBLE_DEVICES", "", "there is no GPU", 0},
    {"CUDA_EMULATED_MEMORY", "1", "cudaMalloc() fails", 1},
    {"CUDA_EMULATED_MAX_GRID", "1", "the launch fails", 1},
};

/* The program itself. */
static int runProgram(int argc, char **argv)
{
    struct device_counters counted;
    int status;

    argv[1] = argv[0];
    status = __real_main(argc - 1, argv + 1);
    deviceCountersGet(&counted);
#ifdef COURSE_EMULATED
    if (status == 0 && counted.launches == 0.0 && getenv("CUDA_EMULATED_MAX_GRID") == NULL) {
        fprintf(stderr, "no kernel ran\n");
        return EXIT_WRONG;
    }
#endif
    return status;
}

/* Brings this process into trouble. Nobody will read its messages and counters. Returns 0 if that
 * fails. */
static int enter(const struct trouble *trouble)
{
    static const char *const files[] = {"CUDA_EMULATED_PROFILE", "CUDA_EMULATED_COUNTERS",
                                        "CUDA_EMULATED_TRACE", "CUDA_EMULATED_FINDINGS"};
    const int nowhere = open("/dev/null", O_WRONLY);

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unsetenv(files[i]);
    return nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0 &&
           setenv(trouble->setting, trouble->value, 1) == 0 &&
           setenv("CUDA_EMULATED_FINDINGS_FATAL", "0", 1) == 0;
}

/* In the new process: becomes the program. */
static void __attribute__((noreturn))
become(const struct program *p, const struct trouble *trouble, int out)
{
    char *words[] = {p->self, (char *)child, (char *)p->word, NULL};

    if (dup2(out, STDOUT_FILENO) < 0 || (trouble != NULL && !enter(trouble)))
        _exit(EXIT_ERROR);
    execvp(p->self, words);
    _exit(EXIT_ERROR);
}

/* Reads what comes through the pipe into text[MOST + 1], and ends the process if it is too much. */
static void readAll(int in, char *text, pid_t process)
{
    size_t length = 0;
    ssize_t got;

    while ((got = read(in, text + length, MOST - length)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0 && (length += (size_t)got) == MOST)
            kill(process, SIGKILL);
    text[length] = '\0';
}

/* Runs the program in trouble, or in none. Returns its status as waitpid() has it, and what it
 * prints in text[MOST + 1]. */
static int outcomeOf(const struct program *p, const struct trouble *trouble, char *text)
{
    int ends[2], status;
    pid_t process;

    fflush(stdout);
    if (pipe(ends) != 0 || (process = fork()) < 0)
        courseFail(EXIT_ERROR, "cannot start the program: %s", strerror(errno));
    if (process == 0) {
        close(ends[0]);
        become(p, trouble, ends[1]);
    }
    close(ends[1]);
    readAll(ends[0], text, process);
    close(ends[0]);
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            courseFail(EXIT_ERROR, "cannot wait for the program: %s", strerror(errno));
    return status;
}

/* Makes the row WRONG unless this is the expected text. */
static void compare(const char *text, const char *expected)
{
    for (int line = 1; *text != '\0' || *expected != '\0'; line++) {
        const int length = (int)strcspn(text, "\n"), wanted = (int)strcspn(expected, "\n");

        if (*text == '\0')
            rowIsWrong("the output ends before line %d: '%.*s'", line, wanted, expected);
        else if (*expected == '\0')
            rowIsWrong("the output goes on with line %d: '%.*s'", line, length, text);
        else if (length != wanted || strncmp(text, expected, (size_t)length) != 0)
            rowIsWrong("line %d is '%.*s', and should be '%.*s'", line, length, text, wanted,
                       expected);
        if (rowVerdict() != EXIT_PASS)
            return;
        text += length + (text[length] == '\n');
        expected += wanted + (expected[wanted] == '\n');
    }
}

static void judgeStatus(int status, size_t length)
{
    if (length == MOST)
        rowIsWrong("it prints without end");
    else if (WIFSIGNALED(status))
        rowIsWrong("it is ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        rowIsWrong("it ends with exit status %d (messages, if any, are above its output)",
                   WEXITSTATUS(status));
}

/* Judges the program: as it is, and then in troubles. */
static void judge(const struct program *p)
{
    static char text[MOST + 1];
    int status = outcomeOf(p, NULL, text);

    fputs(text, stdout);
    judgeStatus(status, strlen(text));
    compare(text, p->expected);
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++) {
        const struct trouble *t = &troubles[i];

        if (rowVerdict() != EXIT_PASS || t->isForEmulated != theDevice()->emulated)
            continue;
        status = outcomeOf(p, t, text);
        if (status == 0 && !(t->isForEmulated && strcmp(text, p->expected) == 0))
            rowIsWrong("where %s it ends with exit status 0: look at the error of every call, "
                       "after the launch at cudaGetLastError(), and after an error end the "
                       "program: exit(1)",
                       t->what);
    }
}

/* The text of a file, in a string that stays. */
static char *textOf(const char *name)
{
    char *text = mustAllocate(MOST + 1, name);
    FILE *file = fopen(name, "r");

    if (file == NULL)
        courseFail(EXIT_ERROR, "cannot read %s: %s", name, strerror(errno));
    text[fread(text, 1, MOST, file)] = '\0';
    if (ferror(file))
        courseFail(EXIT_ERROR, "cannot read %s", name);
    fclose(file);
    return text;
}

/* The first TODO of the source, or if `only` is not 0 that one, in whose region nothing stands but
 * blanks and comment lines, or something that says UNFILLED; 0 if there is none. Then the line
 * where it begins. */
static int firstUnfilled(const char *text, int only, int *line)
{
    int open = 0, isBlank = 1, isMarked = 0;

    for (int number = 1; *text != '\0'; number++) {
        const char *code = text + strspn(text, " \t\r"), *end = text + strcspn(text, "\n");
        int todo = 0, begins = 0, ends = 0;

        if (strncmp(code, "// TODO", 7) == 0) { /* sscanf() looks for the end of the text */
            sscanf(code, "// TODO %d begin%n", &todo, &begins);
            sscanf(code, "// TODO %d end%n", &todo, &ends);
        }
        if (ends > 0 && todo == open && (isBlank || isMarked) && (only == 0 || only == todo))
            return open;
        if (begins > 0) {
            open = todo;
            *line = number;
            isBlank = 1;
            isMarked = 0;
        }
        isBlank &= *code == '\n' || strncmp(code, "//", 2) == 0;
        isMarked |= memmem(text, (size_t)(end - text), "UNFILLED", 8) != NULL;
        text = end + (*end == '\n');
    }
    return 0;
}

/* Opens the device, as the program will. */
static void openDevice(void)
{
    char why[MESSAGE];
    const enum device_state state = deviceOpen(settings->ordinal, why, sizeof why);

    if (state != DEVICE_OPEN)
        courseFail(state == DEVICE_MISSING ? EXIT_SKIPPED : EXIT_ERROR, "%s%s",
                   state == DEVICE_MISSING ? "SKIPPED: " : "", why);
}

/* Judges a program in a row of its own, with a line that says how. */
static void judgeInRow(const struct program *p)
{
    const int number = p->word != NULL ? atoi(p->word) : 0;
    char name[NAME] = "program";
    const struct row *row;
    int todo = 0, line;

    if (p->word != NULL)
        snprintf(name, sizeof name, "program %s", p->word);
    rowOpen(name, ON_DEVICE, 0);
    if (courseTemplate != NULL)
        todo = firstUnfilled(textOf(courseTemplate), number, &line);
    if (todo != 0)
        rowIsUnfilled(todo, courseTemplate, line);
    else
        judge(p);
    row = rowClose();
    if (p->word != NULL)
        printf("%s: ", name);
    printf("%s%s%s: %s\n", verdictColour(row->verdict), verdictWord(row->verdict),
           colour("\033[0m"),
           row->verdict == EXIT_PASS ? "it prints what it should, and notices when a call fails"
                                     : row->message);
    if (settings->verdict != NULL)
        verdictSoFar(settings->verdict, NULL);
}

/* Judges all programs, whose outputs stand here, each behind its prompt. */
static void judgeAll(char *self, char *text)
{
    struct program p = {self, NULL, text};
    char *next = strncmp(text, prompt, strlen(prompt)) == 0 ? text : NULL;

    if (next == NULL)
        judgeInRow(&p);
    while (next != NULL) {
        p.word = text = next + strlen(prompt);
        text += strcspn(text, "\n");
        if (*text != '\0')
            *text++ = '\0';
        p.expected = text;
        next = strstr(text, prompt);
        if (next != NULL)
            *next = '\0';
        judgeInRow(&p);
    }
}

/* Writes the files that harnessFinish() would write, and ends this process. The emulated device's
 * report is left to the programs. */
static void __attribute__((noreturn)) finish(void)
{
    const enum exit_code verdict = verdictOfRows();
    const struct tally t = rowTally();
    size_t count;
    const struct row *rows = rowAll(&count);

    if (count > 1)
        printf("%zu of %zu programs pass\n", t.judged - t.wrong - t.unfilled, count);
    if (settings->csv != NULL)
        csvWrite(settings->csv, COURSE_EXERCISE, rows, count);
    if (fflush(stdout) != 0 || ferror(stdout))
        courseFail(EXIT_ERROR, "cannot write the results to standard output");
    if (settings->verdict != NULL)
        verdictWrite(settings->verdict, settings->program, verdict);
    _exit((int)verdict);
}

int __wrap_main(int argc, char **argv)
{
    static const struct exercise exercise = {.name = COURSE_EXERCISE,
                                             .title = COURSE_TITLE,
                                             .unit = "programs",
                                             .minSize = 1,
                                             .maxSize = 1};

    if (argc > 1 && strcmp(argv[1], child) == 0)
        return runProgram(argc, argv);
    optionsRead(&exercise, argc, argv);
    if (settings->list) {
        printf("device  program\n");
        return EXIT_PASS;
    }
    openDevice();
    gateAwait();
    if (settings->csv != NULL)
        csvOpen(settings->csv);
    printf("%s%s%s: %s\nDevice: %s\n", colour("\033[1m"), exercise.name, colour("\033[0m"),
           exercise.title, theDevice()->name);
    judgeAll(argv[0], textOf(COURSE_EXPECTED));
    finish();
}
