/* book: the course's documents as one page of HTML that needs no network. cmark-gfm turns Markdown
 * into HTML; here the parts become one: links lead to places in the page, pictures stand in it. */
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "html.h"
#include "text.h"
#include "tool.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One document of the book. */
struct chapter {
    const char *prefix; /* of the names of its headings: "ex05" */
    /* where its links start, relative to the course's folder: "ex05_diffusion1d", or "." */
    const char *folder;
    const char *file; /* in that folder */
};

/* ---- names of headings ----------------------------------------------------------------------- */

/* The name that a heading's text gives to links, as GitHub makes it: small letters, digits, and -
 * for blanks. */
static void appendSlug(struct text *out, const char *html, size_t length)
{
    int inTag = 0;

    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)html[i];

        if (c == '<' || c == '>')
            inTag = c == '<';
        else if (inTag)
            continue;
        else if (c == '&') /* an entity stands for a sign that is left out */
            i += strcspn(html + i, ";");
        else if (isalnum(c) || c == '_' || c >= 0x80)
            appendFormat(out, "%c", tolower(c));
        else if (c == ' ' || c == '-')
            appendText(out, "-");
    }
}

/* A heading that begins at html, "<h2>...</h2>"; returns what follows it. The first of a chapter
 * has the chapter's own name. */
