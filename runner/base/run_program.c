/* The verdict of an exercise's program, and whether it can be believed. */
#include "run_program.h"
#include "files.h"
#include "text.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double usualPatience = 30.0; /* s without a new row of the table */
/* s: the emulated device names the line before it is ended */
static const double emulatedAhead = 5.0;

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

double secondsIn(const char *name, const char *value)
{
    char *end;
    const double seconds = strtod(value, &end);

    if (end == value || *end != '\0' || !(seconds >= 1.0 && seconds <= 1e6))
        fail(EXIT_USAGE, "%s%s: expected seconds, 1 or more", name, value);
    return seconds;
}

void runOption(struct run *run, const char *option, const char *value)
{
    runWord(run, option);
    runWord(run, value);
}

void runWords(struct run *run, const char *words)
{
    char *rest = formatString("%s", words), *word;

    while ((word = strsep(&rest, " \t")) != NULL)
        if (word[0] != '\0')
            runWord(run, word);
}

/* The patience that the run's settings or the environment ask for; 0 if they do not. */
static double patienceAsked(const struct run *run)
{
    static const char name[] = "COURSE_PATIENCE=";
    const char *value = getenv("COURSE_PATIENCE");

    for (char *const *s = run->job.settings; value == NULL && s != NULL && *s != NULL; s++)
        if (startsWith(*s, name))
            value = *s + strlen(name);
    if (value == NULL || value[0] == '\0')
        return 0.0;
    return secondsIn(name, value);
}

/* Sets it for the emulated device, unless the user has. */
static void tellSeconds(const char *name, double value, int *isOurs)
{
    *isOurs |= getenv(name) == NULL;
    if (*isOurs)
        setVariable(name, formatString("%.1f", value));
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
    return formatString("%s%ld-%s", verdictsOfHost(), (long)getpid(), name);
}

/* Removes the files of runners that were killed. */
static void sweepVerdicts(void)
{
    const char *start = verdictsOfHost();
    const glob_t found = matching(formatString("%s*", start));

    for (size_t i = 0; i < found.gl_pathc; i++) {
        const long process = strtol(found.gl_pathv[i] + strlen(start), NULL, 10);

        if (process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH)
            remove(found.gl_pathv[i]);
    }
}

void runStart(struct run *run)
{
    static int number;
    const double asked = patienceAsked(run);

    if (number == 0)
        sweepVerdicts();
    if (run->job.patience == 0.0)
        run->job.patience = asked > 0.0 ? asked : usualPatience;
    tellEmulated(run->job.patience);
    if (strstr(run->words[0], "/emulated/") != NULL)
        run->job.patience += run->job.patience < emulatedAhead ? run->job.patience : emulatedAhead;
    run->file = runnersFile(formatString("%d", number++));
    run->rowsFile = formatString("%s.rows", run->file);
    if (remove(run->file) != 0 && errno != ENOENT)
        fail(EXIT_ERROR, "cannot remove %s: %s", run->file, strerror(errno));
    remove(run->rowsFile);
    run->failed = "";
    runOption(run, "--verdict", run->file);
    run->words[run->wordCount] = NULL;
    run->job.argv = run->words;
    run->job.lifeSign = run->rowsFile;
    run->job.leaves = run->file;
    jobStart(&run->job);
}

/* The value of "name=" in the text of a verdict, up to the line's end; "" if there is none. */
static const char *valueOf(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *line = text; *line != '\0'; line = nextLine(line))
        if (startsWith(line, name) && line[length] == '=')
            return formatString("%.*s", (int)strcspn(line, "\n") - (int)length - 1,
                                line + length + 1);
    return "";
}

/* The exit code of a verdict's word; -1 if it is none. */
static int codeOf(const char *word)
{
    static const int codes[] = {EXIT_PASS, EXIT_WRONG, EXIT_UNFILLED, EXIT_SKIPPED};

    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (isSame(word, verdictWord(codes[i])))
            return codes[i];
    return -1;
}

