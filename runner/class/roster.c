/* The students of a class: their names, their claims, and the evidence against these. */
#include "roster.h"
#include "files.h"
#include "text.h"
#include "todo.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 }; /* of a progress.txt: a line for each exercise, no more */

/* Removes this last part of a path, with its slash, if the path ends with it. */
static void takeOff(char *path, const char *part)
{
    const size_t length = strlen(path), end = strlen(part);

    if (length > end && strcmp(path + length - end, part) == 0)
        path[length - end] = '\0';
}

/* The part of a path that can identify a student, without the folder's usual name, in a string that
 * the caller frees. */
static char *tellingPart(const char *path)
{
    char *copy = formatString("%s", path);

    while (strlen(copy) > 1 && copy[strlen(copy) - 1] == '/')
        copy[strlen(copy) - 1] = '\0';
    takeOff(copy, "/progress.txt");
    takeOff(copy, "/build");
    takeOff(copy, "/cuda-course");
    takeOff(copy, ".txt");
    return copy;
}

/* How many bytes of whole parts the paths have in common at their beginning. */
static size_t commonBeginning(char *const *paths, size_t count)
{
    size_t common = 0;

    for (size_t i = 0; paths[0][i] != '\0'; i++) {
        for (size_t k = 1; k < count; k++)
            if (paths[k][i] != paths[0][i])
                return common;
        if (paths[0][i] == '/')
            common = i + 1;
    }
    return common;
}

/* The same at their end. */
static size_t commonEnd(char *const *paths, size_t count)
{
    const size_t length = strlen(paths[0]);
    size_t common = 0;

    for (size_t i = 1; i <= length; i++) {
        for (size_t k = 1; k < count; k++)
            if (i > strlen(paths[k]) || paths[k][strlen(paths[k]) - i] != paths[0][length - i])
                return common;
        if (paths[0][length - i] == '/')
            common = i;
    }
    return common;
}

static void replaceControls(char *name)
{
    for (; *name != '\0'; name++)
        if (iscntrl((unsigned char)*name))
            *name = '?';
}

/* Names the students by the part in which their paths differ; a single one by the last part. */
static void nameStudents(struct roster *roster, char **paths)
{
    const size_t count = roster->count;
    char **parts = mustAllocate(NULL, count * sizeof *parts);
    size_t first, last;

    for (size_t k = 0; k < count; k++)
        parts[k] = tellingPart(paths[k]);
    first = commonBeginning(parts, count);
    last = count > 1 ? commonEnd(parts, count) : 0;
    for (size_t k = 0; k < count; k++) {
        const size_t length = strlen(parts[k]);
        char **name = &roster->students[k].name;

        *name = first + last < length
                    ? formatString("%.*s", (int)(length - first - last), parts[k] + first)
                    : formatString("%s", parts[k]); /* one path is a part of another, or the same */
        replaceControls(*name);
    }
    for (size_t k = 0; k < count; k++)
        free(parts[k]);
    free(parts);
}

static int byHash(const void *a, const void *b)
{
    const unsigned long long x = hashOf(*(char *const *)a), y = hashOf(*(char *const *)b);

    return (x > y) - (x < y);
}

/* Names the students by numbers in an order that does not follow their names. */
static void numberStudents(struct roster *roster, char **paths)
{
    qsort(paths, roster->count, sizeof *paths, byHash);
    for (size_t k = 0; k < roster->count; k++)
        roster->students[k].name = formatString("student %zu", k + 1);
}

/* The path of the progress.txt that a folder or file stands for, in a string that the caller frees;
 * NULL, and errno, if there is none that can be read. */
static char *progressOf(const char *path)
{
    static const char *const inside[] = {"/build/progress.txt", "/progress.txt"};
    struct stat status;
    int error = 0;

    if (stat(path, &status) != 0)
        return NULL;
    for (int i = 0; i < 2 && (error == 0 || error == ENOENT); i++) {
        char *file = formatString("%s%s", path, S_ISDIR(status.st_mode) ? inside[i] : "");

        if (access(file, R_OK) == 0)
            return file;
        error = errno;
        free(file);
    }
    errno = error;
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

/* 1 if the text is a date of the past as a check writes it. */
static int isPastDate(const char *text)
{
    struct tm tm = {0};
    char again[32];
    time_t date;

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec) != 6)
        return 0;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    date = timegm(&tm); /* makes another day of the 31st of February */
    strftime(again, sizeof again, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return strcmp(text, again) == 0 && date <= time(NULL) + 86400; /* clocks differ */
}

