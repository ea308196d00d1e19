/* merge.c: see merge.h.
 *
 * The two texts are compared line by line (a line is its file, its number and its text), which
 * gives one list of lines: of both, of the host's text alone, of the device's alone. A "view" reads
 * that list without the other side's lines. Both views are then cut into declarations; one that is
 * the same in both is copied, one that differs is taken from the side that its qualifiers name, and
 * namespaces and classes are entered. */
#define _POSIX_C_SOURCE 200809L
#include "merge.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

enum side { HOST = 1, DEVICE = 2, BOTH = 3 };

struct line {
    const char *text;
    size_t length;
    const char *file; /* "name" flags, as in the marker; one address for one name */
    size_t file_length;
    int number;
    uint64_t key;
    enum side side;
};
struct lines {
    struct line *list;
    size_t count, capacity;
};

static void add_line(struct lines *l, const struct line *one)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 4096;
        l->list = need(realloc(l->list, l->capacity * sizeof *l->list));
    }
    l->list[l->count++] = *one;
}

static uint64_t hash(uint64_t h, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h;
}

static int is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return 0;
    return 1;
}

/* The lines that are not empty, each with its place; markers give the places. */
static void read_lines(struct lines *l, const char *text, size_t length)
{
    struct line at = {NULL, 0, "\"\"", 2, 1, 0, HOST};
    for (const char *p = text, *end = text + length; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        int number;
        const char *quote = memchr(p, '"', (size_t)(stop - p));
        if (p[0] == '#' && p[1] == ' ' && quote && sscanf(p, "# %d", &number) == 1) {
            const char *close = quote + 1;
            while (close < stop && *close != '"')
                close++;
            at.file = quote;
            at.file_length = (size_t)(close - quote) + 1;
            at.number = number - 1;
        } else if (!is_blank(p, (size_t)(stop - p))) {
            at.text = p;
            at.length = (size_t)(stop - p);
            at.key =
                hash(hash(14695981039346656037u + (uint64_t)at.number, at.file, at.file_length), p,
                     at.length);
            add_line(l, &at);
        }
        at.number++;
        p = stop < end ? stop + 1 : end;
    }
}

/* ---- comparison: Myers' shortest edit script ---- */

/* The furthest points of each round: row d holds 2d+1 values. */
static void shortest_script(const struct line *a, long n, const struct line *b, long m,
                            struct lines *out)
{
    long **rows = NULL, d, x = 0, y = 0;
    for (d = 0;; d++) {
        rows = need(realloc(rows, (size_t)(d + 1) * sizeof *rows));
        rows[d] = need(malloc((size_t)(2 * d + 1) * sizeof **rows));
        const long *last = d ? rows[d - 1] + d - 1 : NULL; /* index 0 is the diagonal 0 */
        int done = 0;
        for (long k = -d; k <= d && !done; k += 2) {
            int down = d && (k == -d || (k != d && last[k - 1] < last[k + 1]));
            x = !d ? 0 : down ? last[k + 1] : last[k - 1] + 1;
            y = x - k;
            while (x < n && y < m && a[x].key == b[y].key)
                x++, y++;
            rows[d][k + d] = x;
            done = x >= n && y >= m;
        }
        if (done)
            break;
    }
    /* Backwards from the end; the lines come out in reverse. */
    size_t first = out->count;
    for (x = n, y = m; d >= 0; d--) {
        long k = x - y, from_x = 0, from_y = 0;
        int down = 0;
        if (d) {
            const long *last = rows[d - 1] + d - 1;
            down = k == -d || (k != d && last[k - 1] < last[k + 1]);
            from_x = down ? last[k + 1] : last[k - 1];
            from_y = down ? from_x - k - 1 : from_x - k + 1;
        }
        while (x > from_x + (d && !down) && y > from_y + (d && down)) {
            struct line both = a[--x];
            y--;
            both.side = BOTH;
            add_line(out, &both);
        }
        if (d) {
            struct line one = down ? b[y - 1] : a[x - 1];
            one.side = down ? DEVICE : HOST;
            add_line(out, &one);
            x = from_x;
            y = from_y;
        }
        free(rows[d]);
    }
    free(rows);
    for (size_t i = first, j = out->count; i + 1 < j; i++) {
        struct line swap = out->list[--j];
        out->list[j] = out->list[i];
        out->list[i] = swap;
    }
}

