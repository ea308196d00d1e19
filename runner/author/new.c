/* new: a folder for a new exercise, from the files in runner/author/skeleton. */
#include "commands.h"
#include "files.h"
#include "build.h"
#include "process.h"
#include "text.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The names of an exercise in their several forms. */
struct names {
    const char *folder, *title; /* ex26_fast_transpose */
    char brief[5];              /* ex26 */
    const char *file;           /* fast_transpose */
    char function[64];          /* fastTranspose */
    char guard[64];             /* FAST_TRANSPOSE */
};

static struct names namesOf(const char *folder, const char *title)
{
    struct names n = {.folder = folder, .title = title};
    size_t length = 0;

    if (!startsWith(folder, "ex") || !isdigit((unsigned char)folder[2]) ||
        !isdigit((unsigned char)folder[3]) || folder[4] != '_' ||
        !islower((unsigned char)folder[5]) || strlen(folder) > 60 ||
        folder[strspn(folder, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
        fail(EXIT_USAGE, "new: '%s': expected a name such as ex26_fast_transpose", folder);
    if (title[0] == '\0' || strlen(title) > 100 || strpbrk(title, "\"\\|;$\n") != NULL)
        fail(EXIT_USAGE, "new: the title is text of up to 100 letters, without \" \\ | ; $");
    memcpy(n.brief, folder, 4);
    n.file = folder + 5;
    for (const char *p = n.file; *p != '\0'; p++)
        if (*p != '_') {
            const int starts = p[-1] == '_' && length > 0;

            n.function[length++] = starts ? (char)toupper((unsigned char)*p) : *p;
        }
    for (size_t i = 0; n.file[i] != '\0'; i++)
        n.guard[i] = (char)toupper((unsigned char)n.file[i]);
    return n;
}

/* Writes one file of the exercise: the skeleton's of that name, with the exercise's names. */
static void writeFile(const char *path, const char *skeleton, const struct names *n)
{
    const char *const marks[][2] = {{"@folder@", n->folder},     {"@short@", n->brief},
                                    {"@title@", n->title},       {"@file@", n->file},
                                    {"@function@", n->function}, {"@GUARD@", n->guard}};
    const char *at =
        readFile(formatString("%s/runner/author/skeleton/%s.in", sourceFolder(), skeleton));
    struct text out = {0};

    appendText(&out, "");
    while (*at != '\0') {
        size_t i = 0;

        while (i < sizeof marks / sizeof *marks && !startsWith(at, marks[i][0]))
            i++;
        if (i < sizeof marks / sizeof *marks) {
            appendText(&out, marks[i][1]);
            at += strlen(marks[i][0]);
        } else {
            append(&out, at++, 1);
        }
    }
    replaceFile(path, out.data);
}

/* Ends the program if there is an exercise of that number already. */
static void demandFree(const struct names *n)
{
    const glob_t found = matching(formatString("%s/%s_*", sourceFolder(), n->brief));

    if (found.gl_pathc > 0)
        fail(EXIT_USAGE, "new: %s is there already: choose another number",
             strrchr(found.gl_pathv[0], '/') + 1);
}

/* CMakeLists.txt with a line for the exercise, among the others by its number. */
static char *listWith(const char *path, const struct names *n)
{
    static const char call[] = "add_exercise(";
    const char *old = readFile(path), *place = NULL;

    for (const char *line = old, *next; *line != '\0'; line = next) {
        const int isCall = startsWith(line, call);
        const char *last = isCall ? ")\n" : "\n"; /* a call may have several lines */
        const char *end = strstr(line, last);
        const int order = isCall ? strncmp(line + strlen(call), n->brief, 4) : 1;

        next = end != NULL ? end + strlen(last) : strchr(line, '\0');
        if (order == 0)
            fail(EXIT_USAGE, "new: %s has an exercise %s already", path, n->brief);
        if (order < 0)
            place = next;
    }
    if (place == NULL && (place = strstr(old, call)) == NULL)
        fail(EXIT_ERROR, "%s has no line '%s...)' to put another beside", path, call);
    return formatString("%.*s%s%-23s \"%s\")\n%s", (int)(place - old), old, call, n->folder,
                        n->title, place);
}

/* Writes the exercise's folder. Its files are complete before it gets its name. */
static void writeFolder(const struct names *n)
{
    static const char *const files[] = {"main.c",    "cpu.c",      "solution.cu", "template.cu",
                                        "README.md", "checks.txt", "variants.inc"};
    const char *folder = formatString("%s/%s", sourceFolder(), n->folder);
    const char *partial = formatString("%s/.%s.new-%ld", sourceFolder(), n->folder, (long)getpid());

    if (mkdir(partial, 0777) != 0)
        fail(EXIT_ERROR, "cannot make %s: %s", partial, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        writeFile(formatString("%s/%s", partial, files[i]),
                  isSame(files[i], "template.cu") ? "solution.cu" : files[i],
                  n); /* still the same */
    writeFile(formatString("%s/%s.h", partial, n->file), "interface.h", n);
    if (rename(partial, folder) != 0)
        fail(EXIT_ERROR, "cannot rename %s to %s: %s", partial, folder, strerror(errno));
}

int commandNew(int argc, char **argv)
{
    struct names n;
    const char *list = formatString("%s/CMakeLists.txt", sourceFolder()), *text, *answers;
    char *configure[] = {"cmake", "-S", (char *)sourceFolder(), "-B", (char *)buildFolder(), NULL};

    if (argc != 3)
        fail(EXIT_USAGE, "new needs a name and a title, such as ./course new ex26_fast_transpose "
                         "\"Transpose a matrix\"");
    n = namesOf(argv[1], argv[2]);
    demandFree(&n);
    text = listWith(list, &n);
    if (access(list, W_OK) != 0)
        fail(EXIT_ERROR, "cannot write %s: %s", list, strerror(errno));
    writeFolder(&n);
    replaceFile(list, text);
    answers = formatString("%s/solutions/%s.md", sourceFolder(), n.brief);
    if (!exists(answers))
        writeFile(answers, "answers.md", &n);
    if (runCommand(configure, 1) != 0)
        return runCommand(configure, 0) == 0 ? EXIT_PASS : EXIT_ERROR; /* again, for the message */
    printf("%s is there, and unsolved. CONTRIBUTING.md explains the next steps:\n"
           "  the problem    %s/main.c, cpu.c, %s.h\n"
           "  the kernel     %s/solution.cu, between the TODO lines; then ./course pair --fix %s\n"
           "  its test       ./course check %s --solution\n",
           n.folder, n.folder, n.file, n.folder, n.brief, n.brief);
    return EXIT_PASS;
}
