/* Checking again what a student has handed in, for rollup --verify. */
#include "recheck.h"
#include "build.h"
#include "files.h"
#include "process.h"
#include "text.h"
#include "run_program.h"
#include <errno.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Seconds of one core, measured with ex01 and ex03: to configure a student's build, and to build
 * and check an exercise. */
static const double ofStudent = 2.2, ofCheck = 2.0;

/* The words before a command that make it the user's, with what tells ./course where the student's
 * folder is; a string for the shell, which the caller frees. */
static char *start(const struct recheck *r)
{
    char *source = quoted(sourceFolder()), *built = quoted(sharedBuild());
    char *folder = quoted(r->folder), *line;
    const struct passwd *p = getpwnam(r->user);
    char *user =
        strcmp(r->user, "here") == 0 || p == NULL
            ? formatString("%s", "")
            : formatString("setpriv --reuid=%ld --regid=%ld --clear-groups --no-new-privs ",
                           (long)p->pw_uid, (long)p->pw_gid);

    line = formatString("%senv COURSE_SOURCE=%s COURSE_INSTALLED=%s COURSE_WORK=%s/student "
                        "COURSE_BUILD=%s/student/build HOME=%s/student",
                        user, source, built, folder, folder, folder);
    free(user);
    free(folder);
    free(built);
    free(source);
    return line;
}

/* Runs a shell command as the user, without its output. Returns its exit status. */
static int runAs(const struct recheck *r, const char *command)
{
    char *words = start(r), *line = formatString("%s %s", words, command);
    char *argv[] = {"sh", "-c", line, NULL};
    struct job job = {.argv = argv, .captured = 1};

    jobRun(&job); /* which an interrupt ends */
    free(job.output);
    free(line);
    free(words);
    return job.status;
}

/* The path of this program, as a word for the shell. */
static char *self(void)
{
    char *path = formatString("%s/course", sharedBuild()), *word = quoted(path);

    free(path);
    return word;
}

/* Ends the program if the user is none, or cannot start the course. */
static void mustBeAble(const struct recheck *r)
{
    char *program = self(), *version = formatString("%s --version", program);

    if (strcmp(r->user, "here") != 0) {
        if (getpwnam(r->user) == NULL)
            fail(EXIT_USAGE, "--verify=%s: there is no such user", r->user);
        if (getuid() != 0)
            fail(EXIT_USAGE,
                 "--verify=%s: only root can start programs as another user; "
                 "--verify=here, in a container or as a user with nothing to lose",
                 r->user);
    }
    if (runAs(r, version) != 0)
        fail(EXIT_ERROR,
             "%s cannot start %s: use an installation (./course install) in a folder that all can "
             "enter",
             r->user, program);
    free(version);
    free(program);
}

static char *toRemove; /* the temporary folder */

/* However the program ends; at an interrupt jobsWrite() sees to it. */
static void removeFolder(void)
{
    if (toRemove == NULL)
        return;
    removeTree(toRemove);
    jobsWrite(NULL);
    free(toRemove);
    toRemove = NULL;
}

/* Makes the temporary folder, which every user may enter. */
static void makeFolder(struct recheck *r)
{
    char *place = r->place != NULL ? realpath(r->place, NULL) : NULL, *word, *isThere;

    if (r->place != NULL && place == NULL)
        fail(EXIT_ERROR, "cannot verify in %s: %s", r->place, strerror(errno));
    r->folder = place != NULL ? formatString("%s/course-verify-XXXXXX", place)
                              : temporaryPattern("course-verify");
    jobsWrite(r->folder);
    if (mkdtemp(r->folder) == NULL || chmod(r->folder, 0711) != 0)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", r->folder, strerror(errno));
    toRemove = r->folder;
    atexit(removeFolder);
    word = quoted(r->folder);
    isThere = formatString("test -e %s", word);
    if (runAs(r, isThere) != 0)
        fail(EXIT_ERROR, "%s cannot enter %s: --in names another place", r->user, r->folder);
    free(isThere);
    free(word);
    free(place);
}

/* "40 s", "12 min", in a string that the caller frees. */
static char *textOfDuration(double seconds)
{
    return seconds < 100.0 ? formatString("%.0f s", seconds)
                           : formatString("%.0f min", ceil(seconds / 60.0));
}

