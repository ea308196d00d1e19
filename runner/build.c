/* Building targets of the build tree. */
#include "build.h"
#include "files.h"
#include "nvcc.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { LINES_SHOWN = 20, MOST_JOBS = 16 }; /* a login node has many cores, and many users */
enum { OF_BUILD = 8, OF_JOB = 6 };         /* processes */

int buildJobs(void)
{
    const char *level = getenv("CMAKE_BUILD_PARALLEL_LEVEL");
    const int cores = usableCores();

    if (level != NULL && atoi(level) > 0)
        return atoi(level);
    return cores < MOST_JOBS ? cores : MOST_JOBS;
}

int buildJobsAllowed(void)
{
    const int wanted = buildJobs(), allowed = processesAllowed(OF_BUILD + OF_JOB * wanted);

    if (allowed < OF_BUILD + OF_JOB)
        fail(EXIT_ERROR,
             "a build needs %d processes more, and only %d are allowed here (ulimit -u, or the "
             "control group's limit)",
             OF_BUILD + OF_JOB, allowed);
    return (allowed - OF_BUILD) / OF_JOB;
}

int runCmake(char *const argv[], int quiet)
{
    buildJobsAllowed();
    return runCommand(argv, quiet);
}

/* The start of the line that holds p. */
static const char *lineOf(const char *text, const char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

/* The line of the log where the first error begins; the log's start if none is recognised. */
static const char *firstError(const char *text)
{
    static const char *const signs[] = {
        "error:",         "undefined reference",      "multiple definition", "ld: ",
        "CMake Error",    "No rule to make",          "No space ",           "not recognized",
        "cannot find -l", "emulated-cc: cannot write"};
    static const char *const lastResorts[] = {"Error ", "warning"};
    const char *first = NULL, *previous;

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *found = strstr(text, signs[i]);

        if (found != NULL && (first == NULL || found < first))
            first = found;
    }
    for (size_t i = 0; first == NULL && i < sizeof lastResorts / sizeof *lastResorts; i++)
        first = strstr(text, lastResorts[i]);
    if (first == NULL)
        return text;
    first = lineOf(text, first);
    previous = first > text ? lineOf(text, first - 1) : first;
    if (first - previous > 1 && first[-2] == ':' && strstr(previous, "Building") == NULL)
        first = previous; /* "solution.cu: In function 'main':" */
    return first;
}

/* 1 if the line is what make says about itself. */
static int isMakes(const char *line)
{
    return (strncmp(line, "gmake", 5) == 0 || strncmp(line, "make", 4) == 0 || line[0] == '[') &&
           strstr(line, "No rule") == NULL;
}

static char *secondLook; /* targets; NULL: none */

void buildSecondLook(const char *targets)
{
    free(secondLook);
    secondLook = targets != NULL ? textOf("%s", targets) : NULL;
}

/* Builds the targets of the second look. Returns 1 if that has failed, and so has said what is wrong. */
static int isToldBySecondLook(void)
{
    char *targets = secondLook;
    int told;

    secondLook = NULL;
    told = targets != NULL && buildTargets(targets) != 0;
    free(targets);
    return told;
}

/* Prints nvcc's errors in our words. Returns 0 if there are none of its form. */
static int isToldInOurWords(const char *text)
{
    char *told = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&told, &length);
    int errors = 0;

    if (out != NULL) {
        errors = nvccExplain(out, text);
        fclose(out);
    }
    if (errors > 0)
        fputs(told, stderr);
    free(told);
    return errors > 0;
}

/* What to do where the linker finds a name in two files. */
static void explainTwice(const char *text)
{
    static const char sign[] = "multiple definition of ";
    const char *name = strstr(text, sign);
    int length;

    if (name == NULL)
        return;
    name += strlen(sign);
    name += *name == '\'' || *name == '`';
    length = (int)strcspn(name, "'(\n");
    if (length == 4 && strncmp(name, "main", 4) == 0)
        fprintf(stderr, "course: main() is the exercise's, in its main.c: take yours out\n");
    else
        fprintf(stderr, "course: %.*s is the name of something else, too: call yours otherwise\n",
                length, name);
}