/* 1 if a template's text still has basic TODOs without a solution. */
static int isUnfilled(const char *text)
{
    const struct todos todos = todosOf(text);

    return todoFilled(&todos, 0) < todoCount(&todos, 0);
}

/* The reason why a claim cannot be true, in a string that the caller frees; NULL if it can.
 * template: the student's present text; own: that of this checkout; NULL if unknown. */
static char *doubtOf(const struct claim *c, const char *template, const char *own)
{
    const unsigned long long hash = strtoull(c->hash, NULL, 16);

    if (!isPastDate(c->date))
        return formatString("its date is in the future, or none");
    if (c->advanced < 0 || c->advanced > c->advancedOf || c->advancedOf > TODO_NUMBERS)
        return formatString("more TODOs than there are");
    if (strcmp(c->verdict, "PASS") != 0)
        return NULL;
    if (own != NULL && hashOf(own) == hash && isUnfilled(own))
        return formatString("a PASS of the empty template");
    if (template != NULL && hashOf(template) == hash && isUnfilled(template))
        return formatString("a PASS of a template with unfilled TODOs");
    return NULL;
}

char *rosterTemplate(const struct student *s, const struct exercise_entry *e)
{
    char *path = sourcePath(e, "template"), *own, *text;

    if (s->folder == NULL) {
        free(path);
        return NULL;
    }
    own = formatString("%s/%s/%s", s->folder, e->name, strrchr(path, '/') + 1);
    text = modestText(own);
    free(own);
    free(path);
    return text;
}

/* The hash of a text without its blanks, which an editor may change. */
static unsigned long long fingerprintOf(const char *text)
{
    struct text rest = {0};
    unsigned long long fingerprint;

    append(&rest, "", 0);
    for (; *text != '\0'; text++)
        if (!isspace((unsigned char)*text))
            append(&rest, text, 1);
    fingerprint = hashOf(rest.data);
    free(rest.data);
    return fingerprint;
}

/* 1 if the claim is of this text, judging by its blanks. */
static int isOf(const struct claim *c, const char *text)
{
    return text != NULL &&
           (c->fingerprint == fingerprintOf(text) || c->fingerprint == hashOf(text));
}

