/* slides: each lesson as a deck, one page of HTML that needs no network. A heading begins a slide.
 * The first sentence of a paragraph, or of an item of a list, becomes a point; the whole stands in
 * the notes. Code, tables and pictures are shown whole. What does not fit goes on on the next
 * slide. */
#include "book.h"
#include "commands.h"
#include "exercises.h"
#include "files.h"
#include "html.h"
#include "request.h"
#include "selection.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Of a slide of 1280 x 720 px, as report.css draws it: its height below the heading, and what takes
 * how much of it. */
enum {
    ROOM = 570,
    POINT_COLUMNS = 84,
    POINT_LINE = 35,
    GAP = 10,
    CODE_COLUMNS = 100,
    CODE_LINE = 24,
    TABLE_COLUMNS = 90,
    TABLE_LINE = 30,
    TABLE_GAP = 7,
    PICTURE = 360
};

enum { CELLS = 16 }; /* in a row of a table, at most */

struct deck {
    struct text page, body, notes;
    const struct chapter *chapter;
    const char *heading; /* of the slide that is being filled; NULL before the first */
    int used;            /* px of its room */
    int isList;          /* its body ends within a list */
};

/* ---- HTML ------------------------------------------------------------------------------------ */

static void appendHtml(struct text *out, const struct chapter *c, const char *from, const char *end)
{
    while (from < end)
        from = appendPart(out, from, c, NULL, 0);
}

/* The end of the element <tag> that begins at html, which may hold others of that name. */
static const char *elementEnd(const char *html, const char *tag)
{
    const char *begin = formatString("<%s", tag), *end = formatString("</%s>", tag);
    int depth = 0;

    for (; *html != '\0'; html++) {
        depth += startsWith(html, begin);
        if (startsWith(html, end) && --depth == 0)
            return html + strlen(end);
    }
    return html;
}

/* The end of the first sentence in a paragraph or item, outside all tags. */
static const char *sentenceEnd(const char *from, const char *end)
{
    int depth = 0;
    char last = ' ';

    for (const char *at = from; at < end; at++) {
        if (*at == '<') {
            const int isInline = !startsWith(at, "<p>") && !startsWith(at, "</p>");

            if (startsWith(at, "<ul>") || startsWith(at, "<ol>") || startsWith(at, "<pre>"))
                return at;
            depth += isInline && !startsWith(at, "<img") ? (at[1] == '/' ? -1 : 1) : 0;
            at += strcspn(at, ">");
        } else if (startsWith(at, "&quot;")) {
            at += strlen("&quot;") - 1;
        } else if (isspace((unsigned char)*at)) {
            if (depth == 0 && strchr(".?!", last) != NULL && !islower((unsigned char)at[1]))
                return at;
        } else if (*at != ')') {
            last = *at;
        }
    }
    return end;
}

/* The characters that a reader sees. */
static int seen(const char *from, const char *end)
{
    int count = 0;

    for (; from < end; from++) {
        if (*from == '<')
            from += strcspn(from, ">");
        else if (*from == '&')
            from += strcspn(from, ";");
        count += *from != '>' && ((unsigned char)*from & 0xC0) != 0x80;
    }
    return count;
}

/* ---- slides ---------------------------------------------------------------------------------- */

static void endSlide(struct deck *d)
{
    if (d->heading == NULL)
        return;
    appendFormat(&d->page, "<section class=\"slide\"><h2>%s</h2>\n%s%s</section>\n", d->heading,
                 d->body.data, d->isList ? "</ul>\n" : "");
    if (d->notes.length > 0)
        appendFormat(&d->page, "<details class=\"notes\"><summary>Notes</summary>\n%s</details>\n",
                     d->notes.data);
}

static void beginSlide(struct deck *d, const char *heading)
{
    endSlide(d);
    d->heading = heading;
    d->body = d->notes = (struct text){0};
    appendText(&d->body, "");
    d->used = d->isList = 0;
}

/* Makes room for a block of this height, on the next slide if this one is full, inside a list or
 * not. */