static void compare(const struct lines *a, const struct lines *b, struct lines *out)
{
    size_t head = 0, tail = 0;
    while (head < a->count && head < b->count && a->list[head].key == b->list[head].key)
        head++;
    while (tail < a->count - head && tail < b->count - head &&
           a->list[a->count - 1 - tail].key == b->list[b->count - 1 - tail].key)
        tail++;
    for (size_t i = 0; i < head; i++) {
        add_line(out, &a->list[i]);
        out->list[i].side = BOTH;
    }
    shortest_script(a->list + head, (long)(a->count - head - tail), b->list + head,
                    (long)(b->count - head - tail), out);
    for (size_t i = a->count - tail; i < a->count; i++) {
        add_line(out, &a->list[i]);
        out->list[out->count - 1].side = BOTH;
    }
}

/* ---- the two views ---- */

static struct tokens tokens;
static struct lines merged;
static int *line_of;   /* of each token */
static int *differs;   /* the next token at or after this one that is not of both */
static FILE *output;   /* where the result goes */
static int last_token; /* that was written */

static enum side side_of(int i) { return merged.list[line_of[i]].side; }

/* The first token at or after i that the view has; the count when there is none. */
static int seen(int i, enum side view)
{
    while (i < tokens.count && (tokens.list[i].kind == SPACE || !(side_of(i) & view)))
        i++;
    return i;
}

static int closing(int i, enum side view)
{
    for (int depth = 0; i < tokens.count; i = seen(i + 1, view)) {
        depth +=
            token_is(&tokens, i, "(") || token_is(&tokens, i, "[") || token_is(&tokens, i, "{");
        depth -=
            token_is(&tokens, i, ")") || token_is(&tokens, i, "]") || token_is(&tokens, i, "}");
        if (depth == 0)
            return i;
    }
    return tokens.count;
}

static void tokenise(void)
{
    size_t size = 1;
    for (size_t i = 0; i < merged.count; i++)
        size += merged.list[i].length + 1;
    char *text = need(malloc(size)), *p = text;
    for (size_t i = 0; i < merged.count; i++) {
        memcpy(p, merged.list[i].text, merged.list[i].length);
        merged.list[i].text = p;
        p += merged.list[i].length;
        *p++ = '\n';
    }
    tokens_read(&tokens, text, (size_t)(p - text));
    line_of = need(malloc(((size_t)tokens.count + 1) * sizeof *line_of));
    differs = need(malloc(((size_t)tokens.count + 1) * sizeof *differs));
    size_t at = 0;
    for (int i = 0; i < tokens.count; i++) {
        while (at + 1 < merged.count && tokens.list[i].text >= merged.list[at + 1].text)
            at++;
        line_of[i] = (int)at;
    }
    differs[tokens.count] = tokens.count;
    for (int i = tokens.count - 1; i >= 0; i--)
        differs[i] = tokens.list[i].kind != SPACE && side_of(i) != BOTH ? i : differs[i + 1];
}

static int is_pragma(int i)
{
    return tokens.list[i].text[0] == '#' && tokens.list[i].kind == SPACE;
}

static void begin_line(int i)
{
    const struct line *l = &merged.list[line_of[i]];
    const struct line *before = last_token >= 0 ? &merged.list[line_of[last_token]] : NULL;
    int same_file = before && before->file_length == l->file_length &&
                    memcmp(before->file, l->file, l->file_length) == 0 && last_token < i;
    const int is_beside =
        /* _Pragma() */
        same_file && l->number == before->number && (is_pragma(i) || is_pragma(last_token));
    if (!same_file || is_beside || l->number < before->number || l->number > before->number + 8)
        fprintf(output, "\n# %d %.*s\n", l->number, (int)l->file_length, l->file);
    else
        for (int n = before->number; n < l->number; n++)
            putc('\n', output);
    for (const char *c = l->text; c < tokens.list[i].text; c++) /* keep the columns */
        putc(*c == '\t' ? '\t' : ' ', output);
}

