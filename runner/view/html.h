/* Text in a page of HTML. */
#ifndef HTML_H
#define HTML_H

#include "text.h"

/* Adds the beginning of a page, up to <body>, with the style of runner/view/report.css and some
 * more. */
void htmlBegin(struct text *page, const char *title, const char *style);
/* Adds text, in which <, >, & and " stand for themselves. */
void htmlText(struct text *page, const char *text);
/* Adds "<tag>text</tag>". */
void htmlElement(struct text *page, const char *tag, const char *text);
/* Adds a cell with a number: right-aligned. */
void htmlNumber(struct text *page, const char *text);
/* Times and sizes as people read them: "12.3 µs", "64 Mi"; the caller frees them. */
char *htmlSeconds(double seconds);
char *htmlCount(double count);

#endif