static void makeRoom(struct deck *d, int height, int isList)
{
    if (d->used > 0 && d->used + height > ROOM)
        beginSlide(d, d->heading);
    d->used += height;
    if (isList != d->isList)
        appendText(&d->body, isList ? "<ul>\n" : "</ul>\n");
    d->isList = isList;
}

/* A paragraph, or an item of a list. */
static void addPoint(struct deck *d, const char *from, const char *end)
{
    const char *stop = sentenceEnd(from, end);

    makeRoom(d, (seen(from, stop) / POINT_COLUMNS + 1) * POINT_LINE + GAP, 1);
    appendText(&d->body, "<li>");
    appendHtml(&d->body, d->chapter, from, stop);
    appendText(&d->body, "</li>\n");
}

static void addList(struct deck *d, const char *from, const char *end)
{
    while ((from = strstr(from, "<li>")) != NULL && from < end) {
        const char *stop = elementEnd(from, "li");

        addPoint(d, from + strlen("<li>"), stop - strlen("</li>"));
        from = stop;
    }
}

/* The lines that a line of code takes. */
static int linesOf(const char *line, const char *end)
{
    const char *next = nextLine(line) < end ? nextLine(line) : end;

    return (seen(line, next) - 1) / (CODE_COLUMNS + 1) + 1;
}

/* The end of the first function, or what else stands between two empty lines. */
static const char *pieceEnd(const char *from, const char *end, int *lines)
{
    *lines = 0;
    for (const char *line = from; line < end; line = nextLine(line)) {
        if (line > from && *line == '\n' && line + 1 < end && !isspace((unsigned char)line[1]))
            return line;
        *lines += linesOf(line, end);
    }
    return end;
}

/* Where to divide a piece that is longer than a slide, of which `most` lines have room: near its
 * middle, best at an empty line. */
static const char *middleOf(const char *from, const char *end, int pieceLines, int most, int *lines)
{
    const int half = pieceLines / 2 + 1 < most ? pieceLines / 2 + 1 : most;
    const char *middle = NULL, *line = from;
    int count = 0;

    for (; line < end && count + linesOf(line, end) <= most; line = nextLine(line)) {
        if ((middle == NULL && count >= half) || (*line == '\n' && 2 * count >= half)) {
            middle = line;
            *lines = count;
        }
        count += linesOf(line, end);
    }
    if (middle == NULL)
        *lines = count;
    return middle != NULL ? middle : line;
}

/* The end of the code from here on that is shown in this room: whole pieces. NULL if none fits; but
 * a whole slide takes a part of one that no slide has room for. */
static const char *codeEnd(const char *from, const char *end, int room, int *lines)
{
    const int most = (room - 3 * GAP) / CODE_LINE;
    const char *stop = from, *next;
    int more = 0, part;

    for (*lines = 0; stop < end; stop = next) {
        next = pieceEnd(stop, end, &more);
        if (*lines + more > most)
            break;
        *lines += more;
    }
    if (stop < end && room == ROOM && more > most && 2 * *lines < most) {
        stop = middleOf(stop, end, more, most - *lines, &part);
        *lines += part;
    }
    return stop > from ? stop : NULL;
}

static void addCode(struct deck *d, const char *from, const char *end)
{
    const char *code = strchr(from + strlen("<pre>"), '>') + 1;

    end -= strlen("</code></pre>");
    while (code < end) {
        int lines, linesHere;
        const char *stop = codeEnd(code, end, ROOM, &lines);
        const char *here = codeEnd(code, end, ROOM - d->used, &linesHere);

        if (here == end || (here != NULL && stop != end)) {
            stop = here;
            lines = linesHere;
        } else if (d->used > 0) {
            beginSlide(d, d->heading);
        }
        makeRoom(d, lines * CODE_LINE + 3 * GAP, 0);
        appendFormat(&d->body, "<pre><code>%.*s</code></pre>\n", (int)(stop - code), code);
        for (code = stop; *code == '\n';)
            code++;
    }
}

static int longestWord(const char *from, const char *end)
{
    int longest = 0, length = 0;

    for (; from < end; from++) {
        if (*from == '<')
            from += strcspn(from, ">");
        else if (isspace((unsigned char)*from))
            length = 0;
        else if (((unsigned char)*from & 0xC0) != 0x80 && ++length > longest)
            longest = length;
    }
    return longest;
}