/* Says how long it will take. */
static void sayDuration(const struct recheck *r, size_t students, size_t claims)
{
    char *usual = textOfDuration(ofStudent * (double)students + ofCheck * (double)claims);
    char *most = textOfDuration(ofStudent * (double)students + r->limit * (double)claims);

    fprintf(stderr,
            "course: verifying %zu PASS verdict%s of %zu student%s in %s: about %s, at most %s\n",
            claims, claims == 1 ? "" : "s", students, students == 1 ? "" : "s", r->folder, usual,
            most);
    free(most);
    free(usual);
}

void recheckOpen(struct recheck *r, const struct exercise_entry *const *wanted, size_t count,
                 size_t students, size_t claims)
{
    struct text targets = {0};

    r->folder = (char *)"";
    mustBeAble(r);
    makeFolder(r);
    sayDuration(r, students, claims);
    appendText(&targets, "emulated-cc");
    for (size_t i = 0; i < count; i++)
        appendFormat(&targets, " %s_template_emulated", wanted[i]->brief);
    if (buildShared(targets.data) != 0)
        exit(EXIT_ERROR);
    free(targets.data);
}

/* Writes the templates into a new folder of the student's. */
static void writeTemplates(const char *folder, const struct exercise_entry *const *wanted,
                           char *const *texts, size_t count)
{
    if (mkdir(folder, 0755) != 0)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", folder, strerror(errno));
    for (size_t i = 0; i < count; i++) {
        char *own = sourcePath(wanted[i], "template");
        char *exercise = formatString("%s/%s", folder, wanted[i]->name);
        char *path = formatString("%s/%s", exercise, strrchr(own, '/') + 1);

        if (mkdir(exercise, 0755) != 0)
            fail(EXIT_ERROR, "cannot make the folder %s: %s", exercise, strerror(errno));
        replaceFile(path, texts[i]);
        free(path);
        free(exercise);
        free(own);
    }
}

void recheckStudent(const struct recheck *r, const struct exercise_entry *const *wanted,
                    char *const *texts, size_t count)
{
    char *folder = formatString("%s/student", r->folder), *word = quoted(folder), *program = self();
    char *source = quoted(sourceFolder()), *built = quoted(sharedBuild());
    const struct passwd *p = getpwnam(r->user);
    char *owner = formatString("chown -R %ld:%ld %s", p != NULL ? (long)p->pw_uid : 0L,
                               p != NULL ? (long)p->pw_gid : 0L, word);
    char *chown[] = {"sh", "-c", owner, NULL};
    char *prepare = formatString("%s --prepare", program);
    char *configure =
        formatString("cmake -S %s -B %s/build -C %s/settings.cmake -DCOURSE_INSTALLED=%s "
                     "-DCOURSE_WORK=%s",
                     source, word, built, built, word);

    if (removeTree(folder) != 0)
        fail(EXIT_ERROR, "cannot remove %s", folder);
    writeTemplates(folder, wanted, texts, count);
    if ((strcmp(r->user, "here") != 0 && runCommand(chown, 0) != 0) || runAs(r, prepare) != 0 ||
        runAs(r, configure) != 0)
        fail(EXIT_ERROR, "%s cannot configure a build with %s", r->user, sharedBuild());
    free(configure);
    free(prepare);
    free(owner);
    free(built);
    free(source);
    free(program);
    free(word);
    free(folder);
}

char *recheckExercise(const struct recheck *r, const struct exercise_entry *e)
{
    char *words = start(r), *program = self();
    char *line = formatString("exec %s %s check %s --device=emulated", words, program, e->brief);
    char *argv[] = {"sh", "-c", line, NULL};
    struct job job = {.argv = argv, .captured = 1, .patience = r->limit};

    jobRun(&job);
    free(job.output);
    free(line);
    free(program);
    free(words);
    if (job.outOfTime)
        return formatString("checked again, it is not done after %.0f s", r->limit);
    if (job.status == EXIT_ERROR)
        return formatString("checked again, it does not build, or ends before its verdict");
    return job.status == EXIT_PASS
               ? NULL
               : formatString("checked again, it comes to %s", verdictWord(job.status));
}

void recheckClose(struct recheck *r)
{
    removeFolder();
    r->folder = NULL;
}
