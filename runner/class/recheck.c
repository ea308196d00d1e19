/* Checks again the work that students have handed in, for rollup --verify. */
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
    return !isSame(r->user, "here") ? getpwnam(r->user) : NULL;
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
    free(job.output); /* of hundreds of checks */
    return job.outOfTime ? -1 : job.status;
}

/* Ends the program if the user does not exist or cannot start the course. */
static void mustBeAble(const struct recheck *r)
{
    if (!isSame(r->user, "here")) {
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

static const char *toRemove; /* the temporary folder */

/* However the program ends; at an interrupt jobsWrite() sees to it. */
static void removeFolder(void)
{
    removeTree(toRemove);
    jobsWrite(NULL);
}

/* Makes the temporary folder, which every user may enter. */
static void openFolder(struct recheck *r)
{
    const char *place = r->place != NULL ? realpath(r->place, NULL) : NULL;

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
}

/* "40 s", "12 min" */
static char *textOfDuration(double seconds)
{
    return seconds < 100.0 ? formatString("%.0f s", seconds)
                           : formatString("%.0f min", ceil(seconds / 60.0));
}

/* Gives a new student's folder the templates that are checked again, and configures a build. */
static void prepare(const struct recheck *r, const struct student *s)
{
    char *folder = formatString("%s/student", r->folder), *owner = formatString("%s:", r->user);

    if (removeTree(folder) != 0)
        fail(EXIT_ERROR, "cannot remove %s", folder);
    makeFolder(folder, 0755, 0);
    for (const struct claim *c = s->claims; c->exercise != NULL; c++)
        if (c->again) {
            const char *own = sourcePath(c->exercise, "template");
            const char *exercise = formatString("%s/%s", folder, c->exercise->name);

            makeFolder(exercise, 0755, 0);
            replaceFile(formatString("%s/%s", exercise, strrchr(own, '/') + 1), c->template);
        }
    if ((userOf(r) != NULL && runCommand((char *[]){"chown", "-R", owner, folder, NULL}, 0) != 0) ||
        runAs(r, "exec \"$COURSE_INSTALLED/course\" --prepare", 0.0) != 0)
        fail(EXIT_ERROR, "%s cannot configure a build with %s", r->user, sharedBuild());
}

/* Checks one exercise of the student. Returns NULL if it passes, otherwise its verdict. */
static const char *check(const struct recheck *r, const struct exercise_entry *e)
{
    const int status = runAs(
        r, formatString("exec \"$COURSE_INSTALLED/course\" check %s --device=emulated", e->brief),
        r->limit);

    return status < 0 ? formatString("checked again, it is not done after %.0f s", r->limit)
           : status == EXIT_ERROR ? "checked again, it does not build, or ends before its verdict"
           : status == EXIT_PASS  ? NULL
                                  : formatString("checked again, it is %s", verdictWord(status));
}

/* Marks and counts the claims of a student that can be checked again: each PASS with its template
 * still there and unchanged. */
static void mark(struct student *s)
{
    for (struct claim *c = s->claims; c->exercise != NULL; c++) {
        if (c->doubt != NULL || !isSame(c->verdict, "PASS"))
            continue;
        if (c->template == NULL)
            fprintf(stderr, "course: %s: %s: not verified, the template is not there\n", s->name,
                    c->exercise->brief);
        else if (hashOf(c->template) != strtoull(c->hash, NULL, 16))
            claimDoubt(s, c, "the template is not the one that was checked");
        else
            c->again = 1;
        s->again += (size_t)c->again;
    }
}

/* Checks the marked claims of a student. Returns how many of them hold. */
static size_t verifyStudent(const struct recheck *r, const struct student *s)
{
    size_t held = 0;

    prepare(r, s);
    for (struct claim *c = s->claims; c->exercise != NULL; c++) {
        const char *why = c->again ? check(r, c->exercise) : NULL;

        c->verified = c->again && why == NULL;
        held += (size_t)c->verified;
        if (why != NULL)
            claimDoubt(s, c, why);
    }
    return held;
}

/* Builds the objects that the students' programs are linked with. */
static void buildObjects(const struct roster *roster)
{
    struct text targets = {0};

    appendText(&targets, "emulated-cc");
    for (size_t i = 0; i < roster->exercises; i++) {
        size_t k = 0;

        while (k < roster->count && !roster->students[k].claims[i].again)
            k++;
        if (k < roster->count)
            appendFormat(&targets, " %s_template_emulated",
                         roster->students[k].claims[i].exercise->brief);
    }
    if (buildShared(targets.data) != 0)
        exit(EXIT_ERROR);
}

void rosterVerify(struct roster *roster, struct recheck *r)
{
    size_t claims = 0, students = 0, held = 0;

    for (size_t k = 0; k < roster->count; k++) {
        mark(&roster->students[k]);
        claims += roster->students[k].again;
        students += roster->students[k].again > 0;
    }
    if (claims == 0)
        return;
    r->folder = "";
    mustBeAble(r);
    openFolder(r);
    fprintf(stderr,
            "course: verifying %zu PASS verdict%s of %zu student%s in %s: about %s, at most %s\n",
            claims, claims == 1 ? "" : "s", students, students == 1 ? "" : "s", r->folder,
            textOfDuration(ofStudent * (double)students + ofCheck * (double)claims),
            textOfDuration(ofStudent * (double)students + r->limit * (double)claims));
    buildObjects(roster);
    for (size_t k = 0; k < roster->count; k++)
        if (roster->students[k].again > 0)
            held += verifyStudent(r, &roster->students[k]);
    roster->verified = formatString("%zu of %zu PASS verdict%s held when checked again.", held,
                                    claims, claims == 1 ? "" : "s");
}
