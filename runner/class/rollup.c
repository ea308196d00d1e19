/* rollup: which students of a class have passed which exercises, as a table, as CSV, and as a
 * page. */
#define _XOPEN_SOURCE 700 /* wcwidth() */
#include "commands.h"
#include "files.h"
#include "recheck.h"
#include "request.h"
#include "rollup.h"
#include "text.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { CLAIMS = 64 };                     /* of a student, to be verified */
enum { LEAST_NAME = 16, MOST_NAME = 32 }; /* columns of a name in the table */

/* A claim to be checked again, and the text of its template. */
struct again {
    const struct exercise_entry *list[CLAIMS];
    char *texts[CLAIMS];
    size_t count;
};

/* The claims of a student that can be checked again: each PASS with its template still there and
 * unchanged. */
static struct again claimsToVerify(const struct student *s)
{
    struct again again = {.count = 0};
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    for (size_t i = 0; i < count && again.count < CLAIMS; i++) {
        struct claim *c = &s->claims[i];
        char *text;

        if (c->doubt != NULL || strcmp(c->verdict, "PASS") != 0)
            continue;
        text = rosterTemplate(s, &list[i]);
        if (text == NULL) {
            fprintf(stderr, "course: %s: %s: not verified, the template is not there\n", s->name,
                    list[i].brief);
        } else if (hashOf(text) != strtoull(c->hash, NULL, 16)) {
            rosterDoubt(s, &list[i], formatString("the template is not the one that was checked"));
            free(text);
        } else {
            again.list[again.count] = &list[i];
            again.texts[again.count++] = text;
        }
    }
    return again;
}

/* Checks the claims of one student again. Returns how many of them hold. */
static size_t verifyStudent(struct student *s, const struct again *again, const struct recheck *how)
{
    size_t count, held = 0;
    const struct exercise_entry *every = exercises(&count);

    if (again->count > 0)
        recheckStudent(how, again->list, again->texts, again->count);
    for (size_t i = 0; i < again->count; i++) {
        char *why = recheckExercise(how, again->list[i]);

        s->claims[again->list[i] - every].verified = why == NULL;
        held += why == NULL;
        if (why != NULL)
            rosterDoubt(s, again->list[i], why);
        free(again->texts[i]);
    }
    return held;
}

/* Checks the claims of all students again. */
static void verify(struct roster *roster, struct recheck *how)
{
    struct again *all = mustAllocate(NULL, roster->count * sizeof *all);
    const struct exercise_entry *passed[CLAIMS];
    size_t count, wanted = 0, claims = 0, students = 0, held = 0;
    const struct exercise_entry *list = exercises(&count);

    for (size_t k = 0; k < roster->count; k++) {
        all[k] = claimsToVerify(&roster->students[k]);
        claims += all[k].count;
        students += all[k].count > 0;
    }
    for (size_t i = 0; i < count && wanted < CLAIMS; i++)
        if (rosterSigns(roster, i, "x+") > 0)
            passed[wanted++] = &list[i];
    if (claims > 0) {
        recheckOpen(how, passed, wanted, students, claims);
        for (size_t k = 0; k < roster->count; k++)
            held += verifyStudent(&roster->students[k], &all[k], how);
        recheckClose(how);
        roster->verified = formatString("%zu of %zu PASS verdict%s held when checked again.", held,
                                        claims, claims == 1 ? "" : "s");
    }
    free(all);
}

/* The columns of the character at *c, which moves on; -1 for what is none, of one byte. */
static int nextCharacter(const char **c)
{
    mbstate_t state = {0};
    wchar_t wide;
    const size_t length = mbrtowc(&wide, *c, strlen(*c), &state);
    const int columns = length <= strlen(*c) ? wcwidth(wide) : -1;

    *c += columns >= 0 ? length : 1;
    return columns;
}

static int columnsOf(const char *name)
{
    int columns = 0;

    while (*name != '\0')
        columns += abs(nextCharacter(&name));
    return columns;
}

/* Prints a name in this many columns, with a question mark for each byte that is no character. */
static void printName(const char *name, int columns)
{
    while (*name != '\0') {
        const char *from = name;
        const int wide = nextCharacter(&name);

        if (columns < abs(wide))
            break;
        columns -= abs(wide);
        printf("%.*s", wide < 0 ? 1 : (int)(name - from), wide < 0 ? "?" : from);
    }
    printf("%*s", columns, "");
}

/* A line of the table that counts, for each exercise, the students with one of these signs. */
static void printCount(const char *what, const char *signs, const struct roster *roster, int width)
{
    size_t count;

    exercises(&count);
    printName(what, width);
    for (size_t i = 0; i < count; i++)
        printf(" %2zu", rosterSigns(roster, i, signs));
    putchar('\n');
}

static void printTable(const struct roster *roster)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    int width = LEAST_NAME;

    for (size_t k = 0; k < roster->count; k++)
        if (columnsOf(roster->students[k].name) > width)
            width = columnsOf(roster->students[k].name);
    if (width > MOST_NAME)
        width = MOST_NAME;
    printName("ex", width);
    for (size_t i = 0; i < count; i++)
        printf(" %2s", list[i].brief + 2);
    putchar('\n');
    for (size_t k = 0; k < roster->count; k++) {
        const struct student *s = &roster->students[k];

        printName(s->name, width);
        for (size_t i = 0; i < count && s->problem == NULL; i++)
            printf("  %c", claimSign(&s->claims[i]));
        printf("%s%s\n", s->problem != NULL ? "  " : "", s->problem != NULL ? s->problem : "");
    }
    printCount("passed", "x+", roster, width);
    printCount("stuck", "!o", roster, width);
    puts(claimSigns);
}