static const char *appendHeading(struct text *out, const char *html, const struct chapter *c)
{
    const char level = html[2], *begin = html + 4, *end = strstr(begin, "</h");

    if (end == NULL)
        end = begin + strlen(begin);
    appendFormat(out, "<h%c id=\"%s", level, c->prefix);
    if (level != '1') {
        appendText(out, "-");
        appendSlug(out, begin, (size_t)(end - begin));
    }
    appendText(out, "\">");
    append(out, begin, (size_t)(end - begin));
    appendFormat(out, "</h%c>", level);
    return *end != '\0' ? end + 5 : end;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* The place in the book that a link of a chapter leads to, "#ex04-task", in a string that the
 * caller frees; NULL if it leads to a file that is no part of the book. */
static char *placeInBook(const char *link, const struct chapter *c, const struct chapter *all,
                         size_t count)
{
    const char *anchor = strchr(link, '#'), *path = link;
    const size_t length = anchor != NULL ? (size_t)(anchor - link) : strlen(link);
    size_t skipped = 0;

    if (length == 0)
        return anchor != NULL ? formatString("#%s-%s", c->prefix, anchor + 1) : NULL;
    while (startsWith(path + skipped, "../"))
        skipped += 3;
    for (size_t i = 0; i < count; i++) {
        const int isHere = skipped == 0 && !isSame(c->folder, ".");
        char *whole = isSame(all[i].folder, ".")
                          ? formatString("%s", all[i].file)
                          : formatString("%s/%s", isHere ? "" : all[i].folder, all[i].file);
        const char *wanted = isHere && whole[0] == '/' ? whole + 1 : whole;
        const int isIt = strlen(wanted) == length - skipped &&
                         strncmp(wanted, path + skipped, length - skipped) == 0 &&
                         (!isHere || isSame(all[i].folder, c->folder));

        if (isIt)
            return anchor != NULL ? formatString("#%s-%s", all[i].prefix, anchor + 1)
                                  : formatString("#%s", all[i].prefix);
    }
    return NULL;
}

/* A link that begins at html, "<a href=\"...\">"; returns what follows the tag. One that leads out
 * of the book keeps its text only, unless it leads into the net. */
static const char *appendLink(struct text *out, const char *html, const struct chapter *c,
                              const struct chapter *all, size_t count)
{
    const char *begin = html + strlen("<a href=\""), *end = strchr(begin, '"'), *after;
    char *link, *place;

    if (end == NULL || (after = strchr(end, '>')) == NULL) {
        appendText(out, "&lt;");
        return html + 1;
    }
    link = formatString("%.*s", (int)(end - begin), begin);
    place = placeInBook(link, c, all, count);
    if (place != NULL || startsWith(link, "http"))
        appendFormat(out, "<a href=\"%s\">", place != NULL ? place : link);
    else
        appendText(out, "<a>");
    return after + 1;
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void appendBase64(struct text *out, const char *bytes, size_t length)
{
    const unsigned char *data = (const unsigned char *)bytes;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        const size_t left = length - i;
        const unsigned bits = (unsigned)data[i] << 16 |
                              (left > 1 ? (unsigned)data[i + 1] << 8 : 0) |
                              (left > 2 ? data[i + 2] : 0);

        appendFormat(out, "%c%c%c%c", digits[bits >> 18], digits[bits >> 12 & 63],
                     left > 1 ? digits[bits >> 6 & 63] : '=', left > 2 ? digits[bits & 63] : '=');
    }
}

/* A picture that begins at html, "<img src=\"...\""; returns what follows the attribute. */
static const char *appendPicture(struct text *out, const char *html, const struct chapter *c)
{
    const char *begin = html + strlen("<img src=\""), *end = strchr(begin, '"');
    char *path;
    char *data;
    size_t length;

    if (end == NULL) {
        appendText(out, "&lt;");
        return html + 1;
    }
    path = formatString("%s/%s/%.*s", sourceFolder(), c->folder, (int)(end - begin), begin);
    data = readBytesIfThere(path, &length);
    if (data == NULL)
        fail(EXIT_ERROR, "cannot read the picture %s", path);
    appendFormat(out, "<img src=\"data:image/%s;base64,",
                 strstr(path, ".svg") != NULL ? "svg+xml" : "png");
    appendBase64(out, data, length);
    return end;
}

/* ---- chapters -------------------------------------------------------------------------------- */

static int begins(const char *text, const char *with) { return startsWith(text, with); }

/* Adds a chapter. Hints are folded away. */
static void addChapter(struct text *out, const struct chapter *c, const struct chapter *all,
                       size_t count)
{
    char *path = formatString("%s/%s/%s", sourceFolder(), c->folder, c->file);
    char *const command[] = {"cmark-gfm", "--unsafe", "-e", "table", path, NULL};
    char *html = toolSays(command);
    int isFolded = 0;

    if (html == NULL)
        fail(EXIT_ERROR, "cmark-gfm cannot read %s", path);
    appendFormat(out, "<article class=\"chapter\">\n");
    for (const char *at = html; *at != '\0';) {
        if (begins(at, "<!--") && strstr(at, "-->") != NULL) {
            at = strstr(at, "-->") + 3;
        } else if (begins(at, "<h") && at[2] >= '1' && at[2] <= '6' && at[3] == '>') {
            if (isFolded && at[2] <= '2') {
                appendText(out, "</details>\n");
                isFolded = 0;
            }
            if (begins(at, "<h2>Hints</h2>")) {
                appendText(out, "<details><summary>Hints</summary>\n");
                isFolded = 1;
            }
            at = appendHeading(out, at, c);
        } else if (begins(at, "<a href=\"")) {
            at = appendLink(out, at, c, all, count);
        } else if (begins(at, "<img src=\"")) {
            at = appendPicture(out, at, c);
        } else {
            append(out, at++, 1);
        }
    }
    appendText(out, isFolded ? "</details></article>\n" : "</article>\n");
}

/* The lessons that no exercise has of its own, in lessons/ */
static const char *const lessons[] = {"generations", "memory", "language", "modern", "streams"};
enum { LESSONS = sizeof lessons / sizeof *lessons };

/* The chapters, in the book's order; *count of them. */
static struct chapter *chapters(size_t *count, int answers)
{
    size_t exercisesHere;
    const struct exercise_entry *list = exercises(&exercisesHere);
    struct chapter *all = mustAllocate(NULL, (2 * exercisesHere + 2 + LESSONS) * sizeof *all);

    *count = 0;
    all[(*count)++] = (struct chapter){"course", ".", "README.md"};
    for (size_t i = 0; i < exercisesHere; i++)
        all[(*count)++] = (struct chapter){list[i].brief, list[i].name, "README.md"};
    for (size_t i = 0; i < LESSONS; i++)
        all[(*count)++] =
            (struct chapter){lessons[i], "lessons", formatString("%s.md", lessons[i])};
    all[(*count)++] = (struct chapter){"glossary", ".", "GLOSSARY.md"};
    for (size_t i = 0; i < exercisesHere && answers; i++)
        all[(*count)++] = (struct chapter){formatString("answers-%s", list[i].brief), "solutions",
                                           formatString("%s.md", list[i].brief)};
    return all;
}

static const char bookStyle[] =
    "article, nav { max-width: 50em; margin: 0 auto; } article:not(:first-of-type) { break-before: "
    "page; }\n"
    "article h1 { border-top: 3px solid var(--line); padding-top: 16px; margin-top: 56px; }\n"
    "article img { max-width: 100%; height: auto; }\n"
    "article table { display: block; overflow-x: auto; } a:not([href]) { color: inherit; }\n"
    "pre, code { font-family: ui-monospace, monospace; } code { font-size: 0.9em; }\n"
    "pre { padding: 8px 12px; background: var(--head); } pre code { font-size: 1em; }\n"
    "@media print { pre { white-space: pre-wrap; } }\n";

static void writeBook(const char *file, int answers)
{
    size_t count, exercisesHere;
    struct chapter *all = chapters(&count, answers);
    const struct exercise_entry *list = exercises(&exercisesHere);
    struct text page = {0};

    htmlBegin(&page, "CUDA C course", bookStyle);
    appendText(&page, "<nav><a href=\"#course\">the course</a>");
    for (size_t i = 0; i < exercisesHere; i++)
        appendFormat(&page, "<a href=\"#%s\" title=\"%s\">%s</a>", list[i].brief, list[i].title,
                     list[i].brief);
    for (size_t i = 0; i < LESSONS; i++)
        appendFormat(&page, "<a href=\"#%s\">%s</a>", lessons[i], lessons[i]);
    appendText(&page, "<a href=\"#glossary\">glossary</a></nav>\n<main>\n");
    for (size_t i = 0; i < count; i++)
        addChapter(&page, &all[i], all, count);
    appendText(&page, "</main></body></html>\n");
    replaceFile(file, page.data);
    printf("Written: %s, %.1f MB\n", file, (double)page.length * 1e-6);
}

int commandBook(int argc, char **argv)
{
    const char *file = "course.html";
    char *tool = toolPath("cmark-gfm");
    int answers = 0;

    for (int i = 1; i < argc; i++)
        if (isSame(argv[i], "--answers"))
            answers = 1;
        else if (isSame(argv[i], "-o") && i + 1 < argc)
            file = argv[++i];
        else
            fail(EXIT_USAGE, "book takes -o FILE and --answers");
    if (tool == NULL) {
        printf("SKIPPED: book needs cmark-gfm (Debian, Ubuntu: apt-get install cmark-gfm)\n");
        return EXIT_SKIPPED;
    }
    writeBook(file, answers);
    return EXIT_PASS;
}
