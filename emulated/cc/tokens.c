/* tokens.c: see tokens.h */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "tokens.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void tell(const char *pattern, ...)
{
    va_list args;
    va_start(args, pattern);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    vfprintf(stderr, pattern, args);
    fputc('\n', stderr);
    va_end(args);
}

void *need(void *p)
{
    if (!p) {
        tell("out of memory");
        exit(2);
    }
    return p;
}

void *grow(void *p, size_t bytes) { return need(realloc(p, bytes)); }

char *format(const char *pattern, ...)
{
    va_list args;
    va_start(args, pattern);
    int n = vsnprintf(NULL, 0, pattern, args);
    va_end(args);
    char *s = need(malloc((size_t)n + 1));
    va_start(args, pattern);
    vsnprintf(s, (size_t)n + 1, pattern, args);
    va_end(args);
    return s;
}

int name_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80); }

static void append(struct tokens *t, enum token_kind kind, const char *text, const char *end)
{
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? t->capacity * 2 : 4096;
        t->list = need(realloc(t->list, (size_t)t->capacity * sizeof *t->list));
    }
    struct token token = {kind, text, (size_t)(end - text), NULL, NULL, NULL};
    t->list[t->count++] = token;
}

/* R"delimiter( ... )delimiter": p stands on the quote. */
static const char *raw_string_end(const char *p, const char *end)
{
    char close[24] = ")";
    size_t n = 1;
    for (p++; p < end && *p != '(' && n < 18; p++)
        close[n++] = *p;
    close[n++] = '"';
    for (; p + n <= end; p++)
        if (memcmp(p, close, n) == 0)
            return p + n;
    return end;
}

static const char *quoted_end(const char *p, const char *end)
{
    char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end && *p == quote ? p + 1 : p;
}

static const char *number_end(const char *p, const char *end)
{
    int hexadecimal = p[0] == '0' && p + 1 < end && (p[1] | 32) == 'x';
    for (; p < end; p++) {
        int exponent_sign = (*p == '+' || *p == '-') &&
                            ((p[-1] | 32) == 'p' || (!hexadecimal && (p[-1] | 32) == 'e'));
        int separator = *p == '\'' && p + 1 < end && name_char(p[1]);
        if (!name_char(*p) && *p != '.' && !exponent_sign && !separator)
            break;
    }
    return p;
}

static const char *comment_end(const char *p, const char *end)
{
    if (p[1] == '/') {
        while (p < end && *p != '\n')
            p++;
        return p;
    }
    for (p += 2; p + 1 < end; p++)
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    return end;
}

static const char *punctuation_end(const char *p, const char *end)
{
    static const char *const longer[] = {
        "<<<", ">>>", "<<=", ">>=", "->*", "...", "::", "->", "<<", ">>", "<=", ">=", "==", "!=",
        "&&",  "||",  "++",  "--",  "+=",  "-=",  "*=", "/=", "|=", "&=", "^=", "%=", "##", NULL};
    for (int i = 0; longer[i]; i++) {
        size_t n = strlen(longer[i]);
        if ((size_t)(end - p) >= n && memcmp(p, longer[i], n) == 0)
            return p + n;
    }
    return p + 1;
}

void tokens_read(struct tokens *t, const char *p, size_t length)
{
    const char *end = p + length;
    memset(t, 0, sizeof *t);
    for (int line_start = 1; p < end;) {
        const char *begin = p;
        if (*p == '#' && line_start) { /* a line marker or pragma stays as it is */
            while (p < end && *p != '\n')
                p++;
            append(t, SPACE, begin, p);
        } else if (isspace((unsigned char)*p)) {
            while (p < end && isspace((unsigned char)*p))
                line_start |= *p++ == '\n';
            append(t, SPACE, begin, p);
            continue;
        } else if (*p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
            append(t, SPACE, begin, p = comment_end(p, end));
        } else if (*p == '"' || *p == '\'') {
            append(t, STRING, begin, p = quoted_end(p, end));
        } else if (isdigit((unsigned char)*p) ||
                   (*p == '.' && p + 1 < end && isdigit((unsigned char)p[1]))) {
            append(t, NUMBER, begin, p = number_end(p, end));
        } else if (name_char(*p)) {
            while (p < end && name_char(*p))
                p++;
            if (p < end && *p == '"' && p[-1] == 'R' && p - begin <= 3)
                append(t, STRING, begin, p = raw_string_end(p, end));
            else
                append(t, NAME, begin, p);
        } else {
            append(t, PUNCTUATION, begin, p = punctuation_end(p, end));
        }
        line_start = 0;
    }
}

