/* rollup: which students of a class have passed which exercises, as a table, as CSV, and as a
 * page. */
#define _XOPEN_SOURCE 700 /* wcwidth() */
#include "commands.h"
#include "files.h"
#include "html.h"
#include "recheck.h"
#include "request.h"
#include "text.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

enum { LEAST_NAME = 16, MOST_NAME = 32 }; /* columns of a name in the table */

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
    printName(what, width);
    for (size_t i = 0; i < roster->exercises; i++)
        printf(" %2zu", rosterSigns(roster, i, signs));
    putchar('\n');
}

static void printTable(const struct roster *roster)
{
    int width = LEAST_NAME;

    for (size_t k = 0; k < roster->count; k++)
        if (columnsOf(roster->students[k].name) > width)
            width = columnsOf(roster->students[k].name);
    if (width > MOST_NAME)
        width = MOST_NAME;
    printName("ex", width);
    for (const struct claim *c = roster->students[0].claims; c->exercise != NULL; c++)
        printf(" %2s", c->exercise->brief + 2);
    putchar('\n');
    for (size_t k = 0; k < roster->count; k++) {
        const struct student *s = &roster->students[k];

        printName(s->name, width);
        for (const struct claim *c = s->claims; c->exercise != NULL && s->problem == NULL; c++)
            printf("  %c", claimSign(c));
        printf("%s%s\n", s->problem != NULL ? "  " : "", s->problem != NULL ? s->problem : "");
    }
    printCount("passed", "x+", roster, width);
    printCount("stuck", "!o", roster, width);
    puts(claimSigns);
}

/* The exercise that the largest number of students have begun and not passed. */
static void printStuck(const struct roster *roster)
{
    size_t worst = 0, most = 0;

    for (size_t i = 0; i < roster->exercises; i++)
        if (rosterSigns(roster, i, "!o") > most)
            most = rosterSigns(roster, worst = i, "!o");
    if (most > 0)
        printf("Most are stuck at %s: %zu of %zu.\n",
               roster->students[0].claims[worst].exercise->brief, most, roster->count);
}

/* A field of CSV. A spreadsheet takes =, +, - and @ for the beginning of a formula, but not after
 * an apostrophe. */
static char *field(const char *text)
{
    struct text csv = {0};

    appendText(&csv, text[0] != '\0' && strchr("=+-@", text[0]) != NULL ? "\"'" : "\"");
    for (; *text != '\0'; text++)
        appendFormat(&csv, *text == '"' ? "\"\"" : "%c", *text);
    appendText(&csv, "\"");
    return csv.data;
}

/* Writes a row for each student and exercise. */
static void writeClaims(const char *path, const struct roster *roster)
{
    struct text csv = {0};

    appendText(&csv,
               "student,exercise,verdict,advanced,advanced_of,date,template,doubt,flag,verified\n");
    for (size_t k = 0; k < roster->count; k++)
        for (const struct claim *c = roster->students[k].claims; c->exercise != NULL; c++)
            appendFormat(&csv, "%s,%s,%s,%d,%d,%s,%s,%s,%s,%s\n", field(roster->students[k].name),
                         c->exercise->name, c->verdict, c->advanced, c->advancedOf, c->date,
                         c->hash, field(c->doubt != NULL ? c->doubt : ""),
                         field(c->flag != NULL ? c->flag : ""), c->verified ? "yes" : "");
    replaceFile(path, csv.data);
}