/* Reads the file that the program wrote; returns the exit code in it, -1 if there is none. */
static int readVerdict(struct run *run)
{
    const char *text = readFileIfThere(run->file), *todos;
    char *next;

    if (text == NULL || !startsWith(text, "course-verdict 1\n"))
        return -1;
    run->finished = endsWith(text, "\nend\n");
    run->rows = atoi(valueOf(text, "rows"));
    run->wrong = atoi(valueOf(text, "wrong"));
    run->failed = valueOf(text, "failed");
    todos = valueOf(text, "todos");
    for (long todo; run->todoCount < TODOS; todos = next) {
        todo = strtol(todos, &next, 10);
        if (next == todos)
            break;
        run->todos[run->todoCount++] = (int)todo;
    }
    return codeOf(valueOf(text, "verdict"));
}

/* The program's note after its last row. */
struct seen {
    int rows, wrong;
    const char *failed; /* the first row that was wrong, or in which the program has ended */
};

static struct seen rowsSeen(const struct run *run)
{
    const char *text = readFileIfThere(run->rowsFile);

    if (text == NULL)
        text = "";
    return (struct seen){atoi(valueOf(text, "rows")), atoi(valueOf(text, "wrong")),
                         valueOf(text, "failed")};
}

/* Judges a program that did not reach its own verdict. */
static void judgeUnfinished(struct run *run)
{
    const struct seen seen = rowsSeen(run);
    const int status = run->job.status;

    run->wrong = seen.wrong;
    run->failed = seen.failed;
    run->code = run->wrong > 0 || status == EXIT_WRONG ? EXIT_WRONG
                : status == EXIT_SKIPPED               ? EXIT_SKIPPED
                                                       : EXIT_ERROR;
    if (run->job.signal != 0)
        run->why = formatString("was ended by signal %d (%s)", run->job.signal,
                                strsignal(run->job.signal));
    else if (status == EXIT_PASS || status == EXIT_UNFILLED)
        run->why = formatString("ended before its verdict, with exit status %d: something in it "
                                "calls exit() or the like",
                                status);
    else if (status != EXIT_WRONG && status != EXIT_ERROR && status != EXIT_SKIPPED)
        run->why = formatString("ended with exit status %d, before its verdict", status);
}

/* Judges a program that has reached its verdict. The verdict must agree with the rows that were
 * noted one by one, for any code in the program can write a verdict. */
static void judgeFinished(struct run *run, int said)
{
    const struct seen seen = rowsSeen(run);

    run->code = said;
    if (said == EXIT_PASS && run->rows <= 0) {
        run->code = EXIT_ERROR;
        run->why = formatString("has judged nothing");
    } else if (said != EXIT_WRONG && (seen.wrong > 0 || seen.rows != run->rows)) {
        run->code = seen.wrong > 0 ? EXIT_WRONG : EXIT_ERROR;
        run->why = formatString("says %s of %d rows, where %d were seen and %d of them wrong: its "
                                "verdict does not count",
                                verdictWord(said), run->rows, seen.rows, seen.wrong);
    }
}

void runJudge(struct run *run)
{
    const int said = readVerdict(run);

    if (run->job.outOfTime) {
        run->code = EXIT_WRONG;
        run->why = formatString("WRONG: still running after %.0f s, and ended: an endless loop, "
                                "a deadlock, or too much work (--patience N waits longer)",
                                run->job.seconds);
    } else if (run->job.tooMuch) {
        run->code = EXIT_WRONG;
        run->why = formatString("WRONG: it printed without end, and was ended");
    } else if (!run->finished || said < 0) {
        judgeUnfinished(run);
    } else if (run->job.status != said) {
        run->code = run->wrong > 0 ? EXIT_WRONG : EXIT_ERROR;
        if (run->job.signal != 0)
            run->why = formatString("was ended by signal %d (%s) after its verdict, %s",
                                    run->job.signal, strsignal(run->job.signal), verdictWord(said));
        else
            run->why =
                formatString("ended with exit status %d after its verdict, %s: neither counts",
                             run->job.status, verdictWord(said));
    } else {
        judgeFinished(run, said);
    }
    removeFiles(run->file);
}

int runFinish(struct run *run)
{
    jobGo(&run->job);
    jobFinish(&run->job);
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
    if (run->why == NULL)
        return;
    fflush(stdout);
    if (run->job.outOfTime || run->job.tooMuch)
        printf("%s\n", run->why);
    else
        fprintf(stderr, "course: %s %s\n", strrchr(run->words[0], '/') + 1, run->why);
}
