/* The course's documents as HTML, for the book and the slides. */
#ifndef BOOK_H
#define BOOK_H

#include "text.h"

/* One document. */
struct chapter {
    const char *prefix; /* of the names of its headings: "ex05" */
    /* where its links start, relative to the course's folder: "ex05_diffusion1d", or "." */
    const char *folder;
    const char *file;  /* in that folder */
    const char *title; /* of an exercise, otherwise NULL */
};

/* What cmark-gfm makes of it. Ends the program if there is no cmark-gfm, or if it cannot read the
 * document. */
const char *chapterHtml(const struct chapter *c);
/* Adds the character or tag at html, except comments; returns what follows it. Pictures stand in
 * the page. Links lead to places in the page, that is in the `count` chapters, or into the net. */
const char *appendPart(struct text *out, const char *html, const struct chapter *c,
                       const struct chapter *all, size_t count);

#endif
