/* test: builds everything and runs the tests. */
#include "build.h"
#include "commands.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

/* Switches on what a student's build leaves out: mutants, sanitized programs, the tests of the rooms. */
static int configureForAuthors(void)
{
    char *argv[] = {
        "cmake", "-S", (char *)sourceFolder(), "-B", (char *)buildFolder(), "-DCOURSE_AUTHOR=ON",
        NULL};

    if (runCommand(argv, 1) == 0)
        return 0;
    return runCommand(argv, 0); /* again, for the message */
}

int commandTest(int argc, char **argv)
{
    char *command, *folder;
    char *shell[] = {"sh", "-c", NULL, NULL};
    int author = 0, status;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--author") == 0)
            author = 1;
        else
            fail(EXIT_USAGE, "test: '%s' is not understood; see ./course test --help", argv[i]);
    if (isInstalled())
        fail(EXIT_USAGE, "test: an installation has no tests; they are run in the checkout that it "
                         "was made from");
    if ((author && configureForAuthors() != 0) || buildTargets("all") != 0)
        return EXIT_ERROR;
    folder = quoted(buildFolder());
    /* One test more than cores: some wait for a clock, not for a core. */
    command = textOf("cd %s && ctest --output-on-failure -j %d %s", folder, buildJobs() + 1,
                     author ? "" : "-LE author");
    shell[2] = command;
    status = runCommand(shell, 0);
    free(command);
    free(folder);
    return status == 0 ? EXIT_PASS : EXIT_WRONG;
}
