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

/* The part of a path that can identify a student, without the folder's usual name. */
static char *tellingPart(const char *path)
{
    static const char *const usual[] = {"/progress.txt", "/build", "/cuda-course", ".txt"};
    char *copy = formatString("%s", path);

    while (strlen(copy) > 1 && copy[strlen(copy) - 1] == '/')
        copy[strlen(copy) - 1] = '\0';
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strlen(copy) > strlen(usual[i]) && endsWith(copy, usual[i]))
            copy[strlen(copy) - strlen(usual[i])] = '\0';
    return copy;
}

/* A character of a path, counted from its beginning or its end; '\0' behind the last one. */
static char characterOf(const char *path, size_t i, int fromEnd)
{
    const size_t length = strlen(path);

    return i >= length ? '\0' : path[fromEnd ? length - 1 - i : i];
}

/* How many bytes of whole parts the paths have in common at their beginning, or at their end. */
static size_t commonParts(char *const *paths, size_t count, int atEnd)
{
    size_t common = 0;
    char c;

    for (size_t i = 0; (c = characterOf(paths[0], i, atEnd)) != '\0'; i++) {
        for (size_t k = 1; k < count; k++)
            if (characterOf(paths[k], i, atEnd) != c)
                return common;
        if (c == '/')
            common = i + 1;
    }
    return common;
}

