/* book: the course's documents as one page of HTML that needs no network. cmark-gfm turns Markdown
 * into HTML; here the parts become one: links lead to places in the page, pictures stand in it. */
#include "book.h"
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "html.h"
#include "request.h"
#include "text.h"
#include "tool.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- names of headings ----------------------------------------------------------------------- */

/* The name that a heading's text gives to links, as GitHub makes it: small letters, digits, and -
 * for blanks. */
static char *slugOf(const char *html, size_t length)
{
    struct text slug = {0};
    int inTag = 0;

    appendText(&slug, "");
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)html[i];

        if (c == '<' || c == '>')
            inTag = c == '<';
        else if (!inTag && c == '&') /* an entity stands for a sign that is left out */
            i += strcspn(html + i, ";");
        else if (!inTag && (isalnum(c) || strchr("_- ", c) != NULL || c >= 0x80))
            appendFormat(&slug, "%c", c == ' ' ? '-' : tolower(c));
    }
    return slug.data;
}

/* A heading that begins at html, "<h2>...</h2>"; returns what follows it. The first of a chapter
 * has the chapter's own name. */
static const char *appendHeading(struct text *out, const char *html, const struct chapter *c)
{
    const char level = html[2], *begin = html + strlen("<h2>"), *end = strstr(begin, "</h");
    const size_t length = end != NULL ? (size_t)(end - begin) : strlen(begin);

    appendFormat(out, "<h%c id=\"%s%s%s\">%.*s</h%c>", level, c->prefix, level != '1' ? "-" : "",
                 level != '1' ? slugOf(begin, length) : "", (int)length, begin, level);
    return end != NULL ? end + strlen("</h2>") : begin + length;
}

/* The value of the attribute in a tag such as <a href="...">, which cmark-gfm closes. */
static char *valueOf(const char *html)
{
    const char *begin = strchr(html, '"') + 1;

    return formatString("%.*s", (int)strcspn(begin, "\""), begin);
}

/* ---- links ----------------------------------------------------------------------------------- */

/* The path from the course's folder on of a file that a document in this folder names. */
static char *pathFrom(const char *folder, const char *file)
{
    for (; startsWith(file, "../"); file += strlen("../"))
        folder = ".";
    return isSame(folder, ".") ? formatString("%s", file) : formatString("%s/%s", folder, file);
}

/* The place in the book that a link of a chapter leads to, "#ex04-task"; NULL if it leads to a file
 * that is no part of the book. */
static char *placeInBook(const char *link, const struct chapter *c, const struct chapter *all,
                         size_t count)
{
    const size_t length = strcspn(link, "#");
    const char *anchor = link[length] == '#' ? formatString("-%s", link + length + 1) : "";
    const char *path = pathFrom(c->folder, formatString("%.*s", (int)length, link));

    if (length == 0)
        return anchor[0] != '\0' && count > 0 ? formatString("#%s%s", c->prefix, anchor) : NULL;
    for (size_t i = 0; i < count; i++)
        if (isSame(path, pathFrom(all[i].folder, all[i].file)))
            return formatString("#%s%s", all[i].prefix, anchor);
    return NULL;
}

/* A link that begins at html, "<a href=\"...\">"; returns what follows the tag. One that leads out
 * of the book keeps its text only, unless it leads into the net. */
static const char *appendLink(struct text *out, const char *html, const struct chapter *c,
                              const struct chapter *all, size_t count)
{
    const char *link = valueOf(html), *place = placeInBook(link, c, all, count);

    if (place != NULL || startsWith(link, "http"))
        appendFormat(out, "<a href=\"%s\">", place != NULL ? place : link);
    else
        appendText(out, "<a>");
    return strchr(html, '>') + 1;
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
    const char *file = valueOf(html);
    const char *path = formatString("%s/%s/%s", sourceFolder(), c->folder, file), *data;
    size_t length;

    data = readBytesIfThere(path, &length);
    if (data == NULL)
        fail(EXIT_ERROR, "cannot read the picture %s", path);
    appendFormat(out, "<img src=\"data:image/%s;base64,",
                 strstr(path, ".svg") != NULL ? "svg+xml" : "png");
    appendBase64(out, data, length);
    return strchr(html, '"') + 1 + strlen(file);
}

/* ---- chapters -------------------------------------------------------------------------------- */

const char *chapterHtml(const struct chapter *c)
{
    char *path = formatString("%s/%s/%s", sourceFolder(), c->folder, c->file);
    const char *html;

    if (toolPath("cmark-gfm") == NULL)
        fail(EXIT_SKIPPED,
             "SKIPPED: this needs cmark-gfm (Debian, Ubuntu: apt-get install cmark-gfm)");
    html = toolSays((char *[]){"cmark-gfm", "--unsafe", "-e", "table", path, NULL});
    if (html == NULL)
        fail(EXIT_ERROR, "cmark-gfm cannot read %s", path);
    return html;
}