/* The characters of each cell, and of its longest word. */
struct row {
    int count, cell[CELLS], word[CELLS];
};

static struct row rowOf(const char *html)
{
    const char *end = elementEnd(html, "tr");
    struct row row = {0};

    for (const char *at = html; at < end && row.count < CELLS; at++) {
        const int isCell = startsWith(at, "<td") || startsWith(at, "<th");
        const char *stop = isCell ? elementEnd(at, formatString("%.2s", at + 1)) : at;

        if (!isCell)
            continue;
        row.cell[row.count] = seen(at, stop);
        row.word[row.count++] = longestWord(at, stop);
        at = stop - 1;
    }
    return row;
}

static const char *nextRow(const char *html)
{
    const char *next = strstr(html, "<tr>");

    return next != NULL ? next : html + strlen(html);
}

/* The height of a row. Columns share the width as browsers divide it: each gets its longest word,
 * and of the rest in proportion to what its longest cell lacks. */
static int rowHeight(const struct row *widest, const char *html)
{
    const struct row row = rowOf(html);
    int words = 0, lacks = 0, rest, most = 1;

    for (int i = 0; i < widest->count; i++) {
        words += widest->word[i];
        lacks += widest->cell[i] - widest->word[i];
    }
    rest = TABLE_COLUMNS - 2 * widest->count - words;
    for (int i = 0; i < row.count && lacks > rest; i++) {
        const int own = widest->cell[i] - widest->word[i];
        const int width = widest->word[i] + (rest > 0 ? own * rest / lacks : 0);
        const int lines = row.cell[i] / (width + 1) + 1;

        most = lines > most ? lines : most;
    }
    return most * TABLE_LINE + TABLE_GAP;
}

/* A table. One that is higher than a slide is divided into parts of about the same height, each
 * with the head. */
static void addTable(struct deck *d, const char *from, const char *end)
{
    const char *head = nextRow(from), *rows = nextRow(elementEnd(head, "tr"));
    struct row widest = {0};
    int headHeight, all = 0, parts;

    for (const char *at = head; at < end; at = nextRow(elementEnd(at, "tr"))) {
        const struct row row = rowOf(at);

        widest.count = row.count;
        for (int i = 0; i < row.count; i++) {
            widest.cell[i] = row.cell[i] > widest.cell[i] ? row.cell[i] : widest.cell[i];
            widest.word[i] = row.word[i] > widest.word[i] ? row.word[i] : widest.word[i];
        }
    }
    headHeight = rowHeight(&widest, head) + GAP;
    for (const char *at = rows; at < end; at = nextRow(elementEnd(at, "tr")))
        all += rowHeight(&widest, at);
    parts = all / (ROOM - headHeight) + 1;
    while (rows < end) {
        const char *stop = rows;
        int height = headHeight;

        do {
            height += rowHeight(&widest, stop);
            stop = nextRow(elementEnd(stop, "tr"));
        } while (stop < end && height - headHeight < all / parts &&
                 height + rowHeight(&widest, stop) <= ROOM);
        makeRoom(d, height, 0);
        appendText(&d->body, "<table>\n<thead>\n");
        appendHtml(&d->body, d->chapter, head, elementEnd(head, "tr"));
        appendText(&d->body, "\n</thead>\n<tbody>\n");
        for (; rows < stop && rows < end; rows = nextRow(elementEnd(rows, "tr"))) {
            appendHtml(&d->body, d->chapter, rows, elementEnd(rows, "tr"));
            appendText(&d->body, "\n");
        }
        appendText(&d->body, "</tbody></table>\n");
    }
}

