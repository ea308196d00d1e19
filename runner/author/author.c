/* build: the programs of all devices. test: builds what can run here and runs the tests. */
#include "build.h"
#include "commands.h"
#include "devices.h"
#include "exercises.h"
#include "files.h"
#include "process.h"
#include "request.h"
#include "text.h"
#include <stdio.h>
#include <stdlib.h>

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

    if (architectures != NULL && hasGpuPrograms() && !isInstalled() &&
        /* otherwise only the first configuration would read it */
        configureWith(formatString("-DCMAKE_CUDA_ARCHITECTURES=%s", architectures)) != 0)
        return EXIT_ERROR;
    for (int i = 1; i < argc; i++)
        appendFormat(&targets, "%s%s", i > 1 ? " " : "", exerciseNamed(argv[i])->brief);
    if (buildTargets(argc > 1 ? targets.data : "all") != 0)
        return EXIT_ERROR;
    printf("Built in %s%s\n", buildFolder(),
           hasGpuPrograms() ? ", the GPU's programs too" : "; no nvcc was found for the GPU's");
    return EXIT_PASS;
}

int commandTest(int argc, char **argv)
{
    int author = 0, whole, status;
    const struct known_option known[] = {{"--author", .flag = &author}, {0}};
    const char *tests;

    if (takeOptions(known, argc, argv) > 1)
        notUnderstood("test", argv[1]);
    if (isInstalled())
        fail(EXIT_USAGE, "test: an installation has no tests; they are run in the checkout that it "
                         "was made from");
    if (author && !exists(formatString("%s/tests/harness", sourceFolder())))
        fail(EXIT_USAGE, "test: a handout has no tests for authors");
    whole = author || hasGpu(); /* nvcc takes most of a build, and its programs would not run */
    tests = author ? "" : whole ? "-LE '^author$'" : "-LE '^(author|gpu)$'";
    if ((author && configureWith("-DCOURSE_AUTHOR=ON") != 0) ||
        buildTargets(whole ? "all" : "without_gpu") != 0)
        return EXIT_ERROR;
    /* Two tests more than cores: some wait for a clock, not for a core. */
    status = runCommand((char *[]){"sh", "-c",
                                   formatString("cd %s && ctest --output-on-failure -j %d %s",
                                                quoted(buildFolder()), buildJobs() + 2, tests),
                                   NULL},
                        0);
    if (!whole && hasGpuPrograms())
        printf("The GPU's programs were left out, there is no GPU here. ./course build builds "
               "them, for other machines.\n");
    return status == 0 ? EXIT_PASS : EXIT_WRONG;
}