void buildErrors(const char *path)
{
    static const char *const damage[] = {"file format not recognized",
                                         "file truncated",
                                         "file too short",
                                         "malformed archive",
                                         "Exec format error",
                                         "No rule to make target",
                                         "CMakeCache.txt",
                                         "could not load cache",
                                         "missing separator",
                                         "ninja: error",
                                         "Not a directory",
                                         "emulated-cc: cannot write",
                                         "opening dependency file"};
    char *text = readFile(path);
    int lines = 0, damaged = access(path, R_OK) != 0;
    const int told = isToldBySecondLook();

    if (told || isToldInOurWords(text)) {
        if (!told)
            fprintf(stderr, "course: the build failed; the whole log is %s\n", path);
        free(text);
        return;
    }
    for (const char *line = firstError(text), *next; *line != '\0' && lines < LINES_SHOWN;
         line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (isMakes(line))
            continue;
        fwrite(line, 1, (size_t)(next - line), stderr);
        lines++;
    }
    explainTwice(text);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++)
        damaged |= strstr(text, damage[i]) != NULL;
    if (!hasSpace(buildFolder()))
        fprintf(
            stderr,
            "course: no space left in %s, or in your quota; COURSE_BUILD names another folder\n",
            buildFolder());
    else if (damaged)
        fprintf(stderr,
                "course: the build folder seems to be damaged; remove it and try again: "
                "rm -r '%s'\n",
                buildFolder());
    else
        fprintf(stderr, "course: the build failed; the whole log is %s\n", path);
    free(text);
}

/* One build at a time in this folder, ./course's own configuring included. Returns what to close. */
static int lockBuild(void)
{
    char *path = textOf("%s/lock", buildFolder());
    const int lock = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        fprintf(stderr, "course: waiting for another build in %s\n", buildFolder());
        while (flock(lock, LOCK_EX) != 0 && errno == EINTR)
            continue;
    }
    free(path);
    return lock; /* a file system without locks: go on without */
}

/* Seconds until a build of several targets says how far it is, and from then on, where that goes into a file. */
static const double quiet = 2.0, talk = 10.0;

/* Starts a command of the shell, whose output goes into the log. */
static void start(struct build *build, const char *command)
{
    char *log;

    *build = (struct build){0};
    build->log = textOf("%s/build.log", buildFolder());
    build->lock = lockBuild();
    log = quoted(build->log);
    build->argv[0] = "sh";
    build->argv[1] = "-c";
    build->argv[2] = textOf("exec >%s 2>&1; %s", log, command);
    build->job.argv = build->argv;
    build->tellAt = clockSeconds() + quiet;
    fcntl(build->lock, F_SETFD, 0); /* make holds it, too, and goes on where we are killed */
    jobStart(&build->job);
    fcntl(build->lock, F_SETFD, FD_CLOEXEC);
    free(log);
}

void buildStart(struct build *build, const char *targets, int keepGoing)
{
    const char *environment = keepGoing ? "env MAKEFLAGS=\"k $MAKEFLAGS\"" : "";
    const char *second = strchr(targets + strspn(targets, " "), ' ');
    char *folder = quoted(buildFolder()), *path = textOf("%s/quick/several.sh", buildFolder());
    char *script = quoted(path), *command;

    if (second != NULL && access(path, R_OK) == 0)
        command = textOf("exec %s sh %s %d %s", environment, script, buildJobsAllowed(), targets);
    else
        command = textOf("exec %s cmake --build %s --parallel %d --target %s", environment, folder,
                         buildJobsAllowed(), targets);
    start(build, command);
    if (second != NULL)
        build->goals = textOf(" %s", targets + strspn(targets, " "));
    free(command);
    free(script);
    free(path);
    free(folder);
}

/* Shows how far the build is: the last "[ NN%]" of its log. */
static void showProgress(const char *path)
{
    char end[4097];
    FILE *log = fopen(path, "r");
    int percent = -1;
    size_t length;

    if (log == NULL)
        return;
    if (fseek(log, -4096, SEEK_END) != 0)
        rewind(log);
    length = fread(end, 1, sizeof end - 1, log);
    end[length] = '\0';
    fclose(log);
    for (const char *p = end; (p = strchr(p, '[')) != NULL; p++)
        sscanf(p, "[ %d%%]", &percent);
    if (percent >= 0)
        fprintf(stderr, "building ... %3d %%\r", percent);
}