const char *appendPart(struct text *out, const char *html, const struct chapter *c,
                       const struct chapter *all, size_t count)
{
    if (startsWith(html, "<!--") && strstr(html, "-->") != NULL)
        return strstr(html, "-->") + 3;
    if (startsWith(html, "<a href=\""))
        return appendLink(out, html, c, all, count);
    if (startsWith(html, "<img src=\""))
        return appendPicture(out, html, c);
    append(out, html, 1);
    return html + 1;
}

/* Adds a chapter. Hints are folded away. */
static void addChapter(struct text *out, const struct chapter *c, const struct chapter *all,
                       size_t count)
{
    int isFolded = 0;

    appendText(out, "<article class=\"chapter\">\n");
    for (const char *at = chapterHtml(c); *at != '\0';) {
        if (startsWith(at, "<h") && at[2] >= '1' && at[2] <= '6' && at[3] == '>') {
            if (isFolded && at[2] <= '2') {
                appendText(out, "</details>\n");
                isFolded = 0;
            }
            if (startsWith(at, "<h2>Hints</h2>")) {
                appendText(out, "<details><summary>Hints</summary>\n");
                isFolded = 1;
            }
            at = appendHeading(out, at, c);
        } else {
            at = appendPart(out, at, c, all, count);
        }
    }
    appendText(out, isFolded ? "</details></article>\n" : "</article>\n");
}

/* The lessons that no exercise has of its own, in lessons/ */
static const char *const lessons[] = {"generations", "memory",  "language",
                                      "modern",      "streams", "transformer"};
enum { LESSONS = sizeof lessons / sizeof *lessons };

/* The chapters, in the book's order; *count of them. */
static struct chapter *chapters(size_t *count, int answers)
{
    struct chapter *all = mustAllocate(NULL, (2 * exerciseCount() + 4 + LESSONS) * sizeof *all);

    *count = 0;
    all[(*count)++] = (struct chapter){"course", ".", "README.md"};
    for (const struct exercise_entry *e = exercises(); e->name[0] != '\0'; e++)
        all[(*count)++] = (struct chapter){e->brief, e->name, "README.md", e->title};
    all[(*count)++] =
        (struct chapter){labToRead.brief, labToRead.name, "README.md", labToRead.title};
    for (size_t i = 0; i < LESSONS; i++)
        all[(*count)++] =
            (struct chapter){lessons[i], "lessons", formatString("%s.md", lessons[i])};
    all[(*count)++] = (struct chapter){"glossary", ".", "GLOSSARY.md"};
    for (const struct exercise_entry *e = exercises(); answers && e->name[0] != '\0'; e++)
        all[(*count)++] = (struct chapter){formatString("answers-%s", e->brief), "solutions",
                                           formatString("%s.md", e->brief)};
    if (answers)
        all[(*count)++] = (struct chapter){"answers-labb", "solutions", "labb.md"};
    return all;
}

/* Shows only the chapters with the words of the field, and opens their hints. A link shows all. */
static const char search[] =
    "<script>\n"
    "const field = document.querySelector(\"input\");\n"
    "field.oninput = () => {\n"
    "  const has = e => e.textContent.toLowerCase().includes(field.value.toLowerCase());\n"
    "  document.querySelectorAll(\"article\").forEach(a => a.hidden = !has(a));\n"
    "  document.querySelectorAll(\"details\").forEach(d => d.open = field.value && has(d));\n"
    "};\n"
    "onhashchange = () => {\n"
    "  field.value = \"\";\n"
    "  field.oninput();\n"
    "  document.getElementById(location.hash.slice(1)).scrollIntoView();\n"
    "};</script>\n";

static void writeBook(const char *file, int answers)
{
    size_t count;
    const struct chapter *all = chapters(&count, answers);
    struct text page = {0};

    htmlBegin(&page, "CUDA C course");
    appendText(&page, "<nav class=\"chapters\">");
    for (size_t i = 0; i < count && !startsWith(all[i].prefix, "answers-"); i++)
        appendFormat(&page,
                     all[i].title != NULL ? "<a href=\"#%s\" title=\"%s\">%s</a>"
                                          : "<a href=\"#%s\"%s>%s</a>",
                     all[i].prefix, all[i].title != NULL ? all[i].title : "",
                     i == 0 ? "the course" : all[i].prefix);
    appendText(&page, "<input type=\"search\" aria-label=\"Search\" placeholder=\"Search\">"
                      "</nav>\n<main>\n");
    for (size_t i = 0; i < count; i++)
        addChapter(&page, &all[i], all, count);
    appendText(&page, search);
    appendText(&page, "</main></body></html>\n");
    replaceFile(file, page.data);
    printf("Written: %s, %.1f MB\n", file, (double)page.length * 1e-6);
}

int commandBook(int argc, char **argv)
{
    const char *file = "course.html";
    int answers = 0;
    const struct known_option known[] = {
        {"-o", .value = &file}, {"--answers", .flag = &answers}, {0}};

    if (takeOptions(known, argc, argv) > 1)
        fail(EXIT_USAGE, "book takes -o FILE and --answers");
    writeBook(file, answers);
    return EXIT_PASS;
}