static void emit(int from, int to, enum side view)
{
    for (int i = last_token + 1; i < from; i++) /* pragmas between declarations */
        if (is_pragma(i) && side_of(i) == BOTH)
            emit(i, i + 1, BOTH);
    for (int i = from; i < to; i++) {
        const struct token *k = &tokens.list[i];
        if (!(side_of(i) & view) || (k->kind == SPACE && memchr(k->text, '\n', k->length)))
            continue;
        if (last_token < 0 || i < last_token || line_of[i] != line_of[last_token])
            begin_line(i);
        fwrite(k->text, 1, k->length, output);
        last_token = i;
    }
}

/* ---- declarations ---- */

struct declaration {
    int begin, end;   /* tokens, the end excluded */
    int open, close;  /* the braces of its body, or -1 */
    int is_scope;     /* a namespace, extern "C" or class: it holds declarations */
    int host, device; /* qualifiers */
};

static int is_name_in(int i, const char *const *names)
{
    for (; *names; names++)
        if (token_is(&tokens, i, *names))
            return 1;
    return 0;
}

/* The declaration that begins at token i of the view; begin == end: the scope ends here. */
static struct declaration read_declaration(int i, enum side view)
{
    static const char *const scopes[] = {"namespace", "class", "struct", "union", "extern", NULL};
    static const char *const devices[] = {"__device__", "__global__", "__constant__", "__managed__",
                                          NULL};
    static const char *const accesses[] = {"public", "private", "protected", NULL};
    static const char *const attributes[] = {"__attribute__", "alignas", "decltype", "__declspec",
                                             NULL};
    struct declaration d = {i, i, -1, -1, 0, 0, 0};
    int scope_word = 0, parameters = 0, initialiser = 0, previous = -1;
    for (int k = i; k < tokens.count; previous = k, k = seen(k + 1, view)) {
        scope_word |= is_name_in(k, scopes);
        d.device |= is_name_in(k, devices);
        d.host |= token_is(&tokens, k, "__host__");
        initialiser |= token_is(&tokens, k, "=");
        d.end = k + 1;
        if (token_is(&tokens, k, ";") ||
            (token_is(&tokens, k, ":") && previous == i && is_name_in(i, accesses)))
            return d;
        if (token_is(&tokens, k, "}")) {
            d.end = i;
            return d;
        }
        if (token_is(&tokens, k, "(") || token_is(&tokens, k, "[")) {
            parameters |= token_is(&tokens, k, "(") && !is_name_in(previous, attributes);
            k = closing(k, view);
        } else if (token_is(&tokens, k, "{")) {
            int close = closing(k, view), after = seen(close + 1, view);
            if (!initialiser && d.open < 0) {
                d.open = k;
                d.close = close;
                d.is_scope = scope_word && !parameters;
            }
            d.end = close < tokens.count ? close + 1 : close;
            int ends = d.is_scope
                           ? token_is(&tokens, i, "namespace") || token_is(&tokens, i, "extern") ||
                                 token_is(&tokens, i, "inline")
                           : parameters && !initialiser;
            if (ends && !token_is(&tokens, after, ",") && !token_is(&tokens, after, "{"))
                return d;
            if (ends) /* x{1} in a constructor's list */
                d.open = -1;
            k = close;
        }
    }
    return d;
}

static int problem(int i)
{
    i = i < tokens.count ? i : tokens.count - 1;
    fprintf(stderr,
            "%.*s:%d: error: the code of #if with and without __CUDA_ARCH__ cannot be told apart: "
            "put whole declarations or whole statements between #if and #endif\n",
            (int)merged.list[line_of[i]].file_length - 2, merged.list[line_of[i]].file + 1,
            merged.list[line_of[i]].number);
    return 0;
}

static void emit_both_bodies(const struct declaration *h, const struct declaration *d)
{
    emit(d->begin, d->open, DEVICE);
    fputs("{if(::emulated_on_device())", output);
    emit(d->open, d->close + 1, DEVICE);
    fputs("else", output);
    emit(h->open, h->close + 1, HOST);
    fputs("}", output);
    emit(d->close + 1, d->end, DEVICE);
}

static int merge_scope(int begin, int end);

/* One declaration that both views have, with a difference somewhere inside. */
static int merge_declaration(const struct declaration *h, const struct declaration *d)
{
    if (h->is_scope && d->is_scope) {
        if (h->open != d->open || h->close != d->close)
            return problem(h->begin);
        emit(d->begin, d->open + 1, DEVICE);
        int good = merge_scope(d->open + 1, d->close);
        emit(d->close, d->end, DEVICE);
        return good;
    }
    if (d->device && d->host && d->open >= 0 && h->open >= 0)
        emit_both_bodies(h, d);
    else
        emit(d->begin, d->end, d->device ? DEVICE : HOST);
    return 1;
}

