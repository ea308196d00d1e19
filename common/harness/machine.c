/* Facts of the machine from /proc, the clock and git. Unknown ones stay empty. */
#include "machine.h"
#include "file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#ifndef COURSE_SOURCE_FOLDER
#define COURSE_SOURCE_FOLDER "."
#endif

/* The value of a line "key : value" of /proc/cpuinfo; NULL if the line has another key. */
static char *valueOf(char *line, const char *key)
{
    char *colon = strchr(line, ':');

    if (colon == NULL || strncmp(line, key, strlen(key)) != 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return colon[1] == ' ' ? colon + 2 : colon + 1;
}

/* Each hardware thread has a paragraph, with the same socket and core number as the others of its
 * core. */
static void readCpu(struct machine *m)
{
    enum { SOCKETS = 64 };
    static int cores[SOCKETS]; /* "cpu cores" of each socket met */
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[1024], *value;
    int socket = -1;

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if ((value = valueOf(line, "model name")) != NULL) {
            if (m->cpu[0] == '\0')
                snprintf(m->cpu, sizeof m->cpu, "%.100s", value);
        } else if ((value = valueOf(line, "physical id")) != NULL) {
            socket = atoi(value);
        } else if ((value = valueOf(line, "cpu cores")) != NULL) {
            if (socket >= 0 && socket < SOCKETS)
                cores[socket] = atoi(value);
        }
    }
    if (file != NULL)
        fclose(file);
    for (int i = 0; i < SOCKETS; i++) {
        m->sockets += cores[i] > 0;
        m->cores += cores[i];
    }
    if (m->cpu[0] == '\0')
        strcpy(m->cpu, "CPU");
}

const struct machine *machine(void)
{
    static struct machine m;
    const time_t now = time(NULL);
    char random[9];

    if (m.threads > 0)
        return &m;
    readCpu(&m);
    m.threads = 1;
#ifdef _OPENMP
    m.threads = omp_get_max_threads();
#endif
    if (gethostname(m.host, sizeof m.host - 1) != 0)
        m.host[0] = '\0';
#if defined __clang__
    snprintf(m.compiler, sizeof m.compiler, "clang %s", __clang_version__);
#elif defined __GNUC__
    snprintf(m.compiler, sizeof m.compiler, "gcc %s", __VERSION__);
#endif
    strftime(m.date, sizeof m.date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    randomName(random, sizeof random);
    strftime(m.run, sizeof m.run, "%Y%m%d%H%M%S-", gmtime(&now));
    strcat(m.run, random);
    return &m;
}

const char *machineCommit(void)
{
    static char commit[64];
    const char *given = getenv("COURSE_COMMIT");
    FILE *git;

    if (given != NULL)
        return given;
    if (commit[0] != '\0' || strchr(COURSE_SOURCE_FOLDER, '\'') != NULL)
        return commit;
    git = popen("git -C '" COURSE_SOURCE_FOLDER "' describe --always --dirty 2>/dev/null", "r");
    if (git != NULL && fgets(commit, sizeof commit, git) != NULL)
        commit[strcspn(commit, "\n")] = '\0';
    if (git != NULL && pclose(git) != 0)
        commit[0] = '\0';
    return commit;
}

double machineFreeBytes(void)
{
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/meminfo", "r");
    char line[256];
    double kilobytes;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %lf", &kilobytes) == 1)
            bytes = 1024.0 * kilobytes;
    if (file != NULL)
        fclose(file);
    return bytes;
}