/* The element at html, whose name is tag; returns what follows it. */
static const char *addElement(struct deck *d, const char *html, const char *tag)
{
    const char *end = elementEnd(html, tag), *inner = strchr(html, '>') + 1;

    if (tag[0] == 'h') {
        if (!isSame(tag, "h2") || d->heading == NULL) /* "What you need" is no heading of a slide */
            beginSlide(d, formatString("%.*s", (int)(end - inner) - 5, inner));
    } else if (isSame(tag, "pre")) {
        addCode(d, html, end);
    } else if (isSame(tag, "table")) {
        addTable(d, html, end);
    } else if (startsWith(inner, "<img")) {
        makeRoom(d, PICTURE, 0); /* at least, and what else is left */
        appendFormat(&d->body, "<div class=\"picture\" style=\"--h:%d\">",
                     ROOM - d->used + PICTURE - GAP);
        appendHtml(&d->body, d->chapter, html, end);
        appendText(&d->body, "</div>\n");
        d->used = ROOM;
    } else {
        if (isSame(tag, "ul") || isSame(tag, "ol"))
            addList(d, html, end);
        else
            addPoint(d, inner, end - strlen(tag) - strlen("</>"));
        appendHtml(&d->notes, d->chapter, html, end);
        appendText(&d->notes, "\n");
    }
    return end;
}

/* ---- decks ----------------------------------------------------------------------------------- */

/* What TEACHING.md says about the exercise: to the notes of the first slide. A handout has none. */
static void addTeaching(struct deck *d)
{
    const struct chapter teaching = {"teaching", ".", "TEACHING.md", NULL};
    const char *section, *end;

    if (!exists(formatString("%s/%s", sourceFolder(), teaching.file)))
        return;
    section = strstr(chapterHtml(&teaching), formatString("<h3>%s ", d->chapter->prefix));
    end = section != NULL ? strstr(section + 1, "<h") : NULL;
    if (end != NULL)
        appendHtml(&d->notes, &teaching, section, end);
}

/* The first of the common misunderstandings, before the lesson. */
static void addPoll(struct deck *d, const char *html)
{
    const char *item = strstr(html, "<h3>Common misunderstandings</h3>"), *end;

    if (item == NULL || (item = strstr(item, "<li>")) == NULL)
        return;
    beginSlide(d, "Poll: right or wrong?");
    end = elementEnd(item, "li");
    addPoint(d, item + strlen("<li>"), end - strlen("</li>"));
    appendText(&d->notes, "<p>Vote now, and again after the lesson.</p><ul>");
    appendHtml(&d->notes, d->chapter, item, end);
    appendText(&d->notes, "</ul>");
}

static void writeDeck(const struct exercise_entry *e, const char *file)
{
    const struct chapter chapter = {e->brief, e->name, "README.md", e->title};
    struct deck d = {.chapter = &chapter};
    const char *html = chapterHtml(&chapter);
    int isFirst = 1;

    htmlBegin(&d.page, formatString("%s: %s", e->brief, e->title));
    for (const char *at = html; *at != '\0' && !startsWith(at, "<h2>Task</h2>");) {
        if (startsWith(at, "<!--") || *at != '<') {
            at = startsWith(at, "<!--") ? strstr(at, "-->") + 3 : at + 1;
            continue;
        }
        if (isFirst && startsWith(at, "<h3>")) {
            addTeaching(&d);
            addPoll(&d, html);
            isFirst = 0;
        }
        at = addElement(&d, at, formatString("%.*s", (int)strcspn(at + 1, " >"), at + 1));
    }
    endSlide(&d);
    appendText(&d.page,
               "<script>onkeydown = e => { if (e.key == \"n\")\n"
               "  document.querySelectorAll(\"details\").forEach(d => d.open = !d.open); };"
               "</script>\n</body></html>\n");
    replaceFile(file, d.page.data);
    printf("Written: %s\n", file);
}

int commandSlides(int argc, char **argv)
{
    const char *where = "slides";
    const struct known_option known[] = {{"-o", .value = &where}, {0}};
    const int words = takeOptions(known, argc, argv);
    const struct selection s = lessonsOf(words - 1, argv + 1);

    if (endsWith(where, ".html") && s.count != 1)
        fail(EXIT_USAGE, "slides: -o FILE.html takes one exercise, for several name a folder");
    if (!endsWith(where, ".html"))
        makeFolder(where, 0777, 1);
    for (size_t i = 0; i < s.count; i++)
        writeDeck(s.list[i], endsWith(where, ".html")
                                 ? where
                                 : formatString("%s/%s.html", where, s.list[i]->brief));
    return EXIT_PASS;
}
