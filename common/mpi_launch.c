/* Starting the ranks of an MPI program from the program itself. */
#include "mpi_launch.h"
#include "mpi_start.h"
#include <errno.h>
#include <mpi.h>
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

/* In the environment of ranks that mpiLaunch() has started. */
static const char launchedHere[] = "COURSE_RANKS";

/* The number of tasks in this process's step of a Slurm job; 0 outside a step. */
static int tasksOfStep(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");

    return getenv("SLURM_STEP_ID") != NULL && tasks != NULL ? atoi(tasks) : 0;
}

/* 1 if an MPI launcher started this process: each of them leaves its mark in the environment. srun
 * leaves one with a lone shell, too (srun --pty bash), and that of PMI, which Open MPI may not
 * speak. */
static int isRank(void)
{
    static const char *const marks[] = {launchedHere, "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (getenv(marks[i]) != NULL)
            return 1;
    if (tasksOfStep() == 1)
        return 0;
#ifdef OPEN_MPI
    if (tasksOfStep() > 1)
        return getenv("PMIX_RANK") != NULL;
#endif
    return getenv("PMIX_RANK") != NULL || getenv("PMI_RANK") != NULL;
}

/* 1 if the program will only print something and end. */
static int printsOnly(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--list") == 0)
            return 1;
    return 0;
}

/* The last value of an option such as "--ranks", as text; NULL if it is not given. */
static const char *valueOf(const char *option, int argc, char **argv)
{
    const size_t length = strlen(option);
    const char *value = NULL;

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], option, length) == 0 && argv[i][length] == '=')
            value = argv[i] + length + 1;
        else if (strcmp(argv[i], option) == 0 && i + 1 < argc)
            value = argv[++i];
    }
    return value;
}

static int isThere(const char *file) { return file != NULL && access(file, F_OK) == 0; }

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

/* Open MPI of all versions: may run as root (in a container), more ranks than cores, and does not
 * tie a rank's threads to one core. Others ignore these. */
static void setEnvironment(int ranks)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    char threads[32];

    set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    set("OMPI_MCA_rmaps_base_oversubscribe", "1");
    set("OMPI_MCA_hwloc_base_binding_policy", "none");
    set("OMPI_MCA_odls_base_sigkill_timeout", "0"); /* s, after a status that is not 0 */
    set("PRTE_ALLOW_RUN_AS_ROOT", "1");
    set("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    set("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    set("PRTE_MCA_hwloc_default_binding_policy", "none");
    set("PRTE_MCA_odls_base_sigkill_timeout", "0");
    set("HWLOC_COMPONENTS", "-opencl,-gl"); /* nobody needs the messages of these drivers */
    set(launchedHere, "1");
    snprintf(threads, sizeof threads, "%ld", cores > ranks ? cores / ranks : 1);
    set("OMP_NUM_THREADS", threads);
    if (!isatty(STDOUT_FILENO))
        set("NO_COLOR", "1"); /* mpirun gives the ranks a terminal all the same */
}

static char sessionFolder[256];

static void removeSessionFolder(void) { rmdir(sessionFolder); } /* Open MPI has emptied it */

/* Gives Open MPI a folder of its own. Otherwise all launchers of a user share one, and the last
 * that ends removes it, although another may just begin to use it. */
