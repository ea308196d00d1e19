/* Starting the ranks of an MPI program from the program itself. */
#include "mpi_launch.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef COURSE_MPIEXEC
#define COURSE_MPIEXEC "mpirun"
#endif

/* 1 if an MPI launcher started this process: each of them leaves its mark in the environment. srun leaves
 * its own with a lone shell, too (srun --pty bash), so there only a step of several tasks counts. */
static int isRank(void)
{
    static const char *const marks[] = {"OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID"};
    static const char *const slurmMarks[] = {"PMIX_RANK", "PMI_RANK", "SLURM_STEP_ID"};
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (getenv(marks[i]) != NULL)
            return 1;
    for (size_t i = 0; i < sizeof slurmMarks / sizeof *slurmMarks; i++)
        if (getenv(slurmMarks[i]) != NULL)
            return getenv("SLURM_STEP_ID") == NULL || (tasks != NULL && atoi(tasks) > 1);
    return 0;
}

/* 1 if the program will only print something and end. */
static int printsOnly(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--list") == 0)
            return 1;
    return 0;
}

/* The last value of --ranks, as text; NULL if it is not given. */
static const char *ranksOption(int argc, char **argv)
{
    const char *value = NULL;

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--ranks=", 8) == 0)
            value = argv[i] + 8;
        else if (strcmp(argv[i], "--ranks") == 0 && i + 1 < argc)
            value = argv[++i];
    }
    return value;
}

/* A program's name without its folders. */
static const char *nameOf(const char *program)
{
    const char *slash = strrchr(program, '/');

    return slash != NULL ? slash + 1 : program;
}

/* Sets what the user has not set. */
static void set(const char *name, const char *value)
{
    if (setenv(name, value, 0) != 0)
        perror("setenv");
}

/* Open MPI of all versions: may run as root (in a container), more ranks than cores, and does not tie
 * a rank's threads to one core. Others ignore these. */
static void setEnvironment(int ranks)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char threads[32];

    set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    set("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set("OMPI_MCA_hwloc_base_binding_policy", "none");
    set("PRTE_ALLOW_RUN_AS_ROOT", "1");
    set("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    set("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    set("PRTE_MCA_hwloc_default_binding_policy", "none");
    snprintf(threads, sizeof threads, "%ld", cores > ranks ? cores / ranks : 1);
    set("OMP_NUM_THREADS", threads);
    if (!isatty(STDOUT_FILENO))
        set("NO_COLOR", "1"); /* mpirun gives the ranks a terminal even so */
}

static pid_t launched;

/* Ctrl-C, a time limit: what ends this process shall end the ranks. */
static void passOn(int number)
{
    kill(launched, number);
}

/* Waits for the launcher and ends with its exit status. A rank that was killed could say nothing, and a
 * quiet launcher does not: then this process says so. */
static void finish(const char *program)
{
    int status = 0;

    signal(SIGINT, passOn);
    signal(SIGTERM, passOn);
    signal(SIGHUP, passOn);
    while (waitpid(launched, &status, 0) < 0)
        if (errno != EINTR) {
            perror("waitpid");
            exit(2);
        }
    status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (status > 128 && status <= 128 + 64)
        fprintf(stderr, "%s: a rank was ended by signal %d (%s)\n", nameOf(program), status - 128,
                strsignal(status - 128));
    exit(status);
}

void mpiLaunch(int argc, char **argv, int ranks)
{
    const int slurm = getenv("SLURM_JOB_ID") != NULL;
    const char *asked = ranksOption(argc, argv);
    const char *launcher = slurm ? "srun" : COURSE_MPIEXEC;
    char **command, **end, number[32];

    if (isRank() || printsOnly(argc, argv))
        return;
    if (asked != NULL) {
        char *rest;
        const long value = strtol(asked, &rest, 10);

        if (rest == asked || *rest != '\0' || value < 1 || value > 100000) {
            fprintf(stderr, "%s: --ranks %s: expected 1 to 100000\n", nameOf(argv[0]), asked);
            exit(2);
        }
        ranks = (int)value;
    }
    if (ranks == 1)
        return;
    command = end = calloc((size_t)argc + 8, sizeof *command);
    if (command == NULL) {
        fprintf(stderr, "%s: no memory\n", nameOf(argv[0]));
        exit(2);
    }
    snprintf(number, sizeof number, "%d", ranks);
    *end++ = (char *)launcher;
#ifdef COURSE_MPIEXEC_QUIET
    if (!slurm)
        *end++ = (char *)COURSE_MPIEXEC_QUIET; /* no epilogue on a rank's exit status */
#endif
    if (slurm)
        *end++ = (char *)"--kill-on-bad-exit=1";
    if (slurm && getenv("SLURM_STEP_ID") != NULL)
        *end++ = (char *)"--overlap"; /* a step within a step shares what that one holds */
    *end++ = (char *)"-n";
    *end++ = number;
    memcpy(end, argv, (size_t)argc * sizeof *argv);
    setEnvironment(ranks);
    fflush(stdout);
    launched = fork();
    if (launched < 0) {
        perror("fork");
        exit(2);
    }
    if (launched > 0)
        finish(argv[0]);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* also where this process cannot pass a signal on */
#endif
    execvp(launcher, command);
    if (!slurm)
        execvp("mpirun", command);
    fprintf(stderr,
            "%s: cannot start %s (%s): install it, or start the ranks yourself: "
            "mpirun -n %d %s ...\n",
            nameOf(argv[0]), launcher, strerror(errno), ranks, argv[0]);
    _exit(77);
}
