/* rollup: who has passed what, from the progress.txt that each student's checks have written (progress.h). What a student
 * can write a student can forge: lines that cannot be true are named, the others are claims. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "recheck.h"
#include "request.h"
#include "text.h"
#include "todo.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 }; /* of a progress.txt: a line for each exercise, no more */
enum { CLAIMS = 64 };          /* of a student, to be verified */

/* What a student's file says of one exercise. */
struct claim {
    char verdict[24]; /* "PASS", "WRONG", "UNFILLED", "error", "SKIPPED"; "" if there is none */
    int advanced, advancedOf;
    char date[32], hash[32];
    char *doubt;  /* why it cannot be true; NULL if it can */
    int verified; /* 1: it passed when it was checked again */
};

struct student {
    char *name;
    char *folder;         /* the checkout; NULL if only the file is there */
    struct claim *claims; /* one for each exercise */
    int readable;
};

/* The last part of a path without its ending, with a question mark for what would upset a terminal or a table. */
static char *studentName(const char *path)
{
    char *copy = textOf("%s", path), *name, *slash, *result;

    while ((slash = strrchr(copy, '/')) != NULL && slash[1] == '\0' && slash != copy)
        *slash = '\0';
    slash = strrchr(copy, '/');
    name = slash != NULL ? slash + 1 : copy;
    if (strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".txt") == 0)
        name[strlen(name) - 4] = '\0';
    for (char *c = name; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c) || *c == ',' || *c == '"')
            *c = '?';
    result = textOf("%s", name);
    free(copy);
    return result;
}

/* The path of the progress.txt that a folder or file stands for, in a string that the caller frees; NULL if there is none. */
static char *progressOf(const char *path)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return NULL;
    if (!S_ISDIR(status.st_mode))
        return textOf("%s", path);
    for (int i = 0; i < 2; i++) {
        char *file =
            i == 0 ? textOf("%s/build/progress.txt", path) : textOf("%s/progress.txt", path);

        if (access(file, R_OK) == 0)
            return file;
        free(file);
    }
    return NULL;
}

/* The text of a regular file of a sensible size; NULL otherwise. */
static char *modestText(const char *path)
{
    struct stat status;
    char *text;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > MOST_BYTES ||
        access(path, R_OK) != 0)
        return NULL;
    text = readFileIfThere(path);
    if (text != NULL && strlen(text) != (size_t)status.st_size) { /* zero bytes */
        free(text);
        return NULL;
    }
    return text;
}

/* Reads a line of a progress.txt. Returns the number of its exercise; -1 if it is none. */
static int readClaim(const char *line, struct claim *claim)
{
    static const char *const verdicts[] = {"PASS", "WRONG", "UNFILLED", "SKIPPED", "error"};
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    char name[64];
    int end = 0, known = 0;

    *claim = (struct claim){.doubt = NULL};
    if (sscanf(line, "%63s %23s %d/%d %31s %31s%n", name, claim->verdict, &claim->advanced,
               &claim->advancedOf, claim->date, claim->hash, &end) != 6 ||
        line[end] != '\0' || strlen(claim->hash) != 16 ||
        claim->hash[strspn(claim->hash, "0123456789abcdef")] != '\0')
        return -1;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        known |= strcmp(claim->verdict, verdicts[i]) == 0;
    for (size_t i = 0; known && i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* 1 if a template's text still has basic TODOs without a solution. */
static int isUnfilled(const char *text)
{
    const struct todos todos = todosOf(text);

    return todoFilled(&todos, 0) < todoCount(&todos, 0);
}

/* Why a claim cannot be true, in a string that the caller frees; NULL if it can. template: the student's text as it is now;
 * own: that of this checkout; NULL if they are not to be had. */
static char *doubtOf(const struct claim *c, const char *template, const char *own)
{
    const unsigned long long hash = strtoull(c->hash, NULL, 16);
    char now[32];
    const time_t later = time(NULL) + 86400; /* clocks differ */

    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&later));
    if (strcmp(c->date, now) > 0 || strlen(c->date) != strlen(now))
        return textOf("its date is in the future, or none");
    if (c->advanced < 0 || c->advanced > c->advancedOf || c->advancedOf > TODO_NUMBERS)
        return textOf("more TODOs than there are");
    if (strcmp(c->verdict, "PASS") != 0)
        return NULL;
    if (own != NULL && hashOf(own) == hash && isUnfilled(own))
        return textOf("a PASS of the empty template");
    if (template != NULL && hashOf(template) == hash && isUnfilled(template))
        return textOf("a PASS of a template with unfilled TODOs");
    return NULL;
}

/* The template of a student, in their checkout; NULL if it is not there. */
static char *templateOf(const struct student *s, const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template"), *own, *text;

    if (s->folder == NULL) {
        free(path);
        return NULL;
    }
    own = textOf("%s/%s/%s", s->folder, e->name, strrchr(path, '/') + 1);
    text = modestText(own);
    free(own);
    free(path);
    return text;
}

