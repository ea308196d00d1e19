/* build: the programs of all devices. test: builds what can run here and runs the tests. */
#include "build.h"
#include "commands.h"
#include "devices.h"
#include "exercises.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Configures this build with one more setting, which stays. Returns 0 on success. */
static int configureWith(char *setting)
{
    char *argv[] = {"cmake", "-S", (char *)sourceFolder(), "-B", (char *)buildFolder(),
                    setting, NULL};

    if (runCommand(argv, 1) == 0)
        return 0;
    return runCommand(argv, 0); /* again, for the message */
}

int commandBuild(int argc, char **argv)
{
    const char *architectures = getenv("CUDAARCHS");
    struct text targets = {0};
    int status;

    if (architectures != NULL && hasGpuPrograms() &&
        !isInstalled()) { /* otherwise only the first configuration would read it */
        char *setting = formatString("-DCMAKE_CUDA_ARCHITECTURES=%s", architectures);

        if (configureWith(setting) != 0)
            return EXIT_ERROR;
    }
    for (int i = 1; i < argc; i++)
        appendFormat(&targets, "%s%s", i > 1 ? " " : "", exerciseNamed(argv[i])->brief);
    status = buildTargets(argc > 1 ? targets.data : "all");
    if (status == 0)
        printf("Built in %s%s\n", buildFolder(),
               hasGpuPrograms() ? ", the GPU's programs too" : "; no nvcc was found for the GPU's");
    return status;
}

int commandTest(int argc, char **argv)
{
    char *command, *folder, *rooms;
    char *shell[] = {"sh", "-c", NULL, NULL};
    int author = 0, whole, status;

    for (int i = 1; i < argc; i++)
        if (isSame(argv[i], "--author"))
            author = 1;
        else
            fail(EXIT_USAGE, "test: '%s' is not understood; see ./course test --help", argv[i]);
    if (isInstalled())
        fail(EXIT_USAGE, "test: an installation has no tests; they are run in the checkout that it "
                         "was made from");
    rooms = formatString("%s/tests/harness", sourceFolder());
    if (author && !exists(rooms))
        fail(EXIT_USAGE, "test: a handout has no tests for authors");
    whole = author || hasGpu(); /* nvcc takes most of a build, and its programs would not run */
    if ((author && configureWith("-DCOURSE_AUTHOR=ON") != 0) ||
        buildTargets(whole ? "all" : "without_gpu") != 0)
        return EXIT_ERROR;
    folder = quoted(buildFolder());
    /* One test more than cores: some wait for a clock, not for a core. */
    command = formatString("cd %s && ctest --output-on-failure -j %d %s", folder, buildJobs() + 1,
                           author  ? ""
                           : whole ? "-LE '^author$'"
                                   : "-LE '^(author|gpu)$'");
    shell[2] = command;
    status = runCommand(shell, 0);
    if (!whole && hasGpuPrograms())
        printf("The GPU's programs were left out, there is no GPU here. ./course build builds "
               "them, for other machines.\n");
    return status == 0 ? EXIT_PASS : EXIT_WRONG;
}