/* Writes a row for each student. */
static void writeStudents(const char *path, const struct roster *roster)
{
    struct text csv = {0};

    appendText(&csv, "student,passed,doubted,flagged,verified,last,problem");
    for (const struct claim *c = roster->students[0].claims; c->exercise != NULL; c++)
        appendFormat(&csv, ",%s", c->exercise->brief);
    appendText(&csv, "\n");
    for (size_t k = 0; k < roster->count; k++) {
        const struct student *s = &roster->students[k];
        int doubted = 0, flagged = 0, verified = 0;

        for (const struct claim *c = s->claims; c->exercise != NULL; c++) {
            doubted += c->doubt != NULL;
            flagged += c->flag != NULL;
            verified += c->verified;
        }
        appendFormat(&csv, "%s,%zu,%d,%d,%d,%s,%s", field(s->name), studentPassed(s), doubted,
                     flagged, verified, studentLast(s), s->problem != NULL ? s->problem : "");
        for (const struct claim *c = s->claims; c->exercise != NULL; c++)
            appendFormat(&csv, ",%s", c->doubt != NULL ? "?" : c->verdict);
        appendText(&csv, "\n");
    }
    replaceFile(path, csv.data);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* "2026-01-31 23:59" of a date that a check wrote. */
static char *minuteOf(const char *date)
{
    return escaped(formatString("%.10s %.5s", date, strlen(date) > 11 ? date + 11 : ""));
}

static void addSummary(struct text *page, const struct roster *roster)
{
    const time_t now = time(NULL);
    char date[32];

    strftime(date, sizeof date, "%Y-%m-%d %H:%M", gmtime(&now));
    appendFormat(page, "<p>%zu student%s, %zu exercises; %s UTC.", roster->count,
                 roster->count == 1 ? "" : "s", roster->exercises, date);
    if (roster->verified != NULL)
        appendFormat(page, " %s", roster->verified);
    appendText(page, "</p>\n");
}

static void addExercises(struct text *page, const struct roster *roster)
{
    const double all = (double)roster->count;

    htmlSection(page, "exercises", "Progress by exercise");
    htmlTable(page, "progress by exercise", "exercise|passed, begun|#passed|#advanced, too|#stuck");
    for (size_t i = 0; i < roster->exercises; i++) {
        const struct exercise_entry *e = roster->students[0].claims[i].exercise;
        const size_t passed = rosterSigns(roster, i, "x+"), stuck = rosterSigns(roster, i, "!o");

        appendFormat(page,
                     "<tr><th scope=\"row\">%s <small>%s</small></th>"
                     "<td class=\"bar\"><span style=\"--f:%.3f;--g:%.3f\"></span></td>"
                     "<td class=\"number\">%zu</td><td class=\"number\">%zu</td>"
                     "<td class=\"number\">%zu</td></tr>\n",
                     e->brief, escaped(e->title), (double)passed / all,
                     (double)(passed + stuck) / all, passed, rosterSigns(roster, i, "+"), stuck);
    }
    appendText(page, HTML_TABLE_END "</section>\n");
}

/* The students who have begun an exercise and not passed it. */
static void addStuck(struct text *page, const struct roster *roster)
{
    htmlSection(page, "stuck", "Who is stuck where");
    appendText(page, "<dl>\n");
    for (size_t i = 0; i < roster->exercises; i++) {
        const char *before = "";

        if (rosterSigns(roster, i, "!o") == 0)
            continue;
        htmlElement(page, "dt", roster->students[0].claims[i].exercise->brief);
        appendText(page, "<dd>");
        for (size_t k = 0; k < roster->count; k++) {
            const struct claim *c = &roster->students[k].claims[i];

            if (strchr("!o", claimSign(c)) == NULL)
                continue;
            appendFormat(page, "%s%s (%s, %s)", before, escaped(roster->students[k].name),
                         claimSign(c) == 'o' ? "TODOs unfilled" : c->verdict, minuteOf(c->date));
            before = "; ";
        }
        appendText(page, "</dd>\n");
    }
    appendText(page, "</dl></section>\n");
}

static void addStudents(struct text *page, const struct roster *roster)
{
    struct text heads = {0};

    appendText(&heads, "student");
    for (size_t i = 0; i < roster->exercises; i++)
        appendFormat(&heads, "|%s", roster->students[0].claims[i].exercise->brief + 2);
    appendText(&heads, "|#passed|last activity (UTC)");
    htmlSection(page, "students", "Students");
    htmlElement(page, "p", claimSigns);
    htmlTable(page, "students", heads.data);
    for (size_t k = 0; k < roster->count; k++) {
        const struct student *s = &roster->students[k];

        appendFormat(page, "<tr><th scope=\"row\">%s</th>", escaped(s->name));
        for (const struct claim *c = s->claims; c->exercise != NULL; c++)
            appendFormat(page, "<td class=\"sign%s\">%c</td>",
                         strchr("!?", claimSign(c)) != NULL ? " slow" : "", claimSign(c));
        appendFormat(page, "<td class=\"number\">%zu</td><td>%s</td></tr>\n", studentPassed(s),
                     s->problem != NULL ? escaped(s->problem) : minuteOf(studentLast(s)));
    }
    appendText(page, HTML_TABLE_END "</section>\n");
}

/* The claims that cannot be true, and those that are worth a look. */
static void addDoubts(struct text *page, const struct roster *roster)
{
    htmlSection(page, "doubts", "To be looked at");
    htmlTable(page, "to be looked at", "student|exercise|does not count, since|flagged");
    for (size_t k = 0; k < roster->count; k++)
        for (const struct claim *c = roster->students[k].claims; c->exercise != NULL; c++)
            if (c->doubt != NULL || c->flag != NULL)
                appendFormat(
                    page, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td></tr>\n",
                    escaped(roster->students[k].name), c->exercise->brief,
                    escaped(c->doubt != NULL ? c->doubt : ""),
                    escaped(c->flag != NULL ? c->flag : ""));
    appendText(page, HTML_TABLE_END "</section>\n");
}

/* Writes a page that needs no network. doubts: also what is not true or worth a look, which is not
 * for the room. */
static void writePage(const char *path, const struct roster *roster, int doubts)
{
    struct text page = {0};

    htmlBegin(&page, "CUDA C course: the class");
    appendText(&page, "<header><h1>CUDA C course: the class</h1>\n");
    addSummary(&page, roster);
    appendText(&page, "</header><main>\n");
    addExercises(&page, roster);
    addStuck(&page, roster);
    addStudents(&page, roster);
    if (doubts)
        addDoubts(&page, roster);
    appendText(&page, "</main></body></html>\n");
    replaceFile(path, page.data);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The user in "=USER", the rest of an option --verify. */
static const char *whoVerifies(const char *rest)
{
    if (rest[0] != '=' || rest[1] == '\0')
        fail(EXIT_USAGE, "--verify runs the students' programs: --verify=nobody, as root, runs "
                         "them as the user nobody; --verify=here as yourself, in a container");
    return rest + 1;
}

int commandRollup(int argc, char **argv)
{
    const char *csv = NULL, *students = NULL, *page = NULL, *limit = NULL;
    struct recheck how = {.limit = 60.0};
    int anonymous = 0, paths = 0, readable = 0;
    const struct known_option known[] = {{"--csv", .value = &csv},
                                         {"--students", .value = &students},
                                         {"-o", .value = &page},
                                         {"--in", .value = &how.place},
                                         {"--limit", .value = &limit},
                                         {"--anonymous", .flag = &anonymous},
                                         {0}};
    struct roster roster;

    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) /* names are UTF-8, whatever the language */
        setlocale(LC_CTYPE, "");
    argc = takeOptions(known, argc, argv);
    if (limit != NULL)
        how.limit = secondsIn("--limit ", limit);
    for (int i = 1; i < argc; i++)
        if (startsWith(argv[i], "--verify"))
            how.user = whoVerifies(argv[i] + strlen("--verify"));
        else if (argv[i][0] == '-')
            notUnderstood("rollup", argv[i]);
        else
            argv[paths++] = argv[i];
    if (paths == 0)
        fail(EXIT_USAGE, "rollup needs the students' folders, or their progress.txt");
    roster = rosterRead(argv, (size_t)paths, anonymous);
    if (how.user != NULL)
        rosterVerify(&roster, &how);
    printTable(&roster);
    printStuck(&roster);
    if (roster.verified != NULL)
        puts(roster.verified);
    if (csv != NULL)
        writeClaims(csv, &roster);
    if (students != NULL)
        writeStudents(students, &roster);
    if (page != NULL)
        writePage(page, &roster, !anonymous);
    for (size_t k = 0; k < roster.count; k++)
        readable += roster.students[k].problem == NULL;
    return readable > 0 ? EXIT_PASS : EXIT_ERROR;
}