/* Takes a line of a student's file: the last one of an exercise counts. */
static void takeLine(struct student *s, const char *line, int number)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    struct claim claim;
    const int i = readClaim(line, &claim);

    if (i < 0) {
        fprintf(stderr, "course: %s: line %d is not understood, and left out\n", s->name, number);
    } else {
        char *path = originalPath(&list[i]), *own = readFileIfThere(path);
        char *template = templateOf(s, &list[i]);

        claim.doubt = doubtOf(&claim, template, own);
        if (claim.doubt != NULL)
            fprintf(stderr, "course: %s: %s: %s\n", s->name, list[i].brief, claim.doubt);
        free(s->claims[i].doubt);
        s->claims[i] = claim;
        free(template);
        free(own);
        free(path);
    }
}

/* Reads what there is of a student. */
static struct student readStudent(const char *path)
{
    struct student s = {.name = studentName(path)};
    struct stat status;
    size_t count;
    char *file = progressOf(path), *text = file != NULL ? modestText(file) : NULL, *rest = text;
    char *line;

    exercises(&count);
    s.claims = mustAllocate(NULL, (count + 1) * sizeof *s.claims);
    memset(s.claims, 0, (count + 1) * sizeof *s.claims);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        s.folder = textOf("%s", path);
    s.readable = text != NULL;
    if (text == NULL)
        fprintf(stderr, "course: %s: %s\n", s.name,
                file != NULL              ? "progress.txt is no text of a sensible size"
                : access(path, F_OK) != 0 ? "there is no such file or folder"
                                          : "has checked nothing yet");
    for (int number = 1; rest != NULL && (line = strsep(&rest, "\n")) != NULL; number++)
        if (line[0] != '\0')
            takeLine(&s, line, number);
    free(text);
    free(file);
    return s;
}

/* A claim that is to be checked again, and the text of its template. */
struct again {
    const struct exercise_entry *list[CLAIMS];
    char *texts[CLAIMS];
    size_t count;
};

/* Says why a claim does not hold. */
static void doubt(const struct student *s, const struct exercise_entry *e, struct claim *c,
                  char *why)
{
    fprintf(stderr, "course: %s: %s: %s\n", s->name, e->brief, why);
    c->doubt = why;
}

/* The claims of a student that can be checked again: those of a PASS whose template is there, as it was. */
static struct again claimsToVerify(struct student *s)
{
    struct again again = {.count = 0};
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    for (size_t i = 0; i < count && again.count < CLAIMS; i++) {
        struct claim *c = &s->claims[i];
        char *text;

        if (c->doubt != NULL || strcmp(c->verdict, "PASS") != 0)
            continue;
        text = templateOf(s, &list[i]);
        if (text == NULL) {
            fprintf(stderr, "course: %s: %s: not verified, the template is not there\n", s->name,
                    list[i].brief);
        } else if (hashOf(text) != strtoull(c->hash, NULL, 16)) {
            doubt(s, &list[i], c, textOf("the template is not the one that was checked"));
            free(text);
        } else {
            again.list[again.count] = &list[i];
            again.texts[again.count++] = text;
        }
    }
    return again;
}

/* The exercises that some student has passed, into `list`. Returns how many. */
static size_t passedExercises(const struct student *all, size_t students,
                              const struct exercise_entry **list)
{
    size_t count, passed = 0;
    const struct exercise_entry *every = exercises(&count);

    for (size_t i = 0; i < count && passed < CLAIMS; i++)
        for (size_t k = 0; k < students; k++)
            if (all[k].claims[i].doubt == NULL && strcmp(all[k].claims[i].verdict, "PASS") == 0) {
                list[passed++] = &every[i];
                break;
            }
    return passed;
}

/* Checks the claims of one student again. */
static void verifyStudent(struct student *s, const struct recheck *how)
{
    struct again again = claimsToVerify(s);
    size_t count;
    const struct exercise_entry *every = exercises(&count);

    if (again.count > 0)
        recheckStudent(how, again.list, again.texts, again.count);
    for (size_t i = 0; i < again.count; i++) {
        struct claim *c = &s->claims[again.list[i] - every];
        char *why = recheckExercise(how, again.list[i]);

        c->verified = why == NULL;
        if (why != NULL)
            doubt(s, again.list[i], c, why);
        free(again.texts[i]);
    }
}

/* Checks the claims of all students again. */
static void verify(struct student *all, size_t students, struct recheck *how)
{
    const struct exercise_entry *passed[CLAIMS];
    const size_t count = passedExercises(all, students, passed);

    if (count == 0)
        return;
    recheckOpen(how, passed, count);
    for (size_t k = 0; k < students; k++)
        verifyStudent(&all[k], how);
    recheckClose(how);
}

