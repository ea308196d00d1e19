/* What the commands share: paths, exercises, starting programs, building. */
#include "runner.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fail(int status, const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fputs("course: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

void *mustAllocate(void *pointer, size_t size)
{
    pointer = realloc(pointer, size);
    if (pointer == NULL)
        fail(STATUS_USAGE, "out of memory");
    return pointer;
}

char *textOf(const char *format, ...)
{
    va_list arguments;
    char *text;
    int length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    text = mustAllocate(NULL, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

static const char *folder(const char *variable, const char *built)
{
    const char *value = getenv(variable);

    return value != NULL && value[0] != '\0' ? value : built;
}

const char *sourceFolder(void)
{
    return folder("COURSE_SOURCE", COURSE_SOURCE_FOLDER);
}

const char *buildFolder(void)
{
    return folder("COURSE_BUILD", COURSE_BUILD_FOLDER);
}

char *readWholeFile(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, size = 0, got;

    if (file == NULL)
        fail(STATUS_USAGE, "cannot read %s: %s", path, strerror(errno));
    do {
        if (size - length < 4096)
            text = mustAllocate(text, size = 2 * size + 8192);
        got = fread(text + length, 1, size - length - 1, file);
        length += got;
    } while (got > 0);
    if (ferror(file))
        fail(STATUS_USAGE, "cannot read %s", path);
    fclose(file);
    text[length] = '\0';
    return text;
}

void replaceFile(const char *path, const char *text)
{
    char *partial = textOf("%s.partial", path);
    FILE *file = fopen(partial, "wb");
    int failed;

    if (file == NULL)
        fail(STATUS_USAGE, "cannot write %s: %s", partial, strerror(errno));
    failed = fputs(text, file) == EOF;
    failed |= fclose(file) != 0;
    if (failed || rename(partial, path) != 0) {
        int error = errno;

        remove(partial);
        fail(STATUS_USAGE, "cannot write %s: %s", path, strerror(error));
    }
    free(partial);
}

char *putAside(const char *path)
{
    char *saved = NULL, stamp[32];
    time_t now = time(NULL);

    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime(&now));
    for (int i = 0; saved == NULL || access(saved, F_OK) == 0; i++) {
        free(saved);
        saved = i == 0 ? textOf("%s.%s", path, stamp) : textOf("%s.%s-%d", path, stamp, i);
    }
    if (rename(path, saved) != 0)
        fail(STATUS_USAGE, "cannot put %s aside: %s", path, strerror(errno));
    return saved;
}

char *sourcePath(const struct exercise_entry *e, const char *kind)
{
    char *cuda = textOf("%s/%s/solution.cu", sourceFolder(), e->name);
    const char *extension = access(cuda, F_OK) == 0 ? "cu" : "c"; /* OpenACC: plain C */

    free(cuda);
    return textOf("%s/%s/%s.%s", sourceFolder(), e->name, kind, extension);
}

const struct exercise_entry *exercises(size_t *count)
{
    static struct exercise_entry *list;
    static size_t length;

    if (list == NULL) {
        char *path = textOf("%s/exercises.txt", buildFolder());
        char *text = readWholeFile(path);

        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            char *bar = strchr(line, '|');
            struct exercise_entry *entry;

            if (bar == NULL)
                continue;
            *bar = '\0';
            list = mustAllocate(list, (length + 1) * sizeof *list);
            entry = &list[length++];
            snprintf(entry->name, sizeof entry->name, "%s", line);
            snprintf(entry->brief, sizeof entry->brief, "%.4s", line);
            snprintf(entry->title, sizeof entry->title, "%s", bar + 1);
        }
        free(text);
        free(path);
    }
    *count = length;
    return list;
}

const struct exercise_entry *exerciseNamed(const char *text)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    const char *digits = strncmp(text, "ex", 2) == 0 ? text + 2 : text;
    char *end;
    long number = strtol(digits, &end, 10);
    const char *name = strrchr(text, '/');

    if (name != NULL && name[1] == '\0') /* ex03_vector_add/, as the shell completes it */
        fail(STATUS_USAGE, "'%s': leave out the '/'", text);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, list[i].name) == 0)
            return &list[i];
        if (isdigit((unsigned char)digits[0]) && *end == '\0' && number == atol(list[i].brief + 2))
            return &list[i];
    }
    fprintf(stderr, "course: there is no exercise '%s', there are", text);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", list[i].brief);
    fputc('\n', stderr);
    exit(STATUS_USAGE);
}

int hasGpu(void)
{
    static int known = -1;

    if (known < 0) {
        char *argv[] = {"nvidia-smi", "-L", NULL};

        known = access("/dev/nvidia0", R_OK) == 0 || runCommand(argv, 1) == 0;
    }
    return known;
}

