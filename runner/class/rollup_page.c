/* The roll-up of a class as a page of HTML. */
#include "rollup.h"
#include "files.h"
#include "html.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char style[] =
    ".bar span { background: linear-gradient(var(--c0), var(--c0)) 0 0 / calc(var(--f) * 100%) "
    "100% no-repeat, linear-gradient(var(--bar), var(--bar)) 0 0 / calc(var(--g) * 100%) 100% "
    "no-repeat; }\n"
    ".sign { text-align: center; padding: 4px 5px; font-weight: 600; }\n";

/* "2026-01-31 23:59" of a date that a check wrote. */
static void addDate(struct text *page, const char *date)
{
    char *text = formatString("%.10s %.5s", date, strlen(date) > 11 ? date + 11 : "");

    htmlText(page, text);
    free(text);
}

static void addNumber(struct text *page, size_t number)
{
    char *text = formatString("%zu", number);

    htmlNumber(page, text);
    free(text);
}

static void beginTable(struct text *page, const char *label, const char *heads)
{
    appendFormat(page,
                 "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>"
                 "<thead><tr>%s</tr></thead><tbody>\n",
                 label, heads);
}

static void endTable(struct text *page) { appendText(page, "</tbody></table></div></section>\n"); }

static void addSummary(struct text *page, const struct roster *roster)
{
    const time_t now = time(NULL);
    char date[32];
    size_t count;

    exercises(&count);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", gmtime(&now));
    appendFormat(page, "<p>%zu student%s, %zu exercises; %s UTC.", roster->count,
                 roster->count == 1 ? "" : "s", count, date);
    if (roster->verified != NULL) {
        appendText(page, " ");
        htmlText(page, roster->verified);
    }
    appendText(page, "</p>\n");
}

static void addExercises(struct text *page, const struct roster *roster)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);
    const double all = roster->count > 0 ? (double)roster->count : 1.0;

    appendText(page, "<section id=\"exercises\"><h2>Progress by exercise</h2>\n");
    beginTable(page, "progress by exercise",
               "<th scope=\"col\">exercise</th><th scope=\"col\">passed, begun</th>"
               "<th scope=\"col\" class=\"number\">passed</th>"
               "<th scope=\"col\" class=\"number\">advanced, too</th>"
               "<th scope=\"col\" class=\"number\">stuck</th>");
    for (size_t i = 0; i < count; i++) {
        const size_t passed = rosterSigns(roster, i, "x+"), stuck = rosterSigns(roster, i, "!o");

        appendText(page, "<tr><th scope=\"row\">");
        htmlText(page, list[i].brief);
        appendText(page, " ");
        htmlElement(page, "small", list[i].title);
        appendFormat(page, "</th><td class=\"bar\"><span style=\"--f:%.3f;--g:%.3f\"></span></td>",
                     (double)passed / all, (double)(passed + stuck) / all);
        addNumber(page, passed);
        addNumber(page, rosterSigns(roster, i, "+"));
        addNumber(page, stuck);
        appendText(page, "</tr>\n");
    }
    endTable(page);
}

/* The students who have begun an exercise and not passed it. */
static void addStuck(struct text *page, const struct roster *roster)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    appendText(page, "<section id=\"stuck\"><h2>Who is stuck where</h2>\n<dl>\n");
    for (size_t i = 0; i < count; i++) {
        const char *before = "";

        if (rosterSigns(roster, i, "!o") == 0)
            continue;
        htmlElement(page, "dt", list[i].brief);
        appendText(page, "<dd>");
        for (size_t k = 0; k < roster->count; k++) {
            const struct claim *c = &roster->students[k].claims[i];

            if (strchr("!o", claimSign(c)) == NULL)
                continue;
            appendText(page, before);
            htmlText(page, roster->students[k].name);
            appendFormat(page, " (%s, ", claimSign(c) == 'o' ? "TODOs unfilled" : c->verdict);
            addDate(page, c->date);
            appendText(page, ")");
            before = "; ";
        }
        appendText(page, "</dd>\n");
    }
    appendText(page, "</dl></section>\n");
}

static void addStudents(struct text *page, const struct roster *roster)
{
    struct text heads = {0};
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    appendText(&heads, "<th scope=\"col\">student</th>");
    for (size_t i = 0; i < count; i++)
        appendFormat(&heads, "<th scope=\"col\" class=\"sign\">%s</th>", list[i].brief + 2);
    appendText(&heads, "<th scope=\"col\" class=\"number\">passed</th>"
                       "<th scope=\"col\">last activity (UTC)</th>");
    appendText(page, "<section id=\"students\"><h2>Students</h2>\n");
    htmlElement(page, "p", claimSigns);
    beginTable(page, "students", heads.data);
    for (size_t k = 0; k < roster->count; k++) {
        const struct student *s = &roster->students[k];

        appendText(page, "<tr>");
        htmlElement(page, "th scope=\"row\"", s->name);
        for (size_t i = 0; i < count; i++) {
            const char sign = claimSign(&s->claims[i]);

            appendFormat(page, "<td class=\"sign%s\">%c</td>",
                         strchr("!?", sign) != NULL ? " slow" : "", sign);
        }
        addNumber(page, studentPassed(s));
        appendText(page, "<td>");
        if (s->problem != NULL)
            htmlText(page, s->problem);
        else
            addDate(page, studentLast(s));
        appendText(page, "</td></tr>\n");
    }
    endTable(page);
    free(heads.data);
}

/* The claims that cannot be true, and those that are worth a look. */
static void addDoubts(struct text *page, const struct roster *roster)
{
    size_t count;
    const struct exercise_entry *list = exercises(&count);

    appendText(page, "<section id=\"doubts\"><h2>To be looked at</h2>\n");
    beginTable(page, "to be looked at",
               "<th scope=\"col\">student</th><th scope=\"col\">exercise</th>"
               "<th scope=\"col\">does not count, since</th><th scope=\"col\">flagged</th>");
    for (size_t k = 0; k < roster->count; k++)
        for (size_t i = 0; i < count; i++) {
            const struct claim *c = &roster->students[k].claims[i];

            if (c->doubt == NULL && c->flag == NULL)
                continue;
            appendText(page, "<tr>");
            htmlElement(page, "th scope=\"row\"", roster->students[k].name);
            htmlElement(page, "td", list[i].brief);
            htmlElement(page, "td", c->doubt != NULL ? c->doubt : "");
            htmlElement(page, "td", c->flag != NULL ? c->flag : "");
            appendText(page, "</tr>\n");
        }
    endTable(page);
}

void rollupPage(const char *path, const struct roster *roster, int doubts)
{
    struct text page = {0};

    htmlBegin(&page, "CUDA C course: the class", style);
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
    free(page.data);
}