/* Names the students by the part in which their paths differ; a single one by the last part. */
static void nameStudents(struct roster *roster, char **paths)
{
    const size_t count = roster->count;
    char **parts = mustAllocate(NULL, count * sizeof *parts);
    size_t first, last;

    for (size_t k = 0; k < count; k++)
        parts[k] = tellingPart(paths[k]);
    first = commonParts(parts, count, 0);
    last = count > 1 ? commonParts(parts, count, 1) : 0;
    for (size_t k = 0; k < count; k++) {
        const size_t length = strlen(parts[k]);

        if (first + last < length) { /* otherwise one path is a part of another, or the same */
            parts[k] += first;
            parts[k][length - first - last] = '\0';
        }
        for (char *c = parts[k]; *c != '\0'; c++)
            if (iscntrl((unsigned char)*c))
                *c = '?';
        roster->students[k].name = parts[k];
    }
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

/* The path of the progress.txt that a folder or file stands for; NULL, and errno, if there is none
 * that can be read. */
static char *progressOf(const char *path)
{
    static const char *const inside[] = {"/build/progress.txt", "/progress.txt"};
    struct stat status;

    if (stat(path, &status) != 0)
        return NULL;
    for (int i = 0; i < 2; i++) {
        char *file = formatString("%s%s", path, S_ISDIR(status.st_mode) ? inside[i] : "");

        if (access(file, R_OK) == 0)
            return file;
        if (errno != ENOENT)
            break;
    }
    return NULL;
}

/* The text of a regular file of a sensible size; NULL otherwise. */
static char *modestText(const char *path)
{
    struct stat status;
    char *text;

    if (stat(path, &status) != 0 || status.st_size > MOST_BYTES)
        return NULL;
    text = readIfReadable(path);
    return text != NULL && strlen(text) == (size_t)status.st_size ? text : NULL; /* no zero bytes */
}

/* The claim of the student that a line of a progress.txt replaces; NULL if it is none. */
static struct claim *claimIn(const char *line, struct student *s)
{
    struct claim new = {.doubt = NULL}, *c = s->claims;
    char name[64];
    int end = 0;

    if (sscanf(line, "%63s %23s %d/%d %31s %31s%n", name, new.verdict, &new.advanced,
               &new.advancedOf, new.date, new.hash, &end) != 6 ||
        line[end] != '\0' || strlen(new.hash) != 16 || strspn(new.hash, "0123456789abcdef") != 16 ||
        strstr(" PASS WRONG UNFILLED SKIPPED error ", formatString(" %s ", new.verdict)) == NULL)
        return NULL;
    while (c->exercise != NULL && !isSame(c->exercise->name, name))
        c++;
    if (c->exercise == NULL)
        return NULL;
    new.exercise = c->exercise;
    *c = new;
    return c;
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
    return isSame(text, again) && date <= time(NULL) + 86400; /* clocks differ */
}

/* 1 if a template's text still has basic TODOs without a solution. */
static int isUnfilled(const char *text)
{
    const struct todos todos = todosOf(text);

    return todoFilled(&todos, 0) < todoCount(&todos, 0);
}

/* The reason why a claim cannot be true; NULL if it can. own: this checkout's template; NULL if
 * unknown. */
static const char *doubtOf(const struct claim *c, const char *own)
{
    const unsigned long long hash = strtoull(c->hash, NULL, 16);

    if (!isPastDate(c->date))
        return "its date is in the future, or none";
    if (c->advanced < 0 || c->advanced > c->advancedOf || c->advancedOf > TODO_NUMBERS)
        return "more TODOs than there are";
    if (!isSame(c->verdict, "PASS"))
        return NULL;
    if (own != NULL && hashOf(own) == hash && isUnfilled(own))
        return "a PASS of the empty template";
    if (c->template != NULL && hashOf(c->template) == hash && isUnfilled(c->template))
        return "a PASS of a template with unfilled TODOs";
    return NULL;
}

/* The hash of a text without its blanks, which an editor may change. */
static unsigned long long fingerprintOf(const char *text)
{
    struct text rest = {0};

    for (appendText(&rest, ""); *text != '\0'; text++)
        if (!isspace((unsigned char)*text))
            append(&rest, text, 1);
    return hashOf(rest.data);
}

/* 1 if the claim is of this text, judging by its blanks. */
static int isOf(const struct claim *c, const char *text)
{
    return text != NULL &&
           (c->fingerprint == fingerprintOf(text) || c->fingerprint == hashOf(text));
}

static int isOfName(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The code in one spelling: continued lines and adjacent strings are joined, and white space stands
 * only between names and before a #. */
static char *spelled(const char *code)
{
    struct text result = {0};

    appendText(&result, "");
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
    static const char *const tricks[][5] = {
        {"names the solution's file", "solution.c"},
        {"takes in another file", ".incbin"},
        {"puts names together by ##", "##"},
        {"makes text of code", ")#"},
        {"has a constructor or a destructor", "structor", "init_array"},
        {"looks at the program's arguments", "argv"},
        {"looks at the environment", "*environ"},
        {"opens a file of /proc", "/proc/"},
        {"changes the environment", "setenv("},
        {"acts at the end of the program", "atexit("},
        {"ends the program", "_exit("},
        {"starts another program", "execl", "execv", "popen(", "posix_spawn"},
        {"starts another process", "fork("},
        {"calls the system itself", "syscall"},
        {"unlocks memory", "mprotect("},
        {"declares a function of C", "externC"},
        {"gives a function another name", ")asm("},
        {"includes a part of the harness", "row.h", "options.h", "internal.h"},
    };
    const char *theirs = spelled(template), *ours = spelled(own != NULL ? own : "");

    for (size_t i = 0; i < sizeof tricks / sizeof *tricks; i++)
        for (int k = 1; k < 5 && tricks[i][k] != NULL; k++)
            if (countOf(tricks[i][k], theirs) > countOf(tricks[i][k], ours))
                return tricks[i][0];
    return NULL;
}

/* The reason to look at the template of a claim; NULL if there is none. */
static const char *flagOf(const struct claim *c, const char *own, const char *solution)
{
    const struct todos todos = todosOf(own != NULL ? own : "");
    const struct todos theirs = todosOf(c->template != NULL ? c->template : "");
    const char *trick;

    if (isOf(c, solution))
        return "the template is the solution";
    if (c->template == NULL)
        return NULL;
    if ((trick = trickOf(c->template, own)) != NULL)
        return formatString("the template %s", trick);
    for (int i = 0; i < todos.count; i++)
        if (todoNumber(&theirs, todos.of[i].number) == NULL)
            return formatString("the markers of TODO %d are gone", todos.of[i].number);
    return NULL;
}

/* Reports a claim. */
static void say(const struct student *s, const struct claim *c, const char *what)
{
    fprintf(stderr, "course: %s: %s: %s\n", s->name, c->exercise->brief, what);
}

void claimDoubt(const struct student *s, struct claim *c, const char *why)
{
    say(s, c, why);
    c->doubt = why;
}

/* Judges a claim by the student's template, this course's, and the solution. */
static void judge(const struct student *s, struct claim *c)
{
    const char *path = sourcePath(c->exercise, "template"), *doubt;
    const char *own = readFileIfThere(originalPath(c->exercise)),
               *solution = readFileIfThere(sourcePath(c->exercise, "solution"));

    if (s->folder != NULL)
        c->template = modestText(
            formatString("%s/%s/%s", s->folder, c->exercise->name, strrchr(path, '/') + 1));
    doubt = doubtOf(c, own);
    if (isSame(c->verdict, "PASS") || isSame(c->verdict, "WRONG"))
        c->fingerprint =
            c->template != NULL ? fingerprintOf(c->template) : strtoull(c->hash, NULL, 16);
    if (isOf(c, own))
        c->fingerprint = 0; /* untouched */
    if (c->fingerprint != 0)
        c->flag = flagOf(c, own, solution);
    if (doubt != NULL)
        claimDoubt(s, c, doubt);
    if (c->flag != NULL)
        say(s, c, c->flag);
}

/* Reads a student's files. given: the copy of the course, or the home that it lies in. */
static void readStudent(struct student *s, const char *given)
{
    const char *copy = formatString("%s/cuda-course", given), *path = exists(copy) ? copy : given;
    const size_t count = exerciseCount();
    struct stat status;
    char *file = progressOf(path), *line;
    const int error = errno;
    char *rest = file != NULL ? modestText(file) : NULL;

    s->claims = mustAllocate(NULL, (count + 1) * sizeof *s->claims);
    memset(s->claims, 0, (count + 1) * sizeof *s->claims);
    for (size_t i = 0; i < count; i++)
        s->claims[i].exercise = &exercises()[i];
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        s->folder = path;
    if (rest == NULL) {
        s->problem = file != NULL      ? "progress.txt is no text of a sensible size"
                     : error != ENOENT ? "cannot be read by this account"
                     : !exists(path)   ? "there is no such file or folder"
                                       : "has checked nothing yet";
        fprintf(stderr, "course: %s: %s\n", s->name, s->problem);
    }
    for (int number = 1; rest != NULL && (line = strsep(&rest, "\n")) != NULL; number++) {
        line[strcspn(line, "\r")] = '\0';
        if (line[0] != '\0' && claimIn(line, s) == NULL)
            fprintf(stderr, "course: %s: line %d is not understood, and left out\n", s->name,
                    number);
    }
    for (struct claim *c = s->claims; c->exercise != NULL; c++)
        if (c->verdict[0] != '\0')
            judge(s, c);
}

/* Flags claims of one and the same file. */
static void flagSame(struct roster *roster, size_t exercise)
{
    for (size_t k = 0; k < roster->count; k++) {
        struct claim *c = &roster->students[k].claims[exercise];

        for (size_t j = 0; j < roster->count && c->fingerprint != 0 && c->flag == NULL; j++)
            if (j != k && roster->students[j].claims[exercise].fingerprint == c->fingerprint) {
                c->flag = formatString("the same file as %s", roster->students[j].name);
                say(&roster->students[k], c, c->flag);
            }
    }
}

struct roster rosterRead(char **paths, size_t count, int anonymous)
{
    struct roster roster = {.count = count, .exercises = exerciseCount()};

    roster.students = mustAllocate(NULL, count * sizeof *roster.students);
    memset(roster.students, 0, count * sizeof *roster.students);
    if (anonymous)
        numberStudents(&roster, paths);
    else
        nameStudents(&roster, paths);
    for (size_t k = 0; k < count; k++)
        readStudent(&roster.students[k], paths[k]);
    for (size_t i = 0; i < roster.exercises; i++)
        flagSame(&roster, i);
    return roster;
}

const char claimSigns[] = "x passed, + the advanced part, too, ! wrong at the last check, o TODOs "
                          "unfilled, ? cannot be true, . nothing";

char claimSign(const struct claim *c)
{
    if (c->doubt != NULL)
        return '?';
    if (c->verdict[0] == '\0')
        return '.';
    if (isSame(c->verdict, "PASS"))
        return c->advancedOf > 0 && c->advanced == c->advancedOf ? '+' : 'x';
    return isSame(c->verdict, "UNFILLED") ? 'o' : '!';
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
    size_t passed = 0;

    for (const struct claim *c = s->claims; c->exercise != NULL; c++)
        passed += strchr("x+", claimSign(c)) != NULL;
    return passed;
}

const char *studentLast(const struct student *s)
{
    const char *last = "";

    for (const struct claim *c = s->claims; c->exercise != NULL; c++)
        if (isPastDate(c->date) && strcmp(c->date, last) > 0)
            last = c->date;
    return last;
}