/* The exercise that the largest number of students have begun and not passed. */
static void printStuck(const struct roster *roster)
{
    size_t count, worst = 0, most = 0;
    const struct exercise_entry *list = exercises(&count);

    for (size_t i = 0; i < count; i++)
        if (rosterSigns(roster, i, "!o") > most) {
            most = rosterSigns(roster, i, "!o");
            worst = i;
        }
    if (most > 0)
        printf("Most are stuck at %s: %zu of %zu.\n", list[worst].brief, most, roster->count);
}

/* Adds a field of CSV and what follows it. A spreadsheet takes =, +, - and @ for the beginning of a
 * formula, but not after an apostrophe. */
static void addField(struct text *csv, const char *field, const char *then)
{
    appendText(csv, "\"");
    if (field[0] != '\0' && strchr("=+-@", field[0]) != NULL)
        appendText(csv, "'");
    for (; *field != '\0'; field++)
        append(csv, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
    appendFormat(csv, "\"%s", then);
}

/* Writes a row for each student and exercise. */
static void writeClaims(const char *path, const struct roster *roster)
{
    struct text csv = {0};
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    appendText(&csv,
               "student,exercise,verdict,advanced,advanced_of,date,template,doubt,flag,verified\n");
    for (size_t k = 0; k < roster->count; k++)
        for (size_t i = 0; i < count; i++) {
            const struct claim *c = &roster->students[k].claims[i];

            addField(&csv, roster->students[k].name, ",");
            appendFormat(&csv, "%s,%s,%d,%d,%s,%s,", list[i].name, c->verdict, c->advanced,
                         c->advancedOf, c->date, c->hash);
            addField(&csv, c->doubt != NULL ? c->doubt : "", ",");
            addField(&csv, c->flag != NULL ? c->flag : "", c->verified ? ",yes\n" : ",\n");
        }
    replaceFile(path, csv.data);
    free(csv.data);
}

/* Writes a row for each student. */
static void writeStudents(const char *path, const struct roster *roster)
{
    struct text csv = {0};
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    appendText(&csv, "student,passed,doubted,flagged,verified,last,problem");
    for (size_t i = 0; i < count; i++)
        appendFormat(&csv, ",%s", list[i].brief);
    appendText(&csv, "\n");
    for (size_t k = 0; k < roster->count; k++) {
        const struct student *s = &roster->students[k];
        size_t doubted = 0, flagged = 0, verified = 0;

        for (size_t i = 0; i < count; i++) {
            doubted += s->claims[i].doubt != NULL;
            flagged += s->claims[i].flag != NULL;
            verified += (size_t)s->claims[i].verified;
        }
        addField(&csv, s->name, ",");
        appendFormat(&csv, "%zu,%zu,%zu,%zu,%s,%s", studentPassed(s), doubted, flagged, verified,
                     studentLast(s), s->problem != NULL ? s->problem : "");
        for (size_t i = 0; i < count; i++)
            appendFormat(&csv, ",%s", s->claims[i].doubt != NULL ? "?" : s->claims[i].verdict);
        appendText(&csv, "\n");
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
    char **paths = mustAllocate(NULL, (size_t)argc * sizeof *paths);
    const char *csv = NULL, *students = NULL, *page = NULL, *value;
    struct recheck how = {.limit = 60.0};
    struct roster roster;
    size_t count = 0, readable = 0;
    int anonymous = 0;

    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) /* names are UTF-8, whatever the language */
        setlocale(LC_CTYPE, "");
    for (int i = 1; i < argc; i++) {
        if ((value = optionValue("--csv", argc, argv, &i)) != NULL)
            csv = value;
        else if ((value = optionValue("--students", argc, argv, &i)) != NULL)
            students = value;
        else if ((value = optionValue("-o", argc, argv, &i)) != NULL)
            page = value;
        else if ((value = optionValue("--in", argc, argv, &i)) != NULL)
            how.place = value;
        else if ((value = optionValue("--limit", argc, argv, &i)) != NULL)
            how.limit = secondsIn("--limit ", value);
        else if (strcmp(argv[i], "--anonymous") == 0)
            anonymous = 1;
        else if (strncmp(argv[i], "--verify", 8) == 0)
            how.user = whoVerifies(argv[i] + 8);
        else if (argv[i][0] == '-')
            fail(EXIT_USAGE, "rollup: '%s' is not understood; see ./course rollup --help", argv[i]);
        else
            paths[count++] = argv[i];
    }
    if (count == 0)
        fail(EXIT_USAGE, "rollup needs the students' folders, or their progress.txt");
    roster = rosterRead(paths, count, anonymous);
    if (how.user != NULL)
        verify(&roster, &how);
    printTable(&roster);
    printStuck(&roster);
    if (roster.verified != NULL)
        puts(roster.verified);
    if (csv != NULL)
        writeClaims(csv, &roster);
    if (students != NULL)
        writeStudents(students, &roster);
    if (page != NULL)
        rollupPage(page, &roster, !anonymous);
    for (size_t k = 0; k < count; k++)
        readable += roster.students[k].problem == NULL;
    rosterFree(&roster);
    free(paths);
    return readable > 0 ? EXIT_PASS : EXIT_ERROR;
}
