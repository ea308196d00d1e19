/* Markdown for people: without its marks, in lines that fit a terminal. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

/* Plain text in lines of at most `width` columns, all but the first of which begin with `rest`;
 * ends with a newline. */
char *wrapped(const char *text, int width, const char *rest);

/* The text for a reader, in lines of at most `width` columns as far as its code allows. Knows the
 * elements of the course's documents: headings, paragraphs, lists, quotes, code, tables, links,
 * pictures (their text alternative) and HTML comments (left out). */
char *markdownRead(const char *text, int width);

#endif
