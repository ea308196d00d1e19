/* Starting programs, watching them, and ending those that never end. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "process.h"
#include "files.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds from asking a job to end (SIGTERM) to ending it (SIGKILL), and from there to giving it
 * up: the driver can hold a process while its kernel does not stop. */
static const double termTimeout = 2.0, killTimeout = 10.0;

enum { MOST_PRINTED = 64 << 20 }; /* the most bytes of a job's output that are kept */

double clockSeconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double ageSeconds(void)
{
    const char *text = readIfReadable("/proc/self/stat");
    const char *words = text != NULL ? strrchr(text, ')') : NULL; /* behind the name */
    struct timespec now;
    double age = 0.0;

    for (int field = 2; words != NULL && field < 22; field++)
        words = strchr(words + 1, ' ');
    if (words != NULL && clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        age = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec -
              strtod(words, NULL) / (double)sysconf(_SC_CLK_TCK);
    return age > 0.0 && age < 3600.0 ? age : 0.0; /* a container may have its own clock */
}

/* The advice on an error of fork() or exec(). */
static const char *remedy(int error)
{
    if (error == EAGAIN)
        return "; too many processes run: end some, or ask for more (ulimit -u, the batch system)";
    return error == ENOENT ? "; is it installed, and on the PATH? (./course --install)" : "";
}

/* In the child: becomes the program, or says why not. */
static void becomeProgram(char *const argv[], int quiet)
{
    execvp(argv[0], argv);
    if (!quiet)
        fprintf(stderr, "course: cannot start %s: %s%s\n", argv[0], strerror(errno), remedy(errno));
    _exit(127);
}

static pid_t forked(const char *name)
{
    pid_t child;

    fflush(stdout);
    fflush(stderr);
    child = fork();
    if (child < 0)
        fail(EXIT_ERROR, "cannot start %s: %s%s", name, strerror(errno), remedy(errno));
    return child;
}

int runCommand(char *const argv[], int quiet)
{
    pid_t child = forked(argv[0]);
    int status;

    if (child == 0) {
        int null;

        prctl(PR_SET_PDEATHSIG, SIGTERM); /* the end of ./course ends the program, too */
        if (quiet && (null = open("/dev/null", O_RDWR)) >= 0) {
            dup2(null, STDOUT_FILENO);
            dup2(null, STDERR_FILENO);
        }
        becomeProgram(argv, quiet);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            fail(EXIT_ERROR, "waiting for %s: %s", argv[0], strerror(errno));
    if (WIFSIGNALED(status)) {
        if (!quiet && WTERMSIG(status) != SIGPIPE)
            fprintf(stderr, "course: %s was ended by signal %d (%s)\n", argv[0], WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
        return EXIT_ERROR;
    }
    return WEXITSTATUS(status);
}

int removeTree(const char *path)
{
    return runCommand((char *[]){"rm", "-rf", "--", (char *)path, NULL}, 0);
}

/* The signals that jobsWait() waits for. They are blocked while it looks at the jobs, so that none
 * is missed. One that is ignored (nohup) stays so. */
static sigset_t watchedSignals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, ends[i]);
    return set;
}

/* In the child: sets its group, its settings, no input, and its output. */
static void prepare(const struct job *job)
{
    const int null = open("/dev/null", O_RDONLY);
    sigset_t watched = watchedSignals();

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &watched, NULL);
    if (job->folder != NULL && chdir(job->folder) != 0)
        _exit(127);
    for (char *const *s = job->settings; s != NULL && *s != NULL; s++)
        if (putenv(*s) != 0)
            _exit(127);
    if (job->held || null >= 0)
        dup2(job->held ? job->go[0] : null, STDIN_FILENO);
    if (job->captured) {
        dup2(fileno(job->file), STDOUT_FILENO);
        dup2(fileno(job->file), STDERR_FILENO);
    }
}

/* The process groups of the running jobs, and their files: an interrupt ends and removes them. */
static struct group {
    pid_t process;
    const char *leaves;
} groups[256];

static void replaceGroup(pid_t old, pid_t new, const char *leaves)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (groups[i].process == old) {
            groups[i] = (struct group){new, leaves};
            return;
        }
}

