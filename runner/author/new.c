/* new: a folder for a new exercise, from the files in runner/author/skeleton. */
#include "commands.h"
#include "files.h"
#include "build.h"
#include "process.h"
#include "text.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The skeleton's text with the exercise's names, in a string that the caller frees. */
static char *filledIn(const char *skeleton, const struct names *n)
{
    const char *const marks[][2] = {{"@folder@", n->folder},     {"@short@", n->brief},
                                    {"@title@", n->title},       {"@file@", n->file},
                                    {"@function@", n->function}, {"@GUARD@", n->guard}};
    struct text out = {0};

    appendText(&out, "");
    while (*skeleton != '\0') {
        size_t i = 0;

        while (i < sizeof marks / sizeof *marks && !startsWith(skeleton, marks[i][0]))
            i++;
        if (i < sizeof marks / sizeof *marks) {
            appendText(&out, marks[i][1]);
            skeleton += strlen(marks[i][0]);
        } else {
            append(&out, skeleton++, 1);
        }
    }
    return out.data;
}

/* Writes one file of the exercise from the skeleton's of that name. */
static void writeFile(const char *path, const char *skeleton, const struct names *n)
{
    char *from = formatString("%s/runner/author/skeleton/%s.in", sourceFolder(), skeleton);
    char *text = readFile(from), *filled = filledIn(text, n);

    replaceFile(path, filled);
}

/* Ends the program if there is an exercise of that number already. */
static void demandFree(const struct names *n)
{
    DIR *folder = opendir(sourceFolder());

    if (folder == NULL)
        fail(EXIT_ERROR, "cannot read %s: %s", sourceFolder(), strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strncmp(entry->d_name, n->brief, 4) == 0 &&
            (entry->d_name[4] == '_' || entry->d_name[4] == '\0'))
            fail(EXIT_USAGE, "new: %s is there already: choose another number", entry->d_name);
    closedir(folder);
}

/* CMakeLists.txt with a line for the exercise, among the others by its number, in a string that the
 * caller frees. */
static char *listWith(const char *path, const struct names *n)
{
    static const char call[] = "add_exercise(";
    char *old = readFile(path), *place = NULL;
    struct text new = {0};

    for (char *line = old; line != NULL && *line != '\0';) {
        const int isCall = startsWith(line, call);
        const char *last = isCall ? ")\n" : "\n"; /* a call may have several lines */
        char *end = strstr(line, last),
             *next = end != NULL ? end + strlen(last) : strchr(line, '\0');
        const int order = isCall ? strncmp(line + strlen(call), n->brief, 4) : 1;

        if (order == 0)
            fail(EXIT_USAGE, "new: %s has an exercise %s already", path, n->brief);
        if (order < 0)
            place = next;
        line = next;
    }
    if (place == NULL && (place = strstr(old, call)) == NULL)
        fail(EXIT_ERROR, "%s has no line '%s...)' to put another beside", path, call);
    appendFormat(&new, "%.*s", (int)(place - old), old);
    appendFormat(&new, "%s%-23s \"%s\")\n%s", call, n->folder, n->title, place);
    return new.data;
}

/* Writes the exercise's folder. Its files are complete before it gets its name. */
static void writeFolder(const struct names *n)
{
    static const char *const files[] = {"main.c",    "cpu.c",      "solution.cu", "template.cu",
                                        "README.md", "checks.txt", "variants.inc"};
    char *folder = formatString("%s/%s", sourceFolder(), n->folder);
    char *partial = formatString("%s/.%s.new-%ld", sourceFolder(), n->folder, (long)getpid());
    char *path;

    if (mkdir(partial, 0777) != 0)
        fail(EXIT_ERROR, "cannot make %s: %s", partial, strerror(errno));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const int isTemplate = isSame(files[i], "template.cu"); /* still the same */

        path = formatString("%s/%s", partial, files[i]);
        writeFile(path, isTemplate ? "solution.cu" : files[i], n);
    }
    path = formatString("%s/%s.h", partial, n->file);
    writeFile(path, "interface.h", n);
    if (rename(partial, folder) != 0)
        fail(EXIT_ERROR, "cannot rename %s to %s: %s", partial, folder, strerror(errno));
}

int commandNew(int argc, char **argv)
{
    struct names n;
    char *list = formatString("%s/CMakeLists.txt", sourceFolder()), *text, *answers;
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