/* One sign for a claim. */
static char signOf(const struct claim *c)
{
    if (c->doubt != NULL)
        return '?';
    if (c->verdict[0] == '\0')
        return '.';
    if (strcmp(c->verdict, "PASS") == 0)
        return c->advancedOf > 0 && c->advanced == c->advancedOf ? '+' : 'x';
    return strcmp(c->verdict, "UNFILLED") == 0 ? 'o' : '!';
}

/* A line of the table that counts, for each exercise, the students with one of these signs. */
static void printCount(const char *what, const char *signs, const struct student *all,
                       size_t students)
{
    size_t count;

    exercises(&count);
    printf("%-16s", what);
    for (size_t i = 0; i < count; i++) {
        int n = 0;

        for (size_t k = 0; k < students; k++)
            n += strchr(signs, signOf(&all[k].claims[i])) != NULL;
        printf(" %2d", n);
    }
    putchar('\n');
}

static void printTable(const struct student *all, size_t students)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    printf("%-16s", "ex");
    for (size_t i = 0; i < count; i++)
        printf(" %2s", list[i].brief + 2);
    putchar('\n');
    for (size_t k = 0; k < students; k++) {
        printf("%-16.16s", all[k].name);
        for (size_t i = 0; i < count; i++)
            printf("  %c", signOf(&all[k].claims[i]));
        putchar('\n');
    }
    printCount("passed", "x+", all, students);
    printCount("stuck", "!o", all, students);
    printf("x passed, + the advanced part, too, ! wrong at the last check, o TODOs unfilled, ? "
           "cannot be "
           "true, . nothing\n");
}

/* Where most are stuck: the exercise that the largest number have begun and not passed. */
static void printStuck(const struct student *all, size_t students)
{
    size_t count, worst = 0, most = 0;
    const struct exercise_entry *list = exercises(&count);

    for (size_t i = 0; i < count; i++) {
        size_t n = 0;

        for (size_t k = 0; k < students; k++)
            n += strchr("!o", signOf(&all[k].claims[i])) != NULL;
        if (n > most) {
            most = n;
            worst = i;
        }
    }
    if (most > 0)
        printf("Most are stuck at %s: %zu of %zu.\n", list[worst].brief, most, students);
}

/* Writes a row for each student and exercise. */
static void writeRows(const char *path, const struct student *all, size_t students)
{
    struct text csv = {0};
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    appendText(&csv,
               "student,exercise,verdict,advanced,advanced_of,date,template,doubt,verified\n");
    for (size_t k = 0; k < students; k++)
        for (size_t i = 0; i < count; i++) {
            const struct claim *c = &all[k].claims[i];

            if (c->verdict[0] != '\0')
                appendFormat(&csv, "%s,%s,%s,%d,%d,%s,%s,%s%s%s,%s\n", all[k].name, list[i].name,
                             c->verdict, c->advanced, c->advancedOf, c->date, c->hash,
                             c->doubt != NULL ? "\"" : "", c->doubt != NULL ? c->doubt : "",
                             c->doubt != NULL ? "\"" : "", c->verified ? "yes" : "");
        }
    replaceFile(path, csv.data);
    free(csv.data);
}

/* The user in "=USER", the rest of an option --verify. */
static const char *whoVerifies(const char *rest)
{
    if (rest[0] != '=' || rest[1] == '\0')
        fail(EXIT_USAGE,
             "--verify runs the students' programs: --verify=nobody, as root, runs them as the "
             "user nobody; --verify=here as yourself, in a container");
    return rest + 1;
}

int commandRollup(int argc, char **argv)
{
    struct student *all = mustAllocate(NULL, (size_t)argc * sizeof *all);
    const char *csv = NULL, *value;
    struct recheck how = {.user = NULL, .limit = 60.0};
    size_t students = 0, count;
    int readable = 0;

    exercises(&count);
    for (int i = 1; i < argc; i++) {
        if ((value = optionValue("--csv", argc, argv, &i)) != NULL) {
            csv = value;
        } else if ((value = optionValue("--limit", argc, argv, &i)) != NULL) {
            how.limit = optionSeconds("--limit", value);
        } else if (strncmp(argv[i], "--verify", 8) == 0) {
            how.user = whoVerifies(argv[i] + 8);
        } else if (argv[i][0] == '-') {
            fail(EXIT_USAGE, "rollup: '%s' is not understood; see ./course rollup --help", argv[i]);
        } else {
            all[students++] = readStudent(argv[i]);
            readable += all[students - 1].readable;
        }
    }
    if (students == 0)
        fail(EXIT_USAGE, "rollup needs the students' folders, or their progress.txt");
    if (how.user != NULL)
        verify(all, students, &how);
    printTable(all, students);
    printStuck(all, students);
    if (csv != NULL)
        writeRows(csv, all, students);
    for (size_t k = 0; k < students; k++) {
        free(all[k].name);
        free(all[k].folder);
        for (size_t i = 0; i < count; i++)
            free(all[k].claims[i].doubt);
        free(all[k].claims);
    }
    free(all);
    return readable > 0 ? EXIT_PASS : EXIT_ERROR;
}