/* A file without a name, in memory if possible: on many shared machines the folder for temporary
 * files is full. */
static FILE *namelessFile(void)
{
#ifdef MFD_CLOEXEC
    const int memory = memfd_create("course", MFD_CLOEXEC);
    FILE *file = memory >= 0 ? fdopen(memory, "w+b") : tmpfile();
#else
    FILE *file = tmpfile();
#endif

    if (file == NULL)
        fail(EXIT_ERROR, "cannot write a temporary file: %s", strerror(errno));
    return file;
}

void jobStart(struct job *job)
{
    if (job->captured)
        job->file = namelessFile();
    if (job->held && pipe2(job->go, O_CLOEXEC) != 0)
        fail(EXIT_ERROR, "cannot start %s: %s", job->argv[0], strerror(errno));
    job->started = job->alive = clockSeconds();
    job->process = forked(job->argv[0]);
    if (job->process == 0) {
        prepare(job);
        becomeProgram(job->argv, 0);
    }
    setpgid(job->process, job->process); /* here as well: whoever comes first */
    replaceGroup(0, job->process, job->leaves);
}

/* Closing the pipe ends a program that still waits. */
static void closePipe(struct job *job)
{
    if (!job->held)
        return;
    close(job->go[0]);
    close(job->go[1]);
    job->held = 0;
}

void jobGo(struct job *job)
{
    if (!job->held)
        return;
    if (write(job->go[1], "\n", 1) != 1) /* its other end is open here, too */
        fail(EXIT_ERROR, "cannot write to %s: %s", job->argv[0], strerror(errno));
    closePipe(job);
    job->started = job->alive = clockSeconds();
}

/* The job's output as a string: only the beginning, if it has printed too much. */
static char *captured(const struct job *job)
{
    char *output;
    size_t length;

    rewind(job->file);
    output = readStream(job->file, &length);
    fclose(job->file);
    return job->tooMuch ? formatString("%.4096s\n...\n", output) : output;
}

/* Notes that the job has ended, and how. The remaining processes of its group end, too. */
static void note(struct job *job, int status)
{
    kill(-job->process, SIGKILL);
    replaceGroup(job->process, 0, NULL);
    closePipe(job);
    job->seconds = clockSeconds() - job->started;
    job->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    job->status = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ERROR;
    job->process = 0;
    if (job->captured)
        job->output = captured(job);
}

static void signalJob(const struct job *job, int number)
{
    kill(job->process, number);
    kill(-job->process, number);
    kill(-job->process, SIGCONT); /* one that is stopped would not notice */
}

/* Looks for a sign of life; ends a job that has given none for too long, or has printed too
 * much. */
static void watch(struct job *job)
{
    const double now = clockSeconds();
    struct stat sign;

    if (job->captured && job->asked == 0 && fstat(fileno(job->file), &sign) == 0 &&
        sign.st_size > MOST_PRINTED) {
        job->tooMuch = 1;
        jobAsk(job);
    }
    if (job->asked == 0 && job->lifeSign != NULL && stat(job->lifeSign, &sign) == 0) {
        const long long date = sign.st_mtim.tv_sec * 1000000000LL + sign.st_mtim.tv_nsec;

        if (date != job->sign)
            job->alive = now;
        job->sign = date;
    }
    if (job->asked == 0 && job->patience > 0.0 && now - job->alive > job->patience) {
        job->outOfTime = 1;
        jobAsk(job);
    } else if (job->asked == 1 && now - job->alive > termTimeout) {
        signalJob(job, SIGKILL);
        job->asked = 2;
    } else if (job->asked == 2 && now - job->alive > killTimeout) {
        fprintf(stderr, "course: process %ld cannot be ended; it may still hold the GPU\n",
                (long)job->process);
        note(job, 0);
        job->status = EXIT_ERROR;
    }
}

/* Waits for the end of a group's first process until the clock says `until`, and ends it then. */
static void waitThenKill(pid_t process, double until)
{
    while (waitpid(process, NULL, WNOHANG) == 0 && clockSeconds() < until)
        usleep(10000);
    kill(-process, SIGKILL);
}