void tokens_write(const struct tokens *t, FILE *out)
{
    for (const struct token *k = t->list; k < t->list + t->count; k++) {
        if (k->before)
            fputs(k->before, out);
        if (k->instead)
            fputs(k->instead, out);
        else
            fwrite(k->text, 1, k->length, out);
        if (k->after)
            fputs(k->after, out);
    }
}

int token_is(const struct tokens *t, int i, const char *text)
{
    return i >= 0 && i < t->count && *t->list[i].text == *text /* nearly always the end of it */
           && t->list[i].length == strlen(text) &&
           memcmp(t->list[i].text, text, t->list[i].length) == 0;
}

int token_kind_is(const struct tokens *t, int i, enum token_kind kind)
{
    return i >= 0 && i < t->count && t->list[i].kind == kind;
}

int token_next(const struct tokens *t, int i)
{
    do
        i++;
    while (token_kind_is(t, i, SPACE));
    return i;
}

int token_previous(const struct tokens *t, int i)
{
    do
        i--;
    while (token_kind_is(t, i, SPACE));
    return i;
}

static int depth_of(const struct tokens *t, int i, int angles)
{
    if (token_is(t, i, "(") || token_is(t, i, "[") || token_is(t, i, "{"))
        return 1;
    if (token_is(t, i, ")") || token_is(t, i, "]") || token_is(t, i, "}"))
        return -1;
    if (angles && token_is(t, i, "<"))
        return 1;
    if (angles && token_is(t, i, ">"))
        return -1;
    if (angles && token_is(t, i, ">>"))
        return -2;
    if (angles && token_is(t, i, ">>>"))
        return -3;
    return 0;
}

int token_closing(const struct tokens *t, int i)
{
    for (int depth = 0; i < t->count; i = token_next(t, i))
        if ((depth += depth_of(t, i, 0)) == 0)
            return i;
    return t->count;
}

int token_opening(const struct tokens *t, int i)
{
    int depth = 0;
    int angles = depth_of(t, i, 0) == 0;
    for (; i >= 0; i = token_previous(t, i))
        if ((depth += depth_of(t, i, angles)) >= 0)
            return i;
    return -1;
}

int token_after_template(const struct tokens *t, int i)
{
    for (int depth = 0; i < t->count; i = token_next(t, i))
        if ((depth += depth_of(t, i, 1)) <= 0)
            return token_next(t, i);
    return t->count;
}

char *tokens_text(const struct tokens *t, int a, int b)
{
    size_t n = 1;
    for (int i = a; i <= b; i++)
        n += t->list[i].length;
    char *s = need(malloc(n)), *p = s;
    for (int i = a; i <= b; i++) {
        int space = t->list[i].kind == SPACE;
        if (space)
            *p++ = ' '; /* also drops comments and line markers */
        else {
            memcpy(p, t->list[i].text, t->list[i].length);
            p += t->list[i].length;
        }
    }
    *p = '\0';
    return s;
}

static char *newlines_of(const struct token *k)
{
    char *s = need(calloc(k->length + 2, 1)), *p = s;
    if (k->kind == SPACE)
        *p++ = ' ';
    for (size_t i = 0; i < k->length; i++)
        if (k->text[i] == '\n')
            *p++ = '\n';
    return s;
}

void token_replace(struct tokens *t, int i, char *text) { t->list[i].instead = text; }

void token_join(struct tokens *t, int a, int b, const char *text)
{
    t->list[a].text = text;
    t->list[a].length = strlen(text);
    t->list[b].kind = SPACE;
    t->list[b].text = " ";
    t->list[b].length = 1;
}

void token_blank(struct tokens *t, int a, int b)
{
    for (int i = a; i <= b; i++)
        if (t->list[i].kind != SPACE || t->list[i].text[0] != '#') /* line markers stay */
            t->list[i].instead = newlines_of(&t->list[i]);
}
