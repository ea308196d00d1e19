/* Checks again the work that a student has handed in, for rollup --verify. */
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

/* The user as whom programs run; NULL: this one. */
static const struct passwd *userOf(const struct recheck *r)
{
    return strcmp(r->user, "here") != 0 ? getpwnam(r->user) : NULL;
}

/* Runs a shell command as the user and drops its output, at most for this many seconds (0: no
 * limit). The environment tells ./course where the student's folder is. Returns the exit status, or
 * -1 if the time was up. */
static int runAs(const struct recheck *r, const char *command, double limit)
{
    const struct passwd *p = userOf(r);
    char *user = formatString("--reuid=%ld", p != NULL ? (long)p->pw_uid : 0L);
    char *group = formatString("--regid=%ld", p != NULL ? (long)p->pw_gid : 0L);
    char *argv[] = {"setpriv",       user, group, "--clear-groups", "--no-new-privs", "sh", "-c",
                    (char *)command, NULL};
    char *settings[] = {formatString("COURSE_SOURCE=%s", sourceFolder()),
                        formatString("COURSE_INSTALLED=%s", sharedBuild()),
                        formatString("COURSE_WORK=%s/student", r->folder),
                        formatString("COURSE_BUILD=%s/student/build", r->folder),
                        formatString("HOME=%s/student", r->folder),
                        NULL};
    struct job job = {.argv = p != NULL ? argv : argv + 5,
                      .settings = settings,
                      .captured = 1,
                      .patience = limit};

    jobRun(&job);
    free(job.output);
    for (char **setting = settings; *setting != NULL; setting++)
        free(*setting);
    free(group);
    free(user);
    return job.outOfTime ? -1 : job.status;
}

/* Ends the program if the user does not exist or cannot start the course. */
static void mustBeAble(const struct recheck *r)
{
    if (strcmp(r->user, "here") != 0) {
        if (userOf(r) == NULL)
            fail(EXIT_USAGE, "--verify=%s: there is no such user", r->user);
        if (getuid() != 0)
            fail(EXIT_USAGE,
                 "--verify=%s: only root can start programs as another user; "
                 "--verify=here, in a container or as a user with nothing to lose",
                 r->user);
    }
    if (runAs(r, "exec \"$COURSE_INSTALLED/course\" --version", 0.0) != 0)
        fail(EXIT_ERROR,
             "%s cannot start %s/course: use an installation (./course install) in a folder that "
             "all can enter",
             r->user, sharedBuild());
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
    char *place = r->place != NULL ? realpath(r->place, NULL) : NULL;

    if (r->place != NULL && place == NULL)
        fail(EXIT_ERROR, "cannot verify in %s: %s", r->place, strerror(errno));
    r->folder = place != NULL ? formatString("%s/course-verify-XXXXXX", place)
                              : temporaryPattern("course-verify");
    jobsWrite(r->folder);
    if (mkdtemp(r->folder) == NULL || chmod(r->folder, 0711) != 0)
        fail(EXIT_ERROR, "cannot make the folder %s: %s", r->folder, strerror(errno));
    toRemove = r->folder;
    atexit(removeFolder);
    if (runAs(r, "test -e \"${COURSE_WORK%/student}\"", 0.0) != 0)
        fail(EXIT_ERROR, "%s cannot enter %s: --in names another place", r->user, r->folder);
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
    char *folder = formatString("%s/student", r->folder), *owner = formatString("%s:", r->user);

    if (removeTree(folder) != 0)
        fail(EXIT_ERROR, "cannot remove %s", folder);
    writeTemplates(folder, wanted, texts, count);
    if ((userOf(r) != NULL && runCommand((char *[]){"chown", "-R", owner, folder, NULL}, 0) != 0) ||
        runAs(r, "exec \"$COURSE_INSTALLED/course\" --prepare", 0.0) != 0)
        fail(EXIT_ERROR, "%s cannot configure a build with %s", r->user, sharedBuild());
    free(owner);
    free(folder);
}

char *recheckExercise(const struct recheck *r, const struct exercise_entry *e)
{
    char *check =
        formatString("exec \"$COURSE_INSTALLED/course\" check %s --device=emulated", e->brief);
    const int status = runAs(r, check, r->limit);

    free(check);
    if (status < 0)
        return formatString("checked again, it is not done after %.0f s", r->limit);
    if (status == EXIT_ERROR)
        return formatString("checked again, it does not build, or ends before its verdict");
    return status == EXIT_PASS ? NULL
                               : formatString("checked again, it is %s", verdictWord(status));
}

void recheckClose(struct recheck *r)
{
    removeFolder();
    r->folder = NULL;
}
