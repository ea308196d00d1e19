/* Starting programs. */
#include "process.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

int runCommand(char *const argv[], int quiet)
{
    pid_t child;
    int status;

    fflush(stdout);
    fflush(stderr);
    child = fork();
    if (child < 0)
        fail(EXIT_ERROR, "cannot start %s: %s", argv[0], strerror(errno));
    if (child == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* what ends this process shall end the program */
#endif
        if (quiet) {
            int null = open("/dev/null", O_RDWR);

            if (null >= 0) {
                dup2(null, STDOUT_FILENO);
                dup2(null, STDERR_FILENO);
            }
        }
        execvp(argv[0], argv);
        if (!quiet)
            fprintf(stderr, "course: cannot start %s: %s\n", argv[0], strerror(errno));
        _exit(127);
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