/* The same of several targets: how many of them are there. */
static void showGoals(struct build *build)
{
    const int onTerminal = isatty(STDERR_FILENO);
    const double seconds = clockSeconds() - build->job.started;
    char *text = readFileIfThere(build->log), *goals = textOf("%s", build->goals);
    int all = 0, built = 0;

    for (char *goal = strtok(goals, " "); goal != NULL; goal = strtok(NULL, " "), all++) {
        char *line = textOf("Built target %s\n", goal);

        built += text != NULL && strstr(text, line) != NULL;
        free(line);
    }
    if (onTerminal)
        fprintf(stderr, "building ... %d of %d, %.0f s\r", built, all, seconds);
    else if (clockSeconds() > build->tellAt) {
        fprintf(stderr, "course: building ... %d of %d, %.0f s\n", built, all, seconds);
        build->tellAt = clockSeconds() + talk;
    }
    free(goals);
    free(text);
}

/* Frees what the build holds, and lets others build. */
static void release(struct build *build)
{
    free(build->goals);
    if (build->lock >= 0) {
        flock(build->lock, LOCK_UN); /* also where the build has left something that runs on */
        close(build->lock);
    }
    free(build->argv[2]);
    free(build->log);
}

/* Waits for the end, at most for so many seconds, showing how far the build is on a terminal. Returns 1 at the end. */
static int waitFor(struct build *build, double seconds)
{
    struct job *job = &build->job;

    if (job->process != 0 && jobsWait(&job, 1, seconds) < 0) {
        if (build->goals != NULL)
            showGoals(build);
        else if (isatty(STDERR_FILENO))
            showProgress(build->log);
    }
    if (job->process == 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "                               \r");
    return job->process == 0;
}

/* 1 if make has said that it could not make a file whose path holds `part`. */
static int hasFailedAt(const char *log, const char *part)
{
    char *text = readFileIfThere(log), *line = text;
    int failed = 0;

    while (line != NULL && !failed && (line = strstr(line, "*** [")) != NULL) {
        char *end = line + strcspn(line, "\n"), *next = *end != '\0' ? end + 1 : NULL;

        *end = '\0';
        failed = strstr(line, part) != NULL;
        line = next;
    }
    free(text);
    return failed;
}

int buildReaches(struct build *build, const char *sign, const char *part)
{
    while (access(sign, F_OK) != 0) {
        if (waitFor(build, 0.02))
            return build->job.status == 0 || access(sign, F_OK) == 0;
        if (hasFailedAt(build->log, part))
            return 0;
    }
    return 1;
}

int buildIsDone(struct build *build)
{
    struct job *job = &build->job;

    if (job->process != 0)
        jobsWait(&job, 1, 0.0);
    return job->process == 0 && job->status == 0;
}

static double latest; /* buildUntil() */

void buildUntil(double until)
{
    latest = until;
}

/* Waits for the end of the build and, if that is wanted, prints why it failed. */
static int end(struct build *build, int print)
{
    char *log;
    int late = 0;

    while (!late && !waitFor(build, 0.2))
        late = latest > 0.0 && clockSeconds() > latest;
    if (late)
        jobEnd(&build->job);
    log = textOf("%s", build->log);
    release(build); /* the second look is a build, too */
    if (late)
        fprintf(stderr, "course: the time is up before the programs are built\n");
    else if (print && build->job.status != 0)
        buildErrors(log);
    free(log);
    return build->job.status == 0 ? 0 : EXIT_ERROR;
}

int buildEnd(struct build *build)
{
    return end(build, 0);
}

int buildFinish(struct build *build)
{
    return end(build, 1);
}

void buildStop(struct build *build)
{
    if (build->job.process != 0)
        jobEnd(&build->job);
    release(build);
}

int buildTargets(const char *targets)
{
    struct build build;

    buildStart(&build, targets, 0);
    return buildFinish(&build);
}

void buildStartQuickly(struct build *build, const char *first, const char *sign, const char *second)
{
    char *script = quoted(first), *made = quoted(sign), *other = quoted(second);
    char *command = textOf("sh %s & { sh %s && : >%s; }; first=$?; wait $! && exit $first", other,
                           script, made);

    start(build, command);
    free(command);
    free(other);
    free(made);
    free(script);
}

int buildQuickly(const char *script)
{
    struct build build;
    char *path = quoted(script), *command = textOf("exec sh %s", path), *log;
    int code = 0;

    start(&build, command);
    while (!waitFor(&build, 0.2))
        continue;
    if (build.job.status != 0)
        code = hasFailedAt(build.log, ".o]") ? EXIT_ERROR : EXIT_UNFILLED;
    log = textOf("%s", build.log);
    release(&build);
    if (code == EXIT_ERROR)
        buildErrors(log);
    free(log);
    free(command);
    free(path);
    return code;
}

int buildShared(const char *targets)
{
    return isInstalled() ? 0 : buildTargets(targets);
}