static int isOfName(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The code in one spelling, in a string that the caller frees: continued lines and adjacent strings
 * are joined, and white space stands only between names and before a #. */
static char *spelled(const char *code)
{
    struct text result = {0};

    append(&result, "", 0);
    for (const char *c = code; *c != '\0'; c++) {
        const char before = result.length > 0 ? result.data[result.length - 1] : '\n';
        const char next = c[1 + strspn(c + 1, " \t\r\n")];

        if (c[0] == '\\' && c[1] == '\n')
            c++;
        else if (isspace((unsigned char)*c)
                     ? (isOfName(before) && isOfName(next)) || (*c == '\n' && next == '#')
                     : *c != '"')
            append(&result, c, 1);
    }
    return result.data;
}

static int countOf(const char *word, const char *text)
{
    int count = 0;

    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* What a template does that no exercise needs, more often than the empty template; NULL if
 * nothing. */
static const char *trickOf(const char *template, const char *own)
{
    static const char *const tricks[][2] = {{"solution.c", "names the solution's file"},
                                            {".incbin", "takes in another file"},
                                            {"##", "puts names together by ##"},
                                            {")#", "makes text of code"},
                                            {"structor", "has a constructor or a destructor"},
                                            {"init_array", "has a constructor or a destructor"},
                                            {"argv", "looks at the program's arguments"},
                                            {"*environ", "looks at the environment"},
                                            {"/proc/", "opens a file of /proc"},
                                            {"setenv(", "changes the environment"},
                                            {"atexit(", "acts at the end of the program"},
                                            {"_exit(", "ends the program"},
                                            {"execl", "starts another program"},
                                            {"execv", "starts another program"},
                                            {"popen(", "starts another program"},
                                            {"posix_spawn", "starts another program"},
                                            {"fork(", "starts another process"},
                                            {"syscall", "calls the system itself"},
                                            {"mprotect(", "unlocks memory"},
                                            {"externC", "declares a function of C"},
                                            {")asm(", "gives a function another name"},
                                            {"row.h", "includes a part of the harness"},
                                            {"options.h", "includes a part of the harness"},
                                            {"internal.h", "includes a part of the harness"},
                                            {NULL, NULL}};
    char *theirs = spelled(template), *ours = spelled(own != NULL ? own : "");
    const char *const(*trick)[2] = tricks;

    while ((*trick)[0] != NULL && countOf((*trick)[0], theirs) <= countOf((*trick)[0], ours))
        trick++;
    free(ours);
    free(theirs);
    return (*trick)[1];
}

/* The reason to look at the template of a claim, in a string that the caller frees; NULL if there
 * is none. */
static char *flagOf(const struct claim *c, const char *template, const char *own,
                    const char *solution)
{
    const struct todos todos = todosOf(own != NULL ? own : "");
    const struct todos theirs = todosOf(template != NULL ? template : "");
    const char *trick;

    if (isOf(c, solution))
        return formatString("the template is the solution");
    if (template == NULL)
        return NULL;
    if ((trick = trickOf(template, own)) != NULL)
        return formatString("the template %s", trick);
    for (int i = 0; i < todos.count; i++)
        if (todoNumber(&theirs, todos.of[i].number) == NULL)
            return formatString("the markers of TODO %d are gone", todos.of[i].number);
    return NULL;
}

/* Reports a claim. */
static void say(const struct student *s, const struct exercise_entry *e, const char *what)
{
    fprintf(stderr, "course: %s: %s: %s\n", s->name, e->brief, what);
}

void rosterDoubt(const struct student *s, const struct exercise_entry *e, char *why)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    struct claim *c = &s->claims[e - list];

    say(s, e, why);
    free(c->doubt);
    c->doubt = why;
}

/* Judges a claim by the student's template, this course's, and the solution. */
static void judge(struct student *s, const struct exercise_entry *e, struct claim *c)
{
    char *path = originalPath(e), *own = readFileIfThere(path);
    char *solved = sourcePath(e, "solution"), *solution = readFileIfThere(solved);
    char *template = rosterTemplate(s, e), *doubt = doubtOf(c, template, own);

    if (strcmp(c->verdict, "PASS") == 0 || strcmp(c->verdict, "WRONG") == 0)
        c->fingerprint = template != NULL ? fingerprintOf(template) : strtoull(c->hash, NULL, 16);
    if (isOf(c, own))
        c->fingerprint = 0; /* untouched */
    if (c->fingerprint != 0)
        c->flag = flagOf(c, template, own, solution);
    if (doubt != NULL)
        rosterDoubt(s, e, doubt);
    if (c->flag != NULL)
        say(s, e, c->flag);
    free(template);
    free(solution);
    free(solved);
    free(own);
    free(path);
}

/* The student's copy of the course, if the path is the home that it lies in; otherwise the path. In
 * a string that the caller frees. */
static char *copyIn(const char *path)
{
    char *copy = formatString("%s/cuda-course", path);

    if (access(copy, F_OK) == 0)
        return copy;
    free(copy);
    return formatString("%s", path);
}

/* Reads a student's files. */
static void readStudent(struct student *s, const char *given)
{
    struct stat status;
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    char *path = copyIn(given), *file = progressOf(path), *line;
    const int error = errno;
    char *text = file != NULL ? modestText(file) : NULL, *rest = text;

    s->claims = mustAllocate(NULL, (count + 1) * sizeof *s->claims);
    memset(s->claims, 0, (count + 1) * sizeof *s->claims);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        s->folder = formatString("%s", path);
    if (text == NULL) {
        s->problem = file != NULL              ? "progress.txt is no text of a sensible size"
                     : error != ENOENT         ? "cannot be read by this account"
                     : access(path, F_OK) != 0 ? "there is no such file or folder"
                                               : "has checked nothing yet";
        fprintf(stderr, "course: %s: %s\n", s->name, s->problem);
    }
    for (int number = 1; rest != NULL && (line = strsep(&rest, "\n")) != NULL; number++) {
        struct claim claim;
        int i;

        line[strcspn(line, "\r")] = '\0';
        if (line[0] == '\0')
            continue;
        i = readClaim(line, &claim);
        if (i >= 0)
            s->claims[i] = claim; /* the last one of an exercise counts */
        else
            fprintf(stderr, "course: %s: line %d is not understood, and left out\n", s->name,
                    number);
    }
    for (size_t i = 0; i < count; i++)
        if (s->claims[i].verdict[0] != '\0')
            judge(s, &list[i], &s->claims[i]);
    free(text);
    free(file);
    free(path);
}

/* Flags claims of one and the same file. */
static void flagSame(struct roster *roster, size_t exercise)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    for (size_t k = 0; k < roster->count; k++) {
        struct claim *c = &roster->students[k].claims[exercise];

        for (size_t j = 0; j < roster->count && c->fingerprint != 0 && c->flag == NULL; j++)
            if (j != k && roster->students[j].claims[exercise].fingerprint == c->fingerprint) {
                c->flag = formatString("the same file as %s", roster->students[j].name);
                say(&roster->students[k], &list[exercise], c->flag);
            }
    }
}