static void makeSessionFolder(void)
{
    const char *temporary = getenv("TMPDIR");

    snprintf(sessionFolder, sizeof sessionFolder, "%s/ranks.XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(sessionFolder) == NULL || atexit(removeSessionFolder) != 0)
        return;
    set("OMPI_MCA_orte_tmpdir_base", sessionFolder);
    set("PRTE_MCA_prte_tmpdir_base", sessionFolder);
}

static pid_t launched;
static volatile sig_atomic_t wasEnded; /* by a signal from outside */

/* What ends this process, such as Ctrl-C or a time limit, also ends the ranks. */
static void passOn(int number)
{
    wasEnded = 1;
    kill(launched, number);
}

/* Waits for the launcher. Returns its exit status; 128 plus the number of a signal that ended
 * it. */
static int waitForRanks(void)
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
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Ends with the exit status of the ranks. If a rank was killed and the launcher says nothing, this
 * process reports it. Status 1 is a verdict only if the ranks can start at all, since some
 * launchers return it, too. If they have `written` a verdict, they could start; otherwise it is
 * tried. */
static void finish(int status, int written, const struct mpi_way *way, const char *ranks,
                   char *program)
{
    if (status > 128 && status <= 128 + 64)
        fprintf(stderr, "%s: a rank was ended by signal %d (%s)\n", nameOf(program), status - 128,
                strsignal(status - 128));
    if (status == 1 && !written && !wasEnded && !mpiWayWorks(way, ranks, program)) {
        fprintf(stderr,
                "%s: %s did not start %s ranks: that is no verdict. COURSE_LAUNCHER in the "
                "environment names another way, such as 'srun --mpi=pmix'\n",
                nameOf(program), way->words[0], ranks);
        status = 2;
    }
    exit(status);
}

/* The number of ranks that --ranks asks for, else `ranks`. Ends the program if it is none. */
static int ranksAsked(int argc, char **argv, int ranks)
{
    const char *asked = valueOf("--ranks", argc, argv);
    char *rest;
    long value;

    if (asked == NULL)
        return ranks;
    value = strtol(asked, &rest, 10);
    if (rest == asked || *rest != '\0' || value < 1 || value > 100000) {
        fprintf(stderr, "%s: --ranks %s: expected 1 to 100000\n", nameOf(argv[0]), asked);
        exit(2);
    }
    return (int)value;
}

/* In the child: becomes the launcher, or says why not. */
static void becomeLauncher(char **command, const char *ranks, const char *program)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* also where this process cannot pass a signal on */
#endif
    execvp(command[0], command);
    if (strchr(command[0], '/') != NULL)
        execvp("mpirun", command); /* the one of the build is not here */
    fprintf(
        stderr,
        "%s: cannot start %s (%s): install it, or start the ranks yourself: mpirun -n %s %s ...\n",
        nameOf(program), command[0], strerror(errno), ranks, program);
    _exit(77);
}

void mpiLaunch(int argc, char **argv, int ranks)
{
    char **command, number[32], tried[512];
    const char *verdict = valueOf("--verdict", argc, argv);
    const int isOld = isThere(verdict);
    struct mpi_way way;
    int status;

    mpiAnswerTrial(argc, argv);
    if (isRank())
        return;
    if (tasksOfStep() > 1) { /* srun connects them to no MPI: the first one starts the ranks */
        const char *task = getenv("SLURM_PROCID");

        if (task != NULL && atoi(task) > 0)
            exit(0);
        ranks = tasksOfStep();
    }
    if (printsOnly(argc, argv) || (ranks = ranksAsked(argc, argv, ranks)) == 1) {
        unsetenv("SLURM_STEP_ID"); /* for Open MPI, the mark of a rank that srun connects */
        return;
    }
    snprintf(number, sizeof number, "%d", ranks);
    setEnvironment(ranks);
    makeSessionFolder();
    if (!mpiChooseWay(&way, number, argv[0], tried, sizeof tried)) {
        fprintf(
            stderr,
            "%s: nothing starts %s ranks in this job; tried: %s. Load the MPI that the course was "
            "built with, ask for %s tasks, or name a way: COURSE_LAUNCHER='srun --mpi=...'\n",
            nameOf(argv[0]), number, tried, number);
        exit(2);
    }
    command = mpiCommand(&way, number, argc, argv);
    if (command == NULL) {
        fprintf(stderr, "%s: no memory\n", nameOf(argv[0]));
        exit(2);
    }
    fflush(stdout);
    launched = fork();
    if (launched < 0) {
        perror("fork");
        exit(2);
    }
    if (launched == 0)
        becomeLauncher(command, number, argv[0]);
    status = waitForRanks();
    finish(status, !isOld && isThere(verdict), &way, number, argv[0]);
}