static int same_head(const struct declaration *h, const struct declaration *d)
{
    int i = h->begin, k = d->begin;
    for (; i < h->open && k < d->open; i = seen(i + 1, HOST), k = seen(k + 1, DEVICE))
        if (tokens.list[i].length != tokens.list[k].length ||
            memcmp(tokens.list[i].text, tokens.list[k].text, tokens.list[i].length) != 0)
            return 0;
    return h->open >= 0 && i == h->open && k == d->open;
}

/* Declarations that only one view has, until both are at the same place again. */
static int merge_apart(int *h_at, int *d_at)
{
    enum { MOST = 256 };
    static struct declaration hosts[MOST], devices[MOST];
    int h_count = 0, d_count = 0;
    while (*h_at != *d_at) {
        enum side view = *h_at < *d_at ? HOST : DEVICE;
        int *at = view == HOST ? h_at : d_at;
        struct declaration one = read_declaration(*at, view);
        if (one.end == one.begin || h_count == MOST || d_count == MOST)
            return problem(*at);
        if (view == HOST)
            hosts[h_count++] = one;
        else
            devices[d_count++] = one;
        *at = seen(one.end, view);
    }
    int used[MOST] = {0};
    for (int k = 0; k < d_count; k++) {
        int twin = -1;
        for (int i = 0; i < h_count && devices[k].host && devices[k].device; i++)
            if (!used[i] && same_head(&hosts[i], &devices[k]))
                twin = i;
        if (twin >= 0) {
            used[twin] = 1;
            emit_both_bodies(&hosts[twin], &devices[k]);
        } else if (devices[k].device || h_count == 0)
            emit(devices[k].begin, devices[k].end, DEVICE);
    }
    for (int i = 0; i < h_count; i++)
        if (!used[i] && (!hosts[i].device || hosts[i].host || d_count == 0))
            emit(hosts[i].begin, hosts[i].end, HOST);
    return 1;
}

static int merge_scope(int begin, int end)
{
    int h = seen(begin, HOST), d = seen(begin, DEVICE);
    while (h < end || d < end) {
        if (h != d) {
            if (!merge_apart(&h, &d))
                return 0;
            continue;
        }
        if (differs[h] >= end) {
            emit(h, end, BOTH);
            return 1;
        }
        struct declaration of_host = read_declaration(h, HOST),
                           of_device = read_declaration(d, DEVICE);
        if (of_host.end == h || of_device.end == d)
            return problem(h);
        if (of_host.end != of_device.end) {
            /* The same first token, another end: taken as two, from the host's view first. */
            h = seen(of_host.end, HOST);
            d = seen(of_device.end, DEVICE);
            if (of_device.device && of_device.host && of_device.open >= 0 && of_host.open >= 0)
                emit_both_bodies(&of_host, &of_device);
            else if (of_device.device)
                emit(of_device.begin, of_device.end, DEVICE);
            else
                emit(of_host.begin, of_host.end, HOST);
            continue;
        }
        if (differs[h] >= of_host.end)
            emit(h, of_host.end, BOTH);
        else if (!merge_declaration(&of_host, &of_device))
            return 0;
        h = seen(of_host.end, HOST);
        d = seen(of_device.end, DEVICE);
    }
    return 1;
}

char *merge_passes(const char *host, size_t host_length, const char *device, size_t device_length,
                   size_t *length)
{
    struct lines a = {NULL, 0, 0}, b = {NULL, 0, 0};
    read_lines(&a, host, host_length);
    read_lines(&b, device, device_length);
    memset(&merged, 0, sizeof merged);
    compare(&a, &b, &merged);
    tokenise();
    char *result = NULL;
    output = need(open_memstream(&result, length));
    last_token = -1;
    int good = merge_scope(0, tokens.count);
    putc('\n', output);
    fclose(output);
    free(a.list);
    free(b.list);
    free(merged.list);
    free(tokens.list);
    free(line_of);
    free(differs);
    if (good)
        return need(result);
    free(result);
    return NULL;
}