/* 1 if this build has GPU programs. */
static int hasGpuPrograms(void)
{
    char *path = textOf("%s/has_gpu_programs", buildFolder());
    int there = access(path, R_OK) == 0;

    free(path);
    return there;
}

const char *deviceToUse(const char *wanted)
{
    if (strcmp(wanted, "emulated") == 0)
        return "emulated";
    if (strcmp(wanted, "auto") != 0 && strcmp(wanted, "gpu") != 0 &&
        (wanted[0] == '\0' || wanted[strspn(wanted, "0123456789")] != '\0'))
        fail(STATUS_USAGE, "--device=%s: expected auto, gpu, emulated or the number of a GPU",
             wanted);
    if (hasGpu() && hasGpuPrograms())
        return "gpu";
    if (strcmp(wanted, "auto") == 0)
        return "emulated";
    if (!hasGpu())
        fail(STATUS_SKIPPED, "SKIPPED: no GPU in this machine; try --device=emulated");
    fail(STATUS_SKIPPED,
         "SKIPPED: no nvcc when the course was configured; put it on the PATH, or set "
         "CUDACXX, and remove the build folder");
}

char *programPath(const char *device, const char *brief, const char *kind)
{
    return textOf("%s/%s/%s_%s", buildFolder(), device, brief, kind);
}

int runCommand(char *const argv[], int quiet)
{
    pid_t child;
    int status;

    fflush(stdout);
    fflush(stderr);
    child = fork();
    if (child < 0)
        fail(STATUS_USAGE, "cannot start %s: %s", argv[0], strerror(errno));
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
            fail(STATUS_USAGE, "waiting for %s: %s", argv[0], strerror(errno));
    if (WIFSIGNALED(status)) {
        if (!quiet && WTERMSIG(status) != SIGPIPE)
            fprintf(stderr, "course: %s was ended by signal %d (%s)\n", argv[0], WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
        return STATUS_USAGE;
    }
    return WEXITSTATUS(status);
}

/* The start of the line that holds p. */
static char *lineOf(char *text, char *p)
{
    while (p > text && p[-1] != '\n')
        p--;
    return p;
}

/* The log from the first error on: 20 lines, without what make says about itself. */
static void printErrors(const char *path)
{
    static const char *const signs[] = {
        "error:", "undefined reference", "CMake Error", "No rule", "error", "warning"};
    char *text = readWholeFile(path), *from = NULL;
    int lines = 0;

    for (size_t i = 0; i < sizeof signs / sizeof *signs && from == NULL; i++)
        from = strstr(text, signs[i]);
    if (from == NULL)
        from = text;
    for (char *line = strtok(lineOf(text, from), "\n"); line != NULL && lines < 20;
         line = strtok(NULL, "\n"))
        if ((strncmp(line, "gmake", 5) != 0 && strncmp(line, "make", 4) != 0) ||
            strstr(line, "No rule") != NULL) {
            fprintf(stderr, "%s\n", line);
            lines++;
        }
    free(text);
}

char *quoted(const char *text)
{
    char *result = mustAllocate(NULL, 4 * strlen(text) + 3), *end = result;

    *end++ = '\'';
    for (; *text != '\0'; text++)
        if (*text == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *text;
    strcpy(end, "'");
    return result;
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

int buildTargets(const char *targets)
{
    char *log = textOf("%s/build.log", buildFolder()), *folder = quoted(buildFolder());
    char *command =
        textOf("cmake --build %s --parallel $(getconf _NPROCESSORS_ONLN) --target %s 2>&1", folder,
               targets);
    const int onTerminal = isatty(STDERR_FILENO);
    const int lock = lockBuild();
    FILE *file = fopen(log, "w"), *build;
    char line[4096];
    int percent, status;

    if (file == NULL)
        fail(STATUS_USAGE, "cannot write %s: %s", log, strerror(errno));
    build = popen(command, "r");
    if (build == NULL)
        fail(STATUS_USAGE, "cannot start cmake: %s", strerror(errno));
    while (fgets(line, sizeof line, build) != NULL) {
        fputs(line, file);
        if (onTerminal && sscanf(line, "[ %d%%]", &percent) == 1)
            fprintf(stderr, "building ... %3d %%\r", percent);
    }
    status = pclose(build);
    if (onTerminal)
        fprintf(stderr, "                    \r");
    if (fclose(file) != 0)
        fail(STATUS_USAGE, "cannot write %s: %s", log, strerror(errno));
    if (lock >= 0)
        close(lock);
    if (status != 0) {
        printErrors(log);
        fprintf(stderr, "course: the build failed; the whole log is %s\n", log);
    }
    free(command);
    free(folder);
    free(log);
    return status == 0 ? 0 : STATUS_USAGE;
}