struct roster rosterRead(char **paths, size_t count, int anonymous)
{
    struct roster roster = {.count = count};
    size_t number;

    exercises(&number);
    roster.students = mustAllocate(NULL, count * sizeof *roster.students);
    memset(roster.students, 0, count * sizeof *roster.students);
    if (anonymous)
        numberStudents(&roster, paths);
    else
        nameStudents(&roster, paths);
    for (size_t k = 0; k < count; k++)
        readStudent(&roster.students[k], paths[k]);
    for (size_t i = 0; i < number; i++)
        flagSame(&roster, i);
    return roster;
}

void rosterFree(struct roster *roster)
{
    size_t count;

    exercises(&count);
    for (size_t k = 0; k < roster->count; k++) {
        struct student *s = &roster->students[k];

        for (size_t i = 0; i < count; i++) {
            free(s->claims[i].doubt);
            free(s->claims[i].flag);
        }
        free(s->claims);
        free(s->folder);
        free(s->name);
    }
    free(roster->students);
    free(roster->verified);
}

const char claimSigns[] =
    "x passed, + the advanced part, too, ! wrong at the last check, o TODOs unfilled, ? cannot "
    "be true, . nothing";

char claimSign(const struct claim *c)
{
    if (c->doubt != NULL)
        return '?';
    if (c->verdict[0] == '\0')
        return '.';
    if (strcmp(c->verdict, "PASS") == 0)
        return c->advancedOf > 0 && c->advanced == c->advancedOf ? '+' : 'x';
    return strcmp(c->verdict, "UNFILLED") == 0 ? 'o' : '!';
}

size_t rosterSigns(const struct roster *roster, size_t i, const char *signs)
{
    size_t n = 0;

    for (size_t k = 0; k < roster->count; k++)
        n += strchr(signs, claimSign(&roster->students[k].claims[i])) != NULL;
    return n;
}

size_t studentPassed(const struct student *s)
{
    size_t count, passed = 0;

    exercises(&count);
    for (size_t i = 0; i < count; i++)
        passed += strchr("x+", claimSign(&s->claims[i])) != NULL;
    return passed;
}

const char *studentLast(const struct student *s)
{
    size_t count;
    const char *last = "";

    exercises(&count);
    for (size_t i = 0; i < count; i++)
        if (isPastDate(s->claims[i].date) && strcmp(s->claims[i].date, last) > 0)
            last = s->claims[i].date;
    return last;
}
