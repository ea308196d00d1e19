/* The course program behind ./course: finds the command and calls it. */
#include "commands.h"
#include "compare.h"
#include "table_columns.h"
#include "text.h"
#include "student_folder.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *summary;
    const char *help;
};

static const struct command commands[] = {
    {"list", commandList, "list", "the exercises, and how far you are in each", ""},
    {"next", commandNext, "next [EX]", "the TODO that comes next, with its line", ""},
    {"check", commandCheck, "check [EX...] [options]", "is your template right?",
     "Builds and runs the template of each named exercise (of all, if none is named):\n"
     "right or wrong, what kind of wrong, how fast. The sizes and options in the\n"
     "exercise's checks.txt are tried, too, unless you give a size or the like\n"
     "yourself. Where there is a GPU, the emulated device comes first, because it\n"
     "names mistakes with their lines. A template passes when its basic TODOs are all\n"
     "done and right; the advanced ones are counted. A check names rows that are right\n"
     "but far from their targets, with the reason. Without a GPU, each right row gets\n"
     "the time that an H200 would take, by a model from the counts, and what limits\n"
     "it.\n\n"
     "  --solution            the reference solution instead of your template\n"
     "  --verbose             all findings of a row, not only the mistake behind them;\n"
     "                        what the time on an H200 consists of\n"
     "  --device=WHICH        auto (the emulated device, then a GPU if there is one),\n"
     "                        emulated, gpu, the number of a GPU, or both (the GPU has\n"
     "                        its turn even after a mistake)\n"
     "  --emulate=GENERATION  the limits of fermi, kepler, maxwell, pascal, volta,\n"
     "                        turing, ampere, ada, hopper, blackwell, or a compute\n"
     "                        capability such as 70, on the emulated device\n"
     "  --devices=N           N emulated devices\n"
     "  --all-columns         the columns and words of later lessons, too\n"
     "  --profile             emulated device: all counters, beside the source lines\n"
     "  --fast                emulated device: without counters and race checks\n"
     "  --quick               a small size\n"
     "  --patience N          seconds without a new row after which a program is ended\n"
     "                        (30)\n"
     "  --csv FILE            adds a row per variant to FILE\n\n"
     "Every other option goes to the exercise: --size, --block, --grid, --seed,\n"
     "--variant, and its own. build/emulated/ex03_template --help lists those of ex03.\n"
     "Exit status: 0 right, 1 wrong, 2 usage or environment, 3 a TODO is unfilled,\n"
     "77 skipped. ./course help table explains the columns.\n"},
    {"bench", commandBench, "bench [EX...] [options]", "the timings of the solutions",
     "Runs the solution of each named exercise (of all, if none is named) beside the\n"
     "CPU baseline.\n\n"
     "  --template      your template's timings first, to compare with\n"
     "  --csv FILE      adds a row per variant of the solution to FILE\n"
     "  --compare [X]   beside the recorded results: how much faster or slower each\n"
     "                  row is; exit status 1 if one is more than 5 % slower. X: h200\n"
     "                  or another folder of solutions/timings, a results file, or a\n"
     "                  folder of them; otherwise those of the nearest GPU\n"
     "  --record [DIR]  all runs of solutions/recordings.txt, sweeps too, a file each\n"
     "                  in DIR (build/results); without a GPU fewer, at small sizes\n"
     "  --report [FILE] afterwards a page of these results (report.html)\n"
     "  --within MIN    ends after MIN minutes, building included: tables first,\n"
     "                  then sweeps as long as there is time; --resume runs the rest\n"
     "  --resume        goes on with a bench that was interrupted, after its last\n"
     "                  finished exercise; alone\n"
     "  --quick         small sizes, few repetitions\n"
     "  --device=WHICH  auto (a GPU if there is one), gpu, the number of a GPU, or\n"
     "                  emulated\n"
     "  --patience N    seconds without a new row after which a program is ended (600)\n\n"
     "Every other option goes to the exercise, such as --size, --block, --sweep. The\n"
     "results are kept in build/results, for ./course report.\n"},
    {"watch", commandWatch, "watch [EX...]", "checks a template each time you save it",
     "Checks the templates of the named exercises (of all, if none is named) within a\n"
     "second of each change to them or to a header beside them, and shows the TODO\n"
     "that comes next. It reads the files, so that it works on network file systems,\n"
     "too. Ctrl-C ends it.\n"},
    {"read", commandRead, "read EX [--hints]", "the lesson and the task, for the terminal",
     "Shows the exercise's README without Markdown's marks, as wide as the terminal\n"
     "or COLUMNS; a long one through PAGER. Of each TODO it shows the first hint.\n"
     "./course read streams shows a lesson that several exercises need.\n\n"
     "  --hints   all hints\n"},
    {"book", commandBook, "book [-o FILE] [--answers]", "all lessons and tasks as one page of HTML",
     "Writes README, lessons, tasks, hints, pictures and glossary as one file that\n"
     "needs no network, for a phone, a screen or paper, with a field to search in it;\n"
     "needs cmark-gfm.\n\n"
     "  -o FILE     its name (course.html)\n"
     "  --answers   the answers to the questions, too\n"},
    {"slides", commandSlides, "slides [EX...] [-o WHERE]", "the lessons as slides, with notes",
     "Writes a deck for each named exercise (for all, if none is named): one page of\n"
     "HTML that needs no network. Prints a slide a page. The notes below a slide hold\n"
     "the whole text and, on the first, the exercise's section of TEACHING.md; the key\n"
     "n opens and closes all of them, and open ones are printed, too. Needs cmark-gfm.\n\n"
     "  -o WHERE   a folder (slides), or FILE.html for one exercise\n"},
    {"recorded", commandRecorded, "recorded EX [--sweep]", "timings recorded on a GPU",
     "Shows the recorded timings of the solution of an exercise, for those who have no\n"
     "GPU, and to compare with.\n\n"
     "  --sweep          the sweeps over block sizes, strides, sizes and the like,\n"
     "                   with a bar for each point\n"
     "  --variant NAME   only rows with NAME in their names\n"
     "  --on FOLDER      of solutions/timings; otherwise h200\n"},
    {"picture", commandPicture, "picture EX [options]",
     "draws what your kernels did, access by access",
     "Runs your template on the emulated device at a small size, and draws the\n"
     "requests of block 0, place by place: which lane asked for which word, the\n"
     "sectors of global memory or the banks of shared memory that this took, the paths\n"
     "of a branch, who waited at a barrier. Each sign is a lane: 0 to 9, then a to v.\n\n"
     "  --line N         only the accesses of line N\n"
     "  --kernel NAME    only this kernel (or all with names that begin so)\n"
     "  --event WHAT     only loads, stores, atomics, branches or barriers\n"
     "  --variant NAME   only this row of the table\n"
     "  --solution       the reference solution instead of your template\n"
     "  -o FILE.svg      as a picture instead of text\n"
     "  --trace FILE     no exercise, but the trace of any program that ran with\n"
     "                   CUDA_EMULATED_TRACE=FILE\n\n"
     "Every other option goes to the exercise, such as --size, --block. An example:\n\n"
     "  ./course picture ex04 --solution --kernel addStride\n"},
    {"diff", commandDiff, "diff EX [--cpu]", "your template against the solution",
     "Shows the differences between your template and the solution or, with --cpu, the\n"
     "CPU baseline.\n"},
    {"hint", commandHint, "hint EX [TODO [1|2|3]]", "the task, or a hint for one TODO",
     "Three tiers: the concept, the call, nearly the code. ./course hint ex03 2 3\n"
     "shows tier 3 of TODO 2.\n"},
    {"answer", commandAnswer, "answer EX", "the answers to the questions", ""},
    {"reset", commandReset, "reset EX", "the empty template; yours is kept beside it",
     "The template as git last recorded it; in an installation, the installation's; in\n"
     "a course that came as an archive, as it was at your first ./course.\n"},
    {"cc", commandCc, "cc FILE.cu -o PROGRAM",
     "compiles any CUDA C program for the emulated device",
     "Takes a compiler's usual options: -c -o -I -D -O -g -l -L, and finds the\n"
     "course's cuda_utils.h. The program runs without a GPU and reports mistakes with\n"
     "the line of your file, as explained in emulated/README.md.\n"},
    {"device", commandDevice, "device [options]", "the GPUs here, and the device that is used",
     "Shows the facts of every device: multiprocessors, clocks, memory, limits, buses.\n\n"
     "  --measure       a device's costs: launches over blocks, copies between host\n"
     "                  and device and on the device over their size, atomics over\n"
     "                  addresses. Takes --csv FILE, --quick and --size, too\n"
     "  --doctor        is this machine fit for the course? Driver, toolkit, tools,\n"
     "                  other processes, and advice on each problem; exit status 2 if\n"
     "                  something must be repaired\n"
     "  --device=WHICH  auto (a GPU if there is one), gpu or emulated; with --measure\n"
     "                  also the number of a GPU\n"},
    {"report", commandReport, "report [RESULTS...]", "a page of results, with plots",
     "Writes the results in these files and folders as one page that needs no\n"
     "network: tables with bars, sweeps as plots, and the differences to the recorded\n"
     "results. Without RESULTS those of the last bench (build/results), otherwise the\n"
     "recorded ones of the first folder in solutions/timings.\n\n"
     "  -o FILE       the page (report.html)\n"
     "  --compare X   the recorded results to compare with, as for bench\n"},
    {"rollup", commandRollup, "rollup FOLDER...", "who of a class has passed what",
     "Reads the records of the students' checks, build/progress.txt in these folders\n"
     "or the cuda-course of these homes, or such files (anna.txt), and shows who has\n"
     "passed what, and where the class is stuck. The part in which the paths differ\n"
     "names a student. Claims that cannot be true are reported and do not count.\n"
     "rollup flags templates that equal the solution or another student's template,\n"
     "name the solution's file, or have lost TODO markers.\n\n"
     "  --csv FILE        a row for each student and exercise\n"
     "  --students FILE   a row for each student, as CSV\n"
     "  -o FILE           a page: progress by exercise, who is stuck where, last\n"
     "                    activity, and templates to look at\n"
     "  --anonymous       numbers instead of names, and a page for the room\n"
     "  --verify=USER     builds the templates behind each PASS and checks them again,\n"
     "                    on the emulated device. As root: their programs run as USER,\n"
     "                    such as nobody. --verify=here runs them as yourself: in a\n"
     "                    container, or as a user with nothing to lose\n"
     "  --in FOLDER       verifies in there; otherwise where temporary files are kept\n"
     "  --limit N         seconds for each of these checks (60)\n"},
    {"handout", commandHandout, "handout FOLDER [EX...]",
     "the course for students, without solutions",
     "Makes a new folder, or an archive if the name ends with .tar.gz, with these\n"
     "exercises (all, if none is named): without solutions, answers, history and the\n"
     "files for authors and teachers. Everything else works there; a command that\n"
     "needs a solution says so. The templates must be unsolved.\n"},
    {"install", commandInstall, "install FOLDER [EX...]", "the course for many, in one folder",
     "Copies these exercises (all, if none is named) into a new folder, and builds\n"
     "everything there as this build is configured. Others can only read it: their\n"
     "templates, builds and results are in ~/cuda-course, or in COURSE_WORK. An older\n"
     "installation in that folder is brought up to date, and students learn which\n"
     "templates have changed. The templates must be unsolved.\n\n"
     "  --without-solutions   as a handout; install again without it to add them\n"},
    {"release", commandRelease, "release FOLDER EX...", "solutions and answers for a handout",
     "Copies the solutions and the answers of these exercises into the folder that\n"
     "./course handout has made. The next build there includes them.\n"},
    {"build", commandBuild, "build [EX...]", "builds all programs, for the GPU too",
     "Check and bench build the programs that they run. This command builds all\n"
     "programs of the named exercises (of all, if none is named). On a machine with\n"
     "nvcc and no GPU, such as a cluster's login node, that includes the programs for\n"
     "compute nodes. CUDAARCHS sets their architectures, such as 80, \"80;90\" or all,\n"
     "from then on. Otherwise they are those of the GPUs here, or the oldest that nvcc\n"
     "knows, from which the driver compiles for any newer GPU.\n"},
    {"test", commandTest, "test [--author]", "builds what runs here, and tests it",
     "Without a GPU, the GPU's programs are not built; ./course build builds them.\n\n"
     "  --author   all programs, and the authors' tests: mutants, sanitized programs,\n"
     "             the rooms one by one. Demands unsolved templates, and takes much\n"
     "             longer\n\n"
     "As many jobs run at once as this process may use cores, at most 16;\n"
     "CMAKE_BUILD_PARALLEL_LEVEL sets another number.\n"},
    {"new", commandNew, "new EXNN_NAME TITLE", "for authors: a folder for a new exercise",
     "Makes a folder that builds and is unsolved, adds it to CMakeLists.txt, and\n"
     "configures again. CONTRIBUTING.md explains the next steps. An example:\n\n"
     "  ./course new ex26_fast_transpose \"Transpose a matrix\"\n"},
    {"pair", commandPair, "pair [EX...] [--fix]", "for authors: template and solution in step",
     "Demands that template and solution agree outside the TODO regions. --fix copies\n"
     "the solution's text there into the template; the template's regions stay.\n"},
    {"tables", commandTables, "tables [--check]",
     "for authors: the documents' tables from the CSV files",
     "  --check   writes nothing, and names the documents with stale tables\n"},
    {"forecasts", commandForecasts, "forecasts [EX...]",
     "for authors: the forecast times beside recorded ones",
     "Runs the solutions on the emulated device at two sizes, carries its counts to\n"
     "the recorded size, and compares the model's times with the recorded ones.\n\n"
     "  --fit     fits the model's constants, too: to each half of the exercises,\n"
     "            judged by the other half, and to all\n"
     "  --usual   at the sizes of a check, as rows of solutions/timings/forecasts.csv\n"},
    {"targets", commandTargets, "targets [EX...]", "for authors: what each row should reach",
     "Runs the solutions on the emulated device, and writes the counters of their\n"
     "rows to targets.csv in each exercise's folder. A check compares a template's\n"
     "rows with them.\n\n"
     "  --check       writes nothing, and names the exercises whose targets are stale\n"
     "  --rows FILE   what a check would say about the rows in this results file\n"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

/* The meaning of a column, and its narrow head, if that differs. */
static void explainHead(const struct table_head *head)
{
    const int both = head->narrow[0] != '\0' && !isSame(head->wide, head->narrow);

    printf("  %-18s  %s\n", both ? formatString("%s, %s", head->wide, head->narrow) : head->wide,
           head->meaning);
}

static void explainHeads(const char *what, const struct table_head *heads, int count)
{
    printf("%s\n", what);
    for (int i = 0; i < count; i++)
        explainHead(&heads[i]);
}

/* On one screen of 24 lines, with a prompt below. */
static void helpTable(void)
{
    explainHeads("A row says where it ran (Emu: emulated device, Acc: OpenACC, Lib: library), and",
                 timeHeads, TIME_HEADS);
    explainHeads("On the emulated device, each from the lesson on that explains it:", counterHeads,
                 COUNTER_HEADS);
    explainHeads("Below bench --compare:", compareHeads, COMPARE_HEADS);
}

static void help(void)
{
    printf("usage: ./course [--install] COMMAND [...]\n\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-23s %s\n", commands[i].usage, commands[i].summary);
    printf("\n  --install   installs what is missing first (Debian and Ubuntu)\n"
           "  --version   the version of the course\n\n"
           "EX is ex03, 3 or ex03_vector_add. ./course help COMMAND tells more, and\n"
           "./course help table explains the columns of a check and a bench.\n"
           "./course alone shows where you are, and what comes next.\n");
}

/* Ends the program if there is none of that name. */
static const struct command *commandNamed(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (isSame(name, commands[i].name))
            return &commands[i];
    if (isSame(name, "bound"))
        fail(EXIT_USAGE, "bound is gone: ./course check tells how long an H200 would take");
    fail(EXIT_USAGE, "there is no command '%s'; ./course --help lists them", name);
}

static void helpCommand(const struct command *c)
{
    printf("usage: ./course %s\n%s\n%s", c->usage, c->summary, c->help);
}

/* ./course help: all commands, the table, or one command. */
static void helpOn(int argc, char **argv)
{
    if (argc > 3)
        fail(EXIT_USAGE, "help explains one thing at a time: a command, or table");
    if (argc < 3)
        help();
    else if (isSame(argv[2], "table"))
        helpTable();
    else
        helpCommand(commandNamed(argv[2]));
}

static int isHelp(const char *word) { return isSame(word, "--help") || isSame(word, "-h"); }

/* If the caller has closed standard input or output, the next opened file would take its place. */
static void fillStandardStreams(void)
{
    int opened;

    do
        opened = open("/dev/null", O_RDONLY);
    while (opened >= 0 && opened <= STDERR_FILENO);
    if (opened >= 0)
        close(opened);
}

/* A command leaves its memory to the system (text.h): under AddressSanitizer that is no leak. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

int main(int argc, char **argv)
{
    const struct command *command;
    int status;

    fillStandardStreams();
    signal(SIGXFSZ, SIG_IGN); /* a file over ulimit -f is an error with a message */
    /* rollup is for instructors, who need no templates in their home. */
    if (argc < 2 || (!startsWith(argv[1], "--") && !isSame(argv[1], "rollup"))) {
        workPrepare();
        workKeep();
    }
    if (argc < 2)
        return commandOverview();
    if (isSame(argv[1], "--prepare")) { /* a student's folder and build, for rollup --verify */
        workPrepare();
        return workConfigure();
    }
    if (isHelp(argv[1]) || isSame(argv[1], "help")) {
        helpOn(argc, argv);
        return EXIT_PASS;
    }
    if (isSame(argv[1], "--version")) {
        printf("CUDA C course %s\n", COURSE_VERSION);
        return EXIT_PASS;
    }
    command = commandNamed(argv[1]);
    if (argc == 3 && isHelp(argv[2])) {
        helpCommand(command);
        return EXIT_PASS;
    }
    status = command->run(argc - 1, argv + 1);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(EXIT_ERROR, "cannot write to standard output");
    return status;
}
