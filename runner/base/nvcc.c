/* nvcc's messages: "FILE(LINE): error: TEXT", then more of the text, indented, its own version of
 * the line, in which macros are replaced, and a line with a caret. */
#include "nvcc.h"
#include "cc/advice.h"
#include "text.h"
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 16 };

struct message {
    char *file, *kind, *text;
    int line;
    const char *source; /* the author's line, "" if it cannot be read */
    char *replaced;     /* nvcc's version of it */
    int column;         /* of the caret in that version, from 0; -1 if there is none */
};

/* The line at p, without its end, as a new string; *next is the line behind it. */
static char *takeLine(const char *p, const char **next)
{
    const size_t length = strcspn(p, "\n");

    *next = p + length + (p[length] == '\n');
    return formatString("%.*s", (int)length, p);
}

/* The part of a line that a subexpression of a pattern has matched. */
static char *matched(const char *line, const regmatch_t *m)
{
    return formatString("%.*s", (int)(m->rm_eo - m->rm_so), line + m->rm_so);
}

/* Reads "FILE(LINE): KIND: TEXT". Returns 1 if the line is such a head. */
static int readHead(const char *line, struct message *m)
{
    static regex_t head;
    static int isCompiled;
    regmatch_t part[5];

    if (!isCompiled)
        isCompiled = regcomp(&head, "^([^ \t].*)\\(([0-9]+)\\): (error|warning|note)[^:]*: (.*)$",
                             REG_EXTENDED) == 0;
    if (!isCompiled || regexec(&head, line, sizeof part / sizeof *part, part, 0) != 0)
        return 0;
    *m = (struct message){.file = matched(line, &part[1]),
                          .kind = matched(line, &part[3]),
                          .text = matched(line, &part[4]),
                          .line = atoi(line + part[2].rm_so),
                          .column = -1};
    return 1;
}

static const char *sourceLine(const char *path, int number)
{
    FILE *in = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;

    while (in != NULL && number > 0 && getline(&line, &size, in) > 0)
        number--;
    if (in != NULL)
        fclose(in);
    if (number > 0)
        return "";
    line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* Takes the lines that follow a message's head and begin with a blank. Returns the line behind
 * them. */
static const char *readRest(const char *p, struct message *m)
{
    while (*p == ' ') {
        const char *next;
        char *line = takeLine(p, &next);
        const size_t blanks = strspn(line, " ");

        if (isSame(line + blanks, "^")) {
            m->column = (int)blanks;
        } else if (blanks >= 8 && m->replaced == NULL) { /* more of the text */
            m->text = formatString("%s; %s", m->text, line + blanks);
        } else if (m->replaced == NULL) {
            m->replaced = formatString("%s", line);
        }
        p = next;
    }
    return p;
}

/* The column in the author's line, from 0, of the word that the caret points to; -1 if it is not
 * there. */
static int columnOf(const struct message *m)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *at, *word;
    int nth = 0, length;

    if (m->column < 0 || m->replaced == NULL || (size_t)m->column >= strlen(m->replaced))
        return -1;
    at = m->replaced + m->column;
    length = (int)strspn(at, letters);
    word = formatString("%.*s", length > 0 ? length : 1, at);
    for (const char *p = m->replaced; (p = strstr(p, word)) != NULL && p < at; p++)
        nth++;
    at = m->source;
    for (; (at = strstr(at, word)) != NULL && nth > 0; at++)
        nth--;
    return at != NULL ? (int)(at - m->source) : -1;
}

static void advise(struct text *out, const char *text, const char *source)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (advices[i].nvcc != NULL && strstr(text, advices[i].nvcc) != NULL &&
            (advices[i].nvcc_source == NULL || strstr(source, advices[i].nvcc_source) != NULL)) {
            appendFormat(out, "      = %s\n", advices[i].advice);
            return;
        }
}

static void print(struct text *out, const struct message *m)
{
    const int column = columnOf(m);

    if (column >= 0)
        appendFormat(out, "%s:%d:%d: %s: %s\n", m->file, m->line, column + 1, m->kind, m->text);
    else
        appendFormat(out, "%s:%d: %s: %s\n", m->file, m->line, m->kind, m->text);
    if (m->source[0] != '\0')
        appendFormat(out, "%5d | %s\n", m->line, m->source);
    if (m->source[0] != '\0' && column >= 0) {
        appendText(out, "      | ");
        for (int i = 0; i < column; i++)
            appendText(out, m->source[i] == '\t' ? "\t" : " ");
        appendText(out, "^\n");
    }
    advise(out, m->text, m->source);
}

/* 1 if the file is none of the author's: a header of the toolkit, or what nvcc has written for
 * itself. */
static int isNvccs(const char *file)
{
    static const char *const signs[] = {"/targets/", "/include/crt/", ".stub.c",
                                        ".cudafe",   "tmpxft_",       NULL};

    return containsOne(file, signs) ||
           (strstr(file, "/cuda") != NULL && strstr(file, "/include/") != NULL);
}

/* 1 if this message was printed before: nvcc compiles a file once for the host and once for each
 * architecture, and repeats the error for a call that a kernel cannot make. */
static int isAgain(char *said[SHOWN], int *count, const struct message *m)
{
    const int isEcho = strstr(m->text, "is undefined in device code") != NULL;
    char *place = formatString("%s:%d:", m->file, m->line);
    char *whole = formatString("%s%s", place, m->text);

    for (int i = 0; i < *count; i++)
        if (isSame(said[i], whole) || (isEcho && startsWith(said[i], place)))
            return 1;
    if (*count == SHOWN)
        return 1;
    said[(*count)++] = whole;
    return 0;
}

char *nvccExplain(const char *log)
{
    struct text told = {0};
    char *said[SHOWN];
    int count = 0, errors = 0;

    for (const char *p = log, *next; *p != '\0'; p = next) {
        char *line = takeLine(p, &next);
        struct message m;

        if (startsWith(line, "ptxas error")) {
            const char *text = strchr(line, ':');

            appendFormat(&told, "%s\n", line);
            advise(&told, text != NULL ? text : line, "");
            errors++;
        } else if (readHead(line, &m)) {
            next = readRest(next, &m);
            m.source = sourceLine(m.file, m.line);
            if (!isSame(m.kind, "note") && !isNvccs(m.file) && !isAgain(said, &count, &m)) {
                print(&told, &m);
                errors += isSame(m.kind, "error");
            }
        }
    }
    return errors > 0 ? told.data : NULL;
}
