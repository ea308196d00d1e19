/* The verdict of an exercise's program, and whether it can be believed. */
#include "run_program.h"
#include "files.h"
#include "text.h"
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double usualPatience = 30.0; /* s without a new row of the table */
/* s: the emulated device names the line before it is ended */
static const double emulatedAhead = 5.0;

const char *verdictWord(int code)
{
    switch (code) {
    case EXIT_PASS: return "PASS";
    case EXIT_WRONG: return "WRONG";
    case EXIT_UNFILLED: return "NOT IMPLEMENTED";
    case EXIT_SKIPPED: return "SKIPPED";
    default: return "error";
    }
}

int worseVerdict(int a, int b)
{
    static const int order[] = {EXIT_WRONG, EXIT_ERROR, EXIT_UNFILLED, EXIT_PASS};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return EXIT_SKIPPED;
}

void runWord(struct run *run, const char *word)
{
    if (run->wordCount + 3 > (int)(sizeof run->words / sizeof *run->words))
        fail(EXIT_USAGE, "too many options");
    run->words[run->wordCount++] = (char *)word;
}

/* The patience that the run's settings or the environment ask for; 0 if they do not. */
static double patienceAsked(const struct run *run)
{
    static const char name[] = "COURSE_PATIENCE=";
    const char *value = getenv("COURSE_PATIENCE");
    double seconds;
    char *end;

    for (char *const *s = run->job.settings; value == NULL && s != NULL && *s != NULL; s++)
        if (strncmp(*s, name, strlen(name)) == 0)
            value = *s + strlen(name);
    if (value == NULL || value[0] == '\0')
        return 0.0;
    seconds = strtod(value, &end);
    if (end == value || *end != '\0' || !(seconds >= 1.0 && seconds <= 1e6))
        fail(EXIT_USAGE, "COURSE_PATIENCE=%s: expected seconds, 1 or more", value);
    return seconds;
}

/* Sets it for the emulated device, unless the user has. */
static void tellSeconds(const char *name, double value, int *isOurs)
{
    char seconds[32];

    *isOurs |= getenv(name) == NULL;
    snprintf(seconds, sizeof seconds, "%.1f", value);
    if (*isOurs && setenv(name, seconds, 1) != 0)
        fail(EXIT_ERROR, "out of memory");
}

/* Lets the emulated device end an endless kernel, and name its line, long before the program is
 * ended: after N seconds of processor time if the kernel changes nothing, otherwise after 3 N. A
 * kernel with too many blocks for the program's time is not endless: the device says how long it
 * would take. */
static void tellEmulated(double patience)
{
    static int isOurPatience, isOurLimit;

    tellSeconds("CUDA_EMULATED_PATIENCE", patience > 10.0 ? patience / 20.0 : 0.5, &isOurPatience);
    tellSeconds("CUDA_EMULATED_LIMIT", patience, &isOurLimit);
}

/* The beginning of the names of this host's verdicts: several hosts may share a build folder. */
static char *verdictsOfHost(void)
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    return formatString("%s/verdict-%s-", buildFolder(), host);
}

char *runnersFile(const char *name)
{
    char *start = verdictsOfHost(), *path = formatString("%s%ld-%s", start, (long)getpid(), name);

    free(start);
    return path;
}

/* Removes the files of runners that were killed. */
static void sweepVerdicts(void)
{
    char *start = verdictsOfHost(), *pattern = formatString("%s*", start);
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const long process = strtol(found.gl_pathv[i] + strlen(start), NULL, 10);

            if (process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH)
                remove(found.gl_pathv[i]);
        }
        globfree(&found);
    }
    free(pattern);
    free(start);
}

void runStart(struct run *run)
{
    static int number;
    const double asked = patienceAsked(run);
    char *start = verdictsOfHost();

    if (number == 0)
        sweepVerdicts();
    if (run->job.patience == 0.0)
        run->job.patience = asked > 0.0 ? asked : usualPatience;
    tellEmulated(run->job.patience);
    if (strstr(run->words[0], "/emulated/") != NULL)
        run->job.patience += run->job.patience < emulatedAhead ? run->job.patience : emulatedAhead;
    run->file = formatString("%s%ld-%d", start, (long)getpid(), number++);
    free(start);
    run->rowsFile = formatString("%s.rows", run->file);
    if (remove(run->file) != 0 && errno != ENOENT)
        fail(EXIT_ERROR, "cannot remove %s: %s", run->file, strerror(errno));
    remove(run->rowsFile);
    runWord(run, "--verdict");
    runWord(run, run->file);
    run->words[run->wordCount] = NULL;
    run->job.argv = run->words;
    run->job.lifeSign = run->rowsFile;
    run->job.leaves = run->file;
    jobStart(&run->job);
}

/* The value of "name=" in the text of a verdict, up to the line's end, into `value`; "" if there is
 * none. */
static void valueOf(const char *text, const char *name, char *value, size_t size)
{
    const size_t length = strlen(name);

    value[0] = '\0';
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == '=') {
            snprintf(value, size, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
            return;
        }
    }
}

/* The exit code of a verdict's word; -1 if it is none. */
static int codeOf(const char *word)
{
    static const int codes[] = {EXIT_PASS, EXIT_WRONG, EXIT_UNFILLED, EXIT_SKIPPED};

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(word, verdictWord(codes[i])) == 0)
            return codes[i];
    return -1;
}

