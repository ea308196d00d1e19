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

int buildJobs(void)
{
    const char *level = getenv("CMAKE_BUILD_PARALLEL_LEVEL");
    const int cores = usableCores();

    if (level != NULL && atoi(level) > 0)
        return atoi(level);
    return cores < MOST_JOBS ? cores : MOST_JOBS;
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
    const char *first = NULL, *previous;

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *found = strstr(text, signs[i]);

        if (found != NULL && (first == NULL || found < first))
            first = found;
    }
    if (first == NULL)
        first = strstr(text, "Error ");
    if (first == NULL)
        first = strstr(text, "warning");
    if (first == NULL)
        return text;
    first = lineOf(text, first);
    previous = first > text ? lineOf(text, first - 1) : first;
    if (first - previous > 1 && first[-2] == ':' && strstr(previous, "Building") == NULL)
        first = previous; /* "solution.cu: In function 'main':" */
    return first;
}

/* 1 if the line is what make or Ninja says about itself. */
static int isOfTool(const char *line)
{
    static const char *const starts[] = {"gmake", "make", "[", "FAILED: ", "ninja: build stopped",
                                         NULL};

    return startsWithOne(line, starts) && strstr(line, "No rule") == NULL;
}

/* The advice if the linker finds a name in two files. */
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
    if (length == 4 && startsWith(name, "main"))
        fprintf(stderr, "course: the exercise has a main() in its main.c: remove yours\n");
    else
        fprintf(stderr, "course: there is another %.*s: give yours another name\n", length, name);
}

void buildErrors(const char *path, const char *explainBy)
{
    static const char *const damage[] = {"file format not recognized",
                                         "file truncated",
                                         "file too short",
                                         "malformed archive",
                                         "Exec format error",
                                         "No rule to make target",
                                         "CMakeCache.txt",
                                         "could not load cache",
                                         "could not find CMAKE_GENERATOR",
                                         "missing separator",
                                         "ninja: error",
                                         "Not a directory",
                                         "emulated-cc: cannot write",
                                         "opening dependency file",
                                         NULL};
    const char *text = readFile(path), *told = nvccExplain(text);
    int lines = 0;

    if (explainBy != NULL && buildTargets(explainBy) != 0)
        return;
    if (told != NULL) {
        fprintf(stderr, "%scourse: the build failed; the whole log is %s\n", told, path);
        return;
    }
    for (const char *line = firstError(text); *line != '\0' && lines < LINES_SHOWN;
         line = nextLine(line))
        if (!isOfTool(line)) {
            fwrite(line, 1, (size_t)(nextLine(line) - line), stderr);
            lines++;
        }
    explainTwice(text);
    if (!hasSpace(buildFolder()))
        fprintf(
            stderr,
            "course: no space left in %s, or in your quota; COURSE_BUILD names another folder\n",
            buildFolder());
    else if (containsOne(text, damage))
        fprintf(stderr,
                "course: the build folder seems to be damaged; remove it and try again: "
                "rm -r '%s'\n",
                buildFolder());
    else
        fprintf(stderr, "course: the build failed; the whole log is %s\n", path);
}

/* Seconds until a build first reports its progress, if that goes into a file, and between further
 * reports. */
static const double talk = 10.0;

/* Starts a shell command with its output going to the log. */
static void start(struct build *build, const char *command)
{
    /* --emulate is for the run: what is compiled must not depend on it. */
    static char *const settings[] = {"CUDA_EMULATED_DEVICE=", NULL};

    *build = (struct build){.log = formatString("%s/build.log", buildFolder())};
    build->lock = lockInBuild("lock", "build"); /* the process that configures takes it, too */
    unlink(build->log); /* buildReaches() must not find the targets of the previous build there */
    build->argv[0] = "sh";
    build->argv[1] = "-c";
    build->argv[2] = formatString("exec >%s 2>&1; %s", quoted(build->log), command);
    build->job.argv = build->argv;
    build->job.settings = settings;
    build->tellAt = clockSeconds() + talk;
    fcntl(build->lock, F_SETFD, 0); /* the build, which outlives this process, holds it, too */
    jobStart(&build->job);
    fcntl(build->lock, F_SETFD, FD_CLOEXEC);
}

