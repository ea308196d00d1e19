/* Text in a page of HTML. */
#ifndef HTML_H
#define HTML_H

#include "text.h"

/* Adds the beginning of a page, up to <body>, with the style of runner/view/report.css. */
void htmlBegin(struct text *page, const char *title);
/* The text, in which <, >, & and " stand for themselves. */
char *escaped(const char *text);
/* Adds "<tag>text</tag>". */
void htmlElement(struct text *page, const char *tag, const char *text);
/* Begins a section with a heading. */
void htmlSection(struct text *page, const char *id, const char *title);
/* Begins a table, which scrolls if the screen is too narrow. A screen reader reads the label. The
 * heads of the columns have bars between them, and a # before that of a column of numbers. */
void htmlTable(struct text *page, const char *label, const char *heads);
#define HTML_TABLE_END "</tbody></table></div>\n"
/* Times and sizes as people read them: "12.3 µs", "64 Mi". */
const char *htmlSeconds(double seconds);
char *htmlCount(double count);

#endif
