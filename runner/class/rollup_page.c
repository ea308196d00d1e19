/* The roll-up of a class as a page of HTML. */
#include "rollup.h"
#include "files.h"
#include "html.h"
#include <string.h>
#include <time.h>

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

void rollupPage(const char *path, const struct roster *roster, int doubts)
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