int buildIsMakes(void) { return exists(formatString("%s/Makefile", buildFolder())); }

void buildStart(struct build *build, const char *targets, int keepGoing)
{
    const char *goOn = buildIsMakes() ? " -- -k" : " -- -k 0";

    start(build, formatString("exec cmake --build %s --parallel %d --target %s%s",
                              quoted(buildFolder()), buildJobs(), targets, keepGoing ? goOn : ""));
}

void buildStartAlone(struct build *build, const char *targets)
{
    start(build, formatString("cd %s || exit; status=0; for t in %s; do "
                              "make -s -f CMakeFiles/$t.dir/build.make CMakeFiles/$t.dir/build "
                              "&& echo Built target $t & all=\"${all-} $!\"; done; "
                              "for p in $all; do wait $p || status=$?; done; exit $status",
                              quoted(buildFolder()), targets));
}

/* Shows how far the build is, by the last "[ 45%]" or "[3/15]" of its log: on a terminal always, in
 * a file now and then. */
static void showProgress(struct build *build)
{
    char *text = readFileIfThere(build->log), *last = text != NULL ? strrchr(text, '[') : NULL;
    const int onTerminal = isatty(STDERR_FILENO);
    int done, all;

    if (last != NULL && (onTerminal || clockSeconds() > build->tellAt)) {
        if (sscanf(last, "[%d/%d]", &done, &all) == 2 && all > 0)
            done = 100 * done / all;
        else if (sscanf(last, "[ %d%%]", &done) != 1)
            done = 0;
        fprintf(stderr, onTerminal ? "building ... %3d %%\r" : "course: building ... %d %%\n",
                done);
        build->tellAt = clockSeconds() + talk;
    }
    free(text);
}

/* Lets others build. */
static void release(struct build *build)
{
    if (build->lock >= 0) {
        flock(build->lock, LOCK_UN); /* also if the build has left a process that runs on */
        close(build->lock);
    }
}

/* Waits for the end of the build, at most this many seconds, and shows its progress on a terminal.
 * Returns 1 at the end. */
static int waitFor(struct build *build, double seconds)
{
    struct job *job = &build->job;

    if (job->process != 0 && jobsWait(&job, 1, seconds) < 0)
        showProgress(build);
    if (job->process == 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "                               \r");
    return job->process == 0;
}

/* 1 if a line of the log has both texts. */
static int says(const char *log, const char *first, const char *second)
{
    char *text = readFileIfThere(log), *rest = text, *line;
    int found = 0;

    while (!found && (line = strsep(&rest, "\n")) != NULL)
        found = strstr(line, first) != NULL && strstr(line, second) != NULL;
    free(text);
    return found;
}

int buildReaches(struct build *build, const char *target, const char *part)
{
    char *built = formatString("Built target %s", target);
    int reached;

    while (!(reached = says(build->log, built, "")) && !waitFor(build, 0.02))
        if (says(build->log, "*** [", part) || says(build->log, "FAILED: ", part))
            break;
    if (build->job.process == 0)
        reached |= build->job.status == 0 || says(build->log, built, "");
    return reached;
}

int buildIsDone(struct build *build)
{
    struct job *job = &build->job;

    if (job->process != 0)
        jobsWait(&job, 1, 0.0);
    return job->process == 0 && job->status == 0;
}

static double latest; /* buildUntil() */

void buildUntil(double until) { latest = until; }

/* Waits for the end of the build and, if asked, prints why it failed. */
static int end(struct build *build, int print, const char *explainBy)
{
    int late = 0;

    while (!late && !waitFor(build, 0.2))
        late = latest > 0.0 && clockSeconds() > latest;
    if (late)
        jobEnd(&build->job);
    release(build); /* buildErrors() may build, too */
    if (late)
        fprintf(stderr, "course: the time is up before the programs are built\n");
    else if (print && build->job.status != 0)
        buildErrors(build->log, explainBy);
    return build->job.status == 0 ? 0 : EXIT_ERROR;
}

int buildEnd(struct build *build) { return end(build, 0, NULL); }

int buildFinish(struct build *build, const char *explainBy) { return end(build, 1, explainBy); }

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
    return buildFinish(&build, NULL);
}

int buildShared(const char *targets) { return isInstalled() ? 0 : buildTargets(targets); }
