/* Markdown for people: without its marks, in lines that fit a terminal. */
#include "markdown.h"
#include "terminal.h"
#include "text.h"
#include <ctype.h>
#include <string.h>

enum { COLUMNS = 16, NARROWEST = 6, GAP = 2, INDENT = 4 };

/* Columns that the first `length` bytes take: the code points of UTF-8. */
static int columnsOf(const char *text, size_t length)
{
    int columns = 0;

    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* The bytes of the first `columns` columns. */
static size_t bytesOf(const char *text, int columns)
{
    size_t bytes = 0;

    for (; text[bytes] != '\0' && (columns > 0 || ((unsigned char)text[bytes] & 0xC0) == 0x80);
         bytes++)
        columns -= ((unsigned char)text[bytes + 1] & 0xC0) != 0x80;
    return bytes;
}

/* The "](" of "[text](target)" or "![text](target)" at the start; NULL if there is none. */
static const char *linkAt(const char *p)
{
    const char *open = p + (*p == '!'), *close = *open == '[' ? strstr(open, "](") : NULL;

    return close != NULL && strchr(close, ')') != NULL &&
                   memchr(open + 1, '[', (size_t)(close - open - 1)) == NULL
               ? close
               : NULL;
}

/* An entity such as &lt; at the start, and its character; NULL if there is none. */
static const char *const *entityAt(const char *p)
{
    static const char *const entities[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&nbsp;", " "}};

    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (startsWith(p, entities[i][0]))
            return entities[i];
    return NULL;
}

static int isMark(char c) { return ispunct((unsigned char)c) != 0; }

static int isBlank(char c) { return c == '\0' || isspace((unsigned char)c); }

/* 1 if the asterisks at p open or close emphasis, by the rule that all Markdown has in common: what
 * they open follows at once, what they close ends right before them. A lone one between two blanks
 * is a product. */
static int isEmphasis(const char *from, const char *p)
{
    const char before = p > from ? p[-1] : ' ', after = p[strspn(p, "*")];
    const int opens = !isBlank(after) && (!isMark(after) || isBlank(before) || isMark(before));
    const int closes = !isBlank(before) && (!isMark(before) || isBlank(after) || isMark(after));

    return strspn(p, "*") > 1 || opens != closes;
}

/* Appends the code between backticks that begins at p, as it is; returns what follows it. */
static const char *appendCode(struct text *out, const char *p)
{
    const size_t ticks = strspn(p, "`");
    const char *end = strstr(p + ticks, formatString("%.*s", (int)ticks, p));

    if (end == NULL)
        return p + ticks;
    append(out, p + ticks, (size_t)(end - p) - ticks);
    return end + ticks;
}

/* `length` bytes of running text without its marks. */
static char *plain(const char *from, size_t length)
{
    const char *copy = formatString("%.*s", (int)length, from);
    struct text out = {0};

    appendText(&out, "");
    for (const char *p = copy; *p != '\0';) {
        const char *const *entity = entityAt(p);
        const char *close = linkAt(p);

        if (*p == '`') {
            p = appendCode(&out, p);
        } else if (*p == '\\' && isMark(p[1])) {
            append(&out, p + 1, 1);
            p += 2;
        } else if (close != NULL) {
            const char *inner = strchr(p, '[') + 1;

            appendFormat(&out, *p == '!' ? "[picture: %s]" : "%s",
                         plain(inner, (size_t)(close - inner)));
            p = strchr(close, ')') + 1;
        } else if (entity != NULL) {
            appendText(&out, entity[1]);
            p += strlen(entity[0]);
        } else if (*p == '<' && (isalpha((unsigned char)p[1]) || p[1] == '/') &&
                   strchr(p, '>') != NULL) {
            p = strchr(p, '>') + 1; /* a tag */
        } else if (*p == '*' && isEmphasis(copy, p)) {
            p += strspn(p, "*");
        } else {
            append(&out, p++, 1);
        }
    }
    return out.data;
}

/* Appends text in lines of at most `width` columns; `first` stands before the first line, `rest`
 * before the others. */
static void appendWrapped(struct text *out, const char *text, int width, const char *first,
                          const char *rest)
{
    int column = columnsOf(first, strlen(first)), fresh = 1;

    appendText(out, first);
    for (const char *word = text + strspn(text, " \n"); *word != '\0';) {
        const size_t length = strcspn(word, " \n");
        const int columns = columnsOf(word, length);

        if (!fresh && column + 1 + columns > width) {
            appendFormat(out, "\n%s", rest);
            column = columnsOf(rest, strlen(rest));
            fresh = 1;
        }
        appendText(out, fresh ? "" : " ");
        append(out, word, length);
        column += columns + !fresh;
        fresh = 0;
        word += length;
        word += strspn(word, " \n");
    }
    appendText(out, "\n");
}

/* 1 if a remark on a shell's command begins in the first `length` bytes of a line: with "# " or,
 * behind one of the course's commands, with two blanks. */
static int hasRemark(const char *line, size_t length)
{
    const char *begin = strstr(line, " # "), *gap = strstr(line, "  ");

    return (begin != NULL && begin < line + length) ||
           (startsWith(line, "./course ") && gap != NULL && gap < line + length);
}

/* Appends a line of code as it is, indented; one that is too wide is folded at a blank, its rest
 * indented further. Somebody may paste it: the rest of a remark is one, too. */
static void appendCodeLine(struct text *out, const char *line, int width)
{
    const int ahead = (int)strspn(line, " ");
    size_t length = strcspn(line, "\n");
    int column = INDENT, remark = 0;

    appendFormat(out, "%*s", length > 0 ? column : 0, "");
    while (column + columnsOf(line, length) > width) {
        size_t cut = bytesOf(line, width - column), least = strspn(line, " ");

        while (cut > least && line[cut] != ' ')
            cut--;
        if (cut <= least)
            break; /* a single word that is too long */
        remark |= hasRemark(line, cut);
        column = INDENT + (ahead < width / 2 ? ahead : width / 2) + 4;
        appendFormat(out, "%.*s\n%*s%s", (int)cut, line, column, "", remark ? "# " : "");
        column += remark ? 2 : 0;
        line += cut + 1;
        length -= cut + 1;
    }
    appendFormat(out, "%.*s\n", (int)length, line);
}

/* A table: its rows of cells, without marks. */
struct table {
    char *cell[200][COLUMNS];
    int right[COLUMNS], width[COLUMNS];
    int rows, columns;
};

/* Removes the blanks at the end. */
static char *trimmed(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

/* A cell's text without its marks; "\\|" stands for a bar there, in code, too. */
static char *cellOf(const char *from, const char *to)
{
    struct text cell = {0};

    for (appendText(&cell, ""); from < to; from++)
        if (!startsWith(from, "\\|"))
            append(&cell, from, 1);
    return trimmed(plain(cell.data, cell.length));
}

/* Takes a line "| a | b |" apart into the next row. */
static void readRow(struct table *t, const char *line, size_t length)
{
    const char *end = line + length, *p = line + 1;
    int column = 0, code = 0;

    while (p < end && column < COLUMNS) {
        const char *bar = p;

        for (; bar < end && (*bar != '|' || bar[-1] == '\\' || code); bar++)
            code ^= *bar == '`';
        p += strspn(p, " ");
        if (bar == end && p >= end)
            break;
        t->cell[t->rows][column++] = cellOf(p, bar);
        p = bar + 1;
    }
    t->columns = column > t->columns ? column : t->columns;
    for (; column < COLUMNS; column++)
        t->cell[t->rows][column] = formatString("%s", "");
    t->rows++;
}

/* Chooses the widths: as wide as the cells, but the widest give way until all fit. */
static void chooseWidths(struct table *t, int width)
{
    int sum = GAP * (t->columns - 1);

    for (int c = 0; c < t->columns; c++) {
        t->width[c] = 1;
        for (int r = 0; r < t->rows; r++) {
            const int columns = columnsOf(t->cell[r][c], strlen(t->cell[r][c]));

            t->width[c] = columns > t->width[c] ? columns : t->width[c];
        }
        sum += t->width[c];
    }
    while (sum > width) {
        int widest = 0;

        for (int c = 1; c < t->columns; c++)
            if (t->width[c] > t->width[widest])
                widest = c;
        if (t->width[widest] <= NARROWEST)
            break;
        t->width[widest]--;
        sum--;
    }
}

/* The bytes of a cell's text that its next line holds: whole words, or a part of one that is too
 * long. */
static size_t lineOfCell(const char *text, int width)
{
    size_t most = bytesOf(text, width), cut;

    if (text[most] == '\0' || text[most] == ' ')
        return most;
    for (cut = most; cut > 0 && text[cut] != ' ';)
        cut--;
    return cut > 0 ? cut : most;
}

/* Appends one row, in as many lines as its cells need. */
static void appendRow(struct text *out, const struct table *t, int row)
{
    const char *rest[COLUMNS];
    int more = 1;

    for (int c = 0; c < t->columns; c++)
        rest[c] = t->cell[row][c];
    while (more) {
        struct text line = {0};

        more = 0;
        for (int c = 0; c < t->columns; c++) {
            const size_t length = lineOfCell(rest[c], t->width[c]);
            const int blank = t->width[c] - columnsOf(rest[c], length);

            appendFormat(&line, "%*s%.*s%*s", t->right[c] ? blank : 0, "", (int)length, rest[c],
                         (t->right[c] ? 0 : blank) + (c + 1 < t->columns ? GAP : 0), "");
            rest[c] += length;
            rest[c] += strspn(rest[c], " ");
            more |= rest[c][0] != '\0';
        }
        appendFormat(out, "%s\n", trimmed(line.data));
    }
}

/* Appends the table that begins here; returns what follows it. */
static const char *appendTable(struct text *out, const char *text, int width)
{
    static struct table t;

    memset(&t, 0, sizeof t);
    for (int line = 0; *text == '|' && t.rows < 200; text = nextLine(text), line++) {
        readRow(&t, text, strcspn(text, "\n"));
        for (int c = 0; line == 1 && c < t.columns; c++) /* the dashes below the head */
            t.right[c] = strstr(t.cell[1][c], "-:") != NULL;
        t.rows -= line == 1;
    }
    chooseWidths(&t, width);
    for (int r = 0; r < t.rows; r++) {
        appendRow(out, &t, r);
        for (int c = 0; r == 0 && c < t.columns; c++) {
            for (int i = 0; i < t.width[c]; i++)
                appendText(out, "-");
            appendText(out, c + 1 < t.columns ? "  " : "\n");
        }
    }
    return text;
}

/* The length of a list item's mark, "- " or "12. ", with the blanks before and behind it; 0 if
 * there is none. */
static size_t itemMark(const char *line)
{
    const size_t indent = strspn(line, " ");
    size_t mark = strspn(line + indent, "0123456789");

    if (mark > 0 && line[indent + mark] == '.')
        mark++;
    else if (mark == 0 && (line[indent] == '-' || line[indent] == '*' || line[indent] == '+'))
        mark = 1;
    else
        return 0;
    return line[indent + mark] == ' ' ? indent + mark + strspn(line + indent + mark, " ") : 0;
}

/* 1 if a paragraph cannot go on with this line. */
static int endsParagraph(const char *line)
{
    return line[strspn(line, " ")] == '\n' || *line == '\0' || *line == '#' || *line == '|' ||
           *line == '>' || startsWith(line, "```") || startsWith(line, "<!--") ||
           itemMark(line) > 0;
}

/* Appends the paragraph or list item that begins here; returns what follows it. */
static const char *appendParagraph(struct text *out, const char *line, int width)
{
    const size_t mark = itemMark(line);
    const char *from = line + mark;
    char *first = formatString("%.*s", (int)mark, line), *sign = first + strspn(first, " ");

    if (mark > 0 && !isdigit((unsigned char)*sign))
        *sign = '-';
    do
        line = nextLine(line);
    while (!endsParagraph(line));
    appendWrapped(out, plain(from, (size_t)(line - from)), width, first,
                  formatString("%*s", (int)mark, ""));
    return line;
}

/* Appends a heading line, underlined by its depth. */
static void appendHeading(struct text *out, const char *line)
{
    const size_t depth = strspn(line, "#"), begin = depth + strspn(line + depth, " ");
    const char *words = plain(line + begin, strcspn(line, "\n") - begin);

    appendFormat(out, "%s%s%s\n", colour("\033[1m"), words, colour("\033[0m"));
    for (int i = 0; depth <= 2 && i < columnsOf(words, strlen(words)); i++)
        appendText(out, depth == 1 ? "=" : "-");
    appendText(out, depth <= 2 ? "\n" : "");
}

/* Appends a block of code between fences, indented; returns what follows it. */
static const char *appendFenced(struct text *out, const char *line, int width)
{
    for (line = nextLine(line); *line != '\0' && !startsWith(line, "```"); line = nextLine(line))
        appendCodeLine(out, line, width);
    return nextLine(line);
}

char *markdownRead(const char *text, int width)
{
    struct text out = {0};

    appendText(&out, "");
    for (const char *line = text, *next; *line != '\0'; line = next) {
        const size_t length = strcspn(line, "\n");

        next = nextLine(line);
        if (startsWith(line, "<!--")) {
            const char *end = strstr(line, "-->");

            if (end != NULL)
                next = end[3] == '\n' ? end + 4 : end + 3;
        } else if (*line == '#') {
            appendHeading(&out, line);
        } else if (*line == '|') {
            next = appendTable(&out, line, width);
        } else if (startsWith(line, "```")) {
            next = appendFenced(&out, line, width);
        } else if (strspn(line, " ") >= length) { /* at most one blank line in a row */
            if (out.length > 1 && !isSame(out.data + out.length - 2, "\n\n"))
                appendText(&out, "\n");
        } else if (startsWith(line, "    ") && itemMark(line) == 0) {
            appendCodeLine(&out, line + 4, width);
        } else if (*line == '>') {
            next = line + 1 + (line[1] == ' ');
        } else {
            next = appendParagraph(&out, line, width);
        }
    }
    return out.data;
}

char *wrapped(const char *text, int width, const char *rest)
{
    struct text out = {0};

    appendWrapped(&out, text, width, "", rest);
    return out.data;
}
