/* Markdown for people: without its marks, in lines that fit a terminal. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

/* The text as it is to be read, in lines of at most `width` columns as far as its code allows, in a string that the
 * caller frees. Knows what the course's documents use: headings, paragraphs, lists, quotes, code, tables, links, pictures
 * (their text alternative) and HTML comments (left out). */
char *markdownRead(const char *text, int width);

#endif