/* Reads the file that the program wrote; returns the exit code in it, -1 if there is none. */
static int readVerdict(struct run *run)
{
    static const char first[] = "course-verdict 1\n", last[] = "\nend\n";
    char *text = readFileIfThere(run->file), value[512], *next;
    size_t length = text != NULL ? strlen(text) : 0;
    int code = -1;

    if (text != NULL && strncmp(text, first, strlen(first)) == 0) {
        run->finished = length > strlen(last) && strcmp(text + length - strlen(last), last) == 0;
        valueOf(text, "rows", value, sizeof value);
        run->rows = atoi(value);
        valueOf(text, "wrong", value, sizeof value);
        run->wrong = atoi(value);
        valueOf(text, "todos", value, sizeof value);
        for (char *t = value; run->todoCount < TODOS; t = next) {
            const long todo = strtol(t, &next, 10);

            if (next == t)
                break;
            run->todos[run->todoCount++] = (int)todo;
        }
        valueOf(text, "place", run->place, sizeof run->place);
        valueOf(text, "failed", run->failed, sizeof run->failed);
        valueOf(text, "verdict", value, sizeof value);
        code = codeOf(value);
    }
    free(text);
    return code;
}

/* The program's note after its last row. */
struct seen {
    int rows, wrong;
    char failed[128]; /* the first row that was wrong, or in which the program has ended */
};

static struct seen rowsSeen(const struct run *run)
{
    struct seen seen = {0};
    char *text = readFileIfThere(run->rowsFile), value[32];

    if (text != NULL) {
        valueOf(text, "rows", value, sizeof value);
        seen.rows = atoi(value);
        valueOf(text, "wrong", value, sizeof value);
        seen.wrong = atoi(value);
        valueOf(text, "failed", seen.failed, sizeof seen.failed);
    }
    free(text);
    return seen;
}

/* Judges a program that did not reach its own verdict. */
static void judgeUnfinished(struct run *run)
{
    const struct seen seen = rowsSeen(run);
    const int status = run->job.status;

    run->wrong = seen.wrong;
    snprintf(run->failed, sizeof run->failed, "%s", seen.failed);
    run->code = run->wrong > 0 || status == EXIT_WRONG ? EXIT_WRONG
                : status == EXIT_SKIPPED               ? EXIT_SKIPPED
                                                       : EXIT_ERROR;
    if (run->job.signal != 0)
        snprintf(run->why, sizeof run->why, "was ended by signal %d (%s)", run->job.signal,
                 strsignal(run->job.signal));
    else if (status == EXIT_PASS || status == EXIT_UNFILLED)
        snprintf(run->why, sizeof run->why,
                 "ended before its verdict, with exit status %d: something in it calls exit() or "
                 "the like",
                 status);
    else if (status != EXIT_WRONG && status != EXIT_ERROR && status != EXIT_SKIPPED)
        snprintf(run->why, sizeof run->why, "ended with exit status %d, before its verdict",
                 status);
}

/* Judges a program that has reached its verdict. The verdict must agree with the rows that were
 * noted one by one, for any code in the program can write a verdict. */
static void judgeFinished(struct run *run, int said)
{
    const struct seen seen = rowsSeen(run);

    run->code = said;
    if (said == EXIT_PASS && run->rows <= 0) {
        run->code = EXIT_ERROR;
        snprintf(run->why, sizeof run->why, "has judged nothing");
    } else if (said != EXIT_WRONG && (seen.wrong > 0 || seen.rows != run->rows)) {
        run->code = seen.wrong > 0 ? EXIT_WRONG : EXIT_ERROR;
        snprintf(run->why, sizeof run->why,
                 "says %s of %d rows, where %d were seen and %d of them wrong: its verdict does "
                 "not count",
                 verdictWord(said), run->rows, seen.rows, seen.wrong);
    }
}

void runJudge(struct run *run)
{
    const int said = readVerdict(run);

    if (run->job.outOfTime) {
        run->code = EXIT_WRONG;
        snprintf(run->why, sizeof run->why,
                 "WRONG: still running after %.0f s, and ended: an endless loop, or a deadlock? "
                 "(--patience N waits longer)",
                 run->job.seconds);
    } else if (run->job.tooMuch) {
        run->code = EXIT_WRONG;
        snprintf(run->why, sizeof run->why,
                 "WRONG: it printed without end, and was ended: a loop that never ends?");
    } else if (!run->finished || said < 0) {
        judgeUnfinished(run);
    } else if (run->job.status != said) {
        run->code = run->wrong > 0 ? EXIT_WRONG : EXIT_ERROR;
        if (run->job.signal != 0)
            snprintf(run->why, sizeof run->why, "was ended by signal %d (%s) after its verdict, %s",
                     run->job.signal, strsignal(run->job.signal), verdictWord(said));
        else
            snprintf(run->why, sizeof run->why,
                     "ended with exit status %d after its verdict, %s: neither counts",
                     run->job.status, verdictWord(said));
    } else {
        judgeFinished(run, said);
    }
    removeFiles(run->file);
}

int runFinish(struct run *run)
{
    struct job *job = &run->job;

    jobGo(job);
    while (jobsWait(&job, 1, 1.0) < 0)
        continue;
    runJudge(run);
    return run->code;
}

void runStop(struct run *run)
{
    if (run->job.process != 0)
        jobEnd(&run->job);
    runJudge(run); /* which removes its files */
}

int runWhole(struct run *run)
{
    runStart(run);
    return runFinish(run);
}

void runExplain(const struct run *run)
{
    const char *slash = strrchr(run->words[0], '/');

    if (run->why[0] == '\0')
        return;
    fflush(stdout);
    if (run->job.outOfTime || run->job.tooMuch)
        printf("%s\n", run->why);
    else
        fprintf(stderr, "course: %s %s\n", slash != NULL ? slash + 1 : run->words[0], run->why);
}

void runFree(struct run *run)
{
    free(run->file);
    free(run->rowsFile);
    free(run->job.output);
    free(run->words[0]);
    run->file = run->rowsFile = run->job.output = run->words[0] = NULL;
}
