/* tokens.h: a C++ source as a list of tokens that keeps every byte, and edits to it that keep every
 * line. */
#ifndef EMULATED_TOKENS_H
#define EMULATED_TOKENS_H

#include <stddef.h>
#include <stdio.h>

enum token_kind { SPACE, NAME, NUMBER, STRING, PUNCTUATION };

struct token {
    enum token_kind kind;
    const char *text; /* in the source, not terminated */
    size_t length;
    char *before, *instead, *after; /* edits, or NULL */
};

struct tokens {
    struct token *list;
    int count, capacity;
};

int name_char(char c); /* may it stand in a name? */
void tokens_read(struct tokens *t, const char *source, size_t length);
void tokens_write(const struct tokens *t, FILE *out);

/* All of these accept any index; outside the list nothing matches. */
int token_is(const struct tokens *t, int i, const char *text);
int token_kind_is(const struct tokens *t, int i, enum token_kind kind);
/* the next one that is no space or comment */
int token_next(const struct tokens *t, int i);
int token_previous(const struct tokens *t, int i); /* the one before */
/* of the ( [ or { at i; count when there is none */
int token_closing(const struct tokens *t, int i);
/* of the ) ] } or > at i; -1 when there is none */
int token_opening(const struct tokens *t, int i);
int token_after_template(const struct tokens *t, int i); /* past the <...> that opens at i */

/* Prints one line on stderr, which begins with the program's name. */
void tell(const char *pattern, ...) __attribute__((format(printf, 1, 2)));
/* p, or the program ends: NULL is no memory */
void *need(void *p);
void *grow(void *p, size_t bytes); /* realloc(), likewise */
/* a new string, or the program ends */
char *format(const char *pattern, ...);
/* the source from token a to b, on one line */
char *tokens_text(const struct tokens *t, int a, int b);
void token_replace(struct tokens *t, int i, char *text);           /* keeps the newlines in it */
void token_join(struct tokens *t, int a, int b, const char *text); /* b becomes a part of a */
void token_blank(struct tokens *t, int a, int b);                  /* from a to b, keeps newlines */
#endif
