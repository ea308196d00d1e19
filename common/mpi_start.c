/* Ways to start the ranks of an MPI program, and whether they work here. Nobody can know beforehand
 * which one works in a Slurm job: srun starts the ranks of an MPI only through an interface that
 * both were built with. So each is tried. */

#include "mpi_start.h"
#include "mpi_utils.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>

#ifndef COURSE_MPIEXEC
#define COURSE_MPIEXEC "mpirun"
#endif

static const char trial[] = "--mpi-trial"; /* then the number of ranks */
enum { PATIENCE = 600, WAYS = 8 };         /* tenths of a second that a trial may take */

char **mpiCommand(const struct mpi_way *way, const char *ranks, int argc, char **argv)
{
    char **command = (char **)calloc((size_t)argc + 12, sizeof *command), **end = command;

    if (command == NULL)
        return NULL;
    for (int i = 0; way->words[i] != NULL; i++)
        *end++ = way->words[i];
    *end++ = (char *)"-n";
    *end++ = (char *)ranks;
    memcpy(end, argv, (size_t)argc * sizeof *argv);
    return command;
}

void mpiAnswerTrial(int argc, char **argv)
{
    int size = 0;

    if (argc != 3 || strcmp(argv[1], trial) != 0)
        return;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        exit(1);
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* 1 each if the launcher is another MPI's */
    MPI_Finalize();
    exit(size == atoi(argv[2]) ? 0 : 1);
}

/* In the child: the trial, without input and output. */
static void becomeTrial(char **command)
{
    const int null = open("/dev/null", O_RDWR);

    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    execvp(command[0], command);
    _exit(127);
}

int mpiWayWorks(const struct mpi_way *way, const char *ranks, char *program)
{
    const struct timespec moment = {0, 100000000};
    char *argv[] = {program, (char *)trial, (char *)ranks};
    char **command = mpiCommand(way, ranks, 3, argv);
    int status = -1;
    pid_t child;

    if (command == NULL)
        return 0;
    child = fork();
    if (child == 0)
        becomeTrial(command);
    for (int i = 0; child > 0 && waitpid(child, &status, WNOHANG) == 0; i++) {
        if (i == PATIENCE) /* srun waits for what another step holds */
            kill(child, SIGTERM);
        if (i == 2 * PATIENCE)
            kill(child, SIGKILL);
        nanosleep(&moment, NULL);
    }
    free(command);
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Adds a way, with its words from a text. */
static void addWay(struct mpi_way *ways, int *count, const char *text)
{
    struct mpi_way *way = &ways[*count];
    char *copy = strdup(text);
    int words = 0;

    if (copy == NULL || *count == WAYS)
        return;
    for (char *word = strtok(copy, " "); word != NULL && words < 7; word = strtok(NULL, " "))
        way->words[words++] = word;
    way->words[words] = NULL;
    *count += words > 0;
}

/* The ways of a Slurm job: srun as the cluster has set it up, then with each interface that it
 * knows. A step within a step shares what that one holds; more ranks than the job has tasks share
 * their cores. */
static void addSrun(struct mpi_way *ways, int *count, const char *ranks)
{
    static const char *const interfaces[] = {"pmix", "pmi2", "cray_shasta"};
    const char *overlap = getenv("SLURM_STEP_ID") != NULL ? " --overlap" : "";
    const char *tasks = getenv("SLURM_NTASKS");
    const char *share =
        tasks == NULL || atoi(tasks) < atoi(ranks) ? " --overcommit --cpus-per-task=1" : "";
    FILE *srun = popen("srun --mpi=list 2>&1", "r");
    char list[4096] = "", text[128];

    if (srun != NULL) {
        list[fread(list, 1, sizeof list - 1, srun)] = '\0';
        pclose(srun);
    }
    snprintf(text, sizeof text, "srun --kill-on-bad-exit=1%s%s", overlap, share);
    addWay(ways, count, text);
    for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; i++)
        if (strstr(list, interfaces[i]) != NULL) {
            snprintf(text, sizeof text, "srun --kill-on-bad-exit=1%s%s --mpi=%s", overlap, share,
                     interfaces[i]);
            addWay(ways, count, text);
        }
}

static void addMpirun(struct mpi_way *ways, int *count)
{
#ifdef COURSE_MPIEXEC_QUIET
    addWay(ways, count,
           COURSE_MPIEXEC
           " " COURSE_MPIEXEC_QUIET); /* no words of its own on a rank's exit status */
#else
    addWay(ways, count, COURSE_MPIEXEC);
#endif
}

int mpiChooseWay(struct mpi_way *way, const char *ranks, char *program, char *tried, size_t size)
{
    const char *asked = getenv("COURSE_LAUNCHER"), *nodes = getenv("SLURM_JOB_NUM_NODES");
    struct mpi_way ways[WAYS + 1];
    int count = 0, inJob = getenv("SLURM_JOB_ID") != NULL;
    size_t length = 0;

    if (asked != NULL && asked[strspn(asked, " ")] != '\0') {
        addWay(ways, &count, asked);
        *way = ways[0];
        return 1;
    }
    if (inJob)
        addSrun(ways, &count, ranks);
    if (inJob && nodes != NULL &&
        atoi(nodes) == 1) { /* Open MPI: no need to ask Slurm for another step */
        setenv("OMPI_MCA_plm", "^slurm", 0);
        setenv("OMPI_MCA_ras", "^slurm", 0);
    }
    addMpirun(ways, &count);
    tried[0] = '\0';
    for (int i = 0; i < count; i++) {
        *way = ways[i];
        if (!inJob || mpiWayWorks(way, ranks, program))
            return 1;
        for (int k = 0; way->words[k] != NULL && length + 1 < size; k++)
            length += (size_t)snprintf(tried + length, size - length, "%s%s",
                                       k > 0   ? " "
                                       : i > 0 ? ", "
                                               : "",
                                       way->words[k]);
    }
    return 0;
}