static const char *unfinished; /* jobsWrite() */

void jobsWrite(const char *path)
{
    const sigset_t watched = watchedSignals();

    unfinished = path;
    sigprocmask(path != NULL ? SIG_BLOCK : SIG_UNBLOCK, &watched, NULL);
}

/* Ctrl-C and the like: ends all jobs, and then this program as if there had been none. */
static void interrupted(int number)
{
    const sigset_t watched = watchedSignals();
    const double until = clockSeconds() + termTimeout;

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (groups[i].process != 0)
            kill(-groups[i].process, SIGTERM);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (groups[i].process != 0)
            waitThenKill(groups[i].process, until);
        if (groups[i].leaves != NULL)
            removeFiles(groups[i].leaves);
    }
    if (unfinished != NULL)
        removeTree(unfinished);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &watched, NULL); /* now it acts */
}

/* The index of a job that has ended, or -1. */
static int oneThatEnded(struct job *const *jobs, int count)
{
    for (int i = 0; i < count; i++) {
        int status;

        if (jobs[i]->process == 0)
            continue;
        if (waitpid(jobs[i]->process, &status, WNOHANG) == jobs[i]->process)
            note(jobs[i], status);
        else
            watch(jobs[i]);
        if (jobs[i]->process == 0)
            return i;
    }
    return -1;
}

static void (*meanwhile)(void *data);
static void *meanwhileData;

void jobsMeanwhile(void (*act)(void *data), void *data)
{
    meanwhile = act;
    meanwhileData = data;
}

int jobsWait(struct job *const *jobs, int count, double seconds)
{
    const double until = clockSeconds() + seconds, often = seconds < 0.1 ? seconds : 0.1;
    const struct timespec moment = {0, (long)(1e9 * often)};
    sigset_t watched = watchedSignals(), before;
    int ended;

    sigprocmask(SIG_BLOCK, &watched, &before);
    while ((ended = oneThatEnded(jobs, count)) < 0 && clockSeconds() < until) {
        int number;

        if (meanwhile != NULL)
            meanwhile(meanwhileData);
        number = sigtimedwait(&watched, NULL, &moment);
        if (number > 0 && number != SIGCHLD)
            interrupted(number);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ended;
}

void jobFinish(struct job *job)
{
    while (jobsWait(&job, 1, 1.0) < 0)
        continue;
}

void jobRun(struct job *job)
{
    jobStart(job);
    jobFinish(job);
}

void jobAsk(struct job *job)
{
    signalJob(job, SIGTERM);
    job->asked = 1;
    job->alive = clockSeconds();
}

void jobEnd(struct job *job)
{
    jobAsk(job);
    while (job->process != 0 && oneThatEnded(&job, 1) < 0)
        usleep(10000);
}

/* Cores by the quota in a control group's cpu.max, "MAX PERIOD" in microseconds; 0 if it sets
 * none, as "max 100000". */
static int quotaIn(const char *group)
{
    const char *text = readIfReadable(formatString("/sys/fs/cgroup%s/cpu.max", group));
    double quota, period;

    return text != NULL && sscanf(text, "%lf %lf", &quota, &period) == 2 ? (int)ceil(quota / period)
                                                                         : 0;
}

static int smallerIfSet(int cores, int limit) { return limit > 0 && limit < cores ? limit : cores; }

int usableCores(void)
{
    const char *slurm = getenv("SLURM_CPUS_PER_TASK");
    char *groups = readIfReadable("/proc/self/cgroup");
    char *group = groups != NULL ? strstr(groups, "0::") : NULL, *slash;
    int cores = smallerIfSet((int)sysconf(_SC_NPROCESSORS_ONLN), quotaIn(""));
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = smallerIfSet(cores, CPU_COUNT(&set));
    if (slurm != NULL)
        cores = smallerIfSet(cores, atoi(slurm));
    if (group != NULL)
        group[strcspn(group, "\n")] = '\0';
    for (; group != NULL && (slash = strrchr(group, '/')) != NULL; *slash = '\0')
        cores = smallerIfSet(cores, quotaIn(strchr(group, '/'))); /* and of its ancestors */
    return cores > 1 ? cores : 1;
}
